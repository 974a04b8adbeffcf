package cso

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// What Mesa puts before the names that are written without it here.
const (
	funcPrefix = "PIPE_FUNC_"
	opPrefix   = "PIPE_STENCIL_OP_"
)

// Reason says why a sanitiser changed something.
type Reason uint8

// Reasons, in the order in which they are listed.
const (
	_ Reason = iota
	// ReasonAspectMissing: the surface holds no such aspect.
	ReasonAspectMissing
	// ReasonTestOff: the test is off, or always passes and writes nothing, or is
	// a constant that reads no mask; what only it would read is cleared.
	ReasonTestOff
	// ReasonNever: no fragment passes, so what comes after decides nothing.
	ReasonNever
	// ReasonEqual: a depth test with EQUAL could only write back what is stored.
	ReasonEqual
	// ReasonMaskZero: writemask 0 writes nothing.
	ReasonMaskZero
	// ReasonValueMaskZero: valuemask 0 compares zero with zero.
	ReasonValueMaskZero
	// ReasonRefFold: the known reference makes the function a constant.
	ReasonRefFold
	// ReasonOpIdentity: the operations change no value that reaches them.
	ReasonOpIdentity
	// ReasonUnreachableOp: no fragment comes to the operation.
	ReasonUnreachableOp
	// ReasonFacing: fragments of that facing do not occur.
	ReasonFacing
	// ReasonBoundsEmpty: no stored depth is between the bounds.
	ReasonBoundsEmpty
	// ReasonBoundsFull: every stored depth is between the bounds.
	ReasonBoundsFull
	// ReasonAlphaNever: the alpha test kills everything.
	ReasonAlphaNever
	// ReasonAlphaAlways: the alpha test passes everything.
	ReasonAlphaAlways
	// ReasonDiscard: the rasterizer discards everything.
	ReasonDiscard
	// ReasonOneSided: both faces do the same, so one is enough.
	ReasonOneSided
	numReasons
)

var reasonNames = [numReasons]string{"", "aspect-missing", "test-off", "never", "equal", "mask-zero", "value-mask-zero", "ref-fold",
	"op-identity", "unreachable-op", "facing", "bounds-empty", "bounds-full", "alpha-never", "alpha-always", "discard", "one-sided"}

// String returns the reason's code.
func (r Reason) String() string {
	if r < numReasons {
		return reasonNames[r]
	}
	return strconv.Itoa(int(r))
}

var reasonTexts = [numReasons]string{"",
	"the surface holds no such aspect",
	"the test is off or does nothing, or nothing reads the field",
	"no fragment passes",
	"an EQUAL test could only write back what is stored",
	"writemask 0 writes nothing",
	"valuemask 0 compares zero with zero",
	"with this reference the function is a constant",
	"the operations change no value that reaches them",
	"no fragment comes to the operation",
	"fragments of that facing do not occur",
	"no stored depth is between the bounds",
	"every stored depth is between the bounds",
	"the alpha test kills everything",
	"the alpha test passes everything",
	"the rasterizer discards everything",
	"both faces do the same",
}

// Explain returns the reason in words.
func (r Reason) Explain() string {
	if r < numReasons {
		return reasonTexts[r]
	}
	return r.String()
}

// Reasons is a set of reasons.
type Reasons uint32

// Has says whether r is in the set.
func (s Reasons) Has(r Reason) bool { return s>>r&1 != 0 }

// All yields the reasons in the set, in their order.
func (s Reasons) All() iter.Seq[Reason] {
	return func(yield func(Reason) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(Reason(bits.TrailingZeros32(uint32(s)))) {
				return
			}
		}
	}
}

// dsField is a field of a DepthStencilState.
type dsField uint8

const (
	fieldDepthEnabled dsField = iota
	fieldDepthWriteMask
	fieldDepthFunc
	fieldBoundsTest
	fieldBoundsMin
	fieldBoundsMax
	fieldAlphaEnabled
	fieldAlphaFunc
	fieldAlphaRef
	fieldStencil // the first of stencilFields for the front, then as many for the back
)

// The fields of one stencil face, counted from its first.
const (
	stencilEnabled dsField = iota
	stencilFunc
	stencilFailOp
	stencilZPassOp
	stencilZFailOp
	stencilValueMask
	stencilWriteMask
	stencilFields
)

const numFields = fieldStencil + 2*stencilFields

var fieldNames = [numFields]string{"depth_enabled", "depth_writemask", "depth_func",
	"depth_bounds_test", "depth_bounds_min", "depth_bounds_max", "alpha_enabled", "alpha_func", "alpha_ref",
	"stencil[0].enabled", "stencil[0].func", "stencil[0].fail_op", "stencil[0].zpass_op", "stencil[0].zfail_op", "stencil[0].valuemask", "stencil[0].writemask",
	"stencil[1].enabled", "stencil[1].func", "stencil[1].fail_op", "stencil[1].zpass_op", "stencil[1].zfail_op", "stencil[1].valuemask", "stencil[1].writemask"}

// switchOf is the field that switches the test on to which f belongs.
func switchOf(f dsField) dsField {
	switch {
	case f < fieldBoundsTest:
		return fieldDepthEnabled
	case f < fieldAlphaEnabled:
		return fieldBoundsTest
	case f < fieldStencil:
		return fieldAlphaEnabled
	}
	return f - (f-fieldStencil)%stencilFields
}

// fieldText spells a field of s as a state is written down: functions and
// operations without Mesa's prefix.
func fieldText(s *DepthStencilState, f dsField) string {
	switch f {
	case fieldDepthEnabled:
		return strconv.FormatBool(s.DepthEnabled)
	case fieldDepthWriteMask:
		return strconv.FormatBool(s.DepthWriteMask)
	case fieldDepthFunc:
		return funcText(s.DepthFunc)
	case fieldBoundsTest:
		return strconv.FormatBool(s.Bounds.Test)
	case fieldBoundsMin:
		return strconv.FormatFloat(s.Bounds.Min, 'g', -1, 64)
	case fieldBoundsMax:
		return strconv.FormatFloat(s.Bounds.Max, 'g', -1, 64)
	case fieldAlphaEnabled:
		return strconv.FormatBool(s.AlphaEnabled)
	case fieldAlphaFunc:
		return funcText(s.AlphaFunc)
	case fieldAlphaRef:
		return strconv.FormatFloat(float64(s.AlphaRef), 'g', -1, 32)
	}
	face := &s.Stencil[(f-fieldStencil)/stencilFields]
	switch (f - fieldStencil) % stencilFields {
	case stencilEnabled:
		return strconv.FormatBool(face.Enabled)
	case stencilFunc:
		return funcText(face.Func)
	case stencilFailOp:
		return opText(face.FailOp)
	case stencilZPassOp:
		return opText(face.ZPassOp)
	case stencilZFailOp:
		return opText(face.ZFailOp)
	case stencilValueMask:
		return maskText(face.ValueMask)
	default:
		return maskText(face.WriteMask)
	}
}

func funcText(f pipe.CompareFunc) string { return strings.TrimPrefix(f.String(), funcPrefix) }

func opText(o pipe.StencilOp) string { return strings.TrimPrefix(o.String(), opPrefix) }

func maskText(m uint8) string { return "0x" + strconv.FormatUint(uint64(m), 16) }
