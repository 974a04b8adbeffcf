package streamout

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
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

	subject uint64
	view    *View // that reports it, until it is spelled
	order   int   // among the findings of the operation
	words   phrase
	first   *Finding // the equal one that was reported, if that was seen in time
}

// breaks says whether the finding makes the object that it is about useless for
// other rules: what one driver alone cannot take is none the worse for others.
func (f *Finding) breaks() bool { return f.Severity == Error && f.Rule.Severity == Error }

// phrase is a message that is not spelled out yet: nearly all findings of a long
// run are repeats, which nobody reads.
type phrase struct {
	format string
	args   []any
}

func (p phrase) append(b []byte) []byte { return fmt.Appendf(b, p.format, p.args...) }

// lateRelated is a Related that is not spelled out yet.
type lateRelated struct {
	finding int // its order
	at      state.At
	words   phrase
}

// Related is another call that has a part in a finding.
type Related struct {
	No      uint64
	Pos     pipe.Pos
	Message string
}

// InBuffer says which buffer or target slot the finding is about.
func (f *Finding) InBuffer(b int) *Finding { f.Buffer = b; return f }

// AtOutput says which output of the info the finding is about.
func (f *Finding) AtOutput(i int) *Finding { f.Output = i; return f }

// OnStream says which vertex stream the finding is about.
func (f *Finding) OnStream(s int) *Finding { f.Stream = s; return f }

// About says which object the finding is about, before With. An error taints the
// object: see View.Clean.
func (f *Finding) About(o *state.Object) *Finding {
	if o != nil {
		f.subject = o.Serial
	}
	return f
}

// With adds a call that has a part in the finding; one that was never made, or
// happened live, is left out.
func (f *Finding) With(at state.At, format string, args ...any) *Finding {
	switch v := f.view; {
	case at.No == 0:
	case v == nil:
		f.Related = append(f.Related, Related{at.No, at.Pos, fmt.Sprintf(format, args...)})
	case !f.repeated(): // of a repeat nobody reads it
		v.related = append(v.related, lateRelated{f.order, at, v.phrase(format, args)})
	}
	return f
}

// repeated says whether an equal finding is known to have been reported. What is not
// seen at once is left to repeats.find.
func (f *Finding) repeated() bool {
	if f.first == nil {
		f.first = f.view.track.repeats.recall(f)
	}
	return f.first != nil
}
