package trace

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/blocks"
	"github.com/outflow-gpu/outflow/pipe"
)

// frameCalls are calls of a frame, and such as only look like them.
var frameCalls = []string{
	" class='pipe_context' method='draw_vbo'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='info'><struct name='pipe_draw_info'><member name='index_size'><uint>0</uint></member><member name='mode'><uint>4</uint></member></struct></arg>\n\t\t<arg name='drawid_offset'><int>0</int></arg>\n\t\t<arg name='indirect'><null/></arg>\n\t\t<arg name='draws'><array><elem><struct name='pipe_draw_start_count_bias'><member name='start'><uint>1</uint></member><member name='count'><uint>3</uint></member></struct></elem></array></arg>\n\t\t<arg name='num_draws'><uint>1</uint></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='set_vertex_buffers'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='num_buffers'><uint>1</uint></arg>\n\t\t<arg name='buffers'><array><elem><struct name='pipe_vertex_buffer'><member name='buffer_offset'><uint>64</uint></member><member name='buffer.resource'><ptr>0x7</ptr></member></struct></elem></array></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='set_stream_output_targets'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='num_targets'><uint>1</uint></arg>\n\t\t<arg name='tgs'><array><elem><ptr>0x9</ptr></elem></array></arg>\n\t\t<arg name='offsets'><array><elem><uint>0</uint></elem></array></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='begin_query'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='query'><ptr>0x3</ptr></arg>\n\t\t<ret><bool>1</bool></ret>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='set_constant_buffer'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='shader'><uint>3</uint></arg>\n\t\t<arg name='index'><uint>0</uint></arg>\n\t\t<arg name='constant_buffer'><null/></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='clear'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='buffers'><uint>4</uint></arg>\n\t\t<arg name='scissor_state'><struct name='pipe_scissor_state'><member name='minx'><uint>1</uint></member><member name='miny'><uint>2</uint></member><member name='maxx'><uint>3</uint></member><member name='maxy'><uint>4</uint></member></struct></arg>\n\t\t<arg name='color-&gt;ui'><array><elem><uint>7</uint></elem></array></arg>\n\t\t<arg name='depth'><float>1</float></arg>\n\t\t<arg name='stencil'><uint>3</uint></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='get_query_result'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='query'><ptr>0x3</ptr></arg>\n\t\t<arg name='wait'><bool>1</bool></arg>\n\t\t<arg name='result'><uint>12</uint></arg>\n\t\t<ret><bool>1</bool></ret>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_screen' method='get_param'>\n\t\t<arg name='screen'><ptr>0x1</ptr></arg>\n\t\t<arg name='param'><enum>PIPE_CAP_NPOT_TEXTURES</enum></arg>\n\t\t<ret><int>1</int></ret>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='clear_render_target'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='flush'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t</call>\n", // no time
	" class='pipe_context' method='flush'>\n\t\t<time><int>%d</int></time>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t</call>\n",
	" class='pipe_context' method='set_min_samples'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='min_samples'><uint>99999999999</uint></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='resource_release'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<!-- aside -->\n\t\t<arg name='resource'><ptr>0x2</ptr></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='end_query'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='query'><ptr>0x3</ptr></arg>\n\t\t<time><int>-%d</int></time>\n\t</call>\n",
	" class='pipe_context' method='end_query'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='query'><ptr>0x3</ptr></arg\n\t\t<time><int>%d</int></time>\n\t</call>\n", // malformed
	" method='unmap' class='pipe_context'>\n\t\t<arg name='a&amp;b'><string>x</string></arg><time><int>%d</int></time></call>\n",
	" class='pipe_context' method='create_vs_state'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='text'><string><![CDATA[</call>]]></string></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n",
}

// frames writes n random calls of few kinds.
func frames(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("<?xml version='1.0' encoding='UTF-8'?>\n<trace version='0.1'>\n")
	for no := 1; no <= n; no++ {
		text := frameCalls[min(r.IntN(len(frameCalls)), r.IntN(len(frameCalls)))]
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, r.IntN(1000))
		}
		switch r.IntN(200) {
		case 0:
			text = strings.Replace(text, "0x1", "0x2", 1)
		case 1:
			b.WriteString("what the program prints\n")
		case 2:
			b.WriteString("<?xml version='1.0' encoding='UTF-8'?>\n<trace version='0.1'>\n")
		case 3:
			text = strings.Replace(text, "</int></time>", "</int></time >", 1)
		}
		fmt.Fprintf(&b, "\t<call no='%d'%s", no, text)
	}
	return b.String() + "</trace>\n"
}

