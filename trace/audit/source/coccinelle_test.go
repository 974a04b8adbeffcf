package source_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// TestCoccinelleAgrees asks Coccinelle, a slow oracle that shares no code with
// the auditor, for the same sites.
func TestCoccinelleAgrees(t *testing.T) {
	spatch, err := exec.LookPath("spatch")
	if err != nil {
		t.Skip("spatch (Coccinelle) is not installed")
	}
	text, err := os.ReadFile("testdata/unset.c")
	require.NoError(t, err)
	var ours []int
	for _, f := range source.File("unset.c", string(text), source.Options{}).Findings {
		if f.Verdict == source.NotZeroed {
			ours = append(ours, f.Line)
		}
	}
	theirs := declarations(t, spatch, "testdata/unset.c")
	require.NotEmpty(t, theirs, "Coccinelle finds the faults that are there")
	require.Equal(t, theirs, ours)
}

var hunk = regexp.MustCompile(`^@@ -(\d+)`)

// declarations runs the rule and gives the lines of the declarations it marks.
func declarations(t *testing.T, spatch, file string) []int {
	t.Helper()
	out, err := exec.Command(spatch, "--very-quiet", "--sp-file", "testdata/unset.cocci", file).Output()
	require.NoError(t, err)
	var lines []int
	at := 0
	for _, line := range strings.Split(string(out), "\n") {
		if m := hunk.FindStringSubmatch(line); m != nil {
			at, err = strconv.Atoi(m[1])
			require.NoError(t, err)
			continue
		}
		if strings.HasPrefix(line, "-") && strings.Contains(line, "struct pipe_shader_state") && !strings.HasPrefix(line, "---") {
			lines = append(lines, at)
		}
		at++
	}
	return lines
}
