package cso

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// values is a set of stored stencil values, bit v for value v. What a test lets
// through and what an operation changes are such sets, so "can this operation
// ever change anything" is an intersection instead of a walk over all values.
type values [4]uint64

var allValues = values{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// withBit is the set of values in which bit b is set.
var withBit = [8]values{
	{0xAAAAAAAAAAAAAAAA, 0xAAAAAAAAAAAAAAAA, 0xAAAAAAAAAAAAAAAA, 0xAAAAAAAAAAAAAAAA},
	{0xCCCCCCCCCCCCCCCC, 0xCCCCCCCCCCCCCCCC, 0xCCCCCCCCCCCCCCCC, 0xCCCCCCCCCCCCCCCC},
	{0xF0F0F0F0F0F0F0F0, 0xF0F0F0F0F0F0F0F0, 0xF0F0F0F0F0F0F0F0, 0xF0F0F0F0F0F0F0F0},
	{0xFF00FF00FF00FF00, 0xFF00FF00FF00FF00, 0xFF00FF00FF00FF00, 0xFF00FF00FF00FF00},
	{0xFFFF0000FFFF0000, 0xFFFF0000FFFF0000, 0xFFFF0000FFFF0000, 0xFFFF0000FFFF0000},
	{0xFFFFFFFF00000000, 0xFFFFFFFF00000000, 0xFFFFFFFF00000000, 0xFFFFFFFF00000000},
	{0, ^uint64(0), 0, ^uint64(0)},
	{0, 0, ^uint64(0), ^uint64(0)},
}

func (v values) and(w values) values {
	return values{v[0] & w[0], v[1] & w[1], v[2] & w[2], v[3] & w[3]}
}

func (v values) or(w values) values {
	return values{v[0] | w[0], v[1] | w[1], v[2] | w[2], v[3] | w[3]}
}

func (v values) without(w values) values {
	return values{v[0] &^ w[0], v[1] &^ w[1], v[2] &^ w[2], v[3] &^ w[3]}
}

// bit is the set of values whose bit b equals that bit of ref.
func bit(b int, ref uint8) values {
	if ref>>b&1 != 0 {
		return withBit[b]
	}
	return allValues.without(withBit[b])
}

// A CompareFunc is a set of relations of reference to stored value, and this is
// its bit for each.
const (
	relLess    = pipe.CompareLess
	relEqual   = pipe.CompareEqual
	relGreater = pipe.CompareGreater
)

// related is the set of values s for which ref&mask stands in one of the
// relations rel to s&mask. It compares all values at once, highest bit first.
func related(rel pipe.CompareFunc, ref, mask uint8) values {
	var less, greater values
	equal := allValues
	for b := 7; b >= 0; b-- {
		if mask>>b&1 == 0 {
			continue
		}
		same := bit(b, ref)
		if ref>>b&1 != 0 {
			greater = greater.or(equal.without(same))
		} else {
			less = less.or(equal.without(same))
		}
		equal = equal.and(same)
	}
	var v values
	if rel&relLess != 0 {
		v = v.or(less)
	}
	if rel&relEqual != 0 {
		v = v.or(equal)
	}
	if rel&relGreater != 0 {
		v = v.or(greater)
	}
	return v
}

// relatedToAny is the set of values that some reference stands in one of the
// relations rel to. A relation holds for some reference when it holds for the
// best one: itself for equal, all ones for greater, zero for less.
func relatedToAny(rel pipe.CompareFunc, mask uint8) values {
	if rel&relEqual != 0 {
		return allValues
	}
	return related(rel&relLess, 0, mask).or(related(rel&relGreater, 0xFF, mask))
}

// changed is the set of values s that op changes within writeMask: those where
// (op(s) ^ s) & writeMask is not zero.
func changed(op pipe.StencilOp, writeMask, ref uint8) values {
	if writeMask == 0 {
		return values{}
	}
	var v values
	lowest := bits.TrailingZeros8(writeMask)
	switch op {
	case pipe.StencilZero:
		return anyBitDiffers(writeMask, 0)
	case pipe.StencilReplace:
		return anyBitDiffers(writeMask, ref)
	case pipe.StencilInvert:
		return allValues
	// Adding one changes bit b when all bits below it are ones, subtracting when
	// they are zeros, and then every bit below changes too.
	case pipe.StencilIncr, pipe.StencilIncrWrap:
		if v = lowBits(lowest, 0xFF); op == pipe.StencilIncr {
			v[3] &^= 1 << 63 // 255 stays
		}
	case pipe.StencilDecr, pipe.StencilDecrWrap:
		if v = lowBits(lowest, 0); op == pipe.StencilDecr {
			v[0] &^= 1 // 0 stays
		}
	}
	return v
}

// anyBitDiffers is the set of values that differ from ref in a bit of mask.
func anyBitDiffers(mask, ref uint8) values {
	var v values
	for b := range 8 {
		if mask>>b&1 != 0 {
			v = v.or(bit(b, ^ref))
		}
	}
	return v
}

// lowBits is the set of values whose n lowest bits equal those of ref.
func lowBits(n int, ref uint8) values {
	v := allValues
	for b := range n {
		v = v.and(bit(b, ref))
	}
	return v
}

// stencilRef is the reference of one facing.
type stencilRef struct {
	known bool
	value uint8
}

// foldFunc returns the constant that f comes to, or f when the stored value
// decides. The masked reference cannot be below the stored value when it is all
// ones, nor above it when it is zero; an unknown one can be either unless the
// mask leaves nothing to compare.
func foldFunc(f pipe.CompareFunc, mask uint8, ref stencilRef) pipe.CompareFunc {
	possible := relEqual
	if mask != 0 && !(ref.known && ref.value&mask == mask) {
		possible |= relLess
	}
	if mask != 0 && !(ref.known && ref.value&mask == 0) {
		possible |= relGreater
	}
	switch f & possible {
	case 0:
		return pipe.CompareNever
	case possible:
		return pipe.CompareAlways
	}
	return f
}

// idle says that op never changes a stored value on the path that is taken when
// the reference stands in one of the relations rel to it.
func idle(op pipe.StencilOp, rel pipe.CompareFunc, valueMask, writeMask uint8, ref stencilRef) bool {
	var reach values
	switch {
	case op == pipe.StencilKeep:
		return true
	case ref.known:
		reach = related(rel, ref.value, valueMask)
	case op == pipe.StencilReplace:
		// Of an unknown reference only equality in every written bit is known.
		return rel == 0 || writeMask == 0 || rel == relEqual && writeMask&^valueMask == 0
	default:
		reach = relatedToAny(rel, valueMask)
	}
	return reach.and(changed(op, writeMask, ref.value)) == values{}
}
