package pipe

import "strings"

// The names of the calls, one line each.

// Name returns the class and the method that were given.
func (c *Other) Name() (class, method string) { return c.Class, c.Method }

// Name returns no class and "pipe_screen_create".
func (*ScreenCreate) Name() (class, method string) { return "", "pipe_screen_create" }

// Name returns "pipe_screen" and the method of the variant.
func (c *ResourceCreate) Name() (class, method string) {
	if strings.HasPrefix(c.Variant, "_from_") {
		return ClassScreen, "resource" + c.Variant
	}
	return ClassScreen, "resource_create" + c.Variant
}

// Name returns "pipe_context" and "buffer_map" or "texture_map".
func (c *Map) Name() (class, method string) {
	if c.Texture {
		return ClassContext, "texture_map"
	}
	return ClassContext, "buffer_map"
}

// Name returns "pipe_context" and the method of the stage, "create_vs_state".
func (c *CreateShader) Name() (class, method string) {
	return ClassContext, stateMethods[c.Stage%NumStages].create
}

// Name returns "pipe_context" and the method of the kind, "bind_vs_state".
func (c *BindState) Name() (class, method string) {
	return ClassContext, stateMethods[int(c.Kind)%len(stateMethods)].bind
}

// Name returns "pipe_context" and the method of the kind, "delete_vs_state".
func (c *DeleteState) Name() (class, method string) {
	return ClassContext, stateMethods[int(c.Kind)%len(stateMethods)].delete
}

// Name returns "pipe_context" and the method.
func (c *DestroySamplerView) Name() (class, method string) {
	if c.Release {
		return ClassContext, "sampler_view_release"
	}
	return ClassContext, "sampler_view_destroy"
}

// stateMethods are the methods of each kind of state object.
var stateMethods = [...]struct{ create, bind, delete string }{
	{"create_vs_state", "bind_vs_state", "delete_vs_state"},
	{"create_tcs_state", "bind_tcs_state", "delete_tcs_state"},
	{"create_tes_state", "bind_tes_state", "delete_tes_state"},
	{"create_gs_state", "bind_gs_state", "delete_gs_state"},
	{"create_fs_state", "bind_fs_state", "delete_fs_state"},
	{"create_compute_state", "bind_compute_state", "delete_compute_state"},
	{"create_ts_state", "bind_ts_state", "delete_ts_state"},
	{"create_ms_state", "bind_ms_state", "delete_ms_state"},
	{"create_rasterizer_state", "bind_rasterizer_state", "delete_rasterizer_state"},
	{"create_depth_stencil_alpha_state", "bind_depth_stencil_alpha_state", "delete_depth_stencil_alpha_state"},
	{"create_blend_state", "bind_blend_state", "delete_blend_state"},
	{"create_sampler_state", "bind_sampler_states", "delete_sampler_state"},
	{"create_vertex_elements_state", "bind_vertex_elements_state", "delete_vertex_elements_state"},
}

// Name returns "pipe_screen" and "destroy".
func (*ScreenDestroy) Name() (class, method string) { return ClassScreen, "destroy" }

// Name returns "pipe_screen" and "get_name".
func (*GetName) Name() (class, method string) { return ClassScreen, "get_name" }

// Name returns "pipe_screen" and "get_param".
func (*GetParam) Name() (class, method string) { return ClassScreen, "get_param" }

// Name returns "pipe_screen" and "context_create".
func (*ContextCreate) Name() (class, method string) { return ClassScreen, "context_create" }

// Name returns "pipe_screen" and "resource_destroy".
func (*ResourceDestroy) Name() (class, method string) { return ClassScreen, "resource_destroy" }

// Name returns "pipe_context" and "destroy".
func (*ContextDestroy) Name() (class, method string) { return ClassContext, "destroy" }

// Name returns "pipe_context" and "resource_release".
func (*ResourceRelease) Name() (class, method string) { return ClassContext, "resource_release" }

