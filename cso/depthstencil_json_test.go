package cso

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/pipe"
)

func TestParseDepthStencilCaseRefuses(t *testing.T) {
	const front = `{"enabled":true,"func":"LESS","fail_op":"KEEP","zpass_op":"KEEP","zfail_op":"KEEP","valuemask":255,"writemask":255}`
	tests := []struct{ name, line, want string }{
		{"no state", `{"aspects":"D"}`, `"in" is missing: the state`},
		{"an aspect that does not exist", `{"aspects":"C","in":{}}`, `aspects are "C", expected D, S, DS or nothing`},
		{"a facing that does not exist", `{"facing":"left","in":{}}`, `facing is "left", expected front, back, both or none`},
		{"a depth format that does not exist", `{"depth_format":"int","in":{}}`, `depth_format is "int", expected unorm or float`},
		{"one reference", `{"ref":[1],"in":{}}`, "ref is not two numbers, front and back, or null"},
		{"half a reference", `{"ref":[1,null],"in":{}}`, "ref is not two numbers, front and back, or null"},
		{"a reference of nine bits", `{"ref":[1,256],"in":{}}`, "ref[1] is 256, want a number from 0 to 255"},
		{"a function that does not exist", `{"in":{"depth_func":"LOWER"}}`, `in.depth_func: "LOWER" is no comparison, expected NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL or ALWAYS`},
		{"a function beyond the last", `{"in":{"depth_func":8}}`, "in.depth_func: comparison is 8, at most 7"},
		{"an operation that does not exist", `{"in":{"stencil":[{"fail_op":"DOUBLE"}]}}`, `in.stencil[0].fail_op: "DOUBLE" is no stencil operation, expected KEEP, ZERO, REPLACE, INCR, DECR, INCR_WRAP, DECR_WRAP or INVERT`},
		{"an operation beyond the last", `{"in":{"stencil":[{"fail_op":9}]}}`, "in.stencil[0].fail_op: stencil operation is 9, at most 7"},
		{"a mask of nine bits", `{"in":{"stencil":[{"writemask":256}]}}`, "in.stencil[0].writemask is 256, want a number from 0 to 255"},
		{"three faces", `{"in":{"stencil":[{},{},{}]}}`, "in.stencil has 3 faces, at most 2"},
		{"an enabled depth test without function", `{"in":{"depth_enabled":true,"depth_writemask":true}}`, "in.depth_func is missing, and its test is enabled"},
		{"an enabled back without function", `{"in":{"stencil":[` + front + `,{"enabled":true}]}}`, "in.stencil[1].func is missing, and its test is enabled"},
		{"enabled bounds without maximum", `{"in":{"depth_bounds_test":true,"depth_bounds_min":0}}`, "in.depth_bounds_max is missing, and its test is enabled"},
		{"a member that no face has", `{"in":{"stencil":[{},{"fun":"LESS"}]}}`, `in.stencil[1] has a member "fun" that nothing reads`},
		{"a shader of which half is known", `{"in":{},"shader":{"discards":true}}`, "shader: expected discards and writesDepth"},
		{"aspects that the surface has not", `{"aspects":"DS","zsbuf":"PIPE_FORMAT_Z16_UNORM","in":{}}`, `aspects are "DS", zsbuf PIPE_FORMAT_Z16_UNORM has "D"`},
		{"a depth format that the surface has not", `{"depth_format":"float","zsbuf":"PIPE_FORMAT_Z16_UNORM","in":{}}`, "depth_format contradicts zsbuf PIPE_FORMAT_Z16_UNORM"},
		{"a colour surface", `{"zsbuf":"PIPE_FORMAT_R8_UNORM","in":{}}`, "zsbuf is PIPE_FORMAT_R8_UNORM, expected a depth or stencil format"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := answerLine(tt.line)
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestParseDepthStencilCaseAssumesAnythingOfWhatIsAbsent(t *testing.T) {
	for _, line := range []string{`{"in":{}}`, `{"aspects":null,"depth_format":null,"facing":null,"ref":null,"shader":null,"zsbuf":null,"in":{"depth_func":null}}`} {
		q, err := parseLine(line)
		require.NoError(t, err)
		require.Equal(t, DepthStencilCase{Context: AnyDepthStencilContext()}, q)
	}
}

func TestParseNames(t *testing.T) {
	for _, s := range []string{"LESS", "less", "PIPE_FUNC_LESS", "1"} {
		f, err := ParseDepthStencilFunc(s)
		require.NoError(t, err, s)
		require.Equal(t, pipe.CompareLess, f, s)
	}
	for _, s := range []string{"INCR_WRAP", "incr_wrap", "PIPE_STENCIL_OP_INCR_WRAP", "5"} {
		o, err := ParseDepthStencilOp(s)
		require.NoError(t, err, s)
		require.Equal(t, pipe.StencilIncrWrap, o, s)
	}
	_, err := ParseDepthStencilFunc("")
	require.Error(t, err)
}

func TestMembersThatAreNotKnownAreLeft(t *testing.T) {
	c, err := jsonlines.Parse([]byte(`{"depht_format":"float","in":{},"out":{}}`))
	require.NoError(t, err)
	_, err = ParseDepthStencilCase(c)
	require.NoError(t, err)
	require.Equal(t, jsonlines.Case{"depht_format": []byte(`"float"`), "out": []byte("{}")}, c)
}

func TestZsbufGivesAspectsAndFormat(t *testing.T) {
	q, err := parseLine(`{"aspects":"DS","zsbuf":"PIPE_FORMAT_Z24_UNORM_S8_UINT","in":{}}`)
	require.NoError(t, err)
	require.Equal(t, DepthUnorm, q.Context.DepthFormat)
	require.False(t, q.Context.AnyAspects)
}

func TestNumbersThatJSONLacks(t *testing.T) {
	a := answer(t, `{"in":{"depth_bounds_test":true,"depth_bounds_min":"NaN","depth_bounds_max":"+Inf","alpha_enabled":true,"alpha_func":"LESS","alpha_ref":0.1}}`)
	require.Equal(t, map[string]any{"depth_bounds_test": true, "depth_bounds_min": "NaN", "depth_bounds_max": "+Inf",
		"alpha_enabled": true, "alpha_func": "LESS", "alpha_ref": 0.1, "depth_enabled": false,
		"stencil": []any{map[string]any{"enabled": false}, map[string]any{"enabled": false}}}, a["out"])
	require.Equal(t, []any{"a depth bound is NaN: every fragment is killed"}, a["warnings"])
	_, err := answerLine(`{"in":{"alpha_ref":"half"}}`)
	require.EqualError(t, err, `in.alpha_ref: "half" is no number`)
}

func TestWriteText(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"a test that is switched off is one line", `{"aspects":"DS","in":{"depth_enabled":true,"depth_writemask":true,"depth_func":"NEVER","stencil":[{"enabled":true,"func":"ALWAYS","fail_op":"KEEP","zpass_op":"REPLACE","zfail_op":"KEEP","valuemask":15,"writemask":255}]}}`,
			`asked      depth NEVER write, stencil ALWAYS fail KEEP zpass REPLACE zfail KEEP valuemask 0xf writemask 0xff
effective  depth NEVER
  depth_writemask       true to false: never, no fragment passes
  stencil[0].enabled    true to false: test-off, the test is off or does nothing, or nothing reads the field
  stencil[0].zpass_op   REPLACE cleared: unreachable-op, no fragment comes to the operation
  stencil[0].writemask  0xff cleared: op-identity, the operations change no value that reaches them
writes depth no, writes stencil no, kills every fragment yes
`},
		{"what was off is warned of", `{"in":{"depth_writemask":true,"alpha_enabled":true,"alpha_func":"LESS","alpha_ref":0.5,"depth_bounds_test":true,"depth_bounds_min":0,"depth_bounds_max":0.5},"shader":{"discards":true,"writesDepth":false}}`,
			`asked      bounds 0 to 0.5, alpha LESS 0.5
effective  bounds 0 to 0.5, alpha LESS 0.5
writes depth no, writes stencil no, kills every fragment no
early tests  no-writes
warning: depth_writemask is set with the depth test off: nothing is written
warning: the alpha test is on: early speaks of the shader alone, done after it that test discards too
`},
		{"two faces", `{"in":{"stencil":[{"enabled":true,"func":"LESS","fail_op":"KEEP","zpass_op":"INCR","zfail_op":"KEEP","valuemask":255,"writemask":255},{"enabled":true,"func":"NEVER","fail_op":"ZERO","zpass_op":"KEEP","zfail_op":"KEEP","valuemask":0,"writemask":1}]}}`,
			`asked      stencil LESS fail KEEP zpass INCR zfail KEEP valuemask 0xff writemask 0xff, back NEVER fail ZERO zpass KEEP zfail KEEP valuemask 0x0 writemask 0x1
effective  stencil LESS fail KEEP zpass INCR zfail KEEP valuemask 0xff writemask 0xff, back NEVER fail ZERO zpass KEEP zfail KEEP valuemask 0x0 writemask 0x1
writes depth no, writes stencil yes, kills every fragment no
`},
		{"nothing", `{"in":{}}`, "asked      nothing\neffective  nothing\nwrites depth no, writes stencil no, kills every fragment no\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, err := parseLine(tt.line)
			require.NoError(t, err)
			var text strings.Builder
			require.NoError(t, q.WriteText(&text))
			require.Equal(t, tt.want, text.String())
		})
	}
}

