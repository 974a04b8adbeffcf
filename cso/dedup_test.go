package cso

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

func newTestDedup() (pipe.Context, *recorder) {
	r := &recorder{}
	return pipe.Context{Driver: Dedup(r), Screen: 1, Handle: 2}, r
}

// creates makes one object of each kind, of content n.
func creates(n int) []pipe.Call {
	text := []byte{'0' + byte(n)}
	return []pipe.Call{
		&pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{Tokens: text}},
		&pipe.CreateShader{Stage: pipe.Geometry, State: pipe.ShaderState{Tokens: text}},
		&pipe.CreateCompute{State: pipe.ComputeState{Program: text}},
		&pipe.CreateRasterizer{State: pipe.RasterizerState{LineWidth: float32(n)}},
		&pipe.CreateDepthStencilAlpha{State: pipe.DepthStencilAlphaState{AlphaEnabled: true, AlphaRef: float32(n)}},
		&pipe.CreateBlend{State: pipe.BlendState{MaxRT: uint8(n)}},
		&pipe.CreateSampler{State: pipe.SamplerState{MaxLod: float32(n)}},
		&pipe.CreateVertexElements{Elements: make([]pipe.VertexElement, n)},
	}
}

func create(t *testing.T, c pipe.Context, call pipe.Call) pipe.Handle {
	t.Helper()
	ret, err := c.Do(call)
	require.NoError(t, err)
	require.True(t, ret.Known)
	require.NotZero(t, ret.Handle)
	return ret.Handle
}

func TestDedupSharesEveryKind(t *testing.T) {
	c, r := newTestDedup()
	for i, call := range creates(1) {
		kind, _ := pipe.Created(call)
		t.Run(kind.String(), func(t *testing.T) {
			first := create(t, c, call)
			require.Equal(t, []pipe.Call{call}, r.take())
			second := create(t, c, creates(1)[i])
			require.Empty(t, r.take(), "one driver object")
			require.NotEqual(t, first, second, "two objects above")
			other := create(t, c, creates(2)[i])
			require.Len(t, r.take(), 1)
			require.NotEqual(t, first, other)

			bind := func(h pipe.Handle) pipe.Handle {
				if kind == pipe.KindSampler {
					_, err := c.Do(&pipe.BindSamplers{Stage: pipe.Fragment, States: []pipe.Handle{h}})
					require.NoError(t, err)
					return r.take()[0].(*pipe.BindSamplers).States[0]
				}
				require.NoError(t, c.Bind(kind, h))
				return r.take()[0].(*pipe.BindState).State
			}
			require.Equal(t, first, bind(first))
			require.Equal(t, first, bind(second))
			require.Equal(t, first, bind(second), "a repeated bind passes")
			require.Equal(t, other, bind(other))
			require.Zero(t, bind(0))
			require.Equal(t, pipe.Handle(0x999), bind(0x999), "unknown")

			require.NoError(t, c.Delete(kind, first))
			require.Empty(t, r.take(), "counted")
			require.Equal(t, first, bind(second))
			third := create(t, c, call)
			require.Empty(t, r.take())
			require.NoError(t, c.Delete(kind, second))
			require.NoError(t, c.Delete(kind, third))
			require.Equal(t, []pipe.Call{&pipe.DeleteState{Kind: kind, State: first}}, r.take())
			again := create(t, c, call)
			require.Len(t, r.take(), 1, "made anew")
			require.NoError(t, c.Delete(kind, again))
			require.Equal(t, []pipe.Call{&pipe.DeleteState{Kind: kind, State: again}}, r.take())
		})
	}
	d := c.Driver.(*dedup)
	require.Len(t, d.objects, len(creates(2)), "only the others are left")
}

// TestDedupKeepsStreamOutputApart: equal text, another stream output.
func TestDedupKeepsStreamOutputApart(t *testing.T) {
	c, r := newTestDedup()
	a := &pipe.ShaderState{Tokens: []byte("VERT"), StreamOutput: outputs(1, 4)}
	b := &pipe.ShaderState{Tokens: []byte("VERT"), StreamOutput: outputs(1, 8)}
	first, err := c.CreateShader(pipe.Vertex, a)
	require.NoError(t, err)
	second, err := c.CreateShader(pipe.Vertex, b)
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	require.Len(t, r.take(), 2)
}

func TestDedupComparesOnHit(t *testing.T) {
	r := &recorder{}
	d := newDedup(r)
	d.sum = func([]byte) uint64 { return 1 }
	c := pipe.Context{Driver: d, Handle: 2}
	for n := 1; n < 5; n++ {
		for _, call := range creates(n) {
			create(t, c, call)
		}
	}
	require.Len(t, r.take(), 4*len(creates(1)))
}

