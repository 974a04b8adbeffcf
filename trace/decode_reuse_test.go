package trace

import (
	"iter"
	"maps"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// removable is what a call can be without: an argument that stands in a line, a
// member or an element that holds no other.
var removable = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^\t\t<(arg|ret).*</(arg|ret)>\n`),
	regexp.MustCompile(`<member name='[^']*'>(<null/>|<\w+>[^<]*</\w+>)</member>`),
	regexp.MustCompile(`<elem>(<null/>|<\w+>[^<]*</\w+>)</elem>`),
}

// TestDecodeLeavesNothing decodes a full call, then the same one with something
// left out, and wants what the second is alone: nothing may be left over.
func TestDecodeLeavesNothing(t *testing.T) {
	for _, full := range fullCalls(t) {
		for less := range without(full) {
			pair := records(t, full+less)
			require.Len(t, pair, 2)
			if pair[1].Kind != CallRecord {
				continue
			}
			var d Decoder
			var op, alone pipe.Op
			require.True(t, d.Decode(&pair[0], &op))
			fresh := Decoder{dialect: d.dialect}
			fresh.dialect.index, fresh.dialect.buffers = maps.Clone(d.dialect.index), maps.Clone(d.dialect.buffers)
			require.True(t, d.Decode(&pair[1], &op))
			require.True(t, fresh.Decode(&pair[1], &alone))
			requireSameOp(t, &alone, &op)
			require.Equal(t, alone.Raw.StreamOutput == nil, op.Raw.StreamOutput == nil, less)
		}
	}
}

// without yields a call with one thing left out, for each that can be.
func without(full string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, kind := range removable {
			for _, at := range kind.FindAllStringIndex(full, -1) {
				if !yield(full[:at[0]] + full[at[1]:]) {
					return
				}
			}
		}
	}
}

// fullCalls returns some calls of each method: recorded ones, and more that hold
// what those seldom do.
func fullCalls(t *testing.T) []string {
	list := []string{
		call("1", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("index_size 2 has_user_indices 1 mode 4 start_instance 1 instance_count 2 min_index 3 max_index 4 restart_index 9999999999"),
			member("primitive_restart", yes), member("index.resource", pointer("1d")))), arg("drawid_offset", signed10("1")),
			arg("indirect", object("pipe_draw_indirect_info", numbers("offset 16 stride 20 draw_count 3 indirect_draw_count_offset 4"), member("buffer", pointer("b")),
				member("indirect_draw_count", pointer("c")), member("count_from_stream_output", pointer("d")))),
			arg("draws", array(object("pipe_draw_start_count_bias", numbers("start 1 count 2"), member("index_bias", signed10("3"))))), arg("num_draws", number10("1"))),
		call("1", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("index_size 2 mode 4 start 1 count 3"), member("index_bias", signed10("3")), member("count_from_stream_output", pointer("d")),
			numbers("indirect->offset 8 indirect->stride 16 indirect->draw_count 2 indirect->indirect_draw_count_offset 4"), member("indirect->buffer", pointer("b")), member("indirect->indirect_draw_count", pointer("c"))))),
		call("1", "clear", argPipe, arg("buffers", number10("4")), arg("color_clear_mask", number10("15")), arg("stencil_clear_mask", number10("255")),
			arg("scissor_state", object("pipe_scissor_state", numbers("minx 1 miny 2 maxx 3 maxy 4"))), arg("color-&gt;ui", uints("1", "2", "3", "4")), arg("depth", "<float>1</float>"), arg("stencil", number10("3"))),
		call("1", "set_vertex_buffers", argPipe, arg("start_slot", number10("2")), arg("num_buffers", number10("1")), arg("unbind_num_trailing_slots", number10("3")), arg("take_ownership", yes),
			arg("buffers", array(object("pipe_vertex_buffer", numbers("stride 12"), member("is_user_buffer", yes), numbers("buffer_offset 4"), member("buffer.resource", pointer("b")))))),
		call("1", "set_constant_buffer", argPipe, arg("shader", name("MESA_SHADER_FRAGMENT")), arg("index", number10("1")), arg("take_ownership", yes),
			arg("constant_buffer", object("pipe_constant_buffer", member("buffer", pointer("b")), numbers("buffer_offset 4 buffer_size 64")))),
		call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("2")), arg("tgs", array(pointer("a"), pointer("b"))), arg("offsets", uints("16", "99999999999")), arg("output_prim", number10("4"))),
		call("1", "buffer_subdata", argContext, arg("resource", pointer("b")), arg("usage", number10("2")), arg("offset", number10("16")), arg("size", number10("4")), arg("data", "<bytes>01020304</bytes>"),
			arg("stride", number10("1")), arg("layer_stride", number10("2"))),
		call("1", "bind_rasterizer_state", argPipe, arg("he-&gt;data", object("pipe_rasterizer_state", member("rasterizer_discard", yes), numbers("cull_face 300")))),
		call("1", "set_framebuffer_state", argPipe, arg("state", object("pipe_framebuffer_state", numbers("width 8 height 9 samples 4 layers 1 nr_cbufs 1"), member("pls_enabled", yes),
			member("cbufs", array(object("pipe_surface", member("texture", pointer("b")), numbers("level 1 first_layer 2 last_layer 3")))),
			member("zsbuf", object("pipe_surface", member("texture", pointer("b"))))))),
		call("1", "set_shader_images", argContext, arg("shader", number10("0")), arg("start", number10("1")), arg("images", array(
			object("pipe_image_view", member("resource", pointer("b")), numbers("access 3"), member("u", object("", member("buf", object("", numbers("offset 4 size 8")))))))),
			arg("unbind_num_trailing_slots", number10("2"))),
		shaderState(infoOf(numbers("num_outputs 1"), member("stride", uints("4", "5", "6", "7")), member("output", array(
			object("", numbers("register_index 300 start_component 1 num_components 2 output_buffer 3 dst_offset 4 stream 1")))))),
		shaderState(infoOf(numbers("num_outputs 1 stride 48"), array(masked("1", "3", "1")))),
		call("1", "create_gs_state", argPipe, arg("state", object("pipe_shader_state", numbers("type 2"), member("tokens", "<string>A&#10;</string>"), member("ir", "<string>B&#10;</string>"))), retPtr),
		call("1", "get_query_result", argPipe, arg("query", pointer("9")), arg("wait", yes),
			arg("result", object("pipe_query_data_so_statistics", numbers("num_primitives_written 3 primitives_storage_needed 5"))), "<ret><bool>1</bool></ret>"),
		call("1", "get_name", argScreen, "<ret><string>x</string></ret>"),
	}
	count := make(map[string]int)
	all, release := decoded(t, filepath.FromSlash("../testdata/traces/queries.llvmpipe.xml.gz"))
	defer release()
	for _, rec := range all {
		if rec.Kind == CallRecord && len(rec.Raw) < 4<<10 && count[rec.Method] < 2 {
			count[rec.Method]++
			list = append(list, "\t"+string(rec.Raw)+"\n")
		}
	}
	return list
}
