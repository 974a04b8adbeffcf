package streamout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

const (
	benchVertices = 1_000_000
	benchBytes    = benchVertices * 64
)

// table is vertices of 16 dwords, one after another.
type table []uint32

func (t table) Vertices(_ *state.Context, ids []streamout.VertexID, out []streamout.Vertex) {
	for i, id := range ids {
		out[i] = streamout.Vertex{Words: t[16*id.Vertex:][:16]}
	}
}

func (table) Primitives(*state.Context, pipe.Call, func(int, []streamout.Vertex) bool) bool {
	return false
}

// BenchmarkCapture captures a million vertices of 16 dwords that are known.
func BenchmarkCapture(b *testing.B) {
	capture := streamout.NewCapture(streamout.CaptureOptions{Model: streamout.ReferenceModel(), Vertices: make(table, benchBytes/4)})
	c, err := pipe.NewContext(capture)
	require.NoError(b, err)
	info := pipe.StreamOutputInfo{NumOutputs: 4, Stride: [4]uint16{16}}
	for i := range 4 {
		info.Output[i], err = pipe.PackMask(uint64(i), 15, 0, uint64(4*i), 0)
		require.NoError(b, err)
	}
	shader, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	require.NoError(b, err)
	require.NoError(b, c.BindShader(pipe.Vertex, shader))
	buffer, err := c.CreateBuffer(benchBytes, pipe.BindStreamOutput)
	require.NoError(b, err)
	require.NoError(b, c.BufferSubdata(buffer, 0, make([]byte, benchBytes)))
	target, err := c.CreateStreamOutputTarget(buffer, 0, benchBytes)
	require.NoError(b, err)
	b.SetBytes(benchBytes)
	for b.Loop() {
		require.NoError(b, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
		require.NoError(b, c.Draw(&pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, pipe.DrawRange{Count: benchVertices}))
	}
	require.Equal(b, streamout.Exactly(benchBytes), capture.Filled(target))
}

// BenchmarkCopy is the floor: the same bytes, copied.
func BenchmarkCopy(b *testing.B) {
	from, to := make([]byte, benchBytes), make([]byte, benchBytes)
	for i := range from {
		from[i] = byte(i)
	}
	b.SetBytes(benchBytes)
	for b.Loop() {
		copy(to, from)
	}
}

// BenchmarkCaptureCounts captures the same without values, as over a trace.
func BenchmarkCaptureCounts(b *testing.B) {
	capture := streamout.NewCapture(streamout.CaptureOptions{Model: streamout.ReferenceModel()})
	c, err := pipe.NewContext(capture)
	require.NoError(b, err)
	info := pipe.StreamOutputInfo{NumOutputs: 1, Stride: [4]uint16{4}}
	info.Output[0], err = pipe.PackMask(0, 15, 0, 0, 0)
	require.NoError(b, err)
	shader, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	require.NoError(b, err)
	require.NoError(b, c.BindShader(pipe.Vertex, shader))
	buffer, err := c.CreateBuffer(1<<20, pipe.BindStreamOutput)
	require.NoError(b, err)
	target, err := c.CreateStreamOutputTarget(buffer, 0, 1<<20)
	require.NoError(b, err)
	require.NoError(b, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	draw := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 3}}, NumDraws: 1}
	for b.Loop() {
		_, err := c.Do(draw)
		require.NoError(b, err)
	}
}
