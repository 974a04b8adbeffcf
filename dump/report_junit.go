package dump

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// The elements are those that both schemas in use demand and allow: that of
// Ant's JUnit task and that of Jenkins's xUnit plugin.
type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	ID         int             `xml:"id,attr"`
	Package    string          `xml:"package,attr"`
	Name       string          `xml:"name,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Host       string          `xml:"hostname,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        junitText       `xml:"system-out"`
	Err        junitText       `xml:"system-err"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// FindingsJUnit writes the findings as JUnit XML: a suite for each trace, and in
// it a case for each finding, which fails when it is an error. What is no error
// is told in the suite's output. A trace without findings has one case, which
// passes.
func FindingsJUnit(w io.Writer, version string, _ []*streamout.Rule, results []TraceResult) error {
	var all junitSuites
	for i := range results {
		all.Suites = append(all.Suites, junitSuiteOf(i, version, &results[i]))
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

func junitSuiteOf(id int, version string, r *TraceResult) junitSuite {
	s := junitSuite{ID: id, Package: "outflow.check", Name: r.Trace, Time: "0", Host: "localhost",
		Timestamp: r.Checked.UTC().Format("2006-01-02T15:04:05"), Properties: []junitProperty{{"outflow", version}}}
	var out strings.Builder
	for k := range r.Findings {
		f := &r.Findings[k]
		c := junitCase{Class: r.Trace, Name: fmt.Sprintf("%s line %d", f.Rule.ID, f.Pos.Line), Time: "0"}
		text := printable(fmt.Sprintf("%s:%d: %s: %s", r.Trace, f.Pos.Line, f.Severity, callMessage(f)))
		if f.Severity == streamout.Error {
			c.Failure = &junitFailure{Type: f.Rule.ID, Message: printable(f.Message), Text: text}
			s.Failures++
		} else {
			fmt.Fprintln(&out, text)
		}
		s.Cases = append(s.Cases, c)
	}
	if len(s.Cases) == 0 {
		s.Cases = []junitCase{{Class: r.Trace, Name: "stream output", Time: "0"}}
	}
	s.Tests, s.Out = len(s.Cases), junitText{out.String()}
	return s
}
