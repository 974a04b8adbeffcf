package tess

// Point is a place in the domain, 16.16 fixed point from 0 to 65536. In a triangle the third barycentric
// coordinate is 65536 - U - V. Of an isoline U runs along the line and V tells the lines apart.
type Point struct{ U, V uint32 }

// Geometry is everything the tessellator makes of one patch.
type Geometry struct {
	Points  []Point
	Indices []uint32 // into Points: one, two or three to a primitive, as the tessellator's output says
}

// Geometry makes the points and primitives of a patch in the order of Mesa's software tessellator, with
// len(Points) and len(Indices) as [Tessellator.Count] says. (GL leaves that order to the implementation.)
// It is empty for a culled patch.
func (t Tessellator) Geometry(f Factors) Geometry {
	d, ok := t.segments(&f)
	if !ok {
		return Geometry{}
	}
	c := t.Count(f)
	b := builder{points: make([]Point, 0, c.Vertices)}
	if t.output != Points {
		b.indices = make([]uint32, 0, c.Indices)
	}
	b.flip = t.output == TrianglesCCW
	switch t.domain {
	case Isolines:
		b.isolines(&d)
	case Triangles:
		b.rings(&d, triangleRings(&d))
	case Quads:
		if d.minimal {
			b.minimalQuad()
		} else {
			b.rings(&d, quadRings(&d))
		}
	}
	if t.output == Points {
		b.indices = make([]uint32, len(b.points))
		for i := range b.indices {
			b.indices[i] = uint32(i)
		}
	}
	return Geometry{Points: b.points, Indices: b.indices}
}

// builder collects points and primitives.
type builder struct {
	points  []Point
	indices []uint32
	flip    bool
}

// triangle adds one triangle that is named clockwise.
func (b *builder) triangle(x, y, z uint32) {
	if b.flip {
		y, z = z, y
	}
	b.indices = append(b.indices, x, y, z)
}

// minimalQuad is the one patch whose walk round does not begin at (0, one).
func (b *builder) minimalQuad() {
	b.points = append(b.points, Point{0, 0}, Point{one, 0}, Point{one, one}, Point{0, one})
	b.triangle(0, 1, 3)
	b.triangle(1, 2, 3)
}

func (b *builder) isolines(d *division) {
	lines, along := newRuler(d.outer[0]), newRuler(d.outer[1])
	for l := range d.outer[0].n { // the line at v = 1 is never drawn
		v := lines.at(l)
		for p := range d.outer[1].n + 1 {
			b.points = append(b.points, Point{along.at(p), v})
			if p > 0 {
				last := uint32(len(b.points) - 1)
				b.indices = append(b.indices, last-1, last)
			}
		}
	}
}

// domainRings says where the points of a triangle's or a quad's nested rings are.
type domainRings struct {
	edges int // of a ring
	// segments of the inner edge that lies along edge e of a ring.
	segments func(e int) int
	// outer is point p of the patch's own edge e.
	outer func(e, p int) Point
	// inner is point p, counted over the whole inner division, of edge e of ring r.
	inner func(e, r, p int) Point
	// middle is how the innermost ring ends.
	middle func(b *builder, last ring)
}

// ring is the point indices of each edge of one ring, both ends included, in the order of walking round.
type ring [4][]uint32

// rings walks from the patch's edges to its middle: points first, then the triangles between each two
// rings. Both go edge after edge.
func (b *builder) rings(d *division, dom domainRings) {
	outside := b.outerRing(d, dom)
	if d.minimal {
		dom.middle(b, outside)
		return
	}
	shortest := dom.segments(0)
	for e := 1; e < dom.edges; e++ {
		shortest = min(shortest, dom.segments(e))
	}
	rings := []ring{outside}
	for r := 1; 2*r <= shortest; r++ {
		rings = append(rings, b.innerRing(dom, r))
	}
	for r, inside := range rings[1:] {
		for e := range dom.edges {
			if r == 0 {
				b.firstTransition(rings[0][e], inside[e], dom.segments(e))
			} else {
				b.transition(rings[r][e], inside[e])
			}
		}
	}
	dom.middle(b, rings[len(rings)-1])
}

