package trace_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

func TestReaderReadsEachCall(t *testing.T) {
	lines, end := read(t, sample(), trace.Options{})
	require.Equal(t, trace.Ending{Kind: trace.Closed, Complete: true, Byte: int64(len(sample())), Calls: 10, Headers: 1}, end)
	require.Len(t, lines, 12)
	require.Equal(t, "header 0-112 line 1 ::()", lines[0])
	require.Contains(t, lines[1], `no 1 ::pipe_screen_create(ret  ptr "0x55a5ebf00000"; time  int "7"; )`)
	require.Contains(t, lines[4], `line 27 no 4 pipe_context::clear(arg pipe ptr "0x55a5ebf1e0f0";  null "NULL"; arg color->ui array {`)
	require.Contains(t, lines[2], `.ir string "shader: MESA_SHADER_VERTEX\nname: GLSL1\nlabel: one\n`)
}

func TestBlockSizeDoesNotMatter(t *testing.T) {
	texts := []string{sample(), sample()[:2000], strings.Replace(sample(), "]]></string>", "]]></strinh>", 1)}
	for _, c := range odd {
		texts = append(texts, c.text)
	}
	for _, text := range texts {
		want, wantEnd := read(t, text, trace.Options{})
		for _, size := range blockSizes {
			for workers := 1; workers <= 3; workers++ {
				got, end := read(t, text, trace.Options{BlockBytes: size, Workers: workers})
				require.Equal(t, want, got, "block of %d bytes, %d workers", size, workers)
				require.Equal(t, wantEnd, end)
			}
		}
	}
}

// TestWhoStopsInABatchLosesTheRest holds that the rest of the batch counts all the same,
// for the lines of what follows and for the ending.
func TestWhoStopsInABatchLosesTheRest(t *testing.T) {
	all, wantEnd := read(t, sample(), trace.Options{})
	for _, size := range []int{1, 300, 1 << 20} {
		r, err := trace.NewReader(strings.NewReader(sample()), trace.Options{Name: "test.xml", BlockBytes: size})
		require.NoError(t, err)
		seen := 0
		for stopped := true; stopped; {
			stopped = false
			for rec, err := range r.Records() {
				require.NoError(t, err)
				seen++
				require.True(t, slices.ContainsFunc(all, func(line string) bool {
					return strings.Contains(line, fmt.Sprintf(" %d-%d line %d ", rec.Pos.Byte, rec.End, rec.Pos.Line))
				}), "%d-%d line %d", rec.Pos.Byte, rec.End, rec.Pos.Line)
				stopped = true
				break
			}
		}
		require.Equal(t, wantEnd, r.Ending())
		require.Positive(t, seen)
	}
}

// TestNextWithinRecords: who takes a batch while another is read gets the places right in
// both.
func TestNextWithinRecords(t *testing.T) {
	all, _ := read(t, sample(), trace.Options{})
	sound := func(rec *trace.Record) {
		require.True(t, slices.ContainsFunc(all, func(line string) bool {
			return strings.Contains(line, fmt.Sprintf(" %d-%d line %d ", rec.Pos.Byte, rec.End, rec.Pos.Line))
		}), "%d-%d line %d", rec.Pos.Byte, rec.End, rec.Pos.Line)
	}
	r, err := trace.NewReader(strings.NewReader(sample()), trace.Options{BlockBytes: 2000, Workers: 1})
	require.NoError(t, err)
	batches := 0
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if b, err := r.Next(); err == nil {
			batches++
			for i := range b.Records {
				sound(&b.Records[i])
			}
			b.Release()
		}
		sound(rec)
	}
	require.Positive(t, batches)
}

// TestCutAnywhere cuts a trace at each byte.
func TestCutAnywhere(t *testing.T) {
	text := sample()
	for n := range len(text) {
		checkCut(t, text, n)
	}
}

