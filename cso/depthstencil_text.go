package cso

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// String says in one line which tests are on and how; "nothing" when none is.
func (s DepthStencilState) String() string {
	var parts []string
	text := func(f dsField) string { return fieldText(&s, f) }
	if s.DepthEnabled {
		part := "depth " + text(fieldDepthFunc)
		if s.DepthWriteMask {
			part += " write"
		}
		parts = append(parts, part)
	}
	if s.Bounds.Test {
		parts = append(parts, "bounds "+text(fieldBoundsMin)+" to "+text(fieldBoundsMax))
	}
	for i, name := range [...]string{"stencil ", "back "} {
		if s.Stencil[i].Enabled && s.Stencil[0].Enabled {
			f := fieldStencil + dsField(i)*stencilFields
			parts = append(parts, name+text(f+stencilFunc)+" fail "+text(f+stencilFailOp)+" zpass "+text(f+stencilZPassOp)+
				" zfail "+text(f+stencilZFailOp)+" valuemask "+text(f+stencilValueMask)+" writemask "+text(f+stencilWriteMask))
		}
	}
	if s.AlphaEnabled {
		parts = append(parts, "alpha "+text(fieldAlphaFunc)+" "+text(fieldAlphaRef))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// WriteText writes the state before and after, each change with its reason, and
// what can happen.
func (q *DepthStencilCase) WriteText(w io.Writer) error {
	r, err := SanitiseDepthStencil(&q.State, &q.Context)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "asked      %v\n", q.State)
	fmt.Fprintf(b, "effective  %v\n", r.State)
	for _, c := range r.Changes(&q.State) {
		if c.Cleared {
			continue // the test is off: said by its own line, if it was on
		}
		to := " to " + c.To
		if c.To == "" {
			to = " cleared"
		}
		fmt.Fprintf(b, "  %-21s %s%s: %v, %s\n", c.Field, c.From, to, c.Reason, c.Reason.Explain())
	}
	fmt.Fprintf(b, "writes depth %s, writes stencil %s, kills every fragment %s\n", yesNo(r.WritesDepth), yesNo(r.WritesStencil), yesNo(r.KillsAll))
	if q.Shader != nil {
		fmt.Fprintf(b, "early tests  %v\n", r.Early(*q.Shader))
	}
	for _, warning := range q.warnings(&r) {
		fmt.Fprintf(b, "warning: %s\n", warning)
	}
	return b.Flush()
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// warnings are those of the state, and of what is said about early tests.
func (q *DepthStencilCase) warnings(r *SanitisedDepthStencil) []string {
	w := q.State.Warnings()
	if q.Shader != nil && r.State.AlphaEnabled {
		w = append(w, "the alpha test is on: early speaks of the shader alone, done after it that test discards too")
	}
	return w
}
