package state

import (
	"cmp"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// A run makes and ends objects without end, so what is kept of it has bounds. A
// trace that real programs leave stays far below all of them; behind a bound an
// object is not known any more, which is never taken for wrong.
const (
	// maxDead is how many objects are remembered after their end.
	maxDead = 1 << 12
	// maxContexts is how many contexts are followed at once.
	maxContexts = 1 << 11
	// maxTransfers is how many mappings are open at once.
	maxTransfers = 1 << 14
	// maxActiveQueries is how many queries of a context are counted for.
	maxActiveQueries = 1 << 9
	// maxStrides is how many different strides of a context are remembered.
	maxStrides = 1 << 12
	// maxRest is how many methods of a context are remembered in Context.Rest.
	maxRest = 1 << 8
)

// grave is a dead object that still is in its table.
type grave struct {
	kind   pipe.Kind
	handle pipe.Handle
	serial uint64
}

// graves are the objects that died last, in a ring.
type graves struct {
	ring []grave
	next int
}

// release gives up one reference; the last one ends the object.
func (m *Machine) release(o *Object, op *pipe.Op) {
	if o.Creates--; o.Creates <= 0 && !o.Dead {
		m.end(o, op)
	}
}

// end marks an object dead. The one that died longest ago is forgotten for it,
// once there are many.
func (m *Machine) end(o *Object, op *pipe.Op) {
	o.Dead, o.Ended = true, at(op)
	g, dead := &m.graves, grave{o.Kind, o.Handle, o.Serial}
	if len(g.ring) < maxDead {
		g.ring = append(g.ring, dead)
		return
	}
	m.forget(g.ring[g.next])
	g.ring[g.next] = dead
	g.next = (g.next + 1) % maxDead
}

// forget drops a dead object from its table, unless its address has come back.
func (m *Machine) forget(g grave) {
	switch g.kind {
	case pipe.KindResource:
		bury(&m.resources, g)
	case pipe.KindTarget:
		bury(&m.targets, g)
	case pipe.KindQuery:
		bury(&m.queries, g)
	case pipe.KindSamplerView:
		bury(&m.views, g)
	case pipe.KindSurface:
		bury(&m.surfaces, g)
	default:
		if stage, ok := g.kind.Stage(); ok && stage != pipe.Compute {
			bury(&m.shaders[stage], g)
			return
		}
		bury(&m.csos[g.kind], g)
	}
}

func (o *Object) id() uint64 { return o.Serial }

// bury takes a dead object out of its table, unless its address has come back.
func bury[T any, P interface {
	*T
	id() uint64
}](table *table[T], g grave) {
	if o := table.get(g.handle); o != nil && P(o).id() == g.serial {
		table.drop(g.handle)
	}
}

// crowd makes room among the contexts when there are very many: the half that
// was not used for longest is forgotten, with its targets and queries. What
// comes back of it is bound to nothing that is known.
func (m *Machine) crowd() {
	if len(m.contexts) < maxContexts {
		return
	}
	m.WholeWorld = false
	all := make([]*Context, 0, len(m.contexts))
	for _, c := range m.contexts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *Context) int { return cmp.Compare(a.used, b.used) })
	for _, c := range all[:len(all)/2] {
		for t := range c.targets {
			bury(&m.targets, grave{handle: t.Handle, serial: t.Serial})
		}
		for q := range c.queries {
			bury(&m.queries, grave{handle: q.Handle, serial: q.Serial})
		}
		delete(m.contexts, c.Handle)
		delete(m.pending, c.Handle)
	}
}

// own notes that a context made a target.
func (c *Context) own(t *Target) {
	if c.targets == nil {
		c.targets = make(map[*Target]struct{})
	}
	c.targets[t] = struct{}{}
}

// ownQuery notes that a context made a query.
func (c *Context) ownQuery(q *Query) {
	if c.queries == nil {
		c.queries = make(map[*Query]struct{})
	}
	c.queries[q] = struct{}{}
}

// disown drops an object that has ended, or whose address came back, from what
// its context has.
func (m *Machine) disown(t *Target) {
	if c := m.contexts[t.Context]; c != nil {
		delete(c.targets, t)
	}
}

func (m *Machine) disownQuery(q *Query) {
	if c := m.contexts[q.Context]; c != nil {
		delete(c.queries, q)
	}
}

// LiveTargets yields the targets that the context made and that have not ended,
// in no order.
func (c *Context) LiveTargets(yield func(*Target) bool) {
	for t := range c.targets {
		if !yield(t) {
			return
		}
	}
}
