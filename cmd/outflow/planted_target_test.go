package main

import "strings"

const (
	create = "create_stream_output_target"
	set    = "set_stream_output_targets"
)

func targetPlants() []plant {
	return []plant{
		{name: "a target behind the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "6400") }, rule: "so-target-range"},
		{name: "a target that begins behind the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_offset", 0, "4096") }, rule: "so-target-range"},
		{name: "an odd offset", trace: separate, edit: func(r *recorded) {
			r.number(create, 0, "buffer_offset", 0, "2")
			r.number(create, 0, "buffer_size", 0, "60")
		}, rule: "so-target-offset-align"},
		{name: "an odd size", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "62") }, rule: "so-target-size-align"},
		{name: "no bytes", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "0") }, rule: "so-target-zero-size"},
		{name: "no resource", trace: separate, edit: func(r *recorded) { r.pointer(create, 0, "res", "<null/>") }, rule: "so-target-null-resource"},
	}
}

func bindingPlants() []plant {
	return []plant{
		{name: "five targets", trace: separate, edit: func(r *recorded) { r.number(set, 0, "num_targets", 0, "5") }, rule: "so-set-num-targets"},
		{name: "no offsets", trace: separate, edit: func(r *recorded) {
			i := r.find(set, 0)
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<arg name='offsets'>")] + arg("offsets", "<null/>") + "</call>"
		}, rule: "so-set-null-arrays"},
		{name: "an odd offset", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>2</uint>") }, rule: "so-set-offset-align"},
		{name: "an offset behind the target", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>4096</uint>") }, rule: "so-set-offset-range"},
		{name: "one target in two slots", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "tgs", 1, r.ret(create, 0)) }, rule: "so-target-duplicate"},
		{name: "two targets over each other", trace: separate, edit: func(r *recorded) {
			r.pointer(create, 1, "res", r.pointerOf(create, 0, "res"))
		}, rule: "so-target-resource-overlap"},
		{name: "a used buffer without a target", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "tgs", 1, "<null/>") }, rule: "so-output-unbound-buffer"},
		{name: "a target after its end", trace: separate, edit: func(r *recorded) {
			r.insert(set, 0, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, rule: "so-target-dead"},
		{name: "a target destroyed twice", trace: separate, edit: func(r *recorded) {
			i := r.find("destroy", 0)
			end := r.call("stream_output_target_destroy", arg("target", r.ret(create, 0)))
			r.calls = append(r.calls[:i], append([]string{end, end}, r.calls[i:]...)...)
		}, rule: "so-target-double-destroy"},
		{name: "a target destroyed in a capture", trace: separate, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, rule: "so-target-use-after-destroy"},
		{name: "appending to what never began", trace: pause, edit: func(r *recorded) {
			r.elem(set, 0, "offsets", 0, "<uint>4294967295</uint>")
		}, rule: "so-append-never-written"},
		{name: "appending beside beginning", trace: separate, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.calls[r.find(set, 0)])
			r.elem(set, 1, "offsets", 1, "<uint>4294967295</uint>")
		}, rule: "so-set-offset-mixed"},
		{name: "the shader deleted in a capture", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.calls[r.find("delete_vs_state", 0)])
			r.drop("delete_vs_state", 1)
		}, rule: "so-shader-delete-bound"},
		{name: "the shader unbound in a capture", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("bind_vs_state", arg("state", "<null/>")))
		}, rule: "so-draw-while-no-prog"},
	}
}

