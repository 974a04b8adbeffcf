package dump

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// longExcerpt is how many lines of an excerpt are printed.
const longExcerpt = 60

// Excerpt writes the calls of a trace for people to read: without its frame, the
// calls that make screen and context, and times; long values are broken up. With
// a trace to compare with, calls that it has too are left out.
func Excerpt(w io.Writer, trace, known []byte) error {
	seen := map[string]bool{}
	for _, call := range callsOf(known) {
		seen[call] = true
	}
	calls := callsOf(trace)
	var lines []string
	left := 0
	for _, call := range calls {
		if seen[call] {
			left++
			continue
		}
		lines = append(lines, strings.Split(call, "\n")...)
	}
	if left == len(calls) { // only the order differs, or one is missing
		left = 0
		lines = strings.Split(strings.Join(calls, "\n"), "\n")
	}
	var b strings.Builder
	for i, line := range lines {
		if i == longExcerpt {
			fmt.Fprintf(&b, "  ... %d more lines\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	switch {
	case left == 1:
		b.WriteString("  (1 call is the same)\n")
	case left > 1:
		fmt.Fprintf(&b, "  (%d calls are the same)\n", left)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// callsOf returns the calls of a trace that a Recorder wrote, each ready to be
// printed.
func callsOf(trace []byte) []string {
	var calls []string
	for {
		_, rest, ok := bytes.Cut(trace, []byte("\t<call "))
		if !ok {
			return calls
		}
		call, after, _ := bytes.Cut(rest, []byte("</call>\n"))
		trace = after
		if bytes.Contains(call, []byte("method='pipe_screen_create'")) || bytes.Contains(call, []byte("method='context_create'")) {
			continue
		}
		calls = append(calls, readable("<call "+string(call)+"</call>"))
	}
}

// breaks are the places in a long value before which a line begins, with how
// deep it stands.
var breaks = strings.NewReplacer(
	"<member name='stream_output'>", "\n\t\t<member name='stream_output'>",
	"<member name='num_outputs'>", "\n\t\t\t<member name='num_outputs'>",
	"<member name='stride'>", "\n\t\t\t<member name='stride'>",
	"<member name='output'>", "\n\t\t\t<member name='output'>",
	"<elem><struct", "\n\t\t\t\t<elem><struct",
)

func readable(call string) string {
	var lines []string
	for line := range strings.Lines(call) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "<time>") {
			continue
		}
		line = strings.TrimPrefix(line, "\t")
		lines = append(lines, strings.ReplaceAll(breaks.Replace(line), "\t", "  "))
	}
	return strings.Join(lines, "\n")
}
