package vulkan

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

func translate(t *testing.T, line string) (info string, said []string, broken *frontend.Error) {
	t.Helper()
	s, err := ParseShader([]byte(line))
	require.NoError(t, err)
	tr, err := Translate(s)
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

const pos = `{"name":"gl_Position","type":"vec4","builtin":"Position"}`

func TestTranslate(t *testing.T) {
	for _, tc := range []struct {
		name, line, want string
		said             []string
	}{
		{"block", `{"outputs":[` + pos + `,{"name":"b.a","type":"vec4","location":0,"xfbBuffer":1,"xfbStride":48,"offset":0},
			{"name":"b.c","type":"vec3","location":1,"xfbBuffer":1,"xfbStride":48,"offset":16},{"name":"b.d","type":"dvec2","location":2,"xfbBuffer":1,"xfbStride":48,"offset":32}]}`,
			"(1,0,4,b1,0,0)(2,0,3,b1,4,0)(3,0,4,b1,8,0){0,12,0,0}", nil},
		{"array of double vectors", `{"outputs":[{"name":"d","type":"dvec3","array":2,"location":4,"xfbBuffer":0,"xfbStride":64,"offset":8}]}`,
			"(0,0,4,b0,2,0)(1,0,2,b0,6,0)(2,0,4,b0,8,0)(3,0,2,b0,12,0){16,0,0,0}", nil},
		{"array of floats at a component", `{"outputs":[` + pos + `,{"name":"f","type":"float","array":3,"location":2,"component":1,"xfbBuffer":0,"xfbStride":16,"offset":4}]}`,
			"(1,1,1,b0,1,0)(2,1,1,b0,2,0)(3,1,1,b0,3,0){4,0,0,0}", nil},
		{"clip distances", `{"outputs":[` + pos + `,{"name":"c","type":"float","array":5,"builtin":"ClipDistance","xfbBuffer":0,"xfbStride":24,"offset":0}]}`,
			"(1,0,4,b0,0,0)(2,0,1,b0,4,0){6,0,0,0}", nil},
		{"point size before clip distances", `{"outputs":[` + pos + `,{"name":"c","type":"float","array":5,"builtin":"ClipDistance","xfbBuffer":0,"xfbStride":24,"offset":0},
			{"name":"p","type":"float","builtin":"PointSize","xfbBuffer":0,"xfbStride":24,"offset":20}]}`,
			"(2,0,4,b0,0,0)(3,0,1,b0,4,0)(1,0,1,b0,5,0){6,0,0,0}", nil},
		{"matrix", `{"outputs":[` + pos + `,{"name":"m","type":"mat4x3","location":0,"xfbBuffer":0,"xfbStride":48,"offset":0}]}`,
			"(1,0,3,b0,0,0)(2,0,3,b0,3,0)(3,0,3,b0,6,0)(4,0,3,b0,9,0){12,0,0,0}", nil},
		{"arrayed block of stream 1", `{"stage":"geometry","outputs":[{"name":"blk[0].f","type":"vec2","location":0,"stream":1,"xfbBuffer":1,"xfbStride":8,"offset":0},
			{"name":"blk[1].f","type":"vec2","location":1,"stream":1,"xfbBuffer":1,"xfbStride":8,"offset":0}]}`,
			"(0,0,2,b1,0,1)(1,0,2,b2,0,1){0,2,2,0}", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info, said, broken := translate(t, tc.line)
			require.Nil(t, broken)
			require.Equal(t, tc.want, info)
			require.Equal(t, tc.said, said)
		})
	}
}
