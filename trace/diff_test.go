package trace_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// textSource is a trace in memory that cannot be sought in, or can.
func textSource(name, text string, seekable bool) trace.DiffSource {
	return trace.DiffSource{Name: name, Open: func() (io.ReadCloser, error) {
		r := strings.NewReader(text)
		if seekable {
			return struct {
				io.ReadSeeker
				io.Closer
			}{r, io.NopCloser(r)}, nil
		}
		return io.NopCloser(r), nil
	}}
}

// fileSource is a trace in a file.
func fileSource(name string) trace.DiffSource {
	return trace.DiffSource{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
}

// diffed returns the differences of two traces as lines, "kind method path from to".
func diffed(t testing.TB, a, b string, keep trace.Noise) []string {
	t.Helper()
	var lines []string
	s, err := trace.Diff(textSource("a.xml", a, true), textSource("b.xml", b, false), trace.DiffOptions{
		Keep: keep,
		Report: func(d *trace.Difference) error {
			line := d.Kind.String() + " " + d.Call().Method
			for _, v := range d.Values {
				line += " | " + v.Path + " " + side(v.From.String(), v.FromName) + " -> " + side(v.To.String(), v.ToName)
			}
			if d.Kind == trace.Changed {
				require.NotEmpty(t, d.Values, "a changed call says what changed: %s", d.Call().Method)
			}
			lines = append(lines, line)
			return nil
		},
	})
	require.NoError(t, err)
	require.Equal(t, len(lines) == 0, s.Same())
	return lines
}

func side(text, name string) string {
	if name != "" {
		return name
	}
	return text
}

// diffCall is a call of a context as Mesa writes it; args are "name=<value>".
func diffCall(method string, args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t<call no='1' class='pipe_context' method='%s'>\n\t\t<arg name='pipe'><ptr>0x00001000</ptr></arg>\n", method)
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		if name == "ret" {
			fmt.Fprintf(&b, "\t\t<ret>%s</ret>\n", value)
			continue
		}
		fmt.Fprintf(&b, "\t\t<arg name='%s'>%s</arg>\n", name, value)
	}
	return b.String() + "\t\t<time><int>7</int></time>\n\t</call>\n"
}

func diffTrace(calls ...string) string {
	return "<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n<trace version='0.1'>\n" +
		strings.Join(calls, "") + "</trace>\n"
}

func ptr(address int) string { return fmt.Sprintf("<ptr>0x%08x</ptr>", address) }

func arrayOf(values ...string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString("<elem>" + v + "</elem>")
	}
	return "<array>" + b.String() + "</array>"
}

func structOf(members ...string) string {
	var b strings.Builder
	for _, m := range members {
		name, value, _ := strings.Cut(m, "=")
		b.WriteString("<member name='" + name + "'>" + value + "</member>")
	}
	return "<struct name='s'>" + b.String() + "</struct>"
}

func uints(values ...uint32) string {
	var list []string
	for _, v := range values {
		list = append(list, fmt.Sprintf("<uint>%d</uint>", v))
	}
	return arrayOf(list...)
}

// bufferAt creates a buffer of 64 bytes, as all buffers of these tests.
func bufferAt(address int) string {
	return diffCall("resource_create", "templat="+structOf("target=<enum>PIPE_BUFFER</enum>", "width=<uint>64</uint>"), "ret="+ptr(address))
}

func targetAt(address, buffer int) string {
	return diffCall("create_stream_output_target", "res="+ptr(buffer), "ret="+ptr(address))
}

func targets(offsets string, addresses ...int) string {
	var list []string
	for _, a := range addresses {
		list = append(list, ptr(a))
	}
	return diffCall("set_stream_output_targets", fmt.Sprintf("num_targets=<uint>%d</uint>", len(list)), "tgs="+arrayOf(list...), "offsets="+offsets)
}

func shaderAt(address int, text string) string {
	return diffCall("create_vs_state", "state="+structOf("ir=<string>"+text+"</string>"), "ret="+ptr(address))
}

