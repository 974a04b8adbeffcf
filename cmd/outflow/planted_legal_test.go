package main

import "strings"

// legalChanges stay legal, however near to a fault they are.
func legalChanges() []plant {
	return []plant{
		{name: "128 outputs are the most", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "128") }},
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
			r.pointer(create, 1, "res", r.pointerOf(create, 0, "res"))
			r.number(create, 0, "buffer_size", 0, "48")
			r.number(create, 1, "buffer_offset", 0, "48")
			r.number(create, 1, "buffer_size", 0, "16")
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
		{name: "an unknown method", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("invent_new_state", arg("what", "<uint>1</uint>")))
		}},
	}
}
