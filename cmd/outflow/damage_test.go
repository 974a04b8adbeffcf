package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
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
