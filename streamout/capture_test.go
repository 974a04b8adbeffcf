package streamout_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// bench is a context over a Capture that captures with one shader.
type bench struct {
	t *testing.T
	pipe.Context
	capture *streamout.Capture
	draws   []streamout.CapturedDraw
	resumes []streamout.Resume
	queries map[pipe.QueryType]pipe.Handle
	buffers []pipe.Handle
	targets []pipe.Handle
}

// out is an output of num components of register buf at dst in a buffer.
func out(buf, dst, num, stream uint64) pipe.OutputNumbers {
	return pipe.OutputNumbers{RegisterIndex: buf, NumComponents: num, OutputBuffer: buf, DstOffset: dst, Stream: stream}
}

// place is a target: a buffer of its own, and the range of it in bytes.
type place struct{ offset, size uint32 }

// newBench binds a shader of a stage with the strides, in dwords, and outputs,
// and a target for each place; a place without a size is an empty slot.
func newBench(t *testing.T, o streamout.CaptureOptions, stage pipe.Stage, strides []uint64, outputs []pipe.OutputNumbers, places ...place) *bench {
	b := &bench{t: t, queries: map[pipe.QueryType]pipe.Handle{}}
	o.Draw = func(d *streamout.CapturedDraw) { b.draws = append(b.draws, *d) }
	o.Resume = func(r *streamout.Resume) { b.resumes = append(b.resumes, *r) }
	b.capture = streamout.NewCapture(o)
	c, err := pipe.NewContext(b.capture)
	require.NoError(t, err)
	b.Context = c
	b.shader(stage, strides, outputs)
	b.rasterizer(false)
	for _, p := range places {
		buffer, target := pipe.Handle(0), pipe.Handle(0)
		if p.size > 0 {
			buffer, err = c.CreateBuffer(p.offset+p.size+16, pipe.BindStreamOutput)
			require.NoError(t, err)
			fill := make([]byte, p.offset+p.size+16)
			for i := range fill {
				fill[i] = 0xA5
			}
			require.NoError(t, c.BufferSubdata(buffer, 0, fill))
			target, err = c.CreateStreamOutputTarget(buffer, p.offset, p.size)
			require.NoError(t, err)
		}
		b.buffers, b.targets = append(b.buffers, buffer), append(b.targets, target)
	}
	b.set(make([]uint32, len(places))...)
	return b
}

func (b *bench) shader(stage pipe.Stage, strides []uint64, outputs []pipe.OutputNumbers) {
	n := pipe.StreamOutputNumbers{NumOutputs: uint64(len(outputs)), Stride: strides, Output: outputs}
	var s pipe.ShaderState
	require.Empty(b.t, n.Pack(&s.StreamOutput))
	h, err := b.CreateShader(stage, &s)
	require.NoError(b.t, err)
	require.NoError(b.t, b.BindShader(stage, h))
}

func (b *bench) rasterizer(first bool) {
	h, err := b.CreateRasterizer(&pipe.RasterizerState{FlatshadeFirst: first})
	require.NoError(b.t, err)
	require.NoError(b.t, b.Bind(pipe.KindRasterizer, h))
}

func (b *bench) set(offsets ...uint32) {
	require.NoError(b.t, b.SetStreamOutputTargets(b.targets[:len(offsets)], offsets))
}

func (b *bench) draw(mode pipe.PrimitiveType, count, instances uint32) *streamout.CapturedDraw {
	require.NoError(b.t, b.Context.Draw(&pipe.DrawInfo{Mode: mode, InstanceCount: instances}, pipe.DrawRange{Count: count}))
	if len(b.draws) == 0 {
		return nil
	}
	return &b.draws[len(b.draws)-1]
}

// fills returns how far each target is filled; all must be known.
func (b *bench) fills() []uint64 {
	var list []uint64
	for _, h := range b.targets {
		fill := streamout.Count{}
		if h != 0 {
			fill = b.capture.Filled(h)
		}
		require.True(b.t, fill.Known())
		list = append(list, fill.Low)
	}
	return list
}

// words returns a buffer as dwords, from byte 0 on; all must be known.
func (b *bench) words(slot int) []uint32 {
	size := b.capture.State().Resource(b.buffers[slot]).Template.Width
	data := make([]byte, size)
	require.Equal(b.t, int(size), b.capture.Read(b.buffers[slot], 0, data))
	var list []uint32
	for ; len(data) >= 4; data = data[4:] {
		list = append(list, binary.LittleEndian.Uint32(data))
	}
	return list
}

