package tess_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

func make3(t testing.TB, d tess.Domain, s tess.Spacing, o tess.Output) tess.Tessellator {
	z, err := tess.New(d, s, o)
	require.NoError(t, err)
	return z
}

func TestCount(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tri := func(u, v, w, inside float32) tess.Factors {
		return tess.Factors{Outer: [4]float32{u, v, w}, Inner: [2]float32{inside}}
	}
	iso := func(lines, detail float32) tess.Factors { return tess.Factors{Outer: [4]float32{lines, detail}} }
	const (
		odd, even, equal, pow2 = tess.FractionalOdd, tess.FractionalEven, tess.Equal, tess.Pow2
		ccw, point, line       = tess.TrianglesCCW, tess.Points, tess.Lines
	)
	culled := tess.Counts{Culled: true}
	tests := []struct {
		name string
		d    tess.Domain
		s    tess.Spacing
		o    tess.Output
		f    tess.Factors
		want tess.Counts
	}{
		{"mixed edges", tess.Triangles, equal, ccw, tri(2, 3, 4, 3), tess.Counts{Vertices: 12, Primitives: 13, Indices: 39}},
		{"a low factor is clamped", tess.Quads, even, ccw, tess.Factors{Outer: [4]float32{2.2, 3.4, 1.1, 4}, Inner: [2]float32{3.3, 2.4}}, tess.Counts{Vertices: 23, Primitives: 30, Indices: 90}},
		{"minimal triangle", tess.Triangles, equal, ccw, tess.Uniform(1), tess.Counts{Vertices: 3, Primitives: 1, Indices: 3}},
		{"minimal quad", tess.Quads, odd, ccw, tess.Uniform(0.5), tess.Counts{Vertices: 4, Primitives: 2, Indices: 6}},
		{"even spacing has no minimal patch", tess.Triangles, even, ccw, tess.Uniform(1), tess.Counts{Vertices: 7, Primitives: 6, Indices: 18}},
		{"inner 1 becomes 2 beside outer 2", tess.Triangles, equal, ccw, tri(2, 1, 1, 1), tess.Counts{Vertices: 5, Primitives: 4, Indices: 12}},
		{"inner 1 becomes 3 when odd, coincident points count", tess.Triangles, odd, ccw, tri(1.5, 1, 1, 1), tess.Counts{Vertices: 8, Primitives: 9, Indices: 27}},
		{"one inner 1 of a quad is framed alone", tess.Quads, odd, ccw, tess.Factors{Outer: [4]float32{1, 1, 1, 1}, Inner: [2]float32{1, 3}}, tess.Counts{Vertices: 8, Primitives: 10, Indices: 30}},
		{"the largest patch", tess.Quads, equal, ccw, tess.Uniform(inf), tess.Counts{Vertices: 4225, Primitives: 8192, Indices: 24576}},
		{"odd spacing ends at 63", tess.Isolines, odd, line, iso(64, 64), tess.Counts{Vertices: 64 * 64, Primitives: 64 * 63, Indices: 2 * 64 * 63}},
		{"density is whole in every spacing", tess.Isolines, even, line, iso(2.5, 3.5), tess.Counts{Vertices: 15, Primitives: 12, Indices: 24}},
		{"points", tess.Triangles, equal, point, tri(2, 3, 4, 3), tess.Counts{Vertices: 12, Primitives: 12, Indices: 12}},
		{"a tie in the 17th bit goes to even", tess.Isolines, odd, line, iso(1, 3+1./(1<<17)), tess.Counts{Vertices: 4, Primitives: 3, Indices: 6}},
		{"above the tie", tess.Isolines, odd, line, iso(1, 3+1./(1<<15)), tess.Counts{Vertices: 6, Primitives: 5, Indices: 10}},
		{"the integer rule rounds the float", tess.Isolines, equal, line, iso(1, math.Nextafter32(3, 4)), tess.Counts{Vertices: 5, Primitives: 4, Indices: 8}},
		{"pow2 counts as integer", tess.Isolines, pow2, line, iso(3, 5), tess.Counts{Vertices: 18, Primitives: 15, Indices: 30}},
		{"zero culls", tess.Triangles, equal, ccw, tri(1, 0, 1, 1), culled},
		{"minus zero culls", tess.Triangles, equal, ccw, tri(1, float32(math.Copysign(0, -1)), 1, 1), culled},
		{"negative culls", tess.Quads, odd, ccw, tess.Uniform(-1), culled},
		{"NaN outside culls", tess.Triangles, equal, point, tri(1, 1, nan, 1), culled},
		{"NaN inside is the low bound", tess.Triangles, equal, ccw, tri(1, 1, 1, nan), tess.Counts{Vertices: 3, Primitives: 1, Indices: 3}},
		{"a negative inner factor does not cull", tess.Triangles, equal, ccw, tri(1, 1, 1, -5), tess.Counts{Vertices: 3, Primitives: 1, Indices: 3}},
		{"a positive denormal does not cull", tess.Triangles, equal, ccw, tri(math.SmallestNonzeroFloat32, 1, 1, 1), tess.Counts{Vertices: 3, Primitives: 1, Indices: 3}},
		{"factors of other domains are not read", tess.Isolines, equal, line, tess.Factors{Outer: [4]float32{1, 1, nan, -1}, Inner: [2]float32{nan, 9}}, tess.Counts{Vertices: 2, Primitives: 1, Indices: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, make3(t, tt.d, tt.s, tt.o).Count(tt.f))
		})
	}
}

