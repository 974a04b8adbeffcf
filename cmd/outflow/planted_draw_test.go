package main

import (
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// drawPlants are of what a draw gives to stream output.
func drawPlants() []plant {
	return []plant{
		{name: "the shader unbound in a capture", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("bind_vs_state", arg("state", null)))
		}, rule: "so-draw-while-no-prog"},
		{name: "patches without tessellation", trace: pause, edit: func(r *recorded) { r.number("draw_vbo", 0, "mode", 0, "14") }, rule: "so-draw-patches"},
		{name: "patches that nothing evaluates", trace: tessellation, edit: func(r *recorded) { r.drop("bind_tes_state", 0) }, rule: "so-draw-patches"},
		{name: "triangles tessellated", trace: tessellation, edit: func(r *recorded) { r.number("draw_vbo", 0, "mode", 0, "4") }, rule: "so-tess-mode"},
		{name: "patches of 33 vertices", trace: tessellation, edit: func(r *recorded) {
			r.number("set_patch_vertices", 0, "patch_vertices", 0, "33")
		}, rule: "so-patch-vertices"},
		{name: "tessellation control without evaluation", trace: tessellation, edit: func(r *recorded) {
			r.drop("bind_tes_state", 0)
			r.drop(set, 0)
			r.number("draw_vbo", 0, "mode", 0, "4")
		}, rule: "so-tcs-without-tes"},
		{name: "targets for a shader without outputs", trace: streams, edit: func(r *recorded) { r.drop("bind_gs_state", 0) },
			rule: "so-targets-without-shader", as: streamout.Warning},
		{name: "targets for a shader without outputs on iris", trace: streams, edit: func(r *recorded) { r.drop("bind_gs_state", 0) },
			rule: "so-targets-without-shader", driver: "iris", as: streamout.Error},
		{name: "targets that nobody binds", trace: separate, edit: func(r *recorded) { r.drop(set, 0) }, rule: "so-shader-without-targets"},
		{name: "adjacency without a geometry shader", trace: separate, edit: func(r *recorded) {
			r.number("draw_vbo", 0, "mode", 0, "12")
			r.number("draw_vbo", 0, "count", 0, "6")
		}, rule: "so-adjacency-no-gs"},
		{name: "a quad", trace: pause, edit: func(r *recorded) {
			r.number("draw_vbo", 0, "mode", 0, "7")
			r.number("draw_vbo", 0, "count", 0, "4")
		}, rule: "so-quads-decompose"},
		{name: "no vertices", trace: pause, edit: func(r *recorded) { r.number("draw_vbo", 0, "count", 0, "0") }, rule: "so-zero-size-capture"},
		{name: "no instances", trace: pause, edit: func(r *recorded) { r.number("draw_vbo", 0, "instance_count", 0, "0") }, rule: "so-zero-size-capture"},
		{name: "a vertex too many", trace: separate, edit: func(r *recorded) { r.number("draw_vbo", 0, "count", 0, "4") }, rule: "so-incomplete-primitive"},
		{name: "a vertex too few", trace: separate, edit: func(r *recorded) { r.number("draw_vbo", 0, "count", 0, "2") }, rule: "so-incomplete-primitive"},
		{name: "primitive restart", trace: pause, edit: func(r *recorded) {
			r.number("draw_vbo", 0, "index_size", 0, "2")
			r.number("draw_vbo", 0, "primitive_restart", 0, "1")
			r.pointer("draw_vbo", 0, "index.resource", r.ret("resource_create", 0))
		}, rule: "so-restart-index"},
		{name: "a triangle too many", trace: separate, edit: func(r *recorded) { r.number("draw_vbo", 0, "count", 0, "6") }, rule: "so-predict-overflow", as: streamout.Note},
		{name: "a triangle too many for GLES", trace: separate, edit: func(r *recorded) { r.number("draw_vbo", 0, "count", 0, "6") },
			rule: "so-predict-overflow", driver: "gles", as: streamout.Warning},
		{name: "an indirect draw", trace: pause, edit: func(r *recorded) {
			r.replace("draw_vbo", 0, "<arg name='indirect'>"+null, "<arg name='indirect'>"+r.indirect(r.ret("resource_create", 0)))
		}, rule: "so-draw-indirect-so"},
		{name: "two draws in one", trace: pause, edit: func(r *recorded) {
			i := r.find("draw_vbo", 0)
			one := r.calls[i][strings.Index(r.calls[i], "<elem>"):strings.Index(r.calls[i], "</array>")]
			r.replace("draw_vbo", 0, one, one+one)
			r.number("draw_vbo", 0, "num_draws", 0, "2")
		}, rule: "so-multidraw-so"},
		{name: "no room for a vertex", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "12") }, rule: "so-target-too-small-vertex"},
		{name: "no room for a primitive", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "44") }, rule: "so-target-too-small-prim"},
		{name: "room for the start of one vertex more", trace: doubles, edit: func(r *recorded) {
			r.number(create, 0, "buffer_size", 0, "172")
		}, rule: "so-target-tail-mismatch"},
	}
}

// indirect is what a draw takes its counts from when that is a buffer.
func (r *recorded) indirect(buffer string) string {
	member := func(name, value string) string { return "<member name='" + name + "'>" + value + "</member>" }
	return "<struct name='pipe_draw_indirect_info'>" + member("offset", begins) + member("stride", begins) + member("draw_count", "<uint>1</uint>") +
		member("indirect_draw_count_offset", begins) + member("buffer", buffer) + member("indirect_draw_count", null) +
		member("count_from_stream_output", null) + "</struct>"
}

