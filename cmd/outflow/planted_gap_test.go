package main

import (
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// double makes a dvec2 of the first vector of the shader of doubles, which was
// packed into whole numbers, and lists its outputs in the order given.
func (r *recorded) double(stride int, outputs ...captured) {
	r.replace(vs, 0, "FLAT ivec4 packed:b (VARYING_SLOT_VAR1.xyzw", "FLAT dvec2 b (VARYING_SLOT_VAR1.xy")
	r.replace(vs, 0, "deref_var &packed:b (shader_out ivec4)", "deref_var &b (shader_out dvec2)")
	r.replace(vs, 0, "vec4 32 ssa_38 = vec4 ssa_35, ssa_34, ssa_17, ssa_16", "vec2 64 ssa_38 = vec2 ssa_23, ssa_25")
	r.replace(vs, 0, "intrinsic store_deref (ssa_33, ssa_39) (wrmask=zw /*12*/, access=0)", "")
	r.captures(vs, 0, [4]int{stride}, outputs...)
}

// gapPlants are of outputs that leave something out, or are in an odd order.
func gapPlants() []plant {
	return slices.Concat(errorFor("vulkan", plant{name: "a double at an odd dword", trace: doubles, edit: func(r *recorded) {
		r.double(6, captured{1, 0, 1, 0, 0, 0}, captured{2, 0, 4, 0, 1, 0}, captured{5, 0, 1, 0, 5, 0})
	}, rule: "so-unaligned-64bit", as: streamout.Warning}), errorFor("vulkan", plant{name: "doubles of an odd stride", trace: doubles, edit: func(r *recorded) {
		r.double(5, captured{2, 0, 4, 0, 0, 0}, captured{1, 0, 1, 0, 4, 0})
	}, rule: "so-stride-mult8-64bit", as: streamout.Warning}), []plant{
		{name: "outputs out of order", trace: interleaved, edit: func(r *recorded) {
			r.number(vs, 0, "dst_offset", 0, "3")
			r.number(vs, 0, "dst_offset", 1, "0")
		}, rule: "so-not-ascending"},
		{name: "half a double", trace: doubles, edit: func(r *recorded) {
			r.double(6, captured{2, 0, 3, 0, 0, 0}, captured{5, 0, 2, 0, 4, 0})
		}, rule: "so-split-64bit"},
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
	})
}

// leftoverPlants are of what should be zero.
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
	}
}
