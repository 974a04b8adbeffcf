package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// hazards are about memory that is captured into and used otherwise at one time.
func hazards() []*streamout.Rule {
	return []*streamout.Rule{
		soReadWriteHazard(),
		soMapWhileBound(),
	}
}

// memory is a range of a resource that a draw reads or writes besides stream
// output: bytes begin to end, without end.
type memory struct {
	resource   pipe.Handle
	begin, end uint64
	// sure is false when the range is what may be used: its bounds, or whether
	// the shader uses it at all, are not known.
	sure bool
	// what and slot are the binding, as in "vertex buffer 2".
	what memoryKind
	slot int
}

type memoryKind uint8

const (
	vertexBuffers memoryKind = iota
	indexBuffer
	indirectBuffer
	indirectCount
	constantBuffer
	storageBuffer
	shaderImage
	samplerView
	colorBuffer
)

// hazardOf is the first used target whose captured memory shares a resource
// with a range, and whether the ranges share bytes.
func hazardOf(c *state.Context, used uint8, m *memory) (slot int, shared bool) {
	slot = -1
	for b := range c.Targets {
		t := c.Targets[b].Object
		if t == nil || used&(1<<b) == 0 || t.Resource != m.resource || t.Resource == 0 {
			continue
		}
		if m.begin < uint64(t.Offset)+uint64(t.Size) && uint64(t.Offset) < m.end {
			return b, true
		}
		slot = b
	}
	return slot, false
}

func soReadWriteHazard() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-read-write-hazard",
		Title:    "a draw that uses the memory it captures into",
		Severity: streamout.Error,
		Order:    true,
		Condition: "the range of a target that a draw captures into is also used by the draw: as vertices that an element reads, indices, " +
			"indirect parameters, a color buffer, or a constant buffer, storage buffer, image or view that a bound shader's text " +
			"names; a warning when the ranges only lie in one resource, or when it is not known whether the range is used",
		Why: "whether the draw sees the old bytes or the new ones is not defined: llvmpipe writes while it reads, hardware does both " +
			"at once, D3D unbinds the input and Vulkan wants a barrier",
		Fix:     "capture into another buffer, or unbind the input",
		Sources: []string{srcContext, "D3D11 debug layer: DEVICE_SOSETTARGETS_HAZARD", "OpenGL 4.6 13.3.2"},
		On:      streamout.OnCapture,
		If:      streamout.IfCapturing,
		Check: func(v *streamout.View) {
			if t, _ := feedback(v); t != nil {
				return
			}
			h := hazard{view: v, used: v.Capturing.Buffers}
			h.draw()
			h.bindings()
		},
		Bad: play(func(s *scene) {
			buffer := s.buffer(256)
			s.shaderText(pipe.Vertex, vertexText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.vertices(buffer, 0, 16)
			s.set(0, s.target(buffer, 0, 256))
			s.draw(pipe.Points, 3)
		}),
		Good: play(func(s *scene) {
			buffer := s.buffer(256)
			s.shaderText(pipe.Vertex, constantText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.vertices(buffer, 0, 16)
			s.set(0, s.target(buffer, 0, 256))
			s.draw(pipe.Points, 3)
		}),
	}
}

// Vertex shaders that read vertex input 0, and none.
const (
	vertexText   = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n"
	constantText = "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0.0000, 1.0000, 0.0000, 0.0000}\n  0: MOV OUT[0], IMM[0]\n  1: END\n"
)

// hazard looks at one draw.
type hazard struct {
	view *streamout.View
	used uint8 // slots that are captured into
}

// sharesResource says, before more is computed, whether a target that is captured into
// lies in the resource.
func (h *hazard) sharesResource(r pipe.Handle) bool {
	if r == 0 {
		return false
	}
	for b := range h.view.Context.Targets {
		if t := h.view.Context.Targets[b].Object; t != nil && h.used&(1<<b) != 0 && t.Resource == r {
			return true
		}
	}
	return false
}

