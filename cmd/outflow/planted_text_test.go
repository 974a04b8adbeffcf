package main

import (
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// Changes of a shader's text. The old forms are those of Mesa 7.12 and of later
// Mesa, made of what the traces hold.

// withoutType takes out what Mesa wrote only from 22.2 on.
func (r *recorded) withoutType(method string, nth int) {
	r.replace(method, nth, "<member name='type'><uint>0</uint></member>", "")
	r.replace(method, nth, "<member name='ir'><null/></member>", "")
}

// masked is a stream output as Mesa 7.12 printed it, with masks of components.
func masked(masks ...string) string {
	text := "<member name='stream_output'><struct name='pipe_stream_output_info'><member name='num_outputs'><uint>3</uint></member>" +
		"<member name='stride'><uint>28</uint></member><member name='output'><array>"
	for i, m := range masks {
		n := string(rune('0' + i))
		text += "<elem><struct name=''><member name='register_index'><uint>" + string(rune('1'+i)) + "</uint></member>" +
			"<member name='register_mask'><uint>" + m + "</uint></member><member name='output_buffer'><uint>" + n + "</uint></member></struct></elem>"
	}
	return text + "</array></member></struct></member>"
}

// double makes a dvec2 of the first vector of the shader of doubles, which was
// packed into whole numbers, and lists its outputs in the order given.
func (r *recorded) double(stride int, outputs ...captured) {
	r.replace(vs, 0, "FLAT ivec4 packed:b (VARYING_SLOT_VAR1.xyzw", "FLAT dvec2 b (VARYING_SLOT_VAR1.xy")
	r.replace(vs, 0, "deref_var &packed:b (shader_out ivec4)", "deref_var &b (shader_out dvec2)")
	r.replace(vs, 0, "vec4 32 ssa_38 = vec4 ssa_35, ssa_34, ssa_17, ssa_16", "vec2 64 ssa_38 = vec2 ssa_23, ssa_25")
	r.replace(vs, 0, "intrinsic store_deref (ssa_33, ssa_39) (wrmask=zw /*12*/, access=0)", "")
	r.captures(vs, 0, [4]int{stride}, outputs...)
}

// lowered gives the shader of pause the text that Mesa 25 writes of it, in which
// the store says itself what is captured where.
func (r *recorded) lowered(offset, buffer string) {
	i := r.find(vs, 0)
	begin, end := strings.Index(r.calls[i], "<![CDATA["), strings.Index(r.calls[i], "]]>")
	r.calls[i] = r.calls[i][:begin] + "<![CDATA[shader: MESA_SHADER_VERTEX\nname: GLSL1\noutputs: 2\n" +
		"decl_function main () (entrypoint)\n\nimpl main {\n    block b0:   // preds:\n" +
		"    32    %0 = load_const (0x00000000)\n    32x4  %1 = vec4 %0, %0, %0, %0\n" +
		"          @store_output (%1, %0 (0x0)) (base=0, range=1, wrmask=xyzw, component=0, src_type=float32, io location=VARYING_SLOT_POS slots=1, xfb(), xfb2())  // gl_Position\n" +
		"          @store_output (%0, %0 (0x0)) (base=1, range=1, wrmask=x, component=0, src_type=float32, io location=VARYING_SLOT_VAR0 slots=1, " +
		"xfb(component=0 buffer=" + buffer + " offset=" + offset + "), xfb2())  // id\n                // succs: b1\n    block b1:\n}\n\n" + r.calls[i][end:]
}

func textPlants() []plant {
	return []plant{
		{name: "components that are not written", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "num_components", 1, "4")
			r.elem(vs, 0, "stride", 1, "<uint>4</uint>")
		}, rule: "so-component-not-written"},
		{name: "a register that nothing writes", trace: separateTGSI, edit: func(r *recorded) {
			r.replace(vs, 0, "  3: UADD OUT[3].x,", "  3: UADD TEMP[1].w,")
		}, rule: "so-register-not-written"},
		{name: "a point size that was counted", trace: pause, edit: func(r *recorded) {
			r.replace(vs, 0, "outputs: 2\n", "outputs: 3\n")
			r.replace(vs, 0, "float packed:id (VARYING_SLOT_VAR0.x, 1, 0)\n", "float packed:id (VARYING_SLOT_VAR0.x, 2, 0)\n"+
				"decl_var shader_out INTERP_MODE_NONE float gl_PointSizeMESA (VARYING_SLOT_PSIZ.x, 1, 0)\n")
			r.number(vs, 0, "register_index", 0, "2")
		}, rule: "so-psiz-injected"},
		{name: "one output of two variables", trace: arraysTGSI, edit: func(r *recorded) {
			r.replace(vs, 0, "DCL OUT[2], GENERIC[1]&#10;", "DCL OUT[2].xy, GENERIC[1]&#10;DCL OUT[2].zw, GENERIC[1]&#10;")
		}, rule: "so-component-outside-variable"},
		{name: "one output of two variables in d3d12", trace: arraysTGSI, edit: func(r *recorded) {
			r.replace(vs, 0, "DCL OUT[2], GENERIC[1]&#10;", "DCL OUT[2].xy, GENERIC[1]&#10;DCL OUT[2].zw, GENERIC[1]&#10;")
		}, rule: "so-component-outside-variable", driver: "d3d12"},
		{name: "the position for what was optimised away", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "register_index", 1, "0")
		}, rule: "so-register-maps-zero"},
		{name: "the second clip distances first", trace: clip, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{12}, captured{3, 0, 2, 0, 0, 0}, captured{2, 0, 4, 0, 2, 0}, captured{0, 0, 4, 0, 6, 0},
				captured{4, 0, 1, 0, 10, 0}, captured{1, 0, 1, 0, 11, 0})
		}, rule: "so-clip-distance-register"},
		{name: "a store that captures elsewhere", trace: pause, edit: func(r *recorded) { r.lowered("4", "0") }, rule: "so-nir-mismatch"},
		{name: "a store that captures into another buffer", trace: pause, edit: func(r *recorded) { r.lowered("0", "1") }, rule: "so-nir-mismatch"},
		{name: "a text that is cut", trace: separateTGSI, edit: func(r *recorded) {
			i := r.find(vs, 0)
			at := strings.Index(r.calls[i], "  6: MOV")
			r.calls[i] = r.calls[i][:at] + r.calls[i][at+strings.Index(r.calls[i][at:], "</string>"):]
		}, rule: "so-text-tgsi-truncation"},
		{name: "a mask with a hole", trace: separateTGSI, edit: func(r *recorded) {
			r.withoutType(vs, 0)
			r.streamOutput(vs, 0, masked("5", "3", "1"))
		}, rule: "so-mask-noncontiguous"},
		{name: "register 70 when it could be stored", trace: separateTGSI, edit: func(r *recorded) {
			r.withoutType(vs, 0)
			r.replace(vs, 0, "OUT[3]", "OUT[70]")
			r.number(vs, 0, "register_index", 2, "70")
		}, rule: "so-reg-width-legacy"},
	}
}

