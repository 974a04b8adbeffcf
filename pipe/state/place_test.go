package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// TestPlaces holds that what was done when is kept with the whole place of the call.
func TestPlaces(t *testing.T) {
	m := state.New()
	no := uint64(0)
	do := func(call pipe.Call, ret pipe.Handle) state.At {
		no++
		op := &pipe.Op{Call: call, Context: 2, No: no, Pos: pipe.Pos{File: "a.xml", Line: int(10 * no), Byte: int64(100 * no)}, Ret: pipe.Result{Handle: ret, Known: true}}
		m.Before(op)
		m.Apply(op)
		return state.At{No: op.No, Pos: op.Pos}
	}
	info, err := pipe.NewStreamOutputInfo([pipe.MaxStreamOutputBuffers]uint16{4}, make([]pipe.StreamOutput, 1)...)
	require.NoError(t, err)
	created := do(&pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{StreamOutput: info}}, 0x10)
	do(target(1), 0x20)
	do(target(2), 0x21)
	do(&pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted}, 0x30)
	do(&pipe.CreateRasterizer{}, 0x40)
	shader := do(&pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: 0x10}, 0)
	rasterizer := do(&pipe.BindState{Kind: pipe.KindRasterizer, State: 0x40}, 0)
	begun := do(&pipe.BeginQuery{Query: 0x30}, 0)
	set := do(&pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0x20, 0x21}, Offsets: []uint32{0, 0}}, 0)
	draw := &pipe.Draw{Info: pipe.DrawInfo{InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 1}}, NumDraws: 1}
	first := do(draw, 0)
	last := do(draw, 0)
	done := do(&pipe.EndQuery{Query: 0x30}, 0)
	condition := do(&pipe.RenderCondition{Query: 0x30}, 0)

	c, written, bypassed := m.Context(2), m.Target(0x20), m.Target(0x21)
	for what, places := range map[string][2]state.At{
		"created": {created, m.Shader(pipe.Vertex, 0x10).Created}, "shader": {shader, c.Shaders[pipe.Vertex].Set},
		"rasterizer": {rasterizer, c.Rasterizer.Set}, "targets": {set, c.TargetsSet}, "target": {set, written.Set},
		"first": {first, c.Session.First}, "last": {last, c.Session.Last}, "captured": {last, written.Captured},
		"bypassed": {last, bypassed.Bypassed}, "begun": {begun, m.Query(0x30).Begun}, "done": {done, m.Query(0x30).Done},
		"condition": {condition, c.Condition.Set},
	} {
		require.Equal(t, places[0], places[1], what)
	}
}