func (b *bench) begin(types ...pipe.QueryType) {
	for _, q := range types {
		h, err := b.CreateQuery(q, 0)
		require.NoError(b.t, err)
		require.NoError(b.t, b.BeginQuery(h))
		b.queries[q] = h
	}
}

func (b *bench) result(q pipe.QueryType) pipe.QueryValue {
	require.NoError(b.t, b.EndQuery(b.queries[q]))
	v, err := b.QueryResult(b.queries[q], true)
	require.NoError(b.t, err)
	return v
}

// numbered puts out the vertex's number in every word, plus 100 for each register.
func numbered(_ *state.Context, id streamout.VertexID) streamout.Vertex {
	v := streamout.Vertex{Words: make([]uint32, 64)}
	for i := range v.Words {
		v.Words[i] = id.Vertex + 1000*id.Instance + 100*uint32(i/4)
	}
	return v
}

func reference() streamout.CaptureOptions {
	return streamout.CaptureOptions{Model: streamout.ReferenceModel(), Vertices: streamout.VertexFunc(numbered)}
}

func strideRule() streamout.CaptureOptions {
	o := reference()
	o.Overflow = streamout.OverflowStride
	return o
}

func known(n uint64) streamout.Count { return streamout.Exactly(n) }

var (
	vec3of4 = []pipe.OutputNumbers{out(0, 0, 3, 0)}
	vec4    = []pipe.OutputNumbers{out(0, 0, 4, 0)}
	two     = []pipe.OutputNumbers{out(0, 0, 4, 0), out(1, 0, 2, 0)}
)