// draw checks what the draw call itself names.
func (h *hazard) draw() {
	d, ok := h.view.Op.Call.(*pipe.Draw)
	if !ok {
		return
	}
	if d.Info.IndexSize != 0 && !d.Info.HasUserIndices && h.sharesResource(d.Info.Index) {
		h.check(h.indices(d))
	}
	if i := d.Indirect; i != nil {
		if h.sharesResource(i.Buffer) {
			size := uint64(16)
			if d.Info.IndexSize != 0 {
				size = 20
			}
			if i.DrawCount > 1 {
				size += uint64(i.DrawCount-1) * uint64(i.Stride)
			}
			h.check(memory{i.Buffer, uint64(i.Offset), uint64(i.Offset) + size, i.Count == 0, indirectBuffer, -1})
		}
		if h.sharesResource(i.Count) {
			h.check(memory{i.Count, uint64(i.CountOffset), uint64(i.CountOffset) + 4, true, indirectCount, -1})
		}
	}
}

// indices is the range of the index buffer that a draw reads.
func (h *hazard) indices(d *pipe.Draw) memory {
	m := memory{resource: d.Info.Index, what: indexBuffer, slot: -1, end: 1 << 33}
	if direct(h.view) == nil || len(d.Draws) == 0 || int(d.NumDraws) != len(d.Draws) {
		return m
	}
	m.begin, m.end, m.sure = 1<<33, 0, true
	size := uint64(d.Info.IndexSize)
	for _, r := range d.Draws {
		if r.Count != 0 {
			m.begin = min(m.begin, uint64(r.Start)*size)
			m.end = max(m.end, (uint64(r.Start)+uint64(r.Count))*size)
		}
	}
	return m
}

// bindings checks what the bound shaders read and write.
func (h *hazard) bindings() {
	c := h.view.Context
	vs := c.Shaders[pipe.Vertex].Object
	elements := c.Elements()
	for i := range elements {
		e := &elements[i]
		b, known := vertexBuffer(c, e)
		if !known || b.IsUserBuffer || !h.sharesResource(b.Resource) {
			continue
		}
		if reads := declares(vs, vertexInput, i); reads != shader.No {
			m := h.vertices(i, e, &b)
			m.sure = m.sure && reads == shader.Yes
			h.check(m)
		}
	}
	discard := c.RasterizerState() != nil && c.RasterizerState().RasterizerDiscard
	for _, stage := range [...]pipe.Stage{pipe.Vertex, pipe.TessCtrl, pipe.TessEval, pipe.Geometry, pipe.Fragment} {
		if b := &c.Shaders[stage]; b.Handle != 0 && !(stage == pipe.Fragment && discard) {
			h.stage(stage, b.Object)
		}
	}
	if !discard {
		h.framebuffer()
	}
}

// vertices is the range that an element reads in the draw, sure when the draw
// tells which vertices those are.
func (h *hazard) vertices(i int, e *pipe.VertexElement, b *pipe.VertexBuffer) memory {
	begin := uint64(b.Offset) + uint64(e.SrcOffset)
	m := memory{resource: b.Resource, begin: begin, end: 1 << 33, what: vertexBuffers, slot: int(e.VertexBufferIndex)}
	stride, ok := h.view.Context.ElementStride(i)
	d := direct(h.view)
	if d == nil || !ok || len(d.Draws) == 0 || int(d.NumDraws) != len(d.Draws) {
		return m
	}
	first, last := uint64(1<<33), uint64(0)
	switch {
	case d.Info.InstanceCount == 0:
		first, last = 1, 0
	case e.InstanceDivisor != 0:
		first = uint64(d.Info.StartInstance)
		last = first + uint64(d.Info.InstanceCount-1)/uint64(e.InstanceDivisor)
	case d.Info.IndexSize != 0:
		return m
	default:
		for _, r := range d.Draws {
			if r.Count != 0 {
				first, last = min(first, uint64(r.Start)), max(last, uint64(r.Start)+uint64(r.Count)-1)
			}
		}
	}
	m.sure = true
	if first > last {
		m.end = m.begin
		return m
	}
	m.begin, m.end = begin+first*uint64(stride), begin+last*uint64(stride)+max(formatBytes(e.SrcFormat), 1)
	return m
}

