package audit

import (
	"slices"
	"sync"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
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
	report           Report
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
	astray  bool     // something was lost: targets are filled differently
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
	t.countEvent(Below, e)
	if !t.match(c, e) {
		c.strays = append(c.strays, e)
	}
}

// match takes from what is pending the first event that e is like. What was sent
// before that and has not come is lost.
func (t *Taps) match(c *context, e *event) bool {
	like := func(p *event) bool {
		return (p.draw == nil) == (e.draw == nil) && t.compare(c, p, e) == nil
	}
	i := slices.IndexFunc(c.pending, like)
	if i < 0 {
		return false
	}
	p := c.pending[i]
	last := c.pending[len(c.pending)-1]
	c.late = c.late || p.returned && (last.returned || !like(last))
	for _, lost := range c.pending[:i] {
		t.lost(c, lost)
	}
	t.learn(p, e)
	if e.draw == nil && e.bound() && !e.goesOn() {
		c.astray = false
	}
	c.pending = slices.Delete(c.pending, 0, i+1)
	return true
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

// settle judges what came out of the stack by the time that a call of the
// context returns; p is its event, nil when it has none.
func (t *Taps) settle(c *context, p *event) {
	if n := len(c.pending); p != nil && n > 0 && c.pending[n-1] == p && !c.late {
		t.settleEvent(c, p)
	}
	if len(c.pending) > 0 {
		return // a layer may hand it on later
	}
	for _, e := range c.strays {
		t.added(c, e)
	}
	c.strays = c.strays[:0]
}

// settleEvent judges what became of the event of a call that returns. When
// something else came while it went down, nothing is handed on later, and what
// was sent before is lost.
func (t *Taps) settleEvent(c *context, p *event) {
	before := c.pending[:len(c.pending)-1]
	switch {
	case len(before) == 0 && len(c.strays) == 0:
		if t.idle(c, p) {
			c.pending = c.pending[:0]
		}
	case slices.ContainsFunc(c.strays, func(e *event) bool { return (e.draw == nil) == (p.draw == nil) }):
		for _, lost := range before {
			t.lost(c, lost)
		}
		t.pairOff(c, p)
		c.pending = c.pending[:0]
	}
}

// pairOff finds the event below that p became, and reports how they differ: the
// one with the same draw, else the last of its kind.
func (t *Taps) pairOff(c *context, p *event) bool {
	best := -1
	for i, e := range c.strays {
		if (p.draw == nil) != (e.draw == nil) {
			continue
		}
		best = i
		if p.draw != nil && t.compareDraws(p.draw, e.draw) == nil {
			break
		}
	}
	if best < 0 {
		return false
	}
	e := c.strays[best]
	c.strays = slices.Delete(c.strays, best, best+1)
	d := t.compare(c, p, e)
	if d == nil {
		return true
	}
	t.report.add(Finding{Rule: d.rule, Severity: streamout.Error, Side: Above, Call: p.call, Method: p.method, Path: d.path, Message: d.message()})
	c.muted = c.muted || p.draw == nil
	c.astray = true
	return true
}

// idle says whether a set changes nothing below, so that a layer may keep it.
func (t *Taps) idle(c *context, p *event) bool {
	if p.draw != nil || !p.appends() {
		return false
	}
	m := t.sides[Below].machine
	below := m.Context(c.handle)
	for b, a := range t.renamed {
		if a == c.handle {
			below = m.Context(b)
		}
	}
	if below == nil {
		return !p.bound()
	}
	var inForce event
	inForce.readContext(below)
	return inForce.slotsKnown && t.compareSlots(p, &inForce) == nil
}

// lost reports an event that never arrived.
func (t *Taps) lost(c *context, p *event) {
	f := Finding{Rule: RuleDrawLost, Severity: streamout.Error, Side: Above, Call: p.call, Method: p.method, Path: p.method,
		Message: "it never arrives below"}
	if p.draw == nil {
		f.Rule, c.muted = RuleTargetsLost, true
	}
	c.astray = true
	t.report.add(f)
}

// added judges a draw that a layer makes for itself. It may do so as long as
// nothing is captured; outputs without a target are left over from elsewhere.
func (t *Taps) added(c *context, e *event) {
	if e.draw == nil || e.outputs() == 0 {
		return
	}
	f := Finding{Rule: RuleDrawAdded, Severity: streamout.Warning, Side: Below, Call: e.call, Method: e.method, Path: "stream_output.num_outputs",
		Message: "a layer draws for itself with a shader that has outputs: they are captured as soon as a target is bound; 0 would be right"}
	if e.bound() {
		c.astray = true
		f.Severity, f.Path = streamout.Error, "targets"
		f.Message = "a layer draws for itself and captures into the targets that are bound: unbind them before, and bind them again with append after"
	}
	t.report.add(f)
}

// Report says what the taps saw up to now. What is still on its way is taken
// for lost, so ask once everything was flushed.
func (t *Taps) Report() *Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.contexts {
		for _, p := range c.pending {
			if !t.pairOff(c, p) && !t.idle(c, p) {
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