func TestDedupLeavesTheRestAlone(t *testing.T) {
	c, r := newTestDedup()
	var handles []pipe.Handle
	for range 2 {
		h, err := c.CreateStreamOutputTarget(0x40, 0, 64)
		require.NoError(t, err)
		handles = append(handles, h)
		require.NoError(t, c.SetStreamOutputTargets(handles, make([]uint32, len(handles))))
		require.NoError(t, c.SetStreamOutputTargets(nil, nil))
		_, err = c.Do(&pipe.CreateShader{Stage: pipe.NumStages})
		require.NoError(t, err)
	}
	require.NotEqual(t, handles[0], handles[1])
	require.Len(t, r.take(), 8)
}

func TestDedupPerContext(t *testing.T) {
	c, r := newTestDedup()
	other := c
	other.Handle = 3
	call := creates(1)[0]
	first, second := create(t, c, call), create(t, other, call)
	require.Len(t, r.take(), 2, "objects are a context's")
	shared := create(t, c, call)
	require.Empty(t, r.take())
	require.NoError(t, other.Bind(pipe.KindShader, shared))
	require.Equal(t, []pipe.Call{&pipe.BindState{Kind: pipe.KindShader, State: first}}, r.take(), "a handle means the same in every context")
	require.NoError(t, other.Delete(pipe.KindShader, shared))
	require.NoError(t, other.Delete(pipe.KindShader, first))
	require.Equal(t, []pipe.Call{&pipe.DeleteState{Kind: pipe.KindShader, State: first}}, r.take())
	require.NotEqual(t, second, create(t, c, call))
	require.Len(t, r.take(), 1, "made anew after a delete in another context")
}

// TestDedupForgetsWithTheContext: contents are not found any more, while a delete
// of an object that outlives its context still reaches the driver.
func TestDedupForgetsWithTheContext(t *testing.T) {
	call := creates(1)[3]
	for name, end := range map[string]pipe.Op{
		"context destroyed": {Call: &pipe.ContextDestroy{}, Screen: 1, Context: 2},
		"context made anew": {Call: &pipe.ContextCreate{}, Screen: 1, Ret: pipe.Result{Handle: 2, Known: true}},
		"screen destroyed":  {Call: &pipe.ScreenDestroy{}, Screen: 1},
		"new world":         {Call: &pipe.NewWorld{}},
	} {
		t.Run(name, func(t *testing.T) {
			c, r := newTestDedup()
			old := create(t, c, call)
			require.NoError(t, c.Driver.Do(&end))
			r.take()
			for _, kept := range c.Driver.(*dedup).objects {
				require.Nil(t, kept.object.entry, "its content is not kept")
			}
			require.NotEqual(t, old, create(t, c, call))
			require.Len(t, r.take(), 1)
			require.NoError(t, c.Delete(pipe.KindRasterizer, old))
			require.Equal(t, []pipe.Call{&pipe.DeleteState{Kind: pipe.KindRasterizer, State: old}}, r.take())
		})
	}
}

// TestDedupDeletedTwice: the second delete of a driver's handle must not end the
// object that another create still stands for.
func TestDedupDeletedTwice(t *testing.T) {
	c, r := newTestDedup()
	call := creates(1)[5]
	first, second := create(t, c, call), create(t, c, call)
	r.take()
	for range 3 {
		require.NoError(t, c.Delete(pipe.KindBlend, first))
	}
	require.Empty(t, r.take())
	require.NoError(t, c.Delete(pipe.KindBlend, second))
	require.Equal(t, []pipe.Call{&pipe.DeleteState{Kind: pipe.KindBlend, State: first}}, r.take())
	require.Empty(t, c.Driver.(*dedup).objects)
}

// replayed is a layer over a Null that is told which handle each create returned.
type replayed struct {
	t *testing.T
	r *recorder
	d pipe.Driver
}

func newReplayed(t *testing.T) *replayed {
	r := &recorder{}
	return &replayed{t, r, Dedup(r)}
}

// blend creates blend state n, which the trace says returned preset.
func (p *replayed) blend(n int, preset pipe.Handle) pipe.Handle {
	op := pipe.Op{Call: creates(n)[5], Context: 2, Ret: pipe.Result{Handle: preset, Known: true}}
	require.NoError(p.t, p.d.Do(&op))
	return op.Ret.Handle
}

// below carries out a call and returns what reached the driver since the last time.
func (p *replayed) below(call pipe.Call) []pipe.Call {
	p.r.take()
	require.NoError(p.t, p.d.Do(&pipe.Op{Call: call, Context: 2}))
	return p.r.take()
}

func bindBlend(h pipe.Handle) *pipe.BindState { return &pipe.BindState{Kind: pipe.KindBlend, State: h} }

func deleteBlend(h pipe.Handle) *pipe.DeleteState {
	return &pipe.DeleteState{Kind: pipe.KindBlend, State: h}
}

