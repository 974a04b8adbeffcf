package streamout_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// slowValue is a dword that is put out, or unknown.
type slowValue struct {
	word  uint32
	known bool
}

// slowVertex has the components of its registers by number; those of the last
// one are never known.
type slowVertex [24]slowValue

// slowTarget is a target with its whole buffer, byte by byte; -1 is unknown.
type slowTarget struct {
	offset, size int
	bytes        []int
	filled       int
}

// slowCapture is the second implementation: it looks at one output of one vertex
// at a time, and writes a byte at a time.
type slowCapture struct {
	info               pipe.StreamOutputNumbers
	slots              map[int]*slowTarget
	wholeVertices      bool // the stride must fit
	generated, written [4]int
}

// primitive captures one primitive of a stream.
func (s *slowCapture) primitive(stream int, vertices ...slowVertex) {
	s.generated[stream]++
	used := map[int]bool{}
	for _, o := range s.info.Output {
		if int(o.Stream) == stream {
			used[int(o.OutputBuffer)] = true
		}
	}
	if len(used) == 0 {
		return
	}
	for j := range vertices {
		for _, o := range s.info.Output {
			if int(o.Stream) != stream {
				continue
			}
			b := int(o.OutputBuffer)
			t := s.slots[b]
			if t == nil {
				return
			}
			stride := int(s.info.Stride[b])
			if t.filled+4*(j*stride+int(o.DstOffset)+int(o.NumComponents)) > t.size {
				return
			}
			if s.wholeVertices && t.filled+4*(j+1)*stride > t.size {
				return
			}
		}
	}
	for _, v := range vertices {
		for _, o := range s.info.Output {
			if int(o.Stream) == stream {
				s.output(o, v)
			}
		}
		for b := range used {
			s.slots[b].filled += 4 * int(s.info.Stride[b])
		}
	}
	s.written[stream]++
}

func (s *slowCapture) output(o pipe.OutputNumbers, v slowVertex) {
	t := s.slots[int(o.OutputBuffer)]
	for c := range int(o.NumComponents) {
		at := t.offset + t.filled + 4*(int(o.DstOffset)+c)
		value := v[4*int(o.RegisterIndex)+int(o.StartComponent)+c]
		for k := range 4 {
			t.bytes[at+k] = -1
			if value.known {
				t.bytes[at+k] = int(value.word >> (8 * k) & 0xFF)
			}
		}
	}
}

// slowAssemble makes primitives of vertices as they arrive, one after another.
func slowAssemble(mode pipe.PrimitiveType, first bool, vs []slowVertex, emit func(vertices ...slowVertex)) {
	pick := func(base int, last, other []int) {
		order := last
		if first {
			order = other
		}
		emit(vs[base+order[0]], vs[base+order[1]], vs[base+order[2]])
	}
	hub := func(i int, hubFirst bool) {
		if hubFirst {
			emit(vs[0], vs[i-1], vs[i])
		} else {
			emit(vs[i-1], vs[i], vs[0])
		}
	}
	for i := range vs {
		switch mode {
		case pipe.Points:
			emit(vs[i])
		case pipe.Lines:
			if i%2 == 1 {
				emit(vs[i-1], vs[i])
			}
		case pipe.LineStrip, pipe.LineLoop:
			if i >= 1 {
				emit(vs[i-1], vs[i])
			}
			if mode == pipe.LineLoop && i >= 1 && i == len(vs)-1 {
				emit(vs[i], vs[0])
			}
		case pipe.LinesAdjacency:
			if i%4 == 3 {
				emit(vs[i-2], vs[i-1])
			}
		case pipe.LineStripAdjacency:
			if i >= 3 {
				emit(vs[i-2], vs[i-1])
			}
		case pipe.Triangles:
			if i%3 == 2 {
				emit(vs[i-2], vs[i-1], vs[i])
			}
		case pipe.TrianglesAdjacency:
			if i%6 == 5 {
				emit(vs[i-5], vs[i-3], vs[i-1])
			}
		case pipe.TriangleStrip:
			if i >= 2 && i%2 == 0 {
				emit(vs[i-2], vs[i-1], vs[i])
			} else if i >= 2 {
				pick(i-2, []int{1, 0, 2}, []int{0, 2, 1})
			}
		case pipe.TriangleStripAdjacency:
			if i >= 5 && i%4 == 1 {
				emit(vs[i-5], vs[i-3], vs[i-1])
			} else if i >= 5 && i%4 == 3 {
				pick(i-5, []int{2, 0, 4}, []int{0, 4, 2})
			}
		case pipe.TriangleFan:
			if i >= 2 {
				hub(i, !first)
			}
		case pipe.Polygon:
			if i >= 2 {
				hub(i, first)
			}
		case pipe.Quads:
			if i%4 == 3 {
				pick(i-3, []int{0, 1, 3}, []int{0, 1, 2})
				pick(i-3, []int{1, 2, 3}, []int{0, 2, 3})
			}
		case pipe.QuadStrip:
			if i >= 3 && i%2 == 1 {
				pick(i-3, []int{2, 0, 3}, []int{0, 3, 2})
				emit(vs[i-3], vs[i-2], vs[i])
			}
		}
	}
}

