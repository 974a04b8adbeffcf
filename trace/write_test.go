package trace_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// written returns the items of one call: what stands between its tags, without
// the object and the time.
func written(t *testing.T, d trace.Dialect, op *pipe.Op) (tag string, items []string) {
	var out bytes.Buffer
	w := trace.NewWriter(&out, d)
	require.NoError(t, w.Write(op, 7*time.Microsecond))
	text, ok := strings.CutPrefix(out.String(), header)
	require.True(t, ok)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	n := len(lines)
	require.Equal(t, "\t\t<time><int>7</int></time>", lines[n-2])
	require.Equal(t, "\t</call>", lines[n-1])
	for _, line := range lines[1 : n-2] {
		item, ok := strings.CutPrefix(line, "\t\t")
		require.True(t, ok, line)
		items = append(items, item)
	}
	return lines[0], items
}

const object = "<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>"

// TestWriteStreamOutput writes the calls of stream output as Mesa does.
func TestWriteStreamOutput(t *testing.T) {
	first, second := trace.Mesa22_3, trace.Mesa25_0
	cases := []struct {
		why     string
		dialect trace.Dialect
		call    pipe.Call
		ret     pipe.Handle
		tag     string
		items   []string
	}{
		{"a target of a range", first, &pipe.CreateStreamOutputTarget{Resource: 0xb00, BufferOffset: 16, BufferSize: 96}, 0x55a5ebf1f000, "create_stream_output_target",
			[]string{"<arg name='res'><ptr>0x00000b00</ptr></arg>", "<arg name='buffer_offset'><uint>16</uint></arg>", "<arg name='buffer_size'><uint>96</uint></arg>", "<ret><ptr>0x55a5ebf1f000</ptr></ret>"}},
		{"a target that the driver refused", first, &pipe.CreateStreamOutputTarget{}, 0, "create_stream_output_target",
			[]string{"<arg name='res'><null/></arg>", "<arg name='buffer_offset'><uint>0</uint></arg>", "<arg name='buffer_size'><uint>0</uint></arg>", "<ret><null/></ret>"}},
		{"targets with a hole, one appending", first, &pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0, 0x55a5ebf1f000}, Offsets: []uint32{0, pipe.AppendOffset}}, 0, "set_stream_output_targets",
			[]string{"<arg name='num_targets'><uint>2</uint></arg>", "<arg name='tgs'><array><elem><null/></elem><elem><ptr>0x55a5ebf1f000</ptr></elem></array></arg>",
				"<arg name='offsets'><array><elem><uint>0</uint></elem><elem><uint>4294967295</uint></elem></array></arg>"}},
		{"none, as the GL front end unbinds", second, &pipe.SetStreamOutputTargets{OutputPrim: pipe.PrimitiveUnknown}, 0, "set_stream_output_targets",
			[]string{"<arg name='num_targets'><uint>0</uint></arg>", "<arg name='tgs'><null/></arg>", "<arg name='offsets'><null/></arg>", "<arg name='output_prim'><uint>28</uint></arg>"}},
		{"none, as a threaded context unbinds", second, &pipe.SetStreamOutputTargets{Targets: []pipe.Handle{}, Offsets: []uint32{}, OutputPrim: pipe.Triangles}, 0, "set_stream_output_targets",
			[]string{"<arg name='num_targets'><uint>0</uint></arg>", "<arg name='tgs'><array></array></arg>", "<arg name='offsets'><array></array></arg>", "<arg name='output_prim'><uint>4</uint></arg>"}},
		{"a target that is destroyed", first, &pipe.DestroyStreamOutputTarget{Target: 0x55a5ebf1f000}, 0, "stream_output_target_destroy", []string{"<arg name='target'><ptr>0x55a5ebf1f000</ptr></arg>"}},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			tag, items := written(t, c.dialect, &pipe.Op{Context: 0x55a5ebf1e0f0, Call: c.call, Ret: pipe.Result{Known: true, Handle: c.ret}})
			require.Equal(t, "\t<call no='1' class='pipe_context' method='"+c.tag+"'>", tag)
			require.Equal(t, append([]string{object}, c.items...), items)
		})
	}
}

func output(t *testing.T, register, mask, buffer, offset, stream uint64) pipe.StreamOutput {
	o, err := pipe.PackMask(register, mask, buffer, offset, stream)
	require.NoError(t, err)
	return o
}

