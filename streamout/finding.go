package streamout

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
)

// Severity is how much a finding matters.
type Severity uint8

// The severities. Silent findings are not reported.
const (
	Silent  Severity = iota
	Note             // worth knowing, nothing is wrong
	Warning          // legal, but some driver breaks or it is almost surely a mistake
	Error            // the contract of the interface is broken
)

var severityWords = [...]string{"silent", "note", "warning", "error"}

// String returns the word: "warning".
func (s Severity) String() string {
	if int(s) < len(severityWords) {
		return severityWords[s]
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// ParseSeverity reads the word of String.
func ParseSeverity(word string) (Severity, bool) {
	for s, w := range severityWords {
		if w == word {
			return Severity(s), true
		}
	}
	return 0, false
}

// Finding is one thing that a rule found.
type Finding struct {
	Rule     *Rule
	Severity Severity
	// No, Pos and Method are those of the operation that the finding is about; a
	// finding about a whole trace has none but a Pos.
	No     uint64
	Pos    pipe.Pos
	Method string
	// Path is the argument, as in "state.stream_output.stride[0]".
	Path    string
	Message string
	// Buffer, Output and Stream are the indices that the finding is about,
	// -1 where it is about none. Buffer counts as slot of a target.
	Buffer, Output, Stream int
	// Related are the other calls that have a part in it.
	Related []Related
	// Repeats counts the equal findings of later calls, which are not reported.
	Repeats int

	subject uint64 // serial of the object that it is about, 0 for none
}

// Related is another call that has a part in a finding.
type Related struct {
	No      uint64
	Pos     pipe.Pos
	Message string
}
