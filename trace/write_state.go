package trace

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
)

func (e *encoder) rasterizer(s *pipe.RasterizerState) {
	e.begin("pipe_rasterizer_state")
	e.boolMember("flatshade", s.Flatshade)
	e.boolMember("light_twoside", s.LightTwoside)
	e.boolMember("clamp_vertex_color", s.ClampVertexColor)
	e.boolMember("clamp_fragment_color", s.ClampFragmentColor)
	e.asUint("front_ccw", s.FrontCCW)
	e.uintMember("cull_face", uint32(s.CullFace))
	e.uintMember("fill_front", uint32(s.FillFront))
	e.uintMember("fill_back", uint32(s.FillBack))
	e.boolMember("offset_point", s.OffsetPoint)
	e.boolMember("offset_line", s.OffsetLine)
	e.boolMember("offset_tri", s.OffsetTri)
	e.boolMember("scissor", s.Scissor)
	e.boolMember("poly_smooth", s.PolySmooth)
	e.boolMember("poly_stipple_enable", s.PolyStippleEnable)
	e.boolMember("point_smooth", s.PointSmooth)
	e.boolMember("sprite_coord_mode", s.SpriteCoordMode != 0)
	e.boolMember("point_quad_rasterization", s.PointQuadRasterization)
	e.boolMember("point_size_per_vertex", s.PointSizePerVertex)
	e.boolMember("multisample", s.Multisample)
	e.boolMember("no_ms_sample_mask_out", s.NoMSSampleMaskOut)
	e.boolMember("force_persample_interp", s.ForcePersampleInterp)
	e.boolMember("line_smooth", s.LineSmooth)
	e.boolMember("line_rectangular", s.LineRectangular)
	e.boolMember("line_stipple_enable", s.LineStippleEnable)
	e.boolMember("line_last_pixel", s.LineLastPixel)
	e.boolMember("flatshade_first", s.FlatshadeFirst)
	e.boolMember("half_pixel_center", s.HalfPixelCenter)
	e.boolMember("bottom_edge_rule", s.BottomEdgeRule)
	e.boolMember("rasterizer_discard", s.RasterizerDiscard)
	e.boolMember("depth_clamp", s.DepthClamp)
	e.boolMember("depth_clip_near", s.DepthClipNear)
	e.boolMember("depth_clip_far", s.DepthClipFar)
	e.boolMember("clip_halfz", s.ClipHalfZ)
	e.uintMember("clip_plane_enable", uint32(s.ClipPlaneEnable))
	e.uintMember("line_stipple_factor", uint32(s.LineStippleFactor))
	e.uintMember("line_stipple_pattern", uint32(s.LineStipplePattern))
	e.uintMember("sprite_coord_enable", s.SpriteCoordEnable)
	e.floatMember("line_width", s.LineWidth)
	e.floatMember("point_size", s.PointSize)
	e.floatMember("offset_units", s.OffsetUnits)
	e.floatMember("offset_scale", s.OffsetScale)
	e.floatMember("offset_clamp", s.OffsetClamp)
	e.end()
}

func (e *encoder) depthStencilAlpha(s *pipe.DepthStencilAlphaState) {
	e.begin("pipe_depth_stencil_alpha_state")
	e.boolMember("depth_enabled", s.DepthEnabled)
	e.boolMember("depth_writemask", s.DepthWriteMask)
	e.uintMember("depth_func", uint32(s.DepthFunc))
	e.member("stencil")
	list(e, s.Stencil[:], (*encoder).stencil)
	e.endMember()
	e.boolMember("alpha_enabled", s.AlphaEnabled)
	e.uintMember("alpha_func", uint32(s.AlphaFunc))
	e.floatMember("alpha_ref_value", s.AlphaRef)
	e.end()
}

func (e *encoder) stencil(s *pipe.StencilState) {
	e.begin("pipe_stencil_state")
	e.boolMember("enabled", s.Enabled)
	e.uintMember("func", uint32(s.Func))
	e.uintMember("fail_op", uint32(s.FailOp))
	e.uintMember("zpass_op", uint32(s.ZPassOp))
	e.uintMember("zfail_op", uint32(s.ZFailOp))
	e.uintMember("valuemask", uint32(s.ValueMask))
	e.uintMember("writemask", uint32(s.WriteMask))
	e.end()
}

// blend writes the targets that count: one without independent blending, else
// those up to max_rt.
func (e *encoder) blend(s *pipe.BlendState) {
	e.begin("pipe_blend_state")
	e.boolMember("independent_blend_enable", s.IndependentBlend)
	e.boolMember("logicop_enable", s.LogicOpEnable)
	e.blendEnum("logicop_func", uint32(s.LogicOp), s.LogicOp)
	e.boolMember("dither", s.Dither)
	e.boolMember("alpha_to_coverage", s.AlphaToCoverage)
	e.boolMember("alpha_to_coverage_dither", s.AlphaToCoverageDither)
	e.boolMember("alpha_to_one", s.AlphaToOne)
	e.uintMember("max_rt", uint32(s.MaxRT))
	e.uintMember("advanced_blend_func", uint32(s.AdvancedBlendFunc))
	e.member("rt")
	targets := 1
	if s.IndependentBlend {
		targets = min(int(s.MaxRT)+1, len(s.RT))
	}
	list(e, s.RT[:targets], (*encoder).blendTarget)
	e.endMember()
	e.end()
}