// TestWriteShader writes a shader that captures: its NIR as lines, its outputs
// with a hole as two.
func TestWriteShader(t *testing.T) {
	info, err := pipe.NewStreamOutputInfo([4]uint16{6}, output(t, 5, 0b1101, 0, 2, 1), pipe.StreamOutput(3|6<<2))
	require.NoError(t, err)
	const outputs = "<member name='stream_output'><struct name='pipe_stream_output_info'><member name='num_outputs'><uint>3</uint></member>" +
		"<member name='stride'><array><elem><uint>6</uint></elem><elem><uint>0</uint></elem><elem><uint>0</uint></elem><elem><uint>0</uint></elem></array></member>" +
		"<member name='output'><array>" +
		"<elem><struct name=''><member name='register_index'><uint>5</uint></member><member name='start_component'><uint>0</uint></member><member name='num_components'><uint>1</uint></member><member name='output_buffer'><uint>0</uint></member><member name='dst_offset'><uint>2</uint></member><member name='stream'><uint>1</uint></member></struct></elem>" +
		"<elem><struct name=''><member name='register_index'><uint>5</uint></member><member name='start_component'><uint>2</uint></member><member name='num_components'><uint>2</uint></member><member name='output_buffer'><uint>0</uint></member><member name='dst_offset'><uint>3</uint></member><member name='stream'><uint>1</uint></member></struct></elem>" +
		"<elem><struct name=''><member name='register_index'><uint>6</uint></member><member name='start_component'><uint>0</uint></member><member name='num_components'><uint>0</uint></member><member name='output_buffer'><uint>3</uint></member><member name='dst_offset'><uint>0</uint></member><member name='stream'><uint>0</uint></member></struct></elem>" +
		"</array></member></struct></member></struct></arg>"
	cases := []struct {
		why     string
		dialect trace.Dialect
		state   pipe.ShaderState
		want    string // up to the stream output
	}{
		{"NIR as it is", trace.Mesa22_3, pipe.ShaderState{Type: 2, NIR: []byte("a <b>\n&c\n")},
			"<uint>2</uint></member><member name='tokens'><null/></member><member name='ir'><string><![CDATA[a <b>\n&c\n]]></string></member>"},
		{"NIR has another number", trace.Mesa26_2, pipe.ShaderState{Type: 2, NIR: []byte("a\n")},
			"<uint>1</uint></member><member name='tokens'><null/></member><member name='ir'><string><![CDATA[a\n]]></string></member>"},
		{"no text at all: the number is believed", trace.Mesa26_2, pipe.ShaderState{Type: 3},
			"<uint>3</uint></member><member name='tokens'><null/></member><member name='ir'><null/></member>"},
		{"a label that would end the section", trace.Mesa25_0, pipe.ShaderState{Type: 2, NIR: []byte("x ]]> y\n")},
			"<uint>2</uint></member><member name='tokens'><null/></member><member name='ir'><string>x ]]&gt; y&#10;</string></member>"},
		{"what stands for NIR beyond the limit", trace.Mesa22_3, pipe.ShaderState{Type: 2, NIR: []byte("...")},
			"<uint>2</uint></member><member name='tokens'><null/></member><member name='ir'><string>...</string></member>"},
		{"TGSI on one line", trace.Mesa22_3, pipe.ShaderState{Tokens: []byte("VERT\n\"\xc3\xa9'\x7f\x1f~ ")},
			"<uint>0</uint></member><member name='tokens'><string>VERT&#10;&quot;&#195;&#169;&apos;&#127;&#31;~ </string></member><member name='ir'><null/></member>"},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			c.state.StreamOutput = info
			var out bytes.Buffer
			require.NoError(t, trace.NewWriter(&out, c.dialect).Write(&pipe.Op{Context: 0x55a5ebf1e0f0, Call: &pipe.CreateShader{Stage: pipe.Geometry, State: c.state}}, 0))
			require.Equal(t, header+"\t<call no='1' class='pipe_context' method='create_gs_state'>\n\t\t"+object+
				"\n\t\t<arg name='state'><struct name='pipe_shader_state'><member name='type'>"+c.want+outputs+
				"\n\t\t<ret><null/></ret>\n\t\t<time><int>0</int></time>\n\t</call>\n", out.String())
		})
	}
}

