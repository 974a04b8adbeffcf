package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

const head = "<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n<trace version='0.1'>\n"

// call writes a call of class pipe_context, or pipe_screen when its first
// argument is the screen, as Mesa would.
func call(no, method string, items ...string) string {
	class := "pipe_context"
	switch {
	case method == "pipe_screen_create":
		class = ""
	case len(items) > 0 && strings.HasPrefix(items[0], "<arg name='screen'"):
		class = "pipe_screen"
	}
	s := "\t<call no='" + no + "' class='" + class + "' method='" + method + "'>\n"
	for _, item := range items {
		s += "\t\t" + item + "\n"
	}
	return s + "\t\t<time><int>1</int></time>\n\t</call>\n"
}

// records reads all records of a trace at once.
func records(t testing.TB, text string) []Record {
	return recordsWith(t, text, Options{Name: "test.xml", BlockBytes: 1 << 14})
}

func recordsWith(t testing.TB, text string, o Options) []Record {
	r, err := NewReader(strings.NewReader(text), o)
	require.NoError(t, err)
	var list []Record
	for {
		b, err := r.Next()
		if err != nil {
			break
		}
		list = append(list, b.Records...)
	}
	require.NoError(t, r.Close())
	return list
}

// decodeLast decodes the calls and returns the operation of the last.
func decodeLast(t testing.TB, calls ...string) *pipe.Op {
	var d Decoder
	op := new(pipe.Op)
	for _, rec := range records(t, head+strings.Join(calls, "")) {
		d.Decode(&rec, op)
	}
	require.NotNil(t, op.Call)
	return op
}

const (
	argPipe    = "<arg name='pipe'><ptr>0x00000c0de</ptr></arg>"
	argContext = "<arg name='context'><ptr>0x00000c0de</ptr></arg>"
	argScreen  = "<arg name='screen'><ptr>0x000005c4</ptr></arg>"
	retPtr     = "<ret><ptr>0x00000abc</ptr></ret>"
)

func arg(name, value string) string    { return "<arg name='" + name + "'>" + value + "</arg>" }
func member(name, value string) string { return "<member name='" + name + "'>" + value + "</member>" }
func object(name string, members ...string) string {
	return "<struct name='" + name + "'>" + strings.Join(members, "") + "</struct>"
}
func array(values ...string) string {
	s := "<array>"
	for _, v := range values {
		s += "<elem>" + v + "</elem>"
	}
	return s + "</array>"
}
func number10(n string) string { return "<uint>" + n + "</uint>" }
func signed10(n string) string { return "<int>" + n + "</int>" }
func pointer(h string) string  { return "<ptr>0x" + h + "</ptr>" }
func name(n string) string     { return "<enum>" + n + "</enum>" }

func uints(numbers ...string) string {
	for i := range numbers {
		numbers[i] = number10(numbers[i])
	}
	return array(numbers...)
}

// numbers writes members that are unsigned: "a 1 b 2".
func numbers(pairs string) string {
	words, s := strings.Fields(pairs), ""
	for i := 0; i+1 < len(words); i += 2 {
		s += member(words[i], number10(words[i+1]))
	}
	return s
}

