package trace

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// drawTest gives the calls, of which the last is the draw.
type drawTest struct {
	name  string
	calls []string
	want  pipe.Draw
}

func draw(items ...string) []string {
	return []string{call("1", "draw_vbo", append([]string{argPipe}, items...)...)}
}

func TestDecodeDraws(t *testing.T) {
	info := arg("info", object("pipe_draw_info", numbers("index_size 2 has_user_indices 1 mode 4 start_instance 1 instance_count 2 min_index 3 max_index 4"),
		member("primitive_restart", "<bool>1</bool>"), numbers("restart_index 65535"), member("index.resource", pointer("1d"))))
	infoWant := pipe.DrawInfo{IndexSize: 2, HasUserIndices: true, Mode: pipe.Triangles, StartInstance: 1, InstanceCount: 2,
		MinIndex: 3, MaxIndex: 4, PrimitiveRestart: true, RestartIndex: 65535, Index: 0x1d}
	indirect := func(buffer, count, target string) string {
		return arg("indirect", object("pipe_draw_indirect_info", numbers("offset 16 stride 20 draw_count 3 indirect_draw_count_offset 4"),
			member("buffer", buffer), member("indirect_draw_count", count), member("count_from_stream_output", target)))
	}
	rangeOf := func(start, count, bias string) string {
		return object("pipe_draw_start_count_bias", numbers("start "+start+" count "+count), member("index_bias", signed10(bias)))
	}
	for _, test := range []drawTest{
		{"Mesa 21.2 and later, two ranges", draw(info, arg("drawid_offset", signed10("5")), arg("indirect", "<null/>"),
			arg("draws", array(rangeOf("0", "3", "-7"), rangeOf("6", "9", "0"))), arg("num_draws", number10("2"))),
			pipe.Draw{Info: infoWant, DrawIDOffset: 5, Draws: []pipe.DrawRange{{Count: 3, IndexBias: -7, HasIndexBias: true}, {Start: 6, Count: 9, HasIndexBias: true}}, NumDraws: 2}},
		{"Mesa 26 without index_bias", draw(info, arg("drawid_offset", signed10("0")), arg("indirect", "<null/>"),
			arg("draws", array(object("pipe_draw_start_count_bias", numbers("start 1 count 3")))), arg("num_draws", number10("1"))),
			pipe.Draw{Info: infoWant, Draws: []pipe.DrawRange{{Start: 1, Count: 3}}, NumDraws: 1}},
		{"as many vertices as were captured", draw(info, arg("drawid_offset", signed10("0")), indirect("<null/>", "<null/>", pointer("7a")),
			arg("draws", array(rangeOf("0", "0", "0"))), arg("num_draws", number10("1"))),
			pipe.Draw{Info: infoWant, Indirect: &pipe.DrawIndirect{Offset: 16, Stride: 20, DrawCount: 3, CountOffset: 4, CountFromStreamOutput: 0x7a},
				Draws: []pipe.DrawRange{{HasIndexBias: true}}, NumDraws: 1}},
		{"from a buffer", draw(info, arg("drawid_offset", signed10("0")), indirect(pointer("b"), pointer("c"), "<null/>"),
			arg("draws", array()), arg("num_draws", number10("0"))),
			pipe.Draw{Info: infoWant, Indirect: &pipe.DrawIndirect{Offset: 16, Stride: 20, DrawCount: 3, CountOffset: 4, Buffer: 0xb, Count: 0xc},
				Draws: []pipe.DrawRange{}}},
		{"Mesa 21.1: one bias for all", draw(arg("info", object("pipe_draw_info", numbers("index_size 4 mode 0 vertices_per_patch 3"), member("index_bias", signed10("-2")))),
			arg("indirect", "<null/>"), arg("draws", array(object("pipe_draw_start_count", numbers("start 1 count 2")), object("pipe_draw_start_count", numbers("start 3 count 4")))),
			arg("num_draws", number10("2"))),
			pipe.Draw{Info: pipe.DrawInfo{IndexSize: 4, VerticesPerPatch: 3}, Draws: []pipe.DrawRange{{Start: 1, Count: 2, IndexBias: -2, HasIndexBias: true}, {Start: 3, Count: 4, IndexBias: -2, HasIndexBias: true}}, NumDraws: 2}},
		{"Mesa 21.0: the ranges have no name", draw(arg("info", object("pipe_draw_info", numbers("mode 1"))), arg("indirect", "<null/>"),
			array(object("pipe_draw_start_count", numbers("start 1 count 2"))), arg("num_draws", number10("1"))),
			pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Lines}, Draws: []pipe.DrawRange{{Start: 1, Count: 2}}, NumDraws: 1}},
		{"Mesa 20: the range in info", draw(arg("info", object("pipe_draw_info", numbers("index_size 0 mode 14 start 2 count 6 instance_count 1 vertices_per_patch 3"),
			member("index_bias", signed10("0")), member("index.resource", "<null/>"), member("count_from_stream_output", "<null/>"), member("indirect", "<null/>")))),
			pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Patches, InstanceCount: 1, VerticesPerPatch: 3}, Draws: []pipe.DrawRange{{Start: 2, Count: 6, HasIndexBias: true}}, NumDraws: 1}},
		{"Mesa 17.2 to 20: indirect members in info", draw(arg("info", object("pipe_draw_info", numbers("index_size 0 mode 4 start 0 count 0"),
			member("count_from_stream_output", "<null/>"), numbers("indirect->offset 8 indirect->stride 16 indirect->draw_count 2 indirect->indirect_draw_count_offset 4"),
			member("indirect->buffer", pointer("b")), member("indirect->indirect_draw_count", pointer("c"))))),
			pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles}, Indirect: &pipe.DrawIndirect{Offset: 8, Stride: 16, DrawCount: 2, CountOffset: 4, Buffer: 0xb, Count: 0xc},
				Draws: []pipe.DrawRange{{HasIndexBias: true}}, NumDraws: 1}},
		{"Mesa 10.3 to 17.1: an indirect buffer", draw(arg("info", object("pipe_draw_info", member("indexed", "<bool>0</bool>"), numbers("mode 4 start 0 count 0"),
			member("count_from_stream_output", "<null/>"), member("indirect", pointer("b")), numbers("indirect_offset 32")))),
			pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles}, Indirect: &pipe.DrawIndirect{Offset: 32, DrawCount: 1, Buffer: 0xb},
				Draws: []pipe.DrawRange{{HasIndexBias: true}}, NumDraws: 1}},
		{"Mesa 7.12: as many as were captured", draw(arg("info", object("pipe_draw_info", member("indexed", "<bool>0</bool>"), numbers("mode 0 start 0 count 0 instance_count 1 max_index 4294967295"),
			member("count_from_stream_output", pointer("7a"))))),
			pipe.Draw{Info: pipe.DrawInfo{InstanceCount: 1, MaxIndex: math.MaxUint32}, Indirect: &pipe.DrawIndirect{CountFromStreamOutput: 0x7a},
				Draws: []pipe.DrawRange{{HasIndexBias: true}}, NumDraws: 1}},
		{"up to Mesa 17.1 the index buffer is set before", []string{
			call("1", "set_index_buffer", argPipe, arg("ib", object("pipe_index_buffer", numbers("index_size 2 offset 12"), member("buffer", pointer("1b"))))),
			call("2", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", member("indexed", "<bool>1</bool>"), numbers("mode 4 start 1 count 3"))))},
			pipe.Draw{Info: pipe.DrawInfo{IndexSize: 2, Mode: pipe.Triangles, Index: 0x1b}, Draws: []pipe.DrawRange{{Start: 7, Count: 3, HasIndexBias: true}}, NumDraws: 1}},
		{"an index buffer in application memory", []string{
			call("1", "set_index_buffer", argPipe, arg("ib", object("pipe_index_buffer", numbers("index_size 4 offset 0"), member("buffer", "<null/>"), member("user_buffer", pointer("aa"))))),
			call("2", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", member("indexed", "<bool>1</bool>"), numbers("mode 4 start 1 count 3"))))},
			pipe.Draw{Info: pipe.DrawInfo{IndexSize: 4, HasUserIndices: true, Mode: pipe.Triangles, Index: 0xaa}, Draws: []pipe.DrawRange{{Start: 1, Count: 3, HasIndexBias: true}}, NumDraws: 1}},
		{"the index buffer of another context", []string{
			call("1", "set_index_buffer", arg("pipe", pointer("1")), arg("ib", object("pipe_index_buffer", numbers("index_size 2 offset 0"), member("buffer", pointer("1b"))))),
			call("2", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", member("indexed", "<bool>1</bool>"), numbers("mode 4 start 1 count 3"))))},
			pipe.Draw{Info: pipe.DrawInfo{IndexSize: 4, Mode: pipe.Triangles}, Draws: []pipe.DrawRange{{Start: 1, Count: 3, HasIndexBias: true}}, NumDraws: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, &test.want, decodeLast(t, test.calls...).Call)
		})
	}
}

// TestDecodeDrawAlone is not given what an indirect draw before had.
func TestDecodeDrawAlone(t *testing.T) {
	op := decodeLast(t, append(draw(arg("info", object("pipe_draw_info", numbers("mode 4 start 0 count 0 indirect->offset 8 indirect->stride 16 indirect->draw_count 2"),
		member("indirect->buffer", pointer("b")), member("indirect->indirect_draw_count", pointer("c"))))),
		draw(arg("info", object("pipe_draw_info", numbers("mode 4 start 0 count 0"), member("indirect", pointer("b")))))...)...)
	require.Equal(t, &pipe.DrawIndirect{DrawCount: 1, Buffer: 0xb}, op.Call.(*pipe.Draw).Indirect)
}

func TestDecodeTargets(t *testing.T) {
	two := arg("tgs", array(pointer("a"), "<null/>"))
	for _, test := range []struct {
		name, call string
		want       pipe.SetStreamOutputTargets
	}{
		{"offsets, since Mesa 10.2", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("2")), two, arg("offsets", uints("16", "4294967295"))),
			pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0xa, 0}, Offsets: []uint32{16, pipe.AppendOffset}, OutputPrim: pipe.PrimitiveUnknown}},
		{"to append, in 64 bits", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("1")), two, arg("offsets", array(number10("18446744073709551615"), signed10("-1")))),
			pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa, 0}, Offsets: []uint32{pipe.AppendOffset, pipe.AppendOffset}, OutputPrim: pipe.PrimitiveUnknown}},
		{"what is captured, since Mesa 25", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("2")), two, arg("offsets", uints("0", "0")), arg("output_prim", number10("4"))),
			pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0xa, 0}, Offsets: []uint32{0, 0}, OutputPrim: pipe.Triangles}},
		{"a mask, up to Mesa 10.1", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("2")), two, arg("append_bitmask", number10("2"))),
			pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0xa, 0}, Offsets: []uint32{0, pipe.AppendOffset}, OutputPrim: pipe.PrimitiveUnknown}},
		{"unbinding with NULL", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("0")), arg("tgs", "<null/>"), arg("offsets", "<null/>")),
			pipe.SetStreamOutputTargets{OutputPrim: pipe.PrimitiveUnknown}},
		{"unbinding with nothing", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("0")), arg("tgs", array()), arg("offsets", array())),
			pipe.SetStreamOutputTargets{Targets: []pipe.Handle{}, Offsets: []uint32{}, OutputPrim: pipe.PrimitiveUnknown}},
		{"a wild count is no allocation", call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("4294967295")), two, arg("offsets", array())),
			pipe.SetStreamOutputTargets{NumTargets: math.MaxUint32, Targets: []pipe.Handle{0xa, 0}, Offsets: []uint32{}, OutputPrim: pipe.PrimitiveUnknown}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, &test.want, decodeLast(t, test.call).Call)
		})
	}
	op := decodeLast(t, call("1", "create_stream_output_target", argPipe, arg("res", pointer("a")), arg("buffer_offset", number10("4")), arg("buffer_size", number10("8"))))
	require.Equal(t, &pipe.CreateStreamOutputTarget{Resource: 0xa, BufferOffset: 4, BufferSize: 8}, op.Call)
	require.False(t, op.Ret.Known, "up to Mesa 9.1 the target is not said")
}

