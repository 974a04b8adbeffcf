package vulkan

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// module puts instructions together; each begins with its opcode.
func module(instructions ...[]uint32) []byte {
	words := []uint32{magic, 0x10000, 0, 100, 0}
	for _, i := range instructions {
		words = append(words, uint32(len(i))<<16|i[0])
		words = append(words, i[1:]...)
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// name is the words of a short string.
func name(s string) uint32 {
	var b [4]byte
	copy(b[:], s)
	return binary.LittleEndian.Uint32(b[:])
}

// Ids of the modules here.
const (
	idMain = iota + 1
	idFloat
	idVec2
	idPointer
	idOutput
	idGroup
	idUint
	idTwo
	idArray
	idBlock
)

// floats declares types up to vec2.
func floats() [][]uint32 {
	return [][]uint32{{opTypeFloat, idFloat, 32}, {opTypeVector, idVec2, idFloat, 2}}
}

// decorate decorates an id so that it is captured.
func decorate(id, buffer, stride, offset uint32) [][]uint32 {
	return [][]uint32{{opDecorate, id, decorationLocation, 0}, {opDecorate, id, decorationXfbBuffer, buffer},
		{opDecorate, id, decorationXfbStride, stride}, {opDecorate, id, decorationOffset, offset}}
}

func entry(model uint32, modes ...uint32) [][]uint32 {
	all := [][]uint32{{opEntryPoint, model, idMain, name("m"), idOutput}}
	for _, m := range modes {
		all = append(all, []uint32{opExecutionMode, idMain, m})
	}
	return all
}

func variable(of uint32) [][]uint32 {
	return [][]uint32{{opTypePointer, idPointer, storageOutput, of}, {opVariable, idPointer, idOutput, storageOutput}}
}

func translateModule(data []byte, entry string) (*frontend.Translation, error) {
	m, err := ReadModule(data)
	if err != nil {
		return nil, err
	}
	s, err := m.Shader(entry)
	if err != nil {
		return nil, err
	}
	return Translate(s)
}

func TestModule(t *testing.T) {
	plain := slices.Concat(entry(0, modeXfb), decorate(idOutput, 1, 16, 4), floats(), variable(idVec2))
	grouped := slices.Concat(entry(0, modeXfb), decorate(idGroup, 1, 16, 4), [][]uint32{{opGroupDecorate, idGroup, idOutput}}, floats(), variable(idVec2))
	members := slices.Concat(entry(3, modeXfb, modeOutputPoints),
		[][]uint32{{opDecorate, idBlock, decorationBlock}, {opDecorate, idOutput, decorationLocation, 3}, {opDecorate, idOutput, decorationXfbBuffer, 2},
			{opMemberDecorate, idBlock, 0, decorationXfbStride, 16}, {opMemberDecorate, idBlock, 0, decorationOffset, 0}, {opMemberDecorate, idBlock, 0, decorationStream, 1},
			{opMemberDecorate, idBlock, 1, decorationXfbStride, 16}, {opMemberDecorate, idBlock, 1, decorationOffset, 8}, {opMemberDecorate, idBlock, 1, decorationStream, 1}},
		floats(), [][]uint32{{opTypeStruct, idBlock, idVec2, idFloat}}, variable(idBlock))
	instances := slices.Concat(entry(0, modeXfb),
		[][]uint32{{opDecorate, idBlock, decorationBlock}, {opDecorate, idOutput, decorationLocation, 0}, {opDecorate, idBlock, decorationXfbBuffer, 2},
			{opDecorate, idBlock, decorationXfbStride, 8}, {opMemberDecorate, idBlock, 0, decorationOffset, 0}},
		floats(), [][]uint32{{opTypeInt, idUint, 32, 0}, {opConstant, idUint, idTwo, 2}, {opTypeStruct, idBlock, idVec2}, {opTypeArray, idArray, idBlock, idTwo}}, variable(idArray))
	// A double and a float, twice: 12 bytes each, and each at a multiple of 8.
	tight := slices.Concat(entry(0, modeXfb), decorate(idOutput, 0, 64, 8), [][]uint32{{opTypeFloat, idFloat, 32}, {opTypeFloat, idVec2, 64},
		{opTypeInt, idUint, 32, 0}, {opConstant, idUint, idTwo, 2}, {opTypeStruct, idBlock, idVec2, idFloat}, {opTypeArray, idArray, idBlock, idTwo}}, variable(idArray))
	for _, tc := range []struct {
		name string
		data []byte
		want string
		said []string
	}{
		{"structures with doubles", module(tight...), "(0,0,2,b0,2,0)(1,0,1,b0,4,0)(2,0,2,b0,6,0)(3,0,1,b0,8,0){16,0,0,0}", []string{}},
		{"a variable", module(plain...), "(0,0,2,b1,1,0){0,4,0,0}", []string{}},
		{"decorations of a group", module(grouped...), "(0,0,2,b1,1,0){0,4,0,0}", []string{}},
		{"members of a block, of stream 1", module(members...), "(0,0,2,b2,0,1)(1,0,1,b2,2,1){0,0,4,0}", []string{}},
		{"instances of a block", module(instances...), "(0,0,2,b2,0,0)(1,0,2,b3,0,0){0,0,2,2}", []string{}},
		{"without the execution mode", module(slices.Concat(entry(0), decorate(idOutput, 1, 16, 4), floats(), variable(idVec2))...), "{0,0,0,0}", []string{"so-vk-no-xfb-mode"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, data := range [][]byte{tc.data, swapped(tc.data)} {
				require.True(t, IsModule(data))
				tr, err := translateModule(data, "")
				require.NoError(t, err)
				require.Equal(t, tc.want, frontend.Notation(&tr.Info))
				said := []string{}
				for _, d := range tr.Said {
					said = append(said, d.Rule)
				}
				require.Equal(t, tc.said, said)
			}
		})
	}
}

// swapped is the module in the other byte order.
func swapped(data []byte) []byte {
	b := slices.Clone(data)
	for i := 0; i+4 <= len(b); i += 4 {
		slices.Reverse(b[i : i+4])
	}
	return b
}

func TestModuleErrors(t *testing.T) {
	good := slices.Concat(entry(0, modeXfb), decorate(idOutput, 1, 16, 4), floats(), variable(idVec2))
	for _, tc := range []struct {
		name  string
		data  []byte
		entry string
		want  string
	}{
		{"no module", []byte("text of a shader"), "", "SPIR-V: the first word is not 0x07230203"},
		{"no whole words", module(good...)[:31], "", "SPIR-V: 31 bytes are no whole words, or no header"},
		{"cut", module(good...)[:28], "", "SPIR-V: word 5: instruction of 5 words, and 2 are left"},
		{"an instruction of no words", append(module(), 0, 0, 0, 0), "", "SPIR-V: word 5: instruction of 0 words, and 1 are left"},
		{"nothing but a header", module(), "", "the module has no vertex, tessellation evaluation or geometry entry point"},
		{"too few operands", module([]uint32{opTypeVector, 1}), "", "SPIR-V: word 5: instruction 23 has 1 operands, want 3"},
		{"a fragment shader alone", module(slices.Concat(entry(4), floats())...), "", "the module has no vertex, tessellation evaluation or geometry entry point"},
		{"another name", module(good...), "main", `the module has no entry point "main" that captures, but: m`},
		{"two vertex shaders", module(slices.Concat(entry(0), entry(0))...), "", "the module has several entry points of the last stage: m, m"},
		{"an output of no known type", module(slices.Concat(entry(0, modeXfb), [][]uint32{{opTypeStruct, idBlock, 77}}, variable(idBlock))...), "", "SPIR-V: output %5: type %77 is none of an output"},
		{"a structure with a double at byte 4", module(slices.Concat(entry(0, modeXfb), decorate(idOutput, 0, 16, 4),
			[][]uint32{{opTypeFloat, idFloat, 32}, {opTypeFloat, idVec2, 64}, {opTypeStruct, idBlock, idFloat, idVec2}}, variable(idBlock))...), "", "SPIR-V: output %5: %5: Offset 4 is no multiple of 8 [so-vk-offset-align]"},
		{"a buffer beyond the last", module(slices.Concat(entry(0, modeXfb), decorate(idOutput, 4, 16, 4), floats(), variable(idVec2))...), "", "%5: XfbBuffer is 4, at most 3 [so-vk-limits]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := translateModule(tc.data, tc.entry)
			require.EqualError(t, err, tc.want)
		})
	}
}

// Types that repeat themselves inside themselves have more leaves than are
// read.
func TestModuleOfManyLeaves(t *testing.T) {
	all := slices.Concat(entry(0, modeXfb), floats())
	of := uint32(idVec2)
	for id := uint32(20); id < 50; id++ {
		all = append(all, []uint32{opTypeStruct, id, of, of, of, of})
		of = id
	}
	_, err := translateModule(module(slices.Concat(all, variable(of))...), "")
	require.EqualError(t, err, "SPIR-V: output %5: more than 4096 outputs")
}

// Arrays of nothing are not walked.
func TestModuleOfEmptyArrays(t *testing.T) {
	all := slices.Concat(entry(0, modeXfb), [][]uint32{{opTypeInt, idUint, 32, 0}, {opConstant, idUint, idTwo, 1 << 31}, {opTypeStruct, idBlock}})
	of := uint32(idBlock)
	for id := uint32(20); id < 30; id++ {
		all = append(all, []uint32{opTypeArray, id, of, idTwo})
		of = id
	}
	for _, block := range [][][]uint32{nil, {{opDecorate, idBlock, decorationBlock}}} {
		tr, err := translateModule(module(slices.Concat(all, block, variable(of))...), "")
		require.NoError(t, err)
		require.Zero(t, tr.Info.NumOutputs)
	}
}