// Name returns "pipe_context" and "replace_buffer_storage".
func (*ReplaceBufferStorage) Name() (class, method string) {
	return ClassContext, "replace_buffer_storage"
}

// Name returns "pipe_context" and "invalidate_resource".
func (*InvalidateResource) Name() (class, method string) { return ClassContext, "invalidate_resource" }

// Name returns "pipe_context" and "resource_copy_region".
func (*ResourceCopyRegion) Name() (class, method string) { return ClassContext, "resource_copy_region" }

// Name returns "pipe_context" and "clear_buffer".
func (*ClearBuffer) Name() (class, method string) { return ClassContext, "clear_buffer" }

// Name returns "pipe_context" and "buffer_subdata".
func (*BufferSubdata) Name() (class, method string) { return ClassContext, "buffer_subdata" }

// Name returns "pipe_context" and "texture_subdata".
func (*TextureSubdata) Name() (class, method string) { return ClassContext, "texture_subdata" }

// Name returns "pipe_context" and "transfer_flush_region".
func (*FlushRegion) Name() (class, method string) { return ClassContext, "transfer_flush_region" }

// Name returns "pipe_context" and "transfer_unmap".
func (*Unmap) Name() (class, method string) { return ClassContext, "transfer_unmap" }

// Name returns "pipe_context" and "create_compute_state".
func (*CreateCompute) Name() (class, method string) { return ClassContext, "create_compute_state" }

// Name returns "pipe_context" and "create_rasterizer_state".
func (*CreateRasterizer) Name() (class, method string) {
	return ClassContext, "create_rasterizer_state"
}

// Name returns "pipe_context" and "create_depth_stencil_alpha_state".
func (*CreateDepthStencilAlpha) Name() (class, method string) {
	return ClassContext, "create_depth_stencil_alpha_state"
}

// Name returns "pipe_context" and "create_blend_state".
func (*CreateBlend) Name() (class, method string) { return ClassContext, "create_blend_state" }

// Name returns "pipe_context" and "create_sampler_state".
func (*CreateSampler) Name() (class, method string) { return ClassContext, "create_sampler_state" }

// Name returns "pipe_context" and "create_vertex_elements_state".
func (*CreateVertexElements) Name() (class, method string) {
	return ClassContext, "create_vertex_elements_state"
}

// Name returns "pipe_context" and "bind_sampler_states".
func (*BindSamplers) Name() (class, method string) { return ClassContext, "bind_sampler_states" }

// Name returns "pipe_context" and "create_stream_output_target".
func (*CreateStreamOutputTarget) Name() (class, method string) {
	return ClassContext, "create_stream_output_target"
}

// Name returns "pipe_context" and "stream_output_target_destroy".
func (*DestroyStreamOutputTarget) Name() (class, method string) {
	return ClassContext, "stream_output_target_destroy"
}

// Name returns "pipe_context" and "set_stream_output_targets".
func (*SetStreamOutputTargets) Name() (class, method string) {
	return ClassContext, "set_stream_output_targets"
}

// Name returns "pipe_context" and "draw_vbo".
func (*Draw) Name() (class, method string) { return ClassContext, "draw_vbo" }

// Name returns "pipe_context" and "draw_vertex_state".
func (*DrawVertexState) Name() (class, method string) { return ClassContext, "draw_vertex_state" }

// Name returns "pipe_context" and "launch_grid".
func (*LaunchGrid) Name() (class, method string) { return ClassContext, "launch_grid" }

// Name returns "pipe_context" and "clear".
func (*Clear) Name() (class, method string) { return ClassContext, "clear" }

// Name returns "pipe_context" and "flush".
func (*Flush) Name() (class, method string) { return ClassContext, "flush" }

// Name returns "pipe_context" and "create_query".
func (*CreateQuery) Name() (class, method string) { return ClassContext, "create_query" }

