package workload

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Kind is what the program of a trace does.
type Kind string

// The kinds.
const (
	Gears    Kind = "gears"    // draws that nothing captures
	Captures Kind = "captures" // draws into targets that change, with queries open
)

const (
	context uint64 = 0x55a5ebf1e0f0
	shader  uint64 = 0x55a5ebf20000
	buffer  uint64 = 0x55a5ebf40000
	target  uint64 = 0x55a5ebf60000
	query   uint64 = 0x55a5ebf80000
)

// Write writes a trace of at least size bytes: the same for the same seed.
func Write(w io.Writer, kind Kind, seed uint64, size int64) error {
	t := &text{w: bufio.NewWriterSize(w, 1<<16), random: rand.New(rand.NewPCG(seed, 0))}
	t.print("<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n<trace version='0.1'>\n")
	t.objects(kind)
	for t.written < size && t.err == nil {
		t.frame(kind)
	}
	t.print("</trace>\n")
	if t.err == nil {
		t.err = t.w.Flush()
	}
	return t.err
}

type text struct {
	w       *bufio.Writer
	random  *rand.Rand
	no      int
	written int64
	err     error
}

func (t *text) print(format string, args ...any) {
	n, err := fmt.Fprintf(t.w, format, args...)
	t.written += int64(n)
	if err != nil {
		t.err = err
	}
}

// call writes a call of a context, but for screen and contexts.
func (t *text) call(method, ret string, args ...string) {
	t.no++
	t.print("\t<call no='%d' class='pipe_context' method='%s'>\n\t\t<arg name='pipe'><ptr>0x%x</ptr></arg>\n", t.no, method, context)
	for _, a := range args {
		t.print("\t\t%s\n", a)
	}
	if ret != "" {
		t.print("\t\t<ret>%s</ret>\n", ret)
	}
	t.print("\t\t<time><int>%d</int></time>\n\t</call>\n", t.random.IntN(60))
}

func arg(name, value string) string { return "<arg name='" + name + "'>" + value + "</arg>" }
func ptr(h uint64) string           { return fmt.Sprintf("<ptr>0x%x</ptr>", h) }
func number(n int) string           { return fmt.Sprintf("<uint>%d</uint>", n) }
func member(name, value string) string {
	return "<member name='" + name + "'>" + value + "</member>"
}

func array(elems ...string) string {
	s := "<array>"
	for _, e := range elems {
		s += "<elem>" + e + "</elem>"
	}
	return s + "</array>"
}

// objects makes what the frames use: shaders that capture four dwords a vertex,
// buffers, targets of them, and queries.
func (t *text) objects(kind Kind) {
	t.no++
	t.print("\t<call no='%d' class='' method='pipe_screen_create'>\n\t\t<ret>%s</ret>\n\t\t<time><int>3</int></time>\n\t</call>\n", t.no, ptr(0x55a5ebe98800))
	for i := range 8 {
		info := member("num_outputs", number(0)) + member("stride", array(number(0), number(0), number(0), number(0))) + member("output", array())
		if kind == Captures {
			info = member("num_outputs", number(1)) + member("stride", array(number(4), number(0), number(0), number(0))) +
				member("output", array("<struct name=''>"+member("register_index", number(1))+member("start_component", number(0))+
					member("num_components", number(4))+member("output_buffer", number(0))+member("dst_offset", number(0))+
					member("stream", number(0))+"</struct>"))
		}
		t.call("create_vs_state", ptr(shader+256*uint64(i)), arg("state", "<struct name='pipe_shader_state'>"+member("type", number(2))+member("tokens", "<null/>")+
			member("ir", "<string><![CDATA[shader: MESA_SHADER_VERTEX\nname: program]]></string>")+
			member("stream_output", "<struct name='pipe_stream_output_info'>"+info+"</struct>")+"</struct>"))
	}
	if kind == Gears {
		return
	}
	for i := range 16 {
		t.call("create_stream_output_target", ptr(target+256*uint64(i)), arg("res", ptr(buffer+256*uint64(i))), arg("buffer_offset", number(0)), arg("buffer_size", number(1<<20)))
	}
	for i := range 4 {
		t.call("create_query", ptr(query+256*uint64(i)), arg("query_type", "<enum>PIPE_QUERY_PRIMITIVES_EMITTED</enum>"), arg("index", number(0)))
	}
}

// frame writes the calls of one frame.
func (t *text) frame(kind Kind) {
	for i := range 12 {
		capture := kind == Captures
		if capture {
			t.call("begin_query", "<bool>1</bool>", arg("query", ptr(query+256*uint64(i%4))))
			t.targets(target + 256*t.random.Uint64N(16))
		}
		t.call("bind_vs_state", "", arg("state", ptr(shader+256*uint64(i%8))))
		offset := 16 * i
		if t.random.IntN(8) == 0 {
			offset = t.random.IntN(1 << 16)
		}
		t.call("set_vertex_buffers", "", arg("num_buffers", number(1)), arg("buffers", array("<struct name='pipe_vertex_buffer'>"+
			member("is_user_buffer", "<bool>0</bool>")+member("buffer_offset", number(offset))+member("buffer.resource", ptr(buffer+256*uint64(i)))+"</struct>")))
		for range 1 + i%3 {
			t.draw(30 * (i + 1))
		}
		if capture {
			t.targets(0)
			t.call("end_query", "<bool>1</bool>", arg("query", ptr(query+256*uint64(i%4))))
		}
	}
	t.call("flush", "", arg("flags", number(0)))
}

func (t *text) targets(h uint64) {
	n, list, offsets := 1, array(ptr(h)), array(number(0))
	if h == 0 {
		n, list, offsets = 0, array(), array()
	}
	t.call("set_stream_output_targets", "", arg("num_targets", number(n)), arg("tgs", list), arg("offsets", offsets), arg("output_prim", number(4)))
}

func (t *text) draw(count int) {
	t.call("draw_vbo", "", arg("info", "<struct name='pipe_draw_info'>"+member("index_size", number(0))+member("has_user_indices", number(0))+
		member("mode", number(4))+member("start_instance", number(0))+member("instance_count", number(1))+member("min_index", number(0))+
		member("max_index", number(count-1))+member("primitive_restart", "<bool>0</bool>")+member("restart_index", number(0))+
		member("index.resource", "<null/>")+"</struct>"), arg("drawid_offset", "<int>0</int>"), arg("indirect", "<null/>"),
		arg("draws", array("<struct name='pipe_draw_start_count_bias'>"+member("start", number(0))+member("count", number(count))+
			member("index_bias", "<int>0</int>")+"</struct>")), arg("num_draws", number(1)))
}
