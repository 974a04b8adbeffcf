package streamout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// premiseTest sends operations and says what holds of each.
type premiseTest struct {
	t       *testing.T
	c       pipe.Context
	profile bool
	held    *Premise // of the last operation that asked
}

func (p *premiseTest) send(context pipe.Handle, call pipe.Call) pipe.Handle {
	op := &pipe.Op{Call: call, Screen: p.c.Screen, Context: context}
	require.NoError(p.t, p.c.Driver.Do(op))
	return op.Ret.Handle
}

// holds sends a call and wants just these premises of it.
func (p *premiseTest) holds(want Premise, call pipe.Call) {
	p.t.Helper()
	*p.held = 1 << 31
	p.send(p.c.Handle, call)
	if p.profile {
		want |= IfProfile
	}
	want |= granted(call)
	require.Equal(p.t, want, *p.held, "%b and %b", want, *p.held)
}

// granted are the premises that are not about the call.
func granted(call pipe.Call) Premise {
	not := IfProfile | IfCapturing
	both := IfAppends | IfSeeks | IfDead | IfSeveral
	switch call.(type) {
	case *pipe.BindState:
		not |= IfContexts
	case *pipe.SetStreamOutputTargets:
		not |= both | IfMiscounted | IfHole | IfSameResource | IfQueries | IfContexts
	case *pipe.Draw, *pipe.DrawVertexState:
		not |= both | IfExact | IfTight | IfTail | IfUnmatched | IfNothing | IfNoTarget | IfNoOutputs | IfFirst | IfNotFirst |
			IfNoVertexShader | IfLaterStage | IfPatches | IfAdjacency | IfQuads | IfIndexed | IfIndirect | IfSeveralDraws
	case *pipe.BeginQuery, *pipe.EndQuery, *pipe.DestroyQuery:
		not |= IfEnds
	}
	return (premisesEnd - 1) &^ not
}

func (p *premiseTest) shader(stage pipe.Stage, outputs int) pipe.Handle {
	info, err := pipe.NewStreamOutputInfo([pipe.MaxStreamOutputBuffers]uint16{4}, make([]pipe.StreamOutput, outputs)...)
	require.NoError(p.t, err)
	return p.send(p.c.Handle, &pipe.CreateShader{Stage: stage, State: pipe.ShaderState{StreamOutput: info}})
}

func (p *premiseTest) target(resource pipe.Handle) pipe.Handle {
	return p.send(p.c.Handle, &pipe.CreateStreamOutputTarget{Resource: resource, BufferSize: 64})
}

func bind(stage pipe.Stage, h pipe.Handle) *pipe.BindState {
	return &pipe.BindState{Kind: pipe.ShaderKind(stage), State: h}
}

func set(offset uint32, targets ...pipe.Handle) *pipe.SetStreamOutputTargets {
	offsets := make([]uint32, len(targets))
	for i := range offsets {
		offsets[i] = offset
	}
	return &pipe.SetStreamOutputTargets{NumTargets: uint32(len(targets)), Targets: targets, Offsets: offsets}
}

func points() *pipe.Draw { return drawOf(pipe.Points, 1) }

func drawOf(mode pipe.PrimitiveType, vertices uint32) *pipe.Draw {
	return &pipe.Draw{Info: pipe.DrawInfo{Mode: mode, InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: vertices}}, NumDraws: 1}
}

func TestPremises(t *testing.T) {
	iris, ok := pipe.ProfileByName("iris")
	require.True(t, ok)
	for _, profile := range []*pipe.Profile{nil, &iris} {
		held := Premise(0)
		probe := &Rule{ID: "probe", Severity: Note, On: OnDraw | OnSetTargets | OnBindShader | OnQuery, Check: func(v *View) { held = v.prepare() }}
		run(t, Options{Rules: []*Rule{probe}, Profile: profile}, func(c pipe.Context) {
			premises(&premiseTest{t, c, profile != nil, &held})
		})
	}
}

