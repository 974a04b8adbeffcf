package dump

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

const debugFile = "Device name: llvmpipe\n\n" +
	"\x1b[1;33mdraw_info: \x1b[0m{index_size = 0, has_user_indices = 0, mode = points, start_instance = 0, instance_count = 1, min_index = 0, max_index = 3, primitive_restart = 0, }\n" +
	"\x1b[1;33mnum stream output targets\x1b[0m = 1\n" +
	"\x1b[1;33mstream_output_target 0: \x1b[0m{buffer = 0x5590, buffer_offset = 16, buffer_size = 64, }\n" +
	"  offset = -1\n\n" +
	"\x1b[1;32mbegin shader: VERTEX\x1b[0m\n" +
	"\x1b[1;33mshader_state: \x1b[0m{tokens = \"\nVERT\nIMM[0] FLT32 {    0.0000,     0.0000,     0.0000,     1.0000}\n  0: END\n\", stream_output = {num_outputs = 1, {4, 0, 0, 0, }{{register_index = 1, start_component = 0, num_components = 4, output_buffer = 0, }, }}, }\n" +
	"\x1b[1;32mend shader: VERTEX\x1b[0m\n\n"

func TestParseDebug(t *testing.T) {
	items, err := ParseDebug([]byte(debugFile))
	require.NoError(t, err)
	require.Len(t, items, 6)
	draw, err := ParseUtilText[pipe.DrawInfo]([]byte(items[1].Text))
	require.NoError(t, err)
	require.Equal(t, pipe.DrawInfo{InstanceCount: 1, MaxIndex: 3}, draw)
	require.Equal(t, DebugItem{Name: "num stream output targets", Index: -1, Equals: true, Text: "1"}, items[2])
	target, err := ParseUtilText[pipe.CreateStreamOutputTarget]([]byte(items[3].Text))
	require.NoError(t, err)
	require.Equal(t, 0, items[3].Index)
	require.Equal(t, pipe.CreateStreamOutputTarget{Resource: 0x5590, BufferOffset: 16, BufferSize: 64}, target)
	require.Equal(t, DebugItem{Name: "offset", Index: -1, Of: true, Equals: true, Text: "-1"}, items[4])
	shader, err := ParseUtilText[pipe.ShaderState]([]byte(items[5].Text))
	require.NoError(t, err)
	require.Equal(t, "VERTEX", items[5].Shader)
	require.EqualValues(t, 1, shader.StreamOutput.NumOutputs)
	require.Contains(t, string(shader.Tokens), "1.0000}\n  0: END\n")

	again, err := ParseDebug(AppendDebug(nil, items))
	require.NoError(t, err)
	require.Equal(t, items, again)
}

func TestParseDebugOfACutFile(t *testing.T) {
	_, err := ParseDebug([]byte("shader_state: {tokens = \"\nVERT\n"))
	require.EqualError(t, err, "line 1: the text in quotes does not end")
}
