package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// put is an output of all numbers, in the order of Gallium's struct.
func put(register, start, num, buffer, dst, stream uint64) pipe.OutputNumbers {
	return pipe.OutputNumbers{RegisterIndex: register, StartComponent: start, NumComponents: num, OutputBuffer: buffer, DstOffset: dst, Stream: stream}
}

// TestOneNumberIsToldOnce changes one number of an info without a fault. What
// follows from it, a gap where the output belongs or a stride that nothing uses, is
// not told; a second fault is.
func TestOneNumberIsToldOnce(t *testing.T) {
	// Two vectors and a scalar in buffer 0, two scalars in buffer 1.
	right := []pipe.OutputNumbers{put(1, 0, 4, 0, 0, 0), put(2, 0, 4, 0, 4, 0), put(3, 0, 1, 0, 8, 0), put(4, 0, 1, 1, 0, 0), put(5, 0, 1, 1, 1, 0)}
	strides := [4]uint16{9, 2}
	for _, c := range []struct {
		name   string
		change func(o []pipe.OutputNumbers, s *[4]uint16)
		want   []string
	}{
		{"nothing", func(o []pipe.OutputNumbers, s *[4]uint16) {}, nil},
		{"back onto the first", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].DstOffset = 0 }, []string{"error so-overlap"}},
		{"one dword back", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].DstOffset = 3 }, []string{"error so-overlap"}},
		{"one dword on", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[0].DstOffset = 1 }, []string{"error so-overlap"}},
		{"behind the stride", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[0].DstOffset = 100 }, []string{"error so-stride-smaller-than-extent"}},
		{"into a buffer where others are", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[0].OutputBuffer = 1 }, []string{"error so-overlap"}},
		{"into a buffer that is too small", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].OutputBuffer = 1 }, []string{"error so-stride-smaller-than-extent"}},
		{"into a buffer that has no stride", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].OutputBuffer = 2 }, []string{"error so-stride-zero-with-outputs"}},
		{"to a stream that no vertex shader has", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].Stream = 2 }, []string{"error so-stream-without-gs"}},
		{"the register of another", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].RegisterIndex = 1 }, []string{"warning so-duplicate-source"}},
		{"a stride too small, and one of no output",
			func(_ []pipe.OutputNumbers, s *[4]uint16) { s[0], s[2] = 8, 4 }, []string{"error so-stride-smaller-than-extent", "note so-stride-unused"}},
		{"an overlap in one buffer, a gap in the other", func(o []pipe.OutputNumbers, s *[4]uint16) { o[1].DstOffset, o[4].DstOffset, s[1] = 3, 2, 3 },
			[]string{"error so-overlap", "note so-gap"}},
		{"an overlap, and padding of the other buffer", func(o []pipe.OutputNumbers, s *[4]uint16) { o[1].DstOffset, s[1] = 3, 5 },
			[]string{"error so-overlap", "note so-trailing-gap"}},
		{"two overlaps", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].DstOffset, o[4].DstOffset = 3, 0 }, []string{"error so-overlap", "error so-overlap"}},
		{"an overlap, and a stride too small for another", func(o []pipe.OutputNumbers, s *[4]uint16) { o[1].DstOffset, s[0] = 3, 8 },
			[]string{"error so-overlap", "error so-stride-smaller-than-extent"}},
		{"an overlap, and the register of another", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[1].DstOffset, o[4].RegisterIndex = 3, 4 },
			[]string{"error so-overlap", "warning so-duplicate-source"}},
		{"out of order once, and two behind it", func(o []pipe.OutputNumbers, _ *[4]uint16) { o[0].DstOffset, o[1].DstOffset, o[2].DstOffset = 5, 1, 0 },
			[]string{"warning so-not-ascending"}},
		{"out of order in both buffers", func(o []pipe.OutputNumbers, _ *[4]uint16) {
			o[0].DstOffset, o[1].DstOffset, o[3].DstOffset, o[4].DstOffset = 4, 0, 1, 0
		},
			[]string{"warning so-not-ascending", "warning so-not-ascending"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			outputs, stride := append([]pipe.OutputNumbers(nil), right...), strides
			c.change(outputs, &stride)
			require.ElementsMatch(t, c.want, told(t, made{pipe.Vertex, "", stride, outputs}))
		})
	}
}
