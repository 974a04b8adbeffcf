package pipe

import (
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// keeper is a driver that keeps a copy of the last operation and returns what
// it was told to.
type keeper struct {
	op  Op
	ret Result
	err error
}

func (k *keeper) Do(op *Op) error {
	op.Ret = k.ret
	k.op = *op
	return k.err
}

func TestNewContext(t *testing.T) {
	var ops []Op
	d := DriverFunc(func(op *Op) error {
		op.Ret.Handle = Handle(len(ops) + 1)
		ops = append(ops, *op)
		return nil
	})
	c, err := NewContext(d)
	require.NoError(t, err)
	require.Equal(t, []Op{
		{Call: &ScreenCreate{}, Ret: Result{Handle: 1}},
		{Call: &ContextCreate{}, Screen: 1, Ret: Result{Handle: 2}},
	}, ops)
	require.Equal(t, Handle(1), c.Screen)
	require.Equal(t, Handle(2), c.Handle)
}

func TestNewContextFails(t *testing.T) {
	failure := errors.New("out of screens")
	for fail := range 2 {
		n := 0
		_, err := NewContext(DriverFunc(func(*Op) error {
			n++
			if n-1 == fail {
				return failure
			}
			return nil
		}))
		require.ErrorIs(t, err, failure)
	}
}

// contextCases calls each method of Context and says what it must send.
func contextCases() map[string]struct {
	do   func(Context) (any, error)
	want Call
} {
	type result = struct {
		do   func(Context) (any, error)
		want Call
	}
	send := func(f func(Context) error, want Call) result {
		return result{func(c Context) (any, error) { return nil, f(c) }, want}
	}
	create := func(f func(Context) (Handle, error), want Call) result {
		return result{func(c Context) (any, error) { return f(c) }, want}
	}
	shader := &ShaderState{Tokens: []byte("GEOM"), StreamOutput: StreamOutputInfo{NumOutputs: 1}}
	sampler := &SamplerState{MaxLod: 3}
	clear := &Clear{Buffers: 4}
	buffer := &ConstantBuffer{Resource: 3, Size: 16}
	return map[string]result{
		"Do": {func(c Context) (any, error) { r, err := c.Do(&MemoryBarrier{Flags: 1}); return r.Handle, err }, &MemoryBarrier{Flags: 1}},
		"CreateResource": create(func(c Context) (Handle, error) {
			return c.CreateResource(&ResourceTemplate{Target: Texture2D, Width: 9})
		}, &ResourceCreate{Template: ResourceTemplate{Target: Texture2D, Width: 9}}),
		"CreateBuffer": create(func(c Context) (Handle, error) { return c.CreateBuffer(96, BindStreamOutput) },
			&ResourceCreate{Template: ResourceTemplate{Target: Buffer, Format: "PIPE_FORMAT_R8_UNORM", Width: 96, Height: 1, Depth: 1, ArraySize: 1, Bind: 1 << 10}}),
		"CreateShader": create(func(c Context) (Handle, error) { return c.CreateShader(Geometry, shader) },
			&CreateShader{Stage: Geometry, State: *shader}),
		"CreateRasterizer": create(func(c Context) (Handle, error) { return c.CreateRasterizer(&RasterizerState{RasterizerDiscard: true}) },
			&CreateRasterizer{State: RasterizerState{RasterizerDiscard: true}}),
		"CreateDepthStencilAlpha": create(func(c Context) (Handle, error) {
			return c.CreateDepthStencilAlpha(&DepthStencilAlphaState{DepthEnabled: true})
		}, &CreateDepthStencilAlpha{State: DepthStencilAlphaState{DepthEnabled: true}}),
		"CreateBlend":   create(func(c Context) (Handle, error) { return c.CreateBlend(&BlendState{Dither: true}) }, &CreateBlend{State: BlendState{Dither: true}}),
		"CreateSampler": create(func(c Context) (Handle, error) { return c.CreateSampler(sampler) }, &CreateSampler{State: *sampler}),
		"CreateVertexElements": create(func(c Context) (Handle, error) { return c.CreateVertexElements(VertexElement{SrcOffset: 4}) },
			&CreateVertexElements{Elements: []VertexElement{{SrcOffset: 4}}}),
		"Bind":         send(func(c Context) error { return c.Bind(KindBlend, 5) }, &BindState{Kind: KindBlend, State: 5}),
		"BindShader":   send(func(c Context) error { return c.BindShader(TessEval, 5) }, &BindState{Kind: ShaderKind(TessEval), State: 5}),
		"Delete":       send(func(c Context) error { return c.Delete(KindRasterizer, 5) }, &DeleteState{Kind: KindRasterizer, State: 5}),
		"DeleteShader": send(func(c Context) error { return c.DeleteShader(Vertex, 5) }, &DeleteState{Kind: KindShader, State: 5}),
		"CreateStreamOutputTarget": create(func(c Context) (Handle, error) { return c.CreateStreamOutputTarget(3, 16, 64) },
			&CreateStreamOutputTarget{Resource: 3, BufferOffset: 16, BufferSize: 64}),
		"DestroyStreamOutputTarget": send(func(c Context) error { return c.DestroyStreamOutputTarget(5) }, &DestroyStreamOutputTarget{Target: 5}),
		"SetStreamOutputTargets": send(func(c Context) error {
			return c.SetStreamOutputTargets([]Handle{5, 0}, []uint32{0, AppendOffset})
		}, &SetStreamOutputTargets{NumTargets: 2, Targets: []Handle{5, 0}, Offsets: []uint32{0, 0xffffffff}, OutputPrim: PrimitiveUnknown}),
		"SetVertexBuffers": send(func(c Context) error { return c.SetVertexBuffers(VertexBuffer{Resource: 3}) },
			&SetVertexBuffers{All: true, Count: 1, Buffers: []VertexBuffer{{Resource: 3}}}),
		"SetConstantBuffer": send(func(c Context) error { return c.SetConstantBuffer(Fragment, 2, buffer) },
			&SetConstantBuffer{Stage: Fragment, Index: 2, Buffer: buffer}),
		"SetFramebuffer":   send(func(c Context) error { return c.SetFramebuffer(&FramebufferState{Width: 8}) }, &SetFramebuffer{State: FramebufferState{Width: 8}}),
		"SetPatchVertices": send(func(c Context) error { return c.SetPatchVertices(3) }, &SetPatchVertices{Vertices: 3}),
		"Draw": send(func(c Context) error {
			return c.Draw(&DrawInfo{Mode: Triangles, InstanceCount: 1}, DrawRange{Count: 3}, DrawRange{Start: 3, Count: 6})
		}, &Draw{Info: DrawInfo{Mode: Triangles, InstanceCount: 1}, Draws: []DrawRange{{Count: 3}, {Start: 3, Count: 6}}, NumDraws: 2}),
		"DrawAuto": send(func(c Context) error { return c.DrawAuto(Points, 2, 5) },
			&Draw{Info: DrawInfo{Mode: Points, InstanceCount: 2, MaxIndex: 0xffffffff},
				Indirect: &DrawIndirect{CountFromStreamOutput: 5}, Draws: []DrawRange{{}}, NumDraws: 1}),
		"Clear":        send(func(c Context) error { return c.Clear(clear) }, clear),
		"CreateQuery":  create(func(c Context) (Handle, error) { return c.CreateQuery(QueryStreamOutputOverflow, 2) }, &CreateQuery{Type: QueryStreamOutputOverflow, Index: 2}),
		"BeginQuery":   send(func(c Context) error { return c.BeginQuery(5) }, &BeginQuery{Query: 5}),
		"EndQuery":     send(func(c Context) error { return c.EndQuery(5) }, &EndQuery{Query: 5}),
		"QueryResult":  {func(c Context) (any, error) { return c.QueryResult(5, true) }, &GetQueryResult{Query: 5, Wait: true}},
		"DestroyQuery": send(func(c Context) error { return c.DestroyQuery(5) }, &DestroyQuery{Query: 5}),
		"BufferSubdata": send(func(c Context) error { return c.BufferSubdata(3, 16, []byte{1, 2}) },
			&BufferSubdata{Resource: 3, Usage: MapWrite, Offset: 16, Size: 2, Data: BytesBlob([]byte{1, 2})}),
		"Flush":   send(func(c Context) error { return c.Flush(1) }, &Flush{Flags: 1}),
		"Destroy": send(func(c Context) error { return c.Destroy() }, &ContextDestroy{}),
	}
}

func TestContextSendsTheCall(t *testing.T) {
	cases := contextCases()
	methods := reflect.TypeFor[Context]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		t.Run(name, func(t *testing.T) {
			tc, ok := cases[name]
			require.True(t, ok, "the method has no case")
			k := &keeper{ret: Result{Handle: 42, Query: QueryValue{Known: true, Value: 7}, Known: true}}
			got, err := tc.do(Context{Driver: k, Screen: 1, Handle: 2})
			require.NoError(t, err)
			require.Equal(t, tc.want, k.op.Call)
			require.Equal(t, Handle(1), k.op.Screen)
			class, _ := tc.want.Name()
			require.Equal(t, class == ClassContext, k.op.Context == 2, "the context is given to its own calls only")
			switch got := got.(type) {
			case Handle:
				require.Equal(t, Handle(42), got)
			case QueryValue:
				require.Equal(t, QueryValue{Known: true, Value: 7}, got)
			}

			k.err = errors.New("lost device")
			_, err = tc.do(Context{Driver: k})
			require.ErrorIs(t, err, k.err)
		})
	}
}

func TestContextReturnsNULLOfARefusedCreate(t *testing.T) {
	h, err := Context{Driver: &keeper{ret: Result{Known: true}}}.CreateQuery(QueryTimestamp, 0)
	require.NoError(t, err)
	require.Zero(t, h)
}