func TestDecodeObjectAndResult(t *testing.T) {
	for _, test := range []struct {
		name, call      string
		screen, context pipe.Handle
		ret             pipe.Result
	}{
		{"a context is the first argument pipe", call("7", "set_min_samples", argPipe, arg("min_samples", number10("1"))),
			0, 0xc0de, pipe.Result{}},
		{"or context", call("7", "memory_barrier", argContext, arg("flags", number10("1"))), 0, 0xc0de, pipe.Result{}},
		{"whatever its name", call("7", "flush", arg("_pipe", pointer("c0de")), arg("flags", number10("1"))), 0, 0xc0de, pipe.Result{}},
		{"a screen", call("7", "destroy", argScreen), 0x5c4, 0, pipe.Result{}},
		{"a pointer is returned", call("7", "create_query", argPipe, arg("query_type", name("PIPE_QUERY_TIMESTAMP")), arg("index", signed10("0")), retPtr),
			0, 0xc0de, pipe.Result{Handle: 0xabc, Known: true}},
		{"NULL is returned", call("7", "create_query", argPipe, arg("query_type", name("PIPE_QUERY_TIMESTAMP")), arg("index", signed10("0")), "<ret><null/></ret>"),
			0, 0xc0de, pipe.Result{Known: true}},
		{"a negative number is returned", call("7", "get_param", argScreen, arg("param", name("PIPE_CAP_X")), "<ret><int>-1</int></ret>"),
			0x5c4, 0, pipe.Result{Value: 1<<64 - 1, Known: true}},
		{"of two returned values the pointer counts",
			call("7", "resource_create_unbacked", argScreen, arg("templat", "<null/>"), "<ret><uint>4096</uint></ret>", retPtr),
			0x5c4, 0, pipe.Result{Handle: 0xabc, Known: true}},
		{"a name is returned", call("7", "get_name", argScreen, "<ret><string>a &amp; b</string></ret>"),
			0x5c4, 0, pipe.Result{Text: "a & b", Known: true}},
		{"a screen's maker has no object", call("7", "pipe_screen_create", retPtr), 0, 0, pipe.Result{Handle: 0xabc, Known: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, test.call)
			require.Equal(t, test.screen, op.Screen)
			require.Equal(t, test.context, op.Context)
			require.Equal(t, test.ret, op.Ret)
			require.Equal(t, uint64(7), op.No)
			require.Equal(t, pipe.Pos{File: "test.xml", Line: 4, Byte: int64(len(head)) + 1}, op.Pos)
			require.False(t, op.Raw.Cut)
			require.NotPanics(t, func() { op.Raw.Values.First() })
		})
	}
}

func TestDecodeOther(t *testing.T) {
	for _, test := range []struct{ name, call string }{
		{"a method that nobody taught", call("1", "set_the_world_on_fire", argPipe)},
		{"the method of another class", "\t<call no='1' class='pipe_video_codec' method='flush'>\n\t</call>\n"},
		{"a result that belongs to no query", call("1", "get_query_result", argPipe, arg("result", number10("5")), "<ret><bool>1</bool></ret>")},
		{"a state that the writer does not know", call("1", "bind_blend_state", argPipe, arg("NULL", "<null/>"))},
		{"a state of nothing", call("1", "create_vs_state", argPipe, arg("state", "<null/>"), retPtr)},
		{"a resource that is not described", call("1", "resource_create", argScreen, retPtr)},
		{"a draw that is not described", call("1", "draw_vbo", argPipe)},
		{"a number that was printed wrong", call("1", "create_stream_output_target", argPipe, arg("res", pointer("a")), arg("buffer_offset", number10("0")), arg("buffer_size", number10("lu")), retPtr)},
		{"a number beyond 64 bits", call("1", "set_patch_vertices", argContext, arg("patch_vertices", number10("99999999999999999999")))},
		{"an address that is none", call("1", "begin_query", argPipe, arg("query", "<ptr>(nil)</ptr>"))},
		{"a stage that is not said", call("1", "set_constant_buffer", argPipe, arg("index", number10("0")))},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, test.call)
			other, ok := op.Call.(*pipe.Other)
			require.True(t, ok, "%#v", op.Call)
			require.Same(t, op.Raw.Values, other.Values)
			require.NotEmpty(t, other.Method)
			require.NotEmpty(t, other.Class)
			require.Empty(t, op.Raw.Misfits)
		})
	}
}

func TestDecodeOpenCall(t *testing.T) {
	text := strings.TrimSuffix(call("9", "set_stream_output_targets", argPipe, arg("num_targets", number10("1")), arg("tgs", array(pointer("a")))),
		"\t\t<time><int>1</int></time>\n\t</call>\n")
	op := decodeLast(t, text)
	require.True(t, op.Raw.Cut)
	require.Equal(t, &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa}, OutputPrim: pipe.PrimitiveUnknown}, op.Call)
	require.False(t, op.Ret.Known)
}

