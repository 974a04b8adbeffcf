package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// run applies calls of one context to a new machine; handles are given to the
// creates in order, from 0x100 on.
func run(calls ...pipe.Call) *state.Machine {
	m := state.New()
	next := pipe.Handle(0x100)
	for _, call := range calls {
		op := &pipe.Op{Call: call, Screen: 1, Context: 2}
		if pipe.Creates(call) {
			op.Ret.Handle = next
			next++
		}
		m.Before(op)
		m.Apply(op)
	}
	return m
}

// vertexShader captures a vec4 of register 0 into buffer 0.
func vertexShader() *pipe.CreateShader {
	n := pipe.StreamOutputNumbers{NumOutputs: 1, Stride: []uint64{4, 0, 0, 0}, Output: []pipe.OutputNumbers{{NumComponents: 4}}}
	c := &pipe.CreateShader{Stage: pipe.Vertex}
	n.Pack(&c.State.StreamOutput)
	return c
}

func points(n uint32) *pipe.Draw {
	return &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: n}}, NumDraws: 1}
}

func TestQueryCounts(t *testing.T) {
	known := func(n uint64) state.Primitives { return state.Primitives{Count: n, Known: true} }
	begin, end := &pipe.BeginQuery{Query: 0x102}, &pipe.EndQuery{Query: 0x102}
	set := &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0x101}, Offsets: []uint32{0}}
	quads := points(8)
	quads.Info.Mode = pipe.Quads
	for _, c := range []struct {
		name               string
		calls              []pipe.Call
		written, generated state.Primitives
		captures           uint64
	}{
		{"nothing drawn", []pipe.Call{set, begin, end}, known(0), known(0), 0},
		{"points that fit", []pipe.Call{set, begin, points(2), points(1), end}, known(3), known(3), 2},
		{"points that overflow", []pipe.Call{set, begin, points(9), end}, known(4), known(9), 1},
		{"draws outside do not count", []pipe.Call{set, points(1), begin, points(1), end, points(1)}, known(1), known(1), 1},
		{"generated without targets too", []pipe.Call{begin, points(2), end}, known(0), known(2), 0},
		{"quads are counted in two ways", []pipe.Call{set, begin, quads, end}, known(1), state.Primitives{}, 1},
		{"a blit may be drawn", []pipe.Call{set, begin, &pipe.Other{Class: pipe.ClassContext, Method: "blit"}, points(1), end}, known(1), state.Primitives{}, 1},
		{"paused", []pipe.Call{set, begin, &pipe.SetActiveQueryState{}, points(1), end}, state.Primitives{}, state.Primitives{}, 1},
		{"begun twice", []pipe.Call{set, begin, points(1), begin, end}, state.Primitives{}, state.Primitives{}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := append([]pipe.Call{vertexShader(), &pipe.CreateStreamOutputTarget{Resource: 1, BufferSize: 64},
				&pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted}, &pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: 0x100}}, c.calls...)
			q := run(calls...).Query(0x102)
			require.Equal(t, c.written.Known, q.Counts.Written.Known)
			require.Equal(t, c.generated.Known, q.Counts.Generated.Known)
			if c.written.Known {
				require.Equal(t, c.written.Count, q.Counts.Written.Count)
			}
			if c.generated.Known {
				require.Equal(t, c.generated.Count, q.Counts.Generated.Count)
			}
			require.Equal(t, c.captures, q.Counts.Captures)
			require.Equal(t, 1, q.Ends)
		})
	}
}

func TestSessionEndsWithTheNextBind(t *testing.T) {
	set := &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0x101}, Offsets: []uint32{0}}
	m := run(vertexShader(), &pipe.CreateStreamOutputTarget{Resource: 1, BufferSize: 64},
		&pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: 0x100}, set, points(2), points(1))
	c := m.Context(2)
	require.Equal(t, uint64(2), c.Session.Draws)
	require.Equal(t, pipe.Points, c.Session.Primitive)
	require.Equal(t, pipe.Handle(0x100), c.Session.Shader.Handle)
	again := &pipe.Op{Call: set, Screen: 1, Context: 2}
	m.Before(again)
	m.Apply(again)
	require.Zero(t, c.Session)
}
