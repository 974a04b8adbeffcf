package source

import "strings"

// called looks for callees that fill an object whole, or set its member.
func (c *copying) called(n *node) {
	name, indirect := calleeName(n)
	if len(n.list) > 0 && (strings.HasPrefix(name, "memcpy") || strings.HasPrefix(name, "memmove")) {
		if p, ok := pathOf(n.list[0]); ok {
			c.whole[p.key] = true
			if len(n.list) > 1 {
				copied := &node{kind: nodeAssign, line: n.line, x: stripAddress(n.list[0]), y: n.list[1]}
				c.assigns = append(c.assigns, copied)
				c.member(copied, p)
			}
		}
		return
	}
	given := false
	for _, arg := range n.list {
		if p, ok := pathOf(stripCasts(arg)); ok && c.sources[p.key] && !c.fresh[p.root()] && c.isObject(p.key) {
			given = true
		}
	}
	bodies := c.a.tree.functions(name, c.f.unit)
	if indirect {
		bodies = nil
	}
	for i, arg := range n.list {
		p, ok := pathOf(stripCasts(arg))
		if !ok || p.deref || !p.addr && !c.isPointer(p.key) {
			continue
		}
		sets := given && len(bodies) == 0 && !neutral(name) && !creates(name)
		for _, b := range bodies {
			readOnly := i < len(b.params) && b.params[i].typ.isConst
			sets = sets || !readOnly && c.a.mentionsMember(b, c.t.Member, 0)
		}
		if sets {
			c.whole[p.key] = true
		}
	}
}

type mentionKey struct {
	fn     *function
	member string
}

// mentionsMember tells that f, or what it calls, names the member.
func (a *auditor) mentionsMember(f *function, member string, depth int) bool {
	key := mentionKey{f, member}
	if m, ok := a.mentions[key]; ok {
		return m
	}
	a.mentions[key] = false
	found := false
	for i, t := range f.body {
		if t.kind != tokIdent || t.dead() && !f.dead {
			continue
		}
		word := f.unit.lx.text(t)
		if word == member {
			found = true
			break
		}
		if depth < 3 && i+1 < len(f.body) && f.body[i+1].kind == tokPunct && f.body[i+1].op == '(' {
			for _, g := range a.tree.functions(word, f.unit) {
				found = found || a.mentionsMember(g, member, depth+1)
			}
		}
	}
	a.mentions[key] = found
	return found
}

// made notes a pointer that a callee makes from a source: a clone, unless the
// callee is seen not to know the member.
func (c *copying) made(n *node) {
	p, ok := pathOf(n.x)
	call := stripCasts(n.y)
	if !ok || !p.bare() || call == nil || call.kind != nodeCall {
		return
	}
	name, indirect := calleeName(call)
	given := false
	for _, arg := range call.list {
		if q, ok := pathOf(stripCasts(arg)); ok && !q.deref && c.sources[q.key] {
			given = true
		}
	}
	if !given {
		return
	}
	bodies := c.a.tree.functions(name, c.f.unit)
	clone := indirect || len(bodies) == 0
	for _, b := range bodies {
		clone = clone || c.a.mentionsMember(b, c.t.Member, 0)
	}
	if clone {
		c.whole[p.key] = true
	}
}
