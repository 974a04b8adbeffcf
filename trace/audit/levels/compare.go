package levels

import "slices"

// comparison is a Report that is being made.
type comparison struct {
	*Report
	doubt   doubt
	layouts map[[2]uint64][]change // what differs, by the shaders above and below
	seen    map[Difference]int     // by what they say of which calls, whatever the draw
	repeats int                    // of all differences
	at      match                  // the last draws that were told of
}

// Compare holds two levels of one run against each other.
func Compare(above, below *Level) *Report {
	c := &comparison{Report: &Report{Above: above, Below: below}, layouts: map[[2]uint64][]change{}, seen: map[Difference]int{}, at: match{-1, -1}}
	list := align(above, below)
	list = c.beyond(list)
	for len(list) > 0 {
		n := gap(above, below, list)
		if n == 1 || !c.regrouped(list[:n]) {
			n = 1
			c.one(list[0])
		}
		for _, m := range list[:n] {
			c.at.a, c.at.b = max(c.at.a, m.a), max(c.at.b, m.b)
		}
		list = list[n:]
	}
	return c.Report
}

// beyond counts and leaves out the draws behind the end of a trace that was cut.
func (c *comparison) beyond(list []match) []match {
	end := len(list)
	for end > 0 && list[end-1].a < 0 && !c.Above.Ending.Complete {
		end--
	}
	c.BeyondBelow = len(list) - end
	if c.BeyondBelow == 0 {
		for end > 0 && list[end-1].b < 0 && !c.Below.Ending.Complete {
			end--
		}
		c.BeyondAbove = len(list) - end
	}
	return list[:end]
}

// gap returns how many matches from the first on are no pair of draws alike, at
// least 1.
func gap(a, b *Level, list []match) int {
	n := slices.IndexFunc(list, func(m match) bool {
		return m.a >= 0 && m.b >= 0 && sameDraw(&a.pieces[m.a].draw, &b.pieces[m.b].draw)
	})
	if n < 0 {
		n = len(list)
	}
	return max(n, 1)
}

// regrouped says whether the draws of a gap are the same primitives, cut into
// other draws: they write the same layout into the same targets.
func (c *comparison) regrouped(gap []match) bool {
	var as, bs []*piece
	for _, m := range gap {
		if m.a >= 0 {
			as = append(as, &c.Above.pieces[m.a])
		}
		if m.b >= 0 {
			bs = append(bs, &c.Below.pieces[m.b])
		}
	}
	if len(as) == 0 || len(bs) == 0 || len(as) == len(bs) {
		return false
	}
	first := as[0]
	sum := func(list []*piece) (n uint64, ok bool) {
		for _, p := range list {
			if !p.draw.counted || p.draw.class != first.draw.class || p.layout.key != first.layout.key || !sameRanges(first, p) {
				return 0, false
			}
			n += p.draw.primitives * uint64(p.draw.instances)
		}
		return n, true
	}
	n, ok := sum(as)
	m, alsoOK := sum(bs)
	if !ok || !alsoOK || n != m {
		return false
	}
	c.Matched += len(as)
	c.Regrouped += len(as)
	c.hold(as[0], bs[0], false)
	return true
}

// one reports of a pair, or of a piece without a partner.
func (c *comparison) one(m match) {
	switch {
	case m.a >= 0 && m.b >= 0:
		c.Matched++
		if c.hold(&c.Above.pieces[m.a], &c.Below.pieces[m.b], true) {
			c.Changed++
		}
	case m.a >= 0:
		c.LostDraws++
		x := &c.Above.pieces[m.a]
		c.alone(Lost, x, c.idle(x, c.Below, &c.at.b))
	default:
		c.AddedDraws++
		y := &c.Below.pieces[m.b]
		c.alone(Added, c.idle(y, c.Above, &c.at.a), y)
	}
}

