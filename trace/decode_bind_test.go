package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

func TestDecodeBindings(t *testing.T) {
	vertex := arg("shader", name("MESA_SHADER_VERTEX"))
	vb := func(members ...string) string { return arg("buffers", array(object("pipe_vertex_buffer", members...))) }
	tex := func(pairs string) string { return member("u", object("", member("tex", object("", numbers(pairs))))) }
	buf := func(pairs string) string { return member("u", object("", member("buf", object("", numbers(pairs))))) }
	for _, test := range []struct {
		name, call string
		want       pipe.Call
	}{
		{"vertex buffers, Mesa 24: all slots", call("1", "set_vertex_buffers", argPipe, arg("num_buffers", number10("1")),
			vb(member("is_user_buffer", "<bool>0</bool>"), numbers("buffer_offset 16"), member("buffer.resource", pointer("b")))),
			&pipe.SetVertexBuffers{All: true, Count: 1, Buffers: []pipe.VertexBuffer{{Offset: 16, Resource: 0xb}}}},
		{"vertex buffers, Mesa 23.3: those behind are counted", call("1", "set_vertex_buffers", argPipe, arg("num_buffers", number10("0")),
			arg("unbind_num_trailing_slots", number10("3")), arg("take_ownership", "<bool>1</bool>"), arg("buffers", "<null/>")),
			&pipe.SetVertexBuffers{UnbindTrailing: 3, TakeOwnership: true}},
		{"vertex buffers, Mesa 22: from a slot on, with strides", call("1", "set_vertex_buffers", argPipe, arg("start_slot", number10("2")), arg("num_buffers", number10("1")),
			arg("unbind_num_trailing_slots", number10("0")), arg("take_ownership", "<bool>0</bool>"),
			vb(numbers("stride 12"), member("is_user_buffer", "<bool>1</bool>"), numbers("buffer_offset 0"), member("buffer.resource", pointer("b")))),
			&pipe.SetVertexBuffers{Start: 2, Count: 1, Buffers: []pipe.VertexBuffer{{Stride: 12, HasStride: true, IsUserBuffer: true, Resource: 0xb}}}},
		{"vertex buffers, Mesa 10: user memory apart", call("1", "set_vertex_buffers", argPipe, arg("start_slot", number10("0")), arg("num_buffers", number10("1")),
			vb(numbers("stride 0 buffer_offset 4"), member("buffer", "<null/>"), member("user_buffer", pointer("b")))),
			&pipe.SetVertexBuffers{Count: 1, Buffers: []pipe.VertexBuffer{{HasStride: true, IsUserBuffer: true, Offset: 4, Resource: 0xb}}}},
		{"vertex buffers, Mesa 8: all slots", call("1", "set_vertex_buffers", argPipe, arg("num_buffers", number10("1")),
			vb(numbers("stride 8 buffer_offset 4"), member("buffer", pointer("b")))),
			&pipe.SetVertexBuffers{All: true, Count: 1, Buffers: []pipe.VertexBuffer{{Stride: 8, HasStride: true, Offset: 4, Resource: 0xb}}}},
		{"a constant buffer", call("1", "set_constant_buffer", argPipe, vertex, arg("index", number10("1")), arg("take_ownership", "<bool>1</bool>"),
			arg("constant_buffer", object("pipe_constant_buffer", member("buffer", "<null/>"), numbers("buffer_offset 4 buffer_size 64")))),
			&pipe.SetConstantBuffer{Index: 1, TakeOwnership: true, Buffer: &pipe.ConstantBuffer{Offset: 4, Size: 64}}},
		{"no constant buffer", call("1", "set_constant_buffer", argPipe, vertex, arg("index", number10("1")), arg("constant_buffer", "<null/>")),
			&pipe.SetConstantBuffer{Index: 1}},
		{"a constant buffer without a name, Mesa 9.0", call("1", "set_constant_buffer", argPipe, arg("shader", number10("1")), arg("index", number10("0")),
			object("pipe_constant_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 64"))),
			&pipe.SetConstantBuffer{Stage: pipe.Fragment, Buffer: &pipe.ConstantBuffer{Resource: 0xb, Offset: 4, Size: 64}}},
		{"a constant buffer as a resource, Mesa 7.12", call("1", "set_constant_buffer", argPipe, arg("shader", number10("2")), arg("index", number10("0")), arg("buffer", pointer("b"))),
			&pipe.SetConstantBuffer{Stage: pipe.Geometry, Buffer: &pipe.ConstantBuffer{Resource: 0xb}}},
		{"no resource as a constant buffer, Mesa 7.12", call("1", "set_constant_buffer", argPipe, arg("shader", number10("2")), arg("index", number10("0")), arg("buffer", "<null/>")),
			&pipe.SetConstantBuffer{Stage: pipe.Geometry}},
		{"shader buffers", call("1", "set_shader_buffers", argContext, arg("shader", number10("0")), arg("start", number10("1")),
			arg("buffers", array(object("pipe_shader_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 8")))), arg("writable_bitmask", number10("1"))),
			&pipe.SetShaderBuffers{Start: 1, Buffers: []pipe.ShaderBuffer{{Resource: 0xb, Offset: 4, Size: 8}}, WritableMask: 1}},
		{"shader buffers with an argument inside another, Mesa 19.1 to 20.3", call("1", "set_shader_buffers", argContext, arg("shader", number10("0")), arg("start", number10("1")),
			"<arg name='buffers'>"+array(object("pipe_shader_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 8")))+
				"\t\t"+arg("writable_bitmask", number10("1"))+"\n</arg>"),
			&pipe.SetShaderBuffers{Start: 1, Buffers: []pipe.ShaderBuffer{{Resource: 0xb, Offset: 4, Size: 8}}, WritableMask: 1}},
		{"images", call("1", "set_shader_images", argContext, arg("shader", number10("0")), arg("start", number10("1")), arg("images", array(
			object("pipe_image_view", member("resource", pointer("b")), member("format", name("PIPE_FORMAT_R32_UINT")), numbers("access 3"), buf("offset 4 size 8")),
			object("pipe_image_view", member("resource", pointer("c")), numbers("format 9 access 1"), tex("first_layer 1 last_layer 2 level 3")))),
			arg("unbind_num_trailing_slots", number10("2"))),
			&pipe.SetShaderImages{Start: 1, UnbindTrailing: 2, Images: []pipe.ImageView{
				{Resource: 0xb, Format: "PIPE_FORMAT_R32_UINT", Access: 3, IsBuffer: true, Offset: 4, Size: 8},
				{Resource: 0xc, Format: "9", Access: 1, FirstLayer: 1, LastLayer: 2, Level: 3}}}},
		{"samplers", call("1", "bind_sampler_states", argPipe, vertex, arg("start", number10("1")), arg("num_states", number10("2")), arg("states", array(pointer("a"), "<null/>"))),
			&pipe.BindSamplers{Start: 1, States: []pipe.Handle{0xa, 0}}},
		{"samplers of one stage, Mesa 10.0", call("1", "bind_geometry_sampler_states", argPipe, arg("num_states", number10("1")), arg("states", array(pointer("a")))),
			&pipe.BindSamplers{Stage: pipe.Geometry, States: []pipe.Handle{0xa}}},
		{"views, Mesa 26", call("1", "set_sampler_views", argPipe, vertex, arg("start", number10("0")), arg("unbind_num_trailing_slots", number10("1")), arg("views", array(pointer("a"), "<null/>"))),
			&pipe.SetSamplerViews{Count: 2, UnbindTrailing: 1, Views: []pipe.Handle{0xa, 0}}},
		{"views, Mesa 22, NULL", call("1", "set_sampler_views", argPipe, vertex, arg("start", number10("1")), arg("num", number10("2")), arg("unbind_num_trailing_slots", number10("0")),
			arg("take_ownership", "<bool>1</bool>"), arg("views", "<null/>")),
			&pipe.SetSamplerViews{Start: 1, Count: 2, TakeOwnership: true}},
		{"views of one stage, Mesa 10.0: all slots", call("1", "set_fragment_sampler_views", argPipe, arg("num", number10("1")), arg("views", array(pointer("a")))),
			&pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 1, UnbindTrailing: 127, Views: []pipe.Handle{0xa}}},
		{"a view of a texture", call("1", "create_sampler_view", argPipe, arg("resource", pointer("b")), arg("templ", object("pipe_sampler_view",
			member("format", name("PIPE_FORMAT_R8_UNORM")), member("target", name("PIPE_TEXTURE_3D")), member("texture", pointer("77")),
			tex("first_layer 1 last_layer 2 first_level 3 last_level 4"), numbers("swizzle_r 0 swizzle_g 1 swizzle_b 2 swizzle_a 5"))), retPtr),
			&pipe.CreateSamplerView{Resource: 0xb, View: pipe.SamplerView{Format: "PIPE_FORMAT_R8_UNORM", Target: pipe.Texture3D, Texture: 0x77,
				FirstLayer: 1, LastLayer: 2, FirstLevel: 3, LastLevel: 4, SwizzleG: 1, SwizzleB: 2, SwizzleA: 5}}},
		{"a view of a buffer", call("1", "create_sampler_view", argPipe, arg("resource", pointer("b")), arg("templ", object("pipe_sampler_view", buf("offset 4 size 8"))), retPtr),
			&pipe.CreateSamplerView{Resource: 0xb, View: pipe.SamplerView{IsBuffer: true, Offset: 4, Size: 8}}},
		{"the end of a view", call("1", "sampler_view_release", argPipe, arg("view", pointer("a"))), &pipe.DestroySamplerView{View: 0xa, Release: true}},
		{"a surface", call("1", "create_surface", argPipe, arg("resource", pointer("b")), arg("surf_tmpl", object("pipe_surface", member("format", name("PIPE_FORMAT_R8_UNORM")),
			member("texture", "<null/>"), numbers("width 3 height 4"), member("target", name("PIPE_TEXTURE_2D")), tex("level 1 first_layer 2 last_layer 3"))), retPtr),
			&pipe.CreateSurface{Resource: 0xb, Surface: pipe.Surface{Format: "PIPE_FORMAT_R8_UNORM", Width: 3, Height: 4, Target: pipe.Texture2D, Level: 1, FirstLayer: 2, LastLayer: 3}}},
		{"a surface of a buffer", call("1", "create_surface", argPipe, arg("resource", pointer("b")), arg("surf_tmpl", object("pipe_surface", buf("first_element 1 last_element 2"))), retPtr),
			&pipe.CreateSurface{Resource: 0xb, Surface: pipe.Surface{IsBuffer: true, FirstElement: 1, LastElement: 2}}},
		{"a framebuffer of handles: as many as are used", call("1", "set_framebuffer_state", argPipe, arg("state", object("pipe_framebuffer_state",
			numbers("width 8 height 9 samples 4 layers 1 nr_cbufs 2"), member("cbufs", array(pointer("a"), "<null/>", pointer("b"))), member("zsbuf", pointer("c"))))),
			&pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 8, Height: 9, Samples: 4, Layers: 1, Cbufs: []pipe.SurfaceRef{{Handle: 0xa}, {}}, Zsbuf: pipe.SurfaceRef{Handle: 0xc}}}},
		{"a framebuffer of surfaces, Mesa 25.2", call("1", "set_framebuffer_state", argPipe, arg("state", object("pipe_framebuffer_state",
			numbers("width 8 height 9 samples 0 layers 0 nr_cbufs 1"), member("pls_enabled", "<bool>1</bool>"), member("cbufs", array(object("pipe_surface",
				member("format", name("PIPE_FORMAT_R8_UNORM")), member("texture", pointer("b")), member("target", name("PIPE_TEXTURE_2D")), numbers("level 1 first_layer 2 last_layer 3")))),
			member("zsbuf", object("pipe_surface", member("format", name("PIPE_FORMAT_NONE")), member("texture", "<null/>")))))),
			&pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 8, Height: 9, PLSEnabled: true, Cbufs: []pipe.SurfaceRef{{Embedded: true, Surface: pipe.Surface{
				Format: "PIPE_FORMAT_R8_UNORM", Texture: 0xb, Target: pipe.Texture2D, Level: 1, FirstLayer: 2, LastLayer: 3}}},
				Zsbuf: pipe.SurfaceRef{Embedded: true, Surface: pipe.Surface{Format: pipe.FormatNone}}}}},
		{"the framebuffer that a trace begun late finds", call("1", "current_framebuffer_state", argPipe, arg("state", object("pipe_framebuffer_state", numbers("width 8 nr_cbufs 0"), member("cbufs", array())))),
			&pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 8, Cbufs: []pipe.SurfaceRef{}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, test.call)
			require.Equal(t, test.want, op.Call)
			require.Empty(t, op.Raw.Misfits)
		})
	}
}

