package state

import (
	"reflect"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// Apply records what an operation did, after it was carried out: creates by
// the handle in op.Ret. It copies what it keeps.
func (m *Machine) Apply(op *pipe.Op) {
	c := m.contextOf(op)
	if c != nil && m.applyContext(op, c) {
		return
	}
	switch call := op.Call.(type) {
	case *pipe.NewWorld:
		m.newWorld(true)
	case *pipe.ScreenCreate, *pipe.ScreenDestroy, *pipe.GetName, *pipe.GetParam:
		m.applyScreen(op)
	case *pipe.ResourceCreate, *pipe.ResourceDestroy, *pipe.ReplaceBufferStorage:
		m.applyResource(op)
	case *pipe.CreateShader:
		m.createShader(op, call)
	case *pipe.CreateCompute:
		s := call.State
		s.Program = nil
		m.createCSO(op, pipe.ShaderKind(pipe.Compute), &s)
	case *pipe.CreateRasterizer:
		m.createCSO(op, pipe.KindRasterizer, clone(call.State))
	case *pipe.CreateDepthStencilAlpha:
		m.createCSO(op, pipe.KindDepthStencilAlpha, clone(call.State))
	case *pipe.CreateBlend:
		m.createCSO(op, pipe.KindBlend, clone(call.State))
	case *pipe.CreateSampler:
		m.createCSO(op, pipe.KindSampler, clone(call.State))
	case *pipe.CreateVertexElements:
		m.createCSO(op, pipe.KindVertexElements, slices.Clone(call.Elements))
	case *pipe.DeleteState:
		m.deleteState(op, call)
	case *pipe.CreateStreamOutputTarget, *pipe.DestroyStreamOutputTarget:
		m.applyTarget(op)
	case *pipe.CreateQuery, *pipe.DestroyQuery:
		m.applyQuery(op)
	case *pipe.CreateSamplerView, *pipe.DestroySamplerView, *pipe.CreateSurface, *pipe.DestroySurface:
		m.applyView(op)
	case *pipe.Map, *pipe.Unmap:
		m.applyTransfer(op)
	case *pipe.ContextDestroy:
		m.endContext(op, c)
	}
}

func clone[T any](v T) *T { return &v }

func (m *Machine) applyScreen(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.ScreenCreate:
		h := op.Ret.Handle
		if m.screens[h] {
			m.newWorld(true)
			m.begun = true
		}
		if h != 0 {
			m.screens[h] = true
		}
	case *pipe.ScreenDestroy:
		delete(m.screens, op.Screen)
	case *pipe.GetName:
		m.DriverName = strings.Clone(op.Ret.Text)
	case *pipe.GetParam:
		m.Caps.Set(call.Param, op.Ret.Value)
	}
}

func (m *Machine) applyResource(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.ResourceCreate:
		h := op.Ret.Handle
		if h == 0 {
			return
		}
		if old := m.resources.get(h); old != nil {
			replace(&old.Object, op)
		}
		m.resources.put(h, &Resource{Object: m.object(pipe.KindResource, h, op), Template: call.Template})
	case *pipe.ResourceDestroy:
		if r := m.resources.get(call.Resource); r != nil {
			m.release(&r.Object, op)
		}
	case *pipe.ReplaceBufferStorage:
		dst, src := m.resources.get(call.Dst), m.resources.get(call.Src)
		if dst != nil && src != nil {
			dst.Template.Width = src.Template.Width
		}
	}
}

func (m *Machine) deleteState(op *pipe.Op, call *pipe.DeleteState) {
	if stage, ok := call.Kind.Stage(); ok && stage != pipe.Compute {
		if s := m.shaders[stage].get(call.State); s != nil {
			m.release(&s.Object, op)
		}
		return
	}
	if s := m.CSO(call.Kind, call.State); s != nil {
		m.release(&s.Object, op)
	}
}

