package trace

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// differ reports what an alignment left over.
type differ struct {
	*alignment
	options        DiffOptions
	fetchA, fetchB *fetcher
	changed        []MethodDifferences // by common number of the method
	err            error
}

// report calls Report with each difference, in order.
func (d *differ) report() error {
	d.changed = make([]MethodDifferences, len(d.a.names)+len(d.b.names))
	eachGap(d.runs, len(d.a.shapes), len(d.b.shapes), func(g gap) {
		at := g
		d.pairsIn(g, func(a, b int) {
			d.alone(gap{at.a0, a, at.b0, b})
			d.pairChanged(a, b)
			at.a0, at.b0 = a+1, b+1
		})
		d.alone(at)
	})
	return d.err
}

// alone reports calls that have no counterpart.
func (d *differ) alone(g gap) {
	for i := g.a0; i < g.a1; i++ {
		d.changed[d.methodOfA(i)].Removed++
		d.show(func() (*Difference, error) {
			c, err := d.fetchA.call(i)
			return &Difference{Kind: Removed, A: c}, err
		})
	}
	for i := g.b0; i < g.b1; i++ {
		d.changed[d.methodOfB(i)].Added++
		d.show(func() (*Difference, error) {
			c, err := d.fetchB.call(i)
			return &Difference{Kind: Added, B: c}, err
		})
	}
}

// pairChanged reports a call with other values.
func (d *differ) pairChanged(a, b int) {
	d.changed[d.methodOfA(a)].Changed++
	d.show(func() (*Difference, error) {
		callA, err := d.fetchA.call(a)
		if err != nil {
			return nil, err
		}
		callB, err := d.fetchB.call(b)
		if err != nil {
			return nil, err
		}
		return &Difference{Kind: Changed, A: callA, B: callB, Values: d.values(callA.Record, callB.Record)}, nil
	})
}

func (d *differ) show(make func() (*Difference, error)) {
	if d.err != nil || d.options.Report == nil {
		return
	}
	var x *Difference
	if x, d.err = make(); d.err == nil {
		d.err = d.options.Report(x)
	}
}

// values compares two calls value by value, by path.
func (d *differ) values(recA, recB *Record) []ValueDifference {
	c := valueComparison{differ: d, leavesB: d.fetchB.walker.leaves}
	inB := places(c.leavesB)
	c.used = make([]bool, len(c.leavesB))
	leavesA := d.fetchA.walker.leaves
	for key, i := range orderedPlaces(leavesA) {
		j, ok := inB[key]
		if !ok {
			c.note(&leavesA[i], nil)
			continue
		}
		c.used[j] = true
		c.added(j)
		c.note(&leavesA[i], &c.leavesB[j])
	}
	c.added(len(c.leavesB))
	return append(c.list, d.beside(recA, recB)...)
}

// place is where a value stands in a call: values that stand in one place are
// counted.
type place struct {
	path string
	n    int
}

func orderedPlaces(leaves []leaf) iter.Seq2[place, int] {
	return func(yield func(place, int) bool) {
		seen := make(map[string]int, len(leaves))
		for i := range leaves {
			path := leaves[i].path
			if !yield(place{path, seen[path]}, i) {
				return
			}
			seen[path]++
		}
	}
}

func places(leaves []leaf) map[place]int { return maps.Collect(orderedPlaces(leaves)) }

// valueComparison collects the differences of two calls.
type valueComparison struct {
	*differ
	leavesB []leaf
	used    []bool // of leavesB: there is a counterpart
	next    int    // of leavesB
	whole   string // below that path nothing more is told
	list    []ValueDifference
}

// note takes up two values in one place, of which one may be nil, if they differ.
func (c *valueComparison) note(x, y *leaf) {
	var v ValueDifference
	if x != nil {
		v.Path, v.From, v.FromName = x.path, x.value, c.fetchA.name(c.fetchA.walker.known, x.ref)
	}
	if y != nil {
		v.Path, v.To, v.ToName = y.path, y.value, c.fetchB.name(c.fetchB.walker.known, y.ref)
	}
	if below(v.Path, c.whole) || x != nil && y != nil && c.equal(x, y) {
		return
	}
	c.whole = v.Path
	c.list = append(c.list, v)
}

