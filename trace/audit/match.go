package audit

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// match takes from what is pending the first event that e is like, or that e and
// the strays before it are the parts of. A part waits for the others.
func (t *Taps) match(c *context, e *event) bool {
	like := func(p *event) bool {
		return (p.draw == nil) == (e.draw == nil) && t.compare(c, p, e) == nil
	}
	strays := append(c.strays, e)
	for i, p := range c.pending {
		if like(p) {
			last := c.pending[len(c.pending)-1]
			c.late = c.late || p.returned && (last.returned || !like(last))
			t.take(c, i, e)
			return true
		}
		n, all := t.parts(c, p, strays)
		if all {
			first := strays[len(strays)-n]
			c.strays = strays[:len(strays)-n]
			c.late = c.late || p.returned
			t.take(c, i, first)
			return true
		}
		if n > 0 {
			return false
		}
	}
	return false
}

// take ends the wait for a pending event that came as e. What was sent before that
// and has not come is lost.
func (t *Taps) take(c *context, i int, e *event) {
	p := c.pending[i]
	for _, lost := range c.pending[:i] {
		if !t.pairOff(c, lost, 0) && !t.idle(c, lost) {
			t.lost(c, lost)
		}
	}
	t.learn(p, e)
	for i := range p.slots {
		if s := &p.slots[i]; p.draw == nil && s.target != nil && s.offset != pipe.AppendOffset {
			delete(t.astray, s.target.Serial)
		}
	}
	c.pending = slices.Delete(c.pending, 0, i+1)
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
	case slices.ContainsFunc(c.strays, func(e *event) bool { return e.moment > p.moment && (e.draw == nil) == (p.draw == nil) }):
		for _, lost := range before {
			t.lost(c, lost)
		}
		t.pairOff(c, p, p.moment)
		c.pending = c.pending[:0]
	}
}

// pairOff finds the event below that p became, and reports how they differ: the
// one with the same draw, else the last of its kind. Only what came from a moment
// on counts.
func (t *Taps) pairOff(c *context, p *event, from uint64) bool {
	best := -1
	for i, e := range c.strays {
		if (p.draw == nil) != (e.draw == nil) || e.moment < from {
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
	t.leadAstray(c, p)
	return true
}

// parts returns how many of the last strays are the first draws that a layer made
// of one with several ranges, and whether they are all.
func (t *Taps) parts(c *context, p *event, strays []*event) (n int, all bool) {
	whole, ok := p.draw.(*pipe.Draw)
	if !ok || len(whole.Draws) < 2 {
		return 0, false
	}
	for n := min(len(strays), len(whole.Draws)); n > 0; n-- {
		if t.areParts(c, p, whole, strays[len(strays)-n:]) {
			return n, n == len(whole.Draws)
		}
	}
	return 0, false
}

func (t *Taps) areParts(c *context, p *event, whole *pipe.Draw, parts []*event) bool {
	for i, e := range parts {
		part, ok := e.draw.(*pipe.Draw)
		if !ok || e.shader != parts[0].shader {
			return false
		}
		one := *whole
		one.Draws = whole.Draws[i : i+1]
		one.DrawIDOffset = part.DrawIDOffset // each part has a draw id of its own
		if t.compareDraw(&one, part) != nil {
			return false
		}
	}
	joined := *parts[0]
	joined.draw = p.draw
	return t.compare(c, p, &joined) == nil
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
	t.leadAstray(c, p)
	t.report.add(f)
}

// leadAstray remembers that the targets which are bound above, and those of an
// event, are filled differently from now on.
func (t *Taps) leadAstray(c *context, p *event) {
	for i := range p.slots {
		if target := p.slots[i].target; target != nil {
			t.astray[target.Serial] = true
		}
	}
	above := t.sides[Above].machine.Context(c.handle)
	for i := range pipe.MaxStreamOutputBuffers {
		if above != nil && above.Targets[i].Object != nil {
			t.astray[above.Targets[i].Object.Serial] = true
		}
	}
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
		t.leadAstray(c, &event{})
		f.Severity, f.Path = streamout.Error, "targets"
		f.Message = "a layer draws for itself and captures into the targets that are bound: unbind them before, and bind them again with append after"
	}
	t.report.add(f)
}
