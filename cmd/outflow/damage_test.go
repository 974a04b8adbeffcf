package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var flips = flag.Int("flips", 300, "how many damaged traces TestDamagedTraces checks")

// TestDamagedTraces flips bits and bytes of the calls of a real trace and checks
// it: there is an answer every time, and it is one of the three.
func TestDamagedTraces(t *testing.T) {
	r := record(t, "streams.llvmpipe.xml.gz")
	r.calls = r.calls[r.find(vs, 0)-10:] // what comes before asks for capabilities
	whole := []byte(r.text())
	random := rand.New(rand.NewPCG(1, 2))
	for range *flips {
		text := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			i := random.IntN(len(text))
			switch random.IntN(3) {
			case 0:
				text[i] ^= 1 << random.IntN(8)
			case 1:
				text[i] = byte(random.IntN(256))
			case 2:
				n := min(1+random.IntN(40), len(text)-i)
				text = append(text[:i], text[i+n:]...)
			}
		}
		var out, errs strings.Builder
		code := run([]string{"check", "--min-severity", "note", "-"}, bytes.NewReader(text), &out, &errs)
		require.Contains(t, []int{exitClean, exitFound, exitFailure}, code)
		if code == exitFailure {
			require.NotEmpty(t, errs.String())
		} else {
			require.Contains(t, out.String(), " calls; ")
		}
	}
}

// TestDamagedFiles holds that each verb which reads traces tells when a file could not
// be unpacked without an error: check in a finding, the others on standard error.
func TestDamagedFiles(t *testing.T) {
	sound := filepath.Join("..", "..", "testdata", "traces", "interleaved.llvmpipe.xml.gz")
	packed, err := os.ReadFile(sound)
	require.NoError(t, err)
	wrong := bytes.Clone(packed)
	wrong[len(wrong)-8]++
	for name, damaged := range map[string][]byte{
		"gzip: invalid checksum": wrong,
		"gzip: invalid header":   append(bytes.Clone(packed), "and more that is not packed"...),
		"unexpected EOF":         packed[:len(packed)-1],
	} {
		file := filepath.Join(t.TempDir(), "t.xml.gz")
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		told := "outflow: " + file + ": " + name + "; what could be unpacked was read\n"
		for _, verb := range []string{"check", "dump", "state --last", "capture", "layout", "depthstencil", "diff " + sound, "diff --state " + sound, "preserve " + sound} {
			var out, errs strings.Builder
			code := run(append(strings.Fields(verb), file), strings.NewReader(""), &out, &errs)
			require.Equal(t, exitClean, code, "%s: %s", verb, errs.String())
			if verb == "check" {
				require.Contains(t, out.String(), ": note: the trace has its closing tag, but its file is damaged: "+name+" [trace-truncated]")
				require.Empty(t, errs.String())
			} else {
				require.Equal(t, told, errs.String(), verb)
			}
		}
	}
}
