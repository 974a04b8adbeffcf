package state

import "github.com/outflow-gpu/outflow/pipe"

// table has the objects of a kind by handle, and at hand those that were looked up
// last: calls and rules ask for the same few over and over. Its zero value is empty.
type table[T any] struct {
	all    map[pipe.Handle]*T
	looked []looked[T] // none before the first object, then as many as objects, within bounds
	shift  uint        // leaves an index of looked of a hash
}

// looked is what a handle means in a table: nil for one that is not there.
type looked[T any] struct {
	handle pipe.Handle
	object *T
}

const minLookedBits, maxLookedBits = 5, 8

// place returns where in looked a handle belongs.
func (t *table[T]) place(h pipe.Handle) uint64 { return uint64(h) * 0x9e3779b97f4a7c15 >> t.shift }

// lookAt makes room for 1 << bits objects at hand.
func (t *table[T]) lookAt(bits uint) { t.looked, t.shift = make([]looked[T], 1<<bits), 64-bits }

// get returns the object of that handle, or nil. NULL is the handle of none.
func (t *table[T]) get(h pipe.Handle) *T {
	if t.looked == nil {
		return nil
	}
	last := &t.looked[t.place(h)]
	if last.handle != h {
		last.handle, last.object = h, t.all[h]
	}
	return last.object
}

func (t *table[T]) put(h pipe.Handle, object *T) {
	if t.all == nil {
		t.all = make(map[pipe.Handle]*T)
		t.lookAt(minLookedBits)
	}
	t.all[h] = object
	if n := len(t.looked); n < len(t.all) && n < 1<<maxLookedBits {
		t.lookAt(64 - t.shift + 1)
	}
	t.looked[t.place(h)] = looked[T]{h, object}
}

func (t *table[T]) drop(h pipe.Handle) {
	if t.looked == nil {
		return
	}
	delete(t.all, h)
	t.looked[t.place(h)] = looked[T]{}
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
