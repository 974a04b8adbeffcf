package state

import (
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// maxSlots is how many slots of a kind are followed: more than any interface
// has, and a bound on what a wrong number in a trace can cost.
const maxSlots = 1 << 10

// applyContext records the operations that change only the context: most. It is false
// for others.
func (m *Machine) applyContext(op *pipe.Op, c *Context) bool {
	switch call := op.Call.(type) {
	case *pipe.Draw, *pipe.DrawVertexState:
		m.draw(op, c)
	case *pipe.SetStreamOutputTargets:
		m.setTargets(op, c, call)
	case *pipe.BindState:
		m.bindState(op, c, call)
	case *pipe.SetVertexBuffers:
		c.setVertexBuffers(call)
	case *pipe.SetConstantBuffer, *pipe.SetShaderBuffers, *pipe.SetShaderImages, *pipe.SetSamplerViews, *pipe.BindSamplers:
		m.bindInputs(op, c)
	case *pipe.BeginQuery, *pipe.EndQuery, *pipe.RenderCondition, *pipe.SetActiveQueryState:
		m.runQueries(op, c)
	case *pipe.GetQueryResult:
		if q := m.queries.get(call.Query); q != nil && op.Ret.Query.Known {
			q.Result = op.Ret.Query
		}
	case *pipe.Clear, *pipe.ResourceCopyRegion, *pipe.ClearBuffer:
		c.disturb()
	case *pipe.SetFramebuffer:
		c.Framebuffer = call.State
		c.Framebuffer.Cbufs = slices.Clone(call.State.Cbufs)
		c.FramebufferSet = at(op)
		c.Inputs++
	case *pipe.SetTessState:
		c.TessOuter, c.TessInner, c.TessSet = call.Outer, call.Inner, true
		c.Revision++
	case *pipe.SetPatchVertices:
		c.PatchVertices = call.Vertices
		c.Revision++
	case *pipe.SetViewports:
		c.Viewports = setSlots(c.Viewports, call.Start, call.Viewports)
	case *pipe.SetScissors:
		c.Scissors = setSlots(c.Scissors, call.Start, call.Scissors)
	case *pipe.SetBlendColor:
		c.BlendColor = call.Color
	case *pipe.SetStencilRef:
		c.StencilRef = call.Ref
	case *pipe.SetSampleMask:
		c.SampleMask = call.Mask
	case *pipe.SetMinSamples:
		c.MinSamples = call.Samples
	case *pipe.Other:
		if len(c.ActiveQueries) > 0 && mayDraw(call.Method) {
			c.disturb()
		}
		c.setRest(op, call)
	default:
		return false
	}
	return true
}

// setRest keeps what a method without a struct of its own set.
func (c *Context) setRest(op *pipe.Op, call *pipe.Other) {
	if !strings.HasPrefix(call.Method, "set_") && !strings.HasPrefix(call.Method, "bind_") {
		return
	}
	if c.Rest == nil {
		c.Rest = make(map[string]*pipe.Values)
	}
	values := call.Values
	if values == nil && op.Raw != nil {
		values = op.Raw.Values
	}
	if _, seen := c.Rest[call.Method]; !seen && len(c.Rest) >= maxRest {
		return
	}
	c.Rest[strings.Clone(call.Method)] = values.Clone()
}

func (m *Machine) bindState(op *pipe.Op, c *Context, call *pipe.BindState) {
	if stage, ok := call.Kind.Stage(); ok {
		c.Shaders[stage].bind(op, call.State, m.shaders[stage].get(call.State))
		c.noteStages()
		c.Revision++
		return
	}
	object := m.CSO(call.Kind, call.State)
	if call.Inline != nil {
		object = &CSO{Object: Object{Kind: call.Kind, Context: op.Context, Created: at(op), Creates: 1}, State: call.Inline}
	}
	switch call.Kind {
	case pipe.KindRasterizer:
		c.Rasterizer.bind(op, call.State, object)
	case pipe.KindDepthStencilAlpha:
		c.DepthStencil.bind(op, call.State, object)
	case pipe.KindBlend:
		c.Blend.bind(op, call.State, object)
		return
	case pipe.KindVertexElements:
		c.VertexElements.bind(op, call.State, object)
	}
	c.Revision++
}

// setTargets binds targets to all slots and moves their fill position.
func (m *Machine) setTargets(op *pipe.Op, c *Context, call *pipe.SetStreamOutputTargets) {
	c.NumTargets = int(min(call.NumTargets, pipe.MaxStreamOutputBuffers))
	c.TargetsSet.mark(op)
	c.AfterRefusal, c.TargetRefused = c.TargetRefused, false
	c.OutputPrim = call.OutputPrim
	c.Session = Session{}
	c.Revision++
	c.Inputs++
	if call.NumTargets > 0 && call.Targets == nil {
		c.loseStarts()
	}
	filled := call.Filled()
	c.bound = 0
	for i := range c.Targets {
		slot := &c.Targets[i]
		*slot = TargetSlot{Offset: pipe.AppendOffset}
		if i < len(filled) {
			slot.Handle = filled[i]
			slot.Object = m.Target(slot.Handle)
			if slot.Handle != 0 {
				c.bound |= 1 << i
			}
			if i < len(call.Offsets) {
				slot.Offset = call.Offsets[i]
			}
		}
		if t := slot.Object; t != nil && i >= len(call.Offsets) {
			t.Fill.Known, t.WasSet = false, true // where it goes on is not said
		} else if t != nil && slot.Offset != pipe.AppendOffset {
			t.Fill = Fill{Bytes: uint64(slot.Offset), Known: slot.Offset%4 == 0} // within a dword drivers disagree
			t.WasSet = true
			t.Set.mark(op)
		}
	}
}

// loseStarts takes every target of the context for begun: a call that bound
// some does not say which.
func (c *Context) loseStarts() {
	for t := range c.targets {
		t.Fill.Known, t.WasSet = false, true
	}
}

func (c *Context) setVertexBuffers(call *pipe.SetVertexBuffers) {
	c.Inputs++
	start := 0
	if !call.All {
		start = int(min(call.Start, maxSlots))
	}
	count := int(min(call.Count, maxSlots))
	c.VertexBuffers = grow(c.VertexBuffers, start+count)
	for i := range count {
		var b pipe.VertexBuffer
		if i < len(call.Buffers) {
			b = call.Buffers[i]
		}
		c.VertexBuffers[start+i] = b
	}
	behind := c.VertexBuffers[start+count:]
	if !call.All {
		behind = behind[:min(len(behind), int(min(call.UnbindTrailing, maxSlots)))]
	}
	clear(behind)
}

// bindInputs records the bindings that shaders read through.
func (m *Machine) bindInputs(op *pipe.Op, c *Context) {
	c.Inputs++
	switch call := op.Call.(type) {
	case *pipe.SetConstantBuffer:
		var b pipe.ConstantBuffer
		if call.Buffer != nil {
			b = *call.Buffer
		}
		set := &c.ConstantBuffers[call.Stage%pipe.NumStages]
		*set = setSlots(*set, call.Index, []pipe.ConstantBuffer{b})
	case *pipe.SetShaderBuffers:
		c.setShaderBuffers(call)
	case *pipe.SetShaderImages:
		set := &c.Images[call.Stage%pipe.NumStages]
		if call.Images == nil {
			clear((*set)[min(int(min(call.Start, maxSlots)), len(*set)):])
			return
		}
		*set = setSlots(*set, call.Start, call.Images)
		unbind(*set, uint64(call.Start)+uint64(len(call.Images)), call.UnbindTrailing)
	case *pipe.SetSamplerViews:
		m.setSamplerViews(op, c, call)
	case *pipe.BindSamplers:
		set := &c.Samplers[call.Stage%pipe.NumStages]
		*set = setSlots(*set, call.Start, call.States)
	}
}

func (c *Context) setShaderBuffers(call *pipe.SetShaderBuffers) {
	stage := call.Stage % pipe.NumStages
	set := &c.ShaderBuffers[stage]
	if call.Buffers == nil {
		// The trace does not say how many are unbound: all behind start is the
		// answer that claims least.
		clear((*set)[min(int(min(call.Start, maxSlots)), len(*set)):])
		return
	}
	*set = setSlots(*set, call.Start, call.Buffers)
	if call.Start < 64 {
		mask := uint64(1)<<min(len(call.Buffers), 64) - 1
		if len(call.Buffers) >= 64 {
			mask = ^uint64(0)
		}
		writable := &c.ShaderBuffersWritable[stage]
		*writable = *writable&^(mask<<call.Start) | uint64(call.WritableMask)&mask<<call.Start
	}
}

func (m *Machine) setSamplerViews(op *pipe.Op, c *Context, call *pipe.SetSamplerViews) {
	set := &c.SamplerViews[call.Stage%pipe.NumStages]
	count := int(min(call.Count, maxSlots))
	if call.Start < maxSlots && count > 0 {
		*set = grow(*set, int(call.Start)+count)
		for i := range count {
			b := Binding[View]{}
			if i < len(call.Views) {
				b = Binding[View]{call.Views[i], m.views.get(call.Views[i]), at(op)}
			}
			(*set)[int(call.Start)+i] = b
		}
	}
	unbind(*set, uint64(call.Start)+uint64(count), call.UnbindTrailing)
}

// runQueries records begin and end, and what makes queries and draws depend.
func (m *Machine) runQueries(op *pipe.Op, c *Context) {
	c.Revision++
	switch call := op.Call.(type) {
	case *pipe.BeginQuery:
		if q := m.queries.get(call.Query); q != nil && !q.Active {
			q.Active = true
			q.Begun.mark(op)
			q.begin(c)
			if len(c.ActiveQueries) < maxActiveQueries {
				c.ActiveQueries = append(c.ActiveQueries, q)
			} else {
				q.Counts = QueryCounts{Captures: 1}
			}
		} else if q != nil {
			q.Counts.Written.Known, q.Counts.Generated.Known = false, false
		}
	case *pipe.EndQuery:
		if q := m.queries.get(call.Query); q != nil {
			q.Done.mark(op)
			q.Ends++
			q.Counts.EndDraws = c.Draws
			c.dropQuery(q)
		}
	case *pipe.RenderCondition:
		c.Condition.bind(op, call.Query, m.queries.get(call.Query))
		c.ConditionInvert = call.Condition
	case *pipe.SetActiveQueryState:
		c.QueriesPaused = !call.Enable
	}
}

func (c *Context) dropQuery(q *Query) {
	q.Active = false
	c.ActiveQueries = slices.DeleteFunc(c.ActiveQueries, func(o *Query) bool { return o == q })
}

// grow returns s with at least n slots, at most 2*maxSlots.
func grow[T any](s []T, n int) []T {
	n = min(n, 2*maxSlots)
	if len(s) >= n {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// setSlots writes values from slot start on, as far as slots are followed.
func setSlots[T any](s []T, start uint32, values []T) []T {
	if start >= maxSlots || len(values) == 0 {
		return s
	}
	s = grow(s, int(start)+len(values))
	copy(s[start:], values)
	return s
}

// unbind clears n slots from start on.
func unbind[T any](s []T, start uint64, n uint32) {
	if start >= uint64(len(s)) {
		return
	}
	s = s[start:]
	clear(s[:min(len(s), int(min(n, maxSlots)))])
}
