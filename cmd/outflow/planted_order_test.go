package main

import (
	"strings"

	"github.com/stretchr/testify/require"
)

const (
	tessellation = "tessellation.llvmpipe.xml.gz"
	contexts     = "contexts.llvmpipe.xml.gz"
	doubles      = "doubles.llvmpipe.xml.gz"
)

// states makes the screen say another value of a capability, whenever asked.
func (r *recorded) states(param, value string) {
	r.t.Helper()
	asked := 0
	for i, c := range r.calls {
		if strings.Contains(c, ">"+param+"<") {
			at := strings.Index(c, "<ret><int>") + len("<ret><int>")
			r.calls[i] = c[:at] + value + c[at+strings.Index(c[at:], "<"):]
			asked++
		}
	}
	require.Positive(r.t, asked, "nobody asks for %s", param)
}

// replace changes a text inside the nth call of a method, wherever it stands.
func (r *recorded) replace(method string, nth int, old, with string) {
	r.t.Helper()
	i := r.find(method, nth)
	require.Contains(r.t, r.calls[i], old)
	r.calls[i] = strings.ReplaceAll(r.calls[i], old, with)
}

func capPlants() []plant {
	return []plant{
		{"a driver without stream output", separate, func(r *recorded) { r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "0") },
			"so-cap-buffers", "so-bind-cap-none so-target-create-cap"},
		{"a driver of two buffers", separate, func(r *recorded) { r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "2") }, "so-cap-buffers", "so-set-num-targets"},
		{"a driver of one stream", streams, func(r *recorded) { r.states("PIPE_CAP_MAX_VERTEX_STREAMS", "1") }, "so-cap-streams", ""},
		{"a driver that cannot resume", pause, func(r *recorded) { r.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", "0") }, "so-pause-cap", ""},
		{"a driver that cannot draw by a target", drawauto, func(r *recorded) { r.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", "0") }, "so-draw-auto-cap", ""},
		{"a driver without overflow queries", queries, func(r *recorded) {
			r.states("PIPE_CAP_QUERY_SO_OVERFLOW", "0")
			r.replace("create_query", 3, "PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.drop("get_query_result", 4)
		}, "so-query-unsupported", ""},
		{"a driver of small separate buffers", separate, func(r *recorded) {
			r.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", "0")
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", "2")
		}, "so-cap-separate", ""},
		{"a driver of small interleaved buffers", doubles, func(r *recorded) {
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", "4")
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", "16")
		}, "so-cap-interleaved", ""},
	}
}

func textPlants() []plant {
	return []plant{
		{"outputs out of order", interleaved, func(r *recorded) {
			r.number(vs, 0, "dst_offset", 0, "3")
			r.number(vs, 0, "dst_offset", 1, "0")
		}, "so-not-ascending", ""},
		{"a stride that no D3D takes", separate, func(r *recorded) {
			r.elem(vs, 0, "stride", 2, "<uint>513</uint>")
			r.number(create, 2, "buffer_size", 0, "8")
		}, "so-stride-limit", "so-target-too-small-prim"},
		{"components that are not written", separate, func(r *recorded) {
			r.number(vs, 0, "num_components", 1, "4")
			r.elem(vs, 0, "stride", 1, "<uint>4</uint>")
		}, "so-component-not-written", ""},
		{"a stream that is never emitted", streams, func(r *recorded) {
			r.replace(gs, 0, "active_stream_mask: 0xf", "active_stream_mask: 0x7")
			r.replace(gs, 0, "(stream_id=3)", "(stream_id=2)")
		}, "so-stream-inactive", ""},
		{"streams of triangles", streams, func(r *recorded) { r.replace(gs, 0, "output primitive: POINTS", "output primitive: TRIANGLE_STRIP") }, "so-multi-stream-non-points", ""},
		{"outputs left behind a count of none", tessellation, func(r *recorded) {
			r.number("create_tes_state", 0, "num_outputs", 0, "0")
		}, "so-stale-when-empty", ""},
		{"a stride without outputs like one before", contexts, func(r *recorded) {
			c := r.calls[r.find(vs, 0)]
			r.insert(vs, 1, strings.Replace(c, "name='num_outputs'><uint>1<", "name='num_outputs'><uint>0<", 1))
		}, "so-stale-when-empty", ""},
		{"a number too wide for its field", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "4294967296") }, "trace-number-width", ""},
		{"a state that is NULL", pause, func(r *recorded) {
			r.insert("draw_vbo", 4, r.call("create_blend_state", arg("state", "<null/>")))
		}, "trace-malformed-call", ""},
	}
}

func orderPlants() []plant {
	return []plant{
		{"the driver made no target", separate, func(r *recorded) {
			r.replace(create, 0, "<ret>"+r.ret(create, 0), "<ret><null/>")
			r.elem(set, 0, "tgs", 0, "<null/>")
		}, "so-target-null-returned", ""},
		{"a target of a texture", separate, func(r *recorded) {
			res := r.pointerOf(create, 0, "res")
			for nth := 0; ; nth++ {
				if r.ret("resource_create", nth) == res {
					r.replace("resource_create", nth, "<enum>PIPE_BUFFER</enum>", "<enum>PIPE_TEXTURE_2D</enum>")
					return
				}
			}
		}, "so-target-not-buffer", ""},
		{"a target of a buffer that is gone", separate, func(r *recorded) {
			r.insert(create, 0, "<call no='4001' class='pipe_screen' method='resource_destroy'>"+
				arg("screen", "<ptr>0x1</ptr>")+arg("resource", r.pointerOf(create, 0, "res"))+"</call>")
		}, "so-target-dead-resource", ""},
		{"a target of the other context", contexts, func(r *recorded) {
			r.elem(set, 2, "tgs", 0, r.ret(create, 0))
		}, "so-target-other-context", ""},
		{"an offset inside a dword of a full target", separate, func(r *recorded) {
			r.number(create, 0, "buffer_size", 0, "48")
			r.elem(set, 0, "offsets", 0, "<uint>3</uint>")
		}, "so-set-offset-align", ""},
		{"no room for a vertex", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "12") }, "so-target-too-small-vertex", ""},
		{"no room for a primitive", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "40") }, "so-target-too-small-prim", ""},
		{"points amid triangles", pause, func(r *recorded) { r.twice("draw_vbo", 0); r.number("draw_vbo", 0, "mode", 0, "1") }, "so-prim-mode-change", ""},
		{"another shader amid a capture", pause, func(r *recorded) {
			at := r.find(vs, 0)
			other := strings.Replace(r.calls[at], r.ret(vs, 0), "<ptr>0xabc0</ptr>", 1)
			other = strings.Replace(other, "name='register_index'><uint>1<", "name='register_index'><uint>0<", 1)
			r.insert("set_stream_output_targets", 1, other)
			r.insert("set_stream_output_targets", 1, r.call("bind_vs_state", arg("state", "<ptr>0xabc0</ptr>")))
			r.insert("set_stream_output_targets", 1, r.calls[r.find("draw_vbo", 0)])
		}, "so-shader-change-while-active", ""},
		{"another stride amid a capture", pause, func(r *recorded) {
			at := r.find(vs, 0)
			other := strings.Replace(r.calls[at], r.ret(vs, 0), "<ptr>0xabc0</ptr>", 1)
			other = strings.Replace(other, "<elem><uint>1</uint></elem>", "<elem><uint>2</uint></elem>", 1)
			r.insert("set_stream_output_targets", 1, other)
			r.insert("set_stream_output_targets", 1, r.call("bind_vs_state", arg("state", "<ptr>0xabc0</ptr>")))
			r.insert("set_stream_output_targets", 1, r.calls[r.find("draw_vbo", 0)])
		}, "so-layout-change-while-active", ""},
		{"writing to what is captured into", pause, func(r *recorded) {
			r.insert("set_stream_output_targets", 1, r.call("buffer_subdata", arg("resource", r.pointerOf(create, 0, "res"))+
				arg("usage", "<uint>2</uint>")+arg("offset", "<uint>0</uint>")+arg("size", "<uint>4</uint>")+arg("data", "<bytes>00000000</bytes>")))
		}, "so-map-while-bound", ""},
		{"a draw-auto of what never captured", drawauto, func(r *recorded) {
			r.drop("draw_vbo", 0)
			r.drop("draw_vbo", 0)
		}, "so-draw-auto-never-written", ""},
		{"a draw-auto that reads another buffer", drawauto, func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.ret("resource_create", 0))
		}, "so-draw-auto-no-vb", ""},
		{"a draw-auto that reads from the middle", drawauto, func(r *recorded) {
			r.number("set_vertex_buffers", 0, "buffer_offset", 0, "16")
		}, "so-draw-auto-offset-mismatch", ""},
		{"drawing by an overflow that still counts", queries, func(r *recorded) {
			r.replace("create_query", 3, "PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.drop("get_query_result", 4)
			r.insert("end_query", 0, r.call("render_condition", arg("query", r.ret("create_query", 3))+
				arg("condition", "<bool>0</bool>")+arg("mode", "<uint>0</uint>")))
		}, "so-render-condition-so", ""},
		{"a query of a stream that is not captured", queries, func(r *recorded) {
			r.number("create_query", 3, "index", 0, "3")
			r.number("get_query_result", 4, "result", 0, "0")
		}, "so-query-stream-unused", ""},
	}
}
