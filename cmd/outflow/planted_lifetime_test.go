package main

import (
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// orderPlants are of binds that come at the wrong time.
func orderPlants() []plant {
	again := func(r *recorded) { r.elem(set, 4, "offsets", 0, begins) }
	return []plant{
		{name: "a target begins again", trace: pause, edit: again, rule: "so-restart-reused-target", as: streamout.Note},
		{name: "a target begins again for softpipe", trace: pause, edit: again, rule: "so-restart-reused-target", driver: "softpipe", as: streamout.Warning},
		{name: "a target begins again for virgl", trace: pause, edit: again, rule: "so-restart-reused-target", driver: "virgl", as: streamout.Warning},
		{name: "resumed twice", trace: pause, edit: func(r *recorded) { r.twice(set, 4) }, rule: "so-rebind-redundant"},
		{name: "one of three goes on", trace: separate, edit: func(r *recorded) {
			r.insert(set, 1, r.binds(appends, r.ret(create, 0)))
		}, rule: "so-resume-without-pause"},
		{name: "bound in a query", trace: pause, edit: func(r *recorded) {
			q := r.query(set, 0, "PIPE_QUERY_PRIMITIVES_EMITTED", "0")
			r.insert(set, 1, r.call("begin_query", arg("query", q)))
			r.insert(set, 3, r.call("end_query", arg("query", q)))
		}, rule: "so-bind-during-query"},
		{name: "resumed with another stride", trace: pause, edit: func(r *recorded) {
			r.insert(set, 4, r.call("bind_vs_state", arg("state", r.shader(set, 4, onlyRegister, position, oneDword, fourDwords))))
		}, rule: "so-append-other-so"},
	}
}

// Pieces of the info of the vertex shader of pause: one float of register 1.
const (
	onlyRegister = "name='register_index'><uint>1</uint></member><member name='start_component'><uint>0</uint></member><member name='num_components'><uint>1<"
	position     = "name='register_index'><uint>0</uint></member><member name='start_component'><uint>0</uint></member><member name='num_components'><uint>4<"
	oneDword     = "name='stride'><array><elem><uint>1<"
	fourDwords   = "name='stride'><array><elem><uint>4<"
)

// lifetimePlants are of objects that end, or go on, at the wrong time.
func lifetimePlants() []plant {
	return []plant{
		{name: "a target after its end", trace: separate, edit: func(r *recorded) {
			r.insert(set, 0, r.destroys(r.ret(create, 0)))
		}, rule: "so-target-dead"},
		{name: "a target destroyed twice", trace: separate, edit: func(r *recorded) {
			r.insert("destroy", 0, r.destroys(r.ret(create, 0)), r.destroys(r.ret(create, 0)))
		}, rule: "so-target-double-destroy"},
		{name: "a target destroyed twice for svga, which wants a flag for it", trace: separate, edit: func(r *recorded) {
			r.insert("destroy", 0, r.destroys(r.ret(create, 0)), r.destroys(r.ret(create, 0)))
		}, rule: "so-target-double-destroy", driver: "svga"},
		{name: "a target destroyed in a capture", trace: separate, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.destroys(r.ret(create, 0)))
		}, rule: "so-target-use-after-destroy", also: "so-target-destroy-bound"},
		{name: "a target destroyed before it is unbound", trace: separate, edit: func(r *recorded) {
			r.insert(set, 1, r.destroys(r.ret(create, 0)))
		}, rule: "so-target-destroy-bound"},
		{name: "a context destroyed with targets bound", trace: pause, edit: func(r *recorded) {
			r.insert("destroy", 0, r.binds(appends, r.ret(create, 0)))
		}, rule: "so-context-destroy-active"},
		{name: "a target that outlives its context", trace: strideOnly, edit: func(r *recorded) {
			r.target("destroy", 0, "64", bindStreamOutput)
		}, rule: "so-target-leak"},
		{name: "an address that comes back", trace: pause, edit: func(r *recorded) { r.twice(create, 0) }, rule: "so-target-address-reuse"},
		{name: "a buffer given up under its target", trace: separate, edit: func(r *recorded) {
			r.insert("destroy", 0, r.screenCall("resource_destroy", arg("resource", r.pointerOf(create, 0, "res"))))
		}, rule: "so-resource-destroyed-under-target"},
		{name: "storage that goes in a capture", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.call("invalidate_resource", arg("resource", r.pointerOf(create, 0, "res"))))
		}, rule: "so-resource-invalidated"},
		{name: "the shader deleted in a capture", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 0, r.calls[r.find("delete_vs_state", 0)])
			r.drop("delete_vs_state", 1)
		}, rule: "so-shader-delete-bound"},
		{name: "the shader deleted in a pause", trace: pause, edit: func(r *recorded) {
			r.insert(set, 2, r.calls[r.find("delete_vs_state", 0)])
			r.drop("delete_vs_state", 1)
		}, rule: "so-shader-delete-bound"},
		{name: "a shader bound after it was deleted", trace: pause, edit: func(r *recorded) {
			r.insert("bind_vs_state", 0, r.calls[r.find("delete_vs_state", 0)])
			r.drop("delete_vs_state", 1)
		}, rule: "so-shader-delete-bound"},
		{name: "the geometry shader unbound in a capture", trace: streams, edit: func(r *recorded) {
			r.insert(set, 1, r.call("bind_gs_state", arg("state", null)), r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-shader-rebind-null", as: streamout.Warning},
		{name: "the geometry shader unbound in a capture for iris", trace: streams, edit: func(r *recorded) {
			r.insert(set, 1, r.call("bind_gs_state", arg("state", null)), r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-shader-rebind-null", driver: "iris", as: streamout.Error},
		{name: "a shader of the other context", trace: contexts, edit: func(r *recorded) {
			r.states("PIPE_CAP_SHAREABLE_SHADERS", "1")
			r.insert(set, 4, r.call("bind_vs_state", arg("state", r.ret(vs, 1))))
		}, rule: "so-shader-other-context", as: streamout.Note},
		{name: "a shader of the other context that cannot be shared", trace: contexts, edit: func(r *recorded) {
			r.states("PIPE_CAP_SHAREABLE_SHADERS", "0")
			r.insert(set, 4, r.call("bind_vs_state", arg("state", r.ret(vs, 1))))
		}, rule: "so-shader-other-context", as: streamout.Error},
		{name: "a trace that ends in a capture", trace: separate, edit: func(r *recorded) {
			r.calls = r.calls[:r.find(set, 1)]
		}, rule: "so-begin-without-end"},
	}
}

// changePlants are of state that changes between two draws of a capture.
func changePlants() []plant {
	return []plant{
		{name: "points amid lines", trace: pause, edit: func(r *recorded) {
			r.twice("draw_vbo", 0)
			r.number("draw_vbo", 0, "mode", 0, "1")
			r.number("draw_vbo", 0, "count", 0, "2")
		}, rule: "so-prim-mode-change"},
		{name: "another shader amid a capture", trace: pause, edit: func(r *recorded) {
			other := r.shader(set, 1, onlyRegister, strings.Replace(position, "<uint>4<", "<uint>1<", 1))
			r.insert(set, 1, r.call("bind_vs_state", arg("state", other)), r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-shader-change-while-active", also: "so-register-maps-zero", as: streamout.Warning},
		{name: "another shader of the same outputs amid a capture", trace: pause, edit: func(r *recorded) {
			r.insert(set, 1, r.call("bind_vs_state", arg("state", r.shader(set, 1))), r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-shader-change-while-active", as: streamout.Note},
		{name: "another stride amid a capture", trace: contexts, edit: func(r *recorded) {
			other := r.shader(set, 1, onlyRegister, position, oneDword, fourDwords)
			r.insert(set, 1, r.call("bind_vs_state", arg("state", other)), r.calls[r.find("draw_vbo", 0)], r.call("bind_vs_state", arg("state", r.ret(vs, 0))))
		}, rule: "so-layout-change-while-active"},
		{name: "another provoking vertex amid a capture", trace: pause, edit: func(r *recorded) {
			r.number("draw_vbo", 0, "mode", 0, "1")
			r.number("draw_vbo", 0, "count", 0, "2")
			other := r.address()
			r.insert(set, 1, r.copied("create_rasterizer_state", 0, other, "name='flatshade_first'><bool>0<", "name='flatshade_first'><bool>1<"),
				r.call("bind_rasterizer_state", arg("state", other)), r.calls[r.find("draw_vbo", 0)])
		}, rule: "so-flatshade-order"},
	}
}
