package dump

import (
	"flag"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/golden"
	"github.com/outflow-gpu/outflow/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenFile compares with testdata/golden of the module.
func goldenFile(t *testing.T, name string, got []byte) {
	t.Helper()
	golden.File(t, *update, filepath.Join("..", "testdata", "golden", name), got)
}

// eachRecord reads a recorded trace.
func eachRecord(t *testing.T, name string, see func(*trace.Record)) {
	t.Helper()
	r, err := trace.Open(filepath.Join("..", "testdata", "traces", name), trace.Options{Name: name})
	require.NoError(t, err)
	defer r.Close()
	for {
		b, err := r.Next()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		for i := range b.Records {
			see(&b.Records[i])
		}
		b.Release()
	}
}