func streamPlants() []plant {
	return []plant{
		{name: "a stream that is never emitted", trace: streams, edit: func(r *recorded) {
			r.replace(gs, 0, "active_stream_mask: 0xf", "active_stream_mask: 0x7")
			r.replace(gs, 0, "(stream_id=3)", "(stream_id=2)")
		}, rule: "so-stream-inactive"},
		{name: "streams of triangles", trace: streams, edit: func(r *recorded) { r.replace(gs, 0, "output primitive: POINTS", "output primitive: TRIANGLE_STRIP") }, rule: "so-multi-stream-non-points"},
		{name: "a variable of another stream", trace: adjacencyTGSI, edit: func(r *recorded) {
			r.replace(gs, 0, "DCL OUT[1].xy, GENERIC[0]&#10;", "DCL OUT[1].xy, GENERIC[0], STREAM(1, 1, 0, 0)&#10;")
		}, rule: "so-stream-mismatch-decl"},
		{name: "stream 2 left out", trace: streams, edit: func(r *recorded) { r.number(gs, 0, "stream", 3, "1") }, rule: "so-stream-gap-buffer"},
		{name: "a record of a thousand components", trace: streams, edit: func(r *recorded) {
			r.replace(gs, 0, "vertices out: 7\n", "vertices out: 103\n")
		}, rule: "so-gs-vertices-out"},
	}
}

func gapPlants() []plant {
	return []plant{
		{name: "outputs out of order", trace: interleaved, edit: func(r *recorded) {
			r.number(vs, 0, "dst_offset", 0, "3")
			r.number(vs, 0, "dst_offset", 1, "0")
		}, rule: "so-not-ascending"},
		{name: "half a double", trace: doubles, edit: func(r *recorded) {
			r.double(6, captured{2, 0, 3, 0, 0, 0}, captured{5, 0, 2, 0, 4, 0})
		}, rule: "so-split-64bit"},
		{name: "a double at an odd dword", trace: doubles, edit: func(r *recorded) {
			r.double(6, captured{1, 0, 1, 0, 0, 0}, captured{2, 0, 4, 0, 1, 0}, captured{5, 0, 1, 0, 5, 0})
		}, rule: "so-unaligned-64bit"},
		{name: "a double at an odd dword in Vulkan", trace: doubles, edit: func(r *recorded) {
			r.double(6, captured{1, 0, 1, 0, 0, 0}, captured{2, 0, 4, 0, 1, 0}, captured{5, 0, 1, 0, 5, 0})
		}, rule: "so-unaligned-64bit", driver: "vulkan"},
		{name: "doubles of an odd stride", trace: doubles, edit: func(r *recorded) {
			r.double(5, captured{2, 0, 4, 0, 0, 0}, captured{1, 0, 1, 0, 4, 0})
		}, rule: "so-stride-mult8-64bit"},
		{name: "doubles of an odd stride in Vulkan", trace: doubles, edit: func(r *recorded) {
			r.double(5, captured{2, 0, 4, 0, 0, 0}, captured{1, 0, 1, 0, 4, 0})
		}, rule: "so-stride-mult8-64bit", driver: "vulkan"},
		{name: "offsets in bytes", trace: matrices, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{20}, captured{1, 0, 4, 0, 0, 0}, captured{2, 0, 4, 0, 16, 0})
		}, rule: "so-dst-offset-bytes"},
		{name: "offsets in bytes and a stride in dwords", trace: matrices, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{8}, captured{1, 0, 4, 0, 0, 0}, captured{2, 0, 4, 0, 16, 0})
		}, rule: "so-stride-smaller-than-extent", also: "so-dst-offset-bytes"},
		{name: "a stride in bytes", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 1, "<uint>8</uint>")
			r.enlarge([4]int{4, 8, 1})
		}, rule: "so-stride-bytes"},
		{name: "a gap in front", trace: matrices, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{7}, captured{1, 0, 4, 0, 3, 0})
		}, rule: "so-leading-gap"},
		{name: "a gap in the middle", trace: matrices, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{9}, captured{1, 0, 4, 0, 0, 0}, captured{2, 0, 4, 0, 5, 0})
		}, rule: "so-gap"},
		{name: "padding behind the last", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 1, "<uint>3</uint>")
			r.enlarge([4]int{4, 3, 1})
		}, rule: "so-trailing-gap"},
		{name: "back to the first buffer", trace: overflow, edit: backToFirst, rule: "so-buffers-interleaved-order"},
		{name: "one vector in two pieces", trace: matrices, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{4}, captured{1, 0, 2, 0, 0, 0}, captured{1, 2, 2, 0, 2, 0})
		}, rule: "so-mergeable-split"},
		{name: "a stride of no output", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 3, "<uint>4</uint>")
		}, rule: "so-stride-unused"},
	}
}

