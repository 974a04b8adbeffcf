package main

import "strings"

// tracePlants are of what wrote the trace.
func tracePlants() []plant {
	return []plant{
		{name: "a program that is killed", trace: pause, edit: func(r *recorded) {
			r.calls, r.tail = r.calls[:r.find("flush", 0)], ""
		}, rule: "trace-truncated"},
		{name: "a program that dies in a draw", trace: pause, edit: func(r *recorded) {
			i := r.find("draw_vbo", 0)
			r.calls, r.tail = r.calls[:i+1], ""
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<arg name='draws'>")]
		}, rule: "trace-truncated", also: "so-begin-without-end"},
		{name: "a program that dies before the mode of its draw is written", trace: tessellation, edit: func(r *recorded) {
			i := r.find("draw_vbo", 0)
			r.calls, r.tail = r.calls[:i+1], ""
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<member name='mode'>")]
		}, rule: "trace-truncated", also: "so-begin-without-end"},
		{name: "a child that writes into the same file", trace: pause, edit: func(r *recorded) {
			child := []string{r.screenCall("fence_finish", ""), r.screenCall("fence_finish", ""), r.screenCall("fence_finish", "")}
			r.insert("flush", 0, child...)
			for i := range child {
				k := r.find("flush", 0) - 1 - i
				r.calls[k] = callNumber.ReplaceAllString(r.calls[k], "<call no='7'")
			}
		}, rule: "trace-two-writers"},
		{name: "a number too wide for its field", trace: separate, edit: func(r *recorded) { r.number(create, 0, "buffer_size", 0, "4294967296") }, rule: "trace-number-width"},
		{name: "a state that is NULL", trace: pause, edit: func(r *recorded) {
			r.insert("draw_vbo", 4, r.call("create_blend_state", arg("state", null)))
		}, rule: "trace-malformed-call"},
		{name: "a call that breaks off", trace: pause, edit: func(r *recorded) {
			i := r.find("set_blend_color", 0)
			r.calls[i] = strings.TrimSuffix(r.calls[i], "</arg>\n\t\t<time><int>1</int></time>\n\t</call>")
			r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "</arg>")] + "</call>"
		}, rule: "trace-malformed-call"},
	}
}

// depthStencilPlants are of depth and stencil states that ask for what cannot
// happen.
func depthStencilPlants() []plant {
	return []plant{
		{name: "depth that never passes", trace: pause, edit: func(r *recorded) {
			r.replace("create_depth_stencil_alpha_state", 0, "name='depth_enabled'><bool>0<", "name='depth_enabled'><bool>1<")
			r.replace("create_depth_stencil_alpha_state", 0, "name='depth_writemask'><bool>0<", "name='depth_writemask'><bool>1<")
		}, rule: "ds-futile-writes"},
		{name: "stencil that never passes and never changes", trace: pause, edit: func(r *recorded) {
			for _, member := range []string{"enabled'><bool>", "writemask'><uint>", "zpass_op'><uint>"} {
				i := r.find("create_depth_stencil_alpha_state", 0)
				r.calls[i] = strings.Replace(r.calls[i], "name='"+member+"0<", "name='"+member+"1<", 1)
			}
		}, rule: "ds-futile-writes"},
	}
}
