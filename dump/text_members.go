package dump

import (
	"iter"
	"reflect"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// textMember is a member of a struct as text has it.
type textMember struct {
	name  string
	field int // index of the Go field, -1 for a member that has none
	// as is the kind of a number that its type does not tell, or the constant
	// that stands for a member without a field.
	as   string
	when func(reflect.Value) bool // nil for always
	most int                      // how many elements of an array, 0 for all
}

// membersOf yields the members of a struct in the order that they are written:
// every field, or those that Mesa's util_dump prints.
func membersOf(t reflect.Type, util bool) iter.Seq[textMember] {
	return func(yield func(textMember) bool) {
		names := strings.Fields(fieldNames(t))
		if form := utilForm(t); util && form != "" {
			for entry := range strings.FieldsSeq(form) {
				if !yield(utilMember(entry, names)) {
					return
				}
			}
			return
		}
		field := 0
		for _, name := range names {
			if !yield(textMember{name: name, field: field}) {
				return
			}
			field++
		}
	}
}

// utilMember reads an entry of a form: NAME, NAME?FIELD when it is printed only
// if that field is not zero, NAME?!FIELD if it is, NAME:KIND for a number of a
// kind, =VALUE for a member without a field, NAME@FIELD for one with another name.
func utilMember(entry string, names []string) textMember {
	m := textMember{}
	entry, condition, conditional := strings.Cut(entry, "?")
	entry, m.as, _ = strings.Cut(entry, ":")
	name, value, constant := strings.Cut(entry, "=")
	name, source, renamed := strings.Cut(name, "@")
	if !renamed {
		source = name
	}
	m.name, m.field = name, indexOf(names, source)
	if constant {
		m.as = value
	}
	if conditional {
		field, zero := strings.CutPrefix(condition, "!")
		at := indexOf(names, field)
		m.when = func(v reflect.Value) bool { return v.Field(at).IsZero() == zero }
	}
	return m
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// fieldNames lists what Gallium calls the fields of a struct, in their order in
// package pipe.
func fieldNames(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[pipe.ShaderState]():
		return "type tokens ir stream_output"
	case reflect.TypeFor[pipe.ComputeState]():
		return "ir_type prog static_shared_mem req_input_mem"
	case reflect.TypeFor[pipe.CreateStreamOutputTarget]():
		return "buffer buffer_offset buffer_size"
	case reflect.TypeFor[pipe.RasterizerState]():
		return `flatshade light_twoside clamp_vertex_color clamp_fragment_color front_ccw cull_face fill_front fill_back
			offset_point offset_line offset_tri scissor poly_smooth poly_stipple_enable point_smooth sprite_coord_mode
			point_quad_rasterization point_size_per_vertex multisample no_ms_sample_mask_out force_persample_interp
			line_smooth line_rectangular line_stipple_enable line_last_pixel flatshade_first half_pixel_center bottom_edge_rule
			rasterizer_discard depth_clamp depth_clip_near depth_clip_far clip_halfz clip_plane_enable line_stipple_factor
			line_stipple_pattern sprite_coord_enable line_width point_size offset_units offset_scale offset_clamp`
	case reflect.TypeFor[pipe.StencilState]():
		return "enabled func fail_op zpass_op zfail_op valuemask writemask"
	case reflect.TypeFor[pipe.DepthStencilAlphaState]():
		return "depth_enabled depth_writemask depth_func stencil alpha_enabled alpha_func alpha_ref_value"
	case reflect.TypeFor[pipe.RTBlendState]():
		return "blend_enable rgb_func rgb_src_factor rgb_dst_factor alpha_func alpha_src_factor alpha_dst_factor colormask"
	case reflect.TypeFor[pipe.BlendState]():
		return `independent_blend_enable logicop_enable logicop_func dither alpha_to_coverage alpha_to_coverage_dither
			alpha_to_one max_rt advanced_blend_func rt`
	case reflect.TypeFor[pipe.SamplerState]():
		return `wrap_s wrap_t wrap_r min_img_filter min_mip_filter mag_img_filter compare_mode compare_func
			unnormalized_coords max_anisotropy seamless_cube_map lod_bias min_lod max_lod border_color border_color_format`
	case reflect.TypeFor[pipe.Surface]():
		return "format texture width height target is_buffer first_element last_element level first_layer last_layer"
	case reflect.TypeFor[pipe.SurfaceRef]():
		return "handle embedded surface"
	case reflect.TypeFor[pipe.FramebufferState]():
		return "width height samples layers pls_enabled cbufs zsbuf"
	case reflect.TypeFor[pipe.ResourceTemplate]():
		return "target format width height depth array_size last_level nr_samples nr_storage_samples usage bind flags"
	}
	return bindingNames(t)
}

// bindingNames is fieldNames for what is bound and drawn.
func bindingNames(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[pipe.VertexElement]():
		return "src_offset vertex_buffer_index instance_divisor dual_slot src_format src_stride has_src_stride"
	case reflect.TypeFor[pipe.VertexBuffer]():
		return "stride has_stride is_user_buffer buffer_offset resource"
	case reflect.TypeFor[pipe.ConstantBuffer](), reflect.TypeFor[pipe.ShaderBuffer]():
		return "buffer buffer_offset buffer_size"
	case reflect.TypeFor[pipe.ImageView]():
		return "resource format access is_buffer offset size level first_layer last_layer"
	case reflect.TypeFor[pipe.SamplerView]():
		return `format target texture is_buffer offset size first_layer last_layer first_level last_level
			swizzle_r swizzle_g swizzle_b swizzle_a`
	case reflect.TypeFor[pipe.Viewport]():
		return "scale translate"
	case reflect.TypeFor[pipe.Scissor]():
		return "minx miny maxx maxy"
	case reflect.TypeFor[pipe.Box]():
		return "x y z width height depth"
	case reflect.TypeFor[pipe.DrawInfo]():
		return `index_size has_user_indices mode start_instance instance_count min_index max_index primitive_restart
			restart_index index vertices_per_patch`
	case reflect.TypeFor[pipe.DrawIndirect]():
		return "offset stride draw_count indirect_draw_count_offset buffer indirect_draw_count count_from_stream_output"
	case reflect.TypeFor[pipe.DrawRange]():
		return "start count index_bias has_index_bias"
	case reflect.TypeFor[pipe.GridInfo]():
		return "variable_shared_mem block grid indirect indirect_offset"
	}
	return ""
}

