package frontend

import (
	"fmt"
	"slices"
	"sync"

	"github.com/outflow-gpu/outflow/streamout"
)

// Rule is a demand of an API on declarations of stream output.
type Rule struct {
	ID        string
	Severity  streamout.Severity // Error stops the translation
	Condition string             // when it is broken
}

// Diagnostic is one thing that a translation says about its declarations beside
// the info: a warning or a note.
type Diagnostic struct {
	Rule     string
	Severity streamout.Severity
	Message  string
}

// Error is a declaration that the API, or Gallium, refuses. Rule is "" when it
// does not even make a case: an output without a place, say.
type Error struct {
	Rule    string
	Message string
}

// Error returns the message, with the rule behind it.
func (e *Error) Error() string {
	if e.Rule == "" {
		return e.Message
	}
	return e.Message + " [" + e.Rule + "]"
}

// ranks is the place of each rule in the order in which they are checked.
var ranks = sync.OnceValue(func() map[string]int {
	m := make(map[string]int)
	for i, r := range Rules() {
		m[r.ID] = i
	}
	return m
})

// severityOf returns the severity of a rule, Error for rules of other catalogs.
func severityOf(id string) streamout.Severity {
	if i, ok := ranks()[id]; ok {
		return Rules()[i].Severity
	}
	return streamout.Error
}

// Report collects what is wrong with the declarations of one case. The zero
// Report is empty.
type Report struct {
	failures []*Error
	said     []Diagnostic
}

// Break says that a rule is broken. Whether that is an error or a warning is
// the rule's severity; an empty id is a case that is none.
func (r *Report) Break(rule, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if s := severityOf(rule); s < streamout.Error {
		r.Say(Diagnostic{rule, s, message})
		return
	}
	if len(r.failures) < maxSaid || !slices.ContainsFunc(r.failures, func(e *Error) bool { return e.Rule == rule }) {
		r.failures = append(r.failures, &Error{rule, message})
	}
}

// maxSaid is how many warnings and notes a case gets.
const maxSaid = 1000

// Say adds a warning or note; one that was said already is left out, and so is
// what comes after a thousand.
func (r *Report) Say(d Diagnostic) {
	if len(r.said) < maxSaid && !slices.Contains(r.said, d) {
		r.said = append(r.said, d)
	}
}

// Broken says whether an error was reported.
func (r *Report) Broken() bool { return len(r.failures) > 0 }

// Err returns the error of the first rule that was broken, in the order of
// Rules. What is no case at all comes after those; rules of other catalogs come
// last. It is nil when there is none.
func (r *Report) Err() error {
	if len(r.failures) == 0 {
		return nil
	}
	return slices.MinFunc(r.failures, func(a, b *Error) int { return rank(a.Rule) - rank(b.Rule) })
}

// rank orders rules: those of this catalog, then no rule, then others.
func rank(id string) int {
	known := ranks()
	if i, ok := known[id]; ok {
		return i
	}
	if id == "" {
		return len(known)
	}
	return len(known) + 1
}
