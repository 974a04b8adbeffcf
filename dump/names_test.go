package dump_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// TestNamesAreThoseOfFindings holds that an object is called the same by dump
// --names, which knows methods that nobody decodes, and by findings, which take
// the ordinals of the state: over recorded traces, after each call that makes
// one.
func TestNamesAreThoseOfFindings(t *testing.T) {
	patterns := []string{"../testdata/traces/*.xml.*", "../testdata/capture/*.xml.*"}
	if corpus := os.Getenv("OUTFLOW_CORPUS"); corpus != "" {
		patterns = append(patterns, filepath.Join(corpus, "*", "*.xml.*"))
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			requireSameNames(t, filepath.Base(file), bytes.NewReader(text))
		}
	}
}

func requireSameNames(t *testing.T, name string, text io.Reader) {
	r, err := trace.NewReader(text, trace.Options{Name: name})
	require.NoError(t, err)
	defer r.Close()
	var (
		names   dump.Names
		decoder trace.Decoder
		op      pipe.Op
		machine = state.New()
	)
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if rec.Open {
			continue
		}
		names.See(rec)
		if !decoder.Decode(rec, &op) {
			continue
		}
		machine.Before(&op)
		machine.Apply(&op)
		of := made(machine, &op)
		if of == nil {
			continue
		}
		require.Equal(t, of.Kind.String()+"#"+strconv.Itoa(of.Ordinal), names.Name(of.Handle, of.Kind.String()), "%s: call %d %s", name, rec.No, rec.Method)
	}
}

// made returns the object that a call made, nil for none and for those that
// dump counts apart: buffers and textures.
func made(m *state.Machine, op *pipe.Op) *state.Object {
	h := op.Ret.Handle
	if h == 0 {
		return nil
	}
	switch call := op.Call.(type) {
	case *pipe.CreateShader:
		if of := m.Shader(call.Stage, h); of != nil {
			return &of.Object
		}
	case *pipe.CreateRasterizer:
		return &m.CSO(pipe.KindRasterizer, h).Object
	case *pipe.CreateDepthStencilAlpha:
		return &m.CSO(pipe.KindDepthStencilAlpha, h).Object
	case *pipe.CreateBlend:
		return &m.CSO(pipe.KindBlend, h).Object
	case *pipe.CreateSampler:
		return &m.CSO(pipe.KindSampler, h).Object
	case *pipe.CreateVertexElements:
		return &m.CSO(pipe.KindVertexElements, h).Object
	case *pipe.CreateStreamOutputTarget:
		return &m.Target(h).Object
	case *pipe.CreateQuery:
		return &m.Query(h).Object
	case *pipe.CreateSamplerView:
		return &m.SamplerView(h).Object
	case *pipe.CreateSurface:
		return &m.Surface(h).Object
	}
	return nil
}
