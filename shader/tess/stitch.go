package tess

import (
	"math/bits"
	"slices"
)

// stitchOrder tells at which of 32 steps the point j of half an edge takes part in the first
// transition, as its inverse: stitchOrder[s] is the j of step s. Halving intervals spreads the points of
// any count evenly over the steps.
var stitchOrder = func() (order [33]int) {
	for j := 1; j <= 32; j++ {
		top := 1 << (bits.Len(uint(j)) - 1)
		order[1+(2*(j-top)+1)*16/top] = j
	}
	return order
}()

// seam is a strip of triangles under way between an outer and an inner edge.
type seam struct {
	b            *builder
	outer, inner []uint32 // what is left of the edges, from the points reached
}

func (s *seam) advanceOuter() {
	s.b.triangle(s.outer[0], s.outer[1], s.inner[0])
	s.outer = s.outer[1:]
}

func (s *seam) advanceInner() {
	s.b.triangle(s.inner[0], s.outer[0], s.inner[1])
	s.inner = s.inner[1:]
}

// firstTransition joins an edge of the patch, divided by its own factor, to the first ring, divided by
// an inner factor into n segments less the two at its ends.
func (b *builder) firstTransition(outer, inner []uint32, n int) {
	s := seam{b, outer, inner}
	outerHalf, innerHalf := (len(outer)-1)/2, n/2
	outerOdd, innerOdd := len(outer)%2 == 0, n%2 == 1
	if outerHalf > 0 {
		s.advanceOuter()
	}
	for step := 1; step <= 32; step++ {
		if stitchOrder[step] < innerHalf {
			s.advanceInner()
		}
		if stitchOrder[step] < outerHalf {
			s.advanceOuter()
		}
	}
	switch {
	case outerOdd && innerOdd:
		b.triangle(s.inner[0], s.outer[0], s.inner[1])
		b.triangle(s.inner[1], s.outer[0], s.outer[1])
		s.outer, s.inner = s.outer[1:], s.inner[1:]
	case outerOdd:
		b.triangle(s.inner[0], s.outer[0], s.outer[1])
		s.outer = s.outer[1:]
	case innerOdd:
		s.advanceInner()
	}
	for step := 32; step >= 1; step-- {
		if stitchOrder[step] < outerHalf {
			s.advanceOuter()
		}
		if stitchOrder[step] < innerHalf {
			s.advanceInner()
		}
	}
	if outerHalf > 0 {
		s.advanceOuter()
	}
}

// transition joins two rings of one inner division: the outer edge has two segments more.
func (b *builder) transition(o, i []uint32) {
	b.triangle(o[0], o[1], i[0])
	o = o[1:]
	points := len(i)
	for p := range points - 1 {
		if p < points/2 {
			b.triangle(o[0], i[1], i[0])
			b.triangle(o[0], o[1], i[1])
		} else {
			b.triangle(i[0], o[0], o[1])
			b.triangle(i[0], o[1], i[1])
		}
		o, i = o[1:], i[1:]
	}
	b.triangle(o[0], o[1], i[0])
}

// quadMiddle fills the innermost ring of a quad when it is one segment wide.
func (b *builder) quadMiddle(last ring, nu, nv int) {
	switch {
	case nu > nv && nv%2 == 1:
		b.strip(last[1], reversed(last[3]))
	case nv >= nu && nu%2 == 1 && nv%2 == 0:
		b.strip(last[0], reversed(last[2]))
	case nv >= nu && nu%2 == 1:
		b.mirroredStrip(last[0], reversed(last[2]))
	}
}

// strip joins two lines of equally many points, all diagonals leaning one way.
func (b *builder) strip(o, i []uint32) {
	for p := range len(o) - 1 {
		b.triangle(i[p], o[p], o[p+1])
		b.triangle(i[p], o[p+1], i[p+1])
	}
}

// mirroredStrip is strip with the diagonal of the middle cell, of an odd number, leaning the other way.
func (b *builder) mirroredStrip(o, i []uint32) {
	middle := (len(o) - 2) / 2
	for p := range len(o) - 1 {
		if p == middle {
			b.triangle(o[p], i[p+1], i[p])
			b.triangle(o[p], o[p+1], i[p+1])
		} else {
			b.triangle(o[p], o[p+1], i[p])
			b.triangle(i[p], o[p+1], i[p+1])
		}
	}
}

func reversed(s []uint32) []uint32 {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}
