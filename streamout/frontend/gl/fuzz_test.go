package gl

import (
	"testing"

	"github.com/outflow-gpu/outflow/streamout/rules"
)

// Whatever a case says, it is an error or an info that Gallium takes.
func FuzzTranslate(f *testing.F) {
	for _, line := range []string{
		`{"mode":"separate","varyings":["a","gl_SkipComponents1"],"outputs":[{"name":"a","type":"mat3","location":0}]}`,
		`{"varyings":["f[3]","gl_NextBuffer","d"],"outputs":[{"name":"f","type":"float","array":5,"location":2},{"name":"d","type":"dvec3[2][3]","register":4}]}`,
		`{"outputs":[{"name":"k.a","type":"vec4","location":0,"xfbBuffer":0,"xfbOffset":4,"xfbStride":48},{"name":"k[1].b","type":"double","location":0,"xfbBuffer":0,"xfbOffset":2147483647}]}`,
		`{"varyings":["gl_CullDistance"],"outputs":[{"name":"gl_ClipDistance","type":"float","array":3},{"name":"gl_CullDistance","type":"float","array":65536}],"limits":{"interleavedComponents":100000}}`,
		`{"limits":{"buffers":-1,"separateComponents":-1,"interleavedComponents":-1,"streams":-1},"varyings":["a"],"outputs":[{"name":"a","type":"vec4","location":0,"stream":7}]}`,
	} {
		f.Add([]byte(line))
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, line []byte) {
		p, err := ParseProgram(line)
		if err != nil {
			return
		}
		tr, err := Translate(p)
		if err != nil {
			return
		}
		if err := tr.Check(all); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	})
}
