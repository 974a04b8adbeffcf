package streamout

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// View is what a rule sees: one operation, and the state that it finds. A rule
// reads it and reports; it changes nothing and keeps nothing.
type View struct {
	Op *pipe.Op
	// State is what is alive, before the operation acts.
	State *state.Machine
	// Context is the operation's context, nil when it has none.
	Context *state.Context
	// Capturing is the shader that the context captures with, nil when there is none,
	// it is not known, or the operation has no context: Context.Capturing.
	Capturing *state.Shader
	// Info is the stream output of the shader that is being created, else nil.
	Info *Info
	// Binds are the slots that a set_stream_output_targets is about to fill with a
	// target, and SaneBinds those of them whose target is Sane. Both are empty for
	// other operations.
	Binds, SaneBinds []*Bind
	// Profile is the driver that the run is checked for, nil for none.
	Profile *pipe.Profile
	// Live is false for operations from a trace, which does not show everything.
	Live bool
	// Malformed says why a call could not be read, for OnMalformed.
	Malformed string
	// End tells how the trace ended, for OnEnd.
	End TraceEnd

	track   *Track
	rule    asked
	binds   [pipe.MaxStreamOutputBuffers]Bind // what Binds point to
	subject uint64                            // of the next Report
	drafts  []Draft
	related []lateRelated // of the drafts
	args    []any         // of their words
}

// TraceEnd is how a trace ended.
type TraceEnd struct {
	Complete bool   // the closing tag was read
	Inside   bool   // the last call is cut
	Byte     int64  // where the text ends, in the decompressed text
	LastCall uint64 // the number of the last whole call
	Open     uint64 // the number of the cut call, 0 if unknown
	Method   string // of the cut call
	Reason   string // what else is wrong, such as damaged compression
}

// Caps are the limits to check against: those that the run stated, then those
// of the profile.
func (v *View) Caps() pipe.Caps {
	if v.Profile == nil {
		return v.State.Caps
	}
	return v.State.Caps.Or(v.Profile.Caps)
}

// About makes the next Report one about an object. An error taints the object: see
// Clean.
func (v *View) About(o *state.Object) *View {
	v.subject = o.Serial
	return v
}

// Report reports a finding at a path. The words follow the format; they begin
// in lower case, hold every number with its unit and end without a full stop.
// What it returns can be told more, and holds only until the next Report.
func (v *View) Report(path, format string, args ...any) *Draft {
	return v.draft(v.rule.severity, path, format, args)
}

// ReportAs is Report with a severity of its own, where a rule has cases of
// different weight. The user's own choice of severity still goes before it.
func (v *View) ReportAs(s Severity, path, format string, args ...any) *Draft {
	if _, chosen := v.track.opts.Severities[v.rule.ID]; chosen {
		return v.draft(v.rule.severity, path, format, args)
	}
	return v.draft(v.track.soften(v.rule.Rule, s), path, format, args)
}

func (v *View) draft(s Severity, path, format string, args []any) *Draft {
	n := len(v.drafts)
	if n == cap(v.drafts) {
		v.drafts = append(v.drafts, Draft{})
	}
	v.drafts = v.drafts[:n+1]
	d := &v.drafts[n]
	d.rule, d.severity, d.path, d.subject, d.view = v.rule.Rule, s, path, v.subject, nil
	v.subject = 0
	if d.first = v.track.repeats.recall(d, format, args); d.first == nil {
		d.view, d.order, d.words = v, n, v.phrase(format, args)
		d.buffer, d.output, d.stream = -1, -1, -1
	}
	return d
}

// phrase keeps what a message is made of until the operation's rules have run.
func (v *View) phrase(format string, args []any) phrase {
	from := len(v.args)
	v.args = append(v.args, args...)
	return phrase{format, v.args[from:len(v.args):len(v.args)]}
}

// spell returns what a draft says, as it is to be kept.
func (v *View) spell(d *Draft) *Finding {
	f := &Finding{
		Rule: d.rule, Severity: d.severity, No: v.Op.No, Pos: v.Op.Pos, Path: d.path, Message: string(d.words.append(nil)),
		Buffer: d.buffer, Output: d.output, Stream: d.stream, subject: d.subject,
	}
	if v.Op.Call != nil {
		_, f.Method = v.Op.Call.Name()
	}
	for _, r := range v.related {
		if r.draft == d.order {
			f.Related = append(f.Related, Related{r.at.No, r.at.Pos, string(r.words.append(nil))})
		}
	}
	return f
}

// forget drops the drafts of an operation.
func (v *View) forget() {
	v.drafts, v.related, v.args = v.drafts[:0], v.related[:0], v.args[:0]
}

// Clean says that no error was reported about the object: what follows from a
// broken object is not worth a second finding. A nil object is clean.
func (v *View) Clean(o *state.Object) bool {
	if o == nil {
		return true
	}
	if v.track.tainted.empty() {
		return true
	}
	tainted, _ := v.track.tainted.get(o.Serial)
	return !tainted
}

// CleanShader is Clean for a shader, nil included.
func (v *View) CleanShader(s *state.Shader) bool { return s == nil || v.Clean(&s.Object) }

// CleanTarget is Clean for a target, nil included.
func (v *View) CleanTarget(t *state.Target) bool { return t == nil || v.Clean(&t.Object) }

// Sane says that a target is known, alive and Clean: of a broken one nothing else
// is worth a finding.
func (v *View) Sane(t *state.Target) bool { return t != nil && !t.Dead && v.CleanTarget(t) }

// Faulty says whether what the context did since it had made that many draws can
// no longer be foretold: an error was found in it at any time, or a warning
// since then.
func (v *View) Faulty(draws uint64) bool {
	if v.Context == nil {
		return false
	}
	f := &v.track.factsOf(v.Context).faults
	return f.errors || f.any && f.draws >= draws
}

// Reported says whether one of the rules of these ids has reported something about
// this operation already: rules are asked in the order of their triggers, then of
// their list.
func (v *View) Reported(ids ...string) bool {
	for i := range v.drafts {
		if d := &v.drafts[i]; d.severity != Silent && slices.Contains(ids, d.rule.ID) {
			return true
		}
	}
	return false
}

// ReportedAt is Reported for one path.
func (v *View) ReportedAt(path string, ids ...string) bool {
	for i := range v.drafts {
		if d := &v.drafts[i]; d.severity != Silent && d.path == path && slices.Contains(ids, d.rule.ID) {
			return true
		}
	}
	return false
}
