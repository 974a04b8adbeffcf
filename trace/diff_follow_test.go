package trace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// TestDiffFollow wants both traces whole, up to each pair of draws, with objects
// that stand for each other whatever their addresses.
func TestDiffFollow(t *testing.T) {
	draw := drawWith("index_size=<uint>0</uint>")
	a := diffTrace(shaderAt(2, "one"), bindVS(2), draw, shaderAt(2, "two"), bindVS(2), draw)
	b := diffTrace(shaderAt(7, "one"), bindVS(7), draw, bufferAt(9), shaderAt(8, "two"), bindVS(8), draw)
	var seenA, seenB []string
	var moments [][2]int
	_, err := trace.Diff(textSource("a.xml", a, true), textSource("b.xml", b, false), trace.DiffOptions{Follow: &trace.DiffFollower{
		A: func(rec *trace.Record) { seenA = append(seenA, rec.Method) },
		B: func(rec *trace.Record) { seenB = append(seenB, rec.Method) },
		Draws: func(m *trace.DiffMoment) error {
			moments = append(moments, [2]int{len(seenA), len(seenB)})
			first := len(moments) == 1
			require.Equal(t, first, m.Same(2, 7))
			require.Equal(t, !first, m.Same(2, 8))
			require.True(t, m.Same(0, 0))
			require.False(t, m.Same(2, 0))
			require.Equal(t, map[bool]string{true: "vs#1", false: "vs#2"}[first], m.NameA(2))
			require.Equal(t, pipe.Handle(5).String(), m.NameB(5))
			return nil
		},
	}})
	require.NoError(t, err)
	require.Equal(t, [][2]int{{3, 3}, {6, 7}}, moments, "a header and the calls before")
	require.Equal(t, []string{"", "create_vs_state", "bind_vs_state", "draw_vbo", "create_vs_state", "bind_vs_state"}, seenA)
}
