package seqdiff

import (
	"cmp"
	"slices"
	"sort"
)

// anchorLengths are the lengths of the stretches that anchors are, in the order
// they are tried. Long ones first: a short one that was moved would tear the rest
// apart.
var anchorLengths = [...]int{64, 16, 4, 1}

// anchored aligns a region around what occurs once on each side.
func (al *aligner) anchored(r region, tried int) {
	length := anchorLengths[tried]
	anchors := al.anchors(r, length)
	if len(anchors) == 0 {
		al.align(r, tried+1)
		return
	}
	gap := r
	for _, x := range anchors {
		gap.a1, gap.b1 = x.A, x.B
		al.align(gap, tried)
		al.emit(x.A, x.B, x.Len)
		gap.a0, gap.b0 = x.A+x.Len, x.B+x.Len
	}
	gap.a1, gap.b1 = r.a1, r.b1
	al.align(gap, tried)
}

// anchors returns the stretches of a length that occur once on each side of the
// region, as many as there are in the same order on both, joined into runs.
func (al *aligner) anchors(r region, length int) []Run {
	pairs := unique(windows(al.a[r.a0:r.a1], length), windows(al.b[r.b0:r.b1], length))
	var runs []Run
	for _, p := range ascending(pairs) {
		a, b, n := r.a0+p[0], r.b0+p[1], length
		if !slices.Equal(al.a[a:a+n], al.b[b:b+n]) {
			continue // two hashes that are equal by chance
		}
		if last := len(runs) - 1; last >= 0 {
			x := &runs[last]
			endA, endB := x.A+x.Len, x.B+x.Len
			if a-x.A == b-x.B && a <= endA {
				x.Len = a + n - x.A
				continue
			}
			if a < endA || b < endB {
				continue
			}
		}
		runs = append(runs, Run{a, b, n})
	}
	return runs
}

// window is a stretch by its hash and where it begins.
type window struct {
	hash uint64
	at   int
}

// windows returns every stretch of that length, sorted by hash.
func windows(s []uint64, length int) []window {
	if len(s) < length {
		return nil
	}
	const base = 0x9e3779b97f4a7c15
	list := make([]window, 0, len(s)-length+1)
	hash, power := uint64(0), uint64(1)
	for i, x := range s {
		hash = hash*base + mix(x)
		if i >= length {
			hash -= power * mix(s[i-length])
		} else {
			power *= base
		}
		if i >= length-1 {
			list = append(list, window{hash, i - length + 1})
		}
	}
	slices.SortFunc(list, func(x, y window) int { return cmp.Compare(x.hash, y.hash) })
	return list
}

// mix spreads the bits of an element, which may be a small number.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}

// unique returns where the windows are that occur once in each list, in the order
// of the first side.
func unique(a, b []window) [][2]int {
	var pairs [][2]int
	for len(a) > 0 && len(b) > 0 {
		na, nb := equalWindows(a), equalWindows(b)
		switch {
		case a[0].hash < b[0].hash:
			a = a[na:]
		case a[0].hash > b[0].hash:
			b = b[nb:]
		default:
			if na == 1 && nb == 1 {
				pairs = append(pairs, [2]int{a[0].at, b[0].at})
			}
			a, b = a[na:], b[nb:]
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return cmp.Compare(x[0], y[0]) })
	return pairs
}

// equalWindows returns how many windows at the start of a list are the same.
func equalWindows(list []window) int {
	n := 1
	for n < len(list) && list[n].hash == list[0].hash {
		n++
	}
	return n
}

// ascending returns a longest list of pairs whose second places ascend too, by
// patience sorting.
func ascending(pairs [][2]int) [][2]int {
	tops := make([]int, 0, len(pairs)) // the pair that ends the best list of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(tops), func(j int) bool { return pairs[tops[j]][1] >= p[1] })
		before[i] = -1
		if n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	list := make([][2]int, len(tops))
	if len(tops) == 0 {
		return list
	}
	for i, at := len(tops)-1, tops[len(tops)-1]; at >= 0; i, at = i-1, before[at] {
		list[i] = pairs[at]
	}
	return list
}
