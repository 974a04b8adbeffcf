package streamout

import (
	"math/bits"
	"sync"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Options choose what a Track runs and where it reports.
type Options struct {
	// Rules are the rules to run, in this order.
	Rules []*Rule
	// Profile is the driver to check for, nil for none.
	Profile *pipe.Profile
	// AutoProfile takes the profile from the name that the screen gives, once it
	// was asked for it.
	AutoProfile bool
	// Severities are severities by rule id that go before the rules' own;
	// Silent turns a rule off.
	Severities map[string]Severity
	// Report gets each finding as it is found; nil drops them. It is called with
	// the Track locked.
	Report func(*Finding)
}

// Track follows the state of a stack and runs rules over every operation. It
// is made by NewTrack, and but for Follow safe for several contexts in parallel.
type Track struct {
	mu      sync.Mutex
	opts    Options
	null    pipe.Null // gives results to the operations of Follow that lack one
	byEvent [numTriggers][]*Rule
	wanted  Trigger
	latest  latestRules // to ask: cleared when a severity changes
	state   *state.Machine
	view    View
	info    Info
	tainted recent[uint64, bool]
	faulty  map[pipe.Handle]bool // contexts whose create on its way has an error
	repeats repeats
	summary Summary

	highNo      uint64 // the highest call number of the world
	numbersBack int    // how many were below it when they came
	twoWriters  bool
	followed    map[*state.Context]*facts
	last        *facts // of the context lastOf: most runs have one
	lastOf      *state.Context
}

// facts are what a Track knows of a context beside its state.
type facts struct {
	counted bool // in the summary
	// checked are the revisions that the state rules last ran for.
	checked struct{ capture, draw uint64 }
	// faults are what was found: whether any warning or error, whether any error,
	// and how many draws had been when the last was.
	faults struct {
		any, errors bool
		draws       uint64
	}
}

// NewTrack returns a Track with the options given.
func NewTrack(opts Options) *Track {
	t := &Track{
		opts:     opts,
		state:    state.New(),
		faulty:   make(map[pipe.Handle]bool),
		followed: make(map[*state.Context]*facts),
		repeats:  newRepeats(),
	}
	t.sort(opts.Rules)
	t.view = View{track: t, State: t.state, Profile: opts.Profile}
	return t
}

// sort puts the rules that are to run by their triggers. The lists get their room at
// once: a run over many short traces makes a Track for each.
func (t *Track) sort(rules []*Rule) {
	var sizes [numTriggers]int
	for _, r := range rules {
		for on := r.On; on != 0; on &= on - 1 {
			sizes[bits.TrailingZeros32(uint32(on))]++
		}
	}
	for i, n := range sizes {
		t.byEvent[i] = make([]*Rule, 0, n)
	}
	for _, r := range rules {
		if s, chosen := t.opts.Severities[r.ID]; chosen && s == Silent {
			continue
		}
		for on := r.On; on != 0; on &= on - 1 {
			i := bits.TrailingZeros32(uint32(on))
			t.byEvent[i] = append(t.byEvent[i], r)
		}
		t.wanted |= r.On
	}
}

// State is the state that the Track follows. Use it only while nothing runs.
func (t *Track) State() *state.Machine { return t.state }

// Layer wraps a driver: every operation is checked, carried out below, and
// recorded.
func (t *Track) Layer(next pipe.Driver) pipe.Driver {
	return pipe.DriverFunc(func(op *pipe.Op) error {
		t.Check(op)
		err := next.Do(op)
		if err == nil {
			t.Record(op)
		}
		return err
	})
}

// Follow checks and records an operation of a trace, which no driver has to carry
// out any more. It is Layer over a pipe.Null, but does not lock: a trace has one
// order, so one goroutine follows it, and no other asks for anything meanwhile.
func (t *Track) Follow(op *pipe.Op) {
	c, routine := t.check(op)
	if routine { // the rest would come to just this
		op.Ret.Known = op.Ret.Known || op.Ret.Handle == 0
		t.count(op, c)
		t.state.Apply(op)
		return
	}
	_ = t.null.Do(op) // never fails
	t.record(op)
}

// Check runs the rules that look at an operation before it acts.
func (t *Track) Check(op *pipe.Op) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.check(op)
}

