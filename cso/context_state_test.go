package cso

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// recorder keeps the calls that reach a Null.
type recorder struct {
	null  pipe.Null
	calls []pipe.Call
	fail  error // of the next calls
}

func (r *recorder) Do(op *pipe.Op) error {
	if r.fail != nil {
		return r.fail
	}
	switch c := op.Call.(type) { // layers reuse these
	case *pipe.BindState:
		r.calls = append(r.calls, &pipe.BindState{Kind: c.Kind, State: c.State})
	case *pipe.DeleteState:
		r.calls = append(r.calls, &pipe.DeleteState{Kind: c.Kind, State: c.State})
	default:
		r.calls = append(r.calls, op.Call)
	}
	return r.null.Do(op)
}

// take returns the calls since the last take.
func (r *recorder) take() []pipe.Call {
	calls := r.calls
	r.calls = nil
	return calls
}

func newTestContext(limit int) (*Context, *recorder) {
	r := &recorder{}
	return NewContext(pipe.Context{Driver: r, Screen: 1, Handle: 2}, limit), r
}

func TestContextSetsByContent(t *testing.T) {
	c, r := newTestContext(0)
	require.NoError(t, c.SetBlend(&pipe.BlendState{}))
	made := r.take()
	require.Len(t, made, 2)
	require.IsType(t, &pipe.CreateBlend{}, made[0])
	first := made[1].(*pipe.BindState).State
	require.NoError(t, c.SetBlend(&pipe.BlendState{LogicOp: 1}))
	require.Empty(t, r.take(), "bound already")
	require.NoError(t, c.SetBlend(&pipe.BlendState{Dither: true}))
	require.Len(t, r.take(), 2)
	require.NoError(t, c.SetBlend(&pipe.BlendState{}))
	require.Equal(t, []pipe.Call{&pipe.BindState{Kind: pipe.KindBlend, State: first}}, r.take())
	require.NoError(t, c.SetBlend(nil))
	require.NoError(t, c.SetBlend(nil))
	require.Equal(t, []pipe.Call{&pipe.BindState{Kind: pipe.KindBlend}}, r.take())
}

func TestContextEveryKind(t *testing.T) {
	c, r := newTestContext(0)
	for _, set := range []func(on bool) error{
		func(on bool) error { return c.SetShader(pipe.Vertex, when(on, &pipe.ShaderState{})) },
		func(on bool) error { return c.SetShader(pipe.Geometry, when(on, &pipe.ShaderState{})) },
		func(on bool) error { return c.SetCompute(when(on, &pipe.ComputeState{})) },
		func(on bool) error { return c.SetRasterizer(when(on, &pipe.RasterizerState{})) },
		func(on bool) error { return c.SetDepthStencilAlpha(when(on, &pipe.DepthStencilAlphaState{})) },
		func(on bool) error { return c.SetBlend(when(on, &pipe.BlendState{})) },
	} {
		require.NoError(t, set(true))
		require.NoError(t, set(true))
		calls := r.take()
		require.Len(t, calls, 2, "one create and one bind")
		kind, ok := pipe.Created(calls[0])
		require.True(t, ok)
		require.Equal(t, kind, calls[1].(*pipe.BindState).Kind)
		require.NoError(t, set(false))
		require.Equal(t, []pipe.Call{&pipe.BindState{Kind: kind}}, r.take())
		require.Equal(t, Stats{Objects: 1, Hits: 1, Misses: 1, Added: 1}, c.Stats(kind))
	}
	require.NoError(t, c.SetVertexElements())
	require.Len(t, r.take(), 2, "no elements are a state")
	require.NoError(t, c.SetVertexElements(pipe.VertexElement{}))
	require.Len(t, r.take(), 2)
	require.Error(t, c.SetShader(pipe.NumStages, &pipe.ShaderState{}))
	require.Error(t, c.SetSamplers(pipe.NumStages))
}

func when[T any](on bool, s *T) *T {
	if on {
		return s
	}
	return nil
}

func TestContextSamplers(t *testing.T) {
	c, r := newTestContext(0)
	a, b := &pipe.SamplerState{MaxLod: 1}, &pipe.SamplerState{MaxLod: 2}
	require.NoError(t, c.SetSamplers(pipe.Fragment, a, nil, b, a))
	calls := r.take()
	require.Len(t, calls, 3, "two creates, one bind")
	states := calls[2].(*pipe.BindSamplers).States
	require.Equal(t, states[0], states[3])
	require.Zero(t, states[1])
	require.NoError(t, c.SetSamplers(pipe.Fragment, a, nil, b, a))
	require.Empty(t, r.take())
	require.NoError(t, c.SetSamplers(pipe.Fragment, b))
	require.Equal(t, []pipe.Call{&pipe.BindSamplers{Stage: pipe.Fragment, States: []pipe.Handle{states[2], 0, 0, 0}}}, r.take())
	require.Equal(t, 1, c.Stats(pipe.KindSampler).Held)
	require.NoError(t, c.Close())
	require.Equal(t, 2, deletes(r.take()))
}

