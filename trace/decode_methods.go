package trace

import "github.com/outflow-gpu/outflow/pipe"

// decodeFunc makes the operation of a call. f stands behind the object of the
// call. It returns false when the call cannot be told for sure.
type decodeFunc func(f fields, method string, op *pipe.Op) bool

// methods are the calls that have structs in package pipe, under all names that
// they had.
var methods = map[string]struct {
	class  string
	decode decodeFunc
}{
	"pipe_screen_create":               {"", decodeScreenCreate},
	"get_name":                         {pipe.ClassScreen, decodeGetName},
	"get_param":                        {pipe.ClassScreen, decodeGetParam},
	"context_create":                   {pipe.ClassScreen, decodeContextCreate},
	"resource_create":                  {pipe.ClassScreen, decodeResourceCreate},
	"resource_create_drawable":         {pipe.ClassScreen, decodeResourceCreate},
	"resource_create_unbacked":         {pipe.ClassScreen, decodeResourceCreate},
	"resource_create_with_modifiers":   {pipe.ClassScreen, decodeResourceCreate},
	"resource_from_handle":             {pipe.ClassScreen, decodeResourceCreate},
	"resource_from_memobj":             {pipe.ClassScreen, decodeResourceCreate},
	"resource_from_user_memory":        {pipe.ClassScreen, decodeResourceCreate},
	"resource_destroy":                 {pipe.ClassScreen, decodeResourceDestroy},
	"resource_release":                 {pipe.ClassContext, decodeResourceRelease},
	"replace_buffer_storage":           {pipe.ClassContext, decodeReplaceBufferStorage},
	"invalidate_resource":              {pipe.ClassContext, decodeInvalidateResource},
	"resource_copy_region":             {pipe.ClassContext, decodeResourceCopyRegion},
	"clear_buffer":                     {pipe.ClassContext, decodeClearBuffer},
	"buffer_subdata":                   {pipe.ClassContext, decodeBufferSubdata},
	"texture_subdata":                  {pipe.ClassContext, decodeTextureSubdata},
	"transfer_inline_write":            {pipe.ClassContext, decodeInlineWrite},
	"buffer_map":                       {pipe.ClassContext, decodeMap},
	"texture_map":                      {pipe.ClassContext, decodeMap},
	"transfer_flush_region":            {pipe.ClassContext, decodeFlushRegion},
	"transfer_unmap":                   {pipe.ClassContext, decodeUnmap},
	"create_compute_state":             {pipe.ClassContext, decodeCreateCompute},
	"create_rasterizer_state":          {pipe.ClassContext, decodeCreateRasterizer},
	"create_depth_stencil_alpha_state": {pipe.ClassContext, decodeCreateDepthStencilAlpha},
	"create_blend_state":               {pipe.ClassContext, decodeCreateBlend},
	"create_sampler_state":             {pipe.ClassContext, decodeCreateSampler},
	"create_vertex_elements_state":     {pipe.ClassContext, decodeCreateVertexElements},
	"bind_sampler_states":              {pipe.ClassContext, decodeBindSamplers},
	"bind_vertex_sampler_states":       {pipe.ClassContext, decodeBindSamplers},
	"bind_geometry_sampler_states":     {pipe.ClassContext, decodeBindSamplers},
	"bind_fragment_sampler_states":     {pipe.ClassContext, decodeBindSamplers},
	"bind_compute_sampler_states":      {pipe.ClassContext, decodeBindSamplers},
	"create_stream_output_target":      {pipe.ClassContext, decodeCreateTarget},
	"stream_output_target_destroy":     {pipe.ClassContext, decodeDestroyTarget},
	"set_stream_output_targets":        {pipe.ClassContext, decodeSetTargets},
	"draw_vbo":                         {pipe.ClassContext, decodeDraw},
	"draw_vertex_state":                {pipe.ClassContext, decodeDrawVertexState},
	"launch_grid":                      {pipe.ClassContext, decodeLaunchGrid},
	"clear":                            {pipe.ClassContext, decodeClear},
	"flush":                            {pipe.ClassContext, decodeFlush},
	"create_query":                     {pipe.ClassContext, decodeCreateQuery},
	"destroy_query":                    {pipe.ClassContext, decodeDestroyQuery},
	"begin_query":                      {pipe.ClassContext, decodeBeginQuery},
	"end_query":                        {pipe.ClassContext, decodeEndQuery},
	"get_query_result":                 {pipe.ClassContext, decodeGetQueryResult},
	"get_query_result_resource":        {pipe.ClassContext, decodeQueryResultResource},
	"render_condition":                 {pipe.ClassContext, decodeRenderCondition},
	"set_active_query_state":           {pipe.ClassContext, decodeSetActiveQueryState},
	"set_vertex_buffers":               {pipe.ClassContext, decodeSetVertexBuffers},
	"set_constant_buffer":              {pipe.ClassContext, decodeSetConstantBuffer},
	"set_shader_buffers":               {pipe.ClassContext, decodeSetShaderBuffers},
	"set_shader_images":                {pipe.ClassContext, decodeSetShaderImages},
	"create_sampler_view":              {pipe.ClassContext, decodeCreateSamplerView},
	"sampler_view_destroy":             {pipe.ClassContext, decodeDestroySamplerView},
	"sampler_view_release":             {pipe.ClassContext, decodeDestroySamplerView},
	"set_sampler_views":                {pipe.ClassContext, decodeSetSamplerViews},
	"set_vertex_sampler_views":         {pipe.ClassContext, decodeSetSamplerViews},
	"set_geometry_sampler_views":       {pipe.ClassContext, decodeSetSamplerViews},
	"set_fragment_sampler_views":       {pipe.ClassContext, decodeSetSamplerViews},
	"set_compute_sampler_views":        {pipe.ClassContext, decodeSetSamplerViews},
	"create_surface":                   {pipe.ClassContext, decodeCreateSurface},
	"surface_destroy":                  {pipe.ClassContext, decodeDestroySurface},
	"set_framebuffer_state":            {pipe.ClassContext, decodeSetFramebuffer},
	"current_framebuffer_state":        {pipe.ClassContext, decodeSetFramebuffer},
	"set_tess_state":                   {pipe.ClassContext, decodeSetTessState},
	"set_patch_vertices":               {pipe.ClassContext, decodeSetPatchVertices},
	"set_viewport_state":               {pipe.ClassContext, decodeSetViewports},
	"set_viewport_states":              {pipe.ClassContext, decodeSetViewports},
	"set_scissor_state":                {pipe.ClassContext, decodeSetScissors},
	"set_scissor_states":               {pipe.ClassContext, decodeSetScissors},
	"set_blend_color":                  {pipe.ClassContext, decodeSetBlendColor},
	"set_stencil_ref":                  {pipe.ClassContext, decodeSetStencilRef},
	"set_sample_mask":                  {pipe.ClassContext, decodeSetSampleMask},
	"set_min_samples":                  {pipe.ClassContext, decodeSetMinSamples},
	"memory_barrier":                   {pipe.ClassContext, decodeMemoryBarrier},
	"create_vs_state":                  {pipe.ClassContext, createShader(pipe.Vertex)},
	"create_tcs_state":                 {pipe.ClassContext, createShader(pipe.TessCtrl)},
	"create_tes_state":                 {pipe.ClassContext, createShader(pipe.TessEval)},
	"create_gs_state":                  {pipe.ClassContext, createShader(pipe.Geometry)},
	"create_fs_state":                  {pipe.ClassContext, createShader(pipe.Fragment)},
	"create_ts_state":                  {pipe.ClassContext, createShader(pipe.Task)},
	"create_ms_state":                  {pipe.ClassContext, createShader(pipe.Mesh)},
	"bind_vs_state":                    {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Vertex))},
	"bind_tcs_state":                   {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.TessCtrl))},
	"bind_tes_state":                   {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.TessEval))},
	"bind_gs_state":                    {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Geometry))},
	"bind_fs_state":                    {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Fragment))},
	"bind_ts_state":                    {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Task))},
	"bind_ms_state":                    {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Mesh))},
	"bind_compute_state":               {pipe.ClassContext, bindState(pipe.ShaderKind(pipe.Compute))},
	"bind_rasterizer_state":            {pipe.ClassContext, bindState(pipe.KindRasterizer)},
	"bind_depth_stencil_alpha_state":   {pipe.ClassContext, bindState(pipe.KindDepthStencilAlpha)},
	"bind_blend_state":                 {pipe.ClassContext, bindState(pipe.KindBlend)},
	"bind_vertex_elements_state":       {pipe.ClassContext, bindState(pipe.KindVertexElements)},
	"delete_vs_state":                  {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Vertex))},
	"delete_tcs_state":                 {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.TessCtrl))},
	"delete_tes_state":                 {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.TessEval))},
	"delete_gs_state":                  {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Geometry))},
	"delete_fs_state":                  {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Fragment))},
	"delete_ts_state":                  {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Task))},
	"delete_ms_state":                  {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Mesh))},
	"delete_compute_state":             {pipe.ClassContext, deleteState(pipe.ShaderKind(pipe.Compute))},
	"delete_rasterizer_state":          {pipe.ClassContext, deleteState(pipe.KindRasterizer)},
	"delete_depth_stencil_alpha_state": {pipe.ClassContext, deleteState(pipe.KindDepthStencilAlpha)},
	"delete_blend_state":               {pipe.ClassContext, deleteState(pipe.KindBlend)},
	"delete_vertex_elements_state":     {pipe.ClassContext, deleteState(pipe.KindVertexElements)},
	"delete_sampler_state":             {pipe.ClassContext, deleteState(pipe.KindSampler)},
	"destroy":                          {pipe.ClassContext, decodeContextDestroy},
}