// check returns the operation's context, nil for none, and whether it is routine.
func (t *Track) check(op *pipe.Op) (c *state.Context, routine bool) {
	if _, ok := op.Call.(*pipe.NewWorld); ok {
		t.highNo, t.numbersBack = 0, 0
	} else {
		t.order(op.No, op.Pos)
	}
	if len(t.faulty) > 0 {
		delete(t.faulty, op.Context)
	}
	c = t.state.Before(op)
	on, routine := t.before(op, c)
	if on &= t.wanted; on != 0 {
		t.ask(op, c, on)
	}
	return c, routine
}

// Record follows what an operation did, and runs the rules that look at what
// it returned.
func (t *Track) Record(op *pipe.Op) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.record(op)
}

func (t *Track) record(op *pipe.Op) {
	c := t.state.Context(op.Context)
	if triggers := after(op.Call) & t.wanted; triggers != 0 {
		t.ask(op, c, triggers)
	}
	t.count(op, c)
	t.state.Apply(op)
	t.taintCreated(op)
	switch op.Call.(type) {
	case *pipe.GetName:
		if t.opts.AutoProfile {
			t.setProfile(t.state.DriverName)
		}
	case *pipe.ContextDestroy:
		delete(t.followed, c)
		t.last, t.lastOf = nil, nil
	case *pipe.NewWorld, *pipe.ScreenCreate:
		t.unfollow()
	}
}

// setProfile goes over to the profile of the driver that a screen's name tells.
func (t *Track) setProfile(screen string) {
	if p, ok := pipe.ProfileFromScreenName(screen); ok {
		t.opts.Profile = &p
		t.view.Profile = &p
		t.latest = latestRules{} // the severities are others now
	}
}

// strayNumbers is how many numbers below one seen before are taken for slips of
// whoever edited the trace. A second writer makes many.
const strayNumbers = 2

// order watches the call numbers: numbers that go back without a new header
// mean that two programs wrote one file.
func (t *Track) order(no uint64, pos pipe.Pos) {
	if no >= t.highNo || no == 0 {
		t.highNo = max(no, t.highNo)
		return
	}
	if t.numbersBack++; t.numbersBack <= strayNumbers || t.twoWriters {
		return
	}
	t.twoWriters = true
	t.latest = latestRules{}
	if t.wanted&OnTwoWriters != 0 {
		t.ask(&pipe.Op{No: no, Pos: pos}, nil, OnTwoWriters)
	}
}

// ask runs the rules of the triggers over an operation and reports.
func (t *Track) ask(op *pipe.Op, c *state.Context, triggers Trigger) {
	v := &t.view
	v.Op, v.Context, v.Capturing, v.Info = op, c, nil, nil
	if c != nil {
		v.Capturing = c.Capturing()
	}
	v.Live = op.No == 0 && op.Pos.Line == 0
	for _, a := range t.rulesFor(situation{triggers, v.prepare(), v.Live}) {
		v.rule, v.subject = a, 0
		a.Check(v)
	}
	if len(v.drafts) > 0 {
		t.flush(op)
	}
}

// flush reports what the rules found, and counts what repeats.
func (t *Track) flush(op *pipe.Op) {
	v := &t.view
	for i := range v.drafts {
		d := &v.drafts[i]
		if d.severity == Silent {
			continue
		}
		if first := t.repeats.find(d); first != nil {
			first.Repeats++
			t.summary.Repeats++
			continue
		}
		f := v.spell(d)
		t.repeats.learn(d, f)
		if d.breaks() && d.subject != 0 {
			t.tainted.put(d.subject, true)
		}
		t.summary.add(f.Severity)
		if t.opts.Report != nil {
			t.opts.Report(f)
		}
	}
	// An object that is made by a faulty call is as faulty.
	for i := range v.drafts {
		d := &v.drafts[i]
		if v.Context != nil && d.severity >= Warning {
			f := &t.factsOf(v.Context).faults
			f.any, f.errors, f.draws = true, f.errors || d.severity == Error, v.Context.Draws
		}
		if d.breaks() && pipe.Creates(op.Call) {
			t.faulty[op.Context] = true
		}
	}
	v.forget()
}

// severity is what a rule's findings weigh in this run.
func (t *Track) severity(r *Rule, live bool) Severity {
	if s, chosen := t.opts.Severities[r.ID]; chosen {
		return s
	}
	return t.soften(r, r.severity(t.opts.Profile, live))
}

// soften makes a rule about order a note once the order means nothing.
func (t *Track) soften(r *Rule, s Severity) Severity {
	if t.twoWriters && r.Order && s > Note {
		return Note
	}
	return s
}
