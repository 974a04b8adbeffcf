package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/dump/baseline"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// checkFormat is one of the forms that check prints in. A form either prints
// each finding as it comes and a summary behind each trace, or everything at
// the end.
type checkFormat struct {
	name    string
	finding func(w io.Writer, traceName string, f *streamout.Finding, p dump.Palette) error
	summary func(w io.Writer, traceName string, s *streamout.Summary, e *trace.Ending, p dump.Palette) error
	whole   func(w io.Writer, version string, rules []*streamout.Rule, results []dump.TraceResult) error
}

// checkFormats lists them in the order of the help.
func checkFormats() []checkFormat {
	return []checkFormat{
		{name: "text", finding: dump.FindingText, summary: dump.SummaryText},
		{
			name: "json",
			finding: func(w io.Writer, name string, f *streamout.Finding, _ dump.Palette) error {
				return dump.FindingJSON(w, name, f)
			},
			summary: func(w io.Writer, name string, s *streamout.Summary, e *trace.Ending, _ dump.Palette) error {
				return dump.SummaryJSON(w, name, s, e)
			},
		},
		{name: "sarif", whole: dump.FindingsSARIF},
		{name: "junit", whole: dump.FindingsJUnit},
		{name: "codequality", whole: dump.FindingsCodeQuality},
	}
}

func checkFormatNamed(name string) (checkFormat, error) {
	all := checkFormats()
	if i := slices.IndexFunc(all, func(f checkFormat) bool { return f.name == name }); i >= 0 {
		return all[i], nil
	}
	return checkFormat{}, fmt.Errorf("format is %q, want text, json, sarif, junit or codequality", name)
}

// knownFindings is the baseline of a check: those to leave out, and those seen.
// It is shared by the traces that are checked at once.
type knownFindings struct {
	mu   sync.Mutex
	old  *baseline.Baseline // nil for none
	seen *baseline.Baseline // nil when none is to be written
}

// take says whether the baseline knows the finding, and notes that it was seen.
// Notes are not kept: they change no exit code.
func (k *knownFindings) take(traceName string, f *streamout.Finding) bool {
	if f.Severity < streamout.Warning || k.old == nil && k.seen == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	id := dump.FindingIdentity(traceName, f)
	if k.seen != nil {
		k.seen.Add(id)
	}
	return k.old.Take(id)
}

// traceResults are the results of traces that are checked at once.
type traceResults struct {
	mu  sync.Mutex
	all map[string]dump.TraceResult
}

func (t *traceResults) add(r dump.TraceResult) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]dump.TraceResult{}
	}
	t.all[r.Trace] = r
}

// inOrder returns the results in the order of the operands, without those that
// could not be read.
func (t *traceResults) inOrder(names []string) []dump.TraceResult {
	var list []dump.TraceResult
	for _, name := range names {
		if r, ok := t.all[name]; ok {
			list = append(list, r)
		}
	}
	return list
}
