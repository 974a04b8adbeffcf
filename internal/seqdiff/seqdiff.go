package seqdiff

// Run is a stretch that both sequences share: Len elements from A in the first
// and from B in the second.
type Run struct {
	A, B, Len int
}

// Options tune Align. The zero value is right for most.
type Options struct {
	// MaxEdits is how many removed and added elements between two anchors are
	// looked for before the search settles for what it has; 1024 when 0.
	MaxEdits int
}

const (
	defaultMaxEdits = 1024
	// fewEdits are looked for before any anchor is.
	fewEdits = 128
)

// Align returns the longest runs that it finds, in order of both sequences.
// What is in no run was removed from a or added in b. Touching runs are one.
func Align(a, b []uint64, o Options) []Run {
	most := o.MaxEdits
	if most <= 0 {
		most = defaultMaxEdits
	}
	al := aligner{a: a, b: b, most: most}
	al.align(region{0, len(a), 0, len(b)}, 0)
	return al.runs
}

// region is a part of the first sequence against a part of the second.
type region struct{ a0, a1, b0, b1 int }

func (r region) empty() bool { return r.a0 == r.a1 || r.b0 == r.b1 }

type aligner struct {
	a, b          []uint64
	most          int
	runs          []Run
	forward, back []int // furthest points by diagonal
}

// emit adds a run behind those that are there.
func (al *aligner) emit(a, b, n int) {
	if n == 0 {
		return
	}
	if last := len(al.runs) - 1; last >= 0 {
		r := &al.runs[last]
		if r.A+r.Len == a && r.B+r.Len == b {
			r.Len += n
			return
		}
	}
	al.runs = append(al.runs, Run{a, b, n})
}

// align aligns a region. Tried says how many kinds of anchors were looked for in
// a region that holds this one.
func (al *aligner) align(r region, tried int) {
	for {
		n := al.prefix(r)
		al.emit(r.a0, r.b0, n)
		r.a0, r.b0 = r.a0+n, r.b0+n
		n = al.suffix(r)
		r.a1, r.b1 = r.a1-n, r.b1-n
		if r.empty() {
			al.emit(r.a1, r.b1, n)
			return
		}
		if tried < len(anchorLengths) {
			if x, y, ok := al.middle(r, fewEdits); ok {
				al.align(region{r.a0, x, r.b0, y}, tried)
				al.align(region{x, r.a1, y, r.b1}, tried)
			} else {
				al.anchored(r, tried)
			}
			al.emit(r.a1, r.b1, n)
			return
		}
		// The part behind the split is done by the loop: there may be many.
		x, y, _ := al.middle(r, al.most)
		al.align(region{r.a0, x, r.b0, y}, tried)
		if n > 0 {
			al.align(region{x, r.a1, y, r.b1}, tried)
			al.emit(r.a1, r.b1, n)
			return
		}
		r.a0, r.b0 = x, y
	}
}

func (al *aligner) prefix(r region) int {
	a, b := al.a[r.a0:r.a1], al.b[r.b0:r.b1]
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	for i, x := range a {
		if x != b[i] {
			return i
		}
	}
	return n
}

func (al *aligner) suffix(r region) int {
	n := min(r.a1-r.a0, r.b1-r.b0)
	for i := range n {
		if al.a[r.a1-1-i] != al.b[r.b1-1-i] {
			return i
		}
	}
	return n
}
