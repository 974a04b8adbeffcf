package frontend_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/gl"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// dword is one captured dword: where it comes from and where it goes.
type dword struct{ register, component, buffer, dst int }

// randomOutputs are outputs that fill slots from 0 on, some of them apart.
func randomOutputs(r *rand.Rand) []frontend.Output {
	types := []string{"float", "vec2", "vec3", "vec4", "mat2", "mat3", "mat4x3", "double", "dvec2", "dvec3", "dvec4", "dmat2", "ivec3"}
	outputs := []frontend.Output{{Name: "gl_Position", Type: must("vec4")}}
	location := 0
	for i := range 1 + r.IntN(4) {
		o := frontend.Output{Name: fmt.Sprintf("v%d", i), Type: must(types[r.IntN(len(types))]), Array: max(0, r.IntN(5)-1)}
		if r.IntN(8) == 0 {
			o.Written = new(bool)
		}
		location += r.IntN(3)
		o.Location = frontend.Some(location)
		location += o.Length() * o.Type.Slots()
		outputs = append(outputs, o)
	}
	return outputs
}

func must(name string) frontend.Type {
	t, err := frontend.ParseType(name)
	if err != nil {
		panic(err)
	}
	return t
}

// registersOf numbers the written slots one by one; the position has 0.
func registersOf(outputs []frontend.Output) map[int]int {
	registers := map[int]int{}
	next := 1
	for _, o := range outputs[1:] {
		for s := range o.Length() * o.Type.Slots() {
			if o.IsWritten() {
				registers[o.Location.Or(0)+s] = next
				next++
			}
		}
	}
	return registers
}

// walk visits the scalars of an output one by one: each column begins a slot.
func walk(o *frontend.Output, visit func(slot, component int)) {
	slot := o.Location.Or(0)
	for range o.Length() {
		for range o.Type.Columns {
			component := 0
			for range o.Type.Rows {
				for range o.Type.Bits / 32 {
					if component == 4 {
						slot, component = slot+1, 0
					}
					visit(slot, component)
					component++
				}
			}
			slot++
		}
	}
}

// dwords takes an info apart.
func dwords(tr *frontend.Translation) []dword {
	var all []dword
	for _, o := range tr.Info.Numbers().Output {
		for k := range int(o.NumComponents) {
			all = append(all, dword{int(o.RegisterIndex), int(o.StartComponent) + k, int(o.OutputBuffer), int(o.DstOffset) + k})
		}
	}
	return all
}

// A list of whole variables and skips puts each scalar behind the one before.
func TestRandomLists(t *testing.T) {
	all := rules.All()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := gl.NewProgram()
		p.Limits.InterleavedComponents = 1000
		p.Outputs = randomOutputs(r)
		registers := registersOf(p.Outputs)
		var want []dword
		buffer, dst := 0, 0
		for _, i := range r.Perm(len(p.Outputs) - 1) {
			o := &p.Outputs[i+1]
			switch r.IntN(4) {
			case 0:
				p.Varyings = append(p.Varyings, "gl_SkipComponents3")
				dst += 3
			case 1:
				if buffer < 3 {
					p.Varyings = append(p.Varyings, "gl_NextBuffer")
					buffer, dst = buffer+1, 0
				}
			}
			p.Varyings = append(p.Varyings, o.Name)
			walk(o, func(slot, component int) {
				if o.IsWritten() {
					want = append(want, dword{registers[slot], component, buffer, dst})
				}
				dst++
			})
		}
		tr, err := gl.Translate(p)
		if err != nil {
			require.ErrorContains(t, err, "so-", "%v", p.Varyings)
			continue
		}
		require.Equal(t, want, dwords(tr), "seed %d: %s", seed, strings.Join(p.Varyings, " "))
		require.NoError(t, tr.Check(all))
	}
}

// Offsets put each scalar where they say, whatever order the outputs have.
func TestRandomOffsets(t *testing.T) {
	all := rules.All()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := vulkan.NewShader()
		s.Limits.InterleavedComponents = 1000
		s.Outputs = randomOutputs(r)
		for i := range s.Outputs {
			s.Outputs[i].Written = nil
		}
		registers := registersOf(s.Outputs)
		ends := [4]int{}
		var want []dword
		for buffer := range ends {
			for i := 1; i < len(s.Outputs); i++ {
				o := &s.Outputs[i]
				if o.XfbBuffer.Given() || r.IntN(3) > 0 {
					continue
				}
				dst := (ends[buffer] + r.IntN(4) + 1) &^ 1
				o.XfbBuffer, o.Offset, o.XfbStride = frontend.Some(buffer), frontend.Some(4*dst), frontend.Some(4000)
				walk(o, func(slot, component int) {
					want = append(want, dword{registers[slot], component, buffer, dst})
					dst++
				})
				ends[buffer] = dst
			}
		}
		r.Shuffle(len(s.Outputs), func(i, j int) { s.Outputs[i], s.Outputs[j] = s.Outputs[j], s.Outputs[i] })
		tr, err := vulkan.Translate(s)
		if err != nil {
			require.ErrorContains(t, err, "so-")
			continue
		}
		require.Equal(t, want, dwords(tr), "seed %d", seed)
		require.NoError(t, tr.Check(all))
	}
}
