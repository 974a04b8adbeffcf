package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const tracesDir = "../../testdata/traces"

// slowTrace yields a trace and then nothing, until it is closed.
type slowTrace struct {
	text   *strings.Reader
	closed chan struct{}
}

func (s *slowTrace) Read(b []byte) (int, error) {
	if s.text.Len() > 0 {
		return s.text.Read(b)
	}
	<-s.closed
	return 0, io.EOF
}

// firstWrite tells when something was written.
type firstWrite struct {
	done chan struct{}
	bytes.Buffer
}

func (f *firstWrite) Write(b []byte) (int, error) {
	if f.Len() == 0 && len(b) > 0 {
		defer close(f.done)
	}
	return f.Buffer.Write(b)
}

// TestDumpStreams holds that calls are printed while the trace goes on.
func TestDumpStreams(t *testing.T) {
	var text strings.Builder
	text.WriteString("<trace version='0.1'>\n")
	for text.Len() < 4<<20 {
		text.WriteString("\t<call no='1' class='pipe_context' method='draw_vbo'><arg name='pipe'><ptr>0x10</ptr></arg></call>\n")
	}
	in := &slowTrace{strings.NewReader(text.String()), make(chan struct{})}
	out := &firstWrite{done: make(chan struct{})}
	ended := make(chan int)
	go func() { ended <- run([]string{"dump", "-"}, in, out, io.Discard) }()
	<-out.done // would never be if it waited for the end
	close(in.closed)
	require.Equal(t, exitClean, <-ended)
	require.Equal(t, strings.Count(text.String(), "<call "), strings.Count(out.String(), "\n"))
}

// shaderText is a NIR text, which may hold anything.
var shaderText = regexp.MustCompile(`(?s)<!\[CDATA\[.*?\]\]></string>`)

// callCount counts the calls of a trace by their tags, wherever in a line they
// stand: where a trigger silences the calls, shader texts still come between.
func callCount(text []byte) int {
	return bytes.Count(shaderText.ReplaceAll(text, nil), []byte("<call no="))
}

// TestCorpus prints every call of every trace, and the state at its last.
func TestCorpus(t *testing.T) {
	root := os.Getenv("OUTFLOW_CORPUS")
	if root == "" {
		t.Skip("OUTFLOW_CORPUS names no folder of traces")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*.xml*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, path := range files {
		if i%17 != 0 && testing.Short() {
			continue
		}
		var out, errs bytes.Buffer
		code := run([]string{"dump", path}, nil, &out, &errs)
		require.Equal(t, exitClean, code, errs.String())
		calls := 0
		for line := range bytes.Lines(out.Bytes()) {
			if strings.IndexByte("0123456789-", line[0]) >= 0 {
				calls++
			}
		}
		require.Equal(t, callCount(realText(t, path, 1<<62)), calls, path)
		out.Reset()
		code = run([]string{"state", "--last", "--format", "json", path}, nil, &out, &errs)
		if calls == 0 {
			require.Equal(t, exitFailure, code, path)
			continue
		}
		require.Equal(t, exitClean, code, errs.String())
	}
}
