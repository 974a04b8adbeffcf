package main

import (
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// legalChanges stay legal, however near to a fault they are.
func legalChanges() []plant {
	return []plant{
		{name: "128 outputs are the most", trace: separate, as: streamout.Warning, edit: func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "128") }},
		{name: "one component into two buffers", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "register_index", 1, "1") }},
		{name: "a longer stride", trace: separate, edit: func(r *recorded) { r.elem(vs, 0, "stride", 1, "<uint>5</uint>") }},
		{name: "a gap in front", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 1, "<uint>3</uint>")
			r.number(vs, 0, "dst_offset", 1, "1")
		}},
		{name: "one component less", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_components", 0, "3") }},
		{name: "the last component alone", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "start_component", 0, "3")
			r.number(vs, 0, "num_components", 0, "1")
		}},
		{name: "buffers in another order", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "output_buffer", 0, "1")
			r.number(vs, 0, "output_buffer", 1, "0")
			r.elem(vs, 0, "stride", 0, "<uint>2</uint>")
			r.elem(vs, 0, "stride", 1, "<uint>4</uint>")
		}},
		{name: "a target of part of its buffer", trace: separate, edit: func(r *recorded) {
			r.number(create, 0, "buffer_offset", 0, "16")
			r.number(create, 0, "buffer_size", 0, "48")
		}},
		{name: "a target that ends at the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_offset", 0, "0") }},
		{name: "two targets side by side in one buffer", trace: separate, edit: func(r *recorded) {
			r.pointer(create, 2, "res", r.pointerOf(create, 0, "res"))
			r.number(create, 0, "buffer_size", 0, "48")
			r.number(create, 2, "buffer_offset", 0, "48")
			r.number(create, 2, "buffer_size", 0, "16")
		}},
		{name: "append in its 64-bit spelling", trace: pause, edit: func(r *recorded) {
			r.elem(set, 4, "offsets", 0, "<uint>18446744073709551615</uint>")
		}},
		{name: "an empty array for NULL", trace: pause, edit: func(r *recorded) {
			i := r.find(set, 1)
			r.calls[i] = strings.Replace(r.calls[i], "<null/>", "<array></array>", 2)
		}},
		{name: "bound twice alike", trace: pause, edit: func(r *recorded) { r.twice("bind_vs_state", 0) }},
		{name: "targets created and never bound", trace: pause, edit: func(r *recorded) { r.twice(create, 0) }},
		{name: "a target destroyed when all is over", trace: pause, edit: func(r *recorded) {
			r.insert("destroy", 0, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}},
		{name: "no vertices", trace: pause, edit: func(r *recorded) { r.number("draw_vbo", 3, "count", 0, "0") }},
		{name: "a draw less", trace: pause, edit: func(r *recorded) { r.drop("draw_vbo", 1) }},
		{name: "begun and paused before anything is captured", trace: pause, edit: func(r *recorded) { r.drop("draw_vbo", 0) }},
		{name: "an address that comes back after its end", trace: pause, edit: func(r *recorded) {
			r.insert(create, 1, r.unbinds(), r.destroys(r.ret(create, 0)))
			r.replace(create, 1, r.ret(create, 1), r.ret(create, 0))
			r.put(set, 3, r.binds(begins, r.ret(create, 0)))
		}},
		{name: "a target that goes on in another slot", trace: contexts, edit: func(r *recorded) {
			other := r.shader(set, 1)
			r.captures(vs, 1, [4]int{0, 1}, captured{1, 0, 1, 1, 0, 0})
			r.insert(set, 1, r.unbinds(), r.call("bind_vs_state", arg("state", other)), r.binds(appends, null, r.ret(create, 0)),
				r.calls[r.find("draw_vbo", 0)], r.call("bind_vs_state", arg("state", r.ret(vs, 0))))
		}},
		{name: "unbound by a NULL target", trace: pause, edit: func(r *recorded) { r.put(set, 1, r.binds(begins, null)) }},
		{name: "the geometry shader away for a moment", trace: streams, edit: func(r *recorded) {
			r.insert(set, 1, r.call("bind_gs_state", arg("state", null)), r.call("bind_gs_state", arg("state", r.ret(gs, 0))), r.calls[r.find("draw_vbo", 0)])
		}},
		{name: "the shader deleted when another is bound", trace: pause, edit: func(r *recorded) {
			r.insert("delete_vs_state", 0, r.call("bind_vs_state", arg("state", r.shader("delete_vs_state", 0))))
		}},
		{name: "patches of 32 vertices", trace: tessellation, edit: func(r *recorded) {
			r.number("set_patch_vertices", 0, "patch_vertices", 0, "32")
			r.number("draw_vbo", 0, "count", 0, "64")
		}},
		{name: "writing beside what is captured into", trace: pause, edit: func(r *recorded) {
			r.number(create, 0, "buffer_size", 0, "60")
			r.insert(set, 1, r.call("buffer_subdata", arg("resource", r.pointerOf(create, 0, "res"))+
				arg("usage", "<uint>2</uint>")+arg("offset", "<uint>60</uint>")+arg("size", "<uint>4</uint>")+arg("data", "<bytes>00000000</bytes>")))
		}},
		{name: "a target that no create was seen of", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "tgs", 0, "<ptr>0x1234</ptr>") }},
		{name: "a query of each stream", trace: queries, edit: func(r *recorded) {
			for _, index := range []string{"0", "1", "2", "3"} {
				r.query("flush", 0, "PIPE_QUERY_SO_STATISTICS", index)
			}
		}},
		{name: "a trace that begins behind the bind", trace: overflow, edit: func(r *recorded) {
			r.drop(set, 0)
			r.calls = r.calls[r.find("create_query", 0):]
		}},
		{name: "a trace that begins behind a begin of a query", trace: strideOnly, edit: func(r *recorded) {
			r.number("create_rasterizer_state", 0, "rasterizer_discard", 0, "1")
			r.calls = r.calls[r.find("create_vs_state", 0):]
		}},
		{name: "an unknown method", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("invent_new_state", arg("what", "<uint>1</uint>")))
		}},
	}
}
