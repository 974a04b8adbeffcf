package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a finding matters.
type Severity uint8

// Severities, mildest first.
const (
	Note Severity = iota
	Warning
	Error
)

// String gives the word used in text, SARIF and JSON.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

// ParseSeverity reads note, warning or error.
func ParseSeverity(word string) (Severity, error) {
	for _, s := range []Severity{Note, Warning, Error} {
		if word == s.String() {
			return s, nil
		}
	}
	return Note, fmt.Errorf("severity %q: want note, warning or error", word)
}

// Verdict is the kind of fault.
type Verdict string

// The verdicts of an audit.
const (
	// NotZeroed: an object leaves its function with the member never written.
	NotZeroed Verdict = "not-zeroed"
	// PartlyZeroed: only the member's count is cleared before the object leaves.
	PartlyZeroed Verdict = "partly-zeroed"
	// NotPreserved: another object is filled from a source, without the member.
	NotPreserved Verdict = "not-preserved"
	// NotDumped: a dumper omits the member, or some fields of it.
	NotDumped Verdict = "not-dumped"
)

// Verdicts lists every verdict in order.
func Verdicts() []Verdict { return []Verdict{NotZeroed, PartlyZeroed, NotPreserved, NotDumped} }

// Describe says in one sentence what a verdict means.
func (v Verdict) Describe() string {
	switch v {
	case NotZeroed:
		return "An object leaves its function before the member is written."
	case PartlyZeroed:
		return "Only the member's count is cleared before the object leaves its function."
	case NotPreserved:
		return "An object is filled from another one of its type, and the member is dropped."
	case NotDumped:
		return "A function that dumps, prints, writes or serialises the struct omits the member, or fields of it."
	}
	return ""
}

// Step is one point on the way to a fault.
type Step struct {
	Line int    `json:"line"` // in the finding's file
	What string `json:"what"` // declared, written, passed to ...
}

// Finding is one fault. File is relative to the audited directory, with
// slashes. Line is that of the declaration (not-zeroed), of the write of the
// shader's text (not-preserved) or of the function's header (not-dumped).
type Finding struct {
	File     string
	Line     int
	Function string
	Variable string
	Verdict  Verdict
	Severity Severity
	How      string // stack, heap, partial, struct-to-struct, private, omitted
	Stage    string // vertex, fragment ...; empty when not seen
	Struct   string
	Reason   string
	Path     []Step
}

// Key names the finding without its line, so that a baseline outlives edits
// elsewhere in the file.
func (f *Finding) Key() string {
	return strings.Join([]string{string(f.Verdict), f.File, f.Function, f.Variable, f.Struct}, "|")
}

// Text gives the finding as a compiler would.
func (f *Finding) Text() string {
	return fmt.Sprintf("%s:%d: %s: %s: %s: %s: %s", f.File, f.Line, f.Severity, f.Verdict, f.Function, f.Variable, f.Reason)
}

func sortFindings(list []Finding) []Finding {
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Variable, b.Variable), cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.Struct, b.Struct))
	})
	return slices.CompactFunc(list, func(a, b Finding) bool {
		return a.Key() == b.Key() && a.Line == b.Line
	})
}
