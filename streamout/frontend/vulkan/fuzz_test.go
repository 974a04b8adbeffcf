package vulkan

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/rules"
)

// Whatever a case says, it is an error or an info that Gallium takes.
func FuzzTranslate(f *testing.F) {
	for _, line := range []string{
		`{"outputs":[{"name":"b.a","type":"vec4","location":0,"xfbBuffer":1,"xfbStride":48,"offset":0},{"name":"b.d","type":"dvec2","location":2,"xfbBuffer":1,"xfbStride":48,"offset":32}]}`,
		`{"stage":"geometry","outputs":[{"name":"blk[0].f","type":"vec2","location":0,"stream":1,"xfbBuffer":1,"xfbStride":8,"offset":0},{"name":"blk[1].f","type":"vec2","location":1,"stream":1,"xfbBuffer":1,"xfbStride":8,"offset":0}]}`,
		`{"outputs":[{"name":"c","type":"float","array":5,"builtin":"ClipDistance","component":3,"xfbBuffer":2147483647,"xfbStride":2147483647,"offset":2147483647}],"limits":{"bufferDataSize":-9}}`,
	} {
		f.Add([]byte(line))
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := ParseShader(line)
		if err != nil {
			return
		}
		tr, err := Translate(s)
		if err != nil {
			return
		}
		if err := tr.Check(all); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	})
}

// modules returns the SPIR-V binaries of the recorded shapes.
func modules(t testing.TB) [][]byte {
	data, err := os.ReadFile("../../../testdata/translate/vulkan.jsonl")
	require.NoError(t, err)
	var all [][]byte
	for line := range bytes.Lines(data) {
		var s struct{ Module []byte }
		require.NoError(t, json.Unmarshal(line, &s))
		all = append(all, s.Module)
	}
	return all
}

// Whatever a module holds, it is an error or an info that Gallium takes.
func FuzzReadModule(f *testing.F) {
	for _, m := range modules(f) {
		f.Add(m)
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadModule(data)
		if err != nil {
			return
		}
		s, err := m.Shader("")
		if err != nil {
			return
		}
		tr, err := Translate(s)
		if err != nil {
			return
		}
		if err := tr.Check(all); err != nil {
			t.Fatal(err)
		}
	})
}