func TestVertexOrder(t *testing.T) {
	for _, test := range []struct {
		mode        pipe.PrimitiveType
		n           uint64
		last, first [][]uint64
	}{
		{pipe.Points, 3, [][]uint64{{0}, {1}, {2}}, nil},
		{pipe.Lines, 5, [][]uint64{{0, 1}, {2, 3}}, nil},
		{pipe.LineStrip, 4, [][]uint64{{0, 1}, {1, 2}, {2, 3}}, nil},
		{pipe.LineLoop, 4, [][]uint64{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, nil},
		{pipe.Triangles, 7, [][]uint64{{0, 1, 2}, {3, 4, 5}}, nil},
		{pipe.TriangleStrip, 6, [][]uint64{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}, [][]uint64{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}}},
		{pipe.TriangleFan, 5, [][]uint64{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, [][]uint64{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}},
		{pipe.Quads, 4, [][]uint64{{0, 1, 3}, {1, 2, 3}}, [][]uint64{{0, 1, 2}, {0, 2, 3}}},
		{pipe.QuadStrip, 6, [][]uint64{{2, 0, 3}, {0, 1, 3}, {4, 2, 5}, {2, 3, 5}}, [][]uint64{{0, 3, 2}, {0, 1, 3}, {2, 5, 4}, {2, 3, 5}}},
		{pipe.Polygon, 5, [][]uint64{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}, [][]uint64{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}},
		{pipe.LinesAdjacency, 8, [][]uint64{{1, 2}, {5, 6}}, nil},
		{pipe.LineStripAdjacency, 6, [][]uint64{{1, 2}, {2, 3}, {3, 4}}, nil},
		{pipe.TrianglesAdjacency, 12, [][]uint64{{0, 2, 4}, {6, 8, 10}}, nil},
		{pipe.TriangleStripAdjacency, 10, [][]uint64{{0, 2, 4}, {4, 2, 6}, {4, 6, 8}}, [][]uint64{{0, 2, 4}, {2, 6, 4}, {4, 6, 8}}},
		{pipe.Patches, 9, nil, nil},
	} {
		if test.first == nil {
			test.first = test.last
		}
		for first, want := range map[bool][][]uint64{false: test.last, true: test.first} {
			var got [][]uint64
			for i := range test.mode.Primitives(test.n) {
				p := streamout.Decompose(test.mode, first, test.n, i)
				got = append(got, p.Vertices[:p.Len])
			}
			require.Equal(t, want, got, "%s, first vertex provokes: %v", test.mode, first)
		}
	}
}

// TestCaptureExamples are sums done by hand, of draws one after another.
func TestCaptureExamples(t *testing.T) {
	const appends = pipe.AppendOffset
	type counts struct{ generated, written uint64 }
	for _, test := range []struct {
		name    string
		options streamout.CaptureOptions
		strides []uint64
		outputs []pipe.OutputNumbers
		places  []place
		run     func(b *bench) *streamout.CapturedDraw
		want    counts
		fills   []uint64
	}{
		{"a strip whose third triangle ends at 108 of 100 B", reference(), []uint64{4}, vec3of4, []place{{0, 100}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.TriangleStrip, 5, 1) }, counts{3, 2}, []uint64{96}},
		{"its second triangle ends with its outputs at 92 of 92 B", reference(), []uint64{4}, vec3of4, []place{{0, 92}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.TriangleStrip, 5, 1) }, counts{3, 2}, []uint64{96}},
		{"but with its stride at 96 of 92 B", strideRule(), []uint64{4}, vec3of4, []place{{0, 92}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.TriangleStrip, 5, 1) }, counts{3, 1}, []uint64{48}},
		{"a position may pass the size", reference(), []uint64{4}, vec3of4, []place{{0, 28}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Points, 2, 1) }, counts{2, 2}, []uint64{32}},
		{"not when the stride must fit", strideRule(), []uint64{4}, vec3of4, []place{{0, 28}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Points, 2, 1) }, counts{2, 1}, []uint64{16}},
		{"the fuller buffer stops both", reference(), []uint64{4, 2}, two, []place{{0, 96}, {0, 40}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 6, 1) }, counts{2, 1}, []uint64{48, 24}},
		{"a point fits where a triangle did not", reference(), []uint64{4, 2}, two, []place{{0, 96}, {0, 40}},
			func(b *bench) *streamout.CapturedDraw {
				b.draw(pipe.Triangles, 6, 1)
				b.set()
				b.set(appends, appends)
				return b.draw(pipe.Points, 1, 1)
			}, counts{1, 1}, []uint64{64, 32}},
		{"each target has its own offset", reference(), []uint64{4, 2}, two, []place{{0, 96}, {0, 40}},
			func(b *bench) *streamout.CapturedDraw {
				b.draw(pipe.Triangles, 6, 1)
				b.set(appends, appends)
				d := b.draw(pipe.Points, 1, 1)
				b.set(0, appends)
				return d
			}, counts{1, 1}, []uint64{0, 32}},
		{"an empty slot drops all", reference(), []uint64{4, 2}, two, []place{{0, 96}, {}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Points, 3, 1) }, counts{3, 0}, []uint64{0, 0}},
		{"two quads are four triangles", reference(), []uint64{4}, vec4, []place{{0, 192}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Quads, 8, 1) }, counts{4, 4}, []uint64{192}},
		{"a strip of two quads", reference(), []uint64{4}, vec4, []place{{0, 1000}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.QuadStrip, 6, 1) }, counts{4, 4}, []uint64{192}},
		{"a pentagon", reference(), []uint64{4}, vec4, []place{{0, 1000}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Polygon, 5, 1) }, counts{3, 3}, []uint64{144}},
		{"a leftover vertex counts nowhere", reference(), []uint64{4}, vec4, []place{{0, 1000}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 7, 1) }, counts{2, 2}, []uint64{96}},
		{"every instance closes its loop", reference(), []uint64{1}, []pipe.OutputNumbers{out(0, 0, 1, 0)}, []place{{0, 1000}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.LineLoop, 4, 3) }, counts{12, 12}, []uint64{96}},
		{"positions do not wrap at 32 bits", reference(), []uint64{4}, vec4, []place{{0, 96}},
			func(b *bench) *streamout.CapturedDraw {
				b.set(0xFFFFFFF0)
				return b.draw(pipe.Points, 1, 1)
			}, counts{1, 0}, []uint64{0xFFFFFFF0}},
		{"a triangle fits behind an offset exactly", reference(), []uint64{4}, vec4, []place{{64, 48}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 3, 1) }, counts{1, 1}, []uint64{48}},
		{"and not in one byte less", reference(), []uint64{4}, vec4, []place{{64, 47}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 3, 1) }, counts{1, 0}, []uint64{0}},
		{"the last vertex of 44 B needs its outputs only", reference(), []uint64{4}, vec3of4, []place{{0, 44}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 3, 1) }, counts{1, 1}, []uint64{48}},
		{"or all of it", strideRule(), []uint64{4}, vec3of4, []place{{0, 44}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Triangles, 3, 1) }, counts{1, 0}, []uint64{0}},
		{"room for two points of five", reference(), []uint64{4}, vec4, []place{{0, 40}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Points, 5, 1) }, counts{5, 2}, []uint64{32}},
		{"a begin that captured nothing before its pause", reference(), []uint64{4}, vec4, []place{{0, 96}},
			func(b *bench) *streamout.CapturedDraw {
				b.draw(pipe.Points, 2, 1)
				b.set(0)
				b.set()
				b.draw(pipe.Points, 1, 1)
				b.set(appends)
				return b.draw(pipe.Points, 1, 1)
			}, counts{1, 1}, []uint64{16}},
		{"the offset goes with the target into another slot", reference(), []uint64{4}, vec4, []place{{0, 96}},
			func(b *bench) *streamout.CapturedDraw {
				b.draw(pipe.Points, 1, 1)
				require.NoError(b.t, b.SetStreamOutputTargets([]pipe.Handle{0, b.targets[0]}, []uint32{0, appends}))
				b.shader(pipe.Vertex, []uint64{0, 4}, []pipe.OutputNumbers{{NumComponents: 4, OutputBuffer: 1}})
				return b.draw(pipe.Points, 1, 1)
			}, counts{1, 1}, []uint64{32}},
		{"an offset in bytes", reference(), []uint64{4}, vec4, []place{{0, 96}},
			func(b *bench) *streamout.CapturedDraw {
				b.set(32)
				return b.draw(pipe.Points, 9, 1)
			}, counts{9, 4}, []uint64{96}},
		{"more vertices than 32 bits count bytes of", reference(), []uint64{4}, vec4, []place{{0, 96}},
			func(b *bench) *streamout.CapturedDraw { return b.draw(pipe.Points, 1461*788, 788) }, counts{1461 * 788 * 788, 6}, []uint64{96}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, test.options, pipe.Vertex, test.strides, test.outputs, test.places...)
			d := test.run(b)
			require.Equal(t, known(test.want.generated), d.Generated[0])
			require.Equal(t, known(test.want.written), d.Written[0])
			require.Equal(t, known(test.want.generated-test.want.written), d.Dropped[0])
			require.Equal(t, test.fills, b.fills())
		})
	}
}

