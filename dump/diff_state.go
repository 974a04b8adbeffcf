package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// StateDifference is a value of the bound state that differs at two draws that
// stand for each other.
type StateDifference struct {
	A, B     *trace.DiffCall
	Path     string // as in an object of type "state": rasterizer.state.flatshade
	From, To any    // as in an Object; nil where it is not told
}

// StateDiff compares what is bound at draws that stand for each other. A value
// that differs is reported where it begins to, or differs in another way, not at
// each draw that sees it.
type StateDiff struct {
	Report func(*StateDifference) error
	// Draws counts the pairs of draws, Differing those whose state differs.
	Draws, Differing uint64

	sides [2]stateSide
	known map[[2]uint64]map[string][2]string // by the contexts' serials: what differs already
}

// stateSide follows one trace.
type stateSide struct {
	decoder trace.Decoder
	op      pipe.Op
	machine *state.Machine
	sets    map[uint64]map[string]state.At // by the context's serial
	trees   objectTrees
}

// Follower returns what trace.Diff needs to call.
func (d *StateDiff) Follower() *trace.DiffFollower {
	for i := range d.sides {
		d.sides[i].machine, d.sides[i].sets, d.sides[i].trees = state.New(), map[uint64]map[string]state.At{}, objectTrees{}
	}
	d.known = map[[2]uint64]map[string][2]string{}
	return &trace.DiffFollower{A: d.sides[0].see, B: d.sides[1].see, Draws: d.draws}
}

// see takes one record into account.
func (s *stateSide) see(rec *trace.Record) {
	if rec.Open || !s.decoder.Decode(rec, &s.op) {
		return
	}
	s.machine.Before(&s.op)
	s.machine.Apply(&s.op)
	if !strings.HasPrefix(rec.Method, "set_") && rec.Method != "current_framebuffer_state" {
		return
	}
	if c := s.machine.Context(s.op.Context); c != nil {
		of := s.sets[c.Serial]
		if of == nil {
			of = map[string]state.At{}
			s.sets[c.Serial] = of
		}
		of[rec.Method] = state.At{No: rec.No, Pos: rec.Pos}
	}
}

// at returns the state that a draw sees.
func (s *stateSide) at(rec *trace.Record) (Object, uint64) {
	if !s.decoder.Decode(rec, &s.op) {
		return nil, 0
	}
	c := s.machine.Before(&s.op)
	if c == nil {
		return nil, 0
	}
	b := stateBuilder{&StateQuery{Record: rec, Machine: s.machine, Context: c, Sets: s.sets[c.Serial]}, c, s.trees}
	return b.members(), c.Serial
}

// draws compares the state of two draws.
func (d *StateDiff) draws(m *trace.DiffMoment) error {
	a, serialA := d.sides[0].at(m.A.Record)
	b, serialB := d.sides[1].at(m.B.Record)
	d.Draws++
	w := treeComparison{moment: m}
	w.objects(a, b)
	if len(w.list) > 0 {
		d.Differing++
	}
	key := [2]uint64{serialA, serialB}
	before, now := d.known[key], make(map[string][2]string, len(w.list))
	for i := range w.list {
		x := &w.list[i]
		values := [2]string{fmt.Sprint(x.From), fmt.Sprint(x.To)}
		now[x.Path] = values
		if old, ok := before[x.Path]; ok && old == values {
			continue
		}
		if err := d.Report(x); err != nil {
			return err
		}
	}
	d.known[key] = now
	return nil
}

// treeComparison compares two trees, member by member.
type treeComparison struct {
	moment *trace.DiffMoment
	path   []byte // of what is being compared
	list   []StateDifference
}

// recordedWhen are the members that say when something happened: by call, which
// differs between any two traces.
var recordedWhen = map[string]bool{"created": true, "ended": true, "destroyed": true, "set": true, "begun": true,
	"lastCapture": true, "world": true, "draws": true, "context": true}

func (w *treeComparison) objects(a, b Object) {
	for i, m := range a {
		if recordedWhen[m.Name] {
			continue
		}
		if i < len(b) && b[i].Name == m.Name { // as it is nearly always
			w.member(m.Name, m.Value, b[i].Value)
		} else {
			w.member(m.Name, m.Value, b.Get(m.Name))
		}
	}
	for i, m := range b {
		if !recordedWhen[m.Name] && (i >= len(a) || a[i].Name != m.Name) && !has(a, m.Name) {
			w.member(m.Name, nil, m.Value)
		}
	}
}

func (w *treeComparison) member(name string, a, b any) {
	above := len(w.path)
	if above > 0 {
		w.path = append(w.path, '.')
	}
	w.path = append(w.path, name...)
	w.values(a, b)
	w.path = w.path[:above]
}

func has(o Object, name string) bool {
	for _, m := range o {
		if m.Name == name {
			return true
		}
	}
	return false
}

func (w *treeComparison) values(a, b any) {
	switch x := a.(type) {
	case Object:
		if y, ok := b.(Object); ok {
			w.objects(x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			w.lists(x, y)
			return
		}
	case Address:
		if y, ok := b.(Address); ok {
			if !w.moment.Same(pipe.Handle(x), pipe.Handle(y)) {
				w.differ(w.moment.NameA(pipe.Handle(x)), w.moment.NameB(pipe.Handle(y)))
			}
			return
		}
	}
	if isLeaf(a) && isLeaf(b) && a == b {
		return
	}
	w.differ(a, b)
}

func (w *treeComparison) lists(a, b []any) {
	above := len(w.path)
	for i := range max(len(a), len(b)) {
		var x, y any
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		w.path = append(strconv.AppendInt(append(w.path, '['), int64(i), 10), ']')
		w.values(x, y)
		w.path = w.path[:above]
	}
}

// isLeaf says whether a value can be compared as it is.
func isLeaf(x any) bool {
	switch x.(type) {
	case Object, []any:
		return false
	}
	return true
}

func (w *treeComparison) differ(from, to any) {
	w.list = append(w.list, StateDifference{w.moment.A, w.moment.B, string(w.path), from, to})
}
