package trace

import "github.com/outflow-gpu/outflow/pipe"

func decodeCreateRasterizer(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createRasterizer)
	m, ok := f.structure("state")
	m.rasterizer(&c.State)
	op.Call = c
	return ok
}

// rasterizer reads a pipe_rasterizer_state. Mesa up to 8 had one flag for how
// pixels are hit, Mesa up to 18 one for both clip planes.
func (f *fields) rasterizer(s *pipe.RasterizerState) {
	s.Flatshade, s.LightTwoside = f.flag("flatshade"), f.flag("light_twoside")
	s.ClampVertexColor, s.ClampFragmentColor = f.flag("clamp_vertex_color"), f.flag("clamp_fragment_color")
	s.FrontCCW = f.flag("front_ccw")
	s.CullFace, s.FillFront, s.FillBack = f.u8("cull_face"), f.u8("fill_front"), f.u8("fill_back")
	s.OffsetPoint, s.OffsetLine, s.OffsetTri = f.flag("offset_point"), f.flag("offset_line"), f.flag("offset_tri")
	s.Scissor, s.PolySmooth, s.PolyStippleEnable = f.flag("scissor"), f.flag("poly_smooth"), f.flag("poly_stipple_enable")
	s.PointSmooth = f.flag("point_smooth")
	s.SpriteCoordMode = f.u8("sprite_coord_mode")
	s.PointQuadRasterization, s.PointSizePerVertex = f.flag("point_quad_rasterization"), f.flag("point_size_per_vertex")
	s.Multisample, s.NoMSSampleMaskOut = f.flag("multisample"), f.flag("no_ms_sample_mask_out")
	s.ForcePersampleInterp = f.flag("force_persample_interp")
	s.LineSmooth, s.LineRectangular = f.flag("line_smooth"), f.flag("line_rectangular")
	s.LineStippleEnable, s.LineLastPixel = f.flag("line_stipple_enable"), f.flag("line_last_pixel")
	s.FlatshadeFirst = f.flag("flatshade_first")
	gl := f.flag("gl_rasterization_rules")
	s.HalfPixelCenter, s.BottomEdgeRule = f.flag("half_pixel_center") || gl, f.flag("bottom_edge_rule") || gl
	s.RasterizerDiscard = f.flag("rasterizer_discard")
	s.DepthClamp = f.flag("depth_clamp")
	clip := f.flag("depth_clip")
	s.DepthClipNear, s.DepthClipFar = f.flag("depth_clip_near") || clip, f.flag("depth_clip_far") || clip
	s.ClipHalfZ = f.flag("clip_halfz")
	s.ClipPlaneEnable, s.LineStippleFactor = f.u8("clip_plane_enable"), f.u8("line_stipple_factor")
	s.LineStipplePattern = f.u16("line_stipple_pattern")
	s.SpriteCoordEnable = f.u32("sprite_coord_enable")
	s.LineWidth, s.PointSize = f.f32("line_width"), f.f32("point_size")
	s.OffsetUnits, s.OffsetScale, s.OffsetClamp = f.f32("offset_units"), f.f32("offset_scale"), f.f32("offset_clamp")
}

func decodeCreateDepthStencilAlpha(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createDepthStencilAlpha)
	m, ok := f.structure("state")
	m.depthStencilAlpha(&c.State)
	op.Call = c
	return ok
}

// depthStencilAlpha reads a pipe_depth_stencil_alpha_state, which had structs
// for depth and alpha until Mesa 21.
func (f *fields) depthStencilAlpha(s *pipe.DepthStencilAlphaState) {
	depth, alpha := *f, *f
	enabled, writemask, function := "depth_enabled", "depth_writemask", "depth_func"
	if x := f.opt("depth"); x.Kind() == pipe.StructValue {
		depth = f.members(x, "depth", -1)
		enabled, writemask, function = "enabled", "writemask", "func"
	}
	s.DepthEnabled, s.DepthWriteMask = depth.flag(enabled), depth.flag(writemask)
	s.DepthFunc = enum(&depth, depth.get(function), function, pipe.ParseCompareFunc)
	for i, c := range f.opt("stencil").All() {
		if i < len(s.Stencil) {
			m := f.members(c, "stencil", i)
			m.stencil(&s.Stencil[i])
		}
	}
	enabled, function, ref := "alpha_enabled", "alpha_func", "alpha_ref_value"
	if x := f.opt("alpha"); x.Kind() == pipe.StructValue {
		alpha = f.members(x, "alpha", -1)
		enabled, function, ref = "enabled", "func", "ref_value"
	}
	s.AlphaEnabled = alpha.flag(enabled)
	s.AlphaFunc = enum(&alpha, alpha.get(function), function, pipe.ParseCompareFunc)
	s.AlphaRef = alpha.f32(ref)
}

func (f *fields) stencil(s *pipe.StencilState) {
	s.Enabled = f.flag("enabled")
	s.Func = enum(f, f.get("func"), "func", pipe.ParseCompareFunc)
	s.FailOp = enum(f, f.get("fail_op"), "fail_op", pipe.ParseStencilOp)
	s.ZPassOp = enum(f, f.get("zpass_op"), "zpass_op", pipe.ParseStencilOp)
	s.ZFailOp = enum(f, f.get("zfail_op"), "zfail_op", pipe.ParseStencilOp)
	s.ValueMask, s.WriteMask = f.u8("valuemask"), f.u8("writemask")
}

func decodeCreateBlend(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createBlend)
	m, ok := f.structure("state")
	m.blend(&c.State)
	op.Call = c
	return ok
}

