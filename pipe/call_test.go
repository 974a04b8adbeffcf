package pipe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyCall is one call of each type and, where the method depends on the
// arguments, of each variant, with the class and method it must have.
func everyCall() []struct {
	call          Call
	class, method string
} {
	type row = struct {
		call          Call
		class, method string
	}
	rows := []row{
		{&Other{Class: "pipe_video_codec", Method: "begin_frame"}, "pipe_video_codec", "begin_frame"},
		{&ScreenCreate{}, "", "pipe_screen_create"},
		{&NewWorld{}, "", ""},
		{&ScreenDestroy{}, "pipe_screen", "destroy"},
		{&GetName{}, "pipe_screen", "get_name"},
		{&GetParam{}, "pipe_screen", "get_param"},
		{&ContextCreate{}, "pipe_screen", "context_create"},
		{&ResourceCreate{}, "pipe_screen", "resource_create"},
		{&ResourceCreate{Variant: "_drawable"}, "pipe_screen", "resource_create_drawable"},
		{&ResourceDestroy{}, "pipe_screen", "resource_destroy"},
	}
	for method, call := range map[string]Call{
		"destroy":                          &ContextDestroy{},
		"resource_release":                 &ResourceRelease{},
		"replace_buffer_storage":           &ReplaceBufferStorage{},
		"invalidate_resource":              &InvalidateResource{},
		"resource_copy_region":             &ResourceCopyRegion{},
		"clear_buffer":                     &ClearBuffer{},
		"buffer_subdata":                   &BufferSubdata{},
		"texture_subdata":                  &TextureSubdata{},
		"buffer_map":                       &Map{},
		"texture_map":                      &Map{Texture: true},
		"transfer_flush_region":            &FlushRegion{},
		"transfer_unmap":                   &Unmap{},
		"create_vs_state":                  &CreateShader{Stage: Vertex},
		"create_tcs_state":                 &CreateShader{Stage: TessCtrl},
		"create_tes_state":                 &CreateShader{Stage: TessEval},
		"create_gs_state":                  &CreateShader{Stage: Geometry},
		"create_fs_state":                  &CreateShader{Stage: Fragment},
		"create_ts_state":                  &CreateShader{Stage: Task},
		"create_ms_state":                  &CreateShader{Stage: Mesh},
		"create_compute_state":             &CreateCompute{},
		"create_rasterizer_state":          &CreateRasterizer{},
		"create_blend_state":               &CreateBlend{},
		"create_sampler_state":             &CreateSampler{},
		"create_vertex_elements_state":     &CreateVertexElements{},
		"bind_vs_state":                    &BindState{Kind: KindShader},
		"bind_compute_state":               &BindState{Kind: ShaderKind(Compute)},
		"bind_rasterizer_state":            &BindState{Kind: KindRasterizer},
		"bind_blend_state":                 &BindState{Kind: KindBlend},
		"bind_vertex_elements_state":       &BindState{Kind: KindVertexElements},
		"delete_gs_state":                  &DeleteState{Kind: ShaderKind(Geometry)},
		"delete_sampler_state":             &DeleteState{Kind: KindSampler},
		"bind_sampler_states":              &BindSamplers{},
		"create_stream_output_target":      &CreateStreamOutputTarget{},
		"stream_output_target_destroy":     &DestroyStreamOutputTarget{},
		"set_stream_output_targets":        &SetStreamOutputTargets{},
		"draw_vbo":                         &Draw{},
		"draw_vertex_state":                &DrawVertexState{},
		"launch_grid":                      &LaunchGrid{},
		"clear":                            &Clear{},
		"flush":                            &Flush{},
		"create_query":                     &CreateQuery{},
		"destroy_query":                    &DestroyQuery{},
		"begin_query":                      &BeginQuery{},
		"end_query":                        &EndQuery{},
		"get_query_result":                 &GetQueryResult{},
		"get_query_result_resource":        &GetQueryResultResource{},
		"render_condition":                 &RenderCondition{},
		"set_active_query_state":           &SetActiveQueryState{},
		"set_vertex_buffers":               &SetVertexBuffers{},
		"set_constant_buffer":              &SetConstantBuffer{},
		"set_shader_buffers":               &SetShaderBuffers{},
		"set_shader_images":                &SetShaderImages{},
		"create_sampler_view":              &CreateSamplerView{},
		"sampler_view_destroy":             &DestroySamplerView{},
		"sampler_view_release":             &DestroySamplerView{Release: true},
		"set_sampler_views":                &SetSamplerViews{},
		"create_surface":                   &CreateSurface{},
		"surface_destroy":                  &DestroySurface{},
		"set_framebuffer_state":            &SetFramebuffer{},
		"set_tess_state":                   &SetTessState{},
		"set_patch_vertices":               &SetPatchVertices{},
		"set_viewport_states":              &SetViewports{},
		"set_scissor_states":               &SetScissors{},
		"set_blend_color":                  &SetBlendColor{},
		"set_stencil_ref":                  &SetStencilRef{},
		"set_sample_mask":                  &SetSampleMask{},
		"set_min_samples":                  &SetMinSamples{},
		"memory_barrier":                   &MemoryBarrier{},
		"create_depth_stencil_alpha_state": &CreateDepthStencilAlpha{},
		"bind_depth_stencil_alpha_state":   &BindState{Kind: KindDepthStencilAlpha},
		"delete_depth_stencil_alpha_state": &DeleteState{Kind: KindDepthStencilAlpha},
	} {
		rows = append(rows, row{call, "pipe_context", method})
	}
	return rows
}

