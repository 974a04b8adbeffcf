package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// tape applies operations as a trace numbers them.
type tape struct {
	m  *state.Machine
	no uint64
}

func newTape() *tape { return &tape{m: state.New()} }

// do applies a call of a context, or of the screen for 0, that returned ret.
func (p *tape) do(context pipe.Handle, call pipe.Call, ret pipe.Handle) {
	p.no++
	op := &pipe.Op{Call: call, Screen: 1, Context: context, No: p.no, Ret: pipe.Result{Handle: ret, Known: true}}
	p.m.Before(op)
	p.m.Apply(op)
	if _, ok := call.(*pipe.NewWorld); ok {
		p.no = 0 // a new header counts anew
	}
}

func target(resource pipe.Handle) *pipe.CreateStreamOutputTarget {
	return &pipe.CreateStreamOutputTarget{Resource: resource, BufferOffset: 16, BufferSize: 64}
}

// life is what a test says of an object.
type life struct {
	dead, replaced bool
	creates        int
	ordinal        int
	created, ended uint64
}

func lifeOf(o *state.Object) life {
	return life{o.Dead, o.Replaced, o.Creates, o.Ordinal, o.Created.No, o.Ended.No}
}

func TestTargetLives(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(p *tape)
		want life
	}{
		{"alive", func(p *tape) { p.do(2, target(9), 0xa) }, life{creates: 1, ordinal: 1, created: 1}},
		{"destroyed", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(2, &pipe.DestroyStreamOutputTarget{Target: 0xa}, 0)
		}, life{dead: true, ordinal: 1, created: 1, ended: 2}},
		{"destroyed twice keeps the first end", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(2, &pipe.DestroyStreamOutputTarget{Target: 0xa}, 0)
			p.do(2, &pipe.DestroyStreamOutputTarget{Target: 0xa}, 0)
		}, life{dead: true, creates: -1, ordinal: 1, created: 1, ended: 2}},
		{"an address that comes back is the second target", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(2, target(9), 0xa)
		}, life{creates: 1, ordinal: 2, created: 2}},
		{"a destroy of another address changes nothing", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(2, &pipe.DestroyStreamOutputTarget{Target: 0xb}, 0)
		}, life{creates: 1, ordinal: 1, created: 1}},
		{"the end of its context is its end", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(2, &pipe.ContextDestroy{}, 0)
		}, life{dead: true, creates: 1, ordinal: 1, created: 1, ended: 2}},
		{"the end of another context is not", func(p *tape) {
			p.do(2, target(9), 0xa)
			p.do(3, &pipe.ContextDestroy{}, 0)
		}, life{creates: 1, ordinal: 1, created: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			test.run(p)
			got := p.m.Target(0xa)
			require.NotNil(t, got)
			require.Equal(t, test.want, lifeOf(&got.Object))
		})
	}
}

func TestRefusedCreatesMakeNothing(t *testing.T) {
	p := newTape()
	for _, create := range []pipe.Call{target(9), vertexShader(), &pipe.CreateQuery{}, &pipe.ResourceCreate{},
		&pipe.CreateRasterizer{}, &pipe.CreateVertexElements{}, &pipe.CreateSamplerView{}, &pipe.CreateSurface{}} {
		p.do(2, create, 0)
	}
	require.Nil(t, p.m.Target(0))
	require.Nil(t, p.m.Shader(pipe.Vertex, 0))
	require.Nil(t, p.m.Query(0))
	require.Nil(t, p.m.Resource(0))
	require.Nil(t, p.m.CSO(pipe.KindRasterizer, 0))
	require.Nil(t, p.m.SamplerView(0))
	require.Nil(t, p.m.Surface(0))
}

