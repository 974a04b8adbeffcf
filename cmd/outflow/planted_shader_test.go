package main

const vs, gs = "create_vs_state", "create_gs_state"

// infoPlants are of single numbers of an info.
func infoPlants() []plant {
	return []plant{
		{name: "more outputs than there can be", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "129") }, rule: "so-num-outputs-range"},
		{name: "a count of garbage", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_outputs", 0, "3203391149") }, rule: "so-num-outputs-range"},
		{name: "register 77", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "register_index", 0, "77") }, rule: "so-register-range"},
		{name: "register 300", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "register_index", 1, "300") }, rule: "so-register-range"},
		{name: "a register that the shader lacks", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "register_index", 1, "9") }, rule: "so-register-not-written"},
		{name: "component 4", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "start_component", 0, "4") }, rule: "so-start-component-range"},
		{name: "no components", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_components", 1, "0") }, rule: "so-component-count"},
		{name: "five components", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "num_components", 0, "5") }, rule: "so-component-count"},
		{name: "past w", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "start_component", 0, "2") }, rule: "so-component-cross"},
		{name: "buffer 5", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "output_buffer", 2, "5") }, rule: "so-buffer-range"},
		{name: "stream 4", trace: streams, edit: func(r *recorded) { r.number(gs, 0, "stream", 3, "4") }, rule: "so-stream-range"},
		{name: "a stream without a geometry shader", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "stream", 1, "1") }, rule: "so-stream-without-gs"},
		{name: "dst_offset 65536", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "dst_offset", 0, "65536") }, rule: "so-dst-offset-range"},
		{name: "stride 65536", trace: separate, edit: func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>65536</uint>") }, rule: "so-stride-range"},
		{name: "stride 0", trace: separate, edit: func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>0</uint>") }, rule: "so-stride-zero-with-outputs"},
		{name: "stride too small", trace: separate, edit: func(r *recorded) { r.elem(vs, 0, "stride", 0, "<uint>3</uint>") }, rule: "so-stride-smaller-than-extent"},
		{name: "outputs that overlap", trace: interleaved, edit: func(r *recorded) { r.number(vs, 0, "dst_offset", 1, "2") }, rule: "so-overlap"},
		{name: "streams that overlap", trace: streams, edit: func(r *recorded) {
			r.number(gs, 0, "output_buffer", 1, "0")
			r.number(gs, 0, "dst_offset", 1, "0")
		}, rule: "so-overlap-multi-stream"},
		{name: "two streams in one buffer", trace: streams, edit: func(r *recorded) {
			r.elem(gs, 0, "stride", 0, "<uint>8</uint>")
			r.number(gs, 0, "output_buffer", 1, "0")
			r.number(gs, 0, "dst_offset", 1, "4")
		}, rule: "so-buffer-multi-stream", also: "so-leading-gap"},
		{name: "an output in a buffer of no stride", trace: registers, edit: func(r *recorded) { r.number(vs, 0, "output_buffer", 7, "2") }, rule: "so-stride-zero-with-outputs"},
		{name: "an output in the buffer of another", trace: separate, edit: func(r *recorded) { r.number(vs, 0, "output_buffer", 2, "0") }, rule: "so-overlap"},
		{name: "an output in a buffer that is too small", trace: qualifiers, edit: func(r *recorded) { r.number(vs, 0, "output_buffer", 4, "0") }, rule: "so-stride-smaller-than-extent"},
		{name: "the first output at the place of the fourth", trace: matrices, edit: func(r *recorded) { r.number(vs, 0, "dst_offset", 0, "12") }, rule: "so-overlap"},
		{name: "the first output behind the last", trace: matrices, edit: func(r *recorded) { r.number(vs, 0, "dst_offset", 0, "24") }, rule: "so-stride-smaller-than-extent"},
		{name: "a stream in a tessellation shader", trace: tessellation, edit: func(r *recorded) { r.number("create_tes_state", 0, "stream", 1, "2") }, rule: "so-stream-without-gs"},
		{name: "a stride without its last dword", trace: tessellation, edit: func(r *recorded) { r.elem("create_tes_state", 0, "stride", 0, "<uint>3</uint>") }, rule: "so-stride-smaller-than-extent"},
		{name: "a geometry shader's output of no component", trace: adjacencyTGSI, edit: func(r *recorded) { r.number(gs, 0, "num_components", 0, "0") }, rule: "so-component-count"},
		{name: "the clip distances of another register", trace: clip, edit: func(r *recorded) { r.number(vs, 0, "register_index", 1, "2") }, rule: "so-duplicate-source"},
		{name: "a fragment shader that was not zeroed", trace: separate, edit: func(r *recorded) { r.number("create_fs_state", 0, "num_outputs", 0, "3203391149") }, rule: "so-num-outputs-range"},
		{name: "a fragment shader's stride", trace: separate, edit: func(r *recorded) { r.elem("create_fs_state", 0, "stride", 0, "<uint>4</uint>") }, rule: "so-stale-when-empty"},
		{name: "the same component twice", trace: interleaved, edit: func(r *recorded) {
			r.number(vs, 0, "start_component", 2, "3")
		}, rule: "so-duplicate-source"},
		{name: "a wide place", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "dst_offset", 0, "200")
			r.elem(vs, 0, "stride", 0, "<uint>204</uint>")
		}, rule: "so-dst-offset-limit", also: "so-cap-interleaved"},
	}
}

// capPlants are of a screen that states less than is asked of it.
func capPlants() []plant {
	return []plant{
		{name: "a driver without stream output", trace: separate, edit: func(r *recorded) { r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "0") },
			rule: "so-cap-buffers", also: "so-bind-cap-none so-target-create-cap"},
		{name: "a driver of two buffers", trace: separate, edit: func(r *recorded) { r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "2") }, rule: "so-cap-buffers", also: "so-set-num-targets"},
		{name: "a driver of one stream", trace: streams, edit: func(r *recorded) { r.states("PIPE_CAP_MAX_VERTEX_STREAMS", "1") }, rule: "so-cap-streams"},
		{name: "a driver that cannot resume", trace: pause, edit: func(r *recorded) { r.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", "0") }, rule: "so-pause-cap"},
		{name: "a driver that cannot draw by a target", trace: drawauto, edit: func(r *recorded) { r.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", "0") }, rule: "so-draw-auto-cap"},
		{name: "a driver without overflow queries", trace: queries, edit: func(r *recorded) {
			r.states("PIPE_CAP_QUERY_SO_OVERFLOW", "0")
			r.replace("create_query", 3, "PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_OVERFLOW_PREDICATE")
			r.drop("get_query_result", 4)
		}, rule: "so-query-unsupported"},
		{name: "a driver of small separate buffers", trace: separate, edit: func(r *recorded) {
			r.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", "0")
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", "2")
		}, rule: "so-cap-separate"},
		{name: "a driver of small interleaved buffers", trace: doubles, edit: func(r *recorded) {
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", "4")
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", "16")
		}, rule: "so-cap-interleaved"},
		{name: "a driver of one varying in each of several buffers", trace: separate, edit: func(r *recorded) {
			r.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", "0")
			r.replace(vs, 0, "packed:b", "b")
			r.captures(vs, 0, [4]int{6, 1, 4}, captured{1, 0, 4, 0, 0, 0}, captured{2, 0, 2, 0, 4, 0},
				captured{3, 0, 1, 1, 0, 0}, captured{0, 0, 4, 2, 0, 0})
		}, rule: "so-cap-interleave-buffers"},
	}
}