// Name returns "pipe_context" and "destroy_query".
func (*DestroyQuery) Name() (class, method string) { return ClassContext, "destroy_query" }

// Name returns "pipe_context" and "begin_query".
func (*BeginQuery) Name() (class, method string) { return ClassContext, "begin_query" }

// Name returns "pipe_context" and "end_query".
func (*EndQuery) Name() (class, method string) { return ClassContext, "end_query" }

// Name returns "pipe_context" and "get_query_result".
func (*GetQueryResult) Name() (class, method string) { return ClassContext, "get_query_result" }

// Name returns "pipe_context" and "get_query_result_resource".
func (*GetQueryResultResource) Name() (class, method string) {
	return ClassContext, "get_query_result_resource"
}

// Name returns "pipe_context" and "render_condition".
func (*RenderCondition) Name() (class, method string) { return ClassContext, "render_condition" }

// Name returns "pipe_context" and "set_active_query_state".
func (*SetActiveQueryState) Name() (class, method string) {
	return ClassContext, "set_active_query_state"
}

// Name returns "pipe_context" and "set_vertex_buffers".
func (*SetVertexBuffers) Name() (class, method string) { return ClassContext, "set_vertex_buffers" }

// Name returns "pipe_context" and "set_constant_buffer".
func (*SetConstantBuffer) Name() (class, method string) { return ClassContext, "set_constant_buffer" }

// Name returns "pipe_context" and "set_shader_buffers".
func (*SetShaderBuffers) Name() (class, method string) { return ClassContext, "set_shader_buffers" }

// Name returns "pipe_context" and "set_shader_images".
func (*SetShaderImages) Name() (class, method string) { return ClassContext, "set_shader_images" }

// Name returns "pipe_context" and "create_sampler_view".
func (*CreateSamplerView) Name() (class, method string) { return ClassContext, "create_sampler_view" }

// Name returns "pipe_context" and "set_sampler_views".
func (*SetSamplerViews) Name() (class, method string) { return ClassContext, "set_sampler_views" }

// Name returns "pipe_context" and "create_surface".
func (*CreateSurface) Name() (class, method string) { return ClassContext, "create_surface" }

// Name returns "pipe_context" and "surface_destroy".
func (*DestroySurface) Name() (class, method string) { return ClassContext, "surface_destroy" }

// Name returns "pipe_context" and "set_framebuffer_state".
func (*SetFramebuffer) Name() (class, method string) { return ClassContext, "set_framebuffer_state" }

// Name returns "pipe_context" and "set_tess_state".
func (*SetTessState) Name() (class, method string) { return ClassContext, "set_tess_state" }

// Name returns "pipe_context" and "set_patch_vertices".
func (*SetPatchVertices) Name() (class, method string) { return ClassContext, "set_patch_vertices" }

// Name returns "pipe_context" and "set_viewport_states".
func (*SetViewports) Name() (class, method string) { return ClassContext, "set_viewport_states" }

// Name returns "pipe_context" and "set_scissor_states".
func (*SetScissors) Name() (class, method string) { return ClassContext, "set_scissor_states" }

// Name returns "pipe_context" and "set_blend_color".
func (*SetBlendColor) Name() (class, method string) { return ClassContext, "set_blend_color" }

// Name returns "pipe_context" and "set_stencil_ref".
func (*SetStencilRef) Name() (class, method string) { return ClassContext, "set_stencil_ref" }

// Name returns "pipe_context" and "set_sample_mask".
func (*SetSampleMask) Name() (class, method string) { return ClassContext, "set_sample_mask" }

// Name returns "pipe_context" and "set_min_samples".
func (*SetMinSamples) Name() (class, method string) { return ClassContext, "set_min_samples" }

// Name returns "pipe_context" and "memory_barrier".
func (*MemoryBarrier) Name() (class, method string) { return ClassContext, "memory_barrier" }

// Name returns two empty strings: no trace holds such a call.
func (*NewWorld) Name() (class, method string) { return "", "" }
