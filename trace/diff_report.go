package trace

import (
	"bytes"
	"cmp"
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
	wa, wb := d.fetchA.walker, d.fetchB.walker
	inB := make(map[string]int, len(wb.leaves))
	for i := range wb.leaves {
		if _, twice := inB[wb.leaves[i].path]; !twice {
			inB[wb.leaves[i].path] = i
		}
	}
	var list []ValueDifference
	whole := "" // a path below which nothing more is told
	used := make([]bool, len(wb.leaves))
	nextB := 0
	addB := func(to int) {
		for ; nextB < to; nextB++ {
			if x := &wb.leaves[nextB]; !used[nextB] && !below(x.path, whole) {
				whole = x.path
				list = append(list, ValueDifference{Path: x.path, To: x.value, ToName: d.fetchB.name(wb.known, x.ref)})
			}
		}
	}
	seen := make(map[string]bool, len(wa.leaves))
	for i := range wa.leaves {
		x := &wa.leaves[i]
		j, ok := inB[x.path]
		if seen[x.path] {
			ok = false
		}
		seen[x.path] = true
		if ok {
			used[j] = true
			addB(j)
			nextB = max(nextB, j+1)
		}
		if below(x.path, whole) || ok && d.equal(x, &wb.leaves[j]) {
			continue
		}
		diff := ValueDifference{Path: x.path, From: x.value, FromName: d.fetchA.name(wa.known, x.ref)}
		if ok {
			diff.To, diff.ToName = wb.leaves[j].value, d.fetchB.name(wb.known, wb.leaves[j].ref)
		}
		whole = x.path
		list = append(list, diff)
	}
	addB(len(wb.leaves))
	return append(list, d.beside(recA, recB)...)
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
