package main

func drawPlants() []plant {
	// In drawauto the third draw is the one that takes its count from a target.
	const auto = 2
	return []plant{
		{name: "a draw-auto of a target that is bound", trace: drawauto, edit: func(r *recorded) {
			r.pointer("draw_vbo", auto, "count_from_stream_output", r.ret(create, 1))
		}, rule: "so-draw-auto-target-bound"},
		{name: "an indexed draw-auto", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", auto, "index_size", 0, "2") }, rule: "so-draw-auto-indexed"},
		{name: "two draw-autos in one", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", auto, "num_draws", 0, "2") }, rule: "so-draw-auto-num-draws"},
		{name: "a draw-auto with a count buffer", trace: drawauto, edit: func(r *recorded) {
			r.pointer("draw_vbo", auto, "buffer", r.pointerOf(create, 0, "res"))
		}, rule: "so-draw-auto-null"},
		{name: "a draw-auto of a dead target", trace: drawauto, edit: func(r *recorded) {
			r.insert("draw_vbo", auto, r.call("stream_output_target_destroy", arg("target", r.ret(create, 0))))
		}, rule: "so-draw-auto-dead"},
		{name: "a draw-auto read with another stride", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "8")
		}, rule: "so-draw-auto-stride-mismatch"},
		{name: "a draw-auto without a stride", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "0")
		}, rule: "so-draw-auto-stride-zero"},
		{name: "reading what is captured", trace: drawauto, edit: func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.pointerOf(create, 1, "res"))
		}, rule: "so-read-write-hazard", also: "so-draw-auto-no-vb"},
		{name: "patches without tessellation", trace: pause, edit: func(r *recorded) { r.number("draw_vbo", 0, "mode", 0, "14") }, rule: "so-draw-patches"},
	}
}

func queryPlants() []plant {
	return []plant{
		{name: "stream 4 of a query", trace: queries, edit: func(r *recorded) { r.number("create_query", 3, "index", 0, "4") }, rule: "so-query-index-range"},
		{name: "a query begun twice", trace: queries, edit: func(r *recorded) { r.twice("begin_query", 0) }, rule: "so-query-unbalanced"},
		{name: "a query ended unbegun", trace: queries, edit: func(r *recorded) { r.drop("begin_query", 1) }, rule: "so-query-unbalanced"},
		{name: "more written than generated", trace: queries, edit: func(r *recorded) { r.number("get_query_result", 2, "result", 0, "9") }, rule: "so-query-result-emitted-gt-generated"},
	}
}