func deletes(calls []pipe.Call) (n int) {
	for _, call := range calls {
		if _, ok := call.(*pipe.DeleteState); ok {
			n++
		}
	}
	return n
}

// TestBoundIsNotEvicted: limit 1 and one object bound in each of two slots of
// one kind.
func TestBoundIsNotEvicted(t *testing.T) {
	c, r := newTestContext(1)
	require.NoError(t, c.SetSamplers(pipe.Vertex, &pipe.SamplerState{MaxLod: 1}))
	require.NoError(t, c.SetSamplers(pipe.Fragment, &pipe.SamplerState{MaxLod: 2}))
	require.NoError(t, c.SetSamplers(pipe.Geometry, &pipe.SamplerState{MaxLod: 3}))
	require.Zero(t, deletes(r.take()))
	require.Equal(t, 3, c.Stats(pipe.KindSampler).Objects)
	require.NoError(t, c.SetSamplers(pipe.Vertex))
	require.NoError(t, c.SetSamplers(pipe.Fragment))
	require.NoError(t, c.SetSamplers(pipe.Vertex, &pipe.SamplerState{MaxLod: 4}))
	require.Equal(t, 2, deletes(r.take()))
	require.NoError(t, c.SetSamplers(pipe.Fragment, &pipe.SamplerState{MaxLod: 3}))
	require.Len(t, r.take(), 1, "still there")
}

// TestSavedIsNotEvicted saves A, binds B, inserts many others and restores.
func TestSavedIsNotEvicted(t *testing.T) {
	c, r := newTestContext(2)
	a := &pipe.RasterizerState{LineWidth: -1}
	require.NoError(t, c.SetRasterizer(a))
	object := r.take()[1].(*pipe.BindState).State
	c.Save(SaveRasterizer)
	for n := range 20 {
		require.NoError(t, c.SetRasterizer(&pipe.RasterizerState{LineWidth: float32(n)}))
	}
	calls := r.take()
	require.Greater(t, deletes(calls), 10)
	require.NotContains(t, calls, &pipe.DeleteState{Kind: pipe.KindRasterizer, State: object})
	require.NoError(t, c.Restore())
	require.Equal(t, []pipe.Call{&pipe.BindState{Kind: pipe.KindRasterizer, State: object}}, r.take())
	require.NoError(t, c.SetRasterizer(a))
	require.Empty(t, r.take())
	require.Equal(t, 1, c.Stats(pipe.KindRasterizer).Held)
}

func TestSaveAndRestoreParts(t *testing.T) {
	c, r := newTestContext(0)
	require.Error(t, c.Restore())
	require.NoError(t, c.SetShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: outputs(1, 4)}))
	require.NoError(t, c.SetBlend(&pipe.BlendState{}))
	require.NoError(t, c.SetSamplers(pipe.Fragment, &pipe.SamplerState{}, nil))
	r.take()
	c.Save(SaveShaders | SaveSamplers)
	require.NoError(t, c.SetShader(pipe.Vertex, &pipe.ShaderState{}))
	require.NoError(t, c.SetShader(pipe.Geometry, &pipe.ShaderState{}))
	require.NoError(t, c.SetBlend(nil))
	require.NoError(t, c.SetSamplers(pipe.Fragment))
	c.Save(SaveAll)
	require.NoError(t, c.Restore(), "nested, nothing changed")
	vs, fs := c.saved[0].bound[pipe.KindShader], c.saved[0].samplers[pipe.Fragment][0]
	r.take()
	require.NoError(t, c.Restore())
	require.Equal(t, []pipe.Call{
		&pipe.BindState{Kind: pipe.KindShader, State: vs.Object()},
		&pipe.BindState{Kind: pipe.ShaderKind(pipe.Geometry)},
		&pipe.BindSamplers{Stage: pipe.Fragment, States: []pipe.Handle{fs.Object(), 0}},
	}, r.take(), "blend was not saved")
	for kind, held := range map[pipe.Kind]int{pipe.KindShader: 1, pipe.ShaderKind(pipe.Geometry): 0, pipe.KindSampler: 1, pipe.KindBlend: 0} {
		require.Equal(t, held, c.Stats(kind).Held, kind)
	}
	c.Save(SaveAll)
	require.NoError(t, c.Close())
	require.Error(t, c.Restore())
	require.Equal(t, 5, deletes(r.take()))
}

