package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// FindingText writes a finding as a compiler writes an error: one line with
// file, line, severity, call and rule, and an indented one for each related
// call.
func FindingText(w io.Writer, traceName string, f *streamout.Finding, p Palette) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", traceName)
	if f.Pos.Line > 0 {
		fmt.Fprintf(&b, "%d:", f.Pos.Line)
	}
	fmt.Fprintf(&b, " %s: ", p.Severity(f.Severity))
	switch {
	case f.No != 0 && f.Method != "":
		fmt.Fprintf(&b, "call %d %s: ", f.No, f.Method)
	case f.No != 0:
		fmt.Fprintf(&b, "call %d: ", f.No)
	case f.Method != "":
		fmt.Fprintf(&b, "%s: ", f.Method)
	}
	fmt.Fprintf(&b, "%s [%s]\n", printable(f.Message), f.Rule.ID)
	for _, r := range f.Related {
		fmt.Fprintf(&b, "\t%s:%d: call %d: %s\n", traceName, r.Pos.Line, r.No, printable(r.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printable keeps control characters, which names in a trace may hold, from the
// terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}

type findingJSON struct {
	Schema   string        `json:"schema"`
	Type     string        `json:"type"`
	Trace    string        `json:"trace"`
	Rule     string        `json:"rule"`
	Severity string        `json:"severity"`
	Call     *Uint         `json:"call,omitempty"`
	Line     int           `json:"line,omitempty"`
	Byte     *Uint         `json:"byte,omitempty"`
	Method   string        `json:"method,omitempty"`
	Path     string        `json:"path,omitempty"`
	Message  string        `json:"message"`
	Buffer   *int          `json:"buffer,omitempty"`
	Output   *int          `json:"output,omitempty"`
	Stream   *int          `json:"stream,omitempty"`
	Related  []relatedJSON `json:"related"`
}

type relatedJSON struct {
	Call    Uint   `json:"call"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

// FindingJSON writes a finding as an object of type "finding".
func FindingJSON(w io.Writer, traceName string, f *streamout.Finding) error {
	o := findingJSON{Schema: Schema, Type: "finding", Trace: traceName, Rule: f.Rule.ID, Severity: f.Severity.String(),
		Line: f.Pos.Line, Method: f.Method, Path: f.Path, Message: f.Message, Related: []relatedJSON{}}
	if f.No != 0 {
		o.Call = (*Uint)(&f.No)
	}
	if f.Pos.Line != 0 {
		offset := Uint(f.Pos.Byte)
		o.Byte = &offset
	}
	o.Buffer, o.Output, o.Stream = index(f.Buffer), index(f.Output), index(f.Stream)
	for _, r := range f.Related {
		o.Related = append(o.Related, relatedJSON{Uint(r.No), r.Pos.Line, r.Message})
	}
	return WriteJSON(w, o)
}

// index is nil for what a finding is not about.
func index(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}

type summaryJSON struct {
	Schema              string `json:"schema"`
	Type                string `json:"type"`
	Trace               string `json:"trace"`
	Complete            bool   `json:"complete"`
	Ending              string `json:"ending"`
	Calls               Uint   `json:"calls"`
	Contexts            int    `json:"contexts"`
	Shaders             int    `json:"shaders"`
	StreamOutputShaders int    `json:"streamOutputShaders"`
	ShadersWithoutText  int    `json:"shadersWithoutText"`
	Targets             int    `json:"targets"`
	Draws               Uint   `json:"draws"`
	CapturedDraws       Uint   `json:"capturedDraws"`
	Errors              int    `json:"errors"`
	Warnings            int    `json:"warnings"`
	Notes               int    `json:"notes"`
	Repeats             int    `json:"repeats"`
	Malformed           Uint   `json:"malformed"`
}

// SummaryJSON writes the counts of a trace as an object of type "summary".
func SummaryJSON(w io.Writer, traceName string, s *streamout.Summary, e *trace.Ending) error {
	return WriteJSON(w, summaryJSON{Schema, "summary", traceName, e.Complete, e.Kind.String(), Uint(s.Calls), s.Contexts,
		s.Shaders, s.StreamOutputShaders, s.ShadersWithoutText, s.Targets, Uint(s.Draws), Uint(s.CapturedDraws),
		s.Errors, s.Warnings, s.Notes, s.Repeats, Uint(e.Malformed)})
}

// SummaryText writes the counts of a trace as one line.
func SummaryText(w io.Writer, traceName string, s *streamout.Summary, e *trace.Ending, p Palette) error {
	ending := ""
	if !e.Complete {
		ending = ", " + map[trace.EndingKind]string{
			trace.BetweenCalls: "ends without its closing tag",
			trace.InsideCall:   "ends inside a call",
		}[e.Kind]
	}
	_, err := fmt.Fprintf(w, "%s: %s; %s, %s of them with stream output, %s, %s of %s captured%s\n", traceName,
		verdict(s, p), plural(s.Shaders, "shader"), number(s.StreamOutputShaders), plural(s.Targets, "target"),
		number(s.CapturedDraws), plural(s.Draws, "draw"), ending)
	return err
}

// verdict is the counts of findings in words, "clean" when there is nothing to
// act on.
func verdict(s *streamout.Summary, p Palette) string {
	if s.Errors == 0 && s.Warnings == 0 {
		return p.Clean("clean") + ", " + plural(s.Notes, "note") + " in " + plural(s.Calls, "call")
	}
	return plural(s.Errors, "error") + ", " + plural(s.Warnings, "warning") + ", " + plural(s.Notes, "note") + " in " + plural(s.Calls, "call")
}

func plural[T int | uint64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return number(n) + " " + what + "s"
}

func number[T int | uint64](n T) string { return fmt.Sprint(n) }