// utilForm lists the members that Mesa's util_dump prints of a struct (Mesa 23,
// u_dump_state.c), "" when they are the fields.
func utilForm(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[pipe.ShaderState]():
		return "tokens?!type stream_output"
	case reflect.TypeFor[pipe.RasterizerState]():
		return `flatshade light_twoside clamp_vertex_color clamp_fragment_color front_ccw cull_face fill_front fill_back
			offset_point offset_line offset_tri scissor poly_smooth poly_stipple_enable point_smooth sprite_coord_enable
			sprite_coord_mode point_quad_rasterization point_line_tri_clip=0 point_size_per_vertex multisample line_smooth
			line_stipple_enable line_stipple_factor line_stipple_pattern line_last_pixel flatshade_first half_pixel_center
			bottom_edge_rule rasterizer_discard depth_clip_near depth_clip_far clip_halfz clip_plane_enable
			line_width point_size offset_units offset_scale offset_clamp`
	case reflect.TypeFor[pipe.StencilState]():
		return "enabled func?enabled fail_op?enabled zpass_op?enabled zfail_op?enabled valuemask?enabled writemask?enabled"
	case reflect.TypeFor[pipe.DepthStencilAlphaState]():
		return "depth_enabled depth_writemask?depth_enabled depth_func?depth_enabled stencil alpha_enabled alpha_func?alpha_enabled alpha_ref_value?alpha_enabled"
	case reflect.TypeFor[pipe.RTBlendState]():
		return `blend_enable rgb_func?blend_enable rgb_src_factor?blend_enable rgb_dst_factor?blend_enable
			alpha_func?blend_enable alpha_src_factor?blend_enable alpha_dst_factor?blend_enable colormask`
	case reflect.TypeFor[pipe.BlendState]():
		return `dither alpha_to_coverage alpha_to_one max_rt logicop_enable logicop_func:func?logicop_enable
			independent_blend_enable?!logicop_enable rt?!logicop_enable`
	case reflect.TypeFor[pipe.SamplerState]():
		return `wrap_s:wrap wrap_t:wrap wrap_r:wrap min_img_filter:filter min_mip_filter:mipfilter mag_img_filter:filter
			compare_mode compare_func unnormalized_coords max_anisotropy seamless_cube_map lod_bias min_lod max_lod
			border_color.f@border_color`
	case reflect.TypeFor[pipe.Surface]():
		return "format width height texture u.tex.level@level u.tex.first_layer@first_layer u.tex.last_layer@last_layer"
	case reflect.TypeFor[pipe.ResourceTemplate]():
		return `target format width0@width height0@height depth0@depth array_size last_level nr_samples nr_storage_samples
			usage bind flags`
	}
	return utilBindingForm(t)
}

// utilBindingForm is utilForm for what is bound and drawn.
func utilBindingForm(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[pipe.VertexElement]():
		return "src_offset instance_divisor vertex_buffer_index src_format src_stride"
	case reflect.TypeFor[pipe.VertexBuffer]():
		return "is_user_buffer buffer_offset buffer.resource@resource"
	case reflect.TypeFor[pipe.ConstantBuffer]():
		return "buffer buffer_offset buffer_size user_buffer=NULL"
	case reflect.TypeFor[pipe.ImageView]():
		return `resource format u.buf.offset@offset?is_buffer u.buf.size@size?is_buffer u.tex.single_layer_view=0?!is_buffer
			u.tex.first_layer@first_layer?!is_buffer u.tex.last_layer@last_layer?!is_buffer u.tex.level@level?!is_buffer`
	case reflect.TypeFor[pipe.SamplerView]():
		return `target format texture u.buf.offset@offset?is_buffer u.buf.size@size?is_buffer
			u.tex.first_layer@first_layer?!is_buffer u.tex.last_layer@last_layer?!is_buffer
			u.tex.first_level@first_level?!is_buffer u.tex.last_level@last_level?!is_buffer
			swizzle_r swizzle_g swizzle_b swizzle_a`
	case reflect.TypeFor[pipe.DrawInfo]():
		return `index_size has_user_indices mode start_instance instance_count min_index max_index primitive_restart
			restart_index?primitive_restart index?index_size`
	case reflect.TypeFor[pipe.DrawRange]():
		return "start count index_bias"
	case reflect.TypeFor[pipe.GridInfo]():
		return "pc=0 input=NULL work_dim=0 block grid indirect indirect_offset"
	}
	return ""
}
