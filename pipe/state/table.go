package state

import "github.com/outflow-gpu/outflow/pipe"

// table has the objects of a kind by handle, and at hand those that were looked up
// last: calls and rules ask for the same few over and over. Its zero value is empty.
type table[T any] struct {
	all    map[pipe.Handle]*T
	looked [1 << lookedBits]struct {
		handle pipe.Handle
		object *T // of all, nil as there
	}
}

const lookedBits = 5

// place returns where in looked a handle belongs.
func place(h pipe.Handle) uint64 { return uint64(h) * 0x9e3779b97f4a7c15 >> (64 - lookedBits) }

// get returns the object of that handle, or nil. NULL is the handle of none.
func (t *table[T]) get(h pipe.Handle) *T {
	last := &t.looked[place(h)]
	if last.handle != h {
		last.handle, last.object = h, t.all[h]
	}
	return last.object
}

func (t *table[T]) put(h pipe.Handle, object *T) {
	if t.all == nil {
		t.all = make(map[pipe.Handle]*T)
	}
	t.all[h] = object
	last := &t.looked[place(h)]
	last.handle, last.object = h, object
}

func (t *table[T]) drop(h pipe.Handle) {
	delete(t.all, h)
	last := &t.looked[place(h)]
	last.handle, last.object = 0, nil
}

// objects are all objects but contexts and transfers: those that are alive, and
// those that died last.
type objects struct {
	resources table[Resource]
	shaders   [pipe.NumStages]table[Shader]
	csos      [pipe.NumKinds]table[CSO] // by kind
	targets   table[Target]
	queries   table[Query]
	views     table[View] // sampler views
	surfaces  table[View]
}
