package trace_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
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

// realTrace returns the text of a real trace with several shaders.
func realTrace(t testing.TB) string {
	for _, path := range corpus(t) {
		if strings.HasSuffix(path, "arb_gpu_shader5-xfb-streams.zink.xml.gz") {
			return string(plainText(t, path))
		}
	}
	t.Skip("the corpus lacks the trace that this test wants")
	return ""
}

// TestCutRealTrace cuts a real trace at random bytes, and at each byte of the
// creation of one shader.
func TestCutRealTrace(t *testing.T) {
	text := realTrace(t)
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		checkCut(t, text, random.IntN(len(text)))
	}
	create := strings.Index(text, "method='create_gs_state'")
	require.Positive(t, create)
	from := strings.LastIndex(text[:create], "\n")
	start := strings.LastIndex(text[:max(0, from-20_000)], "\t<call ")
	to := create + strings.Index(text[create:], "</call>") + 20
	short := header + text[start:to]
	for n := len(header) + from - start; n < len(short); n++ {
		checkCut(t, short, n)
	}
}

// TestFlipRealTrace damages single bytes of a stretch of a real trace.
func TestFlipRealTrace(t *testing.T) {
	text := realTrace(t)
	create := strings.Index(text, "method='create_gs_state'")
	from := strings.LastIndex(text[:create-4000], "\t<call ")
	to := create + strings.Index(text[create:], "</call>") + 4000
	to += strings.Index(text[to:], "\t<call ")
	piece := []byte(header + text[from:to])
	calls := uint64(bytes.Count(piece, []byte("</call>")))
	random := rand.New(rand.NewPCG(5, 6))
	for range 100_000 {
		i, value := random.IntN(len(piece)), byte(random.Uint32())
		was := piece[i]
		piece[i] = value
		r, err := trace.NewReader(bytes.NewReader(piece), trace.Options{BlockBytes: 4096})
		require.NoError(t, err)
		for _, err := range r.Records() {
			require.NoError(t, err)
		}
		got := r.Ending().Calls
		if got > calls || got+2 < calls {
			t.Fatalf("byte %d changed from %q to %q: %d calls read, of %d", i, was, value, got, calls)
		}
		piece[i] = was
	}
}

// TestCorpusInAnyBlocks reads some real traces in blocks of several sizes, with
// and without workers.
func TestCorpusInAnyBlocks(t *testing.T) {
	hash := func(path string, o trace.Options) (uint64, trace.Ending) {
		r, err := trace.Open(path, o)
		require.NoError(t, err)
		defer r.Close()
		h := fnv.New64a()
		for rec, err := range r.Records() {
			require.NoError(t, err)
			fmt.Fprint(h, describe(rec))
		}
		return h.Sum64(), r.Ending()
	}
	for i, path := range corpus(t) {
		odd := strings.Contains(path, "/odd/trigger") || strings.Contains(path, "/cut/") || strings.Contains(path, "label")
		if i%100 != 0 && !odd {
			continue
		}
		want, wantEnd := hash(path, trace.Options{Workers: 1})
		for _, o := range []trace.Options{{BlockBytes: 1, Workers: 1}, {BlockBytes: 777}, {BlockBytes: 64 << 10}, {}} {
			got, end := hash(path, o)
			require.Equal(t, wantEnd, end, "%s %+v", path, o)
			require.Equal(t, want, got, "%s %+v", path, o)
		}
	}
}
