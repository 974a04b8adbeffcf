package d3d

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

func newDevice(t *testing.T) (*Device, *Buffer, *[]string) {
	ctx, err := pipe.NewContext(&pipe.Null{})
	require.NoError(t, err)
	d := NewDevice(ctx)
	warned := &[]string{}
	d.Warn = func(m string) { *warned = append(*warned, m) }
	b, err := d.CreateBuffer(256)
	require.NoError(t, err)
	return d, b, warned
}

// TestRefusals has a call that the runtime refuses, and a near-miss.
func TestRefusals(t *testing.T) {
	d, b, _ := newDevice(t)
	other, err := d.CreateBuffer(256)
	require.NoError(t, err)
	for _, tc := range []struct {
		name      string
		bad, good error
	}{
		{"one buffer in two slots", d.SOSetTargets([]*Buffer{b, b}, []uint32{0, 0}), d.SOSetTargets([]*Buffer{b, other}, []uint32{0, 0})},
		{"an offset of 2", d.SOSetTargets([]*Buffer{b}, []uint32{2}), d.SOSetTargets([]*Buffer{b}, []uint32{4})},
		{"an offset at the end", d.SOSetTargets([]*Buffer{b}, []uint32{256}), d.SOSetTargets([]*Buffer{b}, []uint32{252})},
		{"five slots", d.SOSetTargets(make([]*Buffer, 5), make([]uint32, 5)), d.SOSetTargets(make([]*Buffer, 4), make([]uint32, 4))},
		{"a buffer of no bytes", errOf(d.CreateBuffer(0)), errOf(d.CreateBuffer(1))},
		{"a shader of another stage", d.SetShader(pipe.Geometry, &Shader{stage: pipe.Vertex}), d.SetShader(pipe.Geometry, nil)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorIs(t, tc.bad, ErrInvalidCall)
			require.NoError(t, tc.good)
		})
	}
}

func errOf(_ *Buffer, err error) error { return err }

// A buffer is never input and output at once: the input is nulled, with a
// warning.
func TestHazard(t *testing.T) {
	d, b, warned := newDevice(t)
	require.NoError(t, d.SetVertexBuffer(b, 16, 0))
	require.NoError(t, d.SOSetTargets([]*Buffer{b}, []uint32{0}))
	require.Len(t, *warned, 1)
	require.ErrorIs(t, d.DrawAuto(pipe.Points), ErrInvalidCall, "the vertex buffer is gone")
	require.NoError(t, d.SetVertexBuffer(b, 16, 0))
	require.Len(t, *warned, 2)
	require.NoError(t, d.SOSetTargets(nil, nil))
	require.NoError(t, d.SetVertexBuffer(b, 16, 0))
	require.NoError(t, d.DrawAuto(pipe.Points))
	require.Len(t, *warned, 2)
}

// A geometry shader without code captures what the vertex shader before it puts
// out, wherever that has it.
func TestPassThrough(t *testing.T) {
	var infos []string
	null := &pipe.Null{}
	ctx, err := pipe.NewContext(pipe.DriverFunc(func(op *pipe.Op) error {
		if c, ok := op.Call.(*pipe.CreateShader); ok && c.State.StreamOutput.NumOutputs > 0 {
			infos = append(infos, c.Stage.String()+" "+frontend.Notation(&c.State.StreamOutput))
		}
		return null.Do(op)
	}))
	require.NoError(t, err)
	d := NewDevice(ctx)
	c, err := ParseCase([]byte(`{"source":"vertex","signature":[{"semanticName":"A","register":0}],"declarations":[{"semanticName":"A","componentCount":4}]}`))
	require.NoError(t, err)
	gs, err := d.CreateGeometryShaderWithStreamOutput(nil, c)
	require.NoError(t, err)
	require.NoError(t, d.SetShader(pipe.Geometry, gs))
	for _, register := range []uint32{0, 3} {
		vs, err := d.CreateShader(pipe.Vertex, nil, []SignatureElement{{SemanticName: "A", Register: register}})
		require.NoError(t, err)
		require.NoError(t, d.SetShader(pipe.Vertex, vs))
		require.NoError(t, d.Draw(pipe.Points, 1, 0))
		require.NoError(t, d.Draw(pipe.Points, 1, 0)) // made once
	}
	require.Equal(t, []string{"vertex (0,0,4,b0,0,0){4,0,0,0}", "vertex (3,0,4,b0,0,0){4,0,0,0}"}, infos)

	vs, err := d.CreateShader(pipe.Vertex, nil, []SignatureElement{{SemanticName: "B"}})
	require.NoError(t, err)
	require.NoError(t, d.SetShader(pipe.Vertex, vs))
	require.ErrorIs(t, d.Draw(pipe.Points, 1, 0), ErrInvalidCall)
}