// readWith reads text and hands each record on. Without repeats each call is
// read for itself.
func readWith(t testing.TB, text io.Reader, o Options, repeats bool, each func(*Record)) {
	o.Name = "test.xml"
	r, err := NewReader(text, o)
	require.NoError(t, err)
	if !repeats {
		r.workers = 1
		r.parser(0).repeats, r.parser(0).forms = &repeater{rest: math.MaxInt}, &forms{rest: math.MaxInt}
	}
	for rec, err := range r.Records() {
		require.NoError(t, err)
		each(rec)
	}
	require.NoError(t, r.Close())
}

// line says all of a record but whether it is a repeat.
func line(rec *Record) string {
	us, timed := rec.Values.Time()
	return fmt.Sprintf("%v %v %v %d %v %s.%s %v %d %q %v %v %d %v", rec.Kind, rec.Open, rec.Skipped, rec.No, rec.HasNo, rec.Class, rec.Method,
		rec.Pos, rec.End, rec.Raw, spell(rec), rec.Problem, us, timed)
}

// requireSameRepeated holds that a text reads and decodes the same with repeats
// as without them, whether or not the calls are lent.
func requireSameRepeated(t testing.TB, text string, o Options) (repeats int) {
	var want []string
	readWith(t, strings.NewReader(text), o, false, func(rec *Record) { want = append(want, line(rec)) })
	requireSameDecoded(t, text, o, want, true)
	return requireSameDecoded(t, text, o, want, false)
}

func requireSameDecoded(t testing.TB, text string, o Options, want []string, lend bool) (repeats int) {
	d, alone := Decoder{Lend: lend}, Decoder{}
	var op, single pipe.Op
	i := 0
	readWith(t, strings.NewReader(text), o, true, func(rec *Record) {
		require.Less(t, i, len(want))
		require.Equal(t, want[i], line(rec))
		i++
		once := *rec
		if once.repeat != nil {
			repeats++
			once.repeat = nil
		}
		ok := d.Decode(rec, &op)
		require.Equal(t, alone.Decode(&once, &single), ok)
		if ok {
			single.Raw.Misfits = append([]pipe.Misfit(nil), single.Raw.Misfits...)
			requireSameOp(t, &single, &op)
			if !lend {
				spoil(&op)
			}
		}
	})
	require.Equal(t, len(want), i)
	return repeats
}

// TestLentCallsAreOne holds that what is lent is not copied: but for calls that refer to
// their values, and those are their own.
func TestLentCallsAreOne(t *testing.T) {
	d := Decoder{Lend: true}
	lent, own := 0, 0
	var frame strings.Builder
	for i, c := range frameCalls[:9] {
		fmt.Fprintf(&frame, "\t<call no='%d'"+c, i, i)
	}
	readWith(t, strings.NewReader(strings.Repeat(frame.String(), 50)), Options{Workers: 1}, true, func(rec *Record) {
		var kept *recalled
		if rec.repeat != nil {
			kept = rec.repeat.decoded.Load()
		}
		var op pipe.Op
		if !d.Decode(rec, &op) || kept == nil || kept != rec.repeat.decoded.Load() {
			return
		}
		if other, refers := op.Call.(*pipe.Other); refers {
			require.Same(t, &rec.Values, other.Values)
			own++
			return
		}
		require.Same(t, kept.call, op.Call)
		lent++
	})
	require.Greater(t, lent, 300)
	require.Greater(t, own, 40)
}

// spoil does to an operation what a replay may: it must not come back.
func spoil(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.SetStreamOutputTargets:
		clear(c.Targets)
		clear(c.Offsets)
	case *pipe.SetVertexBuffers:
		clear(c.Buffers)
	case *pipe.Draw:
		clear(c.Draws)
		if c.Indirect != nil {
			*c.Indirect = pipe.DrawIndirect{}
		}
	case *pipe.Clear:
		if c.Scissor != nil {
			*c.Scissor = pipe.Scissor{}
		}
		if c.Color != nil {
			*c.Color = [4]uint32{}
		}
	case *pipe.SetConstantBuffer:
		if c.Buffer != nil {
			*c.Buffer = pipe.ConstantBuffer{}
		}
	case *pipe.SetSamplerViews:
		clear(c.Views)
	case *pipe.BindSamplers:
		clear(c.States)
	}
}