func (b *builder) outerRing(d *division, dom domainRings) ring {
	var out ring
	first := uint32(len(b.points))
	for e := range dom.edges {
		for p := range d.outer[e].n {
			out[e] = append(out[e], uint32(len(b.points)))
			b.points = append(b.points, dom.outer(e, p))
		}
	}
	out.close(dom.edges, first)
	return out
}

// close gives each edge its last point, which is the first of the next edge.
func (r *ring) close(edges int, first uint32) {
	for e := range edges - 1 {
		r[e] = append(r[e], r[e+1][0])
	}
	r[edges-1] = append(r[edges-1], first)
}

// innerRing adds ring r, which may have collapsed to a line or a point.
func (b *builder) innerRing(dom domainRings, r int) ring {
	var out ring
	first := uint32(len(b.points))
	side, next := dom.segments(0)-2*r, dom.segments(1)-2*r
	switch {
	case side > 0 && next > 0:
		for e := range dom.edges {
			for p := r; p < dom.segments(e)-r; p++ {
				out[e] = append(out[e], uint32(len(b.points)))
				b.points = append(b.points, dom.inner(e, r, p))
			}
		}
		out.close(dom.edges, first)
		return out
	case next > 0:
		return b.collapsed(dom, r, 1)
	}
	return b.collapsed(dom, r, 0)
}

// collapsed adds a ring that is only the line along edge e: the next edge is its end, the one after that
// goes back, and the one before is its start.
func (b *builder) collapsed(dom domainRings, r, e int) ring {
	var line, back []uint32
	for p := r; p <= dom.segments(e)-r; p++ {
		line = append(line, uint32(len(b.points)))
		b.points = append(b.points, dom.inner(e, r, p))
	}
	for i := len(line) - 1; i >= 0; i-- {
		back = append(back, line[i])
	}
	var out ring
	out[e] = line
	out[e+1] = line[len(line)-1:]
	out[e+2] = back
	out[(e+3)%4] = line[:1]
	return out
}

// twoThirds turns half of the inner division into the distance from an edge to the centroid.
const twoThirds = 0xAAAA

func triangleRings(d *division) domainRings {
	var outer [3]ruler
	for e := range outer {
		outer[e] = newRuler(d.outer[e])
	}
	n := d.inner[0].n
	inner := newRuler(d.inner[0])
	return domainRings{
		edges:    3,
		segments: func(int) int { return n },
		outer: func(e, p int) Point {
			at := outer[e].at(p)
			return [3]Point{{0, one - at}, {at, 0}, {one - at, at}}[e]
		},
		inner: func(e, r, p int) Point {
			away := (inner.at(r)*twoThirds + half) >> 16
			indent := (away + 1) / 2
			if e == 1 {
				return Point{inner.at(p) - indent, away}
			}
			falling := inner.at(n-p) - indent
			if e == 0 {
				return Point{away, falling}
			}
			return Point{falling, one - away - falling}
		},
		middle: func(b *builder, last ring) {
			if n%2 == 1 {
				b.triangle(last[0][0], last[1][0], last[2][0])
			}
		},
	}
}

func quadRings(d *division) domainRings {
	var outer [4]ruler
	for e := range outer {
		outer[e] = newRuler(d.outer[e])
	}
	nu, nv := d.inner[0].n, d.inner[1].n
	u, v := newRuler(d.inner[0]), newRuler(d.inner[1])
	return domainRings{
		edges: 4,
		segments: func(e int) int {
			if e%2 == 0 {
				return nv
			}
			return nu
		},
		outer: func(e, p int) Point {
			at := outer[e].at(p)
			return [4]Point{{0, one - at}, {at, 0}, {one, at}, {one - at, one}}[e]
		},
		inner: func(e, r, p int) Point {
			switch e {
			case 0:
				return Point{u.at(r), v.at(nv - p)}
			case 1:
				return Point{u.at(p), v.at(r)}
			case 2:
				return Point{u.at(nu - r), v.at(p)}
			}
			return Point{u.at(nu - p), v.at(nv - r)}
		},
		middle: func(b *builder, last ring) { b.quadMiddle(last, nu, nv) },
	}
}
