package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHelpCases answers the JSON cases that the help of a verb shows: each must
// be possible.
func TestHelpCases(t *testing.T) {
	for _, test := range []struct {
		verb  string
		cases int
	}{{"translate", 3}, {"tess", 2}, {"depthstencil", 1}, {"cmask", 4}} {
		t.Run(test.verb, func(t *testing.T) {
			var help, answers, errs bytes.Buffer
			require.Equal(t, exitClean, run([]string{"help", test.verb}, nil, &help, &errs))
			cases := helpCases(t, help.String())
			require.Len(t, cases, test.cases)
			code := run([]string{test.verb, "--jsonl"}, strings.NewReader(strings.Join(cases, "\n")), &answers, &errs)
			require.Equal(t, exitClean, code, "%s%s", &answers, &errs)
			require.Equal(t, test.cases, strings.Count(answers.String(), "\n"))
		})
	}
}

// helpCases returns the JSON objects in a help text, each on one line.
func helpCases(t *testing.T, text string) (cases []string) {
	const begin = "    {\""
	for {
		_, rest, found := strings.Cut(text, begin)
		if !found {
			return cases
		}
		text = begin + rest
		var object json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		require.NoError(t, d.Decode(&object))
		var line bytes.Buffer
		require.NoError(t, json.Compact(&line, object))
		cases = append(cases, line.String())
		text = text[d.InputOffset():]
	}
}

// TestFlagFaults holds every fault of a flag to the words of the house: what it
// is, what was expected, where to read on.
func TestFlagFaults(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no such flag", []string{"check", "--bogus"}, "outflow: check: there is no flag --bogus; see `outflow help check`\n"},
		{"no such short flag", []string{"run", "-z"}, "there is no flag -z"},
		{"value left out", []string{"check", "--format"}, "outflow: check: --format needs a value; see `outflow help check`\n"},
		{"no number", []string{"state", "--call", "abc"}, `outflow: state: call is "abc", want a number from 0 on; see`},
		{"negative where none can be", []string{"state", "--draw=-1"}, `draw is "-1", want a number from 0 on`},
		{"signed number", []string{"check", "--max", "x"}, `max is "x", want a number;`},
		{"negative count", []string{"check", "--max=-1", "a.xml"}, "outflow: check: max is -1, want 0 or more\n"},
		{"negative jobs", []string{"check", "--jobs=-1", "a.xml"}, "outflow: check: jobs is -1, want 0 or more\n"},
		{"negative calls", []string{"dump", "--times", "--most=-3", "a.xml"}, "outflow: dump: most is -3, want 0 or more\n"},
		{"no truth", []string{"check", "--strict=maybe"}, `strict is "maybe", want true or false`},
		{"no time", []string{"run", "--grace", "2"}, `grace is "2", want a time such as 2s or 500ms`},
		{"a reason of its own", []string{"cmask", "--scissor", "1"}, `cmask: scissor is "1": `},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(test.args, strings.NewReader(""), &out, &errs)
			require.Contains(t, []int{exitFailure, exitRunFailed}, code)
			require.Contains(t, errs.String(), test.want)
			require.Empty(t, out.String())
		})
	}
}
