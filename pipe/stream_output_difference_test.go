package pipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestDifference changes one member at a time.
func TestDifference(t *testing.T) {
	word := func(register, mask, buffer, offset, stream uint64) pipe.StreamOutput {
		o, err := pipe.PackMask(register, mask, buffer, offset, stream)
		require.NoError(t, err)
		return o
	}
	info := func(stride uint16, outputs ...pipe.StreamOutput) pipe.StreamOutputInfo {
		i := pipe.StreamOutputInfo{NumOutputs: uint32(len(outputs)), Stride: [4]uint16{stride}}
		copy(i.Output[:], outputs)
		return i
	}
	first, second := word(1, 0b0011, 0, 0, 0), word(2, 0b0101, 0, 2, 0)
	a := info(8, first, second)
	for _, c := range []struct {
		b              pipe.StreamOutputInfo
		path, inA, inB string
	}{
		{info(8, first, second), "", "", ""},
		{info(8, first), "num_outputs", "2", "1"},
		{info(9, first, second), "stride[0]", "8 dw (32 B)", "9 dw (36 B)"},
		{info(8, first, word(3, 0b0101, 0, 2, 0)), "output[1].register_index", "2", "3"},
		{info(8, word(1, 0b0110, 0, 0, 0), second), "output[0].start_component", "0", "1"},
		{info(8, word(1, 0b0111, 0, 0, 0), second), "output[0].num_components", "2", "3"},
		{info(8, first, word(2, 0b0101, 1, 2, 0)), "output[1].output_buffer", "0", "1"},
		{info(8, first, word(2, 0b0101, 0, 3, 0)), "output[1].dst_offset", "2 dw (8 B)", "3 dw (12 B)"},
		{info(8, first, word(2, 0b0101, 0, 2, 1)), "output[1].stream", "0", "1"},
		{info(8, first, word(2, 0b1001, 0, 2, 0)), "output[1].register_mask", "0101", "1001"},
	} {
		path, inA, inB := a.Difference(&c.b)
		require.Equal(t, []string{c.path, c.inA, c.inB}, []string{path, inA, inB})
		path, inB, inA = c.b.Difference(&a)
		require.Equal(t, []string{c.path, c.inA, c.inB}, []string{path, inA, inB}, "the other way round")
	}
	nothing, other := info(8), info(9)
	path, _, _ := nothing.Difference(&other)
	require.Empty(t, path, "strides mean nothing without outputs")
}