func TestDecodeClear(t *testing.T) {
	bits := [4]uint32{0, 1, math.Float32bits(0.5), math.MaxUint32}
	bitsText := uints("0", "1", "1056964608", "4294967295")
	half := [4]uint32{math.Float32bits(0.5), math.Float32bits(0.5), 0, math.Float32bits(1)}
	halfText := array("<float>0.5</float>", "<float>0,5</float>", "<float>0</float>", "<float>1</float>")
	scissor := object("pipe_scissor_state", numbers("minx 1 miny 2 maxx 3 maxy 4"))
	end := []string{arg("depth", "<float>1</float>"), arg("stencil", number10("3"))}
	clear := func(items ...string) string {
		return call("1", "clear", append(append([]string{argPipe, arg("buffers", number10("4"))}, items...), end...)...)
	}
	for _, test := range []struct {
		name, call string
		want       pipe.Clear
	}{
		{"bits, since Mesa 22.1", clear(arg("scissor_state", scissor), arg("color-&gt;ui", bitsText)),
			pipe.Clear{Buffers: 4, Scissor: &pipe.Scissor{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}, Color: &bits, Depth: 1, Stencil: 3}},
		{"masks, since Mesa 26", clear(arg("color_clear_mask", number10("15")), arg("stencil_clear_mask", number10("255")), arg("scissor_state", "<null/>"), arg("color-&gt;ui", bitsText)),
			pipe.Clear{Buffers: 4, ColorClearMask: 15, StencilClearMask: 255, Color: &bits, Depth: 1, Stencil: 3}},
		{"floats before that", clear(arg("scissor_state", "<null/>"), arg("color", halfText)), pipe.Clear{Buffers: 4, Color: &half, Depth: 1, Stencil: 3}},
		{"floats of Mesa 7.12", clear(arg("color-&gt;f", halfText)), pipe.Clear{Buffers: 4, Color: &half, Depth: 1, Stencil: 3}},
		{"NULL without a name", clear("<null/>"), pipe.Clear{Buffers: 4, Depth: 1, Stencil: 3}},
		{"NULL", clear(arg("color", "<null/>")), pipe.Clear{Buffers: 4, Depth: 1, Stencil: 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, &test.want, decodeLast(t, test.call).Call)
		})
	}
}

