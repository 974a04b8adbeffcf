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
// unknown where the count hangs on what a trace does not tell: a geometry or
// tessellation shader, indirect parameters, primitive restart, a render
// condition, a draw-auto whose target's filling is unknown.
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
	case !known, last == nil, last.Stage != pipe.Vertex, c.Condition.Handle != 0:
		return Primitives{}
	case d.Indirect != nil && d.Indirect.CountFromStreamOutput != 0:
		n, ok := m.autoVertices(c, d)
		return Primitives{saturate(d.Info.Mode.Primitives(n), uint64(d.Info.InstanceCount)), ok}
	case d.Indirect != nil && (d.Indirect.Buffer != 0 || d.Indirect.Count != 0):
		return Primitives{}
	case d.Info.IndexSize != 0 && d.Info.PrimitiveRestart:
		return Primitives{}
	case d.Info.Mode.Vertices() == 0 || d.NumDraws != uint32(len(d.Draws)):
		return Primitives{}
	}
	total := uint64(0)
	for _, r := range d.Draws {
		total += d.Info.Mode.Primitives(uint64(r.Count))
	}
	return Primitives{saturate(total, uint64(d.Info.InstanceCount)), true}
}

// autoVertices returns how many vertices a draw-auto takes from its target: the
// filled bytes divided by the stride of the first vertex element.
func (m *Machine) autoVertices(c *Context, d *pipe.Draw) (uint64, bool) {
	t := m.targets[d.Indirect.CountFromStreamOutput]
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

// draw moves the fill positions of the targets that a draw captures into.
func (m *Machine) draw(op *pipe.Op, c *Context) {
	c.Draws++
	if !c.TargetBound() {
		return
	}
	s, known := c.LastVertexStage()
	if !known {
		for i := range c.Targets {
			if t := c.Targets[i].Object; t != nil {
				t.Fill.Known = false
				t.Captured = at(op)
			}
		}
		return
	}
	if s == nil || s.Info.NumOutputs == 0 {
		return
	}
	prims := m.DrawPrimitives(c, op.Call)
	for stream := range pipe.MaxVertexStreams {
		advance(op, c, s, stream, prims)
	}
}

// advance moves the targets that one stream writes. Whole primitives only are
// written, and only while they fit all buffers of the stream. Where drivers
// disagree on the last one (they measure a vertex by its extent or by its
// stride) the position becomes unknown.
func advance(op *pipe.Op, c *Context, s *Shader, stream int, prims Primitives) {
	buffers := streamBuffers(&s.Info, stream)
	if buffers == 0 {
		return
	}
	low, high := prims.Count, prims.Count
	perPrim := uint64(0)
	if d, ok := op.Call.(*pipe.Draw); ok {
		perPrim = uint64(d.Info.Mode.Vertices())
	}
	sure := prims.Known && perPrim != 0 && s.Exact
	for rest := buffers; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros8(rest)
		t := c.Targets[b].Object
		if t == nil {
			// Nothing fits a slot without a target; a target that no create was seen
			// of has a size that is not known.
			if c.Targets[b].Handle != 0 {
				sure = false
			} else {
				low, high = 0, 0
			}
			continue
		}
		if !t.Fill.Known {
			sure = false
			continue
		}
		l, h := Fits(t, uint64(s.Info.Stride[b])*4, uint64(s.Info.Extent(b))*4, perPrim)
		low, high = min(low, l), min(high, h)
	}
	for rest := buffers; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros8(rest)
		t := c.Targets[b].Object
		if t == nil {
			continue
		}
		t.Captured, t.CapturedSlot, t.CapturedStride, t.CapturedInto = at(op), b, int(s.Info.Stride[b]), true
		if !sure || low != high {
			t.Fill.Known = false
			continue
		}
		t.Fill.Bytes += low * perPrim * uint64(s.Info.Stride[b]) * 4
	}
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

// streamBuffers returns the slots that a stream's outputs write, slot 0 in bit 0.
func streamBuffers(info *pipe.StreamOutputInfo, stream int) uint8 {
	var m uint8
	for _, o := range info.Outputs() {
		if o.Stream() == stream {
			m |= 1 << o.Buffer()
		}
	}
	return m
}

// saturate multiplies, stopping at the largest number.
func saturate(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return math.MaxUint64
}
