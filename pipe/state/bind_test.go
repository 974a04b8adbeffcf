package state_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

func handlesOf[T any](slots []T, handle func(T) pipe.Handle) []pipe.Handle {
	var list []pipe.Handle
	for _, s := range slots {
		list = append(list, handle(s))
	}
	return list
}

func vertexBuffers(handles ...pipe.Handle) []pipe.VertexBuffer {
	var list []pipe.VertexBuffer
	for _, h := range handles {
		list = append(list, pipe.VertexBuffer{Resource: h})
	}
	return list
}

func TestVertexBuffers(t *testing.T) {
	for _, test := range []struct {
		name  string
		calls []*pipe.SetVertexBuffers
		want  []pipe.Handle
	}{
		{"from slot 0", []*pipe.SetVertexBuffers{{Count: 2, Buffers: vertexBuffers(5, 6)}}, []pipe.Handle{5, 6}},
		{"a slot in between", []*pipe.SetVertexBuffers{{Count: 3, Buffers: vertexBuffers(5, 6, 7)}, {Start: 1, Count: 1, Buffers: vertexBuffers(8)}}, []pipe.Handle{5, 8, 7}},
		{"unbinding behind", []*pipe.SetVertexBuffers{{Count: 3, Buffers: vertexBuffers(5, 6, 7)}, {Count: 1, Buffers: vertexBuffers(8), UnbindTrailing: 1}}, []pipe.Handle{8, 0, 7}},
		{"all slots since Mesa 24", []*pipe.SetVertexBuffers{{Count: 3, Buffers: vertexBuffers(5, 6, 7)}, {All: true, Count: 1, Buffers: vertexBuffers(8)}}, []pipe.Handle{8, 0, 0}},
		{"NULL unbinds the count", []*pipe.SetVertexBuffers{{Count: 3, Buffers: vertexBuffers(5, 6, 7)}, {Start: 1, Count: 2}}, []pipe.Handle{5, 0, 0}},
		{"fewer buffers than the count", []*pipe.SetVertexBuffers{{Count: 3, Buffers: vertexBuffers(5)}}, []pipe.Handle{5, 0, 0}},
		{"a wild number of trailing slots", []*pipe.SetVertexBuffers{{Count: 1, Buffers: vertexBuffers(5)}, {Start: 0, Count: 0, UnbindTrailing: math.MaxUint32}}, []pipe.Handle{0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			for _, call := range test.calls {
				p.do(2, call, 0)
			}
			require.Equal(t, test.want, handlesOf(p.m.Context(2).VertexBuffers, func(b pipe.VertexBuffer) pipe.Handle { return b.Resource }))
		})
	}
}

func TestInputs(t *testing.T) {
	views := func(c *state.Context) []pipe.Handle {
		return handlesOf(c.SamplerViews[pipe.Fragment], func(b state.Binding[state.View]) pipe.Handle { return b.Handle })
	}
	buffers := func(c *state.Context) []pipe.Handle {
		return handlesOf(c.ShaderBuffers[pipe.Vertex], func(b pipe.ShaderBuffer) pipe.Handle { return b.Resource })
	}
	images := func(c *state.Context) []pipe.Handle {
		return handlesOf(c.Images[pipe.Vertex], func(i pipe.ImageView) pipe.Handle { return i.Resource })
	}
	constants := func(c *state.Context) []pipe.Handle {
		return handlesOf(c.ConstantBuffers[pipe.Vertex], func(b pipe.ConstantBuffer) pipe.Handle { return b.Resource })
	}
	samplers := func(c *state.Context) []pipe.Handle { return c.Samplers[pipe.Fragment] }
	two := &pipe.SetShaderBuffers{Buffers: []pipe.ShaderBuffer{{Resource: 5}, {Resource: 6}}, WritableMask: 2}
	twoImages := &pipe.SetShaderImages{Images: []pipe.ImageView{{Resource: 5}, {Resource: 6}}}
	threeViews := &pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 3, Views: []pipe.Handle{5, 6, 7}}
	for _, test := range []struct {
		name  string
		read  func(*state.Context) []pipe.Handle
		calls []pipe.Call
		want  []pipe.Handle
	}{
		{"constant buffers", constants, []pipe.Call{&pipe.SetConstantBuffer{Index: 1, Buffer: &pipe.ConstantBuffer{Resource: 5}}}, []pipe.Handle{0, 5}},
		{"an unbound constant buffer", constants, []pipe.Call{&pipe.SetConstantBuffer{Buffer: &pipe.ConstantBuffer{Resource: 5}}, &pipe.SetConstantBuffer{}}, []pipe.Handle{0}},
		{"a constant buffer behind all slots", constants, []pipe.Call{&pipe.SetConstantBuffer{Index: math.MaxUint32, Buffer: &pipe.ConstantBuffer{Resource: 5}}}, nil},
		{"shader buffers", buffers, []pipe.Call{two}, []pipe.Handle{5, 6}},
		{"unbound shader buffers: how many is not said", buffers, []pipe.Call{two, &pipe.SetShaderBuffers{Start: 1}}, []pipe.Handle{5, 0}},
		{"shader buffers behind all slots", buffers, []pipe.Call{two, &pipe.SetShaderBuffers{Start: math.MaxUint32, Buffers: []pipe.ShaderBuffer{{Resource: 7}}}}, []pipe.Handle{5, 6}},
		{"images", images, []pipe.Call{twoImages}, []pipe.Handle{5, 6}},
		{"images that unbind behind", images, []pipe.Call{twoImages, &pipe.SetShaderImages{Images: []pipe.ImageView{{Resource: 7}}, UnbindTrailing: math.MaxUint32}}, []pipe.Handle{7, 0}},
		{"unbound images", images, []pipe.Call{twoImages, &pipe.SetShaderImages{Start: math.MaxUint32}}, []pipe.Handle{5, 6}},
		{"sampler views", views, []pipe.Call{threeViews}, []pipe.Handle{5, 6, 7}},
		{"sampler views that are NULL", views, []pipe.Call{threeViews, &pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 2}}, []pipe.Handle{0, 0, 7}},
		{"sampler views that unbind behind", views, []pipe.Call{threeViews, &pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 1, Views: []pipe.Handle{8}, UnbindTrailing: 9}}, []pipe.Handle{8, 0, 0}},
		{"samplers", samplers, []pipe.Call{&pipe.BindSamplers{Stage: pipe.Fragment, Start: 1, States: []pipe.Handle{5}}}, []pipe.Handle{0, 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			before := uint64(0)
			for _, call := range test.calls {
				p.do(2, call, 0)
				require.Greater(t, p.m.Context(2).Inputs, before)
				before = p.m.Context(2).Inputs
			}
			require.Equal(t, test.want, test.read(p.m.Context(2)))
		})
	}
}

