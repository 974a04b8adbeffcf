package trace

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/davecgh/go-spew/spew"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// recorded returns the project's own traces, and where there are more, those of
// OUTFLOW_CORPUS.
func recorded(t testing.TB) []string {
	files, err := filepath.Glob(filepath.FromSlash("../testdata/traces/*.xml.*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if root := os.Getenv("OUTFLOW_CORPUS"); root != "" {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".xml.gz") {
				files = append(files, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	return files
}

// inflate returns the text of a trace by other means than the reader's.
func inflate(t testing.TB, path string) []byte {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var src io.Reader
	if strings.HasSuffix(path, ".zst") {
		z, err := zstd.NewReader(f)
		require.NoError(t, err)
		defer z.Close()
		src = z
	} else {
		src, err = gzip.NewReader(f)
		require.NoError(t, err)
	}
	text, err := io.ReadAll(src)
	require.NoError(t, err)
	return text
}

// TestDecodeRecorded holds what is decoded of real traces against plain
// searching: nothing fails to fit, each method is there as often as its name,
// and stream output is what a regular expression reads.
func TestDecodeRecorded(t *testing.T) {
	for _, path := range recorded(t) {
		var d, fresh Decoder
		var op, alone pipe.Op
		counts := make(map[string]int)
		var captured []capturedInfo
		each(t, path, func(rec *Record) {
			if !d.Decode(rec, &op) || rec.Kind == HeaderRecord {
				return
			}
			require.Empty(t, op.Raw.Misfits, "%s:%d: %s", path, rec.Pos.Line, rec.Method)
			require.Nil(t, op.Raw.StreamOutput, "%s:%d: %s", path, rec.Pos.Line, rec.Method)
			if !rec.Open {
				counts[rec.Method]++
			}
			if c, ok := op.Call.(*pipe.CreateShader); ok && c.State.StreamOutput.NumOutputs > 0 {
				captured = append(captured, capturedOf(op.No, &c.State.StreamOutput))
			}
			switch op.Call.(type) {
			case *pipe.Other, *pipe.GetParam:
				return // most of a trace, and nothing to be left over from before
			}
			fresh = Decoder{dialect: d.dialect}
			fresh.Decode(rec, &alone)
			requireSameOp(t, &alone, &op)
		})
		text := inflate(t, path)
		require.Equal(t, countMethods(text), counts, path)
		require.Equal(t, searchCaptured(text), captured, path)
	}
}

func each(t testing.TB, path string, f func(*Record)) {
	r, err := Open(path, Options{})
	require.NoError(t, err)
	defer r.Close()
	for rec, err := range r.Records() {
		require.NoError(t, err)
		f(rec)
	}
}

// requireSameOp compares what an operation says. What is not equal may only be
// what never is: NaN.
func requireSameOp(t testing.TB, want, got *pipe.Op) {
	require.Equal(t, want.Raw.Misfits, append([]pipe.Misfit(nil), got.Raw.Misfits...))
	a, b := *want, *got
	a.Raw, b.Raw, a.Call, b.Call = nil, nil, nil, nil
	require.Equal(t, a, b)
	if !reflect.DeepEqual(want.Call, got.Call) {
		require.Equal(t, plain.Sdump(want.Call), plain.Sdump(got.Call), "call %d", got.No)
	}
}

var plain = spew.ConfigState{Indent: " ", DisablePointerAddresses: true, DisableCapacities: true}

var closedCall = regexp.MustCompile(`(?m)^(?:\]\]></string>)?\t<call no='\d+' class='\w*' method='(\w+)'>$`)

// countMethods counts whole calls by the lines that open them.
func countMethods(text []byte) map[string]int {
	counts := make(map[string]int)
	if i := bytes.LastIndex(text, []byte("\t</call>\n")); i >= 0 {
		text = text[:i]
	}
	for _, m := range closedCall.FindAllSubmatch(text, -1) {
		counts[string(m[1])]++
	}
	return counts
}

// capturedInfo is a stream output info and the number of the call that has it.
type capturedInfo struct {
	no     uint64
	stride [4]uint64
	output [][6]uint64
}

func capturedOf(no uint64, i *pipe.StreamOutputInfo) capturedInfo {
	c := capturedInfo{no: no}
	for b, s := range i.Stride {
		c.stride[b] = uint64(s)
	}
	for _, o := range i.Outputs() {
		c.output = append(c.output, [6]uint64{uint64(o.Register()), uint64(o.StartComponent()), uint64(o.NumComponents()),
			uint64(o.Buffer()), uint64(o.DstOffset()), uint64(o.Stream())})
	}
	return c
}

var (
	infoStart   = regexp.MustCompile(`<struct name='pipe_stream_output_info'><member name='num_outputs'><uint>([1-9]\d*)</uint>(.*)`)
	uintElement = regexp.MustCompile(`<uint>(\d+)</uint>`)
	callNumber  = regexp.MustCompile(`<call no='(\d+)'`)
)

// searchCaptured finds the same by line and number: four strides, then six
// numbers for each output.
func searchCaptured(text []byte) []capturedInfo {
	var list []capturedInfo
	for _, at := range infoStart.FindAllSubmatchIndex(text, -1) {
		open := bytes.LastIndex(text[:at[0]], []byte("\n\t<call no='"))
		c := capturedInfo{no: toNumber(callNumber.FindSubmatch(text[open:])[1])}
		n := toNumber(text[at[2]:at[3]])
		all := uintElement.FindAllSubmatch(text[at[4]:at[5]], -1)
		for b := range c.stride {
			c.stride[b] = toNumber(all[b][1])
		}
		all = all[4:]
		for range n {
			var o [6]uint64
			for k := range o {
				o[k] = toNumber(all[k][1])
			}
			all = all[6:]
			c.output = append(c.output, o)
		}
		list = append(list, c)
	}
	return list
}

func toNumber(b []byte) uint64 {
	n, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// decoded is a trace whose records are read but not decoded.
func decoded(t testing.TB, path string) (list []Record, release func()) {
	r, err := Open(path, Options{})
	require.NoError(t, err)
	for {
		b, err := r.Next()
		if err == io.EOF {
			return list, func() { r.Close() }
		}
		require.NoError(t, err)
		list = append(list, b.Records...)
	}
}

// TestDecodeAllocates nothing for the calls that a trace is full of.
func TestDecodeAllocates(t *testing.T) {
	hot := map[string]bool{"draw_vbo": true, "set_vertex_buffers": true, "set_constant_buffer": true, "set_stream_output_targets": true,
		"flush": true, "buffer_subdata": true, "clear": true, "get_query_result": true, "create_query": true, "set_sampler_views": true,
		"transfer_unmap": true, "buffer_map": true, "set_framebuffer_state": true, "create_vs_state": true, "is_format_supported": true,
		"begin_query": true, "create_stream_output_target": true, "get_param": true, "set_shader_buffers": true}
	all, release := decoded(t, filepath.FromSlash("../testdata/traces/queries.llvmpipe.xml.gz"))
	defer release()
	tgsi, release := decoded(t, filepath.FromSlash("../testdata/traces/drawauto.softpipe-tgsi.xml.zst"))
	defer release()
	all = append(append(all, tgsi...), records(t, head+
		call("1", "set_constant_buffer", argPipe, arg("shader", name("MESA_SHADER_FRAGMENT")), arg("index", number10("1")), arg("take_ownership", "<bool>1</bool>"),
			arg("constant_buffer", object("pipe_constant_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 64"))))+
		call("2", "set_sampler_views", argPipe, arg("shader", name("MESA_SHADER_FRAGMENT")), arg("start", number10("0")), arg("views", array(pointer("a"), pointer("b"))))+
		call("3", "clear", argPipe, arg("buffers", number10("4")), arg("scissor_state", "<null/>"), arg("color-&gt;ui", uints("0", "1", "2", "3")), arg("depth", "<float>1</float>"), arg("stencil", number10("3")))+
		call("4", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("index_size 0 mode 14 start 2 count 6 indirect->offset 4"), member("indirect->buffer", pointer("b"))))))...)
	var d Decoder
	var op pipe.Op
	seen := make(map[string]bool)
	for i := range all {
		m := all[i].Method
		if !hot[m] && !strings.HasPrefix(m, "bind_") && !strings.HasPrefix(m, "delete_") {
			continue
		}
		seen[m] = true
		d.Decode(&all[i], &op)
		require.Zero(t, testing.AllocsPerRun(3, func() { d.Decode(&all[i], &op) }), "%s", all[i].Raw)
	}
	for m := range hot {
		require.True(t, seen[m], "%s is in none of the traces", m)
	}
}

// FuzzDecode decodes the calls of any text twice: with what was decoded before,
// and alone.
func FuzzDecode(f *testing.F) {
	f.Add(head + call("1", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("mode 4 start 0 count 3")))))
	f.Add(head + call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("1")), arg("tgs", array(pointer("a"))), arg("offsets", uints("18446744073709551615"))) +
		call("2", "set_stream_output_targets", argPipe, arg("num_targets", number10("0")), arg("tgs", "<null/>"), arg("offsets", "<null/>")))
	f.Add(shaderState(infoOf(numbers("num_outputs 3 stride 48"), array(masked("0", "15", "0"), masked("3", "7", "9")))))
	f.Add(shaderState(infoOf(numbers("num_outputs 99999999999"), member("stride", uints("1")), member("output", array(object("", numbers("register_index 300")))))))
	f.Add(call("1", "set_shader_buffers", argContext, arg("shader", number10("4")), "<arg name='buffers'>"+array()+arg("writable_bitmask", number10("1"))+"</arg>"))
	f.Add(call("1", "set_framebuffer_state", argPipe, arg("state", object("pipe_framebuffer_state", numbers("nr_cbufs 9"), member("cbufs", array(object("pipe_surface")))))))
	f.Add(call("1", "get_query_result", argPipe, arg("query", pointer("1")), arg("result", array()), "<ret><bool>1</bool></ret>"))
	f.Add(call("1", "create_blend_state", argPipe, arg("state", object("", member("rt", array("<null/>"))))))
	f.Fuzz(func(t *testing.T, text string) {
		var d Decoder
		var op, alone pipe.Op
		list := records(t, text)
		for i := range list {
			fresh := Decoder{dialect: d.dialect}
			fresh.dialect.index, fresh.dialect.buffers = maps.Clone(d.dialect.index), maps.Clone(d.dialect.buffers)
			if !d.Decode(&list[i], &op) {
				continue
			}
			require.NotNil(t, op.Call)
			require.LessOrEqual(t, len(op.Raw.Misfits), len(list[i].Raw))
			require.True(t, fresh.Decode(&list[i], &alone))
			requireSameOp(t, &alone, &op)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	all, release := decoded(b, filepath.FromSlash("../testdata/traces/modes.llvmpipe.xml.gz"))
	defer release()
	var d Decoder
	var op pipe.Op
	size := int64(0)
	for i := range all {
		size += int64(len(all[i].Raw))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for i := range all {
			d.Decode(&all[i], &op)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all)), "ns/call")
}

func BenchmarkDecodeCall(b *testing.B) {
	all, release := decoded(b, filepath.FromSlash("../testdata/traces/modes.llvmpipe.xml.gz"))
	defer release()
	for _, method := range []string{"draw_vbo", "set_vertex_buffers", "set_constant_buffer", "bind_vs_state", "set_stream_output_targets", "is_format_supported", "create_vs_state"} {
		for i := range all {
			if all[i].Method == method {
				b.Run(method, func(b *testing.B) {
					var d Decoder
					var op pipe.Op
					b.ReportAllocs()
					for b.Loop() {
						d.Decode(&all[i], &op)
					}
				})
				break
			}
		}
	}
}
