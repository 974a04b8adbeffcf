package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// leaver takes a number of bytes, then writing fails.
type leaver struct {
	room int
	err  error
}

func (l *leaver) Write(b []byte) (int, error) {
	n := min(l.room, len(b))
	l.room -= n
	if n < len(b) {
		return n, l.err
	}
	return n, nil
}

// outputVerbs are runs of all verbs that print, some with findings.
func outputVerbs(t *testing.T) (list [][]string) {
	traces := func(name string) string { return filepath.Join(tracesDir, name) }
	source := filepath.Join(t.TempDir(), "a.c")
	const text = "void *f(struct pipe_context *p)\n{\n\tstruct pipe_shader_state s;\n\ts.type = 1;\n\treturn p->create_vs_state(p, &s);\n}\n"
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	surface := filepath.Join(t.TempDir(), "cmask")
	require.NoError(t, os.WriteFile(surface, make([]byte, 32), 0o600))
	module := "../../testdata/translate/block.spv"
	pause, cut := traces("pause.llvmpipe.xml.gz"), traces("cut.llvmpipe.xml.gz")
	for _, format := range []string{"text", "json"} {
		for _, args := range [][]string{
			{"check", "../../testdata/readme/stride.xml"}, {"check", "--min-severity", "note", pause, cut},
			{"layout", pause}, {"state", "--last", cut}, {"dump", cut}, {"dump", cut, pause}, {"dump", "--times", cut},
			{"diff", cut, pause}, {"diff", "--state", cut, pause}, {"diff", cut, cut}, {"preserve", cut, pause},
			{"capture", pause}, {"translate", module}, {"audit", source}, {"tess", "--outer", "3", "--inner", "2", "--patches", "4"},
			{"depthstencil", cut}, {"depthstencil", "--depth", "less"},
			{"cmask", "decode", "--width", "64", "--height", "64", "--layout", "linear", "--mode", "CM2", surface},
			{"rules"}, {"explain", "so-stride-smaller-than-extent"},
		} {
			list = append(list, append(args, "--format", format))
		}
	}
	return append(list, [][]string{
		{"check", "--format", "sarif", pause}, {"check", "--format", "junit", pause}, {"audit", "--format", "sarif", source},
		{"dump", "--format", "go", cut}, {"layout", "--svg", pause}, {"rules", "--format", "markdown"}, {"explain", "so-gl-duplicate"},
		{"tess", "--format", "svg", "--outer", "3", "--inner", "2"}, {"version"}, {"help"}, {"help", "check"}, {"check", "--help"},
		{"tess", "--jsonl"}, {"translate", "--jsonl"},
	}...)
}

const outputCases = `{"id":1,"api":"gl","domain":"tri","partitioning":"integer","output":"ccw","outer":[2,3,4],"inner":[3]}
{"id":2,"api":"gl","mode":"askew"}
`

// TestReaderLeaves holds that a reader which has seen enough, as head has, ends
// each verb without a word and with the exit code that it would have had; what
// was not read of cases is not judged.
func TestReaderLeaves(t *testing.T) {
	for _, args := range outputVerbs(t) {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var out, errs, wantErrs bytes.Buffer
			want := run(args, strings.NewReader(outputCases), &out, &wantErrs)
			if args[len(args)-1] == "--jsonl" {
				want = exitFound // both hold a case that is not possible
			}
			for _, room := range []int{0, out.Len() / 2} {
				code := run(args, strings.NewReader(outputCases), &leaver{room, syscall.EPIPE}, &errs)
				require.Equal(t, want, code)
				require.Equal(t, wantErrs.String(), errs.String())
				errs.Reset()
			}
		})
	}
}

// TestFullDevice holds that a device which is no terminal is written to as a
// file is.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no /dev/full that can be told from a terminal")
	}
	defer full.Close()
	for _, verb := range []string{"version", "help", "rules"} {
		var errs bytes.Buffer
		require.Equal(t, exitFailure, run([]string{verb}, nil, full, &errs), verb)
		require.Equal(t, "outflow: standard output: no space left on device\n", errs.String(), verb)
	}
}

// TestOutputFails holds that output which cannot be written is said, once, and
// the exit code is that of work that could not be done.
func TestOutputFails(t *testing.T) {
	for _, args := range outputVerbs(t) {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var out, errs, wantErrs bytes.Buffer
			run(args, strings.NewReader(outputCases), &out, &wantErrs)
			if out.Len() == 0 {
				return // equal traces
			}
			code := run(args, strings.NewReader(outputCases), &leaver{0, syscall.ENOSPC}, &errs)
			require.Equal(t, exitFailure, code)
			require.Equal(t, wantErrs.String()+"outflow: standard output: no space left on device\n", errs.String())
		})
	}
}
