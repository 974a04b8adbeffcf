package streamout

import (
	"math"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// draw captures a draw, counts for the queries that run, and reports.
func (c *Capture) draw(op *pipe.Op, ctx *state.Context) {
	s, known := ctx.LastVertexStage()
	bound := ctx.TargetBound()
	auto := isAuto(op.Call)
	if !bound && !auto && len(ctx.ActiveQueries) == 0 {
		return
	}
	d := CapturedDraw{Op: op, Mode: state.DrawMode(op.Call), Capturing: bound && (!known || s != nil && s.Info.NumOutputs != 0)}
	in := c.drawingOf(op, ctx)
	d.Auto, d.Why = in.auto, in.why
	switch {
	case !known:
		c.captureUnknown(ctx, &d)
	case s != nil:
		c.generate(ctx, s, &in, &d)
		if d.Capturing {
			c.capture(ctx, s, &in, &d)
		} else {
			c.pass(&d)
		}
	}
	c.count(ctx, &d)
	if c.options.Draw != nil && (d.Capturing || auto) {
		c.options.Draw(&d)
	}
}

func isAuto(call pipe.Call) bool {
	d, ok := call.(*pipe.Draw)
	return ok && d.Indirect != nil && d.Indirect.CountFromStreamOutput != 0
}

// captureUnknown is for a draw with a last vertex stage that is not known.
func (c *Capture) captureUnknown(ctx *state.Context, d *CapturedDraw) {
	d.Why = "the last vertex stage was bound before the trace begins"
	for s := range d.Generated {
		d.Generated[s] = unbounded
		if d.Capturing {
			d.Written[s], d.Dropped[s], d.captured[s] = unbounded, unbounded, true
		}
	}
	for slot := range ctx.Targets {
		if ctx.Targets[slot].Handle == 0 {
			continue
		}
		t := c.touch(ctx, slot, 0)
		t.smear(c, nil, unbounded, 0)
		d.Targets = append(d.Targets, t)
	}
}

// pass is for a draw without stream output. Some drivers count primitives as
// needing storage all the same, and quads whole.
func (c *Capture) pass(d *CapturedDraw) {
	for s := range d.Generated {
		d.Dropped[s] = d.Generated[s].maybe()
	}
}

// capture writes what has room.
func (c *Capture) capture(ctx *state.Context, s *state.Shader, in *drawing, d *CapturedDraw) {
	plans := c.plans[s]
	if plans == nil {
		plans = planOf(&s.Info)
		c.plans[s] = plans
	}
	e := emission{capture: c, ctx: ctx, plans: plans, each: uint64(ctx.CapturedAs(d.Mode).Vertices())}
	if in.emitted && in.each != 0 {
		e.each = in.each
	}
	if !s.Exact {
		d.Why = "the stream output info holds numbers out of range"
	}
	for stream := range plans {
		if len(plans[stream]) != 0 {
			e.open(stream, s.Exact, d)
		}
	}
	e.write(s, in, d)
	e.close(d)
}

// touch returns a slot that a draw goes to.
func (c *Capture) touch(ctx *state.Context, slot, stream int) CapturedTarget {
	b := &ctx.Targets[slot]
	t := CapturedTarget{Slot: slot, Stream: stream, Handle: b.Handle, Target: b.Object, Known: true}
	if t.Target == nil {
		t.Known = b.Handle == 0
		return t
	}
	t.Before = c.fills[t.Target]
	t.Filled = t.Before
	if x := c.contents.open(t.Target.Resource); x != nil {
		x.captured = true
	}
	return t
}

// smear is for a target that it is not known what was written to: of a number of
// primitives, each of so many vertices, 0 when that is not known either.
func (t *CapturedTarget) smear(c *Capture, p *slotPlan, written Count, each uint64) {
	t.Known = written.High == 0
	if t.Target == nil {
		t.Known = t.Known || t.Handle == 0
		return
	}
	base, size := uint64(t.Target.Offset), uint64(t.Target.Size)
	t.Before = c.fills[t.Target] // another slot may have moved it
	t.Filled = t.Before
	t.First, t.End = base+min(t.Before.Low, size), base+min(t.Before.Low, size)
	if written.High == 0 {
		return
	}
	t.End = base + size
	most := max(size, t.Before.High)
	if p != nil {
		vertices := written.times(each)
		if each == 0 {
			vertices = unbounded
		}
		first, _ := p.span(t.Before.Low, 1)
		_, end := p.span(t.Before.High, vertices.High)
		t.First, t.End = base+min(first, size), base+min(end, size)
		t.Filled.Low = add(t.Before.Low, multiply(vertices.Low, p.stride))
		most = min(add(t.Before.High, multiply(vertices.High, p.stride)), max(size+p.stride, t.Before.High))
	}
	t.Filled.High = max(most, t.Filled.Low)
	c.contents.forget(t.Target.Resource, t.First, t.End-min(t.First, t.End))
	c.fills[t.Target] = t.Filled
}

// emission is one draw's way into the targets.
type emission struct {
	capture *Capture
	ctx     *state.Context
	plans   *[pipe.MaxVertexStreams]streamPlan
	each    uint64 // vertices of a primitive, 0 when not known
	streams [pipe.MaxVertexStreams]openStream
}

// openSlot is a slot that a stream writes.
type openSlot struct {
	target CapturedTarget
	plan   *slotPlan
	memory *memory
	at     uint64 // byte of the resource of the next vertex
}

// openStream is a stream with outputs.
type openStream struct {
	sure  bool   // how many are written, and where, is known
	left  uint64 // primitives that are to be written yet
	slots []openSlot
}

// open finds how many primitives of a stream have room.
func (e *emission) open(stream int, exact bool, d *CapturedDraw) {
	o := &e.streams[stream]
	d.captured[stream] = true
	room, sure := Exactly(math.MaxUint64), exact && e.each != 0
	for i := range e.plans[stream] {
		p := &e.plans[stream][i]
		slot := openSlot{target: e.capture.touch(e.ctx, p.slot, stream), plan: p}
		fits, why := e.room(&slot)
		if why != "" && d.Why == "" {
			d.Why = why
		}
		sure = sure && why == "" && slot.target.Before.Known()
		room = least(room, fits)
		o.slots = append(o.slots, slot)
	}
	if !exact || e.each == 0 {
		room = unbounded
	}
	d.Written[stream] = least(d.Generated[stream], room)
	d.Dropped[stream] = d.Generated[stream].less(room)
	o.sure = sure && d.Written[stream].Known()
	o.left = d.Written[stream].Low
	if !d.Written[stream].Known() && d.Why == "" {
		d.Why = "drivers disagree on whether the last vertex fits, or it is not known how far a target is filled"
	}
}

// room returns how many primitives a slot has room for, and why it is not known.
func (e *emission) room(slot *openSlot) (Count, string) {
	t, model := slot.target.Target, &e.capture.model
	switch {
	case slot.target.Handle == 0 && model.DropsUnbound:
		return Count{}, ""
	case slot.target.Handle == 0:
		return unbounded, "a slot has no target, and drivers disagree on whether the others are written"
	case t == nil:
		return unbounded, "a target was made before the trace begins"
	case e.bound(t) > 1:
		return unbounded, "one target is in two slots"
	case e.shared(slot.plan.slot):
		return unbounded, "two streams write one slot"
	}
	fill, size := slot.target.Before, uint64(t.Size)
	low, high := model.Overflow, model.Overflow
	if low == OverflowUnknown {
		low, high = OverflowStride, OverflowExtent
	}
	each := e.each
	if each == 0 {
		each = 1
	}
	return Count{fits(slot.plan, size, fill.High, each, low), fits(slot.plan, size, fill.Low, each, high)}, ""
}

func fits(p *slotPlan, size, fill, each uint64, rule OverflowRule) uint64 {
	if fill > size {
		return 0
	}
	return p.fits(size-fill, each, rule)
}

// bound returns how many slots hold the target.
func (e *emission) bound(t *state.Target) int {
	n := 0
	for i := range e.ctx.Targets {
		if e.ctx.Targets[i].Object == t {
			n++
		}
	}
	return n
}

// shared says whether several streams write a slot.
func (e *emission) shared(slot int) bool {
	n := 0
	for _, plan := range e.plans {
		for i := range plan {
			if plan[i].slot == slot {
				n++
			}
		}
	}
	return n > 1
}

// close moves the targets on, and reports them.
func (e *emission) close(d *CapturedDraw) {
	for stream := range e.streams {
		o, written := &e.streams[stream], d.Written[stream]
		for i := range o.slots {
			slot := &o.slots[i]
			t := &slot.target
			if !o.sure {
				t.smear(e.capture, slot.plan, written, e.each)
			} else if t.Target != nil {
				n := multiply(written.Low, e.each)
				t.First, t.End = slot.plan.span(uint64(t.Target.Offset)+t.Before.Low, n)
				t.Filled = Exactly(add(t.Before.Low, multiply(n, slot.plan.stride)))
				e.capture.fills[t.Target] = t.Filled
			}
			d.Targets = append(d.Targets, *t)
		}
	}
}

// write writes the primitives that are known to have room.
func (e *emission) write(s *state.Shader, in *drawing, d *CapturedDraw) {
	for stream := range e.streams {
		o := &e.streams[stream]
		if !o.sure {
			continue
		}
		for i := range o.slots {
			slot := &o.slots[i]
			t := slot.target.Target
			if t == nil {
				continue
			}
			slot.at = uint64(t.Offset) + slot.target.Before.Low
			if x := e.capture.contents.open(t.Resource); x != nil {
				slot.memory = &x.memory
			}
		}
	}
	switch {
	case !e.values(s, in):
		for stream := range e.streams {
			if o := &e.streams[stream]; o.sure {
				o.forget(e.each)
			}
		}
	case s.Stage == pipe.Vertex:
		e.vertexDraw(in)
	default:
		e.capture.vertices.Primitives(e.ctx, d.Op.Call, e.primitive)
	}
}

// values says whether the values of the draw's vertices can be had, in their
// order.
func (e *emission) values(s *state.Shader, in *drawing) bool {
	if !e.capture.runs {
		return false
	}
	if s.Stage != pipe.Vertex {
		return in.emitted
	}
	return !in.partial && !in.atMost && (!turns(in.mode) || e.ctx.RasterizerState() != nil)
}

// forget makes unknown what a stream writes.
func (o *openStream) forget(each uint64) {
	for i := range o.slots {
		slot := &o.slots[i]
		if slot.memory != nil {
			slot.plan.forget(slot.memory, slot.at, multiply(o.left, each))
		}
	}
}

// batchSize is how many vertices a source is asked for at once.
const batchSize = 64

// batch is vertices on their way to a stream, in order.
type batch struct {
	n   int
	ids [batchSize]VertexID
	out [batchSize]Vertex
}

// vertexDraw writes the primitives of a draw that goes through the vertex shader
// alone.
func (e *emission) vertexDraw(in *drawing) {
	o := &e.streams[0]
	if !o.sure {
		return
	}
	raster := e.ctx.RasterizerState()
	first := raster != nil && raster.FlatshadeFirst
	for i := range in.parts {
		p := &in.parts[i]
		for instance := uint64(0); instance < p.instances && o.left > 0; instance++ {
			before := o.left
			for _, r := range p.runs {
				n := min(in.mode.Primitives(r.count), o.left)
				e.run(o, in.mode, first, p, r, n, uint32(instance))
				o.left -= n
			}
			if o.left == before {
				break // a part without primitives has none in any instance
			}
		}
	}
	e.flush(o)
}

// run sends the vertices of the first n primitives of a run on their way.
func (e *emission) run(o *openStream, mode pipe.PrimitiveType, first bool, p *part, r vertexRun, n uint64, instance uint32) {
	switch mode {
	case pipe.Points, pipe.Lines, pipe.Triangles: // as they come
		e.row(o, p, r.first, n*e.each, instance)
		return
	}
	for k := range n {
		prim := Decompose(mode, first, r.count, k)
		for _, v := range prim.Vertices[:prim.Len] {
			e.vertex(o, p, r.first+v, instance)
		}
	}
}

// row sends n vertices in a row on their way.
func (e *emission) row(o *openStream, p *part, first, n uint64, instance uint32) {
	if p.indices.size != 0 {
		for k := range n {
			e.vertex(o, p, first+k, instance)
		}
		return
	}
	b := &e.capture.batch
	id := VertexID{p.Start + uint32(first), instance, p.baseInstance, p.drawID}
	for n > 0 {
		ids := b.ids[b.n:][:min(batchSize-uint64(b.n), n)]
		for i := range ids {
			ids[i] = id
			id.Vertex++
		}
		n -= uint64(len(ids))
		if b.n += len(ids); b.n == batchSize {
			e.flush(o)
		}
	}
}

// vertex sends one vertex on its way; one whose index is not known is unknown.
func (e *emission) vertex(o *openStream, p *part, k uint64, instance uint32) {
	b := &e.capture.batch
	index, ok := p.vertex(k)
	if !ok {
		e.flush(o)
		o.write([]Vertex{{}})
		return
	}
	b.ids[b.n] = VertexID{index, instance, p.baseInstance, p.drawID}
	if b.n++; b.n == batchSize {
		e.flush(o)
	}
}

// flush writes the vertices that are on their way.
func (e *emission) flush(o *openStream) {
	b := &e.capture.batch
	if b.n == 0 {
		return
	}
	e.capture.vertices.Vertices(e.ctx, b.ids[:b.n], b.out[:b.n])
	o.write(b.out[:b.n])
	b.n = 0
}

// write writes vertices to all slots of the stream: one after the other where
// the slots share a buffer.
func (o *openStream) write(vertices []Vertex) {
	if o.apart() {
		for i := range o.slots {
			o.slots[i].write(vertices)
		}
		return
	}
	for k := range vertices {
		for i := range o.slots {
			o.slots[i].write(vertices[k : k+1])
		}
	}
}

// apart says whether every slot has a buffer of its own.
func (o *openStream) apart() bool {
	for i := range o.slots {
		for k := range i {
			if o.slots[k].memory == o.slots[i].memory {
				return false
			}
		}
	}
	return true
}

func (s *openSlot) write(vertices []Vertex) {
	if s.memory != nil {
		s.plan.write(s.memory, s.at, vertices)
	}
	s.at += uint64(len(vertices)) * s.plan.stride
}

// primitive takes a primitive of a source that runs all stages.
func (e *emission) primitive(stream int, vertices []Vertex) bool {
	o := &e.streams[stream&3]
	if o.sure && o.left > 0 {
		o.write(vertices)
		o.left--
	}
	for i := range e.streams {
		if e.streams[i].left > 0 && e.streams[i].sure {
			return true
		}
	}
	return false
}
