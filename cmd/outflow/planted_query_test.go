package main

import "github.com/outflow-gpu/outflow/streamout"

// queryPlants are of queries that stream output counts for.
func queryPlants() []plant {
	return []plant{
		{name: "stream 4 of a query", trace: queries, edit: func(r *recorded) { r.number("create_query", 3, "index", 0, "4") }, rule: "so-query-index-range"},
		{name: "stream 1 of a driver that has one", trace: pause, edit: func(r *recorded) {
			r.states("PIPE_CAP_MAX_VERTEX_STREAMS", "1")
			r.query("flush", 0, "PIPE_QUERY_PRIMITIVES_EMITTED", "1")
		}, rule: "so-query-index-cap"},
		{name: "stream 1 of the overflow of any", trace: pause, edit: func(r *recorded) {
			r.query("flush", 0, "PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE", "1")
		}, rule: "so-query-index-nonzero-any"},
		{name: "stream 1 of an occlusion query", trace: pause, edit: func(r *recorded) {
			r.query("flush", 0, "PIPE_QUERY_OCCLUSION_COUNTER", "1")
		}, rule: "so-query-index-nonstream"},
		{name: "a query begun twice", trace: queries, edit: func(r *recorded) { r.twice("begin_query", 0) }, rule: "so-query-unbalanced", as: streamout.Error},
		{name: "a query ended unbegun", trace: queries, edit: func(r *recorded) { r.drop("begin_query", 1) }, rule: "so-query-unbalanced", as: streamout.Warning},
		{name: "a query destroyed while it runs", trace: queries, edit: func(r *recorded) {
			r.drop("end_query", 0)
			r.drop("get_query_result", 0)
			r.drop("get_query_result", 0)
		}, rule: "so-query-unbalanced", as: streamout.Warning},
		{name: "a query of a stream that is not captured", trace: queries, edit: func(r *recorded) {
			r.number("create_query", 3, "index", 0, "3")
			r.number("get_query_result", 4, "result", 0, "0")
		}, rule: "so-query-stream-unused", as: streamout.Warning},
		{name: "a query over other buffers", trace: separate, edit: func(r *recorded) {
			q := r.query(set, 0, "PIPE_QUERY_PRIMITIVES_EMITTED", "0")
			r.insert(set, 0, r.call("begin_query", arg("query", q)))
			other := r.shader("buffer_map", 0)
			r.captures(vs, 1, [4]int{4}, captured{1, 0, 4, 0, 0, 0})
			t := r.target("buffer_map", 0, "64", bindStreamOutput)
			r.insert("buffer_map", 0, r.call("bind_vs_state", arg("state", other)), r.binds(begins, t), r.calls[r.find("draw_vbo", 0)],
				r.unbinds(), r.call("end_query", arg("query", q)))
		}, rule: "so-query-spans-bind", also: "so-bind-during-query"},
		{name: "a query of the driver that has none", trace: queries, edit: func(r *recorded) {
			r.states("PIPE_CAP_QUERY_SO_OVERFLOW", "0")
			r.query("flush", 0, "PIPE_QUERY_SO_OVERFLOW_PREDICATE", "0")
		}, rule: "so-query-unsupported"},
		{name: "drawing by an overflow that still counts", trace: queries, edit: func(r *recorded) {
			r.replace("create_query", 3, "PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.drop("get_query_result", 4)
			r.insert("end_query", 0, r.call("render_condition", arg("query", r.ret("create_query", 3))+
				arg("condition", "<bool>0</bool>")+arg("mode", "<uint>0</uint>")))
		}, rule: "so-render-condition-so"},
		{name: "counting what goes nowhere", trace: strideOnly, edit: func(r *recorded) {
			r.number("create_rasterizer_state", 0, "rasterizer_discard", 0, "1")
			q := r.query("draw_vbo", 0, "PIPE_QUERY_PRIMITIVES_GENERATED", "0")
			r.insert("draw_vbo", 0, r.call("begin_query", arg("query", q)))
			r.insert("buffer_map", 0, r.call("end_query", arg("query", q)))
		}, rule: "so-primgen-vs-discard"},
		{name: "more written than generated", trace: queries, edit: func(r *recorded) { r.number("get_query_result", 2, "result", 0, "9") }, rule: "so-query-result-emitted-gt-generated"},
		{name: "one more generated than is drawn", trace: overflow, edit: func(r *recorded) { r.number("get_query_result", 0, "result", 0, "5") }, rule: "so-query-result-predicted"},
		{name: "one less written than fits", trace: overflow, edit: func(r *recorded) { r.number("get_query_result", 1, "result", 0, "1") }, rule: "so-query-result-predicted"},
		{name: "no overflow of any stream but of one", trace: overflows, edit: func(r *recorded) { r.number("get_query_result", 0, "result", 0, "0") },
			rule: "so-query-result-mismatch"},
		{name: "an overflow without one", trace: queries, edit: func(r *recorded) {
			r.number("create_query", 2, "index", 0, "0")
			r.replace("create_query", 2, "PIPE_QUERY_PRIMITIVES_GENERATED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.number("get_query_result", 3, "result", 0, "1")
		}, rule: "so-query-result-mismatch"},
	}
}