// TestDriversDisagree: without a model only what all drivers do is known.
func TestDriversDisagree(t *testing.T) {
	b := newBench(t, streamout.CaptureOptions{}, pipe.Vertex, []uint64{4}, vec3of4, place{0, 92})
	d := b.draw(pipe.TriangleStrip, 5, 1)
	require.Equal(t, known(3), d.Generated[0])
	require.Equal(t, streamout.Count{Low: 1, High: 2}, d.Written[0])
	require.Equal(t, streamout.Count{Low: 1, High: 2}, d.Dropped[0])
	require.Equal(t, streamout.Count{Low: 48, High: 96}, b.capture.Filled(b.targets[0]))
	require.False(t, d.Targets[0].Known)
	require.Equal(t, [2]uint64{0, 92}, [2]uint64{d.Targets[0].First, d.Targets[0].End})
	require.False(t, b.capture.Knows(b.buffers[0], 91))
	require.True(t, b.capture.Knows(b.buffers[0], 92), "nothing reaches behind the target")

	b = newBench(t, streamout.CaptureOptions{}, pipe.Vertex, []uint64{4, 2}, two, place{0, 96}, place{})
	d = b.draw(pipe.Points, 3, 1)
	require.Equal(t, streamout.AtMost(3), d.Written[0], "Vulkan writes the slot that is bound")
}

// TestOffsetsByDriver: what a rebind with offsets 0 and append does depends on
// the driver.
func TestOffsetsByDriver(t *testing.T) {
	const appends = pipe.AppendOffset
	for driver, want := range map[string][]uint64{"llvmpipe": {0, 32}, "zink": {0, 0}, "softpipe": {64, 32}} {
		profile, ok := pipe.ProfileByName(driver)
		require.True(t, ok)
		o := reference()
		o.Model.Offsets = profile.Offsets
		b := newBench(t, o, pipe.Vertex, []uint64{4, 2}, two, place{0, 96}, place{0, 40})
		b.draw(pipe.Triangles, 6, 1)
		b.set(appends, appends)
		b.draw(pipe.Points, 1, 1)
		require.Equal(t, []uint64{64, 32}, b.fills(), driver)
		b.set(0, appends)
		require.Equal(t, want, b.fills(), driver)
	}
}

