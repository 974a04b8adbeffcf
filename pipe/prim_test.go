package pipe

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrimitives counts by walking the vertices one by one: each has a rule
// whether a primitive is complete with it.
func TestPrimitives(t *testing.T) {
	complete := map[PrimitiveType]func(i int) int{ // i vertices are there, i from 1
		Points:                 func(int) int { return 1 },
		Lines:                  func(i int) int { return one(i%2 == 0) },
		LineStrip:              func(i int) int { return one(i >= 2) },
		Triangles:              func(i int) int { return one(i%3 == 0) },
		TriangleStrip:          func(i int) int { return one(i >= 3) },
		TriangleFan:            func(i int) int { return one(i >= 3) },
		Polygon:                func(i int) int { return one(i >= 3) },
		Quads:                  func(i int) int { return 2 * one(i%4 == 0) },
		QuadStrip:              func(i int) int { return 2 * one(i >= 4 && i%2 == 0) },
		LinesAdjacency:         func(i int) int { return one(i%4 == 0) },
		LineStripAdjacency:     func(i int) int { return one(i >= 4) },
		TrianglesAdjacency:     func(i int) int { return one(i%6 == 0) },
		TriangleStripAdjacency: func(i int) int { return one(i >= 6 && i%2 == 0) },
	}
	for p, rule := range complete {
		count := 0
		require.Zero(t, p.Primitives(0), p)
		for i := 1; i <= 50; i++ {
			count += rule(i)
			require.EqualValues(t, count, p.Primitives(uint64(i)), "%v of %d", p, i)
		}
	}
	for i := range uint64(50) {
		closed := LineStrip.Primitives(i)
		if i >= 2 {
			closed++ // the line back to the first vertex
		}
		require.Equal(t, closed, LineLoop.Primitives(i))
		require.Zero(t, Patches.Primitives(i))
		require.Zero(t, PrimitiveUnknown.Primitives(i))
	}
	require.EqualValues(t, uint64(1<<64-1), Points.Primitives(1<<64-1))
	require.EqualValues(t, uint64(1<<64-3), TriangleStrip.Primitives(1<<64-1))
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
