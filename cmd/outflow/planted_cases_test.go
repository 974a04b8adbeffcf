package main

import "strings"

// plants are the faults of TestPlantedFaults.
func plants() []plant {
	var all []plant
	for _, group := range [][]plant{infoPlants(), targetPlants(), bindingPlants(), drawPlants(), queryPlants(),
		capPlants(), textPlants(), orderPlants()} {
		all = append(all, group...)
	}
	return all
}

const vs, gs = "create_vs_state", "create_gs_state"

func infoPlants() []plant {
	return []plant{
		{"more outputs than there can be", separate, func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "129") }, "so-num-outputs-range", ""},
		{"a count of garbage", separate, func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "3203391149") }, "so-num-outputs-range", ""},
		{"register 77", separate, func(r *recorded) { r.number(vs, 0, "register_index", 0, "77") }, "so-register-range", ""},
		{"register 300", separate, func(r *recorded) { r.number(vs, 0, "register_index", 1, "300") }, "so-register-range", ""},
		{"a register that the shader lacks", separate, func(r *recorded) { r.number(vs, 0, "register_index", 1, "9") }, "so-register-not-written", ""},
		{"component 4", separate, func(r *recorded) { r.number(vs, 0, "start_component", 0, "4") }, "so-start-component-range", ""},
		{"no components", separate, func(r *recorded) { r.number(vs, 0, "num_components", 1, "0") }, "so-component-count", ""},
		{"five components", separate, func(r *recorded) { r.number(vs, 0, "num_components", 0, "5") }, "so-component-count", ""},
		{"past w", separate, func(r *recorded) { r.number(vs, 0, "start_component", 0, "2") }, "so-component-cross", ""},
		{"buffer 5", separate, func(r *recorded) { r.number(vs, 0, "output_buffer", 2, "5") }, "so-buffer-range", ""},
		{"stream 4", streams, func(r *recorded) { r.number(gs, 0, "stream", 3, "4") }, "so-stream-range", ""},
		{"a stream without a geometry shader", separate, func(r *recorded) { r.number(vs, 0, "stream", 1, "1") }, "so-stream-without-gs", ""},
		{"dst_offset 65536", separate, func(r *recorded) { r.number(vs, 0, "dst_offset", 0, "65536") }, "so-dst-offset-range", ""},
		{"stride 65536", separate, func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>65536</uint>") }, "so-stride-range", ""},
		{"stride 0", separate, func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>0</uint>") }, "so-stride-zero-with-outputs", ""},
		{"stride too small", separate, func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>3</uint>") }, "so-stride-smaller-than-extent", ""},
		{"outputs that overlap", interleaved, func(r *recorded) { r.number(vs, 0, "dst_offset", 1, "2") }, "so-overlap", ""},
		{"streams that overlap", streams, func(r *recorded) {
			r.number(gs, 0, "output_buffer", 1, "0")
			r.number(gs, 0, "dst_offset", 1, "0")
		}, "so-overlap-multi-stream", ""},
		{"two streams in one buffer", streams, func(r *recorded) {
			r.elem(gs, 0, "stride", 0, "<uint>8</uint>")
			r.number(gs, 0, "output_buffer", 1, "0")
			r.number(gs, 0, "dst_offset", 1, "4")
		}, "so-buffer-multi-stream", ""},
		{"the same component twice", interleaved, func(r *recorded) {
			r.number(vs, 0, "start_component", 2, "3")
		}, "so-duplicate-source", ""},
		{"a wide place", separate, func(r *recorded) {
			r.number(vs, 0, "dst_offset", 0, "200")
			r.elem(vs, 0, "stride", 0, "<uint>204</uint>")
		}, "so-dst-offset-limit", "so-cap-interleaved"},
		{"outputs of a fragment shader", separate, func(r *recorded) {
			i := r.find(vs, 0)
			k := r.find("create_fs_state", 0)
			info := r.calls[i][strings.Index(r.calls[i], "<member name='stream_output'>"):strings.Index(r.calls[i], "</arg>\n\t\t<ret>")]
			r.calls[k] = r.calls[k][:strings.Index(r.calls[k], "<member name='stream_output'>")] + info + r.calls[k][strings.Index(r.calls[k], "</arg>\n\t\t<ret>"):]
		}, "so-wrong-stage", ""},
	}
}

const create = "create_stream_output_target"

func targetPlants() []plant {
	return []plant{
		{"a target behind the end", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "6400") }, "so-target-range", ""},
		{"a target that begins behind the end", separate, func(r *recorded) { r.number(create, 0, "buffer_offset", 0, "4096") }, "so-target-range", ""},
		{"an odd offset", separate, func(r *recorded) {
			r.number(create, 0, "buffer_offset", 0, "2")
			r.number(create, 0, "buffer_size", 0, "60")
		}, "so-target-offset-align", ""},
		{"an odd size", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "62") }, "so-target-size-align", ""},
		{"no bytes", separate, func(r *recorded) { r.number(create, 0, "buffer_size", 0, "0") }, "so-target-zero-size", ""},
		{"no resource", separate, func(r *recorded) { r.pointer(create, 0, "res", "<null/>") }, "so-target-null-resource", ""},
	}
}

