package pipe

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// abiVectors is what testdata/abi/abi.c prints: a name, the size of the struct,
// and its bytes up to the last one that is not zero.
//
//go:embed testdata/abi/vectors.txt
var abiVectors string

// abiVector returns the bytes of a vector.
func abiVector(t testing.TB, name string) []byte {
	t.Helper()
	for line := range strings.Lines(abiVectors) {
		f := strings.Fields(line)
		if f[0] != name {
			continue
		}
		size, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		b, err := hex.DecodeString(f[2])
		require.NoError(t, err)
		return append(b, make([]byte, size-len(b))...)
	}
	t.Fatalf("no vector %s", name)
	return nil
}

// mask packs an output with a mask.
func mask(t testing.TB, register, mask, buffer, dst uint64) StreamOutput {
	t.Helper()
	o, err := PackMask(register, mask, buffer, dst, 0)
	require.NoError(t, err)
	return o
}

// abiExpected is what each vector means, in the words of abi.c.
func abiExpected(t testing.TB) map[string]StreamOutputInfo {
	t.Helper()
	info := func(stride [4]uint16, outputs ...StreamOutput) StreamOutputInfo {
		i, err := NewStreamOutputInfo(stride, outputs...)
		require.NoError(t, err)
		return i
	}
	places := func(last, stream1, stream2 uint64) StreamOutputInfo {
		return info([4]uint16{300, 65535, 0, 7},
			out(t, 5, 0, 3, 0, 4, 0), out(t, 7, 1, 1, 3, 6, stream1), out(t, last, 0, 4, 1, 65531, stream2))
	}
	one := func(last uint64) StreamOutputInfo {
		return info([4]uint16{11}, mask(t, 5, 7, 0, 0), mask(t, 7, 5, 0, 3), mask(t, last, 15, 0, 5))
	}
	two := func(last uint64) StreamOutputInfo {
		return info([4]uint16{7, 0, 2}, mask(t, 5, 7, 0, 0), mask(t, 7, 5, 2, 0), mask(t, last, 15, 0, 3))
	}
	return map[string]StreamOutputInfo{
		"2010-06": one(31), "2010-06/buffers": two(31),
		"2010-07": one(31), "2010-07/buffers": two(31),
		"2011-12": one(255), "2011-12/buffers": two(255),
		"2012-01": places(255, 0, 0), "2012-10": places(255, 0, 0), "2013-04": places(255, 0, 0),
		"2014-07": places(255, 2, 3), "2017-04": places(63, 2, 3), "2023-08": places(63, 2, 3),
	}
}

func TestABIVectors(t *testing.T) {
	expected := abiExpected(t)
	require.Equal(t, len(expected), strings.Count(abiVectors, "\n"))
	for name, want := range expected {
		t.Run(name, func(t *testing.T) {
			form, _, _ := strings.Cut(name, "/")
			a, ok := ParseABI(form)
			require.True(t, ok)
			b := abiVector(t, name)
			require.Equal(t, a.Size(3), len(b))

			got, n, err := a.Read(append(b[:len(b):len(b)], 0xff))
			require.NoError(t, err)
			require.Equal(t, len(b), n)
			require.Equal(t, want.Numbers(), got.Numbers())
			require.True(t, want.Equal(&got))
			require.True(t, got.Clean())

			again, err := a.Append([]byte{1}, &want)
			require.NoError(t, err)
			require.Equal(t, append([]byte{1}, b...), again)
		})
	}
}

func TestABIVirgl(t *testing.T) {
	info, err := NewStreamOutputInfo([4]uint16{16, 0, 0, 65535}, out(t, 255, 1, 3, 2, 0x1234, 3), out(t, 0, 0, 1, 0, 0, 0))
	require.NoError(t, err)
	words := []uint32{2, 16, 0, 0, 65535,
		255 | 1<<8 | 3<<10 | 2<<13 | 0x1234<<16, 3,
		1 << 10, 0}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	got, err := ABIVirgl.Append(nil, &info)
	require.NoError(t, err)
	require.Equal(t, b, got)
	again, n, err := ABIVirgl.Read(append(b, 1, 2, 3))
	require.NoError(t, err)
	require.Equal(t, len(b), n)
	require.True(t, info.Equal(&again))

	empty, n, err := ABIVirgl.Read(make([]byte, 4))
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.Zero(t, empty.NumOutputs)
	b, err = ABIVirgl.Append(nil, &StreamOutputInfo{})
	require.NoError(t, err)
	require.Equal(t, make([]byte, 4), b)
}

