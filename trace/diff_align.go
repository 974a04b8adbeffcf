package trace

import (
	"slices"

	"github.com/outflow-gpu/outflow/internal/seqdiff"
)

// alignment says which calls and objects of two traces stand for each other.
type alignment struct {
	a, b *callIndex
	runs []seqdiff.Run // of equal calls
	// partners are the objects of b by the object of a that they stand for, and
	// the other way round; noObject for none.
	partnerOfA, partnerOfB []int32
	methodsB               []int32 // the methods of b by the number that a gives them
}

// align aligns two traces. Which objects stand for each other depends on which
// calls do, and the other way round, so it goes by steps: the objects by what
// they were made from; the calls, with pointers compared by that; the objects by
// the calls that made them and used them; the calls again, with pointers
// compared by the object.
func align(a, b *callIndex) *alignment {
	al := &alignment{a: a, b: b, partnerOfA: nobodies(len(a.objects.all)), partnerOfB: nobodies(len(b.objects.all))}
	al.shareMethods()
	classA, classB := al.classes()
	al.runs = seqdiff.Align(tokens(a, classA), tokens(b, classB), seqdiff.Options{})
	al.pair(classA, classB)
	identityA, identityB := al.identities()
	toA, toB := tokens(a, identityA), tokens(b, identityB)
	if !al.holds(toA, toB) {
		al.runs = seqdiff.Align(toA, toB, seqdiff.Options{})
	}
	return al
}

func nobodies(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = noObject
	}
	return list
}

// shareMethods gives the methods of both traces common numbers.
func (al *alignment) shareMethods() {
	numbers := make(map[methodName]int32, len(al.a.names))
	for i, name := range al.a.names {
		numbers[name] = int32(i)
	}
	al.methodsB = make([]int32, len(al.b.names))
	for i, name := range al.b.names {
		n, ok := numbers[name]
		if !ok {
			n = int32(len(al.a.names) + i)
		}
		al.methodsB[i] = n
	}
}

func (al *alignment) methodOfA(call int) uint64 { return uint64(al.a.methods[call]) }
func (al *alignment) methodOfB(call int) uint64 { return uint64(al.methodsB[al.b.methods[call]]) }

// tokens returns a number for each call that is equal for calls that say the
// same, pointers by the number of their object.
func tokens(x *callIndex, objects []uint64) []uint64 {
	list := make([]uint64, len(x.shapes))
	for i, t := range x.shapes {
		for _, id := range x.refsOf(i) {
			t = mixHash(t, objects[id])
		}
		list[i] = t
	}
	return list
}

// classes returns a number for each object that is equal for those which could
// stand for each other: made from the same, or, where one trace has an object
// made from what the other has nothing of, by a create in the same place. So a
// shader whose text changed stays the same shader in the calls that bind it.
func (al *alignment) classes() (classA, classB []uint64) {
	classA, classB = contents(al.a), contents(al.b)
	inA, inB := counts(classA), counts(classB)
	born := func(x *callIndex, class []uint64) []uint64 {
		list := make([]uint64, len(x.births))
		for i, b := range x.births {
			list[i] = class[b.object]
		}
		return list
	}
	runs := seqdiff.Align(born(al.a, classA), born(al.b, classB), seqdiff.Options{})
	merged := map[uint64]uint64{}
	eachGap(runs, len(al.a.births), len(al.b.births), func(g gap) {
		kinds := func(x *callIndex, from, to int) []uint64 {
			list := make([]uint64, 0, to-from)
			for _, b := range x.births[from:to] {
				list = append(list, hashString(x.objects.kind(b.object)))
			}
			return list
		}
		for _, r := range seqdiff.Align(kinds(al.a, g.a0, g.a1), kinds(al.b, g.b0, g.b1), seqdiff.Options{}) {
			for i := range r.Len {
				ca := classA[al.a.births[g.a0+r.A+i].object]
				cb := classB[al.b.births[g.b0+r.B+i].object]
				if _, done := merged[cb]; !done && inB[ca] == 0 && inA[cb] == 0 {
					merged[cb] = ca
				}
			}
		}
	})
	for i, c := range classB {
		if to, ok := merged[c]; ok {
			classB[i] = to
		}
	}
	return classA, classB
}

func contents(x *callIndex) []uint64 {
	list := make([]uint64, len(x.objects.all))
	for i := range list {
		list[i] = x.objects.all[i].content
	}
	return list
}

func counts(list []uint64) map[uint64]int {
	n := make(map[uint64]int)
	for _, c := range list {
		n[c]++
	}
	return n
}