// scene is a Capture that lives through many random cases, and gives the values
// of its vertices itself.
type scene struct {
	t       *testing.T
	r       *rand.Rand
	capture *streamout.Capture
	last    streamout.CapturedDraw
	rule    streamout.OverflowRule
	context pipe.Context
	shaded  [][]streamout.Vertex // primitives of the geometry shader
	streams []int                // of each of them
	index   pipe.Handle
	rasters [2]pipe.Handle
}

func newScene(t *testing.T, seed uint64, rule streamout.OverflowRule) *scene {
	s := &scene{t: t, r: rand.New(rand.NewPCG(seed, 8)), rule: rule}
	s.capture = streamout.NewCapture(streamout.CaptureOptions{
		Model: streamout.ReferenceModel(), Overflow: rule, Vertices: s,
		Draw: func(d *streamout.CapturedDraw) { s.last = *d },
	})
	// The cases share a few addresses, as a driver's objects do.
	c, err := pipe.NewContext(s.capture)
	require.NoError(t, err)
	s.context = c
	for i := range s.rasters {
		s.rasters[i], err = c.CreateRasterizer(&pipe.RasterizerState{FlatshadeFirst: i == 1})
		require.NoError(t, err)
	}
	s.index = 0x900
	return s
}

// value is what a vertex puts out in a component: a number that no other has.
func value(vertex, instance uint32, component int) slowValue {
	return slowValue{vertex<<16 | instance<<8 | uint32(component), (vertex+uint32(component))%11 != 0}
}

// Vertices puts out five registers.
func (s *scene) Vertices(_ *state.Context, ids []streamout.VertexID, out []streamout.Vertex) {
	for i, id := range ids {
		out[i] = vertexOf(id.Vertex, id.Instance)
	}
}

func vertexOf(vertex, instance uint32) streamout.Vertex {
	v := streamout.Vertex{Words: make([]uint32, 20), Unknown: make([]uint64, 1)}
	for i := range v.Words {
		x := value(vertex, instance, i)
		v.Words[i] = x.word
		if !x.known {
			v.Unknown[0] |= 1 << i
		}
	}
	return v
}

// Primitives emits what the case made up.
func (s *scene) Primitives(_ *state.Context, _ pipe.Call, emit func(int, []streamout.Vertex) bool) bool {
	for i, p := range s.shaded {
		if !emit(s.streams[i], p) {
			break
		}
	}
	return true
}

func slowVertexOf(vertex, instance uint32) slowVertex {
	var v slowVertex
	for i := range 20 {
		v[i] = value(vertex, instance, i)
	}
	return v
}

// do sends a call whose create returns the handle.
func (s *scene) do(call pipe.Call, h pipe.Handle) {
	op := pipe.Op{Call: call, Context: s.context.Handle, Ret: pipe.Result{Handle: h, Known: true}}
	require.NoError(s.t, s.capture.Do(&op))
}

// randomInfo makes an info with up to five outputs. A slot belongs to one
// stream, which is 0 without a geometry shader.
func (s *scene) randomInfo(geometry bool) pipe.StreamOutputInfo {
	r := s.r
	var info pipe.StreamOutputInfo
	var streams [4]uint64
	for b := range streams {
		if geometry {
			streams[b] = r.Uint64N(4)
		}
	}
	n := 1 + r.IntN(5)
	for k := range n {
		b := r.Uint64N(uint64(1 + r.IntN(4)))
		o, err := pipe.PackMask(r.Uint64N(6), 1+r.Uint64N(15), b, r.Uint64N(4), streams[b])
		require.NoError(s.t, err)
		info.Output[k] = o
	}
	info.NumOutputs = uint32(n)
	for b := range info.Stride {
		info.Stride[b] = uint16(r.IntN(3) + info.Extent(b))
		if r.IntN(16) == 0 {
			info.Stride[b] = uint16(r.IntN(5)) // outputs reach behind it
		}
	}
	return info
}

