package shader_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

func TestNIRResources(t *testing.T) {
	const y, n, u = shader.Yes, shader.No, shader.Unknown
	type sets struct{ constant, storage, image, view []shader.Answer }
	none := []shader.Answer{n, n, n, n}
	unknown := []shader.Answer{u, u, u, u}
	for _, c := range []struct {
		name   string
		header string
		body   string
		want   sets
	}{
		{"nothing", "", "", sets{none, none, none, none}},
		{"constants named in the line and by load_const", "",
			"32 %1 = load_const (0x00000002 = 0.000000)\n32 %2 = @load_ubo (%0 (0x0), %1) (access=none, align_mul=4, align_offset=0, range_base=0, range=16)\n" +
				"32 %3 = @load_ubo (%1, %0) (access=none)",
			sets{[]shader.Answer{y, n, y, n}, none, none, none}},
		{"a computed block", "", "32 %3 = @load_ubo (%2, %0 (0x0)) (access=none)", sets{unknown, none, none, none}},
		{"one component of a constant is not it", "", "32 %3 = @load_ubo (%2 (0x1, 0x2).y, %0) (access=none)", sets{unknown, none, none, none}},
		{"uniforms are constant buffer 0", "", "32 %3 = @load_uniform (%0) (base=0, range=16)", sets{[]shader.Answer{y, n, n, n}, none, none, none}},
		{"storage: the value comes first in a store", "",
			"32 %1 = load_const (0x00000001)\n32 %2 = load_const (0x00000003)\n@store_ssbo (%1, %2, %1) (wrmask=x, access=none)\n32 %5 = @load_ssbo (%1 (0x1), %2) (access=none)",
			sets{none, []shader.Answer{n, y, n, y}, none, none}},
		{"a block through a pointer", "", "32 %1 = deref_var &b (ubo vec4)\n32 %2 = @load_deref (%1) (access=none)", sets{unknown, none, none, none}},
		{"images by slot, bindless ones are unknown", "", "@image_store (%1 (0x1), %2, %3, %4, %5) (image_dim=2D)", sets{none, none, []shader.Answer{n, y, n, n}, none}},
		{"a bindless image", "", "@bindless_image_load (%1 (0x1), %2, %3, %4) (image_dim=2D)", sets{none, none, unknown, none}},
		{"a texture by index", "", "32x4 %2 = (float32)tex %1 (coord), 2 (texture), 0 (sampler)", sets{none, none, none, []shader.Answer{n, n, y, n}}},
		{"a texture by pointer", "", "32x4 %2 = (float32)tex %1 (texture_deref), %3 (coord)", sets{none, none, none, unknown}},
		{"a texture by pointer, but the header names them", "textures_used: 0x00000000'00000000'00000000'00000002\n",
			"32x4 %2 = (float32)txl %1 (texture_deref), %3 (coord)", sets{none, none, none, []shader.Answer{n, y, n, n}}},
		{"a texture with a computed index", "", "32x4 %2 = (float32)tex %1 (coord), %4 (texture_offset), 0 (texture), 0 (sampler)", sets{none, none, none, unknown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shader.Parse(pipe.Fragment, []byte(nirText(shader.NIRPercent, pipe.Fragment, c.header, "", c.body)))
			require.Equal(t, shader.Parsed, o.Status, o.Reason)
			res := o.Resources
			require.Equal(t, c.want, sets{hasEach(res.ConstantBuffers), hasEach(res.StorageBuffers), hasEach(res.Images), hasEach(res.SamplerViews)})
			require.Equal(t, shader.No, res.VertexInputs.Has(0))
		})
	}
}

func TestNIRVertexInputs(t *testing.T) {
	const y, n = shader.Yes, shader.No
	o := shader.Parse(pipe.Vertex, []byte(nirText(shader.NIRSSA, pipe.Vertex, "",
		"decl_var shader_in INTERP_MODE_NONE vec4 a (VERT_ATTRIB_POS.xyzw, 0, 0)\ndecl_var shader_in INTERP_MODE_NONE mat2 b (VERT_ATTRIB_GENERIC1.abcd, 2, 0)", "")))
	require.Equal(t, []shader.Answer{y, n, y, y}, hasEach(o.Resources.VertexInputs))
	o = shader.Parse(pipe.Vertex, []byte(nirText(shader.NIRPercent, pipe.Vertex, "", "",
		"32x4 %1 = @load_input (%0 (0x0)) (base=1, range=1, component=0, dest_type=float32, io location=VERT_ATTRIB_POS slots=1)  // base=3 slots=9")))
	require.Equal(t, []shader.Answer{n, y, n, n}, hasEach(o.Resources.VertexInputs))
}

