package streamout

import "github.com/outflow-gpu/outflow/pipe"

// Primitive is a decomposed point, line or triangle: the places of its vertices
// in the run that it is made of, in the order in which they are captured.
type Primitive struct {
	Vertices [3]uint64
	Len      int
}

// Decompose returns primitive i of the Primitives(n) that n vertices of the
// mode make. provokesFirst is the rasterizer's flatshade_first, which turns
// some triangles so that their provoking vertex keeps its place. The orders are
// those of Mesa's draw module (auxiliary/draw/draw_decompose_tmp.h).
func Decompose(mode pipe.PrimitiveType, provokesFirst bool, n, i uint64) Primitive {
	switch mode {
	case pipe.Points:
		return Primitive{Vertices: [3]uint64{i}, Len: 1}
	case pipe.Lines:
		return line(2*i, 2*i+1)
	case pipe.LineStrip:
		return line(i, i+1)
	case pipe.LineLoop:
		if i == n-1 {
			return line(i, 0)
		}
		return line(i, i+1)
	case pipe.LinesAdjacency:
		return line(4*i+1, 4*i+2)
	case pipe.LineStripAdjacency:
		return line(i+1, i+2)
	case pipe.Triangles:
		return triangle(3*i, 3*i+1, 3*i+2)
	case pipe.TrianglesAdjacency:
		return triangle(6*i, 6*i+2, 6*i+4)
	case pipe.TriangleStrip:
		return strip(i, 1, provokesFirst)
	case pipe.TriangleStripAdjacency:
		return strip(i, 2, provokesFirst)
	}
	return decomposeWhole(mode, provokesFirst, i)
}

// decomposeWhole cuts the modes that are no triangles themselves, or turn around
// a corner.
func decomposeWhole(mode pipe.PrimitiveType, provokesFirst bool, i uint64) Primitive {
	second := i%2 == 1
	switch {
	case mode == pipe.TriangleFan && provokesFirst, mode == pipe.Polygon && !provokesFirst:
		return triangle(i+1, i+2, 0)
	case mode == pipe.TriangleFan, mode == pipe.Polygon:
		return triangle(0, i+1, i+2)
	case mode == pipe.Quads:
		q := i / 2 * 4
		switch {
		case provokesFirst && second:
			return triangle(q, q+2, q+3)
		case provokesFirst:
			return triangle(q, q+1, q+2)
		case second:
			return triangle(q+1, q+2, q+3)
		}
		return triangle(q, q+1, q+3)
	case mode == pipe.QuadStrip:
		q := i / 2 * 2
		switch {
		case second:
			return triangle(q, q+1, q+3)
		case provokesFirst:
			return triangle(q, q+3, q+2)
		}
		return triangle(q+2, q, q+3)
	}
	return Primitive{}
}

func line(a, b uint64) Primitive { return Primitive{Vertices: [3]uint64{a, b}, Len: 2} }

func triangle(a, b, c uint64) Primitive { return Primitive{Vertices: [3]uint64{a, b, c}, Len: 3} }

// strip returns triangle i of a strip whose corners are step vertices apart.
// Every second one is turned round, about its provoking vertex.
func strip(i, step uint64, provokesFirst bool) Primitive {
	a, b, c := i*step, (i+1)*step, (i+2)*step
	switch {
	case i%2 == 0:
		return triangle(a, b, c)
	case provokesFirst:
		return triangle(a, c, b)
	}
	return triangle(b, a, c)
}

// turns says whether the order of the mode's vertices depends on which of them
// provokes.
func turns(mode pipe.PrimitiveType) bool {
	switch mode {
	case pipe.TriangleStrip, pipe.TriangleStripAdjacency, pipe.TriangleFan, pipe.Polygon, pipe.Quads, pipe.QuadStrip:
		return true
	}
	return false
}

// wholePrimitives returns how many primitives a driver may count that does not
// cut quads and polygons into triangles.
func wholePrimitives(mode pipe.PrimitiveType, n uint64) uint64 {
	decomposed := mode.Primitives(n)
	switch mode {
	case pipe.Quads, pipe.QuadStrip:
		return decomposed / 2
	case pipe.Polygon:
		return min(decomposed, 1)
	}
	return decomposed
}