func TestABINames(t *testing.T) {
	require.Len(t, ABIs(), len(abiLayouts))
	last := ""
	for _, a := range ABIs() {
		got, ok := ParseABI(a.String())
		require.True(t, ok)
		require.Equal(t, a, got)
		require.Greater(t, a.String(), last, "oldest first")
		last = a.String()
	}
	require.Equal(t, "ABI(200)", ABI(200).String())
	_, ok := ParseABI("2012")
	require.False(t, ok)
}

func TestABIReadRefuses(t *testing.T) {
	with := func(name string, at int, v ...byte) []byte {
		b := abiVector(t, name)
		copy(b[at:], v)
		return b
	}
	virgl := func(words ...uint32) []byte {
		var b []byte
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	for _, tc := range []struct {
		name  string
		abi   ABI
		bytes []byte
		words string
	}{
		{"nothing", ABI202308, nil, "2023-08 form: 0 bytes are there, it takes 524"},
		{"a byte short", ABI201407, abiVector(t, "2014-07")[:531], "2014-07 form: 531 bytes are there, it takes 532"},
		{"a wild count", ABI201704, with("2017-04", 0, 0xad, 0xef, 0xef, 0xbe), "num_outputs is 3203395501, at most 64"},
		{"the count of a larger form", ABI201704, with("2017-04", 0, 65, 0, 0, 0), "num_outputs is 65, at most 64"},
		{"a negative count of the draft", ABI201006, with("2010-06", 144, 0xff, 0xff, 0xff, 0xff), "num_outputs is 4294967295, at most 16"},
		{"buffer five", ABI201704, with("2017-04", 13, 0x2b), "output[0]: output_buffer is 5, at most 3"},
		{"no component", ABI201704, with("2017-04", 13, 0x00), "output[0]: start_component 0 with num_components 0"},
		{"seven components", ABI201704, with("2017-04", 13, 0x07), "output[0]: start_component 0 with num_components 7"},
		{"a stride of 17 bits", ABI201304, with("2013-04", 4, 0, 0, 1, 0), "stride[0] is 65536 dw, at most 65535 dw"},
		{"a buffer of minus one", ABI201006, with("2010-06", 0, 0xff, 0xff, 0xff, 0xff), "output[0]: output_buffer is 4294967295, at most 3"},
		{"a register of 256", ABI201006, with("2010-06", 64, 0, 1), "output[0]: register_index is 256, at most 255"},
		{"a mask of five bits", ABI201006, with("2010-06", 128, 16), "output[0]: register_mask is 0x10"},
		{"an empty mask", ABI201112, with("2011-12", 9, 0), "output[0]: register_mask is 0x0"},
		{"a single stride of 17 bits", ABI201112, with("2011-12", 4, 0, 0, 1, 0), "stride[0] is 65536 dw"},
		{"virgl without a count", ABIVirgl, []byte{1, 0, 0}, "virgl form: 3 bytes are there, it takes 4"},
		{"virgl words that are not there", ABIVirgl, virgl(2, 0, 0, 0, 0, 1<<10, 0), "num_outputs is 2, 28 bytes are there, it takes 36"},
		{"a virgl count of all bits", ABIVirgl, virgl(1<<32-1, 0, 0, 0, 0), "num_outputs is 4294967295, at most 128"},
		{"virgl stream four", ABIVirgl, virgl(1, 0, 0, 0, 0, 1<<10, 4), "output[0]: stream is 4, at most 3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info, n, err := tc.abi.Read(tc.bytes)
			require.ErrorContains(t, err, tc.words)
			require.Zero(t, n)
			require.True(t, info.Clean() && info.NumOutputs == 0)
		})
	}
}

func TestABIReadIgnoresTheTail(t *testing.T) {
	b := abiVector(t, "2023-08")
	b[len(b)-1] = 0xff
	info, _, err := ABI202308.Read(b)
	require.NoError(t, err)
	require.True(t, info.Clean())
}