func TestWritableShaderBuffers(t *testing.T) {
	p := newTape()
	four := make([]pipe.ShaderBuffer, 4)
	p.do(2, &pipe.SetShaderBuffers{Buffers: four, WritableMask: 0b1111}, 0)
	p.do(2, &pipe.SetShaderBuffers{Start: 1, Buffers: four[:2], WritableMask: 0b101}, 0)
	require.Equal(t, uint64(0b1011), p.m.Context(2).ShaderBuffersWritable[pipe.Vertex], "the mask counts from start, and only as far as the buffers")
}

func TestTargetSlots(t *testing.T) {
	const appends = pipe.AppendOffset
	type slot struct {
		handle pipe.Handle
		known  bool // the object
		offset uint32
	}
	for _, test := range []struct {
		name string
		set  pipe.SetStreamOutputTargets
		num  int
		want [4]slot
	}{
		{"two of four", pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0xa, 0xb}, Offsets: []uint32{0, appends}}, 2,
			[4]slot{{0xa, true, 0}, {0xb, true, appends}, {0, false, appends}, {0, false, appends}}},
		{"a hole", pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0, 0xb}, Offsets: []uint32{0, 0}}, 2,
			[4]slot{{0, false, 0}, {0xb, true, 0}, {0, false, appends}, {0, false, appends}}},
		{"a target that nobody created", pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xff}, Offsets: []uint32{0}}, 1,
			[4]slot{{0xff, false, 0}, {0, false, appends}, {0, false, appends}, {0, false, appends}}},
		{"a wild count", pipe.SetStreamOutputTargets{NumTargets: 3203391149, Targets: []pipe.Handle{0xa}, Offsets: []uint32{0}}, 4,
			[4]slot{{0xa, true, 0}, {0, false, appends}, {0, false, appends}, {0, false, appends}}},
		{"more targets than the count", pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa, 0xb}, Offsets: []uint32{0, 0}}, 1,
			[4]slot{{0xa, true, 0}, {0, false, appends}, {0, false, appends}, {0, false, appends}}},
		{"more than slots", pipe.SetStreamOutputTargets{NumTargets: 5, Targets: []pipe.Handle{0, 0, 0, 0xa, 0xb}, Offsets: make([]uint32, 5)}, 4,
			[4]slot{{0, false, 0}, {0, false, 0}, {0, false, 0}, {0xa, true, 0}}},
		{"without offsets", pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa}}, 1,
			[4]slot{{0xa, true, appends}, {0, false, appends}, {0, false, appends}, {0, false, appends}}},
		{"nothing", pipe.SetStreamOutputTargets{}, 0, [4]slot{{0, false, appends}, {0, false, appends}, {0, false, appends}, {0, false, appends}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			p.do(2, target(9), 0xa)
			p.do(2, target(9), 0xb)
			p.do(2, &pipe.SetStreamOutputTargets{NumTargets: 4, Targets: []pipe.Handle{0xb, 0xa, 0xb, 0xa}, Offsets: make([]uint32, 4)}, 0)
			p.do(2, &test.set, 0)
			c := p.m.Context(2)
			require.Equal(t, test.num, c.NumTargets)
			for i, want := range test.want {
				got := c.Targets[i]
				require.Equal(t, want, slot{got.Handle, got.Object != nil, got.Offset}, "slot %d", i)
			}
		})
	}
}