// checkCut reads the first n bytes of a well-formed trace.
func checkCut(t testing.TB, text string, n int) {
	cut := text[:n]
	whole := strings.Count(cut, "</call>")
	start := strings.LastIndex(cut, "\t<c")
	open := start >= 0 && strings.Count(cut, "\t<c") > whole
	r, err := trace.NewReader(strings.NewReader(cut), trace.Options{Name: "cut.xml", BlockBytes: 4096})
	require.NoError(t, err)
	var last trace.Record
	for rec, err := range r.Records() {
		require.NoError(t, err)
		require.Nil(t, rec.Problem, "cut at %d", n)
		last = *rec
	}
	end := r.Ending()
	require.Equal(t, uint64(whole), end.Calls, "cut at %d", n)
	require.Equal(t, int64(n), end.Byte)
	require.Equal(t, strings.Contains(cut, "</trace>"), end.Complete)
	require.Equal(t, open, end.Kind == trace.InsideCall, "cut at %d, after %q", n, cut[max(0, n-20):])
	if !open {
		return
	}
	require.True(t, last.Open)
	require.Equal(t, int64(start+1), last.Pos.Byte)
	if tag := cut[start:]; strings.Contains(tag, "method='") && strings.Count(tag, "'") >= 6 {
		require.NotEmpty(t, last.Method, "cut at %d", n)
	}
}

// TestFlippedBytes damages one byte at a time: at most two calls may be lost, and
// none may be invented.
func TestFlippedBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := []byte(sample())
	_, end := read(t, string(text), trace.Options{BlockBytes: 4096})
	flips := 20000
	if testing.Short() {
		flips = 1000
	}
	for range flips {
		i, bit := random.IntN(len(text)), byte(1)<<random.IntN(8)
		text[i] ^= bit
		_, got := read(t, string(text), trace.Options{BlockBytes: 4096})
		what := fmt.Sprintf("byte %d is %q in %q", i, text[i], text[max(0, i-20):min(len(text), i+20)])
		require.GreaterOrEqual(t, got.Calls, end.Calls-2, what)
		require.LessOrEqual(t, got.Calls, end.Calls, what)
		require.Equal(t, int64(len(text)), got.Byte, what)
		text[i] ^= bit
	}
}

