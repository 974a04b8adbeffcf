package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestMemoryIsBounded lets a run make and end far more objects than may be kept.
func TestMemoryIsBounded(t *testing.T) {
	const n = 3 * maxDead
	m := New()
	do := func(context pipe.Handle, ret pipe.Handle, call pipe.Call) {
		op := pipe.Op{Call: call, Screen: 1, Context: context, Ret: pipe.Result{Handle: ret, Known: true}}
		m.Before(&op)
		m.Apply(&op)
	}
	for i := range pipe.Handle(n) {
		h := 0x1000 + i
		do(2, h, &pipe.CreateShader{})
		do(2, 0, &pipe.DeleteState{Kind: pipe.KindShader, State: h})
		do(2, h, &pipe.CreateRasterizer{})
		do(2, 0, &pipe.DeleteState{Kind: pipe.KindRasterizer, State: h})
		do(0, h, &pipe.ResourceCreate{})
		do(2, h, &pipe.CreateStreamOutputTarget{Resource: h})
		do(2, 0, &pipe.DestroyStreamOutputTarget{Target: h})
		do(2, 0, &pipe.ResourceDestroy{Resource: h})
		do(2, h, &pipe.CreateQuery{})
		do(2, 0, &pipe.BeginQuery{Query: h})
		do(2, 0, &pipe.DestroyQuery{Query: h})
		do(2, h, &pipe.CreateSamplerView{Resource: h})
		do(2, 0, &pipe.DestroySamplerView{View: h})
		do(2, 0, &pipe.Map{Resource: h, Transfer: h})
		do(2, 0, &pipe.Other{Class: pipe.ClassContext, Method: "set_" + string(rune(h))})
	}
	require.Len(t, m.graves.ring, maxDead)
	dead := len(m.shaders[pipe.Vertex].all) + len(m.csos[pipe.KindRasterizer].all) + len(m.resources.all) + len(m.targets.all) + len(m.queries.all) + len(m.views.all)
	require.Equal(t, maxDead, dead, "what died is in the ring and in a table, or nowhere")
	require.LessOrEqual(t, len(m.transfers), maxTransfers)
	c := m.Context(2)
	require.Empty(t, c.targets)
	require.Empty(t, c.queries)
	require.Empty(t, c.ActiveQueries)
	require.LessOrEqual(t, len(c.Rest), maxRest)
	require.NotNil(t, m.Target(0x1000+n-1), "what died last is remembered")
	require.Nil(t, m.Target(0x1000), "what died first is not")
}

// TestReusedAddressOutlivesItsGrave: an object that has the address of a dead
// one stays when the dead one is forgotten.
func TestReusedAddressOutlivesItsGrave(t *testing.T) {
	m := New()
	do := func(ret pipe.Handle, call pipe.Call) {
		op := pipe.Op{Call: call, Context: 2, Ret: pipe.Result{Handle: ret, Known: true}}
		m.Before(&op)
		m.Apply(&op)
	}
	do(9, &pipe.CreateStreamOutputTarget{})
	do(0, &pipe.DestroyStreamOutputTarget{Target: 9})
	do(9, &pipe.CreateStreamOutputTarget{})
	for i := range pipe.Handle(2 * maxDead) {
		do(100+i, &pipe.CreateStreamOutputTarget{})
		do(0, &pipe.DestroyStreamOutputTarget{Target: 100 + i})
	}
	require.NotNil(t, m.Target(9))
	require.False(t, m.Target(9).Dead)
}

// TestContextsAreBounded: the contexts that are used stay, the others are
// forgotten with what they made, and what is bound in them is not known after.
func TestContextsAreBounded(t *testing.T) {
	m := New()
	do := func(context, ret pipe.Handle, call pipe.Call) {
		op := pipe.Op{Call: call, Context: context, Ret: pipe.Result{Handle: ret, Known: true}}
		m.Before(&op)
		m.Apply(&op)
	}
	do(1, 7, &pipe.CreateShader{})
	do(1, 0, &pipe.BindState{Kind: pipe.KindShader, State: 7})
	for i := range pipe.Handle(4 * maxContexts) {
		do(0x1000+i, 0x100000+i, &pipe.CreateStreamOutputTarget{})
		do(1, 0, &pipe.SetMinSamples{})
	}
	require.LessOrEqual(t, len(m.contexts), maxContexts)
	require.LessOrEqual(t, len(m.targets.all), maxContexts)
	s, known := m.Context(1).LastVertexStage()
	require.True(t, known)
	require.NotNil(t, s)
	do(0x1000, 0, &pipe.SetMinSamples{})
	_, known = m.Context(0x1000).LastVertexStage()
	require.False(t, known, "it was forgotten, so what is bound is not known")
}
