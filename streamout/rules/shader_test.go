package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// made is one create of a shader: what it captures, and its text.
type made struct {
	stage   pipe.Stage
	text    string // TGSI, or NIR when it begins with "shader:"
	stride  [4]uint16
	outputs []pipe.OutputNumbers
}

// told runs creates through a Track and returns what is reported of the last,
// as "severity id".
func told(t *testing.T, creates ...made) []string {
	t.Helper()
	list := []string{}
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		list = append(list, f.Severity.String()+" "+f.Rule.ID)
	}})
	c, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	require.NoError(t, err)
	for _, m := range creates {
		list = list[:0]
		var words []pipe.StreamOutput
		for _, o := range m.outputs {
			word, err := o.Pack()
			require.NoError(t, err)
			words = append(words, word)
		}
		state := pipe.ShaderState{}
		if m.text != "" {
			state.Tokens = []byte(m.text)
		}
		state.StreamOutput, err = pipe.NewStreamOutputInfo(m.stride, words...)
		require.NoError(t, err)
		_, err = c.CreateShader(m.stage, &state)
		require.NoError(t, err)
	}
	return list
}

// captures is an output of num components from the first on, in buffer 0.
func captures(register, start, num, dst uint64) pipe.OutputNumbers {
	return pipe.OutputNumbers{RegisterIndex: register, StartComponent: start, NumComponents: num, DstOffset: dst}
}

// TestOutputsAgainstText: what a vertex shader's text makes of an info.
func TestOutputsAgainstText(t *testing.T) {
	const begin = "VERT\nDCL IN[0]\n"
	const whole = begin + "DCL OUT[0], POSITION\nDCL OUT[1].xyz, GENERIC[0]\nDCL OUT[2..4], ARRAY(1), GENERIC[1]\nDCL ADDR[0]\n" +
		"  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1].xy, IN[0]\n"
	for _, c := range []struct {
		name, text string
		output     pipe.OutputNumbers
		want       []string
	}{
		{"no text, no answer", "", captures(9, 0, 4, 0), nil},
		{"a cut text is not concluded from", begin + "DCL OUT[0], POSITION\n", captures(9, 0, 4, 0), []string{"note so-text-tgsi-truncation"}},
		{"a line that nobody knows", whole + "what is this\n  2: END\n", captures(9, 0, 4, 0), nil},
		{"a shader without outputs", begin + "  0: END\n", captures(0, 0, 4, 0), []string{"error so-register-not-written"}},
		{"just behind the last", whole + "  2: END\n", captures(5, 0, 4, 0), []string{"error so-register-not-written"}},
		{"the last is declared but not written", whole + "  2: END\n", captures(4, 0, 4, 0), []string{"warning so-register-not-written"}},
		{"an index that is only known when it runs may hit it", whole + "  2: MOV OUT[ADDR[0].x+2](1), IN[0]\n  3: END\n", captures(4, 0, 4, 0), nil},
		{"all that is written", whole + "  2: END\n", captures(1, 0, 2, 0), nil},
		{"one component more", whole + "  2: END\n", captures(1, 0, 3, 0), []string{"warning so-component-not-written"}},
		{"only what is not written", whole + "  2: END\n", captures(1, 2, 1, 0), []string{"warning so-component-not-written"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := made{pipe.Vertex, c.text, [4]uint16{uint16(c.output.NumComponents)}, []pipe.OutputNumbers{c.output}}
			require.ElementsMatch(t, c.want, told(t, m))
		})
	}
}