func TestDecodeNoOperation(t *testing.T) {
	for _, test := range []struct {
		name string
		rec  Record
		op   bool
	}{
		{"a header begins a world", Record{Kind: HeaderRecord}, true},
		{"a footer is nothing", Record{Kind: FooterRecord}, false},
		{"a malformed call cannot be trusted", Record{Kind: MalformedRecord, Method: "flush", Class: pipe.ClassContext}, false},
		{"a skipped call was not read", Record{Kind: CallRecord, Skipped: true, Method: "flush", Class: pipe.ClassContext}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var d Decoder
			var op pipe.Op
			require.Equal(t, test.op, d.Decode(&test.rec, &op))
			_, world := op.Call.(*pipe.NewWorld)
			require.Equal(t, test.op, world)
		})
	}
}

func TestDecodeMisfits(t *testing.T) {
	for _, test := range []struct {
		name, call string
		want       []pipe.Misfit
	}{
		{"an argument", call("1", "create_stream_output_target", argPipe, arg("res", pointer("a")), arg("buffer_offset", number10("4294967296")), arg("buffer_size", number10("4294967295")), retPtr),
			[]pipe.Misfit{{Path: "buffer_offset", Value: 1 << 32, Bits: 32}}},
		{"a negative number in an unsigned field", call("1", "set_patch_vertices", argContext, arg("patch_vertices", signed10("-1"))),
			[]pipe.Misfit{{Path: "patch_vertices", Value: 1<<64 - 1, Bits: 32}}},
		{"an element", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("2")), arg("tgs", array(pointer("a"), pointer("b"))), arg("offsets", uints("0", "4294967296"))),
			[]pipe.Misfit{{Path: "offsets[1]", Value: 1 << 32, Bits: 32}}},
		{"a member of an element", call("1", "set_vertex_buffers", argPipe, arg("num_buffers", number10("1")), arg("buffers", array(object("pipe_vertex_buffer", numbers("buffer_offset 9999999999"))))),
			[]pipe.Misfit{{Path: "buffers[0].buffer_offset", Value: 9999999999, Bits: 32}}},
		{"a small enumeration", call("1", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("mode 256")))),
			[]pipe.Misfit{{Path: "info.mode", Value: 256, Bits: 8}}},
		{"what fits is none", call("1", "set_patch_vertices", argContext, arg("patch_vertices", number10("4294967295"))), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, test.call)
			require.Equal(t, test.want, append([]pipe.Misfit(nil), op.Raw.Misfits...))
		})
	}
}

func TestDecodeMisnamedArguments(t *testing.T) {
	op := decodeLast(t, call("1", "create_stream_output_target", arg("_pipe", pointer("c")), arg("&amp;res[0]", pointer("a")),
		arg("offset_in_bytes", number10("16")), arg("buffer_size", number10("32")), retPtr))
	require.Equal(t, &pipe.CreateStreamOutputTarget{Resource: 0xa, BufferOffset: 16, BufferSize: 32}, op.Call)

	op = decodeLast(t, call("1", "set_stream_output_targets", argPipe, arg("offsets", uints("0")), arg("tgs", array(pointer("a"))), arg("num_targets", number10("1"))))
	require.Equal(t, &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa}, Offsets: []uint32{0},
		OutputPrim: pipe.PrimitiveUnknown}, op.Call, "arguments in another order")

	op = decodeLast(t, call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("1")), arg("offsets", uints("0"))))
	require.Equal(t, &pipe.SetStreamOutputTargets{NumTargets: 1, Offsets: []uint32{0}, OutputPrim: pipe.PrimitiveUnknown}, op.Call,
		"the place of a missing argument is not taken by one that is known")
}
