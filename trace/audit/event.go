package audit

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// event is what stream output finds in force at a draw or at a
// set_stream_output_targets.
type event struct {
	call   uint64
	moment uint64 // orders the events of both sides
	method string
	draw   pipe.Call // *pipe.Draw or *pipe.DrawVertexState, nil for a set
	prim   pipe.PrimitiveType
	// returned: the call has, so that the event is handed on later or not at all.
	returned bool

	shader      *state.Shader // the last vertex stage's
	shaderKnown bool
	slots       [pipe.MaxStreamOutputBuffers]slot
	slotsKnown  bool
	auto        slot // the target that a draw-auto takes its count from
}

// slot is a target in its slot.
type slot struct {
	handle pipe.Handle
	target *state.Target // nil when no create of it was seen
	offset uint32        // as given by a set
	fill   state.Fill    // how far the target is filled
}

// newSlot returns a slot that goes on where its target is now.
func newSlot(h pipe.Handle, t *state.Target) slot {
	s := slot{handle: h, target: t, offset: pipe.AppendOffset}
	if t != nil {
		s.fill = t.Fill
	}
	return s
}

// newEvent returns what the operation finds, nil for one that is neither a draw
// nor a set. The machine has not yet been told of it.
func newEvent(m *state.Machine, op *pipe.Op, call uint64) *event {
	switch op.Call.(type) {
	case *pipe.Draw, *pipe.DrawVertexState, *pipe.SetStreamOutputTargets:
	default:
		return nil
	}
	c := m.Before(op)
	if c == nil {
		return nil
	}
	e := &event{call: call, prim: pipe.PrimitiveUnknown}
	_, e.method = op.Call.Name()
	switch d := op.Call.(type) {
	case *pipe.Draw:
		e.draw = keepDraw(d)
		if d.Indirect != nil {
			e.auto = newSlot(d.Indirect.CountFromStreamOutput, m.Target(d.Indirect.CountFromStreamOutput))
		}
	case *pipe.DrawVertexState:
		d2 := *d
		d2.Draws = slices.Clone(d.Draws)
		e.draw = &d2
	case *pipe.SetStreamOutputTargets:
		e.readSet(m, d)
		return e
	}
	e.readContext(c)
	return e
}

func (e *event) readSet(m *state.Machine, set *pipe.SetStreamOutputTargets) {
	e.slotsKnown = set.NumTargets == 0 || set.Targets != nil && len(set.Offsets) >= len(set.Targets)
	e.prim = set.OutputPrim
	for i := range min(int(min(set.NumTargets, pipe.MaxStreamOutputBuffers)), len(set.Targets)) {
		if h := set.Targets[i]; h != 0 {
			e.slots[i] = newSlot(h, m.Target(h))
			if i < len(set.Offsets) {
				e.slots[i].offset = set.Offsets[i]
			}
		}
	}
}

// readContext reads what is in force in a context.
func (e *event) readContext(c *state.Context) {
	e.shader, e.shaderKnown = c.LastVertexStage()
	e.slotsKnown = c.Whole || c.TargetsSet != (state.At{}) || c.TargetBound()
	for i := range c.Targets {
		if s := &c.Targets[i]; s.Handle != 0 {
			e.slots[i] = newSlot(s.Handle, s.Object)
		}
	}
}

// bound says whether any target is.
func (e *event) bound() bool {
	return slices.ContainsFunc(e.slots[:], func(s slot) bool { return s.handle != 0 })
}

// outputs returns how many outputs the last vertex stage has, 0 when it is not known.
func (e *event) outputs() uint32 {
	if e.shader == nil {
		return 0
	}
	return e.shader.Info.NumOutputs
}

// appends says whether a set only goes on where its targets stopped.
func (e *event) appends() bool {
	return !slices.ContainsFunc(e.slots[:], func(s slot) bool { return s.handle != 0 && s.offset != pipe.AppendOffset })
}

func keepDraw(d *pipe.Draw) *pipe.Draw {
	kept := *d
	kept.Draws = slices.Clone(d.Draws)
	if d.Indirect != nil {
		indirect := *d.Indirect
		kept.Indirect = &indirect
	}
	return &kept
}

// keep returns the call with memory of its own where a layer might write into
// it on the way: the side above is what was sent.
func keep(call pipe.Call) pipe.Call {
	switch c := call.(type) {
	case *pipe.CreateShader:
		kept := *c
		return &kept
	case *pipe.CreateStreamOutputTarget:
		kept := *c
		return &kept
	case *pipe.SetStreamOutputTargets:
		kept := *c
		kept.Targets, kept.Offsets = slices.Clone(c.Targets), slices.Clone(c.Offsets)
		return &kept
	case *pipe.Draw:
		return keepDraw(c)
	case *pipe.BindState:
		kept := *c
		return &kept
	}
	return call
}