// Whatever is read is answered, and the answer's state is a case again that
// comes to itself.
func FuzzParseDepthStencilCase(f *testing.F) {
	for _, line := range []string{
		`{"in":{}}`,
		`{"id":"a","aspects":"DS","depth_format":"unorm","facing":"back","rasterizer_discard":false,"ref":[1,2],"shader":{"discards":true,"writesDepth":false},"in":{"alpha_enabled":true,"alpha_func":"LESS","alpha_ref":0.5,"depth_bounds_test":true,"depth_bounds_min":0,"depth_bounds_max":1,"depth_enabled":true,"depth_writemask":true,"depth_func":3,"stencil":[{"enabled":true,"func":"PIPE_FUNC_LESS","fail_op":"ZERO","zpass_op":"INCR","zfail_op":7,"valuemask":15,"writemask":240},{"enabled":false}]}}`,
		`{"zsbuf":"PIPE_FORMAT_S8_UINT","in":{"stencil":[{"enabled":true,"func":8}]}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		q, err := parseLine(string(line))
		if err != nil {
			return
		}
		a, err := q.Answer()
		require.NoError(t, err)
		text, err := json.Marshal(map[string]any{"in": a.Out})
		require.NoError(t, err)
		again, err := parseLine(string(text))
		require.NoError(t, err, "%s", text)
		again.Context, again.Shader = q.Context, q.Shader
		b, err := again.Answer()
		require.NoError(t, err)
		require.Equal(t, a.Out, b.Out)
	})
}