// TestWriteFloats spells numbers as printf's %g.
func TestWriteFloats(t *testing.T) {
	for want, v := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "0.1": 0.1, "255": 255, "1e+06": 1e6, "100000": 1e5, "999999": 999999, "1e+07": 9999999.9,
		"1.23457e-05": 0.0000123456789, "0.0001": 0.0001, "1e-05": 0.00001, "1.67772e+07": 16777217, "3.40282e+38": math.MaxFloat32,
		"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(), "-nan": math.Copysign(math.NaN(), -1), "1e+100": 1e100, "-2.5": -2.5,
	} {
		_, items := written(t, trace.Mesa22_3, &pipe.Op{Context: 1, Call: &pipe.Clear{Depth: v}})
		require.Equal(t, "<arg name='depth'><float>"+want+"</float></arg>", items[4])
	}
}

// TestWriteWithoutPlace writes calls that the dialect does not have, or not all
// of, in a form that reads back.
func TestWriteWithoutPlace(t *testing.T) {
	cases := []struct {
		why     string
		dialect trace.Dialect
		call    pipe.Call
		method  string
		item    string
	}{
		{"surfaces are gone", trace.Mesa26_2, &pipe.DestroySurface{Surface: 0x55a5ebf1f000}, "surface_destroy", "<arg name='surface'><ptr>0x55a5ebf1f000</ptr></arg>"},
		{"a release before there was one", trace.Mesa22_3, &pipe.ResourceRelease{Resource: 0x55a5ebf1f000}, "resource_release", "<arg name='resource'><ptr>0x55a5ebf1f000</ptr></arg>"},
		{"all vertex buffers, where the rest is said", trace.Mesa22_3, &pipe.SetVertexBuffers{All: true, Count: 2}, "set_vertex_buffers", "<arg name='unbind_num_trailing_slots'><uint>30</uint></arg>"},
		{"vertex buffers from a slot on, where the first are always set", trace.Mesa25_0, &pipe.SetVertexBuffers{Start: 1, Count: 1, Buffers: []pipe.VertexBuffer{{Offset: 4, Resource: 0xb00}}}, "set_vertex_buffers",
			"<arg name='num_buffers'><uint>2</uint></arg>\n<arg name='buffers'><array><elem><struct name='pipe_vertex_buffer'><member name='is_user_buffer'><bool>0</bool></member><member name='buffer_offset'><uint>0</uint></member><member name='buffer.resource'><null/></member></struct></elem>" +
				"<elem><struct name='pipe_vertex_buffer'><member name='is_user_buffer'><bool>0</bool></member><member name='buffer_offset'><uint>4</uint></member><member name='buffer.resource'><ptr>0x00000b00</ptr></member></struct></elem></array></arg>"},
		{"a combination of flags as a number", trace.Mesa22_3, &pipe.Map{Usage: pipe.MapWrite | pipe.MapDiscardRange}, "buffer_map", "<arg name='usage'><uint>10</uint></arg>"},
		{"a combination of flags without a name", trace.Mesa25_0, &pipe.Map{Usage: pipe.MapWrite | pipe.MapDiscardRange}, "buffer_map", "<arg name='usage'><enum>PIPE_MAP_FLAGS_UNKNOWN</enum></arg>"},
		{"the one combination with a name", trace.Mesa25_0, &pipe.Map{Texture: true, Usage: pipe.MapWrite | pipe.MapRead}, "texture_map", "<arg name='usage'><enum>PIPE_MAP_READ_WRITE</enum></arg>"},
		{"a query type of a driver", trace.Mesa22_3, &pipe.CreateQuery{Type: 256}, "create_query", "<arg name='query_type'><enum>&lt;invalid&gt;</enum></arg>"},
		{"no colour, where Mesa's tools can read it", trace.Mesa22_3, &pipe.Clear{}, "clear", "<arg name='color-&gt;ui'><null/></arg>"},
		{"the size of patches of a draw", trace.Mesa25_0, &pipe.Draw{Info: pipe.DrawInfo{VerticesPerPatch: 5}}, "draw_vbo", "<member name='vertices_per_patch'><uint>5</uint></member>"},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			tag, items := written(t, c.dialect, &pipe.Op{Context: 0x55a5ebf1e0f0, Call: c.call})
			require.Contains(t, tag, "method='"+c.method+"'")
			require.Contains(t, strings.Join(items, "\n"), c.item)
		})
	}
}