func TestRoundPow2(t *testing.T) {
	nan := float32(math.NaN())
	f := tess.Factors{Outer: [4]float32{2.1, 5, 0.1, 99}, Inner: [2]float32{nan, 33}}
	require.Equal(t, tess.Factors{Outer: [4]float32{4, 8, 1, 64}, Inner: [2]float32{1, 64}}, f.RoundPow2(tess.Quads))
	require.Equal(t, tess.Factors{Outer: [4]float32{3, 8, 0.1, 99}, Inner: f.Inner}.Outer, f.RoundPow2(tess.Isolines).Outer)
	z := make3(t, tess.Triangles, tess.Pow2, tess.TrianglesCW)
	require.True(t, z.Count(tess.Uniform(-3).RoundPow2(tess.Triangles)).Culled, "rounding must not bring a culled patch to life")
}

func TestCountInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, z := range everyTessellator(t) {
		outer, inner := z.Domain().FactorCounts()
		for range 400 {
			f := randomFactors(r)
			c := z.Count(f)
			require.Equal(t, c.Vertices == 0, c.Culled)
			require.Equal(t, c.Indices, c.Primitives*z.VerticesPerPrimitive())

			g := f
			if i := r.IntN(outer + inner); i < outer {
				g.Outer[i] += 5 * r.Float32()
			} else {
				g.Inner[i-outer] += 5 * r.Float32()
			}
			more := z.Count(g)
			require.GreaterOrEqual(t, more.Vertices, c.Vertices, "%v %v %v", z, f, g)
			require.GreaterOrEqual(t, more.Primitives, c.Primitives, "%v %v %v", z, f, g)

			if z.Domain() != tess.Isolines {
				g = f
				r.Shuffle(outer, func(i, j int) { g.Outer[i], g.Outer[j] = g.Outer[j], g.Outer[i] })
				if inner == 2 {
					g.Inner[0], g.Inner[1] = g.Inner[1], g.Inner[0]
				}
				require.Equal(t, c, z.Count(g), "only sums and products enter")
			}
			low, high := bounds(z.Spacing())
			require.Equal(t, c, z.Count(clamped(z.Domain(), f, low, high)), "%v %v", z, f)
		}
	}
}

func bounds(s tess.Spacing) (low, high float32) {
	switch s {
	case tess.FractionalOdd:
		return 1, 63
	case tess.FractionalEven:
		return 2, 64
	}
	return 1, 64
}

func clamped(d tess.Domain, f tess.Factors, low, high float32) tess.Factors {
	for i := range f.Outer {
		if d == tess.Isolines && i == 0 {
			f.Outer[i] = min(max(f.Outer[i], 1), 64)
			continue
		}
		f.Outer[i] = min(max(f.Outer[i], low), high)
	}
	for i := range f.Inner {
		f.Inner[i] = min(max(f.Inner[i], low), high)
	}
	return f
}

// Where the spacings meet: whole factors of one parity.
func TestSpacingsAgreeOnWholeFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 5))
	for _, d := range []tess.Domain{tess.Triangles, tess.Quads, tess.Isolines} {
		whole := make3(t, d, tess.Equal, tess.Points)
		odd := make3(t, d, tess.FractionalOdd, tess.Points)
		even := make3(t, d, tess.FractionalEven, tess.Points)
		for range 500 {
			var o, e tess.Factors
			for i := range o.Outer {
				o.Outer[i], e.Outer[i] = float32(1+2*r.IntN(32)), float32(2+2*r.IntN(32))
			}
			for i := range o.Inner {
				o.Inner[i], e.Inner[i] = float32(3+2*r.IntN(31)), float32(2+2*r.IntN(32))
			}
			require.Equal(t, whole.Count(o), odd.Count(o), "%v %v", d, o)
			require.Equal(t, whole.Count(e), even.Count(e), "%v %v", d, e)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    tess.Domain
		s    tess.Spacing
		o    tess.Output
		want string
	}{
		{"unknown domain", 3, 0, tess.Points, "unknown domain 3"},
		{"unknown spacing", 0, 4, tess.Points, "unknown partitioning 4"},
		{"unknown output", 0, 0, 4, "unknown output 4"},
		{"lines of triangles", tess.Triangles, 0, tess.Lines, "output line does not come from domain tri"},
		{"lines of quads", tess.Quads, 0, tess.Lines, "output line does not come from domain quad"},
		{"triangles of isolines", tess.Isolines, 0, tess.TrianglesCW, "output cw does not come from domain isoline"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tess.New(tt.d, tt.s, tt.o)
			require.EqualError(t, err, tt.want)
		})
	}
	_, err := tess.NewGallium(tess.Triangles, tess.Pow2, false, false)
	require.ErrorIs(t, err, tess.ErrPow2)
	z, err := tess.NewGallium(tess.Isolines, tess.Equal, true, false)
	require.NoError(t, err)
	require.Equal(t, tess.Lines, z.Output())
}

func TestCountAllocatesNothing(t *testing.T) {
	z := make3(t, tess.Quads, tess.FractionalOdd, tess.TrianglesCCW)
	f := tess.Uniform(17.3)
	total := 0
	require.Zero(t, testing.AllocsPerRun(100, func() { total += z.Count(f).Indices }))
	require.NotZero(t, total)
}

func BenchmarkCount(b *testing.B) {
	for _, d := range []tess.Domain{tess.Triangles, tess.Quads, tess.Isolines} {
		b.Run(d.String(), func(b *testing.B) {
			z := make3(b, d, tess.FractionalOdd, tess.Points)
			f := tess.Factors{Outer: [4]float32{2.5, 3.5, 17.25, 63}, Inner: [2]float32{5.5, 44}}
			b.ReportAllocs()
			for b.Loop() {
				z.Count(f)
			}
		})
	}
}

func BenchmarkGeometry(b *testing.B) {
	z := make3(b, tess.Quads, tess.Equal, tess.TrianglesCW)
	f := tess.Uniform(64)
	b.ReportAllocs()
	for b.Loop() {
		z.Geometry(f)
	}
}
