package trace_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// corpus returns the real traces, which are not part of the project.
func corpus(t testing.TB) []string {
	root := os.Getenv("OUTFLOW_CORPUS")
	if root == "" {
		t.Skip("OUTFLOW_CORPUS names no folder of real traces")
	}
	var files []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".xml.gz") {
			files = append(files, path)
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// plainText decompresses a file of the corpus by other means than the reader's.
func plainText(t testing.TB, path string) []byte {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return text
}

// TestCorpus reads every real trace to its end and compares with what plain
// searching of the whole text finds.
func TestCorpus(t *testing.T) {
	files := corpus(t)
	complete := 0
	for _, path := range files {
		text := plainText(t, path)
		r, err := trace.Open(path, trace.Options{})
		require.NoError(t, err)
		var malformed int
		for rec, err := range r.Records() {
			require.NoError(t, err, path)
			if rec.Kind == trace.MalformedRecord || rec.Kind == trace.NoiseRecord {
				malformed++
				t.Logf("%s: %s %q %v", path, rec.Kind, rec.Raw[:min(len(rec.Raw), 80)], rec.Problem)
			}
		}
		require.NoError(t, r.Close())
		end := r.Ending()
		closed := bytes.HasSuffix(bytes.TrimSpace(text), []byte("</trace>"))
		if closed {
			complete++
		}
		require.Zero(t, malformed, path)
		require.Equal(t, closed, end.Complete, path)
		require.Equal(t, closed, end.Kind == trace.Closed, path)
		require.Equal(t, uint64(bytes.Count(text, []byte("</call>\n"))), end.Calls, path)
		open := bytes.Count(text, []byte("<call no=")) - bytes.Count(text, []byte("</call>\n"))
		require.Equal(t, open == 1, end.Kind == trace.InsideCall, path)
		require.Equal(t, int64(len(text)), end.Byte, path)
		require.NoError(t, end.Damage, path)
	}
	t.Logf("%d files, %d complete", len(files), complete)
}
