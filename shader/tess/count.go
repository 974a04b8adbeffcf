package tess

import (
	"math"
	"math/bits"
)

// Factors are the tessellation factors of one patch, as a TCS writes them or set_tess_state gives
// them. A domain reads the first of each that it needs: see [Domain.FactorCounts].
type Factors struct {
	Outer [4]float32
	Inner [2]float32
}

// Uniform is the same factor on every edge and inside.
func Uniform(f float32) Factors {
	return Factors{Outer: [4]float32{f, f, f, f}, Inner: [2]float32{f, f}}
}

// RoundPow2 does what a Direct3D shader compiler adds for pow2 partitioning: each factor is clamped to 1
// to 64 and rounded up to a power of two, the density of isolines to an integer. An outer factor that
// culls the patch is kept as it is, so that the patch is still culled.
func (f Factors) RoundPow2(d Domain) Factors {
	outer, inner := d.FactorCounts()
	for i := range outer {
		if !(f.Outer[i] > 0) {
			continue
		}
		n := int(math.Ceil(float64(clamp(f.Outer[i], 1, 64))))
		if d != Isolines || i != 0 {
			n = powerAbove(n)
		}
		f.Outer[i] = float32(n)
	}
	for i := range inner {
		f.Inner[i] = float32(powerAbove(int(math.Ceil(float64(clamp(f.Inner[i], 1, 64))))))
	}
	return f
}

func powerAbove(n int) int { return 1 << bits.Len(uint(n-1)) }

// clamp brings x between low and high; NaN gives low.
func clamp(x, low, high float32) float32 {
	if !(x > low) {
		return low
	}
	return min(x, high)
}

// Counts is what the tessellator makes of one patch.
type Counts struct {
	Culled     bool // an outer factor was not above zero: nothing leaves
	Vertices   int  // points made, and the fewest possible runs of the TES
	Primitives int  // what PRIMITIVES_GENERATED grows by
	Indices    int  // vertices that stream output would write, and the most possible runs of the TES
}

// Count says exactly what the patch yields. It allocates nothing.
//
// Degenerate triangles and coincident points count: culling them is not this stage's work. A positive
// denormal factor culls nothing, as on hardware; llvmpipe flushes it to zero and culls.
func (t Tessellator) Count(f Factors) Counts {
	s, ok := t.segments(&f)
	if !ok {
		return Counts{Culled: true}
	}
	var c Counts
	switch t.domain {
	case Isolines:
		lines, detail := s.outer[0].n, s.outer[1].n
		c.Vertices = lines * (detail + 1)
		c.Primitives = lines * detail
	case Triangles:
		c.Vertices = s.sum + insideTriangle(s.inner[0].n)
		c.Primitives = 2*c.Vertices - s.sum - 2
	case Quads:
		c.Vertices = s.sum + (s.inner[0].n-1)*(s.inner[1].n-1)
		c.Primitives = 2*c.Vertices - s.sum - 2
	}
	if t.output == Points {
		c.Primitives = c.Vertices
	}
	c.Indices = c.Primitives * t.VerticesPerPrimitive()
	return c
}

// insideTriangle counts the points inside a triangle with n inner segments: rings of three edges, each
// ring two segments shorter than the one around it, and the centre when n is even.
func insideTriangle(n int) int {
	half := n / 2
	if n%2 == 1 {
		return 3 * half * half
	}
	return 3*half*(half-1) + 1
}

// edge is one divided edge: its number of segments and the factor it came from.
type edge struct {
	n     int
	fixed uint32 // 16.16
}

// division is every edge of a patch that is not culled.
type division struct {
	outer   [4]edge
	inner   [2]edge
	sum     int  // of outer segments
	minimal bool // one triangle, or a quad's two
}

// segments divides the edges; ok is false when an outer factor culls the patch.
func (t Tessellator) segments(f *Factors) (d division, ok bool) {
	outer, inner := t.domain.FactorCounts()
	for i := range outer {
		if !(f.Outer[i] > 0) {
			return d, false
		}
		spacing := t.spacing
		if t.domain == Isolines && i == 0 {
			spacing = Equal // the number of lines is whole whatever the spacing
		}
		d.outer[i] = divide(spacing, f.Outer[i])
		d.sum += d.outer[i].n
	}
	d.minimal = d.sum == outer
	for i := range inner {
		d.inner[i] = divide(t.spacing, f.Inner[i])
		d.minimal = d.minimal && d.inner[i].n == 1
	}
	if d.minimal {
		return d, true
	}
	// A single inner segment leaves no room for a frame between the outer edges and the inside.
	for i := range inner {
		if d.inner[i].n == 1 {
			d.inner[i] = frame(t.spacing)
		}
	}
	return d, true
}

// frame is the inner edge that stands for a factor of 1 in a patch that is not minimal.
func frame(s Spacing) edge {
	if s == FractionalOdd {
		return edge{n: 3, fixed: one + 1}
	}
	return edge{n: 2, fixed: one}
}

// divide clamps a factor to what the spacing allows and counts its segments.
func divide(s Spacing, x float32) edge {
	switch s {
	case FractionalOdd:
		f := toFixed(clamp(x, 1, 63))
		return edge{n: int((f+one-1)/one) | 1, fixed: f}
	case FractionalEven:
		f := toFixed(clamp(x, 2, 64))
		n := int((f + one - 1) / one)
		return edge{n: n + n&1, fixed: f}
	}
	n := int(math.Ceil(float64(clamp(x, 1, 64))))
	return edge{n: n, fixed: uint32(n) * one}
}

// toFixed rounds to 16 fraction bits, ties to even.
func toFixed(x float32) uint32 {
	return uint32(math.RoundToEven(float64(x) * one))
}
