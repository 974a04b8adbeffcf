package trace

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

func inf() float32 { return float32(math.Inf(1)) }

const yes, no = "<bool>1</bool>", "<bool>0</bool>"

func TestDecodeStateObjects(t *testing.T) {
	state := func(method, structure string, members ...string) string {
		return call("1", method, argPipe, arg("state", object(structure, members...)), retPtr)
	}
	stencil := object("pipe_stencil_state", member("enabled", yes), numbers("func 3 fail_op 0 zpass_op 2 zfail_op 1 valuemask 255 writemask 15"))
	stencilWant := pipe.StencilState{Enabled: true, Func: pipe.CompareLEqual, ZPassOp: pipe.StencilReplace, ZFailOp: pipe.StencilZero, ValueMask: 255, WriteMask: 15}
	depthWant := pipe.CreateDepthStencilAlpha{State: pipe.DepthStencilAlphaState{DepthEnabled: true, DepthWriteMask: true, DepthFunc: pipe.CompareLess,
		Stencil: [2]pipe.StencilState{stencilWant}, AlphaEnabled: true, AlphaFunc: pipe.CompareGreater, AlphaRef: 0.5}}
	for _, test := range []struct {
		name, call string
		want       pipe.Call
	}{
		{"a rasterizer state", state("create_rasterizer_state", "pipe_rasterizer_state", member("flatshade_first", yes), member("rasterizer_discard", yes),
			member("depth_clip_near", yes), numbers("cull_face 2 line_stipple_pattern 65535 sprite_coord_enable 7"), member("line_width", "<float>1.5</float>")),
			&pipe.CreateRasterizer{State: pipe.RasterizerState{FlatshadeFirst: true, RasterizerDiscard: true, DepthClipNear: true, CullFace: 2,
				LineStipplePattern: 65535, SpriteCoordEnable: 7, LineWidth: 1.5}}},
		{"one flag for both clip planes, Mesa 18", state("create_rasterizer_state", "pipe_rasterizer_state", member("depth_clip", yes)),
			&pipe.CreateRasterizer{State: pipe.RasterizerState{DepthClipNear: true, DepthClipFar: true}}},
		{"one flag for the rules of GL, Mesa 8", state("create_rasterizer_state", "pipe_rasterizer_state", member("gl_rasterization_rules", yes)),
			&pipe.CreateRasterizer{State: pipe.RasterizerState{HalfPixelCenter: true, BottomEdgeRule: true}}},
		{"depth, stencil and alpha", state("create_depth_stencil_alpha_state", "pipe_depth_stencil_alpha_state", member("depth_enabled", yes), member("depth_writemask", yes),
			numbers("depth_func 1"), member("stencil", array(stencil)), member("alpha_enabled", yes), numbers("alpha_func 4"), member("alpha_ref_value", "<float>0.5</float>")),
			&depthWant},
		{"depth and alpha as structs, Mesa 20", state("create_depth_stencil_alpha_state", "pipe_depth_stencil_alpha_state",
			member("depth", object("pipe_depth_state", member("enabled", yes), member("writemask", yes), numbers("func 1"))), member("stencil", array(stencil)),
			member("alpha", object("pipe_alpha_state", member("enabled", yes), numbers("func 4"), member("ref_value", "<float>0.5</float>")))),
			&depthWant},
		{"blending by name", state("create_blend_state", "pipe_blend_state", member("logicop_func", name("PIPE_LOGICOP_XOR")), member("dither", yes), member("rt", array(
			object("pipe_rt_blend_state", member("blend_enable", number10("1")), member("rgb_func", name("PIPE_BLEND_MAX")), member("rgb_src_factor", name("PIPE_BLENDFACTOR_ZERO")),
				member("rgb_dst_factor", name("PIPE_BLENDFACTOR_UNKNOWN")), numbers("colormask 15"))))),
			&pipe.CreateBlend{State: pipe.BlendState{LogicOp: 6, Dither: true, RT: [8]pipe.RTBlendState{{Enable: true, RGBFunc: 4, RGBSrc: pipe.BlendZero, ColorMask: 15}}}}},
		{"blending by number, nine targets", state("create_blend_state", "pipe_blend_state", numbers("logicop_func 6"), member("rt", array(
			object("", numbers("rgb_src_factor 17")), object(""), object(""), object(""), object(""), object(""), object(""), object("", numbers("colormask 1")), object("", numbers("colormask 2"))))),
			&pipe.CreateBlend{State: pipe.BlendState{LogicOp: 6, RT: [8]pipe.RTBlendState{{RGBSrc: pipe.BlendZero}, 7: {ColorMask: 1}}}}},
		{"a comparison that nobody knows is none of the known", state("create_sampler_state", "pipe_sampler_state", member("compare_func", name("PIPE_FUNC_MAYBE"))),
			&pipe.CreateSampler{State: pipe.SamplerState{CompareFunc: 255}}},
		{"a sampler state", state("create_sampler_state", "pipe_sampler_state", numbers("wrap_s 2 max_anisotropy 16"), member("unnormalized_coords", yes),
			member("border_color.f", array("<float>1</float>", "<float>2</float>")), member("border_color_format", name("PIPE_FORMAT_NONE"))),
			&pipe.CreateSampler{State: pipe.SamplerState{WrapS: 2, MaxAnisotropy: 16, UnnormalizedCoords: true, BorderColor: [4]float32{1, 2}, BorderColorFormat: pipe.FormatNone}}},
		{"a sampler state whose flag is the other way round, Mesa 21", state("create_sampler_state", "pipe_sampler_state", member("normalized_coords", no)),
			&pipe.CreateSampler{State: pipe.SamplerState{UnnormalizedCoords: true}}},
		{"vertex elements", call("1", "create_vertex_elements_state", argPipe, arg("num_elements", number10("1")), arg("elements", array(object("pipe_vertex_element",
			numbers("src_offset 4 vertex_buffer_index 1 instance_divisor 2"), member("dual_slot", yes), member("src_format", name("PIPE_FORMAT_R8_UNORM")), numbers("src_stride 16")))), retPtr),
			&pipe.CreateVertexElements{Elements: []pipe.VertexElement{{SrcOffset: 4, VertexBufferIndex: 1, InstanceDivisor: 2, DualSlot: true,
				SrcFormat: "PIPE_FORMAT_R8_UNORM", SrcStride: 16, HasSrcStride: true}}}},
		{"vertex elements of Mesa 7.12", call("1", "create_vertex_elements_state", argPipe, arg("num_elements", number10("4000000000")), arg("elements", array(object("pipe_vertex_element",
			numbers("src_offset 4 vertex_buffer_index 1"), member("src_format", name("PIPE_FORMAT_R8_UNORM"))))), retPtr),
			&pipe.CreateVertexElements{Elements: []pipe.VertexElement{{SrcOffset: 4, VertexBufferIndex: 1, SrcFormat: "PIPE_FORMAT_R8_UNORM"}}}},
		{"binding", call("1", "bind_gs_state", argPipe, arg("state", pointer("a"))), &pipe.BindState{Kind: pipe.ShaderKind(pipe.Geometry), State: 0xa}},
		{"unbinding", call("1", "bind_vertex_elements_state", argPipe, arg("state", "<null/>")), &pipe.BindState{Kind: pipe.KindVertexElements}},
		{"deleting", call("1", "delete_sampler_state", argPipe, arg("state", pointer("a"))), &pipe.DeleteState{Kind: pipe.KindSampler, State: 0xa}},
		{"binding a state that a trace begun late has no handle for", call("1", "bind_rasterizer_state", argPipe, arg("he-&gt;data", object("pipe_rasterizer_state", member("rasterizer_discard", yes)))),
			&pipe.BindState{Kind: pipe.KindRasterizer, Inline: &pipe.RasterizerState{RasterizerDiscard: true}}},
		{"the same of blending", call("1", "bind_blend_state", argPipe, arg("he-&gt;data", object("pipe_blend_state", member("dither", yes)))),
			&pipe.BindState{Kind: pipe.KindBlend, Inline: &pipe.BlendState{Dither: true}}},
		{"the same of depth", call("1", "bind_depth_stencil_alpha_state", argPipe, arg("he-&gt;data", object("pipe_depth_stencil_alpha_state", member("depth_enabled", yes)))),
			&pipe.BindState{Kind: pipe.KindDepthStencilAlpha, Inline: &pipe.DepthStencilAlphaState{DepthEnabled: true}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, decodeLast(t, test.call).Call)
		})
	}
}

