package cso

import (
	"slices"
	"sync"

	"github.com/outflow-gpu/outflow/pipe"
)

// Dedup is a layer that makes one driver object for each content: of the creates
// of equal states in a context, the first reaches the driver and the others get
// a handle that stands for its object. Above, every create has an object of its
// own, as without the layer; below, deletes are counted, and the last one
// reaches the driver. A create that the driver refuses is not remembered.
//
// Binds pass through, repeated ones too, with the driver's handle in place of
// the one given: whether a driver needs a bind again is not the layer's to know.
// What is deleted while bound lives on below as long as an equal one does.
// Everything that is not about state objects, stream output targets with it,
// passes untouched, and so do handles that no create was seen of.
//
// A new content keeps the handle that the driver returned. A repeated one has
// the handle that a replay preset, or one from 1<<62 on, where no machine has
// addresses. When a driver, or the one that was recorded, returns one address
// for equal creates, so does the layer, and counts.
//
// A create whose trace holds what the typed call does not (op.Raw with a stream
// output, misfits, or a cut call) is never shared: what cannot be compared is
// not equal. Nor is one that a replay presets to return NULL.
func Dedup(below pipe.Driver) pipe.Driver { return newDedup(below) }

// dedup is the layer. The objects are known across contexts, for drivers that
// share shaders; contents are looked up in the context of the create alone.
type dedup struct {
	below pipe.Driver
	sum   func([]byte) uint64 // nil for xxhash

	mu       sync.Mutex
	contexts map[pipe.Handle]*dedupContext
	objects  map[objectID]alias
	aliases  pipe.Handle // made so far
}

type objectID struct {
	kind   pipe.Kind
	handle pipe.Handle
}

// alias is what a handle above stands for. Without creates it was deleted, while
// the object goes on under other handles: it is the driver's own handle, and one
// delete more of it must not end the object.
type alias struct {
	object  *object
	creates int // less the deletes
}

// object is one of the driver's.
type object struct {
	handle pipe.Handle
	uses   int           // creates of all aliases
	made   int           // creates that reached the driver, less such deletes
	entry  *Entry        // nil when it is not shared
	home   *dedupContext // where it is shared
	orphan bool          // its context has ended
}

// dedupContext is what one context works with. Its operations come one at a
// time, but what other contexts reach, objects, is the layer's lock's.
type dedupContext struct {
	screen   pipe.Handle
	cache    *Cache
	objects  map[*Entry]*object
	key      Key
	bind     pipe.BindState
	del      pipe.DeleteState
	samplers pipe.BindSamplers
}

const (
	aliasBase pipe.Handle = 1 << 62
	aliasStep pipe.Handle = 0x10
)

func newDedup(below pipe.Driver) *dedup {
	d := &dedup{below: below}
	d.reset()
	return d
}

func (d *dedup) reset() {
	d.contexts = make(map[pipe.Handle]*dedupContext)
	d.objects = make(map[objectID]alias)
}

// Do carries out an operation below, or answers it.
func (d *dedup) Do(op *pipe.Op) error {
	switch call := op.Call.(type) {
	case *pipe.BindState:
		return d.bindState(op, call)
	case *pipe.BindSamplers:
		return d.bindSamplers(op, call)
	case *pipe.DeleteState:
		return d.deleteState(op, call)
	case *pipe.NewWorld, *pipe.ScreenDestroy, *pipe.ContextCreate, *pipe.ContextDestroy:
		return d.lifetime(op)
	}
	if kind, ok := pipe.Created(op.Call); ok && kind.IsState() {
		return d.create(op, kind)
	}
	return d.below.Do(op)
}

// lifetime forgets the contents of contexts that end. The handles stay known:
// shaders may outlive their context.
func (d *dedup) lifetime(op *pipe.Op) error {
	if err := d.below.Do(op); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch op.Call.(type) {
	case *pipe.NewWorld:
		d.reset()
	case *pipe.ScreenDestroy:
		for h, c := range d.contexts {
			if c.screen == op.Screen {
				d.forget(h)
			}
		}
	case *pipe.ContextCreate:
		d.forget(op.Ret.Handle)
	case *pipe.ContextDestroy:
		d.forget(op.Context)
	}
	return nil
}

func (d *dedup) forget(context pipe.Handle) {
	c := d.contexts[context]
	if c == nil {
		return
	}
	for _, o := range c.objects {
		o.unshare()
		o.orphan = true
	}
	delete(d.contexts, context)
}

// context returns what the operation's context works with. The lock is held.
func (d *dedup) context(op *pipe.Op) *dedupContext {
	c := d.contexts[op.Context]
	if c == nil {
		c = &dedupContext{screen: op.Screen, cache: NewCache(0), objects: make(map[*Entry]*object), key: Key{sum: d.sum}}
		d.contexts[op.Context] = c
	}
	return c
}

// shareable says whether all that the create is about is in its typed call.
func shareable(op *pipe.Op) bool {
	if op.Ret.Known && op.Ret.Handle == 0 {
		return false
	}
	r := op.Raw
	return r == nil || r.StreamOutput == nil && len(r.Misfits) == 0 && !r.Cut
}