func (m *Machine) applyTarget(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.CreateStreamOutputTarget:
		h := op.Ret.Handle
		if h == 0 {
			if c := m.contexts[op.Context]; c != nil && op.Ret.Known {
				c.TargetRefused, c.TargetRefusedAt = true, at(op)
			}
			return
		}
		if old := m.targets.get(h); old != nil {
			replace(&old.Object, op)
			m.disown(old)
		}
		t := &Target{Object: m.object(pipe.KindTarget, h, op), Resource: call.Resource,
			Buffer: m.resources.get(call.Resource), Offset: call.BufferOffset, Size: call.BufferSize,
			Fill: Fill{Known: true}}
		m.targets.put(h, t)
		if t.Buffer != nil {
			t.Buffer.Targeted = true
		}
		if c := m.contexts[op.Context]; c != nil {
			c.own(t)
		}
	case *pipe.DestroyStreamOutputTarget:
		if t := m.targets.get(call.Target); t != nil {
			m.release(&t.Object, op)
			if t.Dead {
				m.disown(t)
			}
		}
		if c := m.contexts[op.Context]; c != nil {
			c.Revision++
		}
	}
}

func (m *Machine) applyQuery(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.CreateQuery:
		h := op.Ret.Handle
		if h == 0 {
			return
		}
		if old := m.queries.get(h); old != nil {
			replace(&old.Object, op)
			m.disownQuery(old)
		}
		q := &Query{Object: m.object(pipe.KindQuery, h, op), Type: call.Type, Index: call.Index}
		m.queries.put(h, q)
		if c := m.contexts[op.Context]; c != nil {
			c.ownQuery(q)
		}
	case *pipe.DestroyQuery:
		if q := m.queries.get(call.Query); q != nil {
			m.release(&q.Object, op)
			m.disownQuery(q)
			if c := m.contexts[op.Context]; c != nil {
				c.dropQuery(q)
			}
		}
	}
}

func (m *Machine) applyView(op *pipe.Op) {
	add := func(table *table[View], k pipe.Kind, v View) {
		h := op.Ret.Handle
		if h == 0 {
			return
		}
		if old := table.get(h); old != nil {
			replace(&old.Object, op)
		}
		v.Object = m.object(k, h, op)
		v.Texture = m.resources.get(v.Resource)
		table.put(h, &v)
	}
	end := func(v *View) {
		if v != nil {
			m.release(&v.Object, op)
		}
	}
	switch call := op.Call.(type) {
	case *pipe.CreateSamplerView:
		add(&m.views, pipe.KindSamplerView, View{Resource: call.Resource, Sampler: call.View})
	case *pipe.DestroySamplerView:
		end(m.views.get(call.View))
	case *pipe.CreateSurface:
		add(&m.surfaces, pipe.KindSurface, View{Resource: call.Resource, Surface: call.Surface})
	case *pipe.DestroySurface:
		end(m.surfaces.get(call.Surface))
	}
}

func (m *Machine) applyTransfer(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.Map:
		if call.Transfer == 0 {
			return
		}
		if len(m.transfers) >= maxTransfers {
			clear(m.transfers)
		}
		t := m.unmapped
		if m.unmapped = nil; t == nil {
			t = &Transfer{}
		}
		*t = Transfer{Object: m.object(pipe.KindTransfer, call.Transfer, op),
			Resource: call.Resource, Texture: m.resources.get(call.Resource), Usage: call.Usage, Box: call.Box}
		m.transfers[call.Transfer] = t
	case *pipe.Unmap:
		if t := m.transfers[call.Transfer]; t != nil {
			m.unmapped = t
			delete(m.transfers, call.Transfer)
		}
	}
}

// endContext ends a context and what belongs to it. Its bindings stay readable
// until its address comes back.
func (m *Machine) endContext(op *pipe.Op, c *Context) {
	if c == nil {
		return
	}
	c.Dead, c.Ended = true, at(op)
	for t := range c.targets {
		m.end(&t.Object, op)
	}
	for q := range c.queries {
		m.end(&q.Object, op)
	}
	c.targets, c.queries = nil, nil
	delete(m.contexts, c.Handle)
	delete(m.pending, c.Handle)
	if m.current == c {
		m.current = nil
	}
}

// equalState says whether two state structs are equal. NaNs count as different,
// which costs a new object and nothing else.
func equalState(a, b any) bool { return reflect.DeepEqual(a, b) }
