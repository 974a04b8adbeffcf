package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

const (
	null             = "<null/>"
	appends          = "<uint>4294967295</uint>"
	begins           = "<uint>0</uint>"
	bindVertices     = "16"   // PIPE_BIND_VERTEX_BUFFER
	bindStreamOutput = "1024" // PIPE_BIND_STREAM_OUTPUT
)

// address returns an address that the trace does not have yet, as an element.
func (r *recorded) address() string { return fmt.Sprintf("<ptr>0x7a%05x0</ptr>", len(r.calls)) }

// made returns which call of a method returned that address.
func (r *recorded) made(method, ret string) int {
	r.t.Helper()
	for nth := 0; ; nth++ {
		if r.ret(method, nth) == ret {
			return nth
		}
	}
}

// returned is a call that returns an address.
func (r *recorded) returned(method, ret, args string) string {
	return strings.TrimSuffix(r.call(method, args), "</call>") + "<ret>" + ret + "</ret></call>"
}

var returns = regexp.MustCompile(`<ret>.*</ret>`)

// copied is the nth call of a method once more, with another address returned and
// some of its text replaced, in pairs.
func (r *recorded) copied(method string, nth int, ret string, oldnew ...string) string {
	r.t.Helper()
	c := r.calls[r.find(method, nth)]
	for i := 0; i < len(oldnew); i += 2 {
		require.Contains(r.t, c, oldnew[i])
		c = strings.ReplaceAll(c, oldnew[i], oldnew[i+1])
	}
	return returns.ReplaceAllString(c, "<ret>"+ret+"</ret>")
}

// target puts a buffer of that many bytes, and a target of all of it, before the
// nth call of a method, and returns the target.
func (r *recorded) target(method string, nth int, bytes, bind string) string {
	r.t.Helper()
	buffer := r.address()
	old := r.calls[r.find("resource_create", 1)]
	require.Contains(r.t, old, "PIPE_BUFFER")
	width := regexp.MustCompile(`name='width'><uint>\d+<`).FindString(old)
	r.insert(method, nth, r.copied("resource_create", 1, buffer, width, "name='width'><uint>"+bytes+"<",
		"name='bind'><uint>0<", "name='bind'><uint>"+bind+"<"))
	target := r.address()
	r.insert(method, nth, r.returned(create, target, arg("res", buffer)+arg("buffer_offset", begins)+
		arg("buffer_size", "<uint>"+bytes+"</uint>")))
	return target
}

// binds is a bind of targets, all with the same offset.
func (r *recorded) binds(offset string, targets ...string) string {
	elems, offsets := "", ""
	for _, t := range targets {
		elems += "<elem>" + t + "</elem>"
		offsets += "<elem>" + offset + "</elem>"
	}
	return r.call(set, arg("num_targets", fmt.Sprintf("<uint>%d</uint>", len(targets)))+
		arg("tgs", "<array>"+elems+"</array>")+arg("offsets", "<array>"+offsets+"</array>"))
}

// unbinds is a bind of no targets.
func (r *recorded) unbinds() string {
	return r.call(set, arg("num_targets", "<uint>0</uint>")+arg("tgs", null)+arg("offsets", null))
}

// shader puts a copy of the nth vertex shader, with another info, before a call,
// and returns it.
func (r *recorded) shader(method string, nth int, oldnew ...string) string {
	r.t.Helper()
	s := r.address()
	r.insert(method, nth, r.copied(vs, 0, s, oldnew...))
	return s
}

// destroys is the end of a target.
func (r *recorded) destroys(target string) string {
	return r.call("stream_output_target_destroy", arg("target", target))
}

// query puts the create of a query before the nth call of a method, and returns it.
func (r *recorded) query(method string, nth int, kind, index string) string {
	r.t.Helper()
	q := r.address()
	r.insert(method, nth, r.returned("create_query", q, arg("query_type", "<enum>"+kind+"</enum>")+arg("index", "<int>"+index+"</int>")))
	return q
}

// screenCall is a call of the screen.
func (r *recorded) screenCall(method, args string) string {
	return "<call no='0' class='pipe_screen' method='" + method + "'>" + arg("screen", "<ptr>0x1</ptr>") + args + "</call>"
}

// flagged gives all buffers the flag that stream output asks for, without which no
// target is good for svga.
func (r *recorded) flagged() {
	for i, c := range r.calls {
		r.calls[i] = strings.Replace(c, "name='bind'><uint>0<", "name='bind'><uint>"+bindStreamOutput+"<", 1)
	}
}