func TestReplacedObjectsStayBound(t *testing.T) {
	p := newTape()
	p.do(2, target(9), 0xa)
	first := p.m.Target(0xa)
	p.do(2, &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0xa}, Offsets: []uint32{0}}, 0)
	p.do(2, target(9), 0xa)
	require.Same(t, first, p.m.Context(2).Targets[0].Object, "the binding means the older one")
	require.NotSame(t, first, p.m.Target(0xa))
	require.Equal(t, life{dead: true, replaced: true, creates: 1, ordinal: 1, created: 1, ended: 3}, lifeOf(&first.Object))
	require.Less(t, first.Serial, p.m.Target(0xa).Serial)
	p.do(0, &pipe.NewWorld{}, 0)
	require.Zero(t, p.m.Contexts())
}

// shaderOf is a vertex shader with a text and a stream output that captures num
// components of register 0.
func shaderOf(text string, num uint64) *pipe.CreateShader {
	c := &pipe.CreateShader{Stage: pipe.Vertex}
	c.State.Tokens = []byte(text)
	n := pipe.StreamOutputNumbers{NumOutputs: 1, Stride: []uint64{4, 0, 0, 0}, Output: []pipe.OutputNumbers{{NumComponents: num}}}
	n.Pack(&c.State.StreamOutput)
	return c
}

func TestCountedShaders(t *testing.T) {
	remove := &pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Vertex), State: 0xa}
	for _, test := range []struct {
		name  string
		calls []pipe.Call
		want  life
	}{
		{"an equal create counts", []pipe.Call{shaderOf("VERT", 4), shaderOf("VERT", 4)}, life{creates: 2, ordinal: 1, created: 1}},
		{"and needs as many deletes", []pipe.Call{shaderOf("VERT", 4), shaderOf("VERT", 4), remove}, life{creates: 1, ordinal: 1, created: 1}},
		{"the last delete ends it", []pipe.Call{shaderOf("VERT", 4), shaderOf("VERT", 4), remove, remove}, life{dead: true, ordinal: 1, created: 1, ended: 4}},
		{"another stream output is another shader", []pipe.Call{shaderOf("VERT", 4), shaderOf("VERT", 3)}, life{creates: 1, ordinal: 2, created: 2}},
		{"another text is another shader", []pipe.Call{shaderOf("VERT", 4), shaderOf("VERT2", 4)}, life{creates: 1, ordinal: 2, created: 2}},
		{"an equal create after the end is another", []pipe.Call{shaderOf("VERT", 4), remove, shaderOf("VERT", 4)}, life{creates: 1, ordinal: 2, created: 3}},
		{"a delete of another kind is not its own", []pipe.Call{shaderOf("VERT", 4), &pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Geometry), State: 0xa}}, life{creates: 1, ordinal: 1, created: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			for _, call := range test.calls {
				p.do(2, call, 0xa)
			}
			require.Equal(t, test.want, lifeOf(&p.m.Shader(pipe.Vertex, 0xa).Object))
		})
	}
}

func TestCountedStates(t *testing.T) {
	p := newTape()
	p.do(2, &pipe.CreateRasterizer{State: pipe.RasterizerState{RasterizerDiscard: true}}, 0xa)
	p.do(2, &pipe.CreateRasterizer{State: pipe.RasterizerState{RasterizerDiscard: true}}, 0xa)
	require.Equal(t, 2, p.m.CSO(pipe.KindRasterizer, 0xa).Creates)
	p.do(2, &pipe.CreateRasterizer{}, 0xa)
	require.Equal(t, 1, p.m.CSO(pipe.KindRasterizer, 0xa).Creates)
	p.do(2, &pipe.DeleteState{Kind: pipe.KindRasterizer, State: 0xa}, 0)
	require.True(t, p.m.CSO(pipe.KindRasterizer, 0xa).Dead)
}

