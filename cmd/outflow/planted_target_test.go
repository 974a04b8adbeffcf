package main

import (
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

const (
	create = "create_stream_output_target"
	set    = "set_stream_output_targets"
)

// targetPlants are of create_stream_output_target.
func targetPlants() []plant {
	return []plant{
		{name: "a target behind the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "6400") }, rule: "so-target-range"},
		{name: "a target one dword behind the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "68") }, rule: "so-target-range"},
		{name: "a target that begins behind the end", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_offset", 0, "4096") }, rule: "so-target-range"},
		{name: "an odd offset", trace: separate, edit: func(r *recorded) {
			r.number(create, 0, "buffer_offset", 0, "2")
			r.number(create, 0, "buffer_size", 0, "60")
		}, rule: "so-target-offset-align"},
		{name: "an odd size", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "62") }, rule: "so-target-size-align"},
		{name: "no bytes", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "0") }, rule: "so-target-zero-size"},
		{name: "less than a dword", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "3") },
			rule: "so-target-tiny", also: "so-target-too-small-vertex"},
		{name: "no resource", trace: separate, edit: func(r *recorded) { r.pointer(create, 0, "res", null) }, rule: "so-target-null-resource"},
		{name: "a target of a texture", trace: separate, edit: func(r *recorded) {
			r.replace("resource_create", r.made("resource_create", r.pointerOf(create, 0, "res")), "<enum>PIPE_BUFFER</enum>", "<enum>PIPE_TEXTURE_2D</enum>")
		}, rule: "so-target-not-buffer"},
		{name: "a target of a buffer that is gone", trace: separate, edit: func(r *recorded) {
			r.insert(create, 0, r.screenCall("resource_destroy", arg("resource", r.pointerOf(create, 0, "res"))))
		}, rule: "so-target-dead-resource"},
		{name: "a target of a vertex buffer", trace: strideOnly, edit: func(r *recorded) {
			r.insert("destroy", 0, r.destroys(r.target("destroy", 0, "64", bindVertices)))
		}, rule: "so-target-bind-flag", as: streamout.Note},
		{name: "a target of a vertex buffer for svga", trace: strideOnly, edit: func(r *recorded) {
			r.insert("destroy", 0, r.destroys(r.target("destroy", 0, "64", bindVertices)))
		}, rule: "so-target-bind-flag", driver: "svga", as: streamout.Error},
		{name: "a target for a driver without slots", trace: strideOnly, edit: func(r *recorded) {
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "0")
			r.insert("destroy", 0, r.destroys(r.target("destroy", 0, "64", bindStreamOutput)))
		}, rule: "so-target-create-cap"},
		{name: "the driver made no target", trace: separate, edit: func(r *recorded) {
			r.replace(create, 0, "<ret>"+r.ret(create, 0), "<ret>"+null)
			r.elem(set, 0, "tgs", 0, null)
		}, rule: "so-target-null-returned"},
	}
}

// bindingPlants are of set_stream_output_targets.
func bindingPlants() []plant {
	return []plant{
		{name: "five targets", trace: separate, edit: func(r *recorded) { r.number(set, 0, "num_targets", 0, "5") }, rule: "so-set-num-targets"},
		{name: "more targets than are there", trace: separate, edit: func(r *recorded) { r.number(set, 0, "num_targets", 0, "4") }, rule: "so-set-num-targets"},
		{name: "no offsets", trace: separate, edit: func(r *recorded) {
			i := r.find(set, 0)
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<arg name='offsets'>")] + arg("offsets", null) + "</call>"
		}, rule: "so-set-null-arrays"},
		{name: "targets of a driver without slots", trace: strideOnly, edit: func(r *recorded) {
			r.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", "0")
			t := r.target("destroy", 0, "64", bindStreamOutput)
			r.insert("destroy", 0, r.binds(begins, t), r.unbinds(), r.destroys(t))
		}, rule: "so-bind-cap-none", also: "so-target-create-cap"},
		{name: "a target of the other context", trace: contexts, edit: func(r *recorded) {
			r.elem(set, 2, "tgs", 0, r.ret(create, 0))
		}, rule: "so-target-other-context"},
		{name: "a target of the other context for virgl", trace: contexts, edit: func(r *recorded) {
			r.elem(set, 2, "tgs", 0, r.ret(create, 0))
		}, rule: "so-target-other-context", driver: "virgl", as: streamout.Error},
		{name: "a target of a context that is gone", trace: contexts, edit: func(r *recorded) {
			r.insert("destroy", 1, r.binds(begins, r.ret(create, 1)), r.unbinds())
		}, rule: "so-target-context-destroyed"},
		{name: "a target that is destroyed after its context", trace: contexts, edit: func(r *recorded) {
			r.insert("destroy", 1, r.destroys(r.ret(create, 1)))
		}, rule: "so-target-context-destroyed"},
		{name: "one target in two slots", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "tgs", 1, r.ret(create, 0)) }, rule: "so-target-duplicate"},
		{name: "two targets over each other", trace: separate, edit: func(r *recorded) {
			r.pointer(create, 1, "res", r.pointerOf(create, 0, "res"))
		}, rule: "so-target-resource-overlap"},
		{name: "two targets apart in one buffer", trace: separate, edit: func(r *recorded) {
			r.pointer(create, 2, "res", r.pointerOf(create, 0, "res"))
			r.number(create, 0, "buffer_size", 0, "48")
			r.number(create, 2, "buffer_offset", 0, "48")
			r.number(create, 2, "buffer_size", 0, "16")
		}, rule: "so-target-resource-shared"},
		{name: "a used buffer without a target", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "tgs", 1, null) },
			rule: "so-output-unbound-buffer", also: "so-null-target-hole"},
		{name: "an unused buffer with a target", trace: pause, edit: func(r *recorded) {
			unused := r.target(set, 0, "64", bindStreamOutput)
			r.put(set, 0, r.binds(begins, r.ret(create, 0), unused))
		}, rule: "so-target-unused"},
	}
}