// streams is a geometry shader that puts out points of the streams in turn.
type streams [4]int

func (streams) Vertices(*state.Context, []streamout.VertexID, []streamout.Vertex) {}

func (s streams) Primitives(_ *state.Context, _ pipe.Call, emit func(int, []streamout.Vertex) bool) bool {
	for stream, n := range s {
		for i := range n {
			v := streamout.Vertex{Words: make([]uint32, 16)}
			for k := range v.Words {
				v.Words[k] = uint32(100*stream + i)
			}
			if !emit(stream, []streamout.Vertex{v}) {
				return true
			}
		}
	}
	return true
}

func TestStreamsOverflowAlone(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel(), Vertices: streams{3, 5}}
	outputs := []pipe.OutputNumbers{out(0, 0, 4, 0), out(1, 0, 4, 0), out(2, 0, 3, 1)}
	b := newBench(t, o, pipe.Geometry, []uint64{4, 4, 3}, outputs, place{0, 96}, place{0, 96}, place{0, 24})
	b.begin(pipe.QueryStreamOutputOverflow, pipe.QueryStreamOutputOverflowAny, pipe.QueryStreamOutputStatistics)
	one, err := b.CreateQuery(pipe.QueryStreamOutputOverflow, 1)
	require.NoError(t, err)
	require.NoError(t, b.BeginQuery(one))
	d := b.draw(pipe.Points, 1, 1)
	require.Equal(t, [4]streamout.Count{known(3), known(5)}, d.Generated)
	require.Equal(t, [4]streamout.Count{known(3), known(2)}, d.Written)
	require.Equal(t, []uint64{48, 48, 24}, b.fills())
	require.Equal(t, []uint32{100, 100, 100, 101, 101, 101, 0xA5A5A5A5}, b.words(2)[:7])
	require.Equal(t, uint64(0), b.result(pipe.QueryStreamOutputOverflow).Value)
	require.Equal(t, uint64(1), b.result(pipe.QueryStreamOutputOverflowAny).Value)
	require.Equal(t, pipe.QueryValue{Known: true, Value: 3, Needed: 3}, b.result(pipe.QueryStreamOutputStatistics))
	require.NoError(t, b.EndQuery(one))
	v, err := b.QueryResult(one, true)
	require.NoError(t, err)
	require.Equal(t, uint64(1), v.Value)
}

func TestStreamThatIsNotCapturedIsGenerated(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel(), Vertices: streams{1, 5}}
	b := newBench(t, o, pipe.Geometry, []uint64{4}, vec4, place{0, 96})
	d := b.draw(pipe.Points, 1, 1)
	require.Equal(t, [4]streamout.Count{known(1), known(5)}, d.Generated)
	require.Equal(t, [4]streamout.Count{known(1)}, d.Written)
}

// TestOneRegisterInTwoStreams is legal: each stream has its own value of it.
func TestOneRegisterInTwoStreams(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel(), Vertices: streams{1, 1}}
	outputs := []pipe.OutputNumbers{{NumComponents: 4}, {NumComponents: 4, OutputBuffer: 1, Stream: 1}}
	b := newBench(t, o, pipe.Geometry, []uint64{4, 4}, outputs, place{0, 16}, place{0, 16})
	b.draw(pipe.Points, 1, 1)
	require.Equal(t, []uint32{0, 0, 0, 0}, b.words(0)[:4])
	require.Equal(t, []uint32{100, 100, 100, 100}, b.words(1)[:4])
}

// TestQuadsWithoutCapture: the draw module counts them whole then.
func TestQuadsWithoutCapture(t *testing.T) {
	for _, test := range []struct {
		mode                pipe.PrimitiveType
		n                   uint32
		captured, otherwise uint64
	}{{pipe.Quads, 8, 4, 2}, {pipe.QuadStrip, 6, 4, 2}, {pipe.Polygon, 5, 3, 1}, {pipe.Triangles, 7, 2, 2}} {
		for captured, want := range map[bool]uint64{true: test.captured, false: test.otherwise} {
			b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 1000})
			if !captured {
				b.set()
			}
			b.begin(pipe.QueryPrimitivesGenerated)
			b.draw(test.mode, test.n, 1)
			require.Equal(t, want, b.result(pipe.QueryPrimitivesGenerated).Value, "%s captured %v", test.mode, captured)
		}
	}
}

