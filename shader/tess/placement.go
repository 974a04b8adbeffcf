package tess

import "math/bits"

// Domain coordinates and factors are 16.16 fixed point.
const (
	one  = 1 << 16
	half = one / 2
)

// ruler places the points of one divided edge. A fractional edge blends two regular divisions: the
// next coarser one of the same parity and the next finer one, which has one point more in each half.
type ruler struct {
	coarse, fine uint32 // points of the first half, in the two divisions
	blend        uint32 // weight of the fine division
	odd          uint32 // 1 when no point is in the middle
	split        uint32 // the coarse division counts no point after this one
}

// newRuler makes the ruler of an edge of n segments whose factor is fixed. n and the factor's own
// parity agree but for a framed inner factor of 1, where n is right.
func newRuler(e edge) ruler {
	r := ruler{odd: uint32(e.n & 1)}
	h := (e.fixed + 1) >> 1
	if r.odd == 1 || h == half {
		h += half
	}
	r.coarse, r.fine = h/one, (h+one-1)/one
	r.blend = h - r.coarse*one
	switch {
	case r.coarse == r.fine:
		r.split = r.fine + 1
	case r.odd == 0:
		r.split = 2*withoutTopBit(r.coarse) + 1
	case r.coarse == 1:
		r.split = 0
	default:
		r.split = 2*withoutTopBit(r.coarse-1) + 1
	}
	return r
}

func withoutTopBit(n uint32) uint32 { return n &^ (1 << (bits.Len32(n) - 1)) }

// reciprocal is 1/n in 16.16, rounded to nearest.
func reciprocal(n uint32) uint32 { return (one + n/2) / n }

// at is the place of point p along the edge, from 0 to one. The second half mirrors the first exactly.
func (r *ruler) at(p int) uint32 {
	i := uint32(p)
	mirrored := i >= r.fine
	if mirrored {
		i = 2*r.fine - i - r.odd
	}
	if i == r.fine {
		return half
	}
	q := i
	if i > r.split {
		q--
	}
	place := (q*reciprocal(2*r.coarse-r.odd)*(one-r.blend) + i*reciprocal(2*r.fine-r.odd)*r.blend + half) >> 16
	if mirrored {
		return one - place
	}
	return place
}