func (d *dedup) create(op *pipe.Op, kind pipe.Kind) error {
	d.mu.Lock()
	c := d.context(op)
	d.mu.Unlock()
	if !c.key.SetCreate(op.Call) {
		return d.below.Do(op)
	}
	share := shareable(op)
	if share && d.answer(op, c) {
		return nil
	}
	if err := d.below.Do(op); err != nil || op.Ret.Handle == 0 {
		return err
	}
	d.adopt(op, c, objectID{kind, op.Ret.Handle}, share)
	return nil
}

// answer returns an object that is there already.
func (d *dedup) answer(op *pipe.Op, c *dedupContext) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := c.cache.Hold(&c.key)
	if e == nil {
		return false
	}
	o := c.objects[e]
	id := objectID{c.key.kind, op.Ret.Handle}
	a, taken := d.claim(id)
	if id.handle == 0 || taken && a.object != o {
		id.handle, a = d.newAlias(), alias{}
	}
	o.uses++
	d.objects[id] = alias{o, a.creates + 1}
	op.Ret = pipe.Result{Handle: id.handle, Known: true}
	return true
}

// claim returns what a handle that a create returns stands for already. What an
// ended context left behind gives way.
func (d *dedup) claim(id objectID) (a alias, taken bool) {
	a, taken = d.objects[id]
	if taken && a.object.orphan {
		delete(d.objects, id)
		return alias{}, false
	}
	return a, taken
}

func (d *dedup) newAlias() pipe.Handle {
	d.aliases++
	return aliasBase + aliasStep*d.aliases
}

// adopt remembers the object that the driver made under its own handle. Where
// the driver has returned the handle before, it counts creates itself, by its
// own notion of equal, or uses an address again whose delete was not traced: it
// is one object still, found by the new content alone, and as many deletes reach
// the driver as creates did. Where a replay has preset the handle for another
// object, the new one goes by another.
func (d *dedup) adopt(op *pipe.Op, c *dedupContext, id objectID, share bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, taken := d.claim(id)
	switch {
	case !taken && !share:
		return // goes by its own handle, like one that was never seen
	case taken && a.object.handle != id.handle:
		id.handle = d.newAlias()
		a = alias{object: &object{handle: op.Ret.Handle}}
		op.Ret.Handle = id.handle
	case !taken:
		a.object = &object{handle: id.handle}
	}
	o := a.object
	o.uses++
	o.made++
	d.objects[id] = alias{o, a.creates + 1}
	if share && o.entry != nil && o.entry.key.Equal(&c.key) {
		return
	}
	o.unshare()
	if share {
		o.home = c
		o.entry, _ = c.cache.Add(&c.key, o.handle)
		c.objects[o.entry] = o
	}
}

// unshare takes the object out of reach of later creates.
func (o *object) unshare() {
	if o.entry != nil {
		o.home.cache.Remove(o.entry)
		delete(o.home.objects, o.entry)
		o.entry, o.home = nil, nil
	}
}

func (d *dedup) deleteState(op *pipe.Op, call *pipe.DeleteState) error {
	d.mu.Lock()
	c := d.context(op)
	id := objectID{call.Kind, call.State}
	a, known := d.objects[id]
	ours := id.handle > aliasBase && id.handle <= aliasBase+aliasStep*d.aliases
	passes := !known && !ours || known && d.release(id, a)
	d.mu.Unlock()
	switch {
	case !passes:
		op.Ret.Known = true
		return nil
	case !known:
		return d.below.Do(op)
	}
	c.del = pipe.DeleteState{Kind: call.Kind, State: a.object.handle}
	op.Call = &c.del
	err := d.below.Do(op)
	op.Call = call
	return err
}

// release takes a create from a handle above and returns whether the driver is
// to see the delete. One too many ends nothing: who looks on above sees that.
func (d *dedup) release(id objectID, a alias) (passes bool) {
	if a.creates == 0 {
		return false
	}
	o := a.object
	a.creates--
	o.uses--
	own := objectID{id.kind, o.handle}
	switch {
	case a.creates > 0 || o.uses > 0 && id == own:
		d.objects[id] = a
	default:
		delete(d.objects, id)
	}
	if o.uses == 0 {
		o.unshare()
		if d.objects[own].object == o {
			delete(d.objects, own)
		}
	}
	if o.uses < o.made {
		o.made--
		return true
	}
	return false
}

// lower returns the driver's handle for one above. The lock is held.
func (d *dedup) lower(kind pipe.Kind, h pipe.Handle) pipe.Handle {
	if a, ok := d.objects[objectID{kind, h}]; ok {
		return a.object.handle
	}
	return h
}

func (d *dedup) bindState(op *pipe.Op, call *pipe.BindState) error {
	d.mu.Lock()
	c := d.context(op)
	h := d.lower(call.Kind, call.State)
	d.mu.Unlock()
	if h == call.State {
		return d.below.Do(op)
	}
	c.bind = *call
	c.bind.State = h
	op.Call = &c.bind
	err := d.below.Do(op)
	op.Call = call
	return err
}

func (d *dedup) bindSamplers(op *pipe.Op, call *pipe.BindSamplers) error {
	d.mu.Lock()
	c := d.context(op)
	states := append(c.samplers.States[:0], call.States...)
	for i, h := range states {
		states[i] = d.lower(pipe.KindSampler, h)
	}
	d.mu.Unlock()
	c.samplers = pipe.BindSamplers{Stage: call.Stage, Start: call.Start, States: states}
	if slices.Equal(states, call.States) {
		return d.below.Do(op)
	}
	op.Call = &c.samplers
	err := d.below.Do(op)
	op.Call = call
	return err
}