// TestDecodeConstantBufferAlone is not given the range of the one before.
func TestDecodeConstantBufferAlone(t *testing.T) {
	op := decodeLast(t, call("1", "set_constant_buffer", argPipe, arg("shader", number10("1")), arg("index", number10("0")),
		object("pipe_constant_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 64"))),
		call("1", "set_constant_buffer", argPipe, arg("shader", number10("1")), arg("index", number10("0")), arg("buffer", pointer("c"))))
	require.Equal(t, &pipe.SetConstantBuffer{Stage: pipe.Fragment, Buffer: &pipe.ConstantBuffer{Resource: 0xc}}, op.Call)
}

func TestDecodeFixedState(t *testing.T) {
	floats := func(values ...string) string {
		for i := range values {
			values[i] = "<float>" + values[i] + "</float>"
		}
		return array(values...)
	}
	port := object("pipe_viewport_state", member("scale", floats("1", "2", "3")), member("translate", floats("4", "5", "1e+06")))
	portWant := pipe.Viewport{Scale: [3]float32{1, 2, 3}, Translate: [3]float32{4, 5, 1e6}}
	scissor := object("pipe_scissor_state", numbers("minx 1 miny 2 maxx 3 maxy 4"))
	scissorWant := pipe.Scissor{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}
	for _, test := range []struct {
		name, call string
		want       pipe.Call
	}{
		{"viewports: the first of three", call("1", "set_viewport_states", argPipe, arg("start_slot", number10("1")), arg("num_viewports", number10("3")), arg("states", port)),
			&pipe.SetViewports{Start: 1, Count: 3, Viewports: []pipe.Viewport{portWant}}},
		{"viewports as an array", call("1", "set_viewport_states", argPipe, arg("start_slot", number10("0")), arg("num_viewports", number10("2")), arg("states", array(port, port))),
			&pipe.SetViewports{Count: 2, Viewports: []pipe.Viewport{portWant, portWant}}},
		{"the viewport, Mesa 9.1", call("1", "set_viewport_state", argPipe, arg("state", port)), &pipe.SetViewports{Count: 1, Viewports: []pipe.Viewport{portWant}}},
		{"scissors", call("1", "set_scissor_states", argPipe, arg("start_slot", number10("0")), arg("num_scissors", number10("1")), arg("states", scissor)),
			&pipe.SetScissors{Count: 1, Scissors: []pipe.Scissor{scissorWant}}},
		{"the scissor, Mesa 9.1", call("1", "set_scissor_state", argPipe, arg("state", scissor)), &pipe.SetScissors{Count: 1, Scissors: []pipe.Scissor{scissorWant}}},
		{"stencil references, an escaped name", call("1", "set_stencil_ref", argPipe, arg("&amp;state", object("pipe_stencil_ref", member("ref_value", uints("1", "255"))))),
			&pipe.SetStencilRef{Ref: [2]uint8{1, 255}}},
		{"stencil references", call("1", "set_stencil_ref", argPipe, arg("state", object("pipe_stencil_ref", member("ref_value", uints("1", "2"))))),
			&pipe.SetStencilRef{Ref: [2]uint8{1, 2}}},
		{"the blend colour", call("1", "set_blend_color", argPipe, arg("state", object("pipe_blend_color", member("color", floats("0,5", "-0", "inf", "1"))))),
			&pipe.SetBlendColor{Color: [4]float32{0.5, 0, inf(), 1}}},
		{"tessellation levels", call("1", "set_tess_state", argContext, arg("default_outer_level", floats("1", "2", "3", "4")), arg("default_inner_level", floats("5", "6"))),
			&pipe.SetTessState{Outer: [4]float32{1, 2, 3, 4}, Inner: [2]float32{5, 6}}},
		{"patches", call("1", "set_patch_vertices", argContext, arg("patch_vertices", number10("3"))), &pipe.SetPatchVertices{Vertices: 3}},
		{"samples", call("1", "set_min_samples", argPipe, arg("min_samples", number10("4"))), &pipe.SetMinSamples{Samples: 4}},
		{"a sample mask", call("1", "set_sample_mask", argPipe, arg("sample_mask", number10("4294967295"))), &pipe.SetSampleMask{Mask: 1<<32 - 1}},
		{"a barrier", call("1", "memory_barrier", argContext, arg("flags", number10("64"))), &pipe.MemoryBarrier{Flags: 64}},
		{"queries go on", call("1", "set_active_query_state", argPipe, arg("enable", "<bool>1</bool>")), &pipe.SetActiveQueryState{Enable: true}},
		{"flush, Mesa 7.12", call("1", "flush", argPipe), &pipe.Flush{}},
		{"display lists", call("1", "draw_vertex_state", argPipe, arg("state", pointer("a")), arg("partial_velem_mask", number10("3")),
			arg("info", object("pipe_draw_vertex_state_info", numbers("mode 4"), member("take_vertex_state_ownership", "<bool>1</bool>"))),
			arg("draws", array(object("pipe_draw_start_count_bias", numbers("start 1 count 3")))), arg("num_draws", number10("1"))),
			&pipe.DrawVertexState{State: 0xa, PartialMask: 3, Mode: pipe.Triangles, TakeOwnership: true, Draws: []pipe.DrawRange{{Start: 1, Count: 3}}, NumDraws: 1}},
		{"a grid", call("1", "launch_grid", argPipe, arg("info", object("pipe_grid_info", numbers("pc 0"), member("input", "<null/>"), member("block", uints("1", "2", "3")),
			member("grid", uints("4", "5", "6")), member("indirect", pointer("b")), numbers("indirect_offset 8")))),
			&pipe.LaunchGrid{Info: pipe.GridInfo{Block: [3]uint32{1, 2, 3}, Grid: [3]uint32{4, 5, 6}, Indirect: 0xb, IndirectOffset: 8}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, decodeLast(t, test.call).Call)
		})
	}
}