// TestWriteQueryResults writes results in the form of the query's type, which is
// known from its create.
func TestWriteQueryResults(t *testing.T) {
	for _, c := range []struct {
		kind  pipe.QueryType
		value pipe.QueryValue
		want  string
	}{
		{pipe.QueryPrimitivesEmitted, pipe.QueryValue{Known: true, Value: 3}, "<uint>3</uint>"},
		{pipe.QueryStreamOutputOverflow, pipe.QueryValue{Known: true, Value: 1}, "<bool>1</bool>"},
		{pipe.QueryStreamOutputOverflowAny, pipe.QueryValue{Known: true}, "<bool>0</bool>"},
		{pipe.QueryStreamOutputStatistics, pipe.QueryValue{Known: true, Value: 3, Needed: 5},
			"<struct name='pipe_query_data_so_statistics'><member name='num_primitives_written'><uint>3</uint></member><member name='primitives_storage_needed'><uint>5</uint></member></struct>"},
		{pipe.QueryPipelineStatistics, pipe.QueryValue{Known: true, Composite: true}, "<null/>"},
		{pipe.QueryTimeElapsed, pipe.QueryValue{}, "<null/>"},
	} {
		var out bytes.Buffer
		w := trace.NewWriter(&out, trace.Mesa22_3)
		require.NoError(t, w.Write(&pipe.Op{Context: 1, Call: &pipe.CreateQuery{Type: c.kind}, Ret: pipe.Result{Handle: 9}}, 0))
		require.NoError(t, w.Write(&pipe.Op{Context: 1, Call: &pipe.GetQueryResult{Query: 9}, Ret: pipe.Result{Known: true, Value: 1, Query: c.value}}, 0))
		require.Contains(t, out.String(), "<arg name='result'>"+c.want+"</arg>\n\t\t<ret><bool>1</bool></ret>", c.kind)
	}
}

// TestWriteMisfits keeps what the type of a call cannot hold.
func TestWriteMisfits(t *testing.T) {
	const wide = "<arg name='buffer_size'><uint>99999999999</uint></arg>"
	text := header + call(1, "pipe_context", "create_stream_output_target", object,
		"<arg name='res'><ptr>0x00000b00</ptr></arg>", "<arg name='buffer_offset'><uint>4</uint></arg>", wide, "<ret><ptr>0x00000c00</ptr></ret>") +
		strings.Replace(strings.Replace(createVS(2, "x"), "<uint>5</uint>", "<uint>300</uint>", 1), "num_outputs'><uint>1<", "num_outputs'><uint>3203391149<", 1) + "</trace>\n"
	require.Contains(t, text, "3203391149")
	var out bytes.Buffer
	r := trace.NewRecorder(&out, trace.RecordOptions{Clock: func() time.Time { return time.Time{} }})
	require.NoError(t, replayText(t, text, r.Layer(&pipe.Null{}), trace.ReplayOptions{}))
	require.NoError(t, r.Close())
	require.Contains(t, out.String(), wide)
	require.Contains(t, out.String(), "<member name='num_outputs'><uint>3203391149</uint></member>")
	require.Contains(t, out.String(), "<member name='register_index'><uint>300</uint></member>")
}

func TestDialectNames(t *testing.T) {
	for d := trace.Mesa22_3; d <= trace.Mesa26_2; d++ {
		got, ok := trace.ParseDialect(d.String())
		require.True(t, ok)
		require.Equal(t, d, got)
	}
	_, ok := trace.ParseDialect("23.3")
	require.False(t, ok, "nobody has seen how it writes")
	require.Equal(t, "Dialect(9)", trace.Dialect(9).String())
}

// TestWriterAlone writes an empty trace, and stops at the first error.
func TestWriterAlone(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, trace.NewWriter(&out, trace.Mesa22_3).Close())
	require.Equal(t, header+"</trace>\n", out.String())
	w := trace.NewWriter(full{}, trace.Mesa22_3)
	require.ErrorIs(t, w.Write(&pipe.Op{Call: &pipe.ScreenCreate{}}, 0), errFull)
	require.ErrorIs(t, w.Close(), errFull)
}
