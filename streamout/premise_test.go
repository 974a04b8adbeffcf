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
	require.Equal(p.t, want, *p.held, "%b and %b", want, *p.held)
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

func points() *pipe.Draw {
	return &pipe.Draw{Info: pipe.DrawInfo{InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 1}}, NumDraws: 1}
}

func TestPremises(t *testing.T) {
	iris, ok := pipe.ProfileByName("iris")
	require.True(t, ok)
	for _, profile := range []*pipe.Profile{nil, &iris} {
		held := Premise(0)
		probe := &Rule{ID: "probe", Severity: Note, On: OnDraw | OnSetTargets | OnBindShader, Check: func(v *View) { held = v.premises() }}
		run(t, Options{Rules: []*Rule{probe}, Profile: profile}, func(c pipe.Context) {
			premises(&premiseTest{t, c, profile != nil, &held})
		})
	}
}

func premises(p *premiseTest) {
	vs, none, gs := p.shader(pipe.Vertex, 1), p.shader(pipe.Vertex, 0), p.shader(pipe.Geometry, 1)
	a, b, sameAsA := p.target(1), p.target(2), p.target(1)

	p.holds(0, bind(pipe.Vertex, none))
	p.holds(IfNoTarget|IfFirst, points())
	p.holds(0, set(0, a))
	p.holds(IfNoOutputs|IfFirst, points())
	p.holds(0, bind(pipe.Vertex, vs))
	capture := IfCapturing | IfExact
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
	p.holds(capture|IfNotFirst|IfSeveralDraws, d)
	d = points()
	d.Info.Mode = pipe.Patches
	p.holds(capture|IfNotFirst|IfPatches, d)
	p.holds(capture|IfNotFirst|IfPatches, &pipe.DrawVertexState{Mode: pipe.Patches})
	p.holds(IfCapturing, bind(pipe.Geometry, gs))
	p.holds(capture|IfNotFirst|IfLaterStage, points())

	p.holds(IfCapturing|IfSeveral, set(0, a, b))
	p.holds(capture|IfFirst|IfLaterStage|IfSeveral, points())
	p.holds(IfCapturing|IfSeveral|IfSameResource, set(0, a, b, sameAsA))
	p.holds(IfCapturing|IfSeveral|IfSameResource, set(0, b, 0, b))
	p.holds(IfCapturing, set(0, 0, b))
	p.holds(IfCapturing|IfAppends, set(pipe.AppendOffset, b))
	p.holds(capture|IfFirst|IfLaterStage|IfAppends, points())
	p.holds(IfCapturing|IfSeeks, set(16, b))
	p.holds(capture|IfFirst|IfLaterStage|IfSeeks, points())
	mixed := set(16, a, b)
	mixed.Offsets[0] = pipe.AppendOffset
	p.holds(IfCapturing|IfSeeks|IfAppends|IfSeveral, mixed)
	p.send(p.c.Handle, &pipe.DestroyStreamOutputTarget{Target: b})
	p.holds(capture|IfFirst|IfLaterStage|IfSeeks|IfAppends|IfSeveral|IfDead, points())
	p.holds(IfCapturing|IfDead, set(0, b))
	p.holds(IfCapturing, set(0, 0x999)) // of which nothing is known

	other := p.send(0, &pipe.ContextCreate{})
	p.send(other, set(0, p.target(3)))
	p.holds(IfCapturing|IfContexts, bind(pipe.Geometry, gs))
	p.send(other, &pipe.ContextDestroy{})
	p.holds(IfCapturing|IfContexts, bind(pipe.Geometry, gs))
	p.holds(IfCapturing|IfContexts, set(0, a))
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