// TestDedupAddressReused: a trace without deletes gives an address to another
// content, so the first content is no longer behind it.
func TestDedupAddressReused(t *testing.T) {
	p := newReplayed(t)
	require.Equal(t, pipe.Handle(0x40), p.blend(1, 0x40))
	require.Equal(t, pipe.Handle(0x40), p.blend(2, 0x40))
	p.r.take()
	require.Equal(t, pipe.Handle(0x50), p.blend(1, 0x50))
	require.Len(t, p.r.take(), 1, "the first content is made anew")
	require.Equal(t, pipe.Handle(0x60), p.blend(2, 0x60), "the recorded handle stays")
	require.Empty(t, p.r.take(), "the second is shared")
	require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(0x60)))
	h := p.blend(3, 0x60)
	require.NotEqual(t, pipe.Handle(0x60), h, "the new object must not take what stands for another")
	require.Equal(t, []pipe.Call{bindBlend(0x60)}, p.below(bindBlend(h)))
	require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(0x60)))
	h = p.blend(2, 0x50)
	require.NotEqual(t, pipe.Handle(0x50), h)
	require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(h)))
	require.Empty(t, p.below(deleteBlend(h)))
	require.Empty(t, p.below(deleteBlend(h)), "a handle of the layer's own is none of the driver's business")
}

// TestDedupAddressOfEndedContext: a context ends without deletes, and another
// gets its addresses.
func TestDedupAddressOfEndedContext(t *testing.T) {
	p := newReplayed(t)
	p.blend(1, 0x40)
	p.blend(1, 0x50)
	p.below(&pipe.ContextDestroy{})
	require.Equal(t, pipe.Handle(0x40), p.blend(2, 0x40))
	require.Equal(t, pipe.Handle(0x50), p.blend(2, 0x50))
	require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(0x50)))
	require.Empty(t, p.below(deleteBlend(0x50)))
	require.Equal(t, []pipe.Call{deleteBlend(0x40)}, p.below(deleteBlend(0x40)), "the last")
	require.Empty(t, p.d.(*dedup).objects)
}

// TestDedupDriverCounts: drivers that keep live shaders return one address for
// equal creates, and end it with as many deletes.
func TestDedupDriverCounts(t *testing.T) {
	t.Run("in a trace", func(t *testing.T) {
		p := newReplayed(t)
		require.Equal(t, pipe.Handle(0x40), p.blend(1, 0x40))
		require.Equal(t, pipe.Handle(0x40), p.blend(1, 0x40))
		require.Len(t, p.r.take(), 1)
		require.Empty(t, p.below(deleteBlend(0x40)))
		require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(0x40)))
		require.Equal(t, []pipe.Call{deleteBlend(0x40)}, p.below(deleteBlend(0x40)))
	})
	t.Run("by a notion of equal of its own", func(t *testing.T) {
		p := newReplayed(t)
		for _, n := range []int{1, 1, 2, 2} {
			require.Equal(t, pipe.Handle(0x40), p.blend(n, 0x40))
		}
		require.Len(t, p.r.take(), 2)
		require.Empty(t, p.below(deleteBlend(0x40)))
		require.Empty(t, p.below(deleteBlend(0x40)))
		require.Equal(t, []pipe.Call{bindBlend(0x40)}, p.below(bindBlend(0x40)))
		require.Equal(t, []pipe.Call{deleteBlend(0x40)}, p.below(deleteBlend(0x40)))
		require.Equal(t, []pipe.Call{deleteBlend(0x40)}, p.below(deleteBlend(0x40)))
		require.Empty(t, p.d.(*dedup).objects)
	})
	t.Run("across contexts", func(t *testing.T) {
		r := &recorder{}
		same := pipe.DriverFunc(func(op *pipe.Op) error {
			op.Ret = pipe.Result{Handle: 0x40, Known: true}
			return r.Do(op)
		})
		a := pipe.Context{Driver: Dedup(same), Handle: 2}
		b := a
		b.Handle = 3
		for _, c := range []pipe.Context{a, b, a} {
			require.NotZero(t, create(t, c, creates(1)[0]))
		}
		require.Len(t, r.take(), 2)
		objects := a.Driver.(*dedup).objects
		require.Len(t, objects, 2)
		for id := range objects {
			for objects[id].creates > 0 {
				require.NoError(t, b.Delete(pipe.KindShader, id.handle))
			}
		}
		require.Empty(t, objects)
		shader := &pipe.DeleteState{Kind: pipe.KindShader, State: 0x40}
		require.Equal(t, []pipe.Call{shader, shader}, r.take(), "as many as creates reached it")
	})
}