func TestDecodeQueries(t *testing.T) {
	resultOf := func(result, ret string) string {
		return call("1", "get_query_result", argPipe, arg("query", pointer("9")), arg("wait", "<bool>1</bool>"), arg("result", result), "<ret><bool>"+ret+"</bool></ret>")
	}
	for _, test := range []struct {
		name, call string
		want       pipe.Call
		query      pipe.QueryValue
	}{
		{"a type by name", call("1", "create_query", argPipe, arg("query_type", name("PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE")), arg("index", signed10("2"))),
			&pipe.CreateQuery{Type: pipe.QueryStreamOutputOverflowAny, Index: 2}, pipe.QueryValue{}},
		{"a type without a name", call("1", "create_query", argPipe, arg("query_type", name("&lt;invalid&gt;")), arg("index", signed10("0"))),
			&pipe.CreateQuery{Type: pipe.QueryInvalid}, pipe.QueryValue{}},
		{"a type that nobody knows yet", call("1", "create_query", argPipe, arg("query_type", name("PIPE_QUERY_NEW"))),
			&pipe.CreateQuery{Type: pipe.QueryInvalid}, pipe.QueryValue{}},
		{"the numbers of Mesa before 10.1 are another table", call("1", "create_query", argPipe, arg("query_type", number10("6"))),
			&pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted}, pipe.QueryValue{}},
		{"its last number", call("1", "create_query", argPipe, arg("query_type", number10("10"))),
			&pipe.CreateQuery{Type: pipe.QueryPipelineStatistics}, pipe.QueryValue{}},
		{"a number of the driver", call("1", "create_query", argPipe, arg("query_type", number10("256"))),
			&pipe.CreateQuery{Type: pipe.QueryInvalid}, pipe.QueryValue{}},
		{"a count", resultOf(number10("42"), "1"), &pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{Known: true, Value: 42}},
		{"a predicate", resultOf("<bool>1</bool>", "1"), &pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{Known: true, Value: 1}},
		{"statistics of stream output", resultOf(object("pipe_query_data_so_statistics", numbers("num_primitives_written 3 primitives_storage_needed 5")), "1"),
			&pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{Known: true, Value: 3, Needed: 5}},
		{"other statistics", resultOf(object("pipe_query_data_timestamp_disjoint", numbers("frequency 3")), "1"),
			&pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{Known: true, Composite: true}},
		{"not there yet", resultOf("<null/>", "0"), &pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{}},
		{"garbage beside a no", resultOf(number10("42"), "0"), &pipe.GetQueryResult{Query: 9, Wait: true}, pipe.QueryValue{}},
		{"into a buffer, to wait, misnamed", call("1", "get_query_result_resource", argPipe, arg("query", pointer("9")), arg("flags", name("PIPE_QUERY_OCCLUSION_PREDICATE")),
			arg("result_type", number10("2")), arg("index", number10("4294967295")), arg("resource", pointer("a")), arg("offset", number10("8"))),
			&pipe.GetQueryResultResource{Query: 9, Flags: 1, ResultType: 2, Index: -1, Resource: 0xa, Offset: 8}, pipe.QueryValue{}},
		{"into a buffer, Mesa 22.0", call("1", "get_query_result_resource", argPipe, arg("query", pointer("9")), arg("wait", "<bool>1</bool>"),
			arg("result_type", number10("0")), arg("index", signed10("0")), arg("resource", pointer("a")), arg("offset", number10("0"))),
			&pipe.GetQueryResultResource{Query: 9, Flags: 1, Resource: 0xa}, pipe.QueryValue{}},
		{"a condition", call("1", "render_condition", argContext, arg("query", "<null/>"), arg("condition", "<bool>1</bool>"), arg("mode", number10("2"))),
			&pipe.RenderCondition{Condition: true, Mode: 2}, pipe.QueryValue{}},
		{"a condition, Mesa 7.12", call("1", "render_condition", argContext, arg("query", pointer("9")), arg("mode", number10("2"))),
			&pipe.RenderCondition{Query: 9, Mode: 2}, pipe.QueryValue{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, test.call)
			require.Equal(t, test.want, op.Call)
			require.Equal(t, test.query, op.Ret.Query)
		})
	}
}