// pair finds out which objects stand for each other. The objects that two
// aligned creates made do, where both traces made as many from the same. Where
// one made more, which of them is the odd one is told by their first use, not by
// the order of creates that all look alike.
func (al *alignment) pair(classA, classB []uint64) {
	inA, inB := counts(classA), counts(classB)
	bornA, bornB := al.a.createdBy(), al.b.createdBy()
	meet := func(a, b int) {
		x, y := bornA[a], bornB[b]
		if x != noObject && y != noObject {
			al.join(x, y)
		}
	}
	al.eachEqual(func(a, b int) {
		if x := bornA[a]; x != noObject && inA[classA[x]] == inB[classA[x]] {
			meet(a, b)
		}
	})
	eachGap(al.runs, len(al.a.shapes), len(al.b.shapes), func(g gap) { al.pairsIn(g, meet) })
	al.eachEqual(func(a, b int) {
		refsA, refsB := al.a.refsOf(a), al.b.refsOf(b)
		for i, x := range refsA {
			y := refsB[i]
			if x != bornA[a] && y != bornB[b] && classA[x] == classB[y] {
				al.join(x, y)
			}
		}
	})
	al.eachEqual(meet)
	eachGap(al.runs, len(al.a.shapes), len(al.b.shapes), func(g gap) { al.pairsIn(g, al.joinUses) })
}

// joinUses makes the objects of a changed call stand for each other that no
// create was seen of: what is known of them is that they are used alike.
func (al *alignment) joinUses(a, b int) {
	refsA, refsB := al.a.refsOf(a), al.b.refsOf(b)
	if len(refsA) != len(refsB) {
		refsA, refsB = refsA[:min(1, len(refsA))], refsB[:min(1, len(refsB))]
	}
	for i := range min(len(refsA), len(refsB)) {
		x, y := refsA[i], refsB[i]
		if !al.a.objects.all[x].created && !al.b.objects.all[y].created {
			al.join(x, y)
		}
	}
}

// join makes two objects stand for each other that stand for none yet.
func (al *alignment) join(x, y int32) {
	if al.partnerOfA[x] == noObject && al.partnerOfB[y] == noObject &&
		al.a.objects.kind(x) == al.b.objects.kind(y) {
		al.partnerOfA[x], al.partnerOfB[y] = y, x
	}
}

// createdBy returns the object that each call created, noObject for most.
func (x *callIndex) createdBy() []int32 {
	list := nobodies(len(x.shapes))
	for _, b := range x.births {
		if b.call >= 0 {
			list[b.call] = b.object
		}
	}
	return list
}

// identities returns a number for each object that only the one that it stands
// for has too.
func (al *alignment) identities() (a, b []uint64) {
	a, b = make([]uint64, len(al.partnerOfA)), make([]uint64, len(al.partnerOfB))
	for i := range a {
		a[i] = uint64(i)
	}
	for i, x := range al.partnerOfB {
		b[i] = uint64(i) | 1<<40
		if x != noObject {
			b[i] = uint64(x)
		}
	}
	return a, b
}

// holds says whether the runs are equal under other tokens too.
func (al *alignment) holds(a, b []uint64) bool {
	for _, r := range al.runs {
		if !slices.Equal(a[r.A:r.A+r.Len], b[r.B:r.B+r.Len]) {
			return false
		}
	}
	return true
}

// eachEqual calls f with each pair of equal calls.
func (al *alignment) eachEqual(f func(a, b int)) {
	for _, r := range al.runs {
		for i := range r.Len {
			f(r.A+i, r.B+i)
		}
	}
}

// gap is what lies between two runs.
type gap struct{ a0, a1, b0, b1 int }

// eachGap calls f with each gap between runs of sequences of those lengths.
func eachGap(runs []seqdiff.Run, lenA, lenB int, f func(gap)) {
	a, b := 0, 0
	for i := 0; i <= len(runs); i++ {
		r := seqdiff.Run{A: lenA, B: lenB}
		if i < len(runs) {
			r = runs[i]
		}
		if a < r.A || b < r.B {
			f(gap{a, r.A, b, r.B})
		}
		a, b = r.A+r.Len, r.B+r.Len
	}
}

// pairsIn calls f with the calls of a gap that are different forms of one: those
// that differ in pointers alone, then those of one method, both in order.
func (al *alignment) pairsIn(g gap, f func(a, b int)) {
	shapes := seqdiff.Align(al.a.shapes[g.a0:g.a1], al.b.shapes[g.b0:g.b1], seqdiff.Options{})
	at := g
	for i := 0; i <= len(shapes); i++ {
		r := seqdiff.Run{A: g.a1 - g.a0, B: g.b1 - g.b0}
		if i < len(shapes) {
			r = shapes[i]
		}
		at.a1, at.b1 = g.a0+r.A, g.b0+r.B
		al.pairMethods(at, f)
		for j := range r.Len {
			f(at.a1+j, at.b1+j)
		}
		at.a0, at.b0 = at.a1+r.Len, at.b1+r.Len
	}
}

func (al *alignment) pairMethods(g gap, f func(a, b int)) {
	if g.a0 == g.a1 || g.b0 == g.b1 {
		return
	}
	methods := func(from, to int, of func(int) uint64) []uint64 {
		list := make([]uint64, 0, to-from)
		for i := from; i < to; i++ {
			list = append(list, of(i))
		}
		return list
	}
	for _, r := range seqdiff.Align(methods(g.a0, g.a1, al.methodOfA), methods(g.b0, g.b1, al.methodOfB), seqdiff.Options{}) {
		for j := range r.Len {
			f(g.a0+r.A+j, g.b0+r.B+j)
		}
	}
}