func TestDedupSharesOnlyWhatItCanCompare(t *testing.T) {
	for name, op := range map[string]pipe.Op{
		"stream output that does not pack": {Raw: &pipe.Raw{StreamOutput: &pipe.StreamOutputNumbers{NumOutputs: 3203391149}}},
		"a number that does not fit":       {Raw: &pipe.Raw{Misfits: []pipe.Misfit{{Path: "state.type"}}}},
		"a cut call":                       {Raw: &pipe.Raw{Cut: true}},
		"a recorded refusal":               {Ret: pipe.Result{Known: true}},
	} {
		t.Run(name, func(t *testing.T) {
			c, r := newTestDedup()
			call := creates(1)[0]
			first := create(t, c, call)
			r.take()
			op.Call, op.Context = call, 2
			require.NoError(t, c.Driver.Do(&op))
			require.Len(t, r.take(), 1)
			if h := op.Ret.Handle; h != 0 {
				require.NotEqual(t, first, h)
				require.NoError(t, c.Delete(pipe.KindShader, h))
				require.Len(t, r.take(), 1)
			}
			plain := pipe.Op{Call: call, Context: 2, Raw: &pipe.Raw{Values: &pipe.Values{}}}
			require.NoError(t, c.Driver.Do(&plain))
			require.Empty(t, r.take(), "values alone are no obstacle")
		})
	}
}

func TestDedupErrorsAndRefusals(t *testing.T) {
	failure := errors.New("device lost")
	r := &recorder{fail: failure}
	c := pipe.Context{Driver: Dedup(r), Handle: 2}
	for _, call := range append(creates(1), &pipe.BindState{}, &pipe.DeleteState{}, &pipe.BindSamplers{}, &pipe.ContextDestroy{}, &pipe.Flush{}) {
		_, err := c.Do(call)
		require.ErrorIs(t, err, failure)
	}
	r.fail = nil
	create(t, c, creates(1)[0])
	require.Len(t, r.take(), 1, "a failed create is not remembered")

	refusals := 0
	c.Driver = Dedup(pipe.DriverFunc(func(op *pipe.Op) error {
		refusals++
		op.Ret.Known = true
		return nil
	}))
	for range 2 {
		ret, err := c.Do(creates(1)[0])
		require.NoError(t, err)
		require.Zero(t, ret.Handle)
	}
	require.Equal(t, 2, refusals, "neither is a refused one")
}

func TestDedupGivesTheCallBack(t *testing.T) {
	c, _ := newTestDedup()
	create(t, c, creates(1)[6])
	h := create(t, c, creates(1)[6])
	samplers := []pipe.Handle{h, 0}
	for _, call := range []pipe.Call{
		&pipe.BindSamplers{Stage: pipe.Fragment, Start: 3, States: samplers},
		&pipe.BindState{Kind: pipe.KindSampler, State: h},
		&pipe.DeleteState{Kind: pipe.KindSampler, State: h},
	} {
		op := pipe.Op{Call: call, Context: c.Handle}
		require.NoError(t, c.Driver.Do(&op))
		require.Same(t, call, op.Call)
	}
	require.Equal(t, []pipe.Handle{h, 0}, samplers)
}

// TestDedupInParallel runs contexts side by side, which delete each other's
// shaders as well.
func TestDedupInParallel(t *testing.T) {
	d := Dedup(&pipe.Null{})
	handles := make(chan pipe.Handle, 64)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			c := pipe.Context{Driver: d, Screen: 1, Handle: pipe.Handle(2 + g)}
			for n := range 500 {
				for _, call := range creates(n % 3) {
					ret, err := c.Do(call)
					kind, _ := pipe.Created(call)
					if err != nil || ret.Handle == 0 || c.Bind(kind, ret.Handle) != nil {
						t.Error("create or bind failed")
					}
					if kind == pipe.KindShader {
						handles <- ret.Handle
						_ = c.Delete(kind, <-handles)
						continue
					}
					_ = c.Delete(kind, ret.Handle)
				}
			}
			_ = c.Destroy()
		})
	}
	wg.Wait()
	require.Empty(t, d.(*dedup).objects)
	require.Empty(t, d.(*dedup).contexts)
}

func TestDedupHitAllocatesNothing(t *testing.T) {
	d := Dedup(&pipe.Null{})
	state := &pipe.CreateShader{State: pipe.ShaderState{Tokens: []byte("VERT"), StreamOutput: outputs(4, 16)}}
	op := pipe.Op{Call: state, Context: 2}
	require.NoError(t, d.Do(&op))
	bind, del := &pipe.BindState{}, &pipe.DeleteState{}
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		op = pipe.Op{Call: state, Context: 2}
		_ = d.Do(&op)
		bind.State, del.State = op.Ret.Handle, op.Ret.Handle
		op = pipe.Op{Call: bind, Context: 2}
		_ = d.Do(&op)
		op = pipe.Op{Call: del, Context: 2}
		_ = d.Do(&op)
	}))
}
