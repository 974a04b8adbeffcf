package main

// autoDraw is the draw of drawauto that takes its count from a target.
const autoDraw = 2

// drawAutoPlants are of draws that take their count from a target.
func drawAutoPlants() []plant {
	return []plant{
		{name: "a draw-auto of a target that is bound", trace: drawauto, edit: func(r *recorded) {
			r.pointer("draw_vbo", autoDraw, "count_from_stream_output", r.ret(create, 1))
		}, rule: "so-draw-auto-target-bound"},
		{name: "an indexed draw-auto", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", autoDraw, "index_size", 0, "2") }, rule: "so-draw-auto-indexed"},
		{name: "two draw-autos in one", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", autoDraw, "num_draws", 0, "2") }, rule: "so-draw-auto-num-draws"},
		{name: "a draw-auto with a count", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", autoDraw, "count", 0, "3") }, rule: "so-draw-auto-start-count"},
		{name: "a draw-auto with a start", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", autoDraw, "start", 0, "1") }, rule: "so-draw-auto-start-count"},
		{name: "two instances of a draw-auto", trace: drawauto, edit: func(r *recorded) { r.number("draw_vbo", autoDraw, "instance_count", 0, "2") }, rule: "so-draw-auto-multi-instance-id"},
		{name: "two instances of a draw-auto on svga", trace: drawauto, edit: func(r *recorded) {
			r.flagged()
			r.number("draw_vbo", autoDraw, "instance_count", 0, "2")
		}, rule: "so-draw-auto-stream", driver: "svga", also: "so-draw-auto-multi-instance-id"},
		{name: "a draw-auto with a count buffer", trace: drawauto, edit: func(r *recorded) {
			r.pointer("draw_vbo", autoDraw, "buffer", r.pointerOf(create, 0, "res"))
		}, rule: "so-draw-auto-null"},
		{name: "an indirect draw of nothing", trace: drawauto, edit: func(r *recorded) {
			r.pointer("draw_vbo", autoDraw, "count_from_stream_output", null)
		}, rule: "so-draw-auto-null"},
		{name: "a draw-auto of a dead target", trace: drawauto, edit: func(r *recorded) {
			r.insert("draw_vbo", autoDraw, r.destroys(r.ret(create, 0)))
		}, rule: "so-draw-auto-dead"},
		{name: "a draw-auto of a target whose context is gone", trace: contexts, edit: func(r *recorded) { r.insert("destroy", 1, r.auto(r.ret(create, 1))) },
			rule: "so-draw-auto-dead"},
		{name: "a draw-auto on virgl", trace: pause, edit: func(r *recorded) { r.insert("flush", 0, r.auto(r.ret(create, 0))) },
			rule: "so-draw-auto-virgl", driver: "virgl"},
		{name: "a draw-auto of another context's target", trace: contexts, edit: func(r *recorded) { r.insert(set, 5, r.auto(r.ret(create, 1))) },
			rule: "so-draw-auto-other-context"},
		{name: "a draw-auto of a target that the capture left alone", trace: drawauto, edit: func(r *recorded) {
			unused := r.target(set, 0, "64", bindStreamOutput)
			r.put(set, 0, r.binds(begins, r.ret(create, 0), unused))
			r.pointer("draw_vbo", autoDraw, "count_from_stream_output", unused)
		}, rule: "so-draw-auto-target-not-written", also: "so-target-unused"},
		{name: "a draw-auto of what never captured", trace: drawauto, edit: func(r *recorded) {
			r.drop("draw_vbo", 0)
			r.drop("draw_vbo", 0)
		}, rule: "so-draw-auto-never-written"},
		{name: "a draw-auto that reads another buffer", trace: drawauto, edit: func(r *recorded) {
			r.pointer("set_vertex_buffers", 0, "buffer.resource", r.ret("resource_create", 0))
		}, rule: "so-draw-auto-no-vb"},
		{name: "a draw-auto read with another stride", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "8")
		}, rule: "so-draw-auto-stride-mismatch"},
		{name: "a draw-auto without a stride", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "stride", 0, "0")
		}, rule: "so-draw-auto-stride-zero"},
		{name: "a draw-auto that reads from the middle", trace: drawauto, edit: func(r *recorded) {
			r.number("set_vertex_buffers", 0, "buffer_offset", 0, "16")
		}, rule: "so-draw-auto-offset-mismatch"},
	}
}

// auto is the first draw of the trace with its count from a target.
func (r *recorded) auto(target string) string {
	r.t.Helper()
	draw := recorded{t: r.t, calls: []string{r.calls[r.find("draw_vbo", 0)]}}
	draw.replace("draw_vbo", 0, "<arg name='indirect'>"+null, "<arg name='indirect'>"+r.indirect(null))
	draw.pointer("draw_vbo", 0, "count_from_stream_output", target)
	draw.number("draw_vbo", 0, "start", 0, "0")
	draw.number("draw_vbo", 0, "count", 0, "0")
	return draw.calls[0]
}
