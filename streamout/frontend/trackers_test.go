package frontend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend/d3d"
	"github.com/outflow-gpu/outflow/streamout/frontend/gl"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace/audit"
)

// scene drives API objects over a context.
type scene func(t *testing.T, ctx pipe.Context)

var scenes = []struct {
	name string
	play scene
	// captured is how many draws capture, drawn how many there are.
	captured, drawn int
}{
	{"OpenGL: pause, resume, another object, draw what was recorded", sceneGL, 4, 7},
	{"OpenGL: streams of a geometry shader", sceneStreamsGL, 1, 3},
	{"Direct3D: a pass-through geometry shader, append, DrawAuto", sceneD3D, 3, 4},
	{"Vulkan: counters", sceneVulkan, 3, 4},
}

// TestTrackers holds that what API objects send breaks no rule, and that it is
// zeroed.
func TestTrackers(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
				if f.Severity >= streamout.Warning {
					t.Errorf("%s: %s: %s [%s]", f.Severity, f.Method, f.Message, f.Rule.ID)
				}
			}})
			report := audit.Run(func(c pipe.Context) error {
				s.play(t, c)
				return nil
			}, track.Layer)
			require.False(t, report.Failed(), "%v", report)
			require.EqualValues(t, s.captured, report.Captured[audit.Below])
			require.EqualValues(t, s.drawn, report.Draws[audit.Below])
		})
	}
}

func programGL(t *testing.T, line string) *gl.Program {
	p, err := gl.ParseProgram([]byte(line))
	require.NoError(t, err)
	return p
}

func sceneGL(t *testing.T, ctx pipe.Context) {
	check := func(err error) { t.Helper(); require.NoError(t, err) }
	c := gl.NewTracker(ctx)
	p, err := c.Link(programGL(t, `{"varyings":["gl_Position","gl_NextBuffer","gl_NextBuffer","a"],"outputs":[{"name":"gl_Position","type":"vec4"},{"name":"a","type":"vec2","location":0}]}`), nil)
	check(err)
	plain, err := c.Link(programGL(t, `{"outputs":[{"name":"gl_Position","type":"vec4"}]}`), nil)
	check(err)
	var buffers [3]*gl.Buffer
	for i := range buffers {
		buffers[i], err = c.CreateBuffer(4096)
		check(err)
	}
	f, g := c.CreateTransformFeedback(), c.CreateTransformFeedback()
	check(c.UseProgram(p))
	check(c.BindTransformFeedback(f))
	check(c.BindBufferBase(0, buffers[0]))
	check(c.BindBufferRange(2, buffers[2], 64, 256))
	q, err := c.BeginQuery(pipe.QueryPrimitivesEmitted, 0)
	check(err)
	check(c.Begin(pipe.Triangles))
	check(c.DrawArrays(pipe.TriangleStrip, 0, 5, 1))
	check(c.Pause())
	check(c.UseProgram(plain))
	check(c.DrawArrays(pipe.Points, 0, 5, 1))
	check(c.UseProgram(p))
	check(c.BindTransformFeedback(g))
	check(c.BindBufferBase(0, buffers[1]))
	check(c.BindBufferRange(2, buffers[2], 512, 256))
	check(c.Begin(pipe.Points))
	check(c.DrawArrays(pipe.Points, 0, 3, 2))
	check(c.End())
	check(c.BindTransformFeedback(f))
	check(c.Resume())
	check(c.DrawArrays(pipe.Triangles, 0, 3, 1))
	check(c.End())
	_, err = c.EndQuery(q)
	check(err)
	check(c.UseProgram(plain))
	check(c.VertexBuffer(buffers[0], 0, 16))
	check(c.DrawTransformFeedback(pipe.Triangles, f))
	check(c.DrawTransformFeedbackInstanced(pipe.Points, f, 0, 3))
	check(c.DrawTransformFeedbackStream(pipe.Points, f, 1)) // recorded nothing: no draw
	check(c.UseProgram(p))
	// Again, from the start and into the same ranges.
	check(c.VertexBuffer(buffers[1], 0, 16))
	check(c.Begin(pipe.Lines))
	check(c.DrawArrays(pipe.LineLoop, 0, 4, 1))
	check(c.End())
	check(c.UseProgram(nil))
	check(c.DeleteProgram(p))
	check(c.BindTransformFeedback(nil))
	check(c.DeleteTransformFeedback(f))
	check(c.DeleteTransformFeedback(g))
}