// Plants of what should be zero.
func leftoverPlants() []plant {
	return []plant{
		{name: "outputs left behind a count of none", trace: tessellation, edit: func(r *recorded) {
			r.number("create_tes_state", 0, "num_outputs", 0, "0")
		}, rule: "so-stale-when-empty"},
		{name: "a stride without outputs like one before", trace: contexts, edit: func(r *recorded) {
			c := r.calls[r.find(vs, 0)]
			r.insert(vs, 1, strings.Replace(c, "name='num_outputs'><uint>1<", "name='num_outputs'><uint>0<", 1))
		}, rule: "so-stale-when-empty"},
		{name: "strides without outputs", trace: pause, edit: func(r *recorded) {
			r.insert(vs, 0, r.calls[r.find(vs, 0)])
			r.streamOutput(vs, 0, infoText([4]int{4, 8}, nil))
		}, rule: "so-stale-when-empty", as: streamout.Note},
		{name: "one output behind the last", trace: separate, edit: func(r *recorded) {
			r.number(vs, 0, "num_outputs", 0, "2")
		}, rule: "so-tail-not-zero"},
		{name: "a number too wide for its field", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "4294967296") }, rule: "trace-number-width"},
		{name: "a state that is NULL", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 4, r.call("create_blend_state", arg("state", "<null/>")))
		}, rule: "trace-malformed-call"},
	}
}

func stagePlants() []plant {
	return []plant{
		{name: "outputs of the vertex shader below a geometry shader", trace: streams, edit: func(r *recorded) {
			r.streamOutput(vs, 0, infoText([4]int{4}, []captured{{0, 0, 4, 0, 0, 0}}))
		}, rule: "so-not-last-stage"},
		{name: "outputs of the vertex shader alone, below a geometry shader", trace: streams, edit: func(r *recorded) {
			r.streamOutput(vs, 0, infoText([4]int{4}, []captured{{0, 0, 4, 0, 0, 0}}))
			r.streamOutput(gs, 0, infoText([4]int{}, nil))
		}, rule: "so-not-last-stage"},
		{name: "outputs of a geometry shader of no code", trace: streams, edit: func(r *recorded) {
			i := r.find(gs, 0)
			begin := strings.Index(r.calls[i], "<member name='ir'>")
			r.calls[i] = r.calls[i][:begin] + "<member name='ir'><null/></member>" + r.calls[i][strings.Index(r.calls[i], "<member name='stream_output'>"):]
		}, rule: "so-empty-gs"},
		{name: "one shader for two infos", trace: pause, edit: func(r *recorded) {
			r.insert("delete_vs_state", 0, r.calls[r.find(vs, 0)])
			r.number(vs, 1, "dst_offset", 0, "1")
			r.elem(vs, 1, "stride", 0, "<uint>2</uint>")
		}, rule: "so-info-changed", also: "so-leading-gap"},
		{name: "one shader for two captures", trace: matrices, edit: func(r *recorded) {
			r.insert("delete_vs_state", 0, r.calls[r.find(vs, 0)])
			r.number(vs, 2, "register_index", 2, "2")
			r.number(vs, 2, "register_index", 3, "1")
		}, rule: "so-info-changed"},
		{name: "outputs of a fragment shader", trace: separate, edit: func(r *recorded) {
			r.streamOutput("create_fs_state", 0, infoText([4]int{4}, []captured{{0, 0, 4, 0, 0, 0}}))
		}, rule: "so-wrong-stage"},
	}
}