// declared are the kinds of slots that a shader's text names.
type declared uint8

const (
	vertexInput declared = iota
	constantSlot
	storageSlot
	imageSlot
	viewSlot
)

// declares says whether the shader uses the slot, Unknown without its text.
func declares(s *state.Shader, what declared, slot int) shader.Answer {
	if s == nil {
		return shader.Unknown
	}
	r := &s.Outputs.Resources
	switch what {
	case vertexInput:
		return r.VertexInputs.Has(slot)
	case constantSlot:
		return r.ConstantBuffers.Has(slot)
	case storageSlot:
		return r.StorageBuffers.Has(slot)
	case imageSlot:
		return r.Images.Has(slot)
	}
	return r.SamplerViews.Has(slot)
}

// stage checks the slots of one stage.
func (h *hazard) stage(stage pipe.Stage, s *state.Shader) {
	c := h.view.Context
	for i, b := range c.ConstantBuffers[stage] {
		if h.sharesResource(b.Resource) {
			h.slot(s, constantSlot, memory{b.Resource, uint64(b.Offset), uint64(b.Offset) + uint64(b.Size), true, constantBuffer, i})
		}
	}
	for i, b := range c.ShaderBuffers[stage] {
		if h.sharesResource(b.Resource) {
			h.slot(s, storageSlot, memory{b.Resource, uint64(b.Offset), uint64(b.Offset) + uint64(b.Size), true, storageBuffer, i})
		}
	}
	for i, b := range c.Images[stage] {
		if b.IsBuffer && h.sharesResource(b.Resource) {
			h.slot(s, imageSlot, memory{b.Resource, uint64(b.Offset), uint64(b.Offset) + uint64(b.Size), true, shaderImage, i})
		}
	}
	for i := range c.SamplerViews[stage] {
		if b := c.SamplerViews[stage][i].Object; b != nil && b.Sampler.IsBuffer && h.sharesResource(b.Resource) {
			h.slot(s, viewSlot, memory{b.Resource, uint64(b.Sampler.Offset), uint64(b.Sampler.Offset) + uint64(b.Sampler.Size), true, samplerView, i})
		}
	}
}

func (h *hazard) slot(s *state.Shader, what declared, m memory) {
	switch declares(s, what, m.slot) {
	case shader.No:
		return
	case shader.Unknown:
		m.sure = false
	}
	h.check(m)
}

// framebuffer checks color buffers that are buffers.
func (h *hazard) framebuffer() {
	for i := range h.view.Context.Framebuffer.Cbufs {
		ref := &h.view.Context.Framebuffer.Cbufs[i]
		surface, resource := &ref.Surface, ref.Surface.Texture
		if !ref.Embedded {
			o := h.view.State.Surface(ref.Handle)
			if ref.Handle == 0 || o == nil {
				continue
			}
			surface, resource = &o.Surface, o.Resource
		}
		if !surface.IsBuffer || !h.sharesResource(resource) {
			continue
		}
		size := formatBytes(surface.Format)
		m := memory{resource, uint64(surface.FirstElement) * size, (uint64(surface.LastElement) + 1) * size, size != 0, colorBuffer, i}
		if size == 0 {
			m.begin, m.end = 0, 1<<33
		}
		h.check(m)
	}
}

// check reports a range that a captured target shares.
func (h *hazard) check(m memory) {
	if m.begin >= m.end {
		return
	}
	b, shared := hazardOf(h.view.Context, h.used, &m)
	if b < 0 {
		return
	}
	h.report(b, shared, &m)
}