func TestABIAppendRefuses(t *testing.T) {
	info := func(stride [4]uint16, outputs ...StreamOutput) StreamOutputInfo {
		i, err := NewStreamOutputInfo(stride, outputs...)
		require.NoError(t, err)
		return i
	}
	full := func(n int, o StreamOutput) StreamOutputInfo {
		i := StreamOutputInfo{NumOutputs: uint32(n)}
		for k := range n {
			i.Output[k] = o
		}
		return i
	}
	holes := mask(t, 1, 0b0101, 0, 0)
	for _, tc := range []struct {
		name  string
		abi   ABI
		info  StreamOutputInfo
		words string
	}{
		{"register 64 in six bits", ABI202308, info([4]uint16{}, out(t, 64, 0, 1, 0, 0, 0)), "2023-08 form: output[0]: register_index is 64, at most 63"},
		{"a stream before there were any", ABI201304, info([4]uint16{}, out(t, 1, 0, 1, 0, 0, 1)), "output[0]: stream is 1, the form has none"},
		{"a stream in a mask form", ABI201112, info([4]uint16{}, out(t, 1, 0, 1, 0, 0, 1)), "output[0]: stream is 1, the form has none"},
		{"too many outputs", ABI201704, full(65, out(t, 1, 0, 1, 0, 0, 0)), "num_outputs is 65, at most 64"},
		{"too many runs", ABI202308, full(65, holes), "num_outputs is 130, at most 128"},
		{"an empty mask", ABI202308, full(1, 0), "output[0]: no component is captured"},
		{"an empty mask in a mask form", ABI201112, full(1, 0), "output[0]: no component is captured"},
		{"a gap in a mask form", ABI201112, info([4]uint16{4}, out(t, 1, 0, 1, 0, 1, 0)), "output[0]: dst_offset is 1 dw, the form can only tell 0 dw"},
		{"a second stride in a mask form", ABI201112, info([4]uint16{1, 5}, out(t, 1, 0, 1, 0, 0, 0)), "stride[1] is 5 dw, the form can only tell 0 dw"},
		{"a padded stride of several buffers", ABI201007, info([4]uint16{1, 2}, out(t, 1, 0, 1, 0, 0, 0), out(t, 1, 0, 1, 1, 0, 0)), "stride[1] is 2 dw, the form can only tell 1 dw"},
		{"strides without outputs over virgl", ABIVirgl, info([4]uint16{0, 0, 3}), "stride[2] is 3 dw, the form can only tell 0 dw"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dst := []byte("kept")
			got, err := tc.abi.Append(dst, &tc.info)
			require.ErrorContains(t, err, tc.words)
			require.Equal(t, dst, got)
		})
	}
}

func TestABIAppendSplitsHoles(t *testing.T) {
	info, err := NewStreamOutputInfo([4]uint16{8}, mask(t, 1, 0b0101, 0, 4))
	require.NoError(t, err)
	b, err := ABI202308.Append(nil, &info)
	require.NoError(t, err)
	got, _, err := ABI202308.Read(b)
	require.NoError(t, err)
	require.Equal(t, []StreamOutput{out(t, 1, 0, 1, 0, 4, 0), out(t, 1, 2, 1, 0, 5, 0)}, got.Outputs())
}

// TestABIRoundTrip writes random infos in every form that can hold them.
func TestABIRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	written := map[ABI]int{}
	for range 3000 {
		var info StreamOutputInfo
		info.NumOutputs = uint32(rng.IntN(40))
		streams := 1 + 3*rng.Uint64N(2)
		for k := range info.Outputs() {
			start := rng.Uint64N(4)
			info.Output[k] = out(t, rng.Uint64N(64), start, 1+rng.Uint64N(4-start), rng.Uint64N(4), rng.Uint64N(1<<16), rng.Uint64N(streams))
		}
		if rng.IntN(2) == 0 {
			require.NoError(t, placed(&info))
		}
		for _, a := range ABIs() {
			b, err := a.Append(nil, &info)
			if err != nil {
				continue
			}
			written[a]++
			got, n, err := a.Read(b)
			require.NoError(t, err)
			require.Equal(t, len(b), n)
			require.True(t, info.Equal(&got), "%v", a)
		}
	}
	for _, a := range ABIs() {
		require.Greater(t, written[a], 50, "%v was hardly tried", a)
	}
}

// placed drops places and streams, and lays the outputs out densely.
func placed(info *StreamOutputInfo) error {
	for k, o := range info.Outputs() {
		word, err := PackMask(uint64(o.Register()), uint64(o.Mask()), uint64(o.Buffer()), 0, 0)
		if err != nil {
			return err
		}
		info.Output[k] = word
	}
	return info.place()
}

func FuzzABIRead(f *testing.F) {
	for line := range strings.Lines(abiVectors) {
		name, _, _ := strings.Cut(line, " ")
		form, _, _ := strings.Cut(name, "/")
		a, _ := ParseABI(form)
		f.Add(uint8(a), abiVector(f, name))
	}
	f.Add(uint8(ABIVirgl), bytes.Repeat([]byte{1, 0, 0, 0}, 7))
	f.Fuzz(func(t *testing.T, form uint8, b []byte) {
		a := ABI(form % uint8(len(abiLayouts)))
		info, n, err := a.Read(b)
		if err != nil {
			require.Zero(t, n)
			return
		}
		require.LessOrEqual(t, n, len(b))
		require.True(t, info.NumOutputs == 0 || info.Clean())
		again, err := a.Append(nil, &info)
		require.NoError(t, err, "what a form said, it can say")
		require.Len(t, again, n)
		back, _, err := a.Read(again)
		require.NoError(t, err)
		require.True(t, info.Equal(&back))
	})
}