func premises(p *premiseTest) {
	vs, none, gs := p.shader(pipe.Vertex, 1), p.shader(pipe.Vertex, 0), p.shader(pipe.Geometry, 1)
	a, b, sameAsA := p.target(1), p.target(2), p.target(1)

	p.holds(IfNoTarget|IfFirst|IfNoVertexShader, points())
	p.holds(0, bind(pipe.Vertex, none))
	p.holds(IfNoTarget|IfFirst, points())
	p.holds(0, set(0, a))
	p.holds(IfNoOutputs|IfFirst, points())
	p.holds(0, bind(pipe.Vertex, vs))
	capture := IfCapturing | IfExact | IfTail
	p.holds(capture|IfFirst, points())
	p.holds(capture|IfNotFirst, points())

	d := points()
	d.Info.IndexSize = 2
	p.holds(capture|IfNotFirst|IfIndexed, d)
	d = points()
	d.Indirect = &pipe.DrawIndirect{}
	p.holds(capture|IfNotFirst|IfIndirect, d)
	d = points()
	d.NumDraws = 2
	p.holds(capture|IfNotFirst|IfSeveralDraws|IfNothing, d)
	p.holds(capture|IfNotFirst|IfNothing|IfPatches, drawOf(pipe.Patches, 3))
	p.holds(capture|IfNotFirst|IfNothing|IfPatches, &pipe.DrawVertexState{Mode: pipe.Patches})
	p.holds(capture|IfNotFirst|IfNothing|IfQuads, drawOf(pipe.QuadStrip, 3))
	p.holds(capture|IfNotFirst|IfAdjacency, drawOf(pipe.LinesAdjacency, 4))
	p.holds(IfCapturing, bind(pipe.Geometry, gs))
	later := capture | IfLaterStage | IfNothing // how many is not known, nor of what
	p.holds(later|IfNotFirst, points())

	p.holds(IfCapturing|IfSeveral, set(0, a, b))
	p.holds(later|IfFirst|IfSeveral|IfUnmatched|IfTight, points())
	p.holds(IfCapturing|IfSeveral|IfSameResource, set(0, a, b, sameAsA))
	p.holds(IfCapturing|IfSeveral|IfSameResource|IfHole, set(0, b, 0, b))
	p.holds(IfCapturing|IfSeveral|IfSameResource, set(0, 0x998, 0x998)) // of which nothing is known
	p.holds(IfCapturing|IfHole, set(0, 0, b))
	p.holds(IfCapturing|IfAppends, set(pipe.AppendOffset, b))
	p.holds(later|IfFirst|IfAppends|IfTight, points())
	p.holds(IfCapturing|IfSeeks, set(16, b))
	p.holds(later|IfFirst|IfSeeks|IfTight, points())
	mixed := set(16, a, b)
	mixed.Offsets[0] = pipe.AppendOffset
	p.holds(IfCapturing|IfSeeks|IfAppends|IfSeveral, mixed)
	p.send(p.c.Handle, &pipe.DestroyStreamOutputTarget{Target: b})
	p.holds(later|IfFirst|IfSeeks|IfAppends|IfSeveral|IfDead|IfUnmatched|IfTight, points())
	p.holds(IfCapturing|IfDead, set(0, b))
	p.holds(IfCapturing, set(0, 0x999))

	few := set(0, a)
	few.Offsets = nil
	p.holds(IfCapturing|IfMiscounted, few)
	few = set(0, a)
	few.NumTargets = 2
	p.holds(IfCapturing|IfMiscounted, few)
	p.holds(IfCapturing|IfMiscounted|IfSeveral|IfSameResource, set(0, a, a, a, a, a))
	p.holds(IfCapturing|IfMiscounted|IfSeveral|IfSameResource|IfHole, set(0, a, a, a, a, 0))
	p.send(p.c.Handle, &pipe.GetParam{Param: "PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"}) // the driver says 0
	p.holds(IfCapturing|IfMiscounted, set(0, a))

	query := p.send(p.c.Handle, &pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted})
	p.holds(IfCapturing, &pipe.BeginQuery{Query: query})
	p.holds(IfCapturing|IfMiscounted|IfQueries, set(0, a))
	p.holds(IfCapturing|IfEnds, &pipe.EndQuery{Query: query})
	p.holds(IfCapturing|IfMiscounted, set(0, a))
	p.send(p.c.Handle, &pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Geometry), State: gs})
	p.holds(later|IfFirst|IfDead|IfTight, points())

	other := p.send(0, &pipe.ContextCreate{})
	p.send(other, set(0, p.target(3)))
	p.holds(IfCapturing|IfContexts, bind(pipe.Geometry, gs))
	p.send(other, &pipe.ContextDestroy{})
	p.holds(IfCapturing|IfContexts, bind(pipe.Geometry, gs))
	p.holds(IfCapturing|IfContexts|IfMiscounted, set(0, a))
}