// added notes the values of the second call up to one that have no counterpart.
func (c *valueComparison) added(to int) {
	for ; c.next < to; c.next++ {
		if !c.used[c.next] {
			c.note(nil, &c.leavesB[c.next])
		}
	}
	c.next = max(c.next, to)
}

// below says whether a path leads to a value inside the one at another.
func below(path, whole string) bool {
	return whole != "" && len(path) > len(whole) && path[:len(whole)] == whole && (path[len(whole)] == '.' || path[len(whole)] == '[')
}

// equal compares two values at the same path.
func (d *differ) equal(x, y *leaf) bool {
	wa, wb := d.fetchA.walker, d.fetchB.walker
	if !bytes.Equal(wa.form[x.start:x.end], wb.form[y.start:y.end]) {
		return false
	}
	if (x.ref == noObject) != (y.ref == noObject) {
		return false
	}
	return x.ref == noObject || d.partnerOfA[wa.known[x.ref]] == wb.known[y.ref]
}

// beside compares what a call says beside its values: its number, its time, how
// it ends.
func (d *differ) beside(a, b *Record) []ValueDifference {
	var list []ValueDifference
	note := func(path string, from, to pipe.Value) {
		if !from.Equal(to) {
			list = append(list, ValueDifference{Path: path, From: from, To: to})
		}
	}
	if d.options.Keep&NoiseTimes != 0 {
		note("time", timeOf(a), timeOf(b))
	}
	if d.options.Keep&NoiseNumbers != 0 {
		note("no", textValue(strconv.FormatUint(a.No, 10)), textValue(strconv.FormatUint(b.No, 10)))
	}
	note("ends", ends(a), ends(b))
	if a.Kind == NoiseRecord || b.Kind == NoiseRecord {
		note("text", textValue(string(a.Raw)), textValue(string(b.Raw)))
	}
	return list
}

func timeOf(rec *Record) pipe.Value {
	var t pipe.Value
	for x := range rec.Values.All() {
		if x.Role() == pipe.TimeRole {
			t = x
		}
	}
	return t
}

// ends tells how a call ends that is not whole.
func ends(rec *Record) pipe.Value {
	switch {
	case rec.Problem != nil:
		return textValue("malformed: " + rec.Problem.Reason)
	case rec.Open:
		return textValue("cut")
	}
	return textValue("whole")
}

func textValue(s string) pipe.Value {
	var b pipe.Builder
	b.Str(s)
	v := b.Values()
	return v.First()
}

// summary counts.
func (d *differ) summary() DiffSummary {
	s := DiffSummary{
		NoiseA: d.a.skipped, NoiseB: d.b.skipped,
		EndingA: d.a.ending, EndingB: d.b.ending,
	}
	d.eachEqual(func(a, _ int) { d.changed[d.methodOfA(a)].Equal++ })
	for i := range d.changed {
		m := &d.changed[i]
		name := methodName{}
		if i < len(d.a.names) {
			name = d.a.names[i]
		} else {
			name = d.b.names[i-len(d.a.names)]
		}
		m.Class, m.Method = name.class, name.method
		s.Equal, s.Changed, s.Removed, s.Added = s.Equal+m.Equal, s.Changed+m.Changed, s.Removed+m.Removed, s.Added+m.Added
		if m.differ() > 0 {
			s.Methods = append(s.Methods, *m)
		}
	}
	slices.SortStableFunc(s.Methods, func(x, y MethodDifferences) int { return cmp.Compare(y.differ(), x.differ()) })
	return s
}

func (m *MethodDifferences) differ() uint64 { return m.Changed + m.Removed + m.Added }