func TestDrawAuto(t *testing.T) {
	for _, test := range []struct {
		name     string
		points   uint32 // captured before, of 16 B each
		stride   uint32 // of the vertex element
		vertices streamout.Count
	}{
		{"as captured", 6, 16, known(6)},
		{"a stride of its own", 6, 12, known(8)},
		{"never written", 0, 16, known(0)},
		{"a remainder", 5, 12, known(6)},
		{"no stride, no vertices, no division", 4, 0, known(0)},
		{"what overflowed is not drawn", 9, 16, known(6)},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 96})
			b.draw(pipe.Points, test.points, 1)
			b.set()
			elements, err := b.CreateVertexElements(pipe.VertexElement{SrcStride: test.stride, HasSrcStride: true})
			require.NoError(t, err)
			require.NoError(t, b.Bind(pipe.KindVertexElements, elements))
			require.NoError(t, b.Context.DrawAuto(pipe.Triangles, 2, b.targets[0]))
			d := b.draws[len(b.draws)-1]
			require.Equal(t, test.vertices, d.Auto.Vertices)
			require.Equal(t, known(uint64(test.stride)), d.Auto.StrideBytes)
			require.Equal(t, known(test.vertices.Low/3*2), d.Generated[0], "two instances")
		})
	}
}

func TestDrawAutoOfUnknownVertices(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 96})
	b.draw(pipe.Points, 6, 1)
	b.set()
	require.NoError(t, b.Context.DrawAuto(pipe.Triangles, 1, b.targets[0]))
	d := b.draws[len(b.draws)-1]
	require.False(t, d.Auto.StrideBytes.Known(), "no vertex elements are bound")
	require.False(t, d.Auto.Vertices.Known())
	require.Contains(t, d.Why, "the vertex that the draw-auto reads")
}

func TestNothingOfNothing(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 96})
	target, err := b.CreateStreamOutputTarget(b.buffers[0], 0, 0)
	require.NoError(t, err)
	require.NoError(t, b.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	b.begin(pipe.QueryStreamOutputStatistics, pipe.QueryStreamOutputOverflow)
	d := b.draw(pipe.Points, 3, 1)
	require.Equal(t, known(0), d.Written[0])
	require.Equal(t, d.Targets[0].First, d.Targets[0].End)
	require.Equal(t, pipe.QueryValue{Known: true, Value: 0, Needed: 3}, b.result(pipe.QueryStreamOutputStatistics))
	require.Equal(t, uint64(1), b.result(pipe.QueryStreamOutputOverflow).Value)
}

func TestVerticesOfAllBuffersAndGaps(t *testing.T) {
	outputs := []pipe.OutputNumbers{out(0, 1, 2, 0), out(1, 0, 1, 0)}
	b := newBench(t, reference(), pipe.Vertex, []uint64{4, 1}, outputs, place{8, 32}, place{0, 8})
	require.NoError(t, b.Context.Draw(&pipe.DrawInfo{Mode: pipe.Lines, InstanceCount: 2}, pipe.DrawRange{Start: 7, Count: 2}))
	const gap = 0xA5A5A5A5
	require.Equal(t, []uint32{gap, gap, gap, 7, 7, gap, gap, 8, 8, gap, gap}, b.words(0)[:11])
	require.Equal(t, []uint32{107, 108, gap, gap, gap, gap}, b.words(1))
	target := b.draws[0].Targets[0]
	require.Equal(t, [2]uint64{12, 36}, [2]uint64{target.First, target.End})
}

func TestUnknownWords(t *testing.T) {
	o := reference()
	o.Vertices = streamout.VertexFunc(func(_ *state.Context, id streamout.VertexID) streamout.Vertex {
		return streamout.Vertex{Words: []uint32{id.Vertex, 1, 2}, Unknown: []uint64{1 << 1}}
	})
	b := newBench(t, o, pipe.Vertex, []uint64{4}, vec4, place{0, 32})
	b.draw(pipe.Points, 2, 1)
	for at, want := range []bool{true, false, true, false, true, false, true, false, true} {
		require.Equal(t, want, b.capture.Knows(b.buffers[0], uint64(4*at)), "dword %d", at)
	}
	require.NoError(t, b.BufferSubdata(b.buffers[0], 4, []byte{1, 2, 3, 4}))
	require.True(t, b.capture.Knows(b.buffers[0], 4), "an upload makes it known again")
}

