package pipe

// Primitives returns how many primitives n vertices of the type make when they
// are decomposed into points, lines and triangles as stream output captures
// them. Vertices left over make none. It is 0 for patches and unknown types.
// Quads and polygons count as the triangles they are captured as.
func (p PrimitiveType) Primitives(n uint64) uint64 {
	switch p {
	case Points:
		return n
	case Lines:
		return n / 2
	case LineLoop:
		if n < 2 {
			return 0
		}
		return n
	case LineStrip:
		return over(n, 1)
	case Triangles:
		return n / 3
	case TriangleStrip, TriangleFan, Polygon:
		return over(n, 2)
	case Quads:
		return n / 4 * 2
	case QuadStrip:
		return over(n/2, 1) * 2
	case LinesAdjacency:
		return n / 4
	case LineStripAdjacency:
		return over(n, 3)
	case TrianglesAdjacency:
		return n / 6
	case TriangleStripAdjacency:
		if n < 6 {
			return 0
		}
		return 1 + (n-6)/2
	}
	return 0
}

// over returns n minus the vertices that only begin a strip, at least 0.
func over(n, begin uint64) uint64 {
	if n <= begin {
		return 0
	}
	return n - begin
}
