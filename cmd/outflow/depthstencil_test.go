package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/trace"
)

// TestDepthStencilOfCorpus sanitises every depth/stencil state that real traces
// create, and counts how many are left.
func TestDepthStencilOfCorpus(t *testing.T) {
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS is not set")
	}
	traces, creates := 0, 0
	asked, effective := map[string]bool{}, map[string]bool{}
	c := cso.AnyDepthStencilContext()
	require.NoError(t, filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), ".xml") {
			return err
		}
		r, err := trace.Open(path, trace.Options{})
		if err != nil {
			return err
		}
		defer r.Close()
		states, n, err := readDepthStencil(r)
		if err != nil {
			return err
		}
		traces++
		creates += n
		for _, s := range states {
			require.NoError(t, s.validate(), "%s: call %d", path, s.call)
			got, err := cso.SanitiseDepthStencil(&s.state, &c)
			require.NoError(t, err)
			asked[string(s.state.AppendCanonical(nil))] = true
			effective[string(got.State.AppendCanonical(nil))] = true
		}
		return nil
	}))
	require.NotZero(t, creates, "no trace creates a depth/stencil state")
	require.LessOrEqual(t, len(effective), len(asked))
	t.Logf("%d traces create %d states: %d distinct, %d when sanitised", traces, creates, len(asked), len(effective))
}
