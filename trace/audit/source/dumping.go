package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var dumpWords = map[string]bool{
	"dump": true, "print": true, "write": true, "serialize": true, "serialise": true, "fprint": true,
}

func isDumper(name string) bool {
	for _, w := range splitName(name) {
		if dumpWords[w] {
			return true
		}
	}
	return false
}

// dumping reports a dumper of the struct that omits the member or fields.
func (a *auditor) dumping(f *function, t *target) {
	if !isDumper(f.name) {
		return
	}
	for i, p := range f.params {
		typ := a.tree.resolve(p.typ, f.unit)
		if p.name == "" || typ.ptr > 1 || typ.name != t.Struct {
			continue
		}
		seen := &dumped{a: a, t: t, names: map[string]bool{}}
		seen.follow(f, i, 0)
		if seen.unknown {
			continue
		}
		a.omitted(f, t, p.name, seen)
	}
}

// dumped is what a dumper names.
type dumped struct {
	a         *auditor
	t         *target
	names     map[string]bool
	unknown   bool // the object goes where it cannot be followed
	elsewhere bool // the member goes to another dumper in the tree
}

// follow collects the members that f names, and what it hands its parameter
// to does.
func (d *dumped) follow(f *function, index, depth int) {
	if index >= len(f.params) || depth > 4 {
		d.unknown = true
		return
	}
	sc := d.a.tree.scopeOf(f)
	name := f.params[index].name
	visitLive(f, func(*stmt) {}, func(n *node) {
		switch n.kind {
		case nodeMember:
			d.names[n.text] = true
		case nodeCall:
			d.call(f, n, name, sc, depth)
		}
	})
}

// call follows one call that takes the object, the member, or a part.
func (d *dumped) call(f *function, n *node, name string, sc scope, depth int) {
	callee, indirect := calleeName(n)
	fields := false
	for i, arg := range n.list {
		if arg.kind != nodeName || i == 0 {
			continue
		}
		if _, isVar := sc[arg.text]; isVar && (i < len(n.list)-1 || len(n.list) < 3 || !strings.Contains(callee, "member")) {
			continue
		}
		d.names[arg.text] = true // dump_member(type, object, field)
		fields = true
	}
	for i, arg := range n.list {
		p, ok := pathOf(stripCasts(arg))
		if !ok || p.root() != name {
			continue
		}
		rest, inside := below(p.key, name)
		switch {
		case fields && (!inside || arg.kind == nodeUnary && arg.op == '&'):
		case !inside, rest == d.t.Member && d.t.Member != "":
			d.passOn(f, callee, indirect, i, depth, inside)
		case d.whole(rest):
			d.part(f, callee, indirect, i, rest, depth)
		}
	}
}

// whole tells that rest names a field with fields of its own.
func (d *dumped) whole(rest string) bool {
	last := rest[strings.LastIndexByte(rest, '.')+1:]
	return len(d.t.nested[last]) > 0 && last != ""
}

// passOn follows the object, or its member, into a callee.
func (d *dumped) passOn(f *function, callee string, indirect bool, i, depth int, member bool) {
	if neutral(callee) || strings.Contains(callee, "null") || strings.Contains(callee, "ptr") || strings.Contains(callee, "begin") {
		return
	}
	bodies := d.a.tree.functions(callee, f.unit)
	if indirect || len(bodies) == 0 {
		d.unknown = true
		return
	}
	if member {
		d.elsewhere = true
	}
	d.follow(bodies[0], i, depth+1)
}

// part takes an array of fields that goes to a callee as a whole.
func (d *dumped) part(f *function, callee string, indirect bool, i int, rest string, depth int) {
	if neutral(callee) {
		return
	}
	if bodies := d.a.tree.functions(callee, f.unit); !indirect && len(bodies) > 0 && !bodies[0].isMacro {
		d.follow(bodies[0], i, depth+1)
		return
	}
	for _, sub := range d.t.nested[rest[strings.LastIndexByte(rest, '.')+1:]] {
		d.names[sub] = true
	}
}

func (a *auditor) omitted(f *function, t *target, variable string, seen *dumped) {
	finding := Finding{
		File: f.unit.path, Line: f.line, Function: f.name, Variable: variable, Struct: t.Struct,
		Verdict: NotDumped, Severity: Warning, How: "omitted",
	}
	st := stageOf(f.name)
	finding.Stage = st.String()
	if t.Member != "" && !seen.names[t.Member] {
		other := ""
		for _, name := range slices.Sorted(maps.Keys(t.own)) {
			if seen.names[name] && (other == "" || name == "tokens") {
				other = name
			}
		}
		if other == "" {
			return // an opaque handle
		}
		finding.Reason = fmt.Sprintf("names %s of %s but not %s, at line %d", other, variable, t.Member, f.line)
	} else {
		var missing []string
		named := 0
		for _, name := range t.fields {
			if seen.names[name] {
				named++
			} else {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 || named == 0 || seen.elsewhere && t.Member != "" {
			return
		}
		finding.How = "partial"
		finding.Reason = fmt.Sprintf("names %d of the %d fields, not %s", named, len(t.fields), strings.Join(missing, ", "))
	}
	finding.Path = []Step{{f.line, f.name + " begins here"}}
	a.mildened(&finding, f, t, st)
	a.findings = append(a.findings, finding)
}
