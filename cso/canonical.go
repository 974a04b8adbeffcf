package cso

import (
	"encoding/binary"
	"math"

	"github.com/outflow-gpu/outflow/pipe"
)

// What counts is what Gallium's documents say counts (docs/gallium/cso and
// p_state.h), not what one driver happens to read: a member that a switch turns
// off is zero in the canonical bytes, everything else stands as it is. Floats
// stand by their bits: 0 and -0 are two states, for a driver can tell them
// apart, and a NaN equals itself. Counts and lengths come before what they
// count, so no two states of a kind share bytes.

// AppendShader appends the canonical bytes of a shader of a graphics stage: the
// IR's type, its text and its stream output. Text that is NULL and text that is
// empty differ. The stage is not part of the bytes; it is part of a [Key].
func AppendShader(b []byte, s *pipe.ShaderState) []byte {
	b = binary.LittleEndian.AppendUint32(b, s.Type)
	b = appendText(b, s.Tokens)
	b = appendText(b, s.NIR)
	return s.StreamOutput.AppendCanonical(b)
}

// AppendCompute appends the canonical bytes of a compute shader.
func AppendCompute(b []byte, s *pipe.ComputeState) []byte {
	b = appendString(b, s.IRType)
	b = appendText(b, s.Program)
	b = binary.LittleEndian.AppendUint32(b, s.StaticSharedMem)
	return binary.LittleEndian.AppendUint32(b, s.ReqInputMem)
}

// AppendRasterizer appends the canonical bytes of a rasterizer state. The line
// stipple counts only with line_stipple_enable, the polygon offset only with
// one of offset_point, offset_line and offset_tri.
func AppendRasterizer(b []byte, s *pipe.RasterizerState) []byte {
	b = appendSwitches(b,
		s.Flatshade, s.LightTwoside, s.ClampVertexColor, s.ClampFragmentColor, s.FrontCCW,
		s.OffsetPoint, s.OffsetLine, s.OffsetTri, s.Scissor, s.PolySmooth, s.PolyStippleEnable, s.PointSmooth,
		s.PointQuadRasterization, s.PointSizePerVertex, s.Multisample, s.NoMSSampleMaskOut, s.ForcePersampleInterp,
		s.LineSmooth, s.LineRectangular, s.LineStippleEnable, s.LineLastPixel, s.FlatshadeFirst,
		s.HalfPixelCenter, s.BottomEdgeRule, s.RasterizerDiscard,
		s.DepthClamp, s.DepthClipNear, s.DepthClipFar, s.ClipHalfZ)
	b = append(b, s.CullFace, s.FillFront, s.FillBack, s.SpriteCoordMode, s.ClipPlaneEnable)
	factor, pattern := s.LineStippleFactor, s.LineStipplePattern
	if !s.LineStippleEnable {
		factor, pattern = 0, 0
	}
	b = append(b, factor)
	b = binary.LittleEndian.AppendUint16(b, pattern)
	b = binary.LittleEndian.AppendUint32(b, s.SpriteCoordEnable)
	units, scale, clamp := s.OffsetUnits, s.OffsetScale, s.OffsetClamp
	if !s.OffsetPoint && !s.OffsetLine && !s.OffsetTri {
		units, scale, clamp = 0, 0, 0
	}
	return appendFloats(b, s.LineWidth, s.PointSize, units, scale, clamp)
}

// AppendDepthStencilAlpha appends the canonical bytes of a depth/stencil/alpha
// state: those of [DepthStencilState.AppendCanonical], with what belongs to a
// test that is off zero. The back facing counts by its own switch, whatever the
// front's says. [SanitiseDepthStencil] goes further.
func AppendDepthStencilAlpha(b []byte, s *pipe.DepthStencilAlphaState) []byte {
	d := DepthStencilState{DepthStencilAlphaState: *s}
	if !d.DepthEnabled {
		d.DepthWriteMask, d.DepthFunc = false, 0
	}
	for i := range d.Stencil {
		if !d.Stencil[i].Enabled {
			d.Stencil[i] = pipe.StencilState{}
		}
	}
	if !d.AlphaEnabled {
		d.AlphaFunc, d.AlphaRef = 0, 0
	}
	return d.AppendCanonical(b)
}

