package dump

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/outflow-gpu/outflow/dump/sarif"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// TraceResult is everything that a check found in one trace, for the forms that
// are written whole.
type TraceResult struct {
	Trace    string
	Checked  time.Time
	Findings []streamout.Finding
	Summary  streamout.Summary
	Ending   trace.Ending
}

// anyAddress is what differs between two runs of one program.
var anyAddress = regexp.MustCompile(`0x[0-9a-f]+`)

// FindingIdentity tells a finding from the others of a run, whatever line and
// call it stands at and wherever its objects lie. Baselines and fingerprints
// are made of it.
func FindingIdentity(traceName string, f *streamout.Finding) string {
	return traceName + " " + f.Rule.ID + " " + f.Method + " " + f.Path + " " + anyAddress.ReplaceAllString(f.Message, "0x")
}

// callMessage is the message with the call that a form has no field for.
func callMessage(f *streamout.Finding) string {
	if f.No == 0 {
		return f.Message
	}
	return fmt.Sprintf("call %d %s: %s", f.No, f.Method, f.Message)
}

// FindingsSARIF writes the findings as one SARIF 2.1.0 document.
func FindingsSARIF(w io.Writer, version string, rules []*streamout.Rule, results []TraceResult) error {
	l := &sarif.Log{Tool: "outflow check", Version: version}
	for _, r := range rules {
		l.Rules = append(l.Rules, sarif.Rule{ID: r.ID, Title: r.Title, Help: r.Condition + ": " + r.Why, Level: sarifLevel(r.Severity)})
	}
	for i := range results {
		for k := range results[i].Findings {
			f := &results[i].Findings[k]
			r := sarif.Result{RuleID: f.Rule.ID, Level: sarifLevel(f.Severity), Message: callMessage(f),
				Place: sarif.Place{File: results[i].Trace, Line: f.Pos.Line}, Identity: FindingIdentity(results[i].Trace, f)}
			for _, rel := range f.Related {
				r.Related = append(r.Related, sarif.Place{File: results[i].Trace, Line: rel.Pos.Line, Message: fmt.Sprintf("call %d: %s", rel.No, rel.Message)})
			}
			l.Results = append(l.Results, r)
		}
	}
	return sarif.Write(w, l)
}

func sarifLevel(s streamout.Severity) sarif.Level {
	switch s {
	case streamout.Error:
		return sarif.LevelError
	case streamout.Warning:
		return sarif.LevelWarning
	}
	return sarif.LevelNote
}

type codeQuality struct {
	Description string       `json:"description"`
	Check       string       `json:"check_name"`
	Fingerprint string       `json:"fingerprint"`
	Severity    string       `json:"severity"`
	Location    codeLocation `json:"location"`
}

type codeLocation struct {
	Path  string    `json:"path"`
	Lines codeLines `json:"lines"`
}

type codeLines struct {
	Begin int `json:"begin"`
}

// FindingsCodeQuality writes the findings as a GitLab code quality report.
// Findings that are equal but for their call get fingerprints of their own, as
// GitLab demands.
func FindingsCodeQuality(w io.Writer, _ string, _ []*streamout.Rule, results []TraceResult) error {
	list := []codeQuality{}
	seen := map[string]int{}
	for i := range results {
		for k := range results[i].Findings {
			f := &results[i].Findings[k]
			id := FindingIdentity(results[i].Trace, f)
			seen[id]++
			sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", id, seen[id]))
			list = append(list, codeQuality{callMessage(f), f.Rule.ID, hex.EncodeToString(sum[:16]), codeQualitySeverity(f.Severity),
				codeLocation{results[i].Trace, codeLines{max(f.Pos.Line, 1)}}})
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

func codeQualitySeverity(s streamout.Severity) string {
	switch s {
	case streamout.Error:
		return "critical"
	case streamout.Warning:
		return "minor"
	}
	return "info"
}
