package state

import (
	"math"
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// Primitives is a number of primitives that may not be known.
type Primitives struct {
	Count uint64
	Known bool
}

// DrawPrimitives returns how many primitives a draw sends to stream output, as
// decomposed points, lines and triangles of the last vertex stage. It is
// unknown where the count hangs on what a trace does not tell: a geometry
// shader, tessellation factors that a shader writes, indirect parameters,
// primitive restart, a render condition, a draw-auto whose target's filling is
// unknown.
func (m *Machine) DrawPrimitives(c *Context, call pipe.Call) Primitives {
	switch call := call.(type) {
	case *pipe.Draw:
		return m.drawVBO(c, call)
	default:
		// draw_vertex_state is indexed, and restart belongs to the state object.
		return Primitives{}
	}
}

func (m *Machine) drawVBO(c *Context, d *pipe.Draw) Primitives {
	last, known := c.LastVertexStage()
	switch {
	case !known, last == nil, last.Stage == pipe.Geometry, c.Condition.Handle != 0:
		return Primitives{}
	case d.Indirect != nil && d.Indirect.CountFromStreamOutput != 0:
		n, ok := m.autoVertices(c, d)
		p := c.decomposed(last, d.Info.Mode, n)
		return Primitives{saturate(p.Count, uint64(d.Info.InstanceCount)), ok && p.Known}
	case d.Indirect != nil && (d.Indirect.Buffer != 0 || d.Indirect.Count != 0):
		return Primitives{}
	case d.Info.IndexSize != 0 && d.Info.PrimitiveRestart:
		return Primitives{}
	case d.NumDraws != uint32(len(d.Draws)):
		return Primitives{}
	}
	total := Primitives{Known: true}
	for _, r := range d.Draws {
		total.add(c.decomposed(last, d.Info.Mode, uint64(r.Count)))
	}
	return Primitives{saturate(total.Count, uint64(d.Info.InstanceCount)), total.Known}
}

// decomposed returns how many primitives n vertices of the mode become on their
// way to the last vertex stage's outputs.
func (c *Context) decomposed(last *Shader, mode pipe.PrimitiveType, n uint64) Primitives {
	switch {
	case last.Stage == pipe.TessEval && mode == pipe.Patches:
		return c.patches(n)
	case last.Stage == pipe.Vertex && mode.Vertices() != 0:
		return Primitives{mode.Primitives(n), true}
	}
	return Primitives{}
}

// autoVertices returns how many vertices a draw-auto takes from its target: the
// filled bytes divided by the stride of the first vertex element.
func (m *Machine) autoVertices(c *Context, d *pipe.Draw) (uint64, bool) {
	t := m.Target(d.Indirect.CountFromStreamOutput)
	stride, ok := c.ElementStride(0)
	if t == nil || !t.Fill.Known || !ok {
		return 0, false
	}
	if stride == 0 {
		return 0, true
	}
	return t.Fill.Bytes / uint64(stride), true
}

// ElementStride returns the distance in bytes from one vertex to the next that
// element i reads with, wherever this Mesa keeps it. ok is false when it is not
// known.
func (c *Context) ElementStride(i int) (stride uint32, ok bool) {
	elements := c.Elements()
	if i >= len(elements) {
		return 0, false
	}
	e := elements[i]
	if e.HasSrcStride {
		return e.SrcStride, true
	}
	if int(e.VertexBufferIndex) >= len(c.VertexBuffers) || !c.VertexBuffers[e.VertexBufferIndex].HasStride {
		return 0, false
	}
	return c.VertexBuffers[e.VertexBufferIndex].Stride, true
}

// draw moves the fill positions of the targets that a draw captures into, and
// counts for the queries that run.
func (m *Machine) draw(op *pipe.Op, c *Context) {
	c.Draws++
	bound := c.TargetBound()
	if !bound && len(c.ActiveQueries) == 0 {
		return
	}
	var streams [pipe.MaxVertexStreams]streamCounts
	s, known := c.LastVertexStage()
	switch {
	case !bound && c.targetsKnown() || known && (s == nil || s.Info.NumOutputs == 0):
		for i := range streams {
			streams[i].written.Known = true
			if s != nil && len(c.ActiveQueries) > 0 {
				streams[i].generated = generated(s, i, DrawMode(op.Call), m.DrawPrimitives(c, op.Call))
			}
		}
	case !known || !bound:
		c.loseTargets(op)
		for i := range streams {
			streams[i].captured = true
		}
		c.Session.add(op, c, nil)
	default:
		prims := m.DrawPrimitives(c, op.Call)
		for stream := range streams {
			advance(op, c, s, stream, prims, &streams[stream])
		}
		c.bypass(op, s)
		c.Session.add(op, c, s)
	}
	if len(c.ActiveQueries) > 0 {
		c.countQueries(&streams)
	}
}

// targetsKnown says whether the slots hold what was seen: a trace that begins in
// the middle does not show what was bound before.
func (c *Context) targetsKnown() bool { return c.Whole || c.TargetsSet != At{} }

// loseTargets makes unknown how far the bound targets are filled.
func (c *Context) loseTargets(op *pipe.Op) {
	for i := range c.Targets {
		if t := c.Targets[i].Object; t != nil {
			t.Fill.Known = false
			t.Captured.mark(op)
		}
	}
}

// bypass marks the bound targets that a capturing draw left alone.
func (c *Context) bypass(op *pipe.Op, s *Shader) {
	for i := range c.Targets {
		if t := c.Targets[i].Object; t != nil && s.Buffers&(1<<i) == 0 {
			t.WasBypassed = true
			t.Bypassed.mark(op)
		}
	}
}

// generated returns how many primitives a draw gives a stream of the last vertex
// stage, captured or not. Quads and polygons are unknown: some drivers count them whole.
func generated(s *Shader, stream int, mode pipe.PrimitiveType, prims Primitives) Primitives {
	switch {
	case s.Stage != pipe.Geometry && stream > 0:
		return Primitives{Known: true}
	case mode == pipe.Quads, mode == pipe.QuadStrip, mode == pipe.Polygon:
		return Primitives{}
	}
	return prims
}

// advance moves the targets that one stream writes. Whole primitives only are
// written, and only while they fit all buffers of the stream. Where drivers
// disagree on the last one (they measure a vertex by its extent or by its
// stride) the position becomes unknown. What the stream did goes to counts, how much
// it generated only while queries run.
func advance(op *pipe.Op, c *Context, s *Shader, stream int, prims Primitives, counts *streamCounts) {
	mode := DrawMode(op.Call)
	if len(c.ActiveQueries) > 0 {
		counts.generated = generated(s, stream, mode, prims)
	}
	if counts.buffers = s.writes[stream]; counts.buffers == 0 {
		counts.written.Known = true
		return
	}
	counts.captured = true
	perPrim := uint64(c.CapturedAs(mode).Vertices())
	sure := prims.Known && perPrim != 0 && s.Exact
	low, high, known := c.room(s, counts.buffers, perPrim)
	if sure && high < prims.Count {
		c.Session.Overflowed = true
	}
	low, high = min(low, prims.Count), min(high, prims.Count)
	sure = sure && known && low == high
	for rest := counts.buffers; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros8(rest)
		t := c.Targets[b].Object
		if t == nil {
			continue
		}
		t.Captured.mark(op)
		t.CapturedSlot, t.CapturedStride = b, int(s.Info.Stride[b])
		t.CapturedInto, t.CapturedStream = true, stream
		if !sure {
			t.Fill.Known = false
			continue
		}
		t.Fill.Bytes += low * perPrim * uint64(s.Info.Stride[b]) * 4
	}
	if sure {
		counts.written = Primitives{low, true}
	}
}