func bindVS(address int) string { return diffCall("bind_vs_state", "state="+ptr(address)) }

func outputOf(register, buffer uint32) string {
	return structOf(fmt.Sprintf("register_index=<uint>%d</uint>", register), fmt.Sprintf("output_buffer=<uint>%d</uint>", buffer))
}

func drawWith(members ...string) string {
	return diffCall("draw_vbo", "info="+structOf(members...))
}

func TestDiffCases(t *testing.T) {
	const none, all = 0xffffffff, trace.AllNoise
	calls := func(c ...string) string { return diffTrace(c...) }
	for _, c := range []struct {
		why  string
		a, b string
		keep trace.Noise
		want []string
	}{
		{"equal values in equal places do not cancel out",
			calls(targetAt(2, 1), targets(uints(0, 0, 0, 0), 2)), calls(targetAt(2, 1), targets(uints(none, none, none, none), 2)), 0,
			[]string{"changed set_stream_output_targets | offsets[0] 0 -> 4294967295 | offsets[1] 0 -> 4294967295 | offsets[2] 0 -> 4294967295 | offsets[3] 0 -> 4294967295"}},
		{"order of elements counts",
			calls(diffCall("x", "output="+arrayOf(outputOf(1, 0), outputOf(2, 1)))), calls(diffCall("x", "output="+arrayOf(outputOf(1, 1), outputOf(2, 0)))), 0,
			[]string{"changed x | output[0].output_buffer 0 -> 1 | output[1].output_buffer 1 -> 0"}},
		{"swapped targets on buffers that look alike",
			calls(bufferAt(1), bufferAt(2), targetAt(3, 1), targetAt(4, 2), targets(uints(0, 0), 3, 4)),
			calls(bufferAt(1), bufferAt(2), targetAt(3, 1), targetAt(4, 2), targets(uints(0, 0), 4, 3)), 0,
			[]string{"changed set_stream_output_targets | tgs[0] target#1 -> target#2 | tgs[1] target#2 -> target#1"}},
		{"other addresses, and an address that comes back",
			calls(shaderAt(2, "one"), bindVS(2), diffCall("delete_vs_state", "state="+ptr(2)), shaderAt(2, "two"), bindVS(2)),
			calls(shaderAt(8, "one"), bindVS(8), diffCall("delete_vs_state", "state="+ptr(8)), shaderAt(9, "two"), bindVS(9)), 0, nil},
		{"a bind of what came back is not that of what was before",
			calls(shaderAt(2, "one"), shaderAt(3, "two"), bindVS(3)), calls(shaderAt(2, "one"), shaderAt(2, "two"), bindVS(2)), 0, nil},
		{"one create more does not shift the names behind",
			calls(bufferAt(1), bufferAt(2), targetAt(3, 1), targetAt(4, 2), targets(uints(0, 0), 3, 4)),
			calls(bufferAt(1), bufferAt(9), bufferAt(2), targetAt(3, 1), targetAt(4, 2), targets(uints(0, 0), 3, 4)), 0,
			[]string{"added resource_create"}},
		{"a shader whose text changed is the same shader where it is bound",
			calls(shaderAt(2, "one"), bindVS(2), bindVS(2)), calls(shaderAt(3, "uno"), bindVS(3), bindVS(3)), 0,
			[]string{"changed create_vs_state | state.ir one -> uno"}},
		{"a live address that equal creates return is one object",
			calls(shaderAt(2, "one"), shaderAt(2, "one"), bindVS(2)), calls(shaderAt(7, "one"), shaderAt(7, "one"), bindVS(7)), 0, nil},
		{"order of calls counts", calls(bindVS(1), diffCall("x")), calls(diffCall("x"), bindVS(1)), 0, []string{"removed bind_vs_state", "added bind_vs_state"}},
		{"what is returned counts", calls(diffCall("x", "ret=<bool>1</bool>")), calls(diffCall("x", "ret=<bool>0</bool>")), 0, []string{"changed x | ret 1 -> 0"}},
		{"not recorded is not 0",
			calls(diffCall("x", "s="+structOf("a=<uint>0</uint>", "b=<uint>1</uint>"))), calls(diffCall("x", "s="+structOf("b=<uint>1</uint>"))), 0,
			[]string{"changed x | s.a 0 -> "}},
		{"NULL is not an empty array", calls(diffCall("x", "s=<null/>")), calls(diffCall("x", "s=<array></array>")), 0, []string{"changed x | s NULL -> {}"}},
		{"NULL is not a byte", calls(diffCall("x", "s=<null/>")), calls(diffCall("x", "s=<bytes>00</bytes>")), 0, []string{"changed x | s NULL -> 00"}},
		{"NULL is not an object", calls(shaderAt(2, "one"), bindVS(2)), calls(shaderAt(2, "one"), diffCall("bind_vs_state", "state=<null/>")), 0,
			[]string{"changed bind_vs_state | state vs#1 -> NULL"}},
		{"a longer array", calls(diffCall("x", "s="+uints(1))), calls(diffCall("x", "s="+uints(1, 2))), 0, []string{"changed x | s[1]  -> 2"}},
		{"floats of another locale, of another C library and with digits that %g does not write",
			calls(diffCall("x", "s="+arrayOf("<float>0.5</float>", "<float>inf</float>", "<float>nan</float>", "<float>0.1</float>", "<float>100000</float>"))),
			calls(diffCall("x", "s="+arrayOf("<float>0,5</float>", "<float>1.#INF</float>", "<float>-nan</float>", "<float>0.100000001</float>", "<float>1e5</float>"))), 0, nil},
		{"floats that differ in the sixth digit", calls(diffCall("x", "s=<float>0.100001</float>")), calls(diffCall("x", "s=<float>0.100002</float>")), 0,
			[]string{"changed x | s 0.100001 -> 0.100002"}},
		{"text is what it means", calls(diffCall("x", "s=<string>a&amp;b</string>")), calls(diffCall("x", "s=<string><![CDATA[a&b]]></string>")), 0, nil},
		{"a method that one trace lacks", calls(diffCall("x"), diffCall("y")), calls(diffCall("x"), diffCall("z")), 0, []string{"removed y", "added z"}},
		{"bare values are told apart", calls(strings.Replace(diffCall("x"), "\t\t<time>", "\t\t<null/>\n\t\t<null/>\n\t\t<time>", 1)),
			calls(strings.Replace(diffCall("x"), "\t\t<time>", "\t\t<null/>\n\t\t<uint>1</uint>\n\t\t<time>", 1)), 0, []string{"changed x |  NULL -> 1"}},
		{"members that a draw without indices leaves open",
			calls(drawWith("index_size=<uint>0</uint>", "index.resource="+ptr(7), "restart_index=<uint>5</uint>")),
			calls(drawWith("index_size=<uint>0</uint>", "index.resource=<null/>", "restart_index=<uint>6</uint>")), 0, nil},
		{"those members when they are asked for",
			calls(drawWith("index_size=<uint>0</uint>", "restart_index=<uint>5</uint>")), calls(drawWith("index_size=<uint>0</uint>", "restart_index=<uint>6</uint>")), trace.NoiseIndexMembers,
			[]string{"changed draw_vbo | info.restart_index 5 -> 6"}},
		{"those members of a draw with indices",
			calls(drawWith("index_size=<uint>2</uint>", "restart_index=<uint>5</uint>")), calls(drawWith("index_size=<uint>2</uint>", "restart_index=<uint>6</uint>")), 0,
			[]string{"changed draw_vbo | info.restart_index 5 -> 6"}},
		{"how often a fence was waited for", calls(diffCall("fence_finish"), diffCall("x")), calls(diffCall("x"), diffCall("fence_finish")), 0, nil},
		{"the same when asked for", calls(diffCall("fence_finish")), calls(), trace.NoiseFences, []string{"removed fence_finish"}},
		{"where memory was mapped", calls(diffCall("buffer_map", "ret="+ptr(8))), calls(diffCall("buffer_map", "ret="+ptr(9))), 0, nil},
		{"whether memory was mapped", calls(diffCall("buffer_map", "ret="+ptr(8))), calls(diffCall("buffer_map", "ret=<null/>")), 0,
			[]string{"changed buffer_map | ret 0x00000008 -> NULL"}},
		{"user memory", calls(diffCall("set_vertex_buffers", "buffers="+arrayOf(structOf("is_user_buffer=<bool>1</bool>", "buffer.resource="+ptr(5))), "again="+ptr(6))),
			calls(diffCall("set_vertex_buffers", "buffers="+arrayOf(structOf("is_user_buffer=<bool>1</bool>", "buffer.resource="+ptr(6))), "again="+ptr(6))), 0, nil},
		{"a clock", calls(diffCall("get_timestamp", "ret=<uint>1</uint>")), calls(diffCall("get_timestamp", "ret=<uint>2</uint>")), 0, nil},
		{"a query for the time",
			calls(diffCall("create_query", "query_type=<enum>PIPE_QUERY_TIME_ELAPSED</enum>", "ret="+ptr(5)), diffCall("get_query_result", "query="+ptr(5), "result=<uint>1</uint>")),
			calls(diffCall("create_query", "query_type=<enum>PIPE_QUERY_TIME_ELAPSED</enum>", "ret="+ptr(5)), diffCall("get_query_result", "query="+ptr(5), "result=<uint>2</uint>")), 0, nil},
		{"a query for something else",
			calls(diffCall("create_query", "query_type=<enum>PIPE_QUERY_PRIMITIVES_EMITTED</enum>", "ret="+ptr(5)), diffCall("get_query_result", "query="+ptr(5), "result=<uint>1</uint>")),
			calls(diffCall("create_query", "query_type=<enum>PIPE_QUERY_PRIMITIVES_EMITTED</enum>", "ret="+ptr(5)), diffCall("get_query_result", "query="+ptr(5), "result=<uint>2</uint>")), 0,
			[]string{"changed get_query_result | result 1 -> 2"}},
		{"times and numbers", calls(diffCall("x")), calls(strings.NewReplacer("no='1'", "no='2'", "<int>7", "<int>8").Replace(diffCall("x"))), 0, nil},
		{"times and numbers when asked for", calls(diffCall("x")), calls(strings.NewReplacer("no='1'", "no='2'", "<int>7", "<int>8").Replace(diffCall("x"))), all,
			[]string{"changed x | time 7 -> 8 | no 1 -> 2"}},
		{"what the program printed", calls("hello\n", diffCall("x")), calls(diffCall("x")), 0, nil},
		{"the same when asked for", calls("hello\n", diffCall("x")), calls(diffCall("x")), trace.NoiseOutput, []string{"removed "}},
		{"a trace that ends inside a call", calls(diffCall("x")), strings.Split(calls(diffCall("x")), "\t\t<time>")[0], 0, []string{"changed x | ends whole -> cut"}},
		{"a call that cannot be read", calls(diffCall("x", "a=<uint>1</uint>")), calls(strings.Replace(diffCall("x", "a=<uint>1</uint>"), "</uint>", "</int>", 1)), 0,
			[]string{"changed x | a 1 ->  | ends whole -> malformed: "}},
		{"nothing", calls(), calls(), 0, nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			got := diffed(t, c.a, c.b, c.keep)
			require.Len(t, got, len(c.want), "%q", got)
			for i, w := range c.want {
				if strings.HasSuffix(w, "malformed: ") {
					require.Contains(t, got[i], w)
					continue
				}
				require.Equal(t, w, got[i])
			}
			require.Empty(t, diffed(t, c.a, c.a, all))
			require.Empty(t, diffed(t, c.b, c.b, c.keep))
		})
	}
}