// TestNIREffects: discards, depth, memory.
func TestNIREffects(t *testing.T) {
	const y, n, u = shader.Yes, shader.No, shader.Unknown
	type effects struct{ discards, depth, memory shader.Answer }
	for _, c := range []struct {
		name, declarations, body string
		want                     effects
	}{
		{"none", "decl_var shader_out INTERP_MODE_NONE vec4 c (FRAG_RESULT_COLOR.xyzw, 0, 0)", "32 %1 = @load_front_face", effects{n, n, n}},
		{"discard_if", "", "@discard_if (%1)", effects{y, n, n}},
		{"terminate", "", "@terminate", effects{y, n, n}},
		{"demote", "", "@demote", effects{y, n, n}},
		{"depth declared", "decl_var shader_out INTERP_MODE_NONE float d (FRAG_RESULT_DEPTH.x, 0, 0)", "", effects{n, y, n}},
		{"depth stored", "", "@store_output (%0, %1 (0x0)) (base=0, range=1, wrmask=x, component=0, src_type=float32, io location=FRAG_RESULT_DEPTH slots=1)", effects{n, y, n}},
		{"an atomic on a storage buffer", "", "32 %8 = @ssbo_atomic (%4 (0x1), %7, %4 (0x1)) (access=none, atomic_op=iadd)", effects{n, n, y}},
		{"an image store", "", "@image_deref_store (%1, %2, %3, %4, %5) (image_dim=2D)", effects{n, n, y}},
		{"a store through a pointer to a block", "", "32 %1 = deref_var &b (ssbo vec4)\n@store_deref (%1, %2) (wrmask=xyzw, access=none)", effects{n, n, y}},
		{"a temporary is no memory", "", "32 %1 = deref_var &b (function_temp vec4)\n@store_deref (%1, %2) (wrmask=xyzw, access=none)", effects{n, n, n}},
		{"a store that nobody knows", "", "@store_somewhere (%1, %2) (wrmask=xyzw)", effects{n, n, u}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shader.Parse(pipe.Fragment, []byte(nirText(shader.NIRPercent, pipe.Fragment, "", c.declarations, c.body)))
			require.Equal(t, c.want, effects{o.Discards, o.WritesDepth, o.SideEffects})
		})
	}
}

func TestNIRProperties(t *testing.T) {
	gs := nirText(shader.NIRSSA, pipe.Geometry, "inputs: 1\ninvocations: 4\nvertices in: 3\nvertices out: 8\ninput primitive: TRIANGLES\noutput primitive: LINE_STRIP\nactive_stream_mask: 0x5\n", "",
		"@emit_vertex () (stream_id=0)\n@emit_vertex_with_counter (%0, %1) (stream_id=2)\n@end_primitive () (stream_id=3)")
	o := shader.Parse(pipe.Geometry, []byte(gs))
	require.Equal(t, shader.Geometry{Known: true, Input: pipe.Triangles, Output: pipe.LineStrip, VerticesOut: 8, Invocations: 4, ActiveStreams: 5}, o.Geometry)
	require.Equal(t, uint8(5), o.EmittedStreams)
	require.Equal(t, shader.No, o.EmitsStream(3))

	tes := nirText(shader.NIRPercent, pipe.TessEval, "primitive_mode: 3\ntcs_vertices_out: 4\nspacing: 2\nccw: true\n", "", "")
	o = shader.Parse(pipe.TessEval, []byte(tes))
	require.Equal(t, shader.Tessellation{Domain: shader.DomainIsolines, Spacing: shader.SpacingFractionalOdd, CounterClockwise: shader.Yes, PointMode: shader.No, VerticesOut: 4}, o.Tess)

	o = shader.Parse(pipe.TessEval, []byte(nirText(shader.NIRSSA, pipe.TessEval, "", "", "")))
	require.Equal(t, shader.Tessellation{}, o.Tess, "the older printer tells nothing")
}

// TestNIRStreams: streams and the text's own stream output are of the slot's
// components, given with the stored value's.
func TestNIRStreams(t *testing.T) {
	o := shader.Parse(pipe.Geometry, []byte(nirText(shader.NIRPercent, pipe.Geometry, "outputs: 2\n", "",
		"@store_output (%22, %3 (0x0)) (base=0, range=1, wrmask=xy, component=2, src_type=float32, io location=VARYING_SLOT_VAR0 slots=1 gs_streams(x=3 y=1 z=0 w=0), xfb(), xfb2(component=2 buffer=1 offset=8, component=3 buffer=0 offset=0))  // packed:a,b\n"+
			"@store_output (%23, %3 (0x0)) (base=1, range=1, wrmask=xyz, component=0, src_type=float32, io location=VARYING_SLOT_VAR1 slots=1 gs_streams(x=1 y=1 z=1 w=0), xfb(components=0..1 buffer=0 offset=4), xfb2(components=2..3 buffer=2 offset=0))  // c")))
	require.Equal(t, []shader.Capture{
		{Buffer: 0, Offset: 0, DriverLocation: 0, Component: 3, Stream: 1, Name: "packed:a,b"},
		{Buffer: 0, Offset: 1, DriverLocation: 1, Component: 0, Stream: 1, Name: "c"},
		{Buffer: 0, Offset: 2, DriverLocation: 1, Component: 1, Stream: 1, Name: "c"},
		{Buffer: 1, Offset: 2, DriverLocation: 0, Component: 2, Stream: 3, Name: "packed:a,b"},
		{Buffer: 2, Offset: 0, DriverLocation: 1, Component: 2, Stream: 1, Name: "c"},
	}, o.Captures)
	require.Equal(t, shader.Unknown, o.Writes(0, 4), "varyings may have moved since the state tracker numbered them")
	require.Equal(t, shader.Unknown, o.Declares(7, 1))
	require.Equal(t, shader.UnknownStream, o.StreamOf(0, 2))
	require.Equal(t, [4]int8{-1, -1, 3, 1}, o.List[0].Streams)
}
