package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/workload"
)

// TestManyTracesAreEach holds that traces in one invocation say what each says by
// itself, in their order, though one reader reads many of them: sound, packed,
// cut, long and unreadable ones.
func TestManyTracesAreEach(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	paths, err := filepath.Glob("../../testdata/traces/*.xml.*")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	packed, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	var long bytes.Buffer
	require.NoError(t, workload.Write(&long, workload.Captures, 3, 3<<20))
	paths = append(paths, write("cut.gz", packed[:len(packed)/2]), filepath.Join(dir, "missing"), dir, write("empty", nil),
		"../../testdata/packed/arrays.llvmpipe.xml.bz2", write("long.xml", long.Bytes()), paths[1], write("none.xml", []byte("<p>\n")), paths[0])

	var out, errs strings.Builder
	code := 0
	for _, path := range paths {
		code = max(code, run([]string{"check", "--min-severity", "note", path}, strings.NewReader(""), &out, &errs))
	}
	require.Equal(t, exitFailure, code)
	require.Contains(t, errs.String(), "missing")
	for _, jobs := range []string{"1", "3"} {
		var all, allErrs bytes.Buffer
		require.Equal(t, code, run(append([]string{"check", "--min-severity", "note", "--jobs", jobs}, paths...), strings.NewReader(""), &all, &allErrs))
		require.Equal(t, out.String(), all.String(), "%s jobs", jobs)
		require.Equal(t, errs.String(), allErrs.String(), "%s jobs", jobs)
	}
}

// TestMoreTracesCostLittle holds that what a further short trace costs is less
// than its own size in memory: the first has paid for the rest.
func TestMoreTracesCostLittle(t *testing.T) {
	const path = "../../testdata/traces/arrays.llvmpipe.xml.gz"
	text := realText(t, path, 1<<30)
	allocated := func(n int) uint64 {
		args := []string{"check", "--jobs", "1", path}
		for range n {
			args = append(args, path)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.Equal(t, exitClean, run(args, strings.NewReader(""), io.Discard, io.Discard))
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(2), allocated(12)
	require.Less(t, (many-few)/10, uint64(len(text)/4))
}