// alone reports a draw that captures on one side only; the other side's is the
// same draw without capture, or nil. How far its targets are filled says nothing
// from then on.
func (c *comparison) alone(kind Kind, x, y *piece) {
	c.doubt = doubt{true, true, true, true}
	d := Difference{Kind: kind, Path: "draw"}
	var none piece
	switch {
	case x == nil:
		d.BelowValue, d.Below = y.String(), y.at
		x = &none
	case y == nil:
		d.AboveValue, d.Above = x.String(), x.at
		y = &none
	case x.idle == noOutputs || y.idle == noOutputs:
		d.Path, d.Above, d.Below = "stream_output.num_outputs", x.shader, y.shader
		d.AboveValue, d.BelowValue = x.numOutputs(), y.numOutputs()
	case x.idle == noTarget || y.idle == noTarget:
		d.Path, d.Above, d.Below = "num_targets", x.set, y.set
		d.AboveValue, d.BelowValue = x.targets(), y.targets()
	default:
		d.Above, d.Below, d.AboveValue, d.BelowValue = x.at, y.at, x.String(), y.String()
	}
	d.AboveDraw, d.BelowDraw = x.at, y.at
	c.add(d)
}

// idle returns the same draw on the other side, if it is there without having
// captured: up to the next one that did.
func (c *comparison) idle(p *piece, other *Level, from *int) *piece {
	for i := *from + 1; i < len(other.pieces) && !other.pieces[i].captured; i++ {
		q := &other.pieces[i]
		alike := q.layout != nil && q.layout.key == p.layout.key || sameRanges(p, q)
		if alike && sameDraw(&p.draw, &q.draw) {
			*from = i
			return q
		}
	}
	return nil
}

// hold holds two draws against each other and says whether they differ.
func (c *comparison) hold(x, y *piece, draws bool) bool {
	before := len(c.Differences) + c.repeats
	for _, ch := range c.layoutChanges(x.layout, y.layout) {
		c.report(&ch, x, y, x.layout.at, y.layout.at)
	}
	if draws {
		if ch := drawChange(&x.draw, &y.draw); ch != nil {
			c.report(ch, x, y, x.at, y.at)
		}
	}
	for _, i := range used(x, y) {
		c.holdSlot(i, x, y)
	}
	if len(c.Differences)+c.repeats == before {
		return false
	}
	for _, i := range used(x, y) {
		c.doubt[i] = true
	}
	return true
}

// layoutChanges compares each pair of shaders once.
func (c *comparison) layoutChanges(a, b *layout) []change {
	pair := [2]uint64{a.serial, b.serial}
	changes, ok := c.layouts[pair]
	if !ok {
		changes = compareLayouts(a, b)
		c.layouts[pair] = changes
	}
	return changes
}

// holdSlot compares the targets of a slot, and where the draws begin in them.
func (c *comparison) holdSlot(i int, x, y *piece) {
	s, t := &x.slots[i], &y.slots[i]
	if ch := rangeChange(i, s, t); ch != nil {
		if s.bound != t.bound {
			c.report(ch, x, y, x.set.or(x.at), y.set.or(y.at))
		} else {
			c.report(ch, x, y, s.create, t.create)
		}
		return
	}
	if !s.bound {
		return
	}
	ch, sure := beginChange(i, s, t, c.doubt[i])
	if ch != nil {
		c.report(ch, x, y, s.set, t.set)
	}
	if !sure {
		c.Unsure++
	}
	if !s.appends() && !t.appends() {
		c.doubt[i] = false
	}
}

// report adds a difference of two draws that calls of theirs say.
func (c *comparison) report(ch *change, x, y *piece, above, below Place) {
	c.add(Difference{ch.kind, ch.path, ch.above, ch.below, above, below, x.at, y.at, 0})
}

// add takes a difference, or counts it with the first one that says the same of
// the same calls.
func (c *comparison) add(d Difference) {
	key := d
	key.AboveDraw, key.BelowDraw = Place{}, Place{}
	if i, ok := c.seen[key]; ok {
		c.Differences[i].Repeats++
		c.repeats++
		return
	}
	c.seen[key] = len(c.Differences)
	c.Differences = append(c.Differences, d)
}