const set = "set_stream_output_targets"

func bindingPlants() []plant {
	return []plant{
		{"five targets", separate, func(r *recorded) { r.number(set, 0, "num_targets", 0, "5") }, "so-set-num-targets", ""},
		{"no offsets", separate, func(r *recorded) {
			i := r.find(set, 0)
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<arg name='offsets'>")] + arg("offsets", "<null/>") + "</call>"
		}, "so-set-null-arrays", ""},
		{"an odd offset", separate, func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>2</uint>") }, "so-set-offset-align", ""},
		{"an offset behind the target", separate, func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>4096</uint>") }, "so-set-offset-range", ""},
		{"one target in two slots", separate, func(r *recorded) { r.elem(set, 0, "tgs", 1, r.ret(create, 0)) }, "so-target-duplicate", ""},
		{"two targets over each other", separate, func(r *recorded) {
			r.pointer(create, 1, "res", r.pointerOf(create, 0, "res"))
		}, "so-target-resource-overlap", ""},
		{"a used buffer without a target", separate, func(r *recorded) { r.elem(set, 0, "tgs", 1, "<null/>") }, "so-output-unbound-buffer", ""},
		{"a target after its end", separate, func(r *recorded) {
			r.insert(set, 0, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, "so-target-dead", ""},
		{"a target destroyed twice", separate, func(r *recorded) {
			i := r.find("destroy", 0)
			end := r.call("stream_output_target_destroy", arg("target", r.ret(create, 0)))
			r.calls = append(r.calls[:i], append([]string{end, end}, r.calls[i:]...)...)
		}, "so-target-double-destroy", ""},
		{"a target destroyed in a capture", separate, func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, "so-target-use-after-destroy", ""},
		{"appending to what never began", pause, func(r *recorded) {
			r.elem(set, 0, "offsets", 0, "<uint>4294967295</uint>")
		}, "so-append-never-written", ""},
		{"appending beside beginning", separate, func(r *recorded) {
			r.insert("draw_vbo", 0, r.calls[r.find(set, 0)])
			r.elem(set, 1, "offsets", 1, "<uint>4294967295</uint>")
		}, "so-set-offset-mixed", ""},
		{"the shader deleted in a capture", pause, func(r *recorded) {
			r.insert("draw_vbo", 0, r.calls[r.find("delete_vs_state", 0)])
			r.drop("delete_vs_state", 1)
		}, "so-shader-delete-bound", ""},
		{"the shader unbound in a capture", pause, func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("bind_vs_state", arg("state", "<null/>")))
		}, "so-draw-while-no-prog", ""},
	}
}

// pointerOf returns an argument's address, as an element.
func (r *recorded) pointerOf(method string, nth int, name string) string {
	c := r.calls[r.find(method, nth)]
	c = c[strings.Index(c, "name='"+name+"'>")+len("name=''>")+len(name):]
	return c[:strings.Index(c, "</arg>")]
}

func drawPlants() []plant {
	// In drawauto the third draw is the one that takes its count from a target.
	const auto = 2
	return []plant{
		{"a draw-auto of a target that is bound", drawauto, func(r *recorded) {
			r.pointer("draw_vbo", auto, "count_from_stream_output", r.ret(create, 1))
		}, "so-draw-auto-target-bound", ""},
		{"an indexed draw-auto", drawauto, func(r *recorded) { r.number("draw_vbo", auto, "index_size", 0, "2") }, "so-draw-auto-indexed", ""},
		{"two draw-autos in one", drawauto, func(r *recorded) { r.number("draw_vbo", auto, "num_draws", 0, "2") }, "so-draw-auto-num-draws", ""},
		{"a draw-auto with a count buffer", drawauto, func(r *recorded) {
			r.pointer("draw_vbo", auto, "buffer", r.pointerOf(create, 0, "res"))
		}, "so-draw-auto-null", ""},
		{"a draw-auto of a dead target", drawauto, func(r *recorded) {
			r.insert("draw_vbo", auto, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, "so-draw-auto-dead", ""},
		{"a draw-auto read with another stride", drawauto, func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "8")
		}, "so-draw-auto-stride-mismatch", ""},
		{"a draw-auto without a stride", drawauto, func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "0")
		}, "so-draw-auto-stride-zero", ""},
		{"reading what is captured", drawauto, func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.pointerOf(create, 1, "res"))
		}, "so-read-write-hazard", "so-draw-auto-no-vb"},
		{"patches without tessellation", pause, func(r *recorded) { r.number("draw_vbo", 0, "mode", 0, "14") }, "so-draw-patches", ""},
	}
}

func queryPlants() []plant {
	return []plant{
		{"stream 4 of a query", queries, func(r *recorded) { r.number("create_query", 3, "index", 0, "4") }, "so-query-index-range", ""},
		{"a query begun twice", queries, func(r *recorded) { r.twice("begin_query", 0) }, "so-query-unbalanced", ""},
		{"a query ended unbegun", queries, func(r *recorded) { r.drop("begin_query", 1) }, "so-query-unbalanced", ""},
		{"more written than generated", queries, func(r *recorded) { r.number("get_query_result", 2, "result", 0, "9") }, "so-query-result-emitted-gt-generated", ""},
	}
}

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
