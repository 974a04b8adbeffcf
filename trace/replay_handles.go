package trace

import "github.com/outflow-gpu/outflow/pipe"

// handleMap leads from recorded handles to those that a driver returned in
// their place. It is empty as long as the driver returns what was recorded.
// Addresses are kept apart by kind: a trace has an address live as a context and
// as a query, one behind the other.
type handleMap struct {
	made map[handleKey]pipe.Handle
}

type handleKey struct {
	kind   pipe.Kind
	handle pipe.Handle
}

// learn keeps that a create returned another handle than was recorded.
func (m *handleMap) learn(op *pipe.Op, recorded pipe.Handle) {
	kind, creates := pipe.Created(op.Call)
	if !creates || recorded == 0 {
		return
	}
	key := handleKey{kind, recorded}
	if op.Ret.Handle == recorded {
		delete(m.made, key)
		return
	}
	if m.made == nil {
		m.made = make(map[handleKey]pipe.Handle)
	}
	m.made[key] = op.Ret.Handle
}

// one translates a handle; one that is not known stays.
func (m *handleMap) one(kind pipe.Kind, h *pipe.Handle) {
	if to, ok := m.made[handleKey{kind, *h}]; ok {
		*h = to
	}
}

func (m *handleMap) all(kind pipe.Kind, list []pipe.Handle) {
	for i := range list {
		m.one(kind, &list[i])
	}
}

// translate gives an operation the handles of the driver.
func (m *handleMap) translate(op *pipe.Op) {
	if len(m.made) == 0 {
		return
	}
	m.one(pipe.KindScreen, &op.Screen)
	m.one(pipe.KindContext, &op.Context)
	switch c := op.Call.(type) {
	case *pipe.BindState:
		m.one(c.Kind, &c.State)
	case *pipe.DeleteState:
		m.one(c.Kind, &c.State)
	case *pipe.BindSamplers:
		m.all(pipe.KindSampler, c.States)
	case *pipe.CreateStreamOutputTarget:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.DestroyStreamOutputTarget:
		m.one(pipe.KindTarget, &c.Target)
	case *pipe.SetStreamOutputTargets:
		m.all(pipe.KindTarget, c.Targets)
	case *pipe.Draw:
		m.draw(c)
	case *pipe.LaunchGrid:
		m.one(pipe.KindResource, &c.Info.Indirect)
	case *pipe.DestroyQuery:
		m.one(pipe.KindQuery, &c.Query)
	case *pipe.BeginQuery:
		m.one(pipe.KindQuery, &c.Query)
	case *pipe.EndQuery:
		m.one(pipe.KindQuery, &c.Query)
	case *pipe.GetQueryResult:
		m.one(pipe.KindQuery, &c.Query)
	case *pipe.GetQueryResultResource:
		m.one(pipe.KindQuery, &c.Query)
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.RenderCondition:
		m.one(pipe.KindQuery, &c.Query)
	default:
		m.resources(op)
		m.bindings(op)
	}
}

func (m *handleMap) draw(c *pipe.Draw) {
	if !c.Info.HasUserIndices {
		m.one(pipe.KindResource, &c.Info.Index)
	}
	if i := c.Indirect; i != nil {
		m.one(pipe.KindResource, &i.Buffer)
		m.one(pipe.KindResource, &i.Count)
		m.one(pipe.KindTarget, &i.CountFromStreamOutput)
	}
}

func (m *handleMap) resources(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.ResourceDestroy:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.ResourceRelease:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.ReplaceBufferStorage:
		m.one(pipe.KindResource, &c.Dst)
		m.one(pipe.KindResource, &c.Src)
	case *pipe.InvalidateResource:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.ResourceCopyRegion:
		m.one(pipe.KindResource, &c.Dst)
		m.one(pipe.KindResource, &c.Src)
	case *pipe.ClearBuffer:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.BufferSubdata:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.TextureSubdata:
		m.one(pipe.KindResource, &c.Resource)
	case *pipe.Map:
		m.one(pipe.KindResource, &c.Resource)
	}
}

func (m *handleMap) bindings(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.SetVertexBuffers:
		for i := range c.Buffers {
			if !c.Buffers[i].IsUserBuffer {
				m.one(pipe.KindResource, &c.Buffers[i].Resource)
			}
		}
	case *pipe.SetConstantBuffer:
		if c.Buffer != nil {
			m.one(pipe.KindResource, &c.Buffer.Resource)
		}
	case *pipe.SetShaderBuffers:
		for i := range c.Buffers {
			m.one(pipe.KindResource, &c.Buffers[i].Resource)
		}
	case *pipe.SetShaderImages:
		for i := range c.Images {
			m.one(pipe.KindResource, &c.Images[i].Resource)
		}
	case *pipe.CreateSamplerView:
		m.one(pipe.KindResource, &c.Resource)
		m.one(pipe.KindResource, &c.View.Texture)
	case *pipe.DestroySamplerView:
		m.one(pipe.KindSamplerView, &c.View)
	case *pipe.SetSamplerViews:
		m.all(pipe.KindSamplerView, c.Views)
	case *pipe.CreateSurface:
		m.one(pipe.KindResource, &c.Resource)
		m.one(pipe.KindResource, &c.Surface.Texture)
	case *pipe.DestroySurface:
		m.one(pipe.KindSurface, &c.Surface)
	case *pipe.SetFramebuffer:
		for i := range c.State.Cbufs {
			m.surface(&c.State.Cbufs[i])
		}
		m.surface(&c.State.Zsbuf)
	}
}

func (m *handleMap) surface(r *pipe.SurfaceRef) {
	m.one(pipe.KindSurface, &r.Handle)
	m.one(pipe.KindResource, &r.Surface.Texture)
}