func TestRepeatsReadAlike(t *testing.T) {
	for seed := range uint64(4) {
		text := frames(seed, 3000)
		for _, o := range []Options{{Workers: 1, BlockBytes: 1 << 13}, {Workers: 3, BlockBytes: 1 << 12}, {Workers: 2, BlockBytes: 777}} {
			require.Greater(t, requireSameRepeated(t, text, o), 500)
		}
	}
}

// TestSectionsAreNoRepeats: where a section ends can depend on what comes behind the
// call that it seems to be in.
func TestSectionsAreNoRepeats(t *testing.T) {
	const call = "\t<call no='1' class='pipe_context' method='create_vs_state'>\n\t\t<arg name='text'><string><![CDATA[shader: MESA_SHADER_VERTEX\nlabel: a]]></string></arg>\n\t</call>"
	const longer = call + " is the label\n]]></string></arg>\n\t</call>\n"
	text := strings.Repeat(call+"\n", 3) + longer + strings.Repeat(call+"\n", 3)
	n := 0
	readWith(t, strings.NewReader(text), Options{Workers: 1}, true, func(rec *Record) {
		require.Equal(t, CallRecord, rec.Kind, "%s", rec.Raw)
		n++
	})
	require.Equal(t, 7, n)
	require.Zero(t, requireSameRepeated(t, text, Options{Workers: 1}))
}

// TestManyRepeats goes through more kinds of calls than are kept.
func TestManyRepeats(t *testing.T) {
	var b strings.Builder
	for no := range 80000 {
		fmt.Fprintf(&b, "\t<call no='%d' class='pipe_context' method='begin_query'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='query'><ptr>0x%x%s</ptr></arg>\n\t\t<time><int>1</int></time>\n\t</call>\n",
			no, no/2%19000+1, strings.Repeat("0", no%7*100))
	}
	requireSameRepeated(t, b.String(), Options{Workers: 1})
}

var numbered = regexp.MustCompile(`<call no='\d+'`)

// TestRealRepeats reads real traces two times over.
func TestRealRepeats(t *testing.T) {
	dir := os.Getenv("OUTFLOW_CORPUS")
	if dir == "" {
		t.Skip("OUTFLOW_CORPUS names no folder of real traces")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.xml.gz"))
	require.NoError(t, err)
	for i := 0; i < len(paths); i += max(1, len(paths)/40) {
		f, err := os.Open(paths[i])
		require.NoError(t, err)
		var unpacker blocks.Decompressor
		plain, _, err := unpacker.Open(f)
		require.NoError(t, err)
		text, _ := io.ReadAll(io.LimitReader(plain, 4<<20))
		unpacker.Close()
		require.NoError(t, f.Close())
		text = bytes.Repeat(text, 2)
		no := 0
		text = numbered.ReplaceAllFunc(text, func([]byte) []byte { no++; return fmt.Appendf(nil, "<call no='%d'", no) })
		requireSameRepeated(t, string(text), Options{Workers: 2})
	}
}

// FuzzRepeats reads a text several times over, with an edit in the last one.
func FuzzRepeats(f *testing.F) {
	for i, c := range frameCalls {
		f.Add("\t<call no='1'"+c, i, byte('x'))
	}
	f.Fuzz(func(t *testing.T, text string, at int, c byte) {
		if len(text) == 0 || len(text) > 4000 {
			return
		}
		last := []byte(text)
		last[(at&0x7fffffff)%len(last)] = c
		requireSameRepeated(t, strings.Repeat(text, 3)+string(last)+text, Options{Workers: 1})
	})
}

func TestRepeatsAllocateNothing(t *testing.T) {
	text := []byte(frames(1, 500))
	one := func(n int) float64 {
		all := bytes.Repeat(text, n)
		return testing.AllocsPerRun(5, func() {
			var d Decoder
			var op pipe.Op
			readWith(t, bytes.NewReader(all), Options{Workers: 1}, true, func(rec *Record) { d.Decode(rec, &op) })
		})
	}
	few, many := one(20), one(60)
	require.Less(t, (many-few)/(40*500), 0.5, "only what is malformed or misfits may allocate")
}

// spell writes the values of a record as they stand.
func spell(rec *Record) string {
	var b strings.Builder
	var each func(x pipe.Value)
	each = func(x pipe.Value) {
		for ; x.Exists(); x = x.Next() {
			fmt.Fprintf(&b, "%v:%v:%q:%q:%v%v(", x.Role(), x.Kind(), x.RawName(), x.RawText(), x.Literal(), x.Open())
			each(x.First())
			b.WriteByte(')')
		}
	}
	each(rec.Values.First())
	return b.String()
}