// blendEnum writes a number in 22.3 and a name since.
func (e *encoder) blendEnum(name string, v uint32, named fmt.Stringer) {
	e.member(name)
	if e.dialect == Mesa22_3 {
		e.uint(uint64(v))
	} else {
		e.word(named.String())
	}
	e.endMember()
}

func (e *encoder) blendTarget(s *pipe.RTBlendState) {
	e.begin("pipe_rt_blend_state")
	e.asUint("blend_enable", s.Enable)
	e.blendEnum("rgb_func", uint32(s.RGBFunc), s.RGBFunc)
	e.blendEnum("rgb_src_factor", uint32(s.RGBSrc), s.RGBSrc)
	e.blendEnum("rgb_dst_factor", uint32(s.RGBDst), s.RGBDst)
	e.blendEnum("alpha_func", uint32(s.AlphaFunc), s.AlphaFunc)
	e.blendEnum("alpha_src_factor", uint32(s.AlphaSrc), s.AlphaSrc)
	e.blendEnum("alpha_dst_factor", uint32(s.AlphaDst), s.AlphaDst)
	e.uintMember("colormask", uint32(s.ColorMask))
	e.end()
}

func (e *encoder) sampler(s *pipe.SamplerState) {
	e.begin("pipe_sampler_state")
	e.uintMember("wrap_s", uint32(s.WrapS))
	e.uintMember("wrap_t", uint32(s.WrapT))
	e.uintMember("wrap_r", uint32(s.WrapR))
	e.uintMember("min_img_filter", uint32(s.MinImgFilter))
	e.uintMember("min_mip_filter", uint32(s.MinMipFilter))
	e.uintMember("mag_img_filter", uint32(s.MagImgFilter))
	e.uintMember("compare_mode", uint32(s.CompareMode))
	e.uintMember("compare_func", uint32(s.CompareFunc))
	e.boolMember("unnormalized_coords", s.UnnormalizedCoords)
	e.uintMember("max_anisotropy", uint32(s.MaxAnisotropy))
	e.boolMember("seamless_cube_map", s.SeamlessCubeMap)
	e.floatMember("lod_bias", s.LodBias)
	e.floatMember("min_lod", s.MinLod)
	e.floatMember("max_lod", s.MaxLod)
	e.member("border_color.f")
	e.floats(s.BorderColor[:])
	e.endMember()
	e.formatMember("border_color_format", s.BorderColorFormat)
	e.end()
}

func (e *encoder) vertexElement(v *pipe.VertexElement) {
	e.begin("pipe_vertex_element")
	e.uintMember("src_offset", v.SrcOffset)
	e.uintMember("vertex_buffer_index", uint32(v.VertexBufferIndex))
	e.uintMember("instance_divisor", v.InstanceDivisor)
	e.boolMember("dual_slot", v.DualSlot)
	e.formatMember("src_format", v.SrcFormat)
	if e.dialect > Mesa22_3 {
		e.uintMember("src_stride", v.SrcStride)
	}
	e.end()
}

// surface writes a pipe_surface, whose ranges lie in a union before 26.2.
func (e *encoder) surface(s *pipe.Surface) {
	e.begin("pipe_surface")
	e.formatMember("format", s.Format)
	e.ptrMember("texture", s.Texture)
	if e.dialect < Mesa26_2 {
		e.uintMember("width", uint32(s.Width))
		e.uintMember("height", uint32(s.Height))
	}
	e.member("target")
	e.enum(s.Target.String())
	e.endMember()
	if e.dialect < Mesa26_2 {
		e.surfaceRange(s)
	} else {
		e.layers(s)
	}
	e.end()
}

func (e *encoder) surfaceRange(s *pipe.Surface) {
	e.member("u")
	e.begin("")
	if s.IsBuffer {
		e.member("buf")
		e.begin("")
		e.uintMember("first_element", s.FirstElement)
		e.uintMember("last_element", s.LastElement)
	} else {
		e.member("tex")
		e.begin("")
		e.layers(s)
	}
	e.end()
	e.endMember()
	e.end()
	e.endMember()
}

func (e *encoder) layers(s *pipe.Surface) {
	e.uintMember("level", uint32(s.Level))
	e.uintMember("first_layer", s.FirstLayer)
	e.uintMember("last_layer", s.LastLayer)
}

func (e *encoder) samplerView(v *pipe.SamplerView) {
	e.begin("pipe_sampler_view")
	e.formatMember("format", v.Format)
	e.member("target")
	e.enum(v.Target.String())
	e.endMember()
	e.ptrMember("texture", v.Texture)
	e.member("u")
	e.begin("")
	if v.IsBuffer {
		e.member("buf")
		e.begin("")
		e.uintMember("offset", v.Offset)
		e.uintMember("size", v.Size)
	} else {
		e.member("tex")
		e.begin("")
		e.uintMember("first_layer", v.FirstLayer)
		e.uintMember("last_layer", v.LastLayer)
		e.uintMember("first_level", uint32(v.FirstLevel))
		e.uintMember("last_level", uint32(v.LastLevel))
	}
	e.end()
	e.endMember()
	e.end()
	e.endMember()
	e.uintMember("swizzle_r", uint32(v.SwizzleR))
	e.uintMember("swizzle_g", uint32(v.SwizzleG))
	e.uintMember("swizzle_b", uint32(v.SwizzleB))
	e.uintMember("swizzle_a", uint32(v.SwizzleA))
	e.end()
}
