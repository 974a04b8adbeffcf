package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// before returns the triggers that an operation fires before it acts, and whether it is
// one of those that nearly all of a long run are: they make, return and end nothing.
func (t *Track) before(op *pipe.Op, c *state.Context) (on Trigger, routine bool) {
	switch call := op.Call.(type) {
	case *pipe.Draw:
		on, routine = t.drawTriggers(c), true
		if call.Indirect != nil && (call.Indirect.CountFromStreamOutput != 0 || call.Indirect.Buffer == 0) {
			on |= OnDrawAuto
		}
	case *pipe.SetStreamOutputTargets:
		if routine = true; call.NumTargets != 0 {
			on = OnSetTargets
		}
	case *pipe.BindState:
		routine = true
		if _, ok := call.Kind.Stage(); ok && call.State != 0 {
			on = OnBindShader
		}
	case *pipe.BeginQuery, *pipe.EndQuery:
		on, routine = OnQuery, true
	case *pipe.SetVertexBuffers, *pipe.SetConstantBuffer:
		routine = true
	case *pipe.DrawVertexState:
		on = t.drawTriggers(c)
	case *pipe.CreateShader:
		if !infoCut(op.Raw) {
			on = OnCreateShader
		}
	default:
		on = beforeRare(call)
	}
	if op.Raw != nil && len(op.Raw.Misfits) > 0 {
		on |= OnMisfit
	}
	return on, routine
}

// beforeRare returns the triggers of the calls that are not routine.
func beforeRare(call pipe.Call) Trigger {
	switch call.(type) {
	case *pipe.CreateStreamOutputTarget:
		return OnCreateTarget
	case *pipe.CreateQuery:
		return OnCreateQuery
	case *pipe.DestroyQuery:
		return OnQuery
	case *pipe.RenderCondition:
		return OnCondition
	case *pipe.DeleteState:
		return OnDelete
	case *pipe.DestroyStreamOutputTarget:
		return OnDestroyTarget
	case *pipe.Map, *pipe.BufferSubdata, *pipe.ResourceCopyRegion, *pipe.ClearBuffer, *pipe.InvalidateResource,
		*pipe.ReplaceBufferStorage, *pipe.ResourceDestroy, *pipe.GetQueryResultResource:
		return OnAccess
	case *pipe.ContextDestroy:
		return OnDestroyContext
	case *pipe.CreateRasterizer, *pipe.CreateBlend, *pipe.CreateDepthStencilAlpha, *pipe.CreateSampler, *pipe.CreateVertexElements:
		return OnCreateState
	}
	return 0
}

// infoCut says whether a trace ends inside the stream output of a shader
// create: what its outputs and strides are is not known then.
func infoCut(raw *pipe.Raw) bool {
	if raw == nil || !raw.Cut || raw.Values == nil {
		return false
	}
	s := raw.Values.Arg("state")
	info := s.Member("stream_output")
	return s.Open() && (!info.Exists() || info.Open())
}

// after returns the triggers that an operation fires once it was carried out,
// before it is recorded.
func after(call pipe.Call) Trigger {
	switch call.(type) {
	case *pipe.GetQueryResult:
		return OnQueryResult
	case *pipe.CreateShader:
		return OnShaderCreated
	}
	return 0
}

// drawTriggers returns the triggers of a draw. Rules over state that has not
// changed since they last ran are not run again.
func (t *Track) drawTriggers(c *state.Context) Trigger {
	if c == nil {
		return 0
	}
	triggers := OnDraw
	last := &t.factsOf(c).checked
	if last.draw != c.Revision+1 {
		last.draw = c.Revision + 1
		triggers |= OnDrawState
	}
	if c.TargetBound() {
		triggers |= OnCapture
		if last.capture != c.Revision+1 {
			last.capture = c.Revision + 1
			triggers |= OnCaptureState
		}
	}
	return triggers
}

// taintCreated marks the object of a faulty create.
func (t *Track) taintCreated(op *pipe.Op) {
	if !t.faulty[op.Context] {
		return
	}
	delete(t.faulty, op.Context)
	switch call := op.Call.(type) {
	case *pipe.CreateShader:
		if s := t.state.Shader(call.Stage, op.Ret.Handle); s != nil {
			t.tainted.put(s.Serial, true)
		}
	case *pipe.CreateStreamOutputTarget:
		if s := t.state.Target(op.Ret.Handle); s != nil {
			t.tainted.put(s.Serial, true)
		}
	case *pipe.CreateQuery:
		if q := t.state.Query(op.Ret.Handle); q != nil {
			t.tainted.put(q.Serial, true)
		}
	}
}

// Malformed tells the Track of a call that could not be read.
func (t *Track) Malformed(no uint64, pos pipe.Pos, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.view.Malformed = reason
	t.ask(&pipe.Op{No: no, Pos: pos}, nil, OnMalformed&t.wanted)
	t.view.Malformed = ""
}

// End tells the Track how the trace ended.
func (t *Track) End(pos pipe.Pos, end TraceEnd) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.view.End = end
	t.ask(&pipe.Op{No: end.Open, Pos: pos}, nil, OnEnd&t.wanted)
}