func TestStatesAreCopied(t *testing.T) {
	p := newTape()
	elements := []pipe.VertexElement{{SrcStride: 16, HasSrcStride: true}}
	buffers := []pipe.VertexBuffer{{Resource: 5}}
	p.do(2, &pipe.CreateVertexElements{Elements: elements}, 0xa)
	p.do(2, &pipe.BindState{Kind: pipe.KindVertexElements, State: 0xa}, 0)
	p.do(2, &pipe.SetVertexBuffers{All: true, Count: 1, Buffers: buffers}, 0)
	elements[0].SrcStride, buffers[0].Resource = 99, 99
	c := p.m.Context(2)
	stride, ok := c.ElementStride(0)
	require.True(t, ok)
	require.EqualValues(t, 16, stride)
	require.Equal(t, pipe.Handle(5), c.VertexBuffers[0].Resource)
}

func TestWorlds(t *testing.T) {
	for _, test := range []struct {
		name  string
		again pipe.Call
		ret   pipe.Handle
		want  int
	}{
		{"a header begins a world", &pipe.NewWorld{}, 0, 2},
		{"a screen at a live screen's address begins one", &pipe.ScreenCreate{}, 0x5, 2},
		{"a second screen does not", &pipe.ScreenCreate{}, 0x6, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			p.do(0, &pipe.ScreenCreate{}, 0x5)
			p.do(2, target(9), 0xa)
			p.do(0, test.again, test.ret)
			require.Equal(t, test.want, p.m.World)
			require.Equal(t, test.want == 1, p.m.Target(0xa) != nil)
			require.Equal(t, test.want == 1, p.m.Context(2) != nil)
		})
	}
	t.Run("a destroyed screen's address is free", func(t *testing.T) {
		p := newTape()
		p.do(0, &pipe.ScreenCreate{}, 0x1)
		p.do(0, &pipe.ScreenDestroy{}, 0)
		p.do(0, &pipe.ScreenCreate{}, 0x1)
		require.Equal(t, 1, p.m.World)
	})
}

func TestContextsOnFirstSight(t *testing.T) {
	p := newTape()
	p.do(0, &pipe.ScreenCreate{}, 0x1)
	require.Nil(t, p.m.Context(2))
	require.Nil(t, p.m.Before(&pipe.Op{Call: &pipe.GetName{}}), "an operation of the screen has none")
	p.do(2, &pipe.Flush{}, 0)
	first := p.m.Context(2)
	require.NotNil(t, first, "no create is needed: below a threaded context it names another")
	require.True(t, first.Whole)
	p.do(3, &pipe.Flush{}, 0)
	require.Equal(t, 2, p.m.Contexts())
	p.do(2, &pipe.ContextDestroy{}, 0)
	require.Nil(t, p.m.Context(2))
	require.True(t, first.Dead)
	var open []pipe.Handle
	for c := range p.m.OpenContexts {
		open = append(open, c.Handle)
	}
	require.Equal(t, []pipe.Handle{3}, open)
	p.do(2, &pipe.Flush{}, 0)
	require.NotSame(t, first, p.m.Context(2))
	require.Equal(t, 3, p.m.Contexts(), "the destroyed one counts")
	require.Less(t, first.Serial, p.m.Context(2).Serial)
}

// A trace that began late has contexts of which only what was set is known.
func TestPartialKnowledge(t *testing.T) {
	for _, test := range []struct {
		name  string
		first pipe.Op
		whole bool
	}{
		{"a trace from its first call", pipe.Op{Call: &pipe.Flush{}, Context: 2, No: 1}, true},
		{"a trace whose first call makes the screen", pipe.Op{Call: &pipe.ScreenCreate{}, No: 7, Ret: pipe.Result{Handle: 1}}, true},
		{"a live stack", pipe.Op{Call: &pipe.Flush{}, Context: 2}, true},
		{"a trace that a trigger began", pipe.Op{Call: &pipe.Flush{}, Context: 2, No: 1234}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := state.New()
			m.Before(&test.first)
			m.Apply(&test.first)
			require.Equal(t, test.whole, m.WholeWorld)
			c := m.Before(&pipe.Op{Call: &pipe.Flush{}, Context: 2, No: 2000})
			require.Equal(t, test.whole, c.Whole)
			s, known := c.LastVertexStage()
			require.Nil(t, s)
			require.Equal(t, test.whole, known)
		})
	}
}