func TestOtherSets(t *testing.T) {
	p := newTape()
	p.do(2, &pipe.SetPatchVertices{Vertices: 3}, 0)
	p.do(2, &pipe.SetTessState{Outer: [4]float32{1, 2, 3, 4}, Inner: [2]float32{5, 6}}, 0)
	p.do(2, &pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 7}}, 0)
	p.do(2, &pipe.SetViewports{Start: 1, Count: 1, Viewports: make([]pipe.Viewport, 1)}, 0)
	p.do(2, &pipe.SetScissors{Start: math.MaxUint32, Count: 1, Scissors: make([]pipe.Scissor, 1)}, 0)
	p.do(2, &pipe.SetStencilRef{Ref: [2]uint8{8, 9}}, 0)
	p.do(2, &pipe.SetSampleMask{Mask: 10}, 0)
	p.do(2, &pipe.SetMinSamples{Samples: 11}, 0)
	p.do(2, &pipe.SetBlendColor{Color: [4]float32{12}}, 0)
	p.do(2, &pipe.Other{Class: pipe.ClassContext, Method: "set_clip_state"}, 0)
	p.do(2, &pipe.Other{Class: pipe.ClassContext, Method: "resource_release"}, 0)
	c := p.m.Context(2)
	require.EqualValues(t, 3, c.PatchVertices)
	require.Equal(t, [4]float32{1, 2, 3, 4}, c.TessOuter)
	require.EqualValues(t, 7, c.Framebuffer.Width)
	require.Len(t, c.Viewports, 2)
	require.Empty(t, c.Scissors)
	require.Equal(t, [2]uint8{8, 9}, c.StencilRef)
	require.EqualValues(t, 10, c.SampleMask)
	require.EqualValues(t, 11, c.MinSamples)
	require.Equal(t, [4]float32{12}, c.BlendColor)
	require.Contains(t, c.Rest, "set_clip_state")
	require.NotContains(t, c.Rest, "resource_release")
}

func TestBoundStates(t *testing.T) {
	p := newTape()
	p.do(2, &pipe.CreateRasterizer{State: pipe.RasterizerState{RasterizerDiscard: true}}, 0xa)
	p.do(2, &pipe.BindState{Kind: pipe.KindRasterizer, State: 0xa}, 0)
	c := p.m.Context(2)
	require.True(t, c.RasterizerState().RasterizerDiscard)
	p.do(2, &pipe.BindState{Kind: pipe.KindRasterizer, Inline: &pipe.RasterizerState{LightTwoside: true}}, 0)
	require.True(t, c.RasterizerState().LightTwoside, "a late trace holds the state itself")
	p.do(2, &pipe.BindState{Kind: pipe.KindRasterizer, State: 0xdead}, 0)
	require.Nil(t, c.RasterizerState())
	require.Equal(t, pipe.Handle(0xdead), c.Rasterizer.Handle)
	p.do(2, &pipe.BindState{Kind: pipe.KindDepthStencilAlpha, State: 0xdead}, 0)
	require.Nil(t, c.DepthStencilState())
	require.Nil(t, c.Elements())
	_, ok := c.ElementStride(0)
	require.False(t, ok)
}

// TestBindingAllocatesNothing holds that calls which programs make for each draw
// cost no memory once they were made.
func TestBindingAllocatesNothing(t *testing.T) {
	p := newTape()
	p.do(2, target(9), 20)
	p.do(2, &pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted}, 21)
	for _, call := range []pipe.Call{
		&pipe.SetVertexBuffers{Count: 2, Buffers: vertexBuffers(5, 6)},
		&pipe.SetConstantBuffer{Stage: pipe.Vertex, Index: 1, Buffer: &pipe.ConstantBuffer{Resource: 5}},
		&pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 2, Views: []pipe.Handle{7, 8}},
		&pipe.BindSamplers{Stage: pipe.Fragment, States: []pipe.Handle{7, 8}},
		&pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{20}, Offsets: []uint32{0}},
		&pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: 11},
		&pipe.BeginQuery{Query: 21},
		&pipe.Draw{Info: pipe.DrawInfo{InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 3}}, NumDraws: 1},
		&pipe.EndQuery{Query: 21},
		&pipe.Map{Resource: 9, Transfer: 22},
		&pipe.Unmap{Transfer: 22},
	} {
		op := pipe.Op{Call: call, Context: 2, No: 99}
		pair := pipe.Op{Call: &pipe.Unmap{Transfer: 22}, Context: 2, No: 100}
		require.Zero(t, testing.AllocsPerRun(20, func() {
			p.m.Before(&op)
			p.m.Apply(&op)
			p.m.Apply(&pair)
		}), "%T", call)
	}
}
