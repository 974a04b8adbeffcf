package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// stripAddress gives x of &x.
func stripAddress(n *node) *node {
	n = stripCasts(n)
	if n != nil && n.kind == nodeUnary && n.op == '&' {
		return n.x
	}
	return n
}

// inPart reports an object of the info type itself that takes some of its
// fields from another one, not all.
func (c *copying) inPart() {
	all := c.t.nested[""]
	taken := map[string]map[string]bool{}
	first := map[string]fieldWrite{}
	from := map[string]string{}
	for _, w := range c.writes {
		if w.private || w.field == "" || c.isWhole(w.dest) {
			continue
		}
		if taken[w.dest] == nil {
			taken[w.dest] = map[string]bool{}
			first[w.dest] = w
		}
		taken[w.dest][w.field] = true
		if src := c.from(w); src != "" {
			from[w.dest] = src
		}
	}
	for _, dest := range slices.Sorted(maps.Keys(taken)) {
		fields := taken[dest]
		var missing []string
		for _, name := range all {
			if !fields[name] {
				missing = append(missing, name)
			}
		}
		if from[dest] == "" || len(missing) == 0 || !fields[c.t.count] {
			continue
		}
		w := first[dest]
		f := Finding{
			File: c.f.unit.path, Line: w.line, Function: c.f.name, Variable: w.display, Struct: c.t.Struct,
			Verdict: NotPreserved, Severity: Warning, How: "partial",
			Reason: fmt.Sprintf("takes %s from %s at line %d, but not %s", w.field, from[dest], w.line, strings.Join(missing, ", ")),
			Path:   []Step{{c.f.line, from[dest] + " comes in here"}, {w.line, w.display + " takes a part of it here"}},
		}
		st := stageOf(c.f.name)
		f.Stage = st.String()
		c.a.mildened(&f, c.f, c.t, st)
		c.a.findings = append(c.a.findings, f)
	}
}
