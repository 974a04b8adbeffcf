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
	Binds, SaneBinds []Bind
	// Profile is the driver that the run is checked for, nil for none.
	Profile *pipe.Profile
	// Live is false for operations from a trace, which does not show everything.
	Live bool
	// Malformed says why a call could not be read, for OnMalformed.
	Malformed string
	// End tells how the trace ended, for OnEnd.
	End TraceEnd

	track    *Track
	rule     asked
	findings []Finding
	related  []lateRelated // of the findings
	args     []any         // of their words
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

// Report reports a finding at a path. The words follow the format; they begin
// in lower case, hold every number with its unit and end without a full stop.
// What it returns can be told more, and holds only until the next Report.
func (v *View) Report(path, format string, args ...any) *Finding {
	n := len(v.findings)
	if n == cap(v.findings) {
		v.findings = append(v.findings, Finding{})
	}
	v.findings = v.findings[:n+1]
	f := &v.findings[n] // empty, see forget
	f.Rule, f.Severity = v.rule.Rule, v.rule.severity
	f.Path, f.Buffer, f.Output, f.Stream = path, -1, -1, -1
	f.view, f.order, f.words = v, n, v.phrase(format, args)
	return f
}

// phrase keeps what a message is made of until the operation's rules have run.
func (v *View) phrase(format string, args []any) phrase {
	from := len(v.args)
	v.args = append(v.args, args...)
	return phrase{format, v.args[from:len(v.args):len(v.args)]}
}

// spell returns finding i with its words, as it is to be kept.
func (v *View) spell(i int) *Finding {
	f := v.findings[i]
	f.No, f.Pos = v.Op.No, v.Op.Pos
	if v.Op.Call != nil {
		_, f.Method = v.Op.Call.Name()
	}
	f.Message = string(f.words.append(nil))
	for _, r := range v.related {
		if r.finding == i {
			f.Related = append(f.Related, Related{r.at.No, r.at.Pos, string(r.words.append(nil))})
		}
	}
	f.view, f.order, f.words = nil, 0, phrase{} // and first is nil: only what is new is spelled
	return &f
}

// forget drops the findings of an operation.
func (v *View) forget() {
	clear(v.findings)
	clear(v.related)
	clear(v.args)
	v.findings, v.related, v.args = v.findings[:0], v.related[:0], v.args[:0]
}

// ReportAs is Report with a severity of its own, where a rule has cases of
// different weight. The user's own choice of severity still goes before it.
func (v *View) ReportAs(s Severity, path, format string, args ...any) *Finding {
	f := v.Report(path, format, args...)
	if _, chosen := v.track.opts.Severities[v.rule.ID]; !chosen {
		f.Severity = v.track.soften(v.rule.Rule, s)
	}
	return f
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
	for i := range v.findings {
		if f := &v.findings[i]; f.Severity != Silent && slices.Contains(ids, f.Rule.ID) {
			return true
		}
	}
	return false
}

// ReportedAt is Reported for one path.
func (v *View) ReportedAt(path string, ids ...string) bool {
	for i := range v.findings {
		if f := &v.findings[i]; f.Severity != Silent && f.Path == path && slices.Contains(ids, f.Rule.ID) {
			return true
		}
	}
	return false
}
