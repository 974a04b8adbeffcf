package gl

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// translate translates a JSON case and spells the info, or returns the rule that
// it breaks, with what was said.
func translate(t *testing.T, line string) (info string, said []string, broken *frontend.Error) {
	t.Helper()
	p, err := ParseProgram([]byte(line))
	require.NoError(t, err)
	tr, err := Translate(p)
	if err != nil {
		require.True(t, errors.As(err, &broken), "%v", err)
		return "", nil, broken
	}
	require.Len(t, tr.Names, int(tr.Info.NumOutputs))
	for _, d := range tr.Said {
		said = append(said, d.Rule)
	}
	require.NoError(t, tr.Check(rules.All()), "a translated info passes the rules of Gallium")
	return frontend.Notation(&tr.Info), said, nil
}

const pos = `{"name":"gl_Position","type":"vec4"}`

func TestTranslate(t *testing.T) {
	for _, tc := range []struct {
		name, line, want string
		said             []string
	}{
		{"skip and next buffer", `{"mode":"interleaved","varyings":["gl_Position","gl_SkipComponents2","vN","gl_NextBuffer","vT","gl_SkipComponents1","vF"],
			"outputs":[` + pos + `,{"name":"vN","type":"vec3","location":0},{"name":"vT","type":"vec2","location":1},{"name":"vF","type":"float","location":2}]}`,
			"(0,0,4,b0,0,0)(1,0,3,b0,6,0)(2,0,2,b1,0,0)(3,0,1,b1,3,0){9,4,0,0}", nil},
		{"matrix with a location", `{"varyings":["M"],"outputs":[` + pos + `,{"name":"M","type":"mat3","location":0}]}`,
			"(1,0,3,b0,0,0)(2,0,3,b0,3,0)(3,0,3,b0,6,0){9,0,0,0}", nil},
		{"packed matrix", `{"varyings":["M"],"outputs":[` + pos + `,{"name":"M","type":"mat3","register":1}]}`,
			"(1,0,4,b0,0,0)(2,0,4,b0,4,0)(3,0,1,b0,8,0){9,0,0,0}", nil},
		{"double vector in a second buffer", `{"varyings":["M","gl_NextBuffer","D"],"outputs":[` + pos + `,{"name":"M","type":"mat3","location":0},{"name":"D","type":"dvec3","location":3}]}`,
			"(1,0,3,b0,0,0)(2,0,3,b0,3,0)(3,0,3,b0,6,0)(4,0,4,b1,0,0)(5,0,2,b1,4,0){9,6,0,0}", nil},
		{"array of double vectors", `{"varyings":["A"],"outputs":[` + pos + `,{"name":"A","type":"dvec3","array":2,"location":0}]}`,
			"(1,0,4,b0,0,0)(2,0,2,b0,4,0)(3,0,4,b0,6,0)(4,0,2,b0,10,0){12,0,0,0}", nil},
		{"element of an array with a location", `{"varyings":["f[3]"],"outputs":[` + pos + `,{"name":"f","type":"float","array":5,"location":2}]}`,
			"(4,0,1,b0,0,0){1,0,0,0}", nil},
		{"element of a packed array", `{"varyings":["f[3]"],"outputs":[` + pos + `,{"name":"f","type":"float","array":5,"register":1}]}`,
			"(1,3,1,b0,0,0){1,0,0,0}", nil},
		{"clip distances", `{"varyings":["gl_ClipDistance"],"outputs":[` + pos + `,{"name":"gl_ClipDistance","type":"float","array":6}]}`,
			"(1,0,4,b0,0,0)(2,0,2,b0,4,0){6,0,0,0}", nil},
		{"one clip distance", `{"varyings":["gl_ClipDistance[5]"],"outputs":[` + pos + `,{"name":"gl_ClipDistance","type":"float","array":6}]}`,
			"(2,1,1,b0,0,0){1,0,0,0}", nil},
		{"cull distances behind clip distances", `{"varyings":["gl_CullDistance"],"outputs":[` + pos + `,{"name":"gl_ClipDistance","type":"float","array":3},{"name":"gl_CullDistance","type":"float","array":2}]}`,
			"(1,3,1,b0,0,0)(2,0,1,b0,1,0){2,0,0,0}", nil},
		{"qualifiers", `{"mode":"qualifiers","outputs":[` + pos + `,{"name":"A","type":"vec4","location":0,"xfbBuffer":0,"xfbOffset":4,"xfbStride":48},
			{"name":"B","type":"vec4","location":1,"xfbBuffer":2,"xfbOffset":0},{"name":"C","type":"vec3","location":2,"xfbBuffer":2,"xfbOffset":16}]}`,
			"(1,0,4,b0,1,0)(2,0,4,b2,0,0)(3,0,3,b2,4,0){12,0,7,0}", nil},
		{"the list that equals the qualifiers", `{"varyings":["gl_SkipComponents1","A","gl_SkipComponents4","gl_SkipComponents3","gl_NextBuffer","gl_NextBuffer","B","C"],
			"outputs":[` + pos + `,{"name":"A","type":"vec4","location":0},{"name":"B","type":"vec4","location":1},{"name":"C","type":"vec3","location":2}]}`,
			"(1,0,4,b0,1,0)(2,0,4,b2,0,0)(3,0,3,b2,4,0){12,0,7,0}", []string{"so-gl-empty-buffer"}},
		{"two streams", `{"stage":"geometry","varyings":["a","gl_NextBuffer","b"],"outputs":[{"name":"a","type":"vec4","location":0},{"name":"b","type":"vec3","location":1,"stream":1}]}`,
			"(0,0,4,b0,0,0)(1,0,3,b1,0,1){4,3,0,0}", nil},
		{"an unwritten varying is a gap", `{"varyings":["vA","vB"],"outputs":[` + pos + `,{"name":"vA","type":"vec2","location":0,"written":false},{"name":"vB","type":"vec3","location":1}]}`,
			"(1,0,3,b0,2,0){5,0,0,0}", []string{"so-gl-unwritten"}},

		{"separate buffers begin at 0", `{"mode":"separate","varyings":["a","b","c"],"outputs":[{"name":"a","type":"vec2","location":0},{"name":"b","type":"vec3","location":1},{"name":"c","type":"float","location":2}]}`,
			"(0,0,2,b0,0,0)(1,0,3,b1,0,0)(2,0,1,b2,0,0){2,3,1,0}", nil},
		{"a skip does not choose the stream", `{"stage":"geometry","varyings":["gl_SkipComponents1","f"],"outputs":[{"name":"f","type":"float","location":0,"stream":1}]}`,
			"(0,0,1,b0,1,1){2,0,0,0}", nil},
		{"a stride that follows from doubles is a multiple of 8", `{"outputs":[{"name":"a","type":"float","location":0,"xfbOffset":0},{"name":"b","type":"double","location":1,"xfbOffset":8},{"name":"c","type":"float","location":2,"xfbOffset":16}]}`,
			"(0,0,1,b0,0,0)(1,0,2,b0,2,0)(2,0,1,b0,4,0){6,0,0,0}", nil},
		{"an element alone keeps its register", `{"varyings":["a[2]"],"outputs":[` + pos + `,{"name":"a","type":"vec4","array":3,"location":0}]}`,
			"(3,0,4,b0,0,0){4,0,0,0}", nil},
		{"a component in the middle", `{"varyings":["c"],"outputs":[` + pos + `,{"name":"b","type":"float","location":0},{"name":"c","type":"vec2","location":0,"component":1}]}`,
			"(1,1,2,b0,0,0){2,0,0,0}", nil},
		{"member of a structure in an array", `{"varyings":["s[1].a"],"outputs":[{"name":"s[0].a","type":"vec2","location":0},{"name":"s[1].a","type":"vec2","location":1}]}`,
			"(1,0,2,b0,0,0){2,0,0,0}", nil},
		{"inner array of an array of arrays", `{"varyings":["a[1]","a[0][2]"],"outputs":[{"name":"a","type":"float[2][3]","location":0}]}`,
			"(3,0,1,b0,0,0)(4,0,1,b0,1,0)(5,0,1,b0,2,0)(2,0,1,b0,3,0){4,0,0,0}", nil},
		{"an unwritten output has no register", `{"varyings":["b"],"outputs":[{"name":"a","type":"vec4","location":0,"written":false},{"name":"b","type":"vec4","location":1}]}`,
			"(0,0,4,b0,0,0){4,0,0,0}", nil},
		{"packed outputs take their registers out of the row", `{"varyings":["b"],"outputs":[` + pos + `,{"name":"p","type":"vec4","register":1},{"name":"b","type":"vec4","location":0}]}`,
			"(2,0,4,b0,0,0){4,0,0,0}", nil},
		{"an array at a component, as Mesa captures it", `{"varyings":["f"],"outputs":[{"name":"f","type":"float","array":2,"location":0,"component":2}]}`,
			"(0,2,1,b0,0,0)(1,0,1,b0,1,0){2,0,0,0}", []string{"so-gl-component-array"}},
		{"an element of narrow doubles, as Mesa captures it", `{"varyings":["d[1]"],"outputs":[` + pos + `,{"name":"d","type":"dvec2","array":3,"location":0}]}`,
			"(3,0,4,b0,0,0){4,0,0,0}", []string{"so-gl-double-element"}},
		{"nothing is captured", `{"outputs":[` + pos + `]}`, "{0,0,0,0}", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info, said, broken := translate(t, tc.line)
			require.Nil(t, broken)
			require.Equal(t, tc.want, info)
			require.Equal(t, tc.said, said)
		})
	}
}

// A matrix of nine components is legal only where separate mode has as many.
func TestSeparateMatrix(t *testing.T) {
	_, _, broken := translate(t, `{"mode":"separate","varyings":["M"],"outputs":[{"name":"M","type":"mat3","location":0}]}`)
	require.Equal(t, "so-gl-separate-comps", broken.Rule)
	info, _, broken := translate(t, `{"mode":"separate","varyings":["M"],"outputs":[{"name":"M","type":"mat3","location":0}],"limits":{"separateComponents":9}}`)
	require.Nil(t, broken)
	require.Equal(t, "(0,0,3,b0,0,0)(1,0,3,b0,3,0)(2,0,3,b0,6,0){9,0,0,0}", info)
}