// odd are the ways in which real traces are odd.
var odd = []struct {
	why, text string
	want      []string // what each record's line contains
}{
	{"a label with a CDATA end and a call in it", header + createVS(1, "x ]]> <call no='2' class='a' method='b'></call>") + bind(2),
		[]string{"header", "]]> <call no='2'", "bind_vs_state"}},
	{"a label with a whole string end and a call in it", header + createVS(1, "x ]]></string></member></struct></arg></call><call no='2' class='a' method='b'></call>") + bind(2),
		[]string{"header", "call 114-", "no 2 pipe_context::bind_vs_state"}},
	{"a label of several lines with two calls in it", header + createVS(5, "</call>\n<call no='1' class='a'>\n</call>\n<call no='2' class='a'>") + bind(6),
		[]string{"header", "call 114-", "no 6"}},
	{"a label with control characters and broken UTF-8", header + createVS(1, "\x1b[31m\xff\x07"), []string{"header", `\x1b[31m\xff\a`}},
	{"a section that lost its end, and none follows", header + strings.Replace(createVS(1, "x")+bind(2), "]]></string>", "]]></ string>", 1),
		[]string{"header", "malformed 114-", "call "}},
	{"a section that lost its end, and another follows", header + strings.Replace(createVS(1, "x"), "]]></", "]]<>/", 1) + bind(2) + createVS(3, "y"),
		[]string{"header", "malformed 114-", "no 2 pipe_context::bind", "no 3 pipe_context::create"}},
	{"a call without an end", header + strings.Replace(bind(1), "</call>", "", 1) + bind(2),
		[]string{"header", "malformed 114-", "call "}},
	{"a call whose first word is damaged", header + strings.Replace(bind(1), "<call", "<cbll", 1) + bind(2),
		[]string{"header", `noise 114-`, "malformed", "no 2"}},
	{"two returned values", header + call(1, "pipe_screen", "resource_create_unbacked", "<ret><uint>4096</uint></ret>", "<ret><ptr>0x5</ptr></ret>"),
		[]string{"header", `ret  uint "4096"; ret  ptr "0x5"; `}},
	{"bare children", header + call(1, "pipe_context", "draw_vbo", "<array><elem><uint>1</uint></elem></array>", "<null/>"),
		[]string{"header", ` array { uint "1"; };  null "NULL"; time`}},
	{"an arg in an arg", header + call(1, "pipe_context", "set_shader_buffers", "<arg name='buffers'><arg name='buffers'><array></array></arg></arg>"),
		[]string{"header", "arg buffers array {}; time"}},
	{"a bare array in a struct", header + call(1, "", "x", "<arg name='s'><struct name='i'><member name='n'><uint>1</uint></member><array><elem><uint>4</uint></elem></array></struct></arg>"),
		[]string{"header", `arg s struct i{.n uint "1";  array { uint "4"; }; }; `}},
	{"a literal > in a member's name", header + call(1, "", "x", "<arg name='s'><struct name='i'><member name='indirect->offset'><uint>1</uint></member></struct></arg>"),
		[]string{"header", `.indirect->offset uint "1"`}},
	{"an unknown element", header + call(1, "", "x", "<arg name='s'><half>1.5</half></arg>"),
		[]string{"header", `arg s unknown half{ string "1.5"; }; `}},
	{"an argument without a value, and one with two", header + call(1, "", "x", "<arg name='a'></arg>", "<arg name='b'><uint>1</uint><uint>2</uint></arg>"),
		[]string{"header", `arg a unknown {}; arg b unknown { uint "1";  uint "2"; }; `}},
	{"bytes as references", header + call(1, "", "get_driver_uuid", "<ret><string>&#1;&#195;&#169;&lt;&apos;&nope;&</string></ret>"),
		[]string{"header", `ret  string "\x01é<'&nope;&"`}},
	{"numbers that are none", header + call(1, "", "x", "<arg name='a'><uint>lu</uint></arg>"), []string{"header", `arg a uint "lu"`}},
	{"a string's tag that has no end", "<string 0000000000000000000</call>0000000000000000000000000</call>",
		[]string{"noise 0-27", "malformed 27-34", "noise 34-59", "malformed 59-66"}},
	{"shader text between calls", header + "<string><![CDATA[shader: a\n]]></string>" + bind(1) + "<string>hint</string>\n",
		[]string{"header", `stray 113-152 line 4 ::( string "shader: a\n"; )`, "no 1", `stray`}},
	{"output of the program between calls", header + "hello\n\n" + bind(1) + "no line end" + bind(2) + "a < b\n",
		[]string{"header", `"hello\n"`, "no 1", `noise`, "no 2", `"a < b\n"`}},
	{"output of a driver in a call", header + call(1, "", "x", "a driver prints", "<arg name='a'><uint>1</uint></arg>"), []string{"header", `arg a uint "1"`}},
	{"two worlds in one file", header + bind(1) + "</trace>\n" + header + bind(1), []string{"header", "no 1", "footer", "header", "no 1"}},
	{"a world that begins in a call", header + bind(1)[:50] + header + bind(1), []string{"header", "malformed", "header", "no 1"}},
	{"content after the closing tag", header + "</trace>\n" + bind(2), []string{"header", "footer", "no 2"}},
	{"a number twice", header + bind(1) + bind(1), []string{"header", "no 1", "no 1"}},
	{"no numbers at all", header + strings.Replace(bind(1), " no='1'", "", 1), []string{"header", "call 114-304 line 4 pipe_context::bind_vs_state"}},
	{"comments and instructions", header + "<!-- <call no='5'> -->\n<?x y?>" + call(1, "", "x", "<!-- </call> -->", "<arg name='a'><!-- c --><uint>1</uint></arg>"),
		[]string{"header", `no 1 ::x(arg a uint "1"; time`}},
	{"other white space and quotes", header + "<call\n method=\"x\" class='' no='1' ><arg name = 'a' ><uint >1</uint ></arg ><ret><null /></ret></call >\r\n",
		[]string{"header", `no 1 ::x(arg a uint "1"; ret  null "NULL"; )`}},
	{"a nested call", header + "\t<call no='1' class='' method='a'>\n" + bind(2) + "\t</call>\n", []string{"header", "malformed", "no 2", "malformed"}},
	{"a mark before the header", "\xef\xbb\xbf" + header + bind(1), []string{"noise", "header", "no 1"}},
	{"nothing", "", nil},
	{"no trace", "just text\nof two lines", []string{"noise", "noise"}},
}

func TestOddTraces(t *testing.T) {
	for _, c := range odd {
		t.Run(c.why, func(t *testing.T) {
			lines, _ := read(t, c.text, trace.Options{})
			all := strings.Join(lines, "\n")
			require.Len(t, lines, len(c.want), all)
			for i, want := range c.want {
				require.Contains(t, lines[i], want)
			}
		})
	}
}

func TestWantedSkipsValuesOnly(t *testing.T) {
	r, err := trace.NewReader(strings.NewReader(sample()), trace.Options{
		Wanted: func(_, method string) bool { return method == "clear" },
	})
	require.NoError(t, err)
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if rec.Kind != trace.CallRecord {
			continue
		}
		require.Equal(t, rec.Method != "clear", rec.Skipped)
		require.Equal(t, rec.Skipped, rec.Values.Empty())
	}
	require.Equal(t, uint64(10), r.Ending().Calls)
}
