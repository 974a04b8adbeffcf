package levels

import "slices"

// match is a pair of captured pieces by index, -1 where one has no partner.
type match struct{ a, b int }

// windowPieces is how many pieces of each side are aligned at once. Longer runs
// are aligned window by window.
const windowPieces = 400

// The costs of an alignment: pieces without a partner cost most, so that a piece
// that changed keeps its partner as long as two of layout, targets and draw are
// alike. Where a draw begins only decides between equals.
const (
	costAlone  = 12
	costGroup  = 6
	costBegin  = 1
	costNoPair = 3 * costAlone
)

// align pairs the captured pieces of two levels in order, so that as much as
// possible is alike.
func align(a, b *Level) []match {
	as, bs := a.captured(), b.captured()
	var all []match
	for len(as) > 0 && len(bs) > 0 {
		// No alignment is cheaper than one that begins with pieces alike.
		if pairCost(&a.pieces[as[0]], &b.pieces[bs[0]]) == 0 {
			all = append(all, match{as[0], bs[0]})
			as, bs = as[1:], bs[1:]
			continue
		}
		window := toLikes(a, b, alignWindow(a, as[:min(len(as), windowPieces)], b, bs[:min(len(bs), windowPieces)]))
		if len(as) > windowPieces || len(bs) > windowPieces {
			window = settled(window)
		}
		for _, m := range window {
			if m.a >= 0 {
				as = as[1:]
			}
			if m.b >= 0 {
				bs = bs[1:]
			}
		}
		all = append(all, window...)
	}
	for _, i := range as {
		all = append(all, match{i, -1})
	}
	for _, i := range bs {
		all = append(all, match{-1, i})
	}
	return all
}

// settled leaves out what a window ends with when there is more to come: the
// partners of pieces behind its last pair may lie in the next one.
func settled(window []match) []match {
	for i := len(window) - 1; i > 0; i-- {
		if window[i].a >= 0 && window[i].b >= 0 {
			return window[:i+1]
		}
	}
	return window
}

// toLikes cuts an alignment behind the first pair alike that follows others: from
// there on it is cheap to begin anew.
func toLikes(a, b *Level, window []match) []match {
	odd := false
	for i, m := range window {
		alike := m.a >= 0 && m.b >= 0 && pairCost(&a.pieces[m.a], &b.pieces[m.b]) == 0
		if alike && odd {
			return window[:i+1]
		}
		odd = odd || !alike
	}
	return window
}

// alignWindow finds the cheapest alignment.
func alignWindow(a *Level, as []int, b *Level, bs []int) []match {
	width := len(bs) + 1
	// What lies behind the end of a trace that was cut is no loss.
	tailA, tailB := int32(costAlone), int32(costAlone)
	if !b.Ending.Complete {
		tailA = 0
	}
	if !a.Ending.Complete {
		tailB = 0
	}
	cost := make([]int32, (len(as)+1)*width)
	// From the ends backward, so that the way forward prefers early pairs.
	for i := len(as); i >= 0; i-- {
		for k := len(bs); k >= 0; k-- {
			at := i*width + k
			switch {
			case i == len(as):
				cost[at] = int32(len(bs)-k) * tailB
			case k == len(bs):
				cost[at] = int32(len(as)-i) * tailA
			default:
				paired := cost[at+width+1] + pairCost(&a.pieces[as[i]], &b.pieces[bs[k]])
				cost[at] = min(paired, cost[at+width]+costAlone, cost[at+1]+costAlone)
			}
		}
	}
	var list []match
	for i, k := 0, 0; i < len(as) || k < len(bs); {
		at := i*width + k
		switch {
		case i < len(as) && k < len(bs) && cost[at] == cost[at+width+1]+pairCost(&a.pieces[as[i]], &b.pieces[bs[k]]):
			list = append(list, match{as[i], bs[k]})
			i, k = i+1, k+1
		case k == len(bs), i < len(as) && cost[at] == cost[at+width]+costAlone:
			list = append(list, match{as[i], -1})
			i++
		default:
			list = append(list, match{-1, bs[k]})
			k++
		}
	}
	return list
}

func pairCost(x, y *piece) int32 {
	n := int32(0)
	if x.layout.key != y.layout.key {
		n++
	}
	if !sameRanges(x, y) {
		n++
	}
	if !sameDraw(&x.draw, &y.draw) {
		n++
	}
	if n == 3 {
		return costNoPair
	}
	n *= costGroup
	for i := range x.slots {
		p, knownP := x.slots[i].begin()
		q, knownQ := y.slots[i].begin()
		if x.slots[i].bound && y.slots[i].bound && knownP && knownQ && p != q {
			return n + costBegin
		}
	}
	return n
}

// used are the buffers that either piece writes.
func used(x, y *piece) (list []int) {
	for i := range x.slots {
		if x.layout != nil && x.layout.uses(i) || y.layout != nil && y.layout.uses(i) {
			list = append(list, i)
		}
	}
	return list
}

func sameRanges(x, y *piece) bool {
	return !slices.ContainsFunc(used(x, y), func(i int) bool { return rangeChange(i, &x.slots[i], &y.slots[i]) != nil })
}

func sameDraw(d, e *drawn) bool { return drawChange(d, e) == nil }
