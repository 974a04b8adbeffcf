package dump

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"

	"github.com/outflow-gpu/outflow/dump/sarif"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// TraceResult is everything that a check found in one trace, for the forms that
// are written whole.
type TraceResult struct {
	Trace    string
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

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// FindingsJUnit writes the findings as JUnit XML: a suite for each trace, and in
// it a case for each finding, which fails when it is an error. A trace without
// findings has one case, which passes.
func FindingsJUnit(w io.Writer, _ string, _ []*streamout.Rule, results []TraceResult) error {
	all := junitSuites{Name: "outflow check"}
	for i := range results {
		s := junitSuite{Name: results[i].Trace, Time: "0"}
		for k := range results[i].Findings {
			s.Cases = append(s.Cases, junitCaseOf(results[i].Trace, &results[i].Findings[k]))
			if s.Cases[k].Failure != nil {
				s.Failures++
			}
		}
		if len(s.Cases) == 0 {
			s.Cases = []junitCase{{Class: results[i].Trace, Name: "stream output", Time: "0"}}
		}
		s.Tests = len(s.Cases)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitCaseOf(traceName string, f *streamout.Finding) junitCase {
	c := junitCase{Class: traceName, Name: fmt.Sprintf("%s line %d", f.Rule.ID, f.Pos.Line), Time: "0"}
	text := fmt.Sprintf("%s:%d: %s: %s", traceName, f.Pos.Line, f.Severity, callMessage(f))
	if f.Severity == streamout.Error {
		c.Failure = &junitFailure{Type: f.Rule.ID, Message: printable(f.Message), Text: printable(text)}
	} else {
		c.Out = printable(text)
	}
	return c
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