// TestLeftovers: what an info without outputs may hold.
func TestLeftovers(t *testing.T) {
	four := [4]uint16{4}
	one := []pipe.OutputNumbers{captures(0, 0, 4, 0)}
	with := made{pipe.Vertex, "", four, one}
	for _, c := range []struct {
		name    string
		creates []made
		want    []string
	}{
		{"a lone stride may be xfb_stride", []made{{pipe.Vertex, "", four, nil}}, []string{"note so-stale-when-empty"}},
		{"one that an earlier shader had is rest of it", []made{with, {pipe.Geometry, "", four, nil}}, []string{"warning so-stale-when-empty"}},
		{"one that differs is not", []made{with, {pipe.Vertex, "", [4]uint16{5}, nil}}, []string{"note so-stale-when-empty"}},
		{"one in another buffer is not", []made{with, {pipe.Vertex, "", [4]uint16{0, 4}, nil}}, []string{"note so-stale-when-empty"}},
		{"two lone strides are not rest of each other: a repeat", []made{{pipe.Vertex, "", four, nil}, {pipe.TessEval, "", four, nil}}, nil},
		{"a fragment shader never has one", []made{{pipe.Fragment, "", four, nil}}, []string{"warning so-stale-when-empty"}},
		{"nor a tessellation control shader", []made{{pipe.TessCtrl, "", four, nil}}, []string{"warning so-stale-when-empty"}},
		{"outputs in a fragment shader", []made{{pipe.Fragment, "", four, one}}, []string{"error so-wrong-stage"}},
		{"outputs in a tessellation control shader", []made{{pipe.TessCtrl, "", four, one}}, []string{"warning so-wrong-stage"}},
		{"outputs in a mesh shader", []made{{pipe.Mesh, "", four, one}}, []string{"error so-wrong-stage"}},
		{"all zero", []made{with, {pipe.Vertex, "", [4]uint16{}, nil}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) { require.ElementsMatch(t, c.want, told(t, c.creates...)) })
	}
}

// TestStreamsAgainstText: vertex streams of a geometry shader.
func TestStreamsAgainstText(t *testing.T) {
	const begin = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\n" +
		"DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0], STREAM(1, 1, 0, 0)\nIMM[0] INT32 {0, 1, 2, 3}\n" +
		"  0: MOV OUT[0], IN[0][0]\n  1: MOV OUT[1], IN[0][0]\n"
	const both = begin + "  2: EMIT IMM[0].xxxx\n  3: EMIT IMM[0].yyyy\n  4: END\n"
	for _, c := range []struct {
		name, text              string
		register, start, stream uint64
		want                    []string
	}{
		{"as declared", both, 1, 0, 1, nil},
		{"the other half of the register", both, 1, 2, 0, nil},
		{"half of it from the other stream", both, 1, 1, 1, []string{"error so-stream-mismatch-decl"}},
		{"never emitted", begin + "  2: EMIT IMM[0].xxxx\n  3: END\n", 1, 0, 1, []string{"warning so-stream-inactive"}},
		{"an emit that is not understood", begin + "  2: EMIT TEMP[0].xxxx\n  3: END\n", 1, 0, 1, nil},
		{"neither declared nor emitted", both, 0, 0, 2, []string{"error so-stream-mismatch-decl", "warning so-register-maps-zero"}},
		{"no text", "", 1, 0, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := captures(c.register, c.start, 2, 0)
			o.Stream = c.stream
			got := told(t, made{pipe.Geometry, c.text, [4]uint16{2}, []pipe.OutputNumbers{o}})
			require.Subset(t, append(c.want, "note so-register-maps-zero", "note so-stream-gap-buffer", "note so-mergeable-split"), got)
			require.Subset(t, got, c.want)
		})
	}
}

// TestRegisterIsToldOnce: a store that is missing is one fault, whatever number of
// outputs capture from its register.
func TestRegisterIsToldOnce(t *testing.T) {
	const text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n" +
		"  0: MOV OUT[0], IN[0]\n  1: MOV OUT[2].xy, IN[0]\n  2: END\n"
	outputs := []pipe.OutputNumbers{captures(1, 2, 2, 0), captures(1, 0, 2, 2), captures(2, 3, 1, 4), captures(2, 2, 1, 5)}
	require.ElementsMatch(t, []string{"warning so-register-not-written", "warning so-component-not-written"},
		told(t, made{pipe.Vertex, text, [4]uint16{6}, outputs}))
}
