package state

import "github.com/outflow-gpu/outflow/pipe"

// Binding is a slot that holds an object by its handle. Object is nil when the
// handle is NULL, or when no create of it was seen.
type Binding[T any] struct {
	Handle pipe.Handle
	Object *T
	Set    At // the call that set it; zero when none did
}

// bind fills the slot, in place as At.mark does.
func (b *Binding[T]) bind(op *pipe.Op, h pipe.Handle, object *T) {
	b.Handle, b.Object = h, object
	b.Set.mark(op)
}

// known says whether something is known of what is bound: the object itself,
// or that there is none.
func (b *Binding[T]) known(whole bool) bool {
	return b.Object != nil || b.Handle == 0 && (whole || b.Set.No != 0 || b.Set != At{})
}

// TargetSlot is a slot of set_stream_output_targets.
type TargetSlot struct {
	Handle pipe.Handle
	Object *Target // nil when the handle is NULL, or when no create of it was seen
	Offset uint32  // as given, in bytes, or pipe.AppendOffset, also where none was given
}

// Context is everything that is bound in one context.
type Context struct {
	Object
	World int
	// Whole is true when what was never set is NULL, false when it is unknown.
	Whole bool

	Shaders        [pipe.NumStages]Binding[Shader]
	Rasterizer     Binding[CSO]
	DepthStencil   Binding[CSO]
	Blend          Binding[CSO]
	VertexElements Binding[CSO]
	Samplers       [pipe.NumStages][]pipe.Handle

	Targets    [pipe.MaxStreamOutputBuffers]TargetSlot
	NumTargets int // as given, at most the number of slots
	TargetsSet At  // the last set_stream_output_targets, zero before the first
	OutputPrim pipe.PrimitiveType
	Session    Session // of the draws since TargetsSet
	// TargetRefused: a create_stream_output_target returned NULL since TargetsSet,
	// the last time at TargetRefusedAt.
	TargetRefused   bool
	TargetRefusedAt At
	// AfterRefusal: the targets were set after such a create, so a slot without a
	// target may be meant for the one that was not made.
	AfterRefusal bool

	VertexBuffers         []pipe.VertexBuffer
	ConstantBuffers       [pipe.NumStages][]pipe.ConstantBuffer
	ShaderBuffers         [pipe.NumStages][]pipe.ShaderBuffer
	ShaderBuffersWritable [pipe.NumStages]uint64 // slot 0 in bit 0
	Images                [pipe.NumStages][]pipe.ImageView
	SamplerViews          [pipe.NumStages][]Binding[View]
	Framebuffer           pipe.FramebufferState
	FramebufferSet        At

	PatchVertices uint32
	TessOuter     [4]float32
	TessInner     [2]float32
	TessSet       bool // TessOuter and TessInner were set
	Viewports     []pipe.Viewport
	Scissors      []pipe.Scissor
	BlendColor    [4]float32
	StencilRef    [2]uint8
	SampleMask    uint32
	MinSamples    uint32

	Condition       Binding[Query]
	ConditionInvert bool
	QueriesPaused   bool
	// ActiveQueries are the queries between begin and end, in the order of begin.
	ActiveQueries []*Query

	// Rest holds the last call of every other method that sets something, by
	// method, as it was read.
	Rest map[string]*pipe.Values

	// bound are the slots of Targets that hold a handle, slot 0 in bit 0; last and
	// lastKnown are what LastVertexStage says. Each draw asks for them many times.
	bound     uint8
	last      *Shader
	lastKnown bool

	// strides has the strides that shaders with outputs were made with, and where
	// last.
	strides map[[pipe.MaxStreamOutputBuffers]uint16]At
	// targets and queries are those that the context made, while they live.
	targets map[*Target]struct{}
	queries map[*Query]struct{}
	used    uint64 // when it was last turned to, by Machine.uses

	// Draws counts the draws of the context.
	Draws uint64
	// Revision changes whenever anything does that stream output of the next
	// draw depends on, apart from vertex and constant buffers and the like.
	Revision uint64
	// Inputs changes whenever a binding does that a draw could read from.
	Inputs uint64
}

// LastVertexStage returns the shader whose stream output counts: the geometry
// shader's when one is bound, else the tessellation evaluation shader's, else
// the vertex shader's. It is nil with known true when no vertex shader is
// bound, and nil with known false when what is bound is not known.
func (c *Context) LastVertexStage() (s *Shader, known bool) { return c.last, c.lastKnown }

// noteStages finds out the last vertex stage again.
func (c *Context) noteStages() { c.last, c.lastKnown = c.lastVertexStage() }

func (c *Context) lastVertexStage() (s *Shader, known bool) {
	gs, tes, vs := &c.Shaders[pipe.Geometry], &c.Shaders[pipe.TessEval], &c.Shaders[pipe.Vertex]
	switch {
	case gs.Object != nil:
		return gs.Object, true
	case !gs.known(c.Whole):
		return nil, false
	case tes.Object != nil:
		return tes.Object, true
	case !tes.known(c.Whole):
		return nil, false
	}
	return vs.Object, vs.known(c.Whole)
}

// Capturing returns the shader that the next draw captures with: the last
// vertex stage with outputs while a target is bound. It is nil when nothing is
// captured or it is not known.
func (c *Context) Capturing() *Shader {
	if c.bound == 0 || c.last == nil || c.last.Info.NumOutputs == 0 {
		return nil
	}
	return c.last
}

// Holds says whether a slot holds the target.
func (c *Context) Holds(t *Target) bool {
	for i := range c.Targets {
		if t != nil && c.Targets[i].Object == t {
			return true
		}
	}
	return false
}

// TargetBound says whether any slot holds a target.
func (c *Context) TargetBound() bool { return c.bound != 0 }

// RasterizerState returns the bound rasterizer state, nil when there is none or
// it is not known.
func (c *Context) RasterizerState() *pipe.RasterizerState {
	if c.Rasterizer.Object == nil {
		return nil
	}
	s, _ := c.Rasterizer.Object.State.(*pipe.RasterizerState)
	return s
}

// DepthStencilState returns the bound depth/stencil/alpha state, nil when there
// is none or it is not known.
func (c *Context) DepthStencilState() *pipe.DepthStencilAlphaState {
	if c.DepthStencil.Object == nil {
		return nil
	}
	s, _ := c.DepthStencil.Object.State.(*pipe.DepthStencilAlphaState)
	return s
}

// Elements returns the bound vertex elements, nil when there are none or they
// are not known.
func (c *Context) Elements() []pipe.VertexElement {
	if c.VertexElements.Object == nil {
		return nil
	}
	e, _ := c.VertexElements.Object.State.([]pipe.VertexElement)
	return e
}

func (c *Context) seeStrides(op *pipe.Op, strides [pipe.MaxStreamOutputBuffers]uint16) {
	if c.strides == nil {
		c.strides = make(map[[pipe.MaxStreamOutputBuffers]uint16]At)
	}
	if _, seen := c.strides[strides]; !seen && len(c.strides) >= maxStrides {
		return
	}
	c.strides[strides] = at(op)
}

// StridesSeen says whether a shader with outputs was made in the context with
// just these strides, in dwords, and where last.
func (c *Context) StridesSeen(strides [pipe.MaxStreamOutputBuffers]uint64) (At, bool) {
	var key [pipe.MaxStreamOutputBuffers]uint16
	for b, s := range strides {
		if s > 1<<16-1 {
			return At{}, false
		}
		key[b] = uint16(s)
	}
	seen, ok := c.strides[key]
	return seen, ok
}