// AppendBlend appends the canonical bytes of a blend state. Without
// independent_blend_enable only rt[0] counts; max_rt bounds nothing, drivers
// read past it. The functions and factors of a target count only with its
// blend_enable or with advanced blending, its colour mask always; logicop_func
// counts only with logicop_enable, alpha_to_coverage_dither only with
// alpha_to_coverage.
func AppendBlend(b []byte, s *pipe.BlendState) []byte {
	b = appendSwitches(b, s.IndependentBlend, s.LogicOpEnable, s.Dither, s.AlphaToCoverage,
		s.AlphaToCoverage && s.AlphaToCoverageDither, s.AlphaToOne)
	op := s.LogicOp
	if !s.LogicOpEnable {
		op = 0
	}
	b = append(b, byte(op), s.MaxRT, s.AdvancedBlendFunc)
	targets := s.RT[:1]
	if s.IndependentBlend {
		targets = s.RT[:]
	}
	for i := range targets {
		rt := targets[i]
		if !rt.Enable && s.AdvancedBlendFunc == 0 {
			rt = pipe.RTBlendState{ColorMask: rt.ColorMask}
		}
		b = append(b, boolByte(rt.Enable), byte(rt.RGBFunc), byte(rt.RGBSrc), byte(rt.RGBDst),
			byte(rt.AlphaFunc), byte(rt.AlphaSrc), byte(rt.AlphaDst), rt.ColorMask)
	}
	return b
}

// AppendSampler appends the canonical bytes of a sampler state. compare_func
// counts only with compare_mode. The border colour counts whatever the wrap
// modes are: drivers look at it before them.
func AppendSampler(b []byte, s *pipe.SamplerState) []byte {
	compare := s.CompareFunc
	if s.CompareMode == 0 {
		compare = 0
	}
	b = append(b, s.WrapS, s.WrapT, s.WrapR, s.MinImgFilter, s.MinMipFilter, s.MagImgFilter,
		s.CompareMode, byte(compare), boolByte(s.UnnormalizedCoords), s.MaxAnisotropy, boolByte(s.SeamlessCubeMap))
	b = appendFloats(b, s.LodBias, s.MinLod, s.MaxLod)
	b = appendFloats(b, s.BorderColor[:]...)
	return appendString(b, string(s.BorderColorFormat))
}

// AppendVertexElements appends the canonical bytes of vertex elements: how many
// there are, then each. The stride counts only where the writer keeps strides in
// elements.
func AppendVertexElements(b []byte, elements []pipe.VertexElement) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(elements)))
	for i := range elements {
		e := &elements[i]
		stride := e.SrcStride
		if !e.HasSrcStride {
			stride = 0
		}
		b = append(b, e.VertexBufferIndex)
		b = appendSwitches(b, e.DualSlot, e.HasSrcStride)
		b = binary.LittleEndian.AppendUint32(b, e.SrcOffset)
		b = binary.LittleEndian.AppendUint32(b, e.InstanceDivisor)
		b = binary.LittleEndian.AppendUint32(b, stride)
		b = appendString(b, string(e.SrcFormat))
	}
	return b
}

// appendSwitches appends a byte for each switch.
func appendSwitches(b []byte, switches ...bool) []byte {
	for _, on := range switches {
		b = append(b, boolByte(on))
	}
	return b
}

func appendFloats(b []byte, values ...float32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// appendText appends text that may be NULL: a length that no text has for it.
func appendText(b, text []byte) []byte {
	if text == nil {
		return binary.LittleEndian.AppendUint64(b, math.MaxUint64)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(len(text)))
	return append(b, text...)
}