func TestIndices(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{1}, []pipe.OutputNumbers{out(0, 0, 1, 0)}, place{0, 400})
	indices, err := b.CreateBuffer(64, pipe.BindIndexBuffer)
	require.NoError(t, err)
	var data []byte
	for _, i := range []uint16{9, 0, 1, 2, 0xFFFF, 3, 4, 5, 6, 0xFFFF, 7} {
		data = binary.LittleEndian.AppendUint16(data, i)
	}
	require.NoError(t, b.BufferSubdata(indices, 0, data))
	info := &pipe.DrawInfo{Mode: pipe.TriangleStrip, InstanceCount: 1, IndexSize: 2, Index: indices, PrimitiveRestart: true, RestartIndex: 0xFFFF}
	require.NoError(t, b.Context.Draw(info, pipe.DrawRange{Start: 1, Count: 10, IndexBias: 10}))
	require.Equal(t, known(3), b.draws[0].Generated[0])
	require.Equal(t, []uint32{10, 11, 12, 13, 14, 15, 15, 14, 16}, b.words(0)[:9])

	info.InstanceCount = 2
	require.NoError(t, b.Context.Draw(info, pipe.DrawRange{Start: 1, Count: 12}))
	require.Equal(t, streamout.AtMost(20), b.draws[1].Generated[0], "index 12 was never uploaded")
	require.NotEmpty(t, b.draws[1].Why)
}

func TestMultiDraw(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{1}, []pipe.OutputNumbers{out(0, 0, 1, 0)}, place{0, 400})
	require.NoError(t, b.Context.Draw(&pipe.DrawInfo{Mode: pipe.LineStrip, InstanceCount: 1},
		pipe.DrawRange{Start: 5, Count: 2}, pipe.DrawRange{Count: 1}, pipe.DrawRange{Start: 1, Count: 3}))
	require.Equal(t, known(3), b.draws[0].Written[0])
	require.Equal(t, []uint32{5, 6, 1, 2, 2, 3}, b.words(0)[:6])
}

func TestIndirect(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{1}, []pipe.OutputNumbers{out(0, 0, 1, 0)}, place{0, 400})
	parameters, err := b.CreateBuffer(64, 0)
	require.NoError(t, err)
	draw := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, NumDraws: 1, Draws: []pipe.DrawRange{{}},
		Indirect: &pipe.DrawIndirect{Buffer: parameters, Offset: 8, DrawCount: 2, Stride: 16}}
	_, err = b.Do(draw)
	require.NoError(t, err)
	require.False(t, b.draws[0].Generated[0].Bounded())
	require.False(t, b.capture.Knows(b.buffers[0], 399))
	require.NoError(t, b.BufferSubdata(b.buffers[0], 0, make([]byte, 416)))
	b.set(0)
	var data []byte
	for _, w := range []uint32{3, 1, 40, 0, 2, 2, 50, 0} {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	require.NoError(t, b.BufferSubdata(parameters, 8, data))
	_, err = b.Do(draw)
	require.NoError(t, err)
	require.Equal(t, known(7), b.draws[1].Written[0])
	require.Equal(t, []uint32{40, 41, 42, 50, 51, 1050, 1051}, b.words(0)[:7])
}

const (
	evaluationText = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 1\nPROPERTY TES_POINT_MODE 0\n  0: END\n"
	geometryText   = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\nPROPERTY GS_INVOCATIONS 2\n  0: END\n"
)

// text binds a shader of a stage that captures a vec4, with a text.
func (b *bench) text(stage pipe.Stage, text string) {
	n := pipe.StreamOutputNumbers{NumOutputs: 1, Stride: []uint64{4}, Output: vec4}
	s := pipe.ShaderState{Tokens: []byte(text)}
	require.Empty(b.t, n.Pack(&s.StreamOutput))
	h, err := b.CreateShader(stage, &s)
	require.NoError(b.t, err)
	require.NoError(b.t, b.BindShader(stage, h))
}