// room returns how many primitives the targets in all those slots have room
// for, as Fits does, and whether that is known.
func (c *Context) room(s *Shader, slots uint8, perPrim uint64) (low, high uint64, known bool) {
	low, high, known = math.MaxUint64, math.MaxUint64, true
	for ; slots != 0; slots &= slots - 1 {
		b := bits.TrailingZeros8(slots)
		t := c.Targets[b].Object
		if t == nil || !t.Fill.Known {
			// A target that no create was seen of has a size that is not known. In a
			// slot without a target nothing fits for the draw module and D3D, while
			// Vulkan goes on with the other slots.
			known = false
			continue
		}
		l, h := Fits(t, uint64(s.Info.Stride[b])*4, uint64(s.Extents[b])*4, perPrim)
		low, high = min(low, l), min(high, h)
	}
	return low, high, known
}

// Fits returns how many primitives of v vertices the target has room for: low
// by drivers that measure every vertex by its stride, high by those that let
// the last vertex end at its extent. Stride and extent are in bytes.
func Fits(t *Target, stride, extent, v uint64) (low, high uint64) {
	if v == 0 || t.Fill.Bytes > uint64(t.Size) {
		return 0, 0
	}
	room := uint64(t.Size) - t.Fill.Bytes
	if room < extent {
		return 0, 0
	}
	if stride == 0 {
		return math.MaxUint64, math.MaxUint64
	}
	return room / stride / v, (1 + (room-extent)/stride) / v
}

// saturate multiplies, stopping at the largest number.
func saturate(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return math.MaxUint64
}