func TestDecodeResources(t *testing.T) {
	box := object("pipe_box", member("x", signed10("16")), member("y", signed10("-1")), member("z", signed10("0")),
		member("width", signed10("4")), member("height", signed10("1")), member("depth", signed10("1")))
	boxWant := pipe.Box{X: 16, Y: -1, Width: 4, Height: 1, Depth: 1}
	oldBox := object("pipe_box", numbers("x 16 y 18446744073709551615 z 0 width 4 height 1 depth 1"))
	data := arg("data", "<bytes>01020304</bytes>")
	blob := pipe.HexBlob([]byte("01020304"))
	buffer := call("1", "resource_create", argScreen, arg("templat", object("pipe_resource", member("target", signed10("0")))), "<ret><ptr>0x0000000b</ptr></ret>")
	inline := call("2", "transfer_inline_write", argContext, arg("resource", pointer("b")), arg("level", number10("0")), arg("usage", number10("2")),
		arg("box", oldBox), data, arg("stride", number10("0")), arg("layer_stride", number10("0")))
	for _, test := range []struct {
		name  string
		calls []string
		want  pipe.Call
	}{
		{"a buffer", []string{call("1", "resource_create", argScreen, arg("templat", object("pipe_resource", member("target", name("PIPE_BUFFER")), member("format", name("PIPE_FORMAT_R8_UNORM")),
			numbers("width 3072 height 1 depth 1 array_size 1 last_level 0 nr_samples 0 nr_storage_samples 0 usage 1 bind 1024 flags 2"))), retPtr)},
			&pipe.ResourceCreate{Template: pipe.ResourceTemplate{Format: "PIPE_FORMAT_R8_UNORM", Width: 3072, Height: 1, Depth: 1, ArraySize: 1, Usage: 1, Bind: pipe.BindStreamOutput, Flags: 2}}},
		{"a target by number, before Mesa 22.1", []string{call("1", "resource_create", argScreen, arg("templat", object("pipe_resource", member("target", signed10("5")))), retPtr)},
			&pipe.ResourceCreate{Template: pipe.ResourceTemplate{Target: pipe.TextureRect}}},
		{"what a window shows", []string{call("1", "resource_create_drawable", argScreen, arg("templat", object("pipe_resource", member("target", name("PIPE_TEXTURE_2D")))), arg("loader_data", pointer("d")), retPtr)},
			&pipe.ResourceCreate{Variant: "_drawable", Template: pipe.ResourceTemplate{Target: pipe.Texture2D}, LoaderData: 0xd}},
		{"from a handle", []string{call("1", "resource_from_handle", argScreen, arg("templ", object("pipe_resource", numbers("width 4"))), arg("handle", object("winsys_handle")), arg("usage", number10("1")), retPtr)},
			&pipe.ResourceCreate{Variant: "_from_handle", Template: pipe.ResourceTemplate{Width: 4}}},
		{"the end of a resource, before Mesa 17.2", []string{call("1", "resource_destroy", argScreen, arg("resource", pointer("b")))}, &pipe.ResourceDestroy{Resource: 0xb}},
		{"a reference given back", []string{call("1", "resource_release", argPipe, arg("resource", pointer("b")))}, &pipe.ResourceRelease{Resource: 0xb}},
		{"storage taken over", []string{call("1", "replace_buffer_storage", argPipe, arg("dst", pointer("a")), arg("src", pointer("b")), arg("num_rebinds", number10("1")))},
			&pipe.ReplaceBufferStorage{Dst: 0xa, Src: 0xb}},
		{"invalidation", []string{call("1", "invalidate_resource", argContext, arg("resource", pointer("b")))}, &pipe.InvalidateResource{Resource: 0xb}},
		{"a copy", []string{call("1", "resource_copy_region", argPipe, arg("dst", pointer("a")), arg("dst_level", number10("1")), arg("dstx", number10("2")), arg("dsty", number10("3")),
			arg("dstz", number10("4")), arg("src", pointer("b")), arg("src_level", number10("5")), arg("src_box", box))},
			&pipe.ResourceCopyRegion{Dst: 0xa, DstLevel: 1, DstX: 2, DstY: 3, DstZ: 4, Src: 0xb, SrcLevel: 5, SrcBox: boxWant}},
		{"a fill", []string{call("1", "clear_buffer", argPipe, arg("res", pointer("b")), arg("offset", number10("4")), arg("size", number10("8")), arg("clear_value", pointer("77")), arg("clear_value_size", signed10("4")))},
			&pipe.ClearBuffer{Resource: 0xb, Offset: 4, Size: 8, Value: 0x77, ValueSize: 4}},
		{"a write", []string{call("1", "buffer_subdata", argContext, arg("resource", pointer("b")), arg("usage", number10("2")), arg("offset", number10("16")), arg("size", number10("4")), data)},
			&pipe.BufferSubdata{Resource: 0xb, Usage: pipe.MapWrite, Offset: 16, Size: 4, Data: blob}},
		{"a write that the writer made up", []string{call("1", "buffer_subdata", argContext, arg("resource", pointer("b")), arg("usage", name("PIPE_MAP_FLAGS_UNKNOWN")), arg("offset", number10("16")),
			arg("size", number10("4")), data, arg("stride", number10("1")), arg("layer_stride", number10("2")))},
			&pipe.BufferSubdata{Resource: 0xb, Usage: pipe.MapUnknown, Offset: 16, Size: 4, Data: blob, Synthetic: true, Stride: 1, LayerStride: 2}},
		{"the same with a box, Mesa 13 to 18.1", []string{call("1", "buffer_subdata", argContext, arg("resource", pointer("b")), arg("level", number10("0")), arg("usage", number10("2")),
			arg("box", oldBox), data, arg("stride", number10("1")), arg("layer_stride", number10("2")))},
			&pipe.BufferSubdata{Resource: 0xb, Usage: pipe.MapWrite, Offset: 16, Size: 4, Data: blob, Synthetic: true, Stride: 1, LayerStride: 2}},
		{"a write to a texture", []string{call("1", "texture_subdata", argContext, arg("resource", pointer("b")), arg("level", number10("3")), arg("usage", number10("2")), arg("box", box),
			arg("data", "<bytes></bytes>"), arg("stride", number10("4")), arg("layer_stride", number10("8")))},
			&pipe.TextureSubdata{Resource: 0xb, Level: 3, Usage: pipe.MapWrite, Box: boxWant, Data: pipe.HexBlob([]byte{}), Stride: 4, LayerStride: 8}},
		{"a write to a buffer, Mesa 12", []string{buffer, inline}, &pipe.BufferSubdata{Resource: 0xb, Usage: pipe.MapWrite, Offset: 16, Size: 4, Data: blob}},
		{"a write to what may be a texture, Mesa 12", []string{inline},
			&pipe.TextureSubdata{Resource: 0xb, Usage: pipe.MapWrite, Box: boxWant, Data: blob}},
		{"a map", []string{call("1", "buffer_map", argPipe, arg("resource", pointer("b")), arg("level", number10("0")), arg("usage", name("PIPE_MAP_READ")), arg("box", box), arg("xfer", pointer("f")), retPtr)},
			&pipe.Map{Resource: 0xb, Usage: pipe.MapRead, Box: boxWant, Transfer: 0xf}},
		{"a map of a texture", []string{call("1", "texture_map", argPipe, arg("resource", pointer("b")), arg("level", number10("1")), arg("usage", number10("3")), arg("box", box), arg("xfer", pointer("f")), retPtr)},
			&pipe.Map{Texture: true, Resource: 0xb, Level: 1, Usage: pipe.MapRead | pipe.MapWrite, Box: boxWant, Transfer: 0xf}},
		{"what was written of a map", []string{call("1", "transfer_flush_region", argPipe, arg("transfer", pointer("f")), arg("box", box))}, &pipe.FlushRegion{Transfer: 0xf, Box: boxWant}},
		{"an unmap", []string{call("1", "transfer_unmap", argContext, arg("transfer", pointer("f")))}, &pipe.Unmap{Transfer: 0xf}},
		{"a capability", []string{call("1", "get_param", argScreen, arg("param", name("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS")), "<ret><int>4</int></ret>")},
			&pipe.GetParam{Param: "PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"}},
		{"a capability by number", []string{call("1", "get_param", argScreen, arg("param", signed10("119")), "<ret><int>4</int></ret>")}, &pipe.GetParam{Param: "119"}},
		{"a context", []string{call("1", "context_create", argScreen, arg("priv", pointer("1")), arg("flags", number10("8")), retPtr)}, &pipe.ContextCreate{Priv: 1, Flags: 8}},
		{"a context of Mesa 7.12", []string{call("1", "context_create", argScreen, retPtr)}, &pipe.ContextCreate{}},
		{"the end of a context", []string{call("1", "destroy", argPipe)}, &pipe.ContextDestroy{}},
		{"the end of a screen", []string{call("1", "destroy", argScreen)}, &pipe.ScreenDestroy{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, decodeLast(t, test.calls...).Call)
		})
	}
}