// decoder returns how a call is decoded, nil when it is not. The one method that
// two classes have is destroy.
func decoder(class, method string) decodeFunc {
	if method == "destroy" && class == pipe.ClassScreen {
		return decodeScreenDestroy
	}
	if m := methods[method]; m.class == class {
		return m.decode
	}
	return nil
}

// Decodes says whether a Decoder makes more than a pipe.Other of the calls of a
// method, or learns from them. As Options.Wanted it passes over the rest, which
// is most of a trace up to Mesa 24: questions about formats and capabilities.
func Decodes(class, method string) bool {
	switch method {
	case "set_index_buffer", "get_compiler_options", "get_shader_param": // see dialect.watch
		return true
	}
	return decoder(class, method) != nil
}

// argumentNames are the arguments of those calls. A value under another name may
// be any of them.
var argumentNames = map[string]bool{
	"pipe": true, "context": true, "screen": true, "priv": true, "flags": true,
	"param": true, "templat": true, "loader_data": true, "resource": true, "res": true,
	"dst": true, "dst_level": true, "dstx": true, "dsty": true, "dstz": true,
	"src": true, "src_level": true, "src_box": true, "num_rebinds": true, "rebind_mask": true,
	"delete_buffer_id": true, "modifiers": true, "handle": true, "usage": true, "memobj": true,
	"offset": true, "size": true, "clear_value": true, "clear_value_size": true, "data": true,
	"stride": true, "layer_stride": true, "level": true, "box": true, "transfer": true,
	"xfer": true, "state": true, "num_elements": true, "elements": true, "shader": true,
	"start": true, "num_states": true, "states": true, "buffer_offset": true, "buffer_size": true,
	"target": true, "num_targets": true, "tgs": true, "offsets": true, "append_bitmask": true,
	"output_prim": true, "info": true, "drawid_offset": true, "indirect": true, "draws": true,
	"num_draws": true, "partial_velem_mask": true, "buffers": true, "color_clear_mask": true, "stencil_clear_mask": true,
	"scissor_state": true, "color": true, "depth": true, "stencil": true, "color->ui": true,
	"color.ui": true, "color->f": true, "query_type": true, "index": true, "query": true,
	"wait": true, "result": true, "result_type": true, "condition": true, "mode": true,
	"enable": true, "start_slot": true, "num_buffers": true, "unbind_num_trailing_slots": true, "take_ownership": true,
	"constant_buffer": true, "buffer": true, "writable_bitmask": true, "images": true, "view": true,
	"templ": true, "num": true, "views": true, "surface": true, "surf_tmpl": true,
	"default_outer_level": true, "default_inner_level": true, "patch_vertices": true, "num_viewports": true, "num_scissors": true,
	"&state": true, "sample_mask": true, "min_samples": true, "he->data": true, "NULL": true,
}