// slotPlants are of NULL targets and of offsets, which drivers take differently.
func slotPlants() []plant {
	all := []plant{
		{name: "an odd offset of a bind", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>2</uint>") }, rule: "so-set-offset-align"},
		{name: "an offset inside a dword of a full target", trace: separate, edit: func(r *recorded) {
			r.number(create, 0, "buffer_size", 0, "48")
			r.elem(set, 0, "offsets", 0, "<uint>3</uint>")
		}, rule: "so-set-offset-align"},
		{name: "an offset behind the target", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>4096</uint>") }, rule: "so-set-offset-range", as: streamout.Warning},
		{name: "an offset that wraps", trace: separate, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>4294967280</uint>") }, rule: "so-set-offset-range", as: streamout.Error},
		{name: "appending beside beginning", trace: separate, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.unbinds(), r.calls[r.find(set, 0)])
			r.elem(set, 2, "offsets", 1, appends)
		}, rule: "so-set-offset-mixed", as: streamout.Warning},
		{name: "appending beside beginning for zink", trace: separate, driver: "zink", edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.unbinds(), r.calls[r.find(set, 0)])
			r.elem(set, 2, "offsets", 1, appends)
		}, rule: "so-set-offset-mixed", as: streamout.Error},
		{name: "appending to what never began", trace: pause, edit: func(r *recorded) { r.elem(set, 0, "offsets", 0, appends) }, rule: "so-append-never-written"},
		{name: "appending to what never began in one slot of three", trace: separate, edit: func(r *recorded) {
			r.elem(set, 0, "offsets", 1, appends)
		}, rule: "so-append-never-written"},
		{name: "appending to what never began beside what may append", trace: separate, edit: func(r *recorded) {
			r.elem(set, 0, "tgs", 1, null)
			r.insert("draw_vbo", 0, r.unbinds(), r.binds(appends, r.ret(create, 0), r.ret(create, 1), r.ret(create, 2)))
		}, rule: "so-append-never-written", also: "so-null-target-hole"},
	}
	all = append(all, plant{name: "a hole that appends for v3d", trace: pause, edit: func(r *recorded) {
		r.put(set, 4, r.binds(appends, r.ret(create, 0), null))
	}, rule: "so-null-target-hole", driver: "v3d", as: streamout.Note})
	hole := func(r *recorded) { r.put(set, 0, r.binds(begins, r.ret(create, 0), null)) }
	for _, d := range drivers("note radeonsi, error v3d asahi nv50 svga") {
		all = append(all, plant{name: "a hole for " + d.name, trace: pause, edit: hole, rule: "so-null-target-hole", driver: d.name, as: d.as})
	}
	bytes := func(r *recorded) { r.elem(set, 0, "offsets", 0, "<uint>16</uint>") }
	for _, d := range drivers("note llvmpipe d3d12, warning softpipe r600 radeonsi nvc0 crocus virgl, error iris freedreno v3d panfrost asahi") {
		all = append(all, plant{name: "an offset of 16 bytes for " + d.name, trace: separate, edit: bytes, rule: "so-set-offset-value", driver: d.name, as: d.as})
	}
	return all
}

// driver is a profile, with the severity that a rule has for it.
type driver struct {
	name string
	as   streamout.Severity
}

// drivers reads a list of severities, each with the drivers that have it.
func drivers(list string) (all []driver) {
	for part := range strings.SplitSeq(list, ", ") {
		words := strings.Fields(part)
		as, _ := streamout.ParseSeverity(words[0])
		for _, name := range words[1:] {
			all = append(all, driver{name, as})
		}
	}
	return all
}