func TestTessellatedCapture(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel()}
	b := newBench(t, o, pipe.Vertex, []uint64{0}, nil, place{0, 400})
	b.text(pipe.TessEval, evaluationText)
	require.NoError(t, b.SetPatchVertices(4))
	d := b.draw(pipe.Patches, 9, 1)
	require.Equal(t, streamout.AtMost(2*2*64*64), d.Generated[0], "no factors were set, but none is above 64")
	require.Equal(t, streamout.AtMost(8), d.Written[0])

	_, err := b.Do(&pipe.SetTessState{Outer: [4]float32{1, 1, 1, 1}, Inner: [2]float32{1, 1}})
	require.NoError(t, err)
	b.set(0)
	d = b.draw(pipe.Patches, 9, 3)
	require.Equal(t, known(12), d.Generated[0], "two triangles for each of two patches in three instances")
	require.Equal(t, known(8), d.Written[0])
	require.Equal(t, []uint64{384}, b.fills())
	require.True(t, d.Targets[0].Known)
	require.Equal(t, uint64(384), d.Targets[0].End)
}

func TestGeometryShaderBounds(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel()}
	b := newBench(t, o, pipe.Vertex, []uint64{0}, nil, place{16, 400})
	b.text(pipe.Geometry, geometryText)
	d := b.draw(pipe.Triangles, 3, 1)
	require.Equal(t, streamout.AtMost(4), d.Generated[0], "two invocations, each a strip of four vertices")
	require.Equal(t, streamout.AtMost(4), d.Written[0])
	require.Equal(t, [2]uint64{16, 16 + 192}, [2]uint64{d.Targets[0].First, d.Targets[0].End})
	require.False(t, d.Targets[0].Known)
	require.Equal(t, streamout.AtMost(192), b.capture.Filled(b.targets[0]))
	require.False(t, b.capture.Knows(b.buffers[0], 16))
	require.True(t, b.capture.Knows(b.buffers[0], 16+192))
	b.begin(pipe.QueryPrimitivesEmitted)
	b.draw(pipe.Points, 0, 1)
	require.Equal(t, uint64(0), b.result(pipe.QueryPrimitivesEmitted).Value, "nothing in, nothing out")
}

func TestResumeTellsWhereItGoesOn(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 96})
	b.draw(pipe.Points, 2, 1)
	b.set()
	require.Empty(t, b.resumes)
	b.set(pipe.AppendOffset)
	require.Len(t, b.resumes, 1)
	require.Equal(t, known(32), b.resumes[0].Targets[0].Filled)
}

func TestQueriesFromTheSameCounters(t *testing.T) {
	b := newBench(t, reference(), pipe.Vertex, []uint64{4}, vec4, place{0, 40})
	b.begin(pipe.QueryPrimitivesGenerated, pipe.QueryPrimitivesEmitted, pipe.QueryStreamOutputStatistics,
		pipe.QueryStreamOutputOverflow, pipe.QueryStreamOutputOverflowAny)
	b.draw(pipe.Points, 5, 1)
	require.Equal(t, uint64(5), b.result(pipe.QueryPrimitivesGenerated).Value)
	require.Equal(t, uint64(2), b.result(pipe.QueryPrimitivesEmitted).Value)
	require.Equal(t, pipe.QueryValue{Known: true, Value: 2, Needed: 5}, b.result(pipe.QueryStreamOutputStatistics))
	require.Equal(t, uint64(1), b.result(pipe.QueryStreamOutputOverflow).Value)
	require.Equal(t, uint64(1), b.result(pipe.QueryStreamOutputOverflowAny).Value)
	high, err := b.CreateQuery(pipe.QueryPrimitivesEmitted, 7)
	require.NoError(t, err)
	require.NoError(t, b.BeginQuery(high))
	b.draw(pipe.Points, 1, 1)
	require.NoError(t, b.EndQuery(high))
	v, err := b.QueryResult(high, true)
	require.NoError(t, err)
	require.Equal(t, pipe.QueryValue{Known: true}, v, "there is no stream 7")
}

func TestHugeCountsStayCheap(t *testing.T) {
	o := streamout.CaptureOptions{Model: streamout.ReferenceModel()}
	b := newBench(t, o, pipe.Vertex, []uint64{0}, []pipe.OutputNumbers{out(0, 0, 1, 0)}, place{0, 400})
	d := b.draw(pipe.Points, math.MaxUint32, math.MaxUint32)
	require.True(t, d.Generated[0].Known())
	require.Equal(t, []uint64{0}, b.fills(), "without a stride every vertex lies at the start")
	require.False(t, b.capture.Knows(b.buffers[0], 0))
	require.True(t, b.capture.Knows(b.buffers[0], 4))
}
