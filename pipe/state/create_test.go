package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

func TestStridesSeen(t *testing.T) {
	m := state.New()
	create := func(no uint64, context, shader pipe.Handle, stride uint16, outputs ...pipe.StreamOutput) {
		info, err := pipe.NewStreamOutputInfo([4]uint16{0, stride}, outputs...)
		require.NoError(t, err)
		op := &pipe.Op{Call: &pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{StreamOutput: info}},
			Context: context, No: no, Ret: pipe.Result{Handle: shader, Known: true}}
		m.Before(op)
		m.Apply(op)
	}
	word, err := pipe.OutputNumbers{NumComponents: 4, OutputBuffer: 1}.Pack()
	require.NoError(t, err)
	create(1, 10, 100, 4)
	create(2, 10, 101, 8, word)
	create(3, 11, 102, 6, word)
	for name, c := range map[string]struct {
		context pipe.Handle
		stride  [4]uint64
		no      uint64
		seen    bool
	}{
		"a create without outputs does not count":     {10, [4]uint64{0, 4}, 0, false},
		"a create with outputs does":                  {10, [4]uint64{0, 8}, 2, true},
		"in another buffer they are others":           {10, [4]uint64{8}, 0, false},
		"another context is another tracker":          {10, [4]uint64{0, 6}, 0, false},
		"of that context they are":                    {11, [4]uint64{0, 6}, 3, true},
		"what cannot be stored was never in a shader": {10, [4]uint64{0, 1<<16 + 8}, 0, false},
	} {
		at, seen := m.Context(c.context).StridesSeen(c.stride)
		require.Equal(t, c.seen, seen, name)
		require.Equal(t, c.no, at.No, name)
	}
}

func TestTargetRefused(t *testing.T) {
	m := state.New()
	do := func(op *pipe.Op) *state.Context {
		op.Context = 10
		m.Before(op)
		m.Apply(op)
		return m.Context(10)
	}
	c := do(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: 1}})
	require.False(t, c.TargetRefused, "a trace that does not tell what was returned tells of no refusal")
	c = do(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: 1}, No: 5, Ret: pipe.Result{Known: true}})
	require.True(t, c.TargetRefused)
	require.Equal(t, uint64(5), c.TargetRefusedAt.No)
	c = do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{}})
	require.False(t, c.TargetRefused, "a bind ends it")
}