func (f *fields) blend(s *pipe.BlendState) {
	s.IndependentBlend, s.LogicOpEnable = f.flag("independent_blend_enable"), f.flag("logicop_enable")
	s.LogicOp = enum(f, f.get("logicop_func"), "logicop_func", pipe.ParseLogicOp)
	s.Dither = f.flag("dither")
	s.AlphaToCoverage, s.AlphaToCoverageDither = f.flag("alpha_to_coverage"), f.flag("alpha_to_coverage_dither")
	s.AlphaToOne = f.flag("alpha_to_one")
	s.MaxRT, s.AdvancedBlendFunc = f.u8("max_rt"), f.u8("advanced_blend_func")
	for i, c := range f.opt("rt").All() {
		if i < len(s.RT) {
			m := f.members(c, "rt", i)
			m.blendTarget(&s.RT[i])
		}
	}
}

func (f *fields) blendTarget(s *pipe.RTBlendState) {
	s.Enable = f.flag("blend_enable")
	s.RGBFunc = enum(f, f.get("rgb_func"), "rgb_func", pipe.ParseBlendFunc)
	s.RGBSrc = enum(f, f.get("rgb_src_factor"), "rgb_src_factor", pipe.ParseBlendFactor)
	s.RGBDst = enum(f, f.get("rgb_dst_factor"), "rgb_dst_factor", pipe.ParseBlendFactor)
	s.AlphaFunc = enum(f, f.get("alpha_func"), "alpha_func", pipe.ParseBlendFunc)
	s.AlphaSrc = enum(f, f.get("alpha_src_factor"), "alpha_src_factor", pipe.ParseBlendFactor)
	s.AlphaDst = enum(f, f.get("alpha_dst_factor"), "alpha_dst_factor", pipe.ParseBlendFactor)
	s.ColorMask = f.u8("colormask")
}

func decodeCreateSampler(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createSampler)
	m, ok := f.structure("state")
	s := &c.State
	s.WrapS, s.WrapT, s.WrapR = m.u8("wrap_s"), m.u8("wrap_t"), m.u8("wrap_r")
	s.MinImgFilter, s.MinMipFilter, s.MagImgFilter = m.u8("min_img_filter"), m.u8("min_mip_filter"), m.u8("mag_img_filter")
	s.CompareMode = m.u8("compare_mode")
	s.CompareFunc = enum(&m, m.get("compare_func"), "compare_func", pipe.ParseCompareFunc)
	s.UnnormalizedCoords = m.flag("unnormalized_coords")
	if x := m.opt("normalized_coords"); x.Exists() {
		// The flag was turned round in Mesa 22.
		normalized, ok := x.Bool()
		s.UnnormalizedCoords = ok && !normalized
	}
	s.MaxAnisotropy = m.u8("max_anisotropy")
	s.SeamlessCubeMap = m.flag("seamless_cube_map")
	s.LodBias, s.MinLod, s.MaxLod = m.f32("lod_bias"), m.f32("min_lod"), m.f32("max_lod")
	floats(m.opt("border_color.f"), s.BorderColor[:])
	s.BorderColorFormat = m.format("border_color_format")
	op.Call = c
	return ok
}

func decodeCreateVertexElements(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createVertexElements)
	c.Elements = structs(&f, f.get("elements"), "elements", &f.d.scratch.elements, vertexElement)
	op.Call = c
	return true
}

func vertexElement(m *fields, _ pipe.Value, e *pipe.VertexElement) {
	e.SrcOffset = m.u32("src_offset")
	e.VertexBufferIndex = m.u8("vertex_buffer_index")
	e.InstanceDivisor = m.opt32("instance_divisor")
	e.DualSlot = m.flag("dual_slot")
	e.SrcFormat = m.format("src_format")
	if x := m.opt("src_stride"); x.Exists() {
		e.SrcStride, e.HasSrcStride = uint32(m.fit(x, "src_stride", 32)), true
		m.d.dialect.young()
	}
}

// bindState returns the decoder of a kind's bind.
func bindState(kind pipe.Kind) decodeFunc {
	return func(f fields, _ string, op *pipe.Op) bool {
		c := reset(&f.d.calls.bindState)
		c.Kind = kind
		op.Call = c
		if x := f.opt("state"); x.Exists() {
			c.State = f.d.handle(x)
			return true
		}
		if x := f.opt("he->data"); x.Exists() {
			m := f.members(x, "he->data", -1)
			c.Inline = m.inline(kind)
			return c.Inline != nil
		}
		if f.opt("NULL").Exists() {
			// A state is bound, and the writer did not know which.
			return false
		}
		c.State = f.handle("state")
		return true
	}
}

// inline reads the state that a trace made by trigger has in place of a handle.
func (f *fields) inline(kind pipe.Kind) any {
	if !f.first.Exists() {
		return nil
	}
	s := &f.d.scratch
	switch kind {
	case pipe.KindBlend:
		f.blend(reset(&s.blend))
		return &s.blend
	case pipe.KindRasterizer:
		f.rasterizer(reset(&s.raster))
		return &s.raster
	case pipe.KindDepthStencilAlpha:
		f.depthStencilAlpha(reset(&s.depth))
		return &s.depth
	}
	return nil
}

// deleteState returns the decoder of a kind's delete.
func deleteState(kind pipe.Kind) decodeFunc {
	return func(f fields, _ string, op *pipe.Op) bool {
		c := reset(&f.d.calls.deleteState)
		c.Kind = kind
		c.State = f.handle("state")
		op.Call = c
		return true
	}
}