// TestRoomPremises holds which draws leave nothing to ask about room.
func TestRoomPremises(t *testing.T) {
	held := Premise(0)
	probe := &Rule{ID: "probe", Severity: Note, On: OnDraw, Check: func(v *View) { held = v.prepare() & (IfTight | IfTail) }}
	for _, c := range []struct {
		stride, written int // dwords
		size            uint32
		mode            pipe.PrimitiveType
		vertices        uint32
		want            Premise
	}{
		{4, 4, 64, pipe.Points, 4, 0},
		{4, 4, 63, pipe.Points, 4, IfTight},
		{4, 4, 64, pipe.Points, 5, IfTight},
		{4, 4, 16, pipe.Points, 0, 0},
		{4, 4, 15, pipe.Points, 0, IfTight},
		{4, 4, 48, pipe.Triangles, 4, 0},
		{4, 4, 47, pipe.Triangles, 2, IfTight},
		{4, 4, 96, pipe.TriangleStrip, 4, 0},
		{4, 4, 95, pipe.TriangleStrip, 4, IfTight},
		{4, 3, 60, pipe.Points, 4, IfTail},
		{4, 3, 59, pipe.Points, 4, IfTail | IfTight},
	} {
		run(t, Options{Rules: []*Rule{probe}}, func(x pipe.Context) {
			p := &premiseTest{t: t, c: x}
			out, err := pipe.OutputNumbers{NumComponents: uint64(c.written)}.Pack()
			require.NoError(t, err)
			info, err := pipe.NewStreamOutputInfo([pipe.MaxStreamOutputBuffers]uint16{uint16(c.stride)}, out)
			require.NoError(t, err)
			vs := p.send(x.Handle, &pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{StreamOutput: info}})
			p.send(x.Handle, bind(pipe.Vertex, vs))
			p.send(x.Handle, set(0, p.send(x.Handle, &pipe.CreateStreamOutputTarget{Resource: 1, BufferSize: c.size})))
			p.send(x.Handle, drawOf(c.mode, c.vertices))
			require.Equal(t, c.want, held, "%+v", c)
		})
	}
}

// TestBindsOfEachCall holds that nothing of the call before is left in View.Binds.
func TestBindsOfEachCall(t *testing.T) {
	var seen []Bind
	probe := &Rule{ID: "probe", Severity: Note, On: OnSetTargets, Check: func(v *View) {
		seen = seen[:0]
		for _, b := range v.Binds {
			seen = append(seen, *b)
		}
	}}
	run(t, Options{Rules: []*Rule{probe}}, func(c pipe.Context) {
		must(t, c.SetStreamOutputTargets([]pipe.Handle{7, 0, 8}, []uint32{16, 0, 32}))
		require.Equal(t, []Bind{{Slot: 0, Handle: 7, Offset: 16, HasOffset: true}, {Slot: 2, Handle: 8, Offset: 32, HasOffset: true}}, seen)
		must(t, c.Driver.Do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{9}}, Context: c.Handle}))
		require.Equal(t, []Bind{{Slot: 0, Handle: 9}}, seen)
	})
}
