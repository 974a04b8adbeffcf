package cso

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// DepthBounds is the depth bounds test: a fragment survives when
// Min <= stored depth <= Max. Mesa's traces do not hold it.
type DepthBounds struct {
	Test     bool
	Min, Max float64
}

// empty says that no stored depth is inside, as NaN limits make it too.
func (b DepthBounds) empty() bool { return !(b.Min <= b.Max) }

// DepthStencilState is a whole pipe_depth_stencil_alpha_state, depth bounds included.
type DepthStencilState struct {
	pipe.DepthStencilAlphaState
	Bounds DepthBounds
}

// Aspects says what a depth/stencil surface holds; 0 is no surface.
type Aspects uint8

// Aspects.
const (
	AspectDepth Aspects = 1 << iota
	AspectStencil
)

// Facings says which facings the fragments of a draw can have.
type Facings uint8

// Facings. Points and lines are front-facing.
const (
	FacingFront Facings = 1 << iota
	FacingBack
)

// DepthFormat is the kind of number a depth surface stores.
type DepthFormat uint8

// Kinds of depth. DepthFloat assumes less (NaN, values outside [0, 1]), so it is
// what an unknown format is taken for.
const (
	DepthFloat DepthFormat = iota
	DepthUnorm
)

// StencilRef is pipe_stencil_ref, front then back. It is not Known before
// set_stencil_ref, and never when the fragment shader exports stencil.
type StencilRef struct {
	Known bool
	Value [2]uint8
}

// DepthStencilContext is what surrounds a state: the less is known of it, the
// less can be dropped from the state.
type DepthStencilContext struct {
	// Aspects the surface holds.
	Aspects Aspects
	// AnyAspects: of Aspects it is not known which are there. Then no test may
	// rely on another to kill, for a test whose aspect is missing passes.
	AnyAspects        bool
	Facings           Facings
	DepthFormat       DepthFormat
	Ref               StencilRef
	RasterizerDiscard bool
	// StrictBits keeps the depth write of an EQUAL test on a float format: it
	// can change the sign bit of a stored zero, though never a number.
	StrictBits bool
}

// AnyDepthStencilContext is what is known when a state is created: nothing. A
// state sanitised for it may be bound anywhere, and sanitised again at the draw.
func AnyDepthStencilContext() DepthStencilContext {
	return DepthStencilContext{Aspects: AspectDepth | AspectStencil, AnyAspects: true, Facings: FacingFront | FacingBack}
}

// AspectsOf says what a surface of format f holds. ok is false for a colour
// format; no format at all (none, or the empty string) is no surface.
func AspectsOf(f pipe.Format) (a Aspects, kind DepthFormat, ok bool) {
	switch strings.TrimPrefix(string(f), "PIPE_FORMAT_") {
	case "", "NONE":
		return 0, DepthFloat, true
	case "Z16_UNORM", "Z24X8_UNORM", "X8Z24_UNORM", "Z32_UNORM":
		return AspectDepth, DepthUnorm, true
	case "Z32_FLOAT":
		return AspectDepth, DepthFloat, true
	case "Z16_UNORM_S8_UINT", "Z24_UNORM_S8_UINT", "S8_UINT_Z24_UNORM":
		return AspectDepth | AspectStencil, DepthUnorm, true
	case "Z32_FLOAT_S8X24_UINT":
		return AspectDepth | AspectStencil, DepthFloat, true
	case "S8_UINT", "X24S8_UINT", "S8X24_UINT", "X32_S8X24_UINT":
		return AspectStencil, DepthFloat, true
	}
	return 0, DepthFloat, false
}

// ReachableFacings says which facings fragments can have when primitives of
// type mode reach the rasterizer under cullFace (PIPE_FACE_*: bit 0 front, bit
// 1 back). Mode is what leaves the last vertex stage, not what the draw asked
// for when a geometry or tessellation stage follows; not known counts as both.
func ReachableFacings(mode pipe.PrimitiveType, cullFace uint8) Facings {
	switch mode {
	case pipe.Points, pipe.Lines, pipe.LineLoop, pipe.LineStrip, pipe.LinesAdjacency, pipe.LineStripAdjacency:
		return FacingFront // points and lines are never culled
	case pipe.Patches, pipe.PrimitiveUnknown:
		return FacingFront | FacingBack
	}
	return (FacingFront | FacingBack) &^ Facings(cullFace)
}

// Validate refuses what no driver can be given: a function or operation above 7.
// alpha_func counts only when the alpha test is on.
func (s *DepthStencilState) Validate() error {
	if err := validFunc("depth_func", s.DepthFunc); err != nil {
		return err
	}
	if s.AlphaEnabled {
		if err := validFunc("alpha_func", s.AlphaFunc); err != nil {
			return err
		}
	}
	for i := range s.Stencil {
		f := &s.Stencil[i]
		if f.Func|pipe.CompareFunc(f.FailOp|f.ZPassOp|f.ZFailOp) > 7 {
			return stencilError(i, f)
		}
	}
	return nil
}

func validFunc(field string, f pipe.CompareFunc) error {
	if f > pipe.CompareAlways {
		return fmt.Errorf("%s is %d, at most 7", field, uint8(f))
	}
	return nil
}

// stencilError names the first bad field of a face that has one.
func stencilError(i int, f *pipe.StencilState) error {
	if err := validFunc(fmt.Sprintf("stencil[%d].func", i), f.Func); err != nil {
		return err
	}
	name, op := "zfail_op", f.ZFailOp
	switch {
	case f.FailOp > pipe.StencilInvert:
		name, op = "fail_op", f.FailOp
	case f.ZPassOp > pipe.StencilInvert:
		name, op = "zpass_op", f.ZPassOp
	}
	return fmt.Errorf("stencil[%d].%s is %d, at most 7", i, name, uint8(op))
}

// Warnings lists what is legal in s and hardly meant.
func (s *DepthStencilState) Warnings() []string {
	var w []string
	if s.Stencil[1].Enabled && !s.Stencil[0].Enabled {
		w = append(w, "two-sided without stencil: stencil[1] is enabled, stencil[0] is not; taken as off")
	}
	if s.DepthWriteMask && !s.DepthEnabled {
		w = append(w, "depth_writemask is set with the depth test off: nothing is written")
	}
	if b := s.Bounds; b.Test && b.empty() {
		what := fmt.Sprintf("depth_bounds_min %v is above depth_bounds_max %v", b.Min, b.Max)
		if math.IsNaN(b.Min) || math.IsNaN(b.Max) {
			what = "a depth bound is NaN"
		}
		w = append(w, what+": every fragment is killed")
	}
	return w
}

// AppendCanonical appends the bytes of s: equal states have equal bytes, and of
// sanitised states so do those that differ only in what is off. The length is fixed.
func (s *DepthStencilState) AppendCanonical(b []byte) []byte {
	b = append(b, boolByte(s.DepthEnabled), boolByte(s.DepthWriteMask), byte(s.DepthFunc))
	for i := range s.Stencil {
		f := &s.Stencil[i]
		b = append(b, boolByte(f.Enabled), byte(f.Func), byte(f.FailOp), byte(f.ZPassOp), byte(f.ZFailOp), f.ValueMask, f.WriteMask)
	}
	b = append(b, boolByte(s.AlphaEnabled), byte(s.AlphaFunc))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s.AlphaRef))
	b = append(b, boolByte(s.Bounds.Test))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Bounds.Min))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Bounds.Max))
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}