func sceneStreamsGL(t *testing.T, ctx pipe.Context) {
	check := func(err error) { t.Helper(); require.NoError(t, err) }
	c := gl.NewTracker(ctx)
	p, err := c.Link(programGL(t, `{"stage":"geometry","varyings":["a","gl_NextBuffer","b"],"outputs":[{"name":"a","type":"vec4","location":0},{"name":"b","type":"vec3","location":1,"stream":1}]}`), nil)
	check(err)
	plain, err := c.Link(programGL(t, `{"outputs":[{"name":"gl_Position","type":"vec4"}]}`), nil)
	check(err)
	a, err := c.CreateBuffer(1024)
	check(err)
	b, err := c.CreateBuffer(1024)
	check(err)
	check(c.BindBufferBase(0, a))
	check(c.BindBufferBase(1, b))
	check(c.UseProgram(p))
	check(c.Begin(pipe.Points))
	check(c.DrawArrays(pipe.Triangles, 0, 6, 1))
	check(c.End())
	check(c.UseProgram(plain))
	check(c.VertexBuffer(a, 0, 16))
	check(c.DrawTransformFeedback(pipe.Points, nil))
	check(c.VertexBuffer(b, 0, 12))
	check(c.DrawTransformFeedbackStream(pipe.Points, nil, 1))
}

func sceneD3D(t *testing.T, ctx pipe.Context) {
	check := func(err error) { t.Helper(); require.NoError(t, err) }
	d := d3d.NewDevice(ctx)
	signature := []d3d.SignatureElement{{SemanticName: "TEXCOORD", Register: 0}, {SemanticName: "SV_Position", Register: 1}}
	other := []d3d.SignatureElement{{SemanticName: "SV_Position", Register: 0}}
	vs, err := d.CreateShader(pipe.Vertex, nil, signature)
	check(err)
	moved, err := d.CreateShader(pipe.Vertex, nil, other)
	check(err)
	c, err := d3d.ParseCase([]byte(`{"source":"vertex","declarations":[{"semanticName":"SV_Position","componentCount":4}]}`))
	check(err)
	c.Signature = signature
	gs, err := d.CreateGeometryShaderWithStreamOutput(nil, c)
	check(err)
	a, err := d.CreateBuffer(1024)
	check(err)
	check(d.SetShader(pipe.Vertex, vs))
	check(d.SetShader(pipe.Geometry, gs))
	check(d.SOSetTargets([]*d3d.Buffer{a}, []uint32{0}))
	check(d.Draw(pipe.Points, 4, 0))
	check(d.SOSetTargets(nil, nil))
	check(d.SOSetTargets([]*d3d.Buffer{a}, []uint32{d3d.Append}))
	check(d.Draw(pipe.Points, 4, 0))
	check(d.SOSetTargets(nil, nil))
	// The position is in another register of another vertex shader.
	b, err := d.CreateBuffer(1024)
	check(err)
	check(d.SetShader(pipe.Vertex, moved))
	check(d.SOSetTargets([]*d3d.Buffer{b}, []uint32{64}))
	check(d.Draw(pipe.Triangles, 3, 0))
	check(d.SOSetTargets(nil, nil))
	check(d.SetShader(pipe.Geometry, nil))
	check(d.SetVertexBuffer(a, 16, 0))
	check(d.DrawAuto(pipe.Points))
}

func sceneVulkan(t *testing.T, ctx pipe.Context) {
	check := func(err error) { t.Helper(); require.NoError(t, err) }
	c := vulkan.NewCommands(ctx)
	s, err := vulkan.ParseShader([]byte(`{"outputs":[{"name":"p","type":"vec4","builtin":"Position","xfbBuffer":0,"xfbStride":16,"offset":0},{"name":"a","type":"vec2","location":0,"xfbBuffer":2,"xfbStride":8,"offset":0}]}`))
	check(err)
	p, err := c.CreatePipeline(s, nil)
	check(err)
	s, err = vulkan.ParseShader([]byte(`{"outputs":[{"name":"p","type":"vec4","builtin":"Position"}]}`))
	check(err)
	plain, err := c.CreatePipeline(s, nil)
	check(err)
	a, err := c.CreateBuffer(1024)
	check(err)
	b, err := c.CreateBuffer(1024)
	check(err)
	counters, err := c.CreateBuffer(16)
	check(err)
	k0, k2 := vulkan.Counter{Buffer: counters}, vulkan.Counter{Buffer: counters, Offset: 4}
	check(c.BindPipeline(p))
	check(c.BindTransformFeedbackBuffer(0, a, 0, vulkan.WholeSize))
	check(c.BindTransformFeedbackBuffer(2, b, 64, 512))
	check(c.BeginTransformFeedback(0))
	check(c.Draw(pipe.Triangles, 6, 1, 0))
	check(c.EndTransformFeedback(0, k0, vulkan.Counter{}, k2))
	check(c.BeginTransformFeedback(0, k0, vulkan.Counter{}, k2))
	check(c.Draw(pipe.Triangles, 6, 1, 0))
	check(c.EndTransformFeedback(0, k0, vulkan.Counter{}, k2))
	check(c.BeginTransformFeedback(0))
	check(c.Draw(pipe.Points, 1, 1, 0))
	check(c.EndTransformFeedback(0))
	check(c.BindPipeline(plain))
	check(c.BindVertexBuffer(a, 0, 16))
	check(c.DrawIndirectByteCount(pipe.Points, 1, k0, 0, 16))
}
