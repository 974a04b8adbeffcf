package source

import (
	"maps"
	"strings"
)

// unalias names every object by what its pointer points to.
func (c *copying) unalias() {
	if len(c.alias) == 0 {
		return
	}
	for _, set := range []map[string]bool{c.whole, c.sources} {
		for key := range maps.Clone(set) {
			if to := c.canon(key); to != key {
				delete(set, key)
				set[to] = true
			}
		}
	}
	for i := range c.writes {
		c.writes[i].dest = c.canon(c.writes[i].dest)
	}
}

// canon replaces an alias at the root of key.
func (c *copying) canon(key string) string {
	for range 4 {
		root, rest, more := strings.Cut(key, ".")
		to, ok := c.alias[root]
		if !ok {
			break
		}
		key = to
		if more {
			key += "." + rest
		}
	}
	return key
}

// points notes that a pointer variable stands for another object.
func (c *copying) points(name string, rhs *node) {
	p, ok := pathOf(stripCasts(rhs))
	if ok && p.addr && p.root() != name && c.local(name) {
		c.alias[name] = p.key
	}
}
