package trace

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

func shaderState(streamOutput string) string {
	return call("1", "create_vs_state", argPipe, arg("state",
		object("pipe_shader_state", member("tokens", "<null/>"), member("stream_output", streamOutput))), retPtr)
}

func infoOf(members ...string) string { return object("pipe_stream_output_info", members...) }

func word(t *testing.T, register, start, num, buffer, offset, stream uint64) pipe.StreamOutput {
	w, err := pipe.OutputNumbers{RegisterIndex: register, StartComponent: start, NumComponents: num,
		OutputBuffer: buffer, DstOffset: offset, Stream: stream}.Pack()
	require.NoError(t, err)
	return w
}

func maskWord(t *testing.T, register, mask, buffer, offset uint64) pipe.StreamOutput {
	w, err := pipe.PackMask(register, mask, buffer, offset, 0)
	require.NoError(t, err)
	return w
}

func masked(register, mask, buffer string) string {
	return object("", numbers("register_index "+register+" register_mask "+mask+" output_buffer "+buffer))
}

func TestDecodeStreamOutputForms(t *testing.T) {
	for _, test := range []struct {
		name, info string
		stride     [4]uint16
		output     []pipe.StreamOutput
	}{
		{"named arrays and streams, since Mesa 10.3",
			infoOf(numbers("num_outputs 2"), member("stride", uints("8", "0", "3", "0")), member("output", array(
				object("", numbers("register_index 32 start_component 1 num_components 3 output_buffer 2 dst_offset 0 stream 3")),
				object("", numbers("register_index 1 start_component 0 num_components 4 output_buffer 0 dst_offset 4 stream 0"))))),
			[4]uint16{8, 0, 3, 0}, []pipe.StreamOutput{word(t, 32, 1, 3, 2, 0, 3), word(t, 1, 0, 4, 0, 4, 0)}},
		{"no stream member, Mesa 9.0 to 10.2",
			infoOf(numbers("num_outputs 1"), member("stride", uints("4", "0", "0", "0")), member("output", array(
				object("", numbers("register_index 1 start_component 0 num_components 4 output_buffer 0 dst_offset 0"))))),
			[4]uint16{4}, []pipe.StreamOutput{word(t, 1, 0, 4, 0, 0, 0)}},
		{"bare arrays, Mesa 8",
			infoOf(numbers("num_outputs 1"), uints("4", "0", "0", "0"), array(
				object("", numbers("register_index 1 start_component 2 num_components 2 output_buffer 0 dst_offset 1")))),
			[4]uint16{4}, []pipe.StreamOutput{word(t, 1, 2, 2, 0, 1, 0)}},
		{"bare arrays, none captured",
			infoOf(numbers("num_outputs 0"), uints("0", "0", "0", "0"), array()), [4]uint16{}, nil},
		{"masks, Mesa 7.12: dense in order, the stride in bytes",
			infoOf(numbers("num_outputs 3 stride 48"), array(masked("0", "15", "0"), masked("3", "7", "0"), masked("4", "5", "0"))),
			[4]uint16{12}, []pipe.StreamOutput{maskWord(t, 0, 15, 0, 0), maskWord(t, 3, 7, 0, 4), maskWord(t, 4, 5, 0, 7)}},
		{"masks, no stride: as long as the outputs",
			infoOf(numbers("num_outputs 2 stride 0"), array(masked("0", "15", "0"), masked("1", "3", "0"))),
			[4]uint16{6}, []pipe.StreamOutput{maskWord(t, 0, 15, 0, 0), maskWord(t, 1, 3, 0, 4)}},
		{"masks, a stride that only dwords make sense of",
			infoOf(numbers("num_outputs 1 stride 4"), array(masked("0", "15", "0"))),
			[4]uint16{4}, []pipe.StreamOutput{maskWord(t, 0, 15, 0, 0)}},
		{"masks, several buffers: the stride does not count",
			infoOf(numbers("num_outputs 2 stride 99"), array(masked("0", "15", "0"), masked("1", "1", "2"))),
			[4]uint16{4, 0, 1}, []pipe.StreamOutput{maskWord(t, 0, 15, 0, 0), maskWord(t, 1, 1, 2, 0)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, shaderState(test.info))
			want, err := pipe.NewStreamOutputInfo(test.stride, test.output...)
			require.NoError(t, err)
			got := op.Call.(*pipe.CreateShader).State.StreamOutput
			require.Equal(t, want, got)
			require.Nil(t, op.Raw.StreamOutput, "the packed info says it all")
		})
	}
}