func TestLastVertexStage(t *testing.T) {
	bind := func(stage pipe.Stage, h pipe.Handle) *pipe.BindState {
		return &pipe.BindState{Kind: pipe.ShaderKind(stage), State: h}
	}
	create := func(stage pipe.Stage) *pipe.CreateShader { return &pipe.CreateShader{Stage: stage} }
	for _, test := range []struct {
		name  string
		late  bool // the trace began late
		calls []pipe.Call
		want  pipe.Handle
		known bool
	}{
		{"nothing bound", false, nil, 0, true},
		{"a vertex shader", false, []pipe.Call{bind(pipe.Vertex, 0x100)}, 0x100, true},
		{"tessellation", false, []pipe.Call{bind(pipe.Vertex, 0x100), bind(pipe.TessEval, 0x101)}, 0x101, true},
		{"a geometry shader", false, []pipe.Call{bind(pipe.Geometry, 0x102), bind(pipe.Vertex, 0x100), bind(pipe.TessEval, 0x101)}, 0x102, true},
		{"a geometry shader that was unbound", false, []pipe.Call{bind(pipe.Geometry, 0x102), bind(pipe.Vertex, 0x100), bind(pipe.Geometry, 0)}, 0x100, true},
		{"a geometry shader that nobody created", false, []pipe.Call{bind(pipe.Geometry, 0x999), bind(pipe.Vertex, 0x100)}, 0, false},
		{"late, a vertex shader: the stages behind are not known", true, []pipe.Call{bind(pipe.Vertex, 0x100)}, 0, false},
		{"late, a geometry shader", true, []pipe.Call{bind(pipe.Geometry, 0x102)}, 0x102, true},
		{"a vertex shader that nobody created", false, []pipe.Call{bind(pipe.Vertex, 0x999)}, 0, false},
		{"late, the stage between is not known", true, []pipe.Call{bind(pipe.Geometry, 0), bind(pipe.Vertex, 0x100)}, 0, false},
		{"late, the vertex shader is not known", true, []pipe.Call{bind(pipe.Geometry, 0), bind(pipe.TessEval, 0)}, 0, false},
		{"late, all said", true, []pipe.Call{bind(pipe.Geometry, 0), bind(pipe.TessEval, 0), bind(pipe.Vertex, 0x100)}, 0x100, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newTape()
			if test.late {
				p.no = 500
			}
			for i, stage := range []pipe.Stage{pipe.Vertex, pipe.TessEval, pipe.Geometry} {
				p.do(2, create(stage), pipe.Handle(0x100+i))
			}
			for _, call := range test.calls {
				p.do(2, call, 0)
			}
			s, known := p.m.Context(2).LastVertexStage()
			require.Equal(t, test.known, known)
			if test.want == 0 {
				require.Nil(t, s)
				return
			}
			require.Equal(t, test.want, s.Handle)
		})
	}
}

func TestScreenFacts(t *testing.T) {
	p := newTape()
	op := &pipe.Op{Call: &pipe.GetName{}, No: 1, Ret: pipe.Result{Text: "softpipe"}}
	p.m.Apply(op)
	p.m.Apply(&pipe.Op{Call: &pipe.GetParam{Param: "PIPE_CAP_MAX_VERTEX_STREAMS"}, Ret: pipe.Result{Value: 4}})
	require.Equal(t, "softpipe", p.m.DriverName)
	require.Equal(t, pipe.KnownCap(4), p.m.Caps.VertexStreams)
	require.False(t, p.m.Caps.Buffers.Known)
	p.do(0, &pipe.NewWorld{}, 0)
	require.Empty(t, p.m.DriverName)
	require.False(t, p.m.Caps.VertexStreams.Known)
}
