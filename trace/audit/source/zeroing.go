package source

import "fmt"

// zeroing reports the objects of f that leave it before the member is set.
func (a *auditor) zeroing(f *function, t *target) {
	fl := newFlow(a, f, t)
	fl.st = state{}
	for _, p := range f.params {
		fl.bound[p.name] = nil
	}
	fl.run()
	for _, o := range fl.objs {
		if len(o.escapes) > 0 {
			a.unset(f, t, o)
		}
	}
}

// unset reports one object.
func (a *auditor) unset(f *function, t *target, o *object) {
	first := o.escapes[0]
	var st stage
	for _, e := range o.escapes {
		if first.weak != "" && e.weak == "" {
			first = e
		}
	}
	for _, e := range o.escapes {
		if e.weak == "" || first.weak != "" {
			st |= e.stage
		}
	}
	if st == 0 {
		st = stageOf(f.name)
	}
	if st == 0 {
		st = stageOf(o.key)
	}
	finding := Finding{
		File: f.unit.path, Line: o.line, Function: f.name, Variable: o.key, Struct: t.Struct,
		Verdict: NotZeroed, Severity: Error, How: "stack", Stage: st.String(),
	}
	if o.heap {
		finding.How = "heap"
	}
	what := t.Member
	if what == "" {
		what = "the struct"
	}
	finding.Reason = fmt.Sprintf("%s is never set before it is %s at line %d", what, first.how, first.line)
	if first.bits&maybeUnset == 0 {
		finding.Verdict, finding.Severity, finding.How = PartlyZeroed, Warning, "partial"
		finding.Reason = fmt.Sprintf("only %s is cleared before it is %s at line %d", t.count, first.how, first.line)
	}
	finding.Path = append(finding.Path, Step{o.line, o.key + " is declared here"})
	if o.written > 0 {
		finding.Path = append(finding.Path, Step{o.written, "written here, " + what + " is not"})
	}
	for _, e := range o.escapes {
		finding.Path = append(finding.Path, Step{e.line, e.how + " here"})
	}
	if first.weak != "" {
		finding.Severity = Note
		finding.Reason += "; " + first.weak
	}
	a.mildened(&finding, f, t, st)
	a.findings = append(a.findings, finding)
}