// calls has one of each call, for reuse.
type calls struct {
	newWorld                pipe.NewWorld
	other                   pipe.Other
	screenCreate            pipe.ScreenCreate
	screenDestroy           pipe.ScreenDestroy
	getName                 pipe.GetName
	getParam                pipe.GetParam
	contextCreate           pipe.ContextCreate
	contextDestroy          pipe.ContextDestroy
	resourceCreate          pipe.ResourceCreate
	resourceDestroy         pipe.ResourceDestroy
	resourceRelease         pipe.ResourceRelease
	replaceBufferStorage    pipe.ReplaceBufferStorage
	invalidateResource      pipe.InvalidateResource
	resourceCopyRegion      pipe.ResourceCopyRegion
	clearBuffer             pipe.ClearBuffer
	bufferSubdata           pipe.BufferSubdata
	textureSubdata          pipe.TextureSubdata
	mapping                 pipe.Map
	flushRegion             pipe.FlushRegion
	unmap                   pipe.Unmap
	createShader            pipe.CreateShader
	createCompute           pipe.CreateCompute
	createRasterizer        pipe.CreateRasterizer
	createDepthStencilAlpha pipe.CreateDepthStencilAlpha
	createBlend             pipe.CreateBlend
	createSampler           pipe.CreateSampler
	createVertexElements    pipe.CreateVertexElements
	bindState               pipe.BindState
	deleteState             pipe.DeleteState
	bindSamplers            pipe.BindSamplers
	createTarget            pipe.CreateStreamOutputTarget
	destroyTarget           pipe.DestroyStreamOutputTarget
	setTargets              pipe.SetStreamOutputTargets
	draw                    pipe.Draw
	drawVertexState         pipe.DrawVertexState
	launchGrid              pipe.LaunchGrid
	clear                   pipe.Clear
	flush                   pipe.Flush
	createQuery             pipe.CreateQuery
	destroyQuery            pipe.DestroyQuery
	beginQuery              pipe.BeginQuery
	endQuery                pipe.EndQuery
	getQueryResult          pipe.GetQueryResult
	queryResultResource     pipe.GetQueryResultResource
	renderCondition         pipe.RenderCondition
	setActiveQueryState     pipe.SetActiveQueryState
	setVertexBuffers        pipe.SetVertexBuffers
	setConstantBuffer       pipe.SetConstantBuffer
	setShaderBuffers        pipe.SetShaderBuffers
	setShaderImages         pipe.SetShaderImages
	createSamplerView       pipe.CreateSamplerView
	destroySamplerView      pipe.DestroySamplerView
	setSamplerViews         pipe.SetSamplerViews
	createSurface           pipe.CreateSurface
	destroySurface          pipe.DestroySurface
	setFramebuffer          pipe.SetFramebuffer
	setTessState            pipe.SetTessState
	setPatchVertices        pipe.SetPatchVertices
	setViewports            pipe.SetViewports
	setScissors             pipe.SetScissors
	setBlendColor           pipe.SetBlendColor
	setStencilRef           pipe.SetStencilRef
	setSampleMask           pipe.SetSampleMask
	setMinSamples           pipe.SetMinSamples
	memoryBarrier           pipe.MemoryBarrier
}