func TestStreamOutputBindings(t *testing.T) {
	c, r := newTestContext(0)
	set := func(offsets []uint32, targets ...pipe.Handle) *pipe.SetStreamOutputTargets {
		return &pipe.SetStreamOutputTargets{NumTargets: uint32(len(targets)), Targets: targets, Offsets: offsets, OutputPrim: pipe.PrimitiveUnknown}
	}
	appending := []uint32{pipe.AppendOffset, pipe.AppendOffset}
	require.NoError(t, c.SetStreamOutputTargets(nil, nil))
	c.Save(SaveStreamOutput)
	require.NoError(t, c.Restore())
	require.Empty(t, r.take(), "from none to none is filtered")

	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x40, 0}, []uint32{16, 0}))
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x40, 0}, []uint32{16, 0}))
	require.Equal(t, []pipe.Call{set([]uint32{16, 0}, 0x40, 0), set([]uint32{16, 0}, 0x40, 0)}, r.take(), "the offset is set again")

	c.Save(SaveStreamOutput)
	require.NoError(t, c.SetStreamOutputTargets(nil, nil))
	require.NoError(t, c.Restore())
	require.Equal(t, []pipe.Call{set(nil), set(appending, 0x40, 0)}, r.take(), "goes on where it stopped")

	require.NoError(t, c.SetStreamOutputTargetsFor([]pipe.Handle{0x50}, []uint32{0}, pipe.Lines))
	c.Save(SaveStreamOutput)
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x60}, []uint32{4}))
	r.take()
	require.NoError(t, c.Restore())
	want := set(appending[:1], 0x50)
	want.OutputPrim = pipe.Lines
	require.Equal(t, []pipe.Call{want}, r.take())

	require.NoError(t, c.SetStreamOutputTargets(nil, nil))
	c.Save(SaveStreamOutput)
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x60}, []uint32{4}))
	r.take()
	require.NoError(t, c.Restore())
	require.Equal(t, []pipe.Call{set(nil)}, r.take(), "none were saved")
	require.Error(t, c.SetStreamOutputTargets(make([]pipe.Handle, 5), make([]uint32, 5)))
	require.Error(t, c.SetStreamOutputTargets(make([]pipe.Handle, 2), make([]uint32, 1)))
	require.Empty(t, r.take())
}

func TestTargetsOutliveTheirDestroy(t *testing.T) {
	c, r := newTestContext(0)
	destroyed := func() (handles []pipe.Handle) {
		for _, call := range r.take() {
			if d, ok := call.(*pipe.DestroyStreamOutputTarget); ok {
				handles = append(handles, d.Target)
			}
		}
		return handles
	}
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x40, 0x50}, []uint32{0, 0}))
	c.Save(SaveStreamOutput)
	require.NoError(t, c.DestroyStreamOutputTarget(0x40))
	require.NoError(t, c.DestroyStreamOutputTarget(0x40))
	require.NoError(t, c.DestroyStreamOutputTarget(0x60))
	require.NoError(t, c.DestroyStreamOutputTarget(0))
	require.Equal(t, []pipe.Handle{0x60}, destroyed(), "neither bound nor saved")
	require.NoError(t, c.SetStreamOutputTargets(nil, nil))
	require.Empty(t, destroyed(), "saved")
	require.NoError(t, c.Restore())
	require.Empty(t, destroyed(), "bound")
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x50}, []uint32{0}))
	require.Equal(t, []pipe.Handle{0x40}, destroyed())
	require.NoError(t, c.DestroyStreamOutputTarget(0x50))
	require.NoError(t, c.Close())
	require.Equal(t, []pipe.Handle{0x50}, destroyed())
}

func TestContextErrors(t *testing.T) {
	failure := errors.New("device lost")
	c, r := newTestContext(0)
	require.NoError(t, c.SetBlend(&pipe.BlendState{}))
	require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{0x40}, []uint32{0}))
	c.Save(SaveAll)
	r.fail = failure
	require.ErrorIs(t, c.SetBlend(&pipe.BlendState{Dither: true}), failure)
	require.ErrorIs(t, c.SetBlend(nil), failure)
	require.ErrorIs(t, c.SetSamplers(pipe.Vertex, &pipe.SamplerState{}), failure)
	require.ErrorIs(t, c.SetStreamOutputTargets(nil, nil), failure)
	require.ErrorIs(t, c.Restore(), failure)
	r.fail = nil
	require.Equal(t, Stats{Objects: 1, Held: 1, Misses: 2, Added: 1}, c.Stats(pipe.KindBlend), "bound as before")
	refuse := NewContext(pipe.Context{Driver: pipe.DriverFunc(func(*pipe.Op) error { return nil })}, 0)
	require.ErrorContains(t, refuse.SetBlend(&pipe.BlendState{}), "refused a blend state")
}

func TestRepeatedSetAllocatesNothing(t *testing.T) {
	c, _ := newTestContext(0)
	vs, sampler := &pipe.ShaderState{StreamOutput: outputs(4, 16)}, &pipe.SamplerState{MaxLod: float32(math.Inf(1))}
	set := func() {
		if c.SetShader(pipe.Vertex, vs) != nil || c.SetSamplers(pipe.Fragment, sampler) != nil {
			t.Fatal("cannot set")
		}
	}
	set()
	require.Zero(t, testing.AllocsPerRun(100, set))
}
