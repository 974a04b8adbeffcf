package streamout

import "github.com/outflow-gpu/outflow/pipe"

// Trigger says for which operations a rule is asked. They may be combined.
type Trigger uint32

// The triggers.
const (
	// OnCreateShader: creates of graphics shaders. View.Info is set.
	OnCreateShader Trigger = 1 << iota
	// OnShaderCreated: the same creates after they were carried out, so that
	// View.Op.Ret is what the driver returned.
	OnShaderCreated
	// OnCreateTarget: create_stream_output_target.
	OnCreateTarget
	// OnSetTargets: set_stream_output_targets with a num_targets other than 0.
	OnSetTargets
	// OnCaptureState: as OnCapture, but only for the first draw after something
	// changed that stream output depends on (state.Context.Revision).
	OnCaptureState
	// OnCapture: draws while a target is bound. What is told of a changed state is
	// known to the rules for every draw.
	OnCapture
	// OnDrawAuto: draws that take their count from a target, or claim to.
	OnDrawAuto
	// OnDraw: every draw.
	OnDraw
	// OnDrawState: as OnDraw, but only for the first draw after a change.
	OnDrawState
	// OnCreateQuery: create_query.
	OnCreateQuery
	// OnQuery: begin_query, end_query, destroy_query.
	OnQuery
	// OnQueryResult: get_query_result, after it was carried out.
	OnQueryResult
	// OnCondition: render_condition.
	OnCondition
	// OnBindShader: bind_*_state of a shader, not of NULL.
	OnBindShader
	// OnDelete: delete_*_state.
	OnDelete
	// OnDestroyTarget: stream_output_target_destroy.
	OnDestroyTarget
	// OnAccess: operations that read or write a resource outside of a draw: map,
	// subdata, copy, clear_buffer, invalidate, replaced storage, query results.
	OnAccess
	// OnDestroyContext: destroy of a context.
	OnDestroyContext
	// OnCreateState: creates of rasterizer, blend, depth/stencil and like states.
	OnCreateState
	// OnMisfit: any operation with a number that does not fit its field.
	OnMisfit
	// OnMalformed: a call of a trace that could not be read. View.Malformed is set.
	OnMalformed
	// OnTwoWriters: the first call number that goes back.
	OnTwoWriters
	// OnEnd: the end of a trace. View.End is set.
	OnEnd
	numTriggers = iota
)

// Case is a small program that shows a rule at work: calls on a context of a
// driver that accepts everything.
type Case func(pipe.Context) error

// Escalation is the severity that a rule has for one driver.
type Escalation struct {
	Driver   string // the name of a pipe.Profile, or of the driver of several
	Severity Severity
}

// Rule is one entry of the catalog: what it demands, why, and how it is checked.
type Rule struct {
	// ID names the rule for ever: "so-overlap".
	ID string
	// Title says what is wrong in a few words.
	Title string
	// Severity is that of a live stack without a driver profile.
	Severity Severity
	// InTrace is the severity in a trace, where it is another one: traces do not
	// show everything. Silent means the same as Severity.
	InTrace Severity
	// Drivers are the profiles for which the severity is another one.
	Drivers []Escalation
	// OnlyDrivers is set for rules about what those drivers alone cannot do: with
	// the profile of another one they are silent.
	OnlyDrivers bool
	// Order is set for rules about lifetime and order of calls. They are notes
	// once a trace turns out to have two writers.
	Order bool
	// Condition says in words when the rule reports.
	Condition string
	// Why says what goes wrong, and in which drivers.
	Why string
	// Fix says what would be right.
	Fix string
	// Sources are the files and sections that the rule rests on.
	Sources []string
	// On says for which operations Check is asked.
	On Trigger
	// If says of which of these operations alone: of those for which all of it holds.
	If Premise
	// Check looks at the view and reports with View.Report. It keeps nothing.
	Check func(*View)
	// Bad yields the rule and nothing else above a note; Good comes as close as
	// is legal and does not yield it.
	Bad, Good Case
}

// For returns the severity that the rule has for a profile, nil for none: that
// of the profile itself, else of its driver, else the rule's own.
func (r *Rule) For(p *pipe.Profile) Severity {
	s, _ := r.escalated(p)
	return s
}

func (r *Rule) escalated(p *pipe.Profile) (s Severity, own bool) {
	if p == nil {
		return r.Severity, false
	}
	for _, name := range []string{p.Name, p.Driver} {
		for _, e := range r.Drivers {
			if e.Driver == name {
				return e.Severity, true
			}
		}
	}
	if r.OnlyDrivers {
		return Silent, true
	}
	return r.Severity, false
}

// severity is For, with the severity of traces where no profile has its own.
func (r *Rule) severity(p *pipe.Profile, live bool) Severity {
	s, own := r.escalated(p)
	if !own && !live && r.InTrace != Silent {
		return r.InTrace
	}
	return s
}
