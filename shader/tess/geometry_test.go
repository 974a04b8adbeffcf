package tess_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

// The rows were made by running Mesa's own tessellator.
func TestGeometryEqualsMesa(t *testing.T) {
	data, err := os.ReadFile("testdata/geometry.tsv")
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rows++
		field := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, field, 7, line)
		r := countRow{Domain: field[0], Partitioning: field[1], Output: field[2]}
		for i, w := range strings.Fields(field[3]) {
			if i < 4 {
				r.OuterBits = append(r.OuterBits, "0x"+w)
			} else {
				r.InnerBits = append(r.InnerBits, "0x"+w)
			}
		}
		g := r.tessellator(t).Geometry(r.factors(t))
		got := fmt.Sprintf("%d %d %016x", len(g.Points), len(g.Indices), geometryHash(g))
		require.Equal(t, strings.Join(field[4:], " "), got, line)
	}
	require.Greater(t, rows, 100)
}

func geometryHash(g tess.Geometry) uint64 {
	h := uint64(14695981039346656037)
	add := func(w uint32) { h = (h ^ uint64(w)) * 1099511628211 }
	for _, p := range g.Points {
		add(p.U)
		add(p.V)
	}
	for _, i := range g.Indices {
		add(i)
	}
	return h
}

// randomFactor prefers the places where rules change: whole numbers, their neighbours, limits.
func randomFactor(r *rand.Rand) float32 {
	switch r.IntN(8) {
	case 0:
		return float32(1 + r.IntN(64))
	case 1:
		return float32(1+r.IntN(5)) + float32(r.IntN(9)-4)/(1<<18)
	case 2:
		return 1
	case 3:
		return r.Float32() * 70
	}
	return 0.5 + 12*r.Float32()
}

func randomFactors(r *rand.Rand) (f tess.Factors) {
	for i := range f.Outer {
		f.Outer[i] = randomFactor(r)
	}
	for i := range f.Inner {
		f.Inner[i] = randomFactor(r)
	}
	if r.IntN(6) == 0 {
		f.Outer = [4]float32{1, 1, 1, 1}
	}
	return f
}

func everyTessellator(t *testing.T) (all []tess.Tessellator) {
	for d := tess.Triangles; d <= tess.Isolines; d++ {
		for s := tess.FractionalOdd; s <= tess.Pow2; s++ {
			for o := tess.Points; o <= tess.TrianglesCCW; o++ {
				if z, err := tess.New(d, s, o); err == nil {
					all = append(all, z)
				}
			}
		}
	}
	require.Len(t, all, 4*(3+3+2))
	return all
}

// A patch of triangles is a disk: no directed edge occurs twice, and the edges without a twin are those
// of the patch's border, one for each outer segment.
func TestGeometryIsADisk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for _, z := range everyTessellator(t) {
		for range 25 {
			f := randomFactors(r)
			g, c := z.Geometry(f), z.Count(f)
			require.Len(t, g.Points, c.Vertices)
			require.Len(t, g.Indices, c.Indices)
			for _, p := range g.Points {
				require.LessOrEqual(t, p.U, uint32(65536))
				require.LessOrEqual(t, p.V, uint32(65536))
				if z.Domain() == tess.Triangles {
					require.LessOrEqual(t, p.U+p.V, uint32(65536))
				}
			}
			used := make([]bool, len(g.Points))
			for _, i := range g.Indices {
				used[i] = true
			}
			require.NotContains(t, used, false, "every point is used")
			if z.VerticesPerPrimitive() == 3 {
				// 2V - O - 2 = T, turned round.
				require.Equal(t, 2*c.Vertices-c.Primitives-2, borderEdges(t, g.Indices), "%v %v", z, f)
			}
		}
	}
}

func borderEdges(t *testing.T, indices []uint32) int {
	directed := map[[2]uint32]bool{}
	for i := 0; i < len(indices); i += 3 {
		for e := range 3 {
			edge := [2]uint32{indices[i+e], indices[i+(e+1)%3]}
			require.False(t, directed[edge], "edge %v twice", edge)
			directed[edge] = true
		}
	}
	border := 0
	for e := range directed {
		if !directed[[2]uint32{e[1], e[0]}] {
			border++
		}
	}
	return border
}

// Mirrored twins of an output differ only in the order inside each triangle.
func TestGeometryWinding(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for _, d := range []tess.Domain{tess.Triangles, tess.Quads} {
		cw, err := tess.New(d, tess.FractionalEven, tess.TrianglesCW)
		require.NoError(t, err)
		ccw, err := tess.New(d, tess.FractionalEven, tess.TrianglesCCW)
		require.NoError(t, err)
		f := randomFactors(r)
		a, b := cw.Geometry(f), ccw.Geometry(f)
		require.Equal(t, a.Points, b.Points)
		for i := 0; i < len(a.Indices); i += 3 {
			require.Equal(t, []uint32{a.Indices[i], a.Indices[i+2], a.Indices[i+1]}, b.Indices[i:i+3])
			require.LessOrEqual(t, area(b, i), int64(0), "counter-clockwise is meant with v pointing down")
		}
	}
}

func area(g tess.Geometry, i int) int64 {
	p, q, s := g.Points[g.Indices[i]], g.Points[g.Indices[i+1]], g.Points[g.Indices[i+2]]
	ux, uy := int64(q.U)-int64(p.U), int64(q.V)-int64(p.V)
	vx, vy := int64(s.U)-int64(p.U), int64(s.V)-int64(p.V)
	return ux*vy - uy*vx
}

func TestGeometryOfCulledPatchIsEmpty(t *testing.T) {
	for _, z := range everyTessellator(t) {
		g := z.Geometry(tess.Uniform(float32(math.NaN())))
		require.Empty(t, g.Points)
		require.Empty(t, g.Indices)
	}
}