func TestCallNames(t *testing.T) {
	seen := map[string]string{}
	for _, r := range everyCall() {
		class, method := r.call.Name()
		require.Equal(t, r.class, class, "%T", r.call)
		require.Equal(t, r.method, method, "%T", r.call)
		name := class + "::" + method
		require.Empty(t, seen[name], "%T and %s have the same name", r.call, seen[name])
		seen[name] = reflect.TypeOf(r.call).String()
	}
}

// TestEveryCallIsEvery compares the table with the types that call.go declares.
func TestEveryCallIsEvery(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "call.go", nil, 0)
	require.NoError(t, err)
	declared := map[string]bool{}
	for _, d := range file.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			for _, s := range gen.Specs {
				if spec := s.(*ast.TypeSpec); spec.Name.Name != "Call" {
					declared[spec.Name.Name] = true
				}
			}
		}
	}
	listed := map[string]bool{}
	for _, r := range everyCall() {
		listed[reflect.TypeOf(r.call).Elem().Name()] = true
	}
	require.Equal(t, declared, listed)
}

func TestStateMethodsOfEveryKind(t *testing.T) {
	for k := range Kind(NumKinds) {
		if !k.IsState() {
			continue
		}
		_, bind := (&BindState{Kind: k}).Name()
		_, del := (&DeleteState{Kind: k}).Name()
		require.True(t, strings.HasPrefix(bind, "bind_"), bind)
		require.Equal(t, "delete_"+strings.TrimSuffix(strings.TrimPrefix(bind, "bind_"), "s"), strings.TrimSuffix(del, "s"))
		if stage, ok := k.Stage(); ok {
			require.Equal(t, "bind_"+stage.Infix()+"_state", bind)
			_, create := (&CreateShader{Stage: stage}).Name()
			require.Equal(t, "create_"+stage.Infix()+"_state", create)
		}
	}
}

// TestNamesOfHostileKinds holds that a kind or stage out of range is no panic.
func TestNamesOfHostileKinds(t *testing.T) {
	for v := range 256 {
		(&BindState{Kind: Kind(v)}).Name()
		(&DeleteState{Kind: Kind(v)}).Name()
		(&CreateShader{Stage: Stage(v)}).Name()
		_ = Kind(v).String()
		_ = Stage(v).Infix()
	}
}

func TestCreatedKinds(t *testing.T) {
	seen := map[Kind]bool{}
	for _, r := range everyCall() {
		kind, creates := Created(r.call)
		require.Equal(t, creates, Creates(r.call))
		makes := strings.HasPrefix(r.method, "create_") || strings.HasPrefix(r.method, "resource_create") ||
			r.method == "context_create" || r.method == "pipe_screen_create"
		require.Equal(t, makes, creates, r.method)
		if !creates {
			continue
		}
		seen[kind] = true
		if kind.IsState() {
			_, bind := (&BindState{Kind: kind}).Name()
			require.Equal(t, strings.TrimPrefix(r.method, "create_"), strings.TrimSuffix(strings.TrimPrefix(bind, "bind_"), "s"))
		}
	}
	for k := range Kind(NumKinds) {
		// A transfer is an argument of map, a fence is returned by flush if asked for.
		require.Equal(t, k != KindTransfer && k != KindFence, seen[k], k.String())
	}
}

func TestKinds(t *testing.T) {
	require.Equal(t, Kind(NumStages), KindRasterizer)
	names := map[string]bool{}
	for k := range Kind(NumKinds) {
		require.False(t, names[k.String()], k.String())
		names[k.String()] = true
		stage, ok := k.Stage()
		require.Equal(t, k < NumStages, ok)
		if ok {
			require.Equal(t, k, ShaderKind(stage))
		}
		require.Equal(t, k <= KindVertexElements, k.IsState(), k.String())
	}
	require.Len(t, kindNames, NumKinds)
}
