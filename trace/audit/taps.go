package audit

import (
	"slices"
	"sync"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Taps are a pair of layers around a stack. Make them with NewTaps, put Above
// outermost and Below innermost, and ask for the Report once nothing runs any
// more. Contexts may run in parallel, and a layer between may hand calls on
// later or from another goroutine, in the order of their context.
type Taps struct {
	mu       sync.Mutex
	sides    [2]side
	contexts map[pipe.Handle]*context // by the handle above
	// renamed are the contexts whose handle differs: that above by that below.
	renamed map[pipe.Handle]pipe.Handle
	opened  []pipe.Handle // contexts made below during the creates on their way
	// resources are the handles below by those above where they differ, taken the
	// other way round.
	resources, taken map[pipe.Handle]pipe.Handle
	creates          []created
	used             map[uint64]bool    // objects above that draws found bound, by serial
	arrived          map[createKey]bool // what was created below
	// astray are the targets above, by serial, that are filled differently below
	// as a matter of course, because something was lost.
	astray map[uint64]bool
	moment uint64 // counts the events of both sides
	report Report
}

// side is what one tap follows.
type side struct {
	machine *state.Machine
	zeroing zeroing
}

// context is what is on its way in one context.
type context struct {
	handle  pipe.Handle
	flying  int      // calls above that have not returned
	late    bool     // a layer hands calls on after they have returned
	pending []*event // seen above, not yet below
	strays  []*event // seen below, like none that is pending
	muted   bool     // the last set was lost: targets differ as a matter of course
}

// created is an object above that captures or is captured into.
type created struct {
	call   uint64
	method string
	shader *state.Shader // or
	target *state.Target
}

// maxPending is how many events may be on their way in a context. What is older
// is lost.
const maxPending = 1 << 12

// NewTaps returns taps that have seen nothing.
func NewTaps() *Taps {
	t := &Taps{}
	t.sides[Above].machine, t.sides[Below].machine = state.New(), state.New()
	t.contexts = make(map[pipe.Handle]*context)
	t.renamed = make(map[pipe.Handle]pipe.Handle)
	t.resources = make(map[pipe.Handle]pipe.Handle)
	t.taken = make(map[pipe.Handle]pipe.Handle)
	t.astray = make(map[uint64]bool)
	t.used = make(map[uint64]bool)
	t.arrived = make(map[createKey]bool)
	return t
}

// Above is the layer above the stack: what it sees is what must arrive.
func (t *Taps) Above(next pipe.Driver) pipe.Driver {
	return pipe.DriverFunc(func(op *pipe.Op) error {
		sent := *op
		sent.Call = keep(op.Call)
		p := t.send(&sent)
		err := next.Do(op)
		sent.Ret = op.Ret
		t.returned(&sent, p, err)
		return err
	})
}

// Below is the layer below the stack: what it sees is what arrives.
func (t *Taps) Below(next pipe.Driver) pipe.Driver {
	return pipe.DriverFunc(func(op *pipe.Op) error {
		t.arrive(op)
		err := next.Do(op)
		if err == nil {
			t.record(op)
		}
		return err
	})
}

// count counts an operation of a side and returns its number.
func (t *Taps) count(s Side, op *pipe.Op) uint64 {
	t.report.Calls[s]++
	if op.No != 0 {
		return op.No
	}
	return t.report.Calls[s]
}

func (t *Taps) countEvent(s Side, e *event) {
	if e == nil || e.draw == nil {
		return
	}
	t.report.Draws[s]++
	if e.bound() && e.outputs() > 0 {
		t.report.Captured[s]++
	}
}

// send looks at an operation before it goes down.
func (t *Taps) send(op *pipe.Op) *event {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.count(Above, op)
	t.checkZeroing(Above, op, n)
	if _, ok := op.Call.(*pipe.ContextCreate); ok {
		t.opened = t.opened[:0]
	}
	if op.Context == 0 {
		return nil
	}
	c := t.context(op.Context)
	c.flying++
	p := newEvent(t.sides[Above].machine, op, n)
	if p == nil {
		return nil
	}
	t.moment++
	p.moment = t.moment
	t.countEvent(Above, p)
	t.use(p)
	c.pending = append(c.pending, p)
	if p.draw == nil {
		c.muted = false
	}
	if len(c.pending) > maxPending {
		t.lost(c, c.pending[0])
		c.pending = slices.Delete(c.pending, 0, 1)
	}
	return p
}

// returned looks at an operation after it went down.
func (t *Taps) returned(op *pipe.Op, p *event, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var c *context
	if op.Context != 0 {
		c = t.context(op.Context)
		c.flying--
	}
	if err != nil {
		if p != nil {
			c.pending = slices.DeleteFunc(c.pending, func(q *event) bool { return q == p })
		}
		return
	}
	m := t.sides[Above].machine
	m.Apply(op)
	t.noteCreate(op)
	switch op.Call.(type) {
	case *pipe.ContextCreate:
		if len(t.opened) == 1 && t.opened[0] != op.Ret.Handle {
			t.renamed[t.opened[0]] = op.Ret.Handle
		}
	case *pipe.ResourceCreate:
		delete(t.taken, t.resources[op.Ret.Handle])
		delete(t.resources, op.Ret.Handle)
	}
	if c != nil {
		if p != nil {
			p.returned = true
		}
		t.settle(c, p)
	}
}

// arrive looks at an operation that comes out of the stack.
func (t *Taps) arrive(op *pipe.Op) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.count(Below, op)
	t.checkZeroing(Below, op, n)
	if op.Context == 0 {
		return
	}
	h := op.Context
	if above, ok := t.renamed[h]; ok {
		h = above
	}
	c := t.context(h)
	c.late = c.late || c.flying == 0
	e := newEvent(t.sides[Below].machine, op, n)
	if e == nil {
		return
	}
	t.moment++
	e.moment = t.moment
	t.countEvent(Below, e)
	if !t.match(c, e) {
		c.strays = append(c.strays, e)
	}
}

// record follows what an operation did below.
func (t *Taps) record(op *pipe.Op) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.sides[Below].machine
	m.Apply(op)
	h := op.Ret.Handle
	switch call := op.Call.(type) {
	case *pipe.ContextCreate:
		t.opened = append(t.opened, h)
	case *pipe.ResourceCreate:
		delete(t.resources, t.taken[h])
		delete(t.taken, h)
	case *pipe.CreateShader:
		t.seeShader(call)
	case *pipe.CreateStreamOutputTarget:
		t.seeTarget(call)
	}
}

func (t *Taps) context(h pipe.Handle) *context {
	c := t.contexts[h]
	if c == nil {
		c = &context{handle: h}
		t.contexts[h] = c
	}
	return c
}

// Report says what the taps saw up to now. What is still on its way is taken
// for lost, so ask once everything was flushed.
func (t *Taps) Report() *Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.contexts {
		for _, p := range c.pending {
			if !t.pairOff(c, p, 0) && !t.idle(c, p) {
				t.lost(c, p)
			}
		}
		c.pending = nil
		t.settle(c, nil)
	}
	t.unusedCreates()
	r := t.report
	r.Findings, r.seen = slices.Clone(r.Findings), nil
	slices.SortStableFunc(r.Findings, func(a, b *Finding) int { return int(b.Severity) - int(a.Severity) })
	return &r
}