// TestDecodeStages reads the same number in traces of different ages.
func TestDecodeStages(t *testing.T) {
	constants := func(shader string) string {
		return call("1", "set_constant_buffer", argPipe, arg("shader", shader), arg("index", number10("0")), arg("constant_buffer", "<null/>"))
	}
	storage := func(shader string) string {
		return call("2", "set_shader_buffers", argContext, arg("shader", number10(shader)), arg("start", number10("0")), arg("buffers", "<null/>"))
	}
	caps := call("1", "get_shader_param", argScreen, arg("shader", name("MESA_SHADER_VERTEX")), arg("param", name("PIPE_SHADER_CAP_INTEGERS")), "<ret><int>1</int></ret>")
	tess := call("1", "set_tess_state", argContext, arg("default_outer_level", array()), arg("default_inner_level", array()))
	resource := call("1", "resource_create", argScreen, arg("templat", object("pipe_resource", member("target", signed10("0")))), retPtr)
	elements := call("1", "create_vertex_elements_state", argPipe, arg("num_elements", number10("1")), arg("elements", array(object("pipe_vertex_element", numbers("src_stride 4")))), retPtr)
	for _, test := range []struct {
		name  string
		calls []string
		want  pipe.Stage
		known bool
	}{
		{"storage: 0 is always the vertex stage", []string{storage("0")}, pipe.Vertex, true},
		{"storage: 1 alone cannot be told", []string{storage("1")}, 0, false},
		{"storage: 1 beside MESA_SHADER names", []string{constants(name("MESA_SHADER_FRAGMENT")), storage("1")}, pipe.TessCtrl, true},
		{"storage: 4 beside MESA_SHADER names in capabilities", []string{caps, storage("4")}, pipe.Fragment, true},
		{"storage: 4 in a trace that keeps strides in elements", []string{elements, storage("4")}, pipe.Fragment, true},
		{"storage: 1 beside PIPE_SHADER names", []string{constants(name("PIPE_SHADER_VERTEX")), storage("1")}, pipe.Fragment, true},
		{"storage: 3 beside numbers", []string{constants(number10("0")), storage("3")}, pipe.TessCtrl, true},
		{"storage: 5 beside resources with numbers", []string{resource, storage("5")}, pipe.Compute, true},
		{"storage: 8 is no stage", []string{caps, storage("8")}, 0, false},
		{"constants: a number is of Mesa before 22", []string{constants(number10("2"))}, pipe.Geometry, true},
		{"constants: 3 was compute before tessellation", []string{constants(number10("3"))}, 0, false},
		{"constants: 3 with tessellation", []string{tess, constants(number10("3"))}, pipe.TessCtrl, true},
		{"constants: 4 proves tessellation", []string{constants(number10("4")), constants(number10("3"))}, pipe.TessCtrl, true},
		{"constants: 9 is no stage", []string{constants(number10("9"))}, 0, false},
		{"constants: a name that is no stage of a pipeline", []string{constants(name("MESA_SHADER_RAYGEN"))}, 0, false},
		{"what a trace showed is forgotten where another begins", []string{caps, head, storage("4")}, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, wanted := range []func(class, method string) bool{nil, Decodes} {
				var d Decoder
				var op pipe.Op
				for _, rec := range recordsWith(t, head+strings.Join(test.calls, ""), Options{Wanted: wanted}) {
					d.Decode(&rec, &op)
				}
				var got pipe.Stage
				switch c := op.Call.(type) {
				case *pipe.SetShaderBuffers:
					got = c.Stage
				case *pipe.SetConstantBuffer:
					got = c.Stage
				case *pipe.Other:
					require.False(t, test.known, "not decoded")
					continue
				}
				require.True(t, test.known, "decoded as %s", got)
				require.Equal(t, test.want, got)
			}
		})
	}
}
