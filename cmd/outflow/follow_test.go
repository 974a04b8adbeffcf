package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/blocks"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// realText returns the start of a recorded trace, decompressed. It may be cut.
func realText(t testing.TB, path string, most int64) []byte {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var unpacker blocks.Decompressor
	defer unpacker.Close()
	plain, _, err := unpacker.Open(f)
	require.NoError(t, err)
	text, err := io.ReadAll(io.LimitReader(plain, most))
	if err != nil {
		t.Logf("%s: %v", path, err) // some are damaged on purpose
	}
	return text
}

// verdict is everything that a check says about a text.
func verdict(t testing.TB, text io.Reader, o trace.Options) string {
	t.Helper()
	o.Name = "trace.xml"
	r, err := trace.NewReader(text, o)
	require.NoError(t, err)
	defer r.Close()
	var b bytes.Buffer
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		fmt.Fprintln(&b, f.Rule.ID, f.Severity, f.No, f.Pos, f.Method, f.Path, f.Message, f.Buffer, f.Output, f.Stream, f.Related)
	}})
	if err := follow(r, track); err != nil {
		fmt.Fprintln(&b, err)
	}
	fmt.Fprintf(&b, "%+v\n%+v\n", track.Summary(), r.Ending())
	return b.String()
}

// TestReadAnyWay holds that a check says the same whatever the size of the
// blocks, the number of workers and the compression.
func TestReadAnyWay(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/traces/*.xml.*")
	require.NoError(t, err)
	if dir := os.Getenv("OUTFLOW_CORPUS"); dir != "" {
		real, err := filepath.Glob(filepath.Join(dir, "*", "*.xml.gz"))
		require.NoError(t, err)
		for i := 0; i < len(real); i += 40 {
			paths = append(paths, real[i])
		}
	}
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text := realText(t, path, 4<<20)
		want := verdict(t, bytes.NewReader(text), trace.Options{Workers: 1, BlockBytes: 1 << 20})
		for _, o := range []trace.Options{{Workers: 1}, {Workers: 2}, {Workers: 5, BlockBytes: 5000}, {Workers: 3, BlockBytes: 64 << 10}} {
			require.Equal(t, want, verdict(t, bytes.NewReader(text), o), "%s %+v", path, o)
		}
		require.Equal(t, want, verdict(t, packed(t, text, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }), trace.Options{}), path)
		require.Equal(t, want, verdict(t, packed(t, text, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }), trace.Options{}), path)

		text = text[:min(len(text), 60_000)]
		want = verdict(t, bytes.NewReader(text), trace.Options{Workers: 1})
		for size := 1; size < 40; size += 6 {
			o := trace.Options{Workers: 1 + size%3, BlockBytes: size}
			require.Equal(t, want, verdict(t, bytes.NewReader(text), o), "%s %+v", path, o)
		}
	}
}

// TestReadBzip2 is TestReadAnyWay for bzip2, of which there is one trace: packed
// with bzip2 -1, so in blocks of 100 kB.
func TestReadBzip2(t *testing.T) {
	packed, err := os.ReadFile("../../testdata/packed/arrays.llvmpipe.xml.bz2")
	require.NoError(t, err)
	want := verdict(t, bytes.NewReader(realText(t, "../../testdata/traces/arrays.llvmpipe.xml.gz", 1<<30)), trace.Options{Workers: 1})
	for _, o := range []trace.Options{{}, {Workers: 1}, {Workers: 3, BlockBytes: 5000}, {Workers: 2, BlockBytes: 1 << 20}} {
		require.Equal(t, want, verdict(t, bytes.NewReader(packed), o), "%+v", o)
	}
	for _, cut := range []int{len(packed) / 3, len(packed) - 1} {
		one := verdict(t, bytes.NewReader(packed[:cut]), trace.Options{Workers: 1})
		require.Contains(t, one, "Damage:unexpected EOF")
		require.Equal(t, one, verdict(t, bytes.NewReader(packed[:cut]), trace.Options{Workers: 3, BlockBytes: 5000}))
	}
}

// packed compresses a text.
func packed(t testing.TB, text []byte, with func(io.Writer) (io.WriteCloser, error)) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w, err := with(&b)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return &b
}
