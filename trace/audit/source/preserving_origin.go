package source

import (
	"maps"
	"slices"
)

// from finds the source object that the written value comes from, or "".
func (c *copying) from(w fieldWrite) string {
	if w.private && !c.fresh[w.dest] {
		return ""
	}
	if c.outside == nil {
		c.outside = c.origin("")
	}
	o := c.outside
	if slices.Contains(o.sources, w.dest) {
		o = c.origin(w.dest)
	}
	if len(o.sources) == 0 {
		return ""
	}
	return c.fromSource(w.rhs, o.sources, o.tainted)
}

// origin is where values may come from: the source objects, and the variables
// made from their members.
type origin struct {
	sources []string
	tainted map[string]bool
}

// origin collects the objects from outside, other than dest itself.
func (c *copying) origin(dest string) *origin {
	o := &origin{tainted: map[string]bool{}}
	for _, key := range slices.Sorted(maps.Keys(c.sources)) {
		if key != dest && !c.fresh[firstPart(key)] {
			o.sources = append(o.sources, key)
		}
	}
	if len(o.sources) == 0 {
		return o
	}
	for range 4 {
		before := len(o.tainted)
		for _, n := range c.assigns {
			p, ok := pathOf(n.x)
			if ok && c.local(p.root()) && !c.holdsObject(p.root()) && c.fromSource(n.y, o.sources, o.tainted) != "" {
				o.tainted[p.root()] = true
			}
		}
		if len(o.tainted) == before {
			break
		}
	}
	return o
}

// local tells a variable of the function that is no parameter.
func (c *copying) local(name string) bool {
	for _, p := range c.f.params {
		if p.name == name {
			return false
		}
	}
	_, ok := c.a.tree.scopeOf(c.f)[name]
	return ok
}

// holdsObject tells a variable that is, or holds, a tracked object: what one
// member of it takes says nothing of the others.
func (c *copying) holdsObject(name string) bool {
	return c.t.names.has(c.a.tree.scopeOf(c.f)[name].name)
}

// fromSource finds a source in n: a member of it, or a variable made from one.
func (c *copying) fromSource(n *node, sources []string, tainted map[string]bool) string {
	found := ""
	walkNode(n, func(*stmt) {}, func(m *node) {
		if found != "" || m.kind != nodeMember && m.kind != nodeName {
			return
		}
		p, ok := pathOf(m)
		if !ok {
			return
		}
		p.key = c.canon(p.key)
		if m.kind == nodeName && tainted[m.text] {
			found = sources[0]
			return
		}
		for _, s := range sources {
			if rest, in := below(p.key, s); in && c.t.own[firstPart(rest)] {
				found = s
				return
			}
		}
	})
	return found
}
