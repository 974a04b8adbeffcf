package levels

import (
	"errors"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// Place is a call of a trace.
type Place struct {
	Call   uint64 // its number, 0 for none
	Line   int
	Method string
}

func placeOf(op *pipe.Op) Place {
	_, method := op.Call.Name()
	return Place{op.No, op.Pos.Line, method}
}

// or returns the place, or another where there is none.
func (p Place) or(q Place) Place {
	if p.Call == 0 {
		return q
	}
	return p
}

func placeAt(at state.At, method string) Place { return Place{at.No, at.Pos.Line, method} }

// errNoTrace is for input that holds nothing of a trace.
var errNoTrace = errors.New("no Gallium trace: neither a <trace> header nor a call was found")

// Level is what one trace tells of the captures of a run.
type Level struct {
	// Trace is the name of the trace.
	Trace string
	// Draws counts all draws. Captured counts those with a target bound and outputs
	// in the last vertex stage; each range of a draw counts, one without vertices
	// does not.
	Draws, Captured int
	// Shaders counts the creates of shaders with outputs, Used the shaders that a
	// captured draw used.
	Shaders, Used int
	// Ending is how the trace ended.
	Ending trace.Ending

	pieces []piece
}

// piece is one range of a draw that captured, or of one that failed to by
// little: it had a target but no outputs, or outputs but no target.
type piece struct {
	at       Place
	captured bool
	idle     idleness // why it did not capture
	shader   Place    // the create of the last vertex stage
	set      Place    // the last set_stream_output_targets
	layout   *layout
	slots    [pipe.MaxStreamOutputBuffers]slot
	draw     drawn
}

// idleness is why a draw does not capture.
type idleness uint8

const (
	captures  idleness = iota
	noTarget           // no target is bound
	noOutputs          // the last vertex stage has no outputs
	noShader           // what is bound was never seen
)

// slot is a target in its slot.
type slot struct {
	bound        bool
	target       uint64 // serial, 0 when no create of it was seen
	offset, size uint32 // bytes of the buffer
	buffer       uint64 // serial of the buffer, 0 when unknown
	create, set  Place
	// fresh: this is the first draw since the targets were set, with this offset.
	fresh bool
	given uint32
	fill  state.Fill // how far the target is filled
	begun bool       // a number was given for the target before, or now
}

// appends says whether the draw goes on where the target stopped.
func (s *slot) appends() bool { return !s.fresh || s.given == pipe.AppendOffset }

// begin returns the byte of the target that the draw begins at, if it is known.
func (s *slot) begin() (uint64, bool) {
	if !s.appends() {
		return uint64(s.given), true
	}
	return s.fill.Bytes, s.fill.Known && s.target != 0
}

// drawn is what of a draw decides what is captured.
type drawn struct {
	mode             pipe.PrimitiveType
	class            pipe.PrimitiveType // what is captured: points, lines or triangles
	indexed          bool
	auto, indirect   bool // the count is not in the call
	start, count     uint32
	instances, first uint32 // instances and the first one
	patch            uint32 // vertices of a patch
	primitives       uint64 // of one instance
	counted          bool   // primitives is known
}

// reading is a Level that is being read.
type reading struct {
	*Level
	machine *state.Machine
	layouts map[uint64]*layout // by the serial of the shader
}

// Read reads a trace. The error is for one that could not be read, or is none.
func Read(r *trace.Reader, name string) (*Level, error) {
	v := &reading{Level: &Level{Trace: name}, machine: state.New(), layouts: map[uint64]*layout{}}
	var (
		decoder trace.Decoder
		op      pipe.Op
	)
	for rec, err := range r.Records() {
		switch {
		case err != nil:
			return nil, err
		case rec.Skipped, rec.Kind == trace.MalformedRecord, !decoder.Decode(rec, &op), rec.Open:
			continue
		}
		v.do(&op)
	}
	if v.Ending = r.Ending(); v.Ending.Headers == 0 && v.Ending.Calls == 0 {
		return nil, errNoTrace
	}
	v.Captured = len(v.captured())
	for _, l := range v.layouts {
		if l.used {
			v.Used++
		}
	}
	return v.Level, nil
}

// do takes one operation.
func (v *reading) do(op *pipe.Op) {
	c := v.machine.Before(op)
	switch call := op.Call.(type) {
	case *pipe.Draw, *pipe.DrawVertexState:
		v.Draws++
		if c != nil {
			v.look(op, c)
		}
	case *pipe.CreateShader:
		v.machine.Apply(op)
		v.create(op, call)
		return
	}
	v.machine.Apply(op)
}

// create keeps the layout of a shader with outputs.
func (v *reading) create(op *pipe.Op, call *pipe.CreateShader) {
	s := v.machine.Shader(call.Stage, op.Ret.Handle)
	numbers := call.State.StreamOutput.Numbers()
	if op.Raw != nil && op.Raw.StreamOutput != nil {
		numbers = op.Raw.StreamOutput
	}
	if s == nil || numbers.NumOutputs == 0 {
		return
	}
	v.Shaders++
	if v.layouts[s.Serial] == nil {
		v.layouts[s.Serial] = newLayout(s, placeOf(op), numbers)
	}
}

// look keeps a draw that captures, or nearly does.
func (v *reading) look(op *pipe.Op, c *state.Context) {
	s, known := c.LastVertexStage()
	bound := c.TargetBound()
	p := piece{at: placeOf(op), captured: bound && s != nil && s.Info.NumOutputs > 0}
	p.set = placeAt(c.TargetsSet, "set_stream_output_targets")
	if s != nil {
		p.layout = v.layouts[s.Serial]
		p.shader = placeAt(s.Created, createMethod(s.Stage))
	}
	switch {
	case p.captured:
		p.layout.used = true
	case !bound && p.layout == nil:
		return
	case !bound:
		p.idle = noTarget
	case !known:
		p.idle = noShader
	default:
		p.idle = noOutputs
	}
	p.readSlots(c)
	v.readDraw(&p, op, c)
}

func createMethod(stage pipe.Stage) string {
	_, method := (&pipe.CreateShader{Stage: stage}).Name()
	return method
}

func (p *piece) readSlots(c *state.Context) {
	for i := range c.Targets {
		t := &c.Targets[i]
		if t.Handle == 0 {
			continue
		}
		s := slot{bound: true, fresh: c.Session.Draws == 0, given: t.Offset, set: p.set}
		if o := t.Object; o != nil {
			s.target, s.offset, s.size, s.fill, s.begun = o.Serial, o.Offset, o.Size, o.Fill, o.WasSet
			s.create = placeAt(o.Created, "create_stream_output_target")
			if o.Buffer != nil {
				s.buffer = o.Buffer.Serial
			}
		}
		p.slots[i] = s
	}
}

// readDraw keeps a piece for each range of the draw that has vertices.
func (v *reading) readDraw(p *piece, op *pipe.Op, c *state.Context) {
	d := drawn{mode: state.DrawMode(op.Call), instances: 1}
	d.class = c.CapturedAs(d.mode)
	if d.mode == pipe.Patches {
		d.patch = c.PatchVertices
	}
	var ranges []pipe.DrawRange
	switch call := op.Call.(type) {
	case *pipe.Draw:
		ranges = call.Draws
		d.indexed = call.Info.IndexSize != 0
		d.instances, d.first = call.Info.InstanceCount, call.Info.StartInstance
		if i := call.Indirect; i != nil {
			d.auto = i.CountFromStreamOutput != 0
			d.indirect = i.Buffer != 0 || i.Count != 0
		}
	case *pipe.DrawVertexState:
		ranges, d.indexed = call.Draws, true
	}
	if d.auto || d.indirect || len(ranges) < 2 {
		n := v.machine.DrawPrimitives(c, op.Call)
		d.primitives, d.counted = n.Count, n.Known && d.instances != 0
		if d.counted {
			d.primitives /= uint64(d.instances)
		}
	}
	if d.auto || d.indirect {
		p.draw = d
		v.pieces = append(v.pieces, *p)
		return
	}
	for _, r := range ranges {
		d.start, d.count = r.Start, r.Count
		if len(ranges) > 1 && !d.indexed && c.Shaders[pipe.Geometry].Object == nil && c.Shaders[pipe.TessEval].Object == nil {
			d.primitives, d.counted = d.mode.Primitives(uint64(r.Count)), true
		}
		if r.Count == 0 || d.instances == 0 {
			continue
		}
		p.draw = d
		v.pieces = append(v.pieces, *p)
		for i := range p.slots {
			p.slots[i].fresh = false
		}
	}
}

// captured returns the indices of the pieces that captured.
func (l *Level) captured() []int {
	var list []int
	for i := range l.pieces {
		if l.pieces[i].captured {
			list = append(list, i)
		}
	}
	return slices.Clip(list)
}
