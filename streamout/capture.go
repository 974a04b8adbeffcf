package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// VertexID names a vertex of a draw as shaders see it.
type VertexID struct {
	// Vertex is gl_VertexID: the index, with the base vertex added.
	Vertex uint32
	// Instance counts from 0, BaseInstance not added.
	Instance     uint32
	BaseInstance uint32
	DrawID       uint32
}

// VertexSource runs the shaders of a draw: Capture asks it for what the last
// vertex stage puts out. What it returns is used before it is asked again.
type VertexSource interface {
	// Vertices sets out[i] to what vertex ids[i] puts out, in a draw that goes
	// through the vertex shader alone.
	Vertices(c *state.Context, ids []VertexID, out []Vertex)
	// Primitives sends every primitive that the geometry or tessellation
	// evaluation shader of a draw puts out to emit, in order, until emit returns
	// false. It may be asked twice for one draw. It returns false, and emits
	// nothing, when it does not know them.
	Primitives(c *state.Context, draw pipe.Call, emit func(stream int, vertices []Vertex) bool) bool
}

// VertexFunc is a function as a VertexSource: what one vertex puts out, in memory
// of its own. It knows vertex shaders only.
type VertexFunc func(c *state.Context, id VertexID) Vertex

// Vertices calls f for each.
func (f VertexFunc) Vertices(c *state.Context, ids []VertexID, out []Vertex) {
	for i, id := range ids {
		out[i] = f(c, id)
	}
}

// Primitives returns false.
func (VertexFunc) Primitives(*state.Context, pipe.Call, func(int, []Vertex) bool) bool { return false }

// noVertices is the source that knows nothing.
type noVertices struct{}

func (noVertices) Vertices(_ *state.Context, _ []VertexID, out []Vertex) { clear(out) }

func (noVertices) Primitives(*state.Context, pipe.Call, func(int, []Vertex) bool) bool { return false }

// CaptureOptions say how a Capture works and who hears of it. Functions may be
// nil; what they are given is valid until they return.
type CaptureOptions struct {
	// Model is what the driver does where drivers differ.
	Model CaptureModel
	// AutoModel takes the model of the driver that the run itself names.
	AutoModel bool
	// Overflow is the rule whatever the model says, unless it is unknown.
	Overflow OverflowRule
	// Vertices gives the values that are captured; nil leaves them unknown.
	Vertices VertexSource

	// Draw hears of each draw that captures, or may, and of each draw-auto.
	Draw func(*CapturedDraw)
	// Resume hears of targets that are bound to go on where they stopped.
	Resume func(*Resume)
	// Query hears of each result that is read of a query of primitives.
	Query func(*QueryPrediction)
	// Readback hears of each read by the CPU of a buffer that was captured into.
	Readback func(*Readback)
}

// Capture is the reference for what a driver writes to stream output targets:
// which primitives in which order, where, and when it stops. As a driver it
// keeps the bytes of buffers as far as they are known, each byte known or
// unknown on its own, and answers queries of primitives from its own counts.
// Positions and counts are 64 bits wide and never wrap.
//
// It is not safe for concurrent use.
type Capture struct {
	options  CaptureOptions
	model    CaptureModel
	vertices VertexSource
	runs     bool // vertices says something
	null     pipe.Null
	machine  *state.Machine
	contents contents
	world    int
	fills    map[*state.Target]Count
	plans    map[*state.Shader]*[pipe.MaxVertexStreams]streamPlan
	tallies  map[*state.Query]*tally
	batch    batch
}

// NewCapture returns a Capture that nothing was drawn with.
func NewCapture(o CaptureOptions) *Capture {
	c := &Capture{options: o, vertices: o.Vertices, runs: o.Vertices != nil, machine: state.New()}
	if !c.runs {
		c.vertices = noVertices{}
	}
	c.setModel(o.Model)
	c.newWorld()
	return c
}

func (c *Capture) setModel(m CaptureModel) {
	if c.options.Overflow != OverflowUnknown {
		m.Overflow = c.options.Overflow
	}
	c.model = m
}

func (c *Capture) newWorld() {
	c.world = c.machine.World
	c.contents = contents{machine: c.machine, of: make(map[*state.Resource]*content), bounded: !c.runs}
	c.fills = make(map[*state.Target]Count)
	c.plans = make(map[*state.Shader]*[pipe.MaxVertexStreams]streamPlan)
	c.tallies = make(map[*state.Query]*tally)
}