// TestDecodeStreamOutputThatDoesNotFit keeps what is written where the packed
// info cannot hold it.
func TestDecodeStreamOutputThatDoesNotFit(t *testing.T) {
	output := func(pairs string) string { return object("", numbers(pairs)) }
	plain := "register_index 1 start_component 0 num_components 4 output_buffer 0 dst_offset 0 stream 0"
	many := make([]string, 130)
	for i := range many {
		many[i] = output(plain)
	}
	for _, test := range []struct {
		name, info string
		numOutputs uint64
		output     int
		packed     uint32
		check      func(*pipe.StreamOutputNumbers) uint64
		value      uint64
	}{
		{"a wild count is no allocation", infoOf(numbers("num_outputs 3203391149"), member("stride", uints("4")), member("output", array(output(plain)))),
			3203391149, 1, 1, nil, 0},
		{"fewer outputs than counted", infoOf(numbers("num_outputs 2"), member("stride", uints("4")), member("output", array(output(plain)))),
			2, 1, 1, nil, 0},
		{"more outputs than there can be", infoOf(numbers("num_outputs 130"), member("stride", uints("4")), member("output", array(many...))),
			130, 130, 128, nil, 0},
		{"register 300", infoOf(numbers("num_outputs 1"), member("stride", uints("4")), member("output", array(output(strings.Replace(plain, "index 1", "index 300", 1))))),
			1, 1, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Output[0].RegisterIndex }, 300},
		{"five components", infoOf(numbers("num_outputs 1"), member("stride", uints("4")), member("output", array(output(strings.Replace(plain, "components 4", "components 5", 1))))),
			1, 1, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Output[0].NumComponents }, 5},
		{"buffer 5", infoOf(numbers("num_outputs 1"), member("stride", uints("4")), member("output", array(output(strings.Replace(plain, "buffer 0", "buffer 5", 1))))),
			1, 1, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Output[0].OutputBuffer }, 5},
		{"a stride of 65536", infoOf(numbers("num_outputs 1"), member("stride", uints("65536")), member("output", array(output(plain)))),
			1, 1, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Stride[0] }, 65536},
		{"a fifth stride", infoOf(numbers("num_outputs 1"), member("stride", uints("4", "0", "0", "0", "9")), member("output", array(output(plain)))),
			1, 1, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Stride[4] }, 9},
		{"an empty mask", infoOf(numbers("num_outputs 1 stride 0"), array(masked("1", "15", "0"), masked("1", "0", "0"))),
			1, 2, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Output[1].NumComponents }, 0},
		{"a mask with a hole and a buffer that is none", infoOf(numbers("num_outputs 1 stride 0"), array(masked("1", "11", "9"))),
			1, 2, 1, func(n *pipe.StreamOutputNumbers) uint64 { return n.Output[1].DstOffset }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			op := decodeLast(t, shaderState(test.info))
			n := op.Raw.StreamOutput
			require.NotNil(t, n)
			require.Equal(t, test.numOutputs, n.NumOutputs)
			require.Len(t, n.Output, test.output)
			require.Equal(t, test.packed, op.Call.(*pipe.CreateShader).State.StreamOutput.NumOutputs)
			if test.check != nil {
				require.Equal(t, test.value, test.check(n))
			}
		})
	}
}

func TestDecodeShaderText(t *testing.T) {
	state := func(members ...string) string {
		return arg("state", object("pipe_shader_state", members...))
	}
	for _, test := range []struct {
		name, method, state string
		want                pipe.CreateShader
	}{
		{"NIR stands as it is", "create_gs_state", state(numbers("type 2"), member("tokens", "<null/>"), member("ir", "<string><![CDATA[a &amp; <b>\n]]></string>")),
			pipe.CreateShader{Stage: pipe.Geometry, State: pipe.ShaderState{Type: 2, NIR: []byte("a &amp; <b>\n")}}},
		{"TGSI is escaped", "create_tes_state", state(numbers("type 0"), member("tokens", "<string>VERT&#10;DCL OUT[0]&#10;</string>"), member("ir", "<null/>")),
			pipe.CreateShader{Stage: pipe.TessEval, State: pipe.ShaderState{Tokens: []byte("VERT\nDCL OUT[0]\n")}}},
		{"no text before Mesa 22.2", "create_tcs_state", state(member("tokens", "<null/>")),
			pipe.CreateShader{Stage: pipe.TessCtrl}},
		{"an empty text is not NULL", "create_fs_state", state(member("tokens", "<string></string>")),
			pipe.CreateShader{Stage: pipe.Fragment, State: pipe.ShaderState{Tokens: []byte{}}}},
		{"a task shader", "create_ts_state", state(), pipe.CreateShader{Stage: pipe.Task}},
		{"a mesh shader", "create_ms_state", state(), pipe.CreateShader{Stage: pipe.Mesh}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, &test.want, decodeLast(t, call("1", test.method, argPipe, test.state, retPtr)).Call)
		})
	}
}

func TestDecodeCompute(t *testing.T) {
	state := object("pipe_compute_state", member("ir_type", name("PIPE_SHADER_IR_NIR")), member("prog", "<string>x</string>"),
		numbers("static_shared_mem 64 req_input_mem 8"))
	require.Equal(t, &pipe.CreateCompute{State: pipe.ComputeState{IRType: "PIPE_SHADER_IR_NIR", Program: []byte("x"), StaticSharedMem: 64, ReqInputMem: 8}},
		decodeLast(t, call("1", "create_compute_state", argPipe, arg("state", state), retPtr)).Call)

	old := object("pipe_compute_state", numbers("ir_type 2"), member("prog", "<null/>"), numbers("req_local_mem 64 req_private_mem 0 req_input_mem 8"))
	require.Equal(t, &pipe.CreateCompute{State: pipe.ComputeState{IRType: "2", StaticSharedMem: 64, ReqInputMem: 8}},
		decodeLast(t, call("1", "create_compute_state", argPipe, arg("state", old), retPtr)).Call)
}

// TestAppendMask holds runs against a count of bits.
func TestAppendMask(t *testing.T) {
	for mask := uint64(0); mask < 64; mask++ {
		dwords, seen := uint64(0), uint64(0)
		for _, o := range appendMask(nil, 1, mask, 0, 10) {
			require.Equal(t, 10+dwords, o.DstOffset, "mask %d", mask)
			dwords += o.NumComponents
			for i := range o.NumComponents {
				seen |= 1 << (o.StartComponent + i)
			}
		}
		require.Equal(t, mask, seen, "mask %s", strconv.FormatUint(mask, 2))
	}
}