// rasterPlants are of rasterization beside a capture, and of what single drivers
// do.
func rasterPlants() []plant {
	return []plant{
		{name: "a draw that nothing sees", trace: strideOnly, edit: func(r *recorded) { r.number("create_rasterizer_state", 0, "rasterizer_discard", 0, "1") },
			rule: "so-discard-no-so", as: streamout.Warning},
		{name: "a draw that nothing sees in a pause", trace: pause, edit: func(r *recorded) { r.number("create_rasterizer_state", 0, "rasterizer_discard", 0, "1") },
			rule: "so-discard-no-so", as: streamout.Note},
		{name: "a stream that is not rasterized", trace: streams, edit: func(r *recorded) {
			r.replace(gs, 0, "active_stream_mask: 0xf", "active_stream_mask: 0xe")
			r.replace(gs, 0, "(stream_id=0)", "(stream_id=1)")
			r.captures(gs, 0, [4]int{0, 3, 2, 1}, captured{2, 3, 1, 1, 0, 1}, captured{3, 0, 2, 1, 1, 1}, captured{2, 0, 2, 2, 0, 2}, captured{2, 2, 1, 3, 0, 3})
			r.elem(set, 0, "tgs", 0, null)
		}, rule: "so-raster-stream", also: "so-stream-gap-buffer so-null-target-hole"},
		{name: "culling in a capture", trace: separate, edit: func(r *recorded) { r.number("create_rasterizer_state", 0, "cull_face", 0, "2") }, rule: "so-clip-discard-note"},
		{name: "wide points on d3d12", trace: pause, edit: func(r *recorded) { r.number("create_rasterizer_state", 0, "point_size", 0, "4") },
			rule: "so-fake-draw-lower", driver: "d3d12"},
		{name: "two draws in a row on v3d", trace: pause, edit: func(r *recorded) { r.twice("draw_vbo", 0) }, rule: "so-v3d-flush", driver: "v3d"},
	}
}

// hazardPlants are of memory that is captured into and used otherwise at one time.
func hazardPlants() []plant {
	// fromCaptured makes the last draw of drawauto read that many vertices of what
	// it captures into.
	fromCaptured := func(r *recorded, vertices string) {
		const last = autoDraw
		i := r.find("draw_vbo", last)
		begin, end := strings.Index(r.calls[i], "<arg name='indirect'>"), strings.Index(r.calls[i], "<arg name='draws'>")
		r.calls[i] = r.calls[i][:begin] + arg("indirect", null) + r.calls[i][end:]
		r.number("draw_vbo", last, "count", 0, vertices)
		r.pointer("set_vertex_buffers", 0, "buffer.resource", r.pointerOf(create, 1, "res"))
	}
	half := func(r *recorded) {
		r.number(create, 1, "buffer_offset", 0, "32")
		r.number(create, 1, "buffer_size", 0, "32")
	}
	indexed := func(r *recorded, start string) {
		r.number("draw_vbo", 0, "index_size", 0, "2")
		r.number("draw_vbo", 0, "start", 0, start)
		r.pointer("draw_vbo", 0, "index.resource", r.pointerOf(create, 0, "res"))
	}
	subdata := func(r *recorded, usage string) string {
		return r.call("buffer_subdata", arg("resource", r.pointerOf(create, 0, "res"))+
			arg("usage", "<uint>"+usage+"</uint>")+arg("offset", "<uint>60</uint>")+arg("size", "<uint>4</uint>")+arg("data", "<bytes>00000000</bytes>"))
	}
	return []plant{
		{name: "reading what is captured by its own count", trace: drawauto, edit: func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.pointerOf(create, 1, "res"))
		}, rule: "so-read-write-hazard", also: "so-draw-auto-no-vb", as: streamout.Warning},
		{name: "reading what is captured", trace: drawauto, edit: func(r *recorded) { fromCaptured(r, "5") }, rule: "so-read-write-hazard", as: streamout.Error},
		{name: "reading the first vertex that is captured", trace: drawauto, edit: func(r *recorded) {
			half(r)
			fromCaptured(r, "8")
			r.number("set_vertex_buffers", 0, "buffer_offset", 0, "4")
		}, rule: "so-read-write-hazard", as: streamout.Error},
		{name: "reading up to what is captured", trace: drawauto, edit: func(r *recorded) {
			half(r)
			fromCaptured(r, "8")
		}, rule: "so-read-write-hazard", as: streamout.Warning},
		{name: "indices from what is captured", trace: pause, edit: func(r *recorded) { indexed(r, "10") }, rule: "so-read-write-hazard", as: streamout.Error},
		{name: "indices from behind what is captured", trace: pause, edit: func(r *recorded) { indexed(r, "32") }, rule: "so-read-write-hazard", as: streamout.Warning},
		{name: "writing to what is captured into", trace: pause, edit: func(r *recorded) { r.insert(set, 1, subdata(r, "2")) }, rule: "so-map-while-bound", as: streamout.Warning},
		{name: "writing to what is captured into without waiting", trace: pause, edit: func(r *recorded) { r.insert(set, 1, subdata(r, "34")) },
			rule: "so-map-while-bound", as: streamout.Error},
		{name: "writing to what is going to be captured into", trace: pause, edit: func(r *recorded) { r.insert("draw_vbo", 0, subdata(r, "34")) },
			rule: "so-map-while-bound", as: streamout.Warning},
		{name: "the unbind forgotten", trace: separate, edit: func(r *recorded) { r.drop(set, 1) }, rule: "so-map-while-bound", also: "so-context-destroy-active"},
	}
}
