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

// textPlants are of an info and a text that do not agree, or of one that is cut or
// old.
func textPlants() []plant {
	return append(errorFor("d3d12", plant{name: "one output of two variables", trace: arraysTGSI, edit: func(r *recorded) {
		r.replace(vs, 0, "DCL OUT[2], GENERIC[1]&#10;", "DCL OUT[2].xy, GENERIC[1]&#10;DCL OUT[2].zw, GENERIC[1]&#10;")
	}, rule: "so-component-outside-variable", as: streamout.Warning}), []plant{
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
	}...)
}

// streamPlants are of vertex streams that the text of a geometry shader denies.
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

// stagePlants are of an info in another stage or another shader than its own.
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