// Do carries out an operation. A result that a replay has preset stays; a live
// query of primitives gets what was counted. It never fails.
func (c *Capture) Do(op *pipe.Op) error {
	ctx := c.machine.Before(op)
	c.before(op, ctx)
	if err := c.null.Do(op); err != nil {
		return err
	}
	c.replace(op)
	c.machine.Apply(op)
	if c.machine.World != c.world {
		c.newWorld()
	}
	c.after(op, ctx)
	return nil
}

// before does what an operation asks of the state that it finds.
func (c *Capture) before(op *pipe.Op, ctx *state.Context) {
	switch call := op.Call.(type) {
	case *pipe.Draw, *pipe.DrawVertexState:
		if ctx != nil {
			c.draw(op, ctx)
			c.contents.written(ctx)
		}
	case *pipe.Map:
		c.readback(op, call)
	case *pipe.BeginQuery:
		c.begin(call)
	case *pipe.GetQueryResult:
		c.queryResult(op, call)
	case *pipe.Clear, *pipe.ResourceCopyRegion, *pipe.ClearBuffer, *pipe.Other:
		if ctx != nil && mayDraw(op.Call) {
			c.disturb(ctx)
		}
	}
}

// replace forgets the objects whose address an operation returns again.
func (c *Capture) replace(op *pipe.Op) {
	h := op.Ret.Handle
	switch call := op.Call.(type) {
	case *pipe.CreateStreamOutputTarget:
		delete(c.fills, c.machine.Target(h))
	case *pipe.ResourceCreate:
		c.contents.drop(c.machine.Resource(h))
	case *pipe.CreateShader:
		delete(c.plans, c.machine.Shader(call.Stage, h))
	case *pipe.CreateQuery:
		delete(c.tallies, c.machine.Query(h))
	}
}

// after records what an operation has done.
func (c *Capture) after(op *pipe.Op, ctx *state.Context) {
	c.contents.apply(op, ctx)
	switch call := op.Call.(type) {
	case *pipe.GetName:
		if c.options.AutoModel {
			c.setModel(ModelOfDriver(c.machine.DriverName))
		}
	case *pipe.CreateStreamOutputTarget:
		c.contents.target(call.Resource)
	case *pipe.SetStreamOutputTargets:
		if ctx != nil {
			c.setTargets(op, ctx, call)
		}
	}
}

// fill returns how far a target is filled, in bytes from its start.
func (c *Capture) fill(t *state.Target) Count { return c.fills[t] }

// setTargets moves the targets that are bound.
func (c *Capture) setTargets(op *pipe.Op, ctx *state.Context, call *pipe.SetStreamOutputTargets) {
	if call.NumTargets > 0 && call.Targets == nil {
		for t := range c.machine.Targets {
			if t.Context == ctx.Handle {
				c.fills[t] = Count{0, max(uint64(t.Size), c.fills[t].High)}
			}
		}
	}
	resume := Resume{Op: op}
	for slot := range ctx.Targets {
		t := ctx.Targets[slot].Object
		if t == nil {
			continue
		}
		c.fills[t] = c.model.place(c.fills[t], uint64(t.Size), call.Offsets, slot)
		if ctx.Targets[slot].Offset == pipe.AppendOffset {
			resume.Targets = append(resume.Targets, FilledTarget{Slot: slot, Target: t, Filled: c.fills[t]})
		}
	}
	if len(resume.Targets) > 0 && c.options.Resume != nil {
		c.options.Resume(&resume)
	}
}

// Filled returns how many bytes of a target are filled from its start on; the
// draw module lets it go past the end by what a last vertex skips.
func (c *Capture) Filled(target pipe.Handle) Count {
	t := c.machine.Target(target)
	if t == nil {
		return unbounded
	}
	return c.fills[t]
}

// State returns what is bound and alive.
func (c *Capture) State() *state.Machine { return c.machine }

// Read fills b with the bytes at an offset of a buffer. It returns how many
// bytes from the offset on are known, up to the first that is not; behind them
// b is as it was.
func (c *Capture) Read(buffer pipe.Handle, offset uint64, b []byte) int {
	x := c.contents.find(buffer)
	if x == nil {
		return 0
	}
	n := x.firstUnknown(offset, uint64(len(b))) - offset
	x.read(offset, b[:n])
	return int(n)
}

// Knows says whether a byte of a buffer is known.
func (c *Capture) Knows(buffer pipe.Handle, offset uint64) bool {
	x := c.contents.find(buffer)
	return x != nil && x.firstUnknown(offset, 1) > offset
}
