package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// command runs the command and returns what it prints.
func command(t *testing.T, code int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Equal(t, code, run(args, strings.NewReader(""), &stdout, &stderr), stderr.String())
	return stdout.String()
}

func TestCatalogPage(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "rules.md")
	want := command(t, exitClean, "rules", "--format", "markdown")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
	}
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, want, string(got), "the page and the rules differ: run this test with -update")
}

func TestExplainAll(t *testing.T) {
	for _, r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			text := command(t, exitClean, "explain", r.ID)
			require.Contains(t, text, r.Why)
			require.Contains(t, text, r.Sources[0])
			if r.Bad == nil {
				return
			}
			said, traces, ok := strings.Cut(text, "A trace that breaks it: ")
			require.True(t, ok, said)
			require.NotRegexp(t, `^:? *\n`, traces, "the bad case says nothing")
			bad, good, ok := strings.Cut(traces, "The same, corrected:")
			require.True(t, ok)
			require.Contains(t, bad, "<call ")
			require.NotEmpty(t, strings.TrimSpace(good))
		})
	}
	for _, u := range rules.Uncheckable() {
		require.Contains(t, command(t, exitClean, "explain", u.ID), u.Reason)
	}
}

// notInTraces are the rules whose bad case a recorded trace does not hold.
var notInTraces = map[string]string{
	"trace-number-width":    "no live call holds such a number: the reader's tests have traces that do",
	"so-mask-noncontiguous": "a trace has a first component and a count: the mask is written as its runs",
	"so-tail-not-zero":      "a trace ends with the outputs that are used",
	"so-reg-width-legacy":   "the recorder does not write the form of Mesa before 22.2",
}

// TestCasesAsTraces writes each case as a trace and checks the file: what a
// rule sees in calls it is to see in their trace.
func TestCasesAsTraces(t *testing.T) {
	for _, r := range rules.All() {
		if r.Bad == nil {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			named := fmt.Sprintf("%q:%q", "rule", r.ID)
			bad := checkCase(t, r, r.Bad)
			if why, ok := notInTraces[r.ID]; ok {
				require.NotContains(t, bad, named, "but "+why)
				return
			}
			require.Contains(t, bad, named)
			require.NotContains(t, checkCase(t, r, r.Good), named)
		})
	}
}

// checkCase returns the findings in the trace of a case, for the driver that
// minds the rule most.
func checkCase(t *testing.T, r *streamout.Rule, c streamout.Case) string {
	t.Helper()
	text, err := recordCase(c)
	require.NoError(t, err)
	args, top := []string{"check", "--format", "json", "--min-severity", "note"}, r.Severity
	for _, e := range r.Drivers {
		if e.Severity > top {
			args, top = append(args[:5:5], "--driver", e.Driver), e.Severity
		}
	}
	var stdout, stderr bytes.Buffer
	code := run(append(args, "-"), bytes.NewReader(text), &stdout, &stderr)
	require.NotEqual(t, exitFailure, code, stderr.String())
	return stdout.String()
}