// run plays one random case in both implementations and compares all.
func (s *scene) run(n int) {
	r, t := s.r, s.t
	geometry := r.IntN(8) == 0
	stage := pipe.Vertex
	if geometry {
		stage = pipe.Geometry
	}
	create := &pipe.CreateShader{Stage: stage}
	create.State.StreamOutput = s.randomInfo(geometry)
	s.do(create, 0x100)
	s.do(&pipe.BindState{Kind: pipe.ShaderKind(stage), State: 0x100}, 0)
	if !geometry {
		s.do(&pipe.BindState{Kind: pipe.ShaderKind(pipe.Geometry)}, 0)
	}
	slow := &slowCapture{info: *create.State.StreamOutput.Numbers(), slots: map[int]*slowTarget{}, wholeVertices: s.rule == streamout.OverflowStride}
	set := s.makeTargets(slow, create.State.StreamOutput.Buffers())
	first := r.IntN(2)
	s.do(&pipe.BindState{Kind: pipe.KindRasterizer, State: s.rasters[first]}, 0)
	s.do(set, 0)
	for range 1 + r.IntN(3) {
		slow.generated, slow.written = [4]int{}, [4]int{}
		s.last = streamout.CapturedDraw{}
		if geometry {
			s.shade(slow)
		} else {
			s.draw(slow, first == 1)
		}
		for stream := range 4 {
			if len(slow.slots) == 0 {
				break // nothing is captured, and nothing reported
			}
			require.Equal(t, streamout.Exactly(uint64(slow.generated[stream])), s.last.Generated[stream], "case %d stream %d", n, stream)
			require.Equal(t, streamout.Exactly(uint64(slow.written[stream])), s.last.Written[stream], "case %d stream %d", n, stream)
		}
		s.rebind(slow, set)
	}
	s.compare(n, slow)
}

// makeTargets makes a target for most slots.
func (s *scene) makeTargets(slow *slowCapture, used uint8) *pipe.SetStreamOutputTargets {
	set := &pipe.SetStreamOutputTargets{}
	for b := range 4 {
		h := pipe.Handle(0)
		if used>>b&1 != 0 && s.r.IntN(12) != 0 {
			h = pipe.Handle(0x200 + b)
			target := &slowTarget{offset: 4 * s.r.IntN(4), size: s.r.IntN(160)}
			target.bytes = make([]int, target.offset+target.size+8)
			fill := make([]byte, len(target.bytes))
			for i := range fill {
				fill[i], target.bytes[i] = 0xA5, 0xA5
			}
			slow.slots[b] = target
			buffer := pipe.Handle(0x300 + b)
			s.do(&pipe.ResourceCreate{Template: pipe.ResourceTemplate{Width: uint32(len(fill))}}, buffer)
			s.do(&pipe.BufferSubdata{Resource: buffer, Size: uint32(len(fill)), Data: pipe.BytesBlob(fill)}, 0)
			s.do(&pipe.CreateStreamOutputTarget{Resource: buffer, BufferOffset: uint32(target.offset), BufferSize: uint32(target.size)}, h)
		}
		set.Targets, set.Offsets = append(set.Targets, h), append(set.Offsets, 0)
	}
	set.NumTargets = 4
	return set
}

// rebind pauses and resumes now and then, or moves a target.
func (s *scene) rebind(slow *slowCapture, set *pipe.SetStreamOutputTargets) {
	if s.r.IntN(2) == 0 {
		return
	}
	s.do(&pipe.SetStreamOutputTargets{}, 0)
	for b := range set.Offsets {
		set.Offsets[b] = pipe.AppendOffset
		if s.r.IntN(3) == 0 {
			set.Offsets[b] = uint32(4 * s.r.IntN(12))
			if t := slow.slots[b]; t != nil {
				t.filled = int(set.Offsets[b])
			}
		}
	}
	s.do(set, 0)
}