func orderPlants() []plant {
	return []plant{
		{name: "the driver made no target", trace: separate, edit: func(r *recorded) {
			r.replace(create, 0, "<ret>"+r.ret(create, 0), "<ret><null/>")
			r.elem(set, 0, "tgs", 0, "<null/>")
		}, rule: "so-target-null-returned"},
		{name: "a target of a texture", trace: separate, edit: func(r *recorded) {
			res := r.pointerOf(create, 0, "res")
			for nth := 0; ; nth++ {
				if r.ret("resource_create", nth) == res {
					r.replace("resource_create", nth, "<enum>PIPE_BUFFER</enum>", "<enum>PIPE_TEXTURE_2D</enum>")
					return
				}
			}
		}, rule: "so-target-not-buffer"},
		{name: "a target of a buffer that is gone", trace: separate, edit: func(r *recorded) {
			r.insert(create, 0, "<call no='4001' class='pipe_screen' method='resource_destroy'>"+
				arg("screen", "<ptr>0x1</ptr>")+arg("resource", r.pointerOf(create, 0, "res"))+"</call>")
		}, rule: "so-target-dead-resource"},
		{name: "a target of the other context", trace: contexts, edit: func(r *recorded) {
			r.elem(set, 2, "tgs", 0, r.ret(create, 0))
		}, rule: "so-target-other-context"},
		{name: "an offset inside a dword of a full target", trace: separate, edit: func(r *recorded) {
			r.number(create, 0, "buffer_size", 0, "48")
			r.elem(set, 0, "offsets", 0, "<uint>3</uint>")
		}, rule: "so-set-offset-align"},
		{name: "no room for a vertex", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "12") }, rule: "so-target-too-small-vertex"},
		{name: "no room for a primitive", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "40") }, rule: "so-target-too-small-prim"},
		{name: "points amid triangles", trace: pause, edit: func(r *recorded) { r.twice("draw_vbo", 0); r.number("draw_vbo", 0, "mode", 0, "1") }, rule: "so-prim-mode-change"},
		{name: "another shader amid a capture", trace: pause, edit: func(r *recorded) {
			at := r.find(vs, 0)
			other := strings.Replace(r.calls[at], r.ret(vs, 0), "<ptr>0xabc0</ptr>", 1)
			other = strings.Replace(other, "name='register_index'><uint>1<", "name='register_index'><uint>0<", 1)
			r.insert("set_stream_output_targets", 1, other)
			r.insert("set_stream_output_targets", 1, r.call("bind_vs_state", arg("state", "<ptr>0xabc0</ptr>")))
			r.insert("set_stream_output_targets", 1, r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-shader-change-while-active"},
		{name: "another stride amid a capture", trace: pause, edit: func(r *recorded) {
			at := r.find(vs, 0)
			other := strings.Replace(r.calls[at], r.ret(vs, 0), "<ptr>0xabc0</ptr>", 1)
			other = strings.Replace(other, "<elem><uint>1</uint></elem>", "<elem><uint>2</uint></elem>", 1)
			r.insert("set_stream_output_targets", 1, other)
			r.insert("set_stream_output_targets", 1, r.call("bind_vs_state", arg("state", "<ptr>0xabc0</ptr>")))
			r.insert("set_stream_output_targets", 1, r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-layout-change-while-active"},
		{name: "writing to what is captured into", trace: pause, edit: func(r *recorded) {
			r.insert("set_stream_output_targets", 1, r.call("buffer_subdata", arg("resource", r.pointerOf(create, 0, "res"))+
				arg("usage", "<uint>2</uint>")+arg("offset", "<uint>0</uint>")+arg("size", "<uint>4</uint>")+arg("data", "<bytes>00000000</bytes>")))
		}, rule: "so-map-while-bound"},
		{name: "a draw-auto of what never captured", trace: drawauto, edit: func(r *recorded) {
			r.drop("draw_vbo", 0)
			r.drop("draw_vbo", 0)
		}, rule: "so-draw-auto-never-written"},
		{name: "a draw-auto that reads another buffer", trace: drawauto, edit: func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.ret("resource_create", 0))
		}, rule: "so-draw-auto-no-vb"},
		{name: "a draw-auto that reads from the middle", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "buffer_offset", 0, "16")
		}, rule: "so-draw-auto-offset-mismatch"},
		{name: "drawing by an overflow that still counts", trace: queries, edit: func(r *recorded) {
			r.replace("create_query", 3, "PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.drop("get_query_result", 4)
			r.insert("end_query", 0, r.call("render_condition", arg("query", r.ret("create_query", 3))+
				arg("condition", "<bool>0</bool>")+arg("mode", "<uint>0</uint>")))
		}, rule: "so-render-condition-so"},
		{name: "a query of a stream that is not captured", trace: queries, edit: func(r *recorded) {
			r.number("create_query", 3, "index", 0, "3")
			r.number("get_query_result", 4, "result", 0, "0")
		}, rule: "so-query-stream-unused"},
	}
}
