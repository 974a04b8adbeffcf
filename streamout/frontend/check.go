package frontend

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// Check runs rules of Gallium over the create of a shader with the info, and
// adds their warnings to what is said already. The error is the first error
// among their findings: the API allows what Gallium cannot do.
func (t *Translation) Check(rules []*streamout.Rule) error {
	var broken *Error
	report := func(f *streamout.Finding) {
		switch {
		case f.Severity == streamout.Error && broken == nil:
			broken = &Error{f.Rule.ID, f.Path + ": " + f.Message}
		case f.Severity == streamout.Warning:
			d := Diagnostic{f.Rule.ID, f.Severity, f.Path + ": " + f.Message}
			if !slices.ContainsFunc(t.Said, func(e Diagnostic) bool { return e.Rule == d.Rule }) {
				t.Said = append(t.Said, d)
			}
		}
	}
	track := streamout.NewTrack(streamout.Options{Rules: rules, Report: report})
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	if err != nil {
		return err
	}
	if _, err := ctx.CreateShader(t.Stage, &pipe.ShaderState{StreamOutput: t.Info}); err != nil {
		return err
	}
	if broken != nil {
		return broken
	}
	return nil
}

// Layout returns where the captured variables lie in a vertex of each buffer,
// by name.
func (t *Translation) Layout() streamout.Layout {
	l := streamout.LayoutOf(t.Stage, t.Info.Numbers(), nil)
	for b := range l.Buffers {
		for i := range l.Buffers[b].Cells {
			if c := &l.Buffers[b].Cells[i]; !c.Gap() && c.Output < len(t.Names) {
				c.Name = t.Names[c.Output]
			}
		}
	}
	return l
}