// draw draws with the vertex shader alone: ranges of vertices, or of indices
// that may restart.
func (s *scene) draw(slow *slowCapture, first bool) {
	r := s.r
	draw := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.PrimitiveType(r.IntN(14)), InstanceCount: uint32(r.IntN(3))}}
	indices := make([]byte, 24)
	if r.IntN(3) == 0 {
		for i := range indices {
			indices[i] = byte(r.IntN(9))
		}
		s.do(&pipe.ResourceCreate{Template: pipe.ResourceTemplate{Width: 24}}, s.index)
		s.do(&pipe.BufferSubdata{Resource: s.index, Size: 24, Data: pipe.BytesBlob(indices)}, 0)
		draw.Info.IndexSize, draw.Info.Index, draw.Info.RestartIndex = 1, s.index, 4
		draw.Info.PrimitiveRestart = r.IntN(2) == 0
	}
	for range r.IntN(3) {
		draw.Draws = append(draw.Draws, pipe.DrawRange{Start: uint32(r.IntN(8)), Count: uint32(r.IntN(17)), IndexBias: int32(r.IntN(5))})
	}
	draw.NumDraws = uint32(len(draw.Draws))
	for _, d := range draw.Draws {
		for instance := range draw.Info.InstanceCount {
			var vs []slowVertex
			cut := func() {
				slowAssemble(draw.Info.Mode, first, vs, func(p ...slowVertex) { slow.primitive(0, p...) })
				vs = nil
			}
			for i := d.Start; i < d.Start+d.Count; i++ {
				switch {
				case draw.Info.IndexSize == 0:
					vs = append(vs, slowVertexOf(i, instance))
				case draw.Info.PrimitiveRestart && indices[i] == 4:
					cut()
				default:
					vs = append(vs, slowVertexOf(uint32(indices[i])+uint32(d.IndexBias), instance))
				}
			}
			cut()
		}
	}
	s.do(draw, 0)
}

// shade draws with a geometry shader that puts out primitives of one kind in
// several streams.
func (s *scene) shade(slow *slowCapture) {
	r := s.r
	s.shaded, s.streams = nil, nil
	each := 1 + r.IntN(3)
	for i := range r.IntN(9) {
		stream := r.IntN(4)
		var p []streamout.Vertex
		var vs []slowVertex
		for k := range each {
			p, vs = append(p, vertexOf(uint32(i), uint32(k))), append(vs, slowVertexOf(uint32(i), uint32(k)))
		}
		s.shaded, s.streams = append(s.shaded, p), append(s.streams, stream)
		slow.primitive(stream, vs...)
	}
	s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 1}}, NumDraws: 1}, 0)
}

// compare holds the positions and every byte of all buffers.
func (s *scene) compare(n int, slow *slowCapture) {
	for b, want := range slow.slots {
		require.Equal(s.t, streamout.Exactly(uint64(want.filled)), s.capture.Filled(pipe.Handle(0x200+b)), "case %d slot %d", n, b)
		got := make([]byte, len(want.bytes))
		for at := 0; at < len(got); at++ {
			at += s.capture.Read(pipe.Handle(0x300+b), uint64(at), got[at:])
			if at < len(got) && want.bytes[at] >= 0 {
				require.Fail(s.t, "a byte is not known", "case %d slot %d byte %d", n, b, at)
			}
			if at < len(got) {
				got[at] = 1 // unknown: marked below
			}
		}
		for at, x := range want.bytes {
			if x < 0 && s.capture.Knows(pipe.Handle(0x300+b), uint64(at)) || x >= 0 && got[at] != byte(x) {
				require.Fail(s.t, "a byte differs", "case %d slot %d byte %d: want %d, got %d", n, b, at, x, got[at])
			}
		}
	}
}

func TestCaptureAgreesWithSlowOne(t *testing.T) {
	cases := 100_000
	switch {
	case testing.Short():
		cases = 20_000
	case os.Getenv("OUTFLOW_CORPUS") != "": // the long checks
		cases = 1_000_000
	}
	for _, rule := range []streamout.OverflowRule{streamout.OverflowExtent, streamout.OverflowStride} {
		t.Run(rule.String(), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, uint64(rule), rule)
			for n := range cases / 2 {
				s.run(n)
			}
		})
	}
}
