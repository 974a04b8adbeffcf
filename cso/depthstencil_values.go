package cso

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// Can an operation ever change a stored stencil value that reaches it? What a
// test lets through and what an operation changes are sets of values, so the
// question is whether two sets meet. A set is worked out 64 values at a time:
// word w holds the values from 64*w on, lowest bit first.
const stencilWords = 256 / 64

// withBit has, for each bit of a value, the values of any word that have it set;
// bits 6 and 7 are the same in a whole word.
var withBit = [6]uint64{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000}

// bitDiffers is the values of word w whose bit b differs from that of ref.
func bitDiffers(w, b int, ref uint8) uint64 {
	var set uint64
	if b < len(withBit) {
		set = withBit[b]
	} else {
		set = -uint64(w >> (b - len(withBit)) & 1)
	}
	return set ^ -uint64(ref>>b&1)
}

// A CompareFunc is a set of relations of reference to stored value, and this is
// its bit for each.
const (
	relLess    = pipe.CompareLess
	relEqual   = pipe.CompareEqual
	relGreater = pipe.CompareGreater
)

// related is the values s of word w for which ref&mask stands in one of the
// relations rel to s&mask, compared all at once, highest bit first.
func related(w int, rel pipe.CompareFunc, ref, mask uint8) uint64 {
	var less, greater uint64
	equal := ^uint64(0)
	for mask != 0 && equal != 0 {
		b := bits.Len8(mask) - 1
		mask &^= 1 << b
		differs := bitDiffers(w, b, ref) & equal
		if ref>>b&1 != 0 {
			greater |= differs
		} else {
			less |= differs
		}
		equal &^= differs
	}
	return less&-uint64(rel&relLess) | equal&-uint64(rel&relEqual>>1) | greater&-uint64(rel&relGreater>>2)
}

// relatedToAny is the values of word w that some reference stands in one of the
// relations rel to. A relation holds for some reference when it holds for the
// best one: itself for equal, all ones for greater, zero for less.
func relatedToAny(w int, rel pipe.CompareFunc, mask uint8) uint64 {
	if rel&relEqual != 0 {
		return ^uint64(0)
	}
	return related(w, rel&relLess, 0, mask) | related(w, rel&relGreater, 0xFF, mask)
}

// changed is the values s of word w that op changes within writeMask, which is
// not zero: those where (op(s) ^ s) & writeMask is not zero.
func changed(w int, op pipe.StencilOp, writeMask, ref uint8) uint64 {
	var set uint64
	switch op {
	case pipe.StencilZero:
		return anyBitDiffers(w, writeMask, 0)
	case pipe.StencilReplace:
		return anyBitDiffers(w, writeMask, ref)
	case pipe.StencilInvert:
		return ^uint64(0)
	// Adding one changes bit b when all bits below it are ones, subtracting when
	// they are zeros, and then every bit below changes too.
	case pipe.StencilIncr, pipe.StencilIncrWrap:
		set = ^anyBitDiffers(w, belowLowest(writeMask), 0xFF)
		if op == pipe.StencilIncr && w == stencilWords-1 {
			set &^= 1 << 63 // 255 stays
		}
	case pipe.StencilDecr, pipe.StencilDecrWrap:
		set = ^anyBitDiffers(w, belowLowest(writeMask), 0)
		if op == pipe.StencilDecr && w == 0 {
			set &^= 1 // 0 stays
		}
	}
	return set
}

// belowLowest is the bits below the lowest that is set in mask.
func belowLowest(mask uint8) uint8 { return mask&-mask - 1 }

// anyBitDiffers is the values of word w that differ from ref in a bit of mask.
func anyBitDiffers(w int, mask, ref uint8) uint64 {
	var set uint64
	for ; mask != 0; mask &= mask - 1 {
		set |= bitDiffers(w, bits.TrailingZeros8(mask), ref)
	}
	return set
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
	if mask != 0 && (!ref.known || ref.value&mask != mask) {
		possible |= relLess
	}
	if mask != 0 && (!ref.known || ref.value&mask != 0) {
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
// the reference stands in one of the relations rel to it. The function must have
// been folded: with a mask of zero it is a constant.
func idle(op pipe.StencilOp, rel pipe.CompareFunc, valueMask, writeMask uint8, ref stencilRef) bool {
	if op == pipe.StencilKeep || writeMask == 0 {
		return true
	}
	if op == pipe.StencilReplace {
		if rel == relEqual && writeMask&^valueMask == 0 {
			return true // every bit that is written was found equal
		}
		if !ref.known {
			return rel == 0
		}
	}
	for w := range stencilWords {
		var reach uint64
		if ref.known {
			reach = related(w, rel, ref.value, valueMask)
		} else {
			reach = relatedToAny(w, rel, valueMask)
		}
		if reach&changed(w, op, writeMask, ref.value) != 0 {
			return false
		}
	}
	return true
}
