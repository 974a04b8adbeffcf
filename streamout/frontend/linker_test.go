package frontend_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
)

// shape is a line of testdata/translate: declarations, and the infos that real
// linkers made of them.
type shape struct {
	Name     string
	Case     json.RawMessage
	Module   []byte
	Recorded map[string]*frontend.InfoJSON
}

func readShapes(t testing.TB, name string) []shape {
	data, err := os.ReadFile("../../testdata/translate/" + name)
	require.NoError(t, err)
	var shapes []shape
	for line := range bytes.Lines(data) {
		var s shape
		require.NoError(t, json.Unmarshal(line, &s))
		shapes = append(shapes, s)
	}
	return shapes
}

// compare translates shapes and compares with what was recorded, except where
// the difference is explained. It returns how many shapes were compared.
func compare(t *testing.T, shapes []shape, explained map[string]string, translate func(*shape) (*frontend.Translation, error)) (compared int) {
	unused := maps.Clone(explained)
	for _, s := range shapes {
		if len(s.Recorded) == 0 {
			continue
		}
		compared++
		equal := true
		tr, err := translate(&s)
		for _, driver := range slices.Sorted(maps.Keys(s.Recorded)) {
			if err != nil {
				equal = false
				t.Logf("%s: %v", s.Name, err)
				continue
			}
			got, want := frontend.NewInfoJSON(&tr.Info), s.Recorded[driver]
			if !sameInfo(got, want) {
				equal = false
				t.Logf("%s on %s:\n\tours     %+v\n\trecorded %+v", s.Name, driver, *got, *want)
			}
		}
		if explained[s.Name] != "" {
			delete(unused, s.Name)
			require.False(t, equal, "%s is equal, and said to differ", s.Name)
			continue
		}
		if !equal {
			t.Errorf("%s differs from what was recorded", s.Name)
		}
	}
	require.Empty(t, unused, "explained, and not there")
	return compared
}

func sameInfo(a, b *frontend.InfoJSON) bool {
	return a.Stride == b.Stride && a.NumOutputs == b.NumOutputs && slices.Equal(a.Output, b.Output)
}

// GLSL that glslang compiled, as lavapipe of Mesa 22.3.6 made pipelines of it.
func TestLavapipe(t *testing.T) {
	n := compare(t, readShapes(t, "vulkan.jsonl"), map[string]string{}, func(s *shape) (*frontend.Translation, error) {
		m, err := vulkan.ReadModule(s.Module)
		if err != nil {
			return nil, err
		}
		shader, err := m.Shader("")
		if err != nil {
			return nil, err
		}
		return vulkan.Translate(shader)
	})
	require.GreaterOrEqual(t, n, 25)
}

// OpenGL programs that Mesa 22.3.6 linked for llvmpipe and softpipe.
func TestMesaLinker(t *testing.T) {
	shapes := readShapes(t, "gl.jsonl")
	explained := map[string]string{
		"dmat2 array element":               "Mesa steps over twice the slots of an element, beyond the array, and captures register 0; what is never written is left out here",
		"double array element":              "as dmat2 array element",
		"qualified position":                "Mesa drops the xfb_ qualifiers of a redeclared gl_PerVertex; GLSL 4.60, 4.4.2 has its members captured",
		"packed: qualified array of blocks": "Mesa captures the first instance alone; GLSL 4.60, 4.4.2 gives each instance the next buffer",
	}
	n := compare(t, shapes, explained, func(s *shape) (*frontend.Translation, error) {
		return translate(s.Case)
	})
	registers := 0 // that are given, not found
	for _, s := range shapes {
		if bytes.Contains(s.Case, []byte(`"register"`)) {
			registers++
		}
	}
	require.GreaterOrEqual(t, n-registers, 60)
}
