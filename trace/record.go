package trace

import (
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// RecordKind tells what a record is.
type RecordKind uint8

// The kinds of records.
const (
	// CallRecord is a call, whole unless Open.
	CallRecord RecordKind = iota
	// HeaderRecord is an XML declaration or an opening <trace>: a new world
	// begins, in which no object of before is known.
	HeaderRecord
	// FooterRecord is a closing </trace>. More may follow.
	FooterRecord
	// MalformedRecord is a call that could not be read whole; Problem says why.
	// Its Values are those up to there.
	MalformedRecord
	// StrayRecord is a <string> outside any call, as Mesa leaks shader text into
	// traces made by trigger. Its one bare value is the string.
	StrayRecord
	// NoiseRecord is a line of other text outside any call, such as the output of
	// the program when the trace goes to standard output too.
	NoiseRecord
)

var recordKindNames = [...]string{"call", "header", "footer", "malformed", "stray", "noise"}

// String returns one word.
func (k RecordKind) String() string {
	if int(k) < len(recordKindNames) {
		return recordKindNames[k]
	}
	return "RecordKind(" + strconv.Itoa(int(k)) + ")"
}

// Record is one call of a trace, or what stands between calls. It belongs to
// its Batch and is valid until that is released; Class, Method, Pos and Problem
// may be kept, Values must be cloned.
type Record struct {
	Kind    RecordKind
	Open    bool // the trace ends inside: what is here is true, but more was to come
	Skipped bool // Values were not read, as Options.Wanted said
	HasNo   bool // calls had no number before 2009

	No     uint64
	Class  string // pipe_screen, pipe_context ...; empty for pipe_screen_create
	Method string
	Pos    pipe.Pos // of the first byte
	End    int64    // offset in the text behind the last byte
	Raw    []byte   // the text from Pos to End
	Values pipe.Values

	// Problem is nil for all that is well formed.
	Problem *Problem

	repeat *repeat // the same for calls of the same text, nil for most that come once
}

// Problem is what makes a call malformed.
type Problem struct {
	Pos    pipe.Pos // where reading failed, within the call
	Method string   // of the call, may be empty
	Reason string
}

// Error says the problem with its place, as "app.xml:1042: draw_vbo: reason".
func (p *Problem) Error() string {
	s := p.Pos.File + ":" + strconv.Itoa(p.Pos.Line) + ": "
	if p.Method != "" {
		s += p.Method + ": "
	}
	return s + p.Reason
}
