package streamout

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe/state"
)

// Draft is a finding that a rule is telling. Nearly all findings of a long run are
// repeats, which nobody reads: of one that is known to be, nothing is kept.
type Draft struct {
	rule     *Rule
	severity Severity
	path     string
	subject  uint64
	first    *Finding // the equal one that was reported, nil when none is known yet

	// Of those that are not known to be repeats.
	view                   *View
	order                  int // among the drafts
	words                  phrase
	buffer, output, stream int
}

// phrase is a message that is not spelled out yet.
type phrase struct {
	format string
	args   []any
}

func (p phrase) append(b []byte) []byte { return fmt.Appendf(b, p.format, p.args...) }

// lateRelated is a Related that is not spelled out yet.
type lateRelated struct {
	draft int // its order
	at    state.At
	words phrase
}

// InBuffer says which buffer or target slot the finding is about.
func (d *Draft) InBuffer(b int) *Draft { d.buffer = b; return d }

// AtOutput says which output of the info the finding is about.
func (d *Draft) AtOutput(i int) *Draft { d.output = i; return d }

// OnStream says which vertex stream the finding is about.
func (d *Draft) OnStream(s int) *Draft { d.stream = s; return d }

// With adds a call that has a part in the finding; one that was never made, or
// happened live, is left out.
func (d *Draft) With(at state.At, format string, args ...any) *Draft {
	if v := d.view; v != nil && at.No != 0 {
		v.related = append(v.related, lateRelated{d.order, at, v.phrase(format, args)})
	}
	return d
}

// breaks says whether the finding makes the object that it is about useless for
// other rules: what one driver alone cannot take is none the worse for others.
func (d *Draft) breaks() bool { return d.severity == Error && d.rule.Severity == Error }
