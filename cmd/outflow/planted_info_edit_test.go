package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

// captured is an output as a trace prints it: offsets in dwords.
type captured struct{ register, start, num, buffer, dst, stream int }

// infoText is a stream output as a trace prints it.
func infoText(stride [4]int, outputs []captured) string {
	var b strings.Builder
	member := func(name string, value int) {
		fmt.Fprintf(&b, "<member name='%s'><uint>%d</uint></member>", name, value)
	}
	b.WriteString("<member name='stream_output'><struct name='pipe_stream_output_info'>")
	member("num_outputs", len(outputs))
	b.WriteString("<member name='stride'><array>")
	for _, s := range stride {
		fmt.Fprintf(&b, "<elem><uint>%d</uint></elem>", s)
	}
	b.WriteString("</array></member><member name='output'><array>")
	for _, o := range outputs {
		b.WriteString("<elem><struct name=''>")
		member("register_index", o.register)
		member("start_component", o.start)
		member("num_components", o.num)
		member("output_buffer", o.buffer)
		member("dst_offset", o.dst)
		member("stream", o.stream)
		b.WriteString("</struct></elem>")
	}
	b.WriteString("</array></member></struct></member>")
	return b.String()
}

// streamOutput writes another text for the stream output of the nth shader of a
// method.
func (r *recorded) streamOutput(method string, nth int, text string) {
	r.t.Helper()
	i := r.find(method, nth)
	begin := strings.Index(r.calls[i], "<member name='stream_output'>")
	require.GreaterOrEqual(r.t, begin, 0)
	end := begin + strings.Index(r.calls[i][begin:], "</struct></arg>")
	r.calls[i] = r.calls[i][:begin] + text + r.calls[i][end:]
}

// captures gives the nth shader of a method other outputs, and the targets the
// room for as many vertices of each as ever: target n takes buffer n.
func (r *recorded) captures(method string, nth int, stride [4]int, outputs ...captured) {
	r.t.Helper()
	r.streamOutput(method, nth, infoText(stride, outputs))
	r.enlarge(stride)
}

// enlarge makes target n, and the buffer below it, hold 96 vertices of the nth
// stride in dwords, but at least as much as before.
func (r *recorded) enlarge(stride [4]int) {
	r.t.Helper()
	width := regexp.MustCompile(`name='width'><uint>\d+<`)
	for i, c := range r.calls {
		if strings.Contains(c, "method='resource_create'") && strings.Contains(c, "<enum>PIPE_BUFFER</enum>") {
			r.calls[i] = width.ReplaceAllString(c, "name='width'><uint>67108864<")
		}
	}
	n := 0
	size := regexp.MustCompile(`name='buffer_size'><uint>\d+<`)
	for i, c := range r.calls {
		if n < len(stride) && strings.Contains(c, "method='"+create+"'") {
			if stride[n] > 0 {
				r.calls[i] = size.ReplaceAllString(c, fmt.Sprintf("name='buffer_size'><uint>%d<", stride[n]*4*96))
			}
			n++
		}
	}
}

// spread makes the first set of targets one of n: each more is a copy of the
// first, of a buffer of its own.
func (r *recorded) spread(n int) {
	r.t.Helper()
	targets, offsets := "<elem>"+r.ret(create, 0)+"</elem>", "<elem><uint>0</uint></elem>"
	res := r.pointerOf(create, 0, "res")
	var buffer string
	for nth := 0; buffer == ""; nth++ {
		if r.ret("resource_create", nth) == res {
			buffer = r.calls[r.find("resource_create", nth)]
		}
	}
	target := r.calls[r.find(create, 0)]
	for k := 1; k < n; k++ {
		other, address := fmt.Sprintf("<ptr>0xb%d0</ptr>", k), fmt.Sprintf("<ptr>0xc%d0</ptr>", k)
		r.insert(set, 0, strings.NewReplacer(res, other, "name='bind'><uint>0<", "name='bind'><uint>1024<").Replace(buffer))
		r.insert(set, 0, strings.NewReplacer(res, other, r.ret(create, 0), address).Replace(target))
		targets, offsets = targets+"<elem>"+address+"</elem>", offsets+"<elem><uint>0</uint></elem>"
	}
	i := r.find(set, 0)
	r.calls[i] = r.calls[i][:strings.Index(r.calls[i], "<arg name='num_targets'>")] + arg("num_targets", fmt.Sprintf("<uint>%d</uint>", n)) +
		arg("tgs", "<array>"+targets+"</array>") + arg("offsets", "<array>"+offsets+"</array>") + "</call>"
}
