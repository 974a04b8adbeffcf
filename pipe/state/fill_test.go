package state_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// capture is a context that captures with one shader into fresh targets.
type capture struct {
	*tape
	targets []pipe.Handle
}

// newCapture binds a shader of the stage with an output for each buffer of
// strides, num components each in dwords, and targets of the sizes in bytes.
func newCapture(stage pipe.Stage, strides, num []uint64, sizes ...uint32) *capture {
	p := &capture{tape: newTape()}
	n := pipe.StreamOutputNumbers{NumOutputs: uint64(len(strides)), Stride: strides}
	for b := range strides {
		n.Output = append(n.Output, pipe.OutputNumbers{RegisterIndex: uint64(b), NumComponents: num[b], OutputBuffer: uint64(b)})
	}
	create := &pipe.CreateShader{Stage: stage}
	n.Pack(&create.State.StreamOutput)
	p.do(2, create, 0x50)
	p.do(2, &pipe.BindState{Kind: pipe.ShaderKind(stage), State: 0x50}, 0)
	for i, size := range sizes {
		h := pipe.Handle(0)
		if size > 0 {
			h = pipe.Handle(0x60 + i)
			p.do(2, &pipe.CreateStreamOutputTarget{Resource: 9, BufferSize: size}, h)
		}
		p.targets = append(p.targets, h)
	}
	p.set(make([]uint32, len(sizes))...)
	return p
}

func (p *capture) set(offsets ...uint32) {
	p.do(2, &pipe.SetStreamOutputTargets{NumTargets: uint32(len(offsets)), Targets: p.targets[:len(offsets)], Offsets: offsets}, 0)
}

func (p *capture) draw(mode pipe.PrimitiveType, count, instances uint32) {
	p.do(2, &pipe.Draw{Info: pipe.DrawInfo{Mode: mode, InstanceCount: instances}, Draws: []pipe.DrawRange{{Count: count}}, NumDraws: 1}, 0)
}

const unknownFill = -1

// fills returns the bytes of each target, or unknownFill.
func (p *capture) fills() []int64 {
	var list []int64
	for _, h := range p.targets {
		switch t := p.m.Target(h); {
		case h == 0:
			list = append(list, 0)
		case !t.Fill.Known:
			list = append(list, unknownFill)
		default:
			list = append(list, int64(t.Fill.Bytes))
		}
	}
	return list
}

func TestFill(t *testing.T) {
	const appends = pipe.AppendOffset
	one := func(stride, num uint64, size uint32) *capture {
		return newCapture(pipe.Vertex, []uint64{stride}, []uint64{num}, size)
	}
	two := func() *capture {
		return newCapture(pipe.Vertex, []uint64{4, 2}, []uint64{4, 2}, 96, 40)
	}
	for _, test := range []struct {
		name string
		run  func() *capture
		want []int64
	}{
		{"a strip whose third triangle does not fit", func() *capture {
			p := one(4, 3, 100)
			p.draw(pipe.TriangleStrip, 5, 1)
			return p
		}, []int64{96}},
		{"a strip whose second triangle fits by its extent only", func() *capture {
			p := one(4, 3, 92)
			p.draw(pipe.TriangleStrip, 5, 1)
			return p
		}, []int64{unknownFill}},
		{"a point that fits by its extent only", func() *capture {
			p := one(4, 3, 28)
			p.draw(pipe.Points, 2, 1)
			return p
		}, []int64{unknownFill}},
		{"but not if it is not drawn", func() *capture {
			p := one(4, 3, 28)
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{16}},
		{"one full buffer stops both", func() *capture {
			p := two()
			p.draw(pipe.Triangles, 6, 1)
			return p
		}, []int64{48, 24}},
		{"a smaller primitive fits after that", func() *capture {
			p := two()
			p.draw(pipe.Triangles, 6, 1)
			p.set()
			p.set(appends, appends)
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{64, 32}},
		{"each target has its own offset", func() *capture {
			p := two()
			p.draw(pipe.Triangles, 6, 1)
			p.set(appends, appends)
			p.draw(pipe.Points, 1, 1)
			p.set(0, appends)
			return p
		}, []int64{0, 32}},
		{"an offset in bytes seeks", func() *capture {
			p := one(4, 4, 96)
			p.set(32)
			p.draw(pipe.Points, 2, 1)
			return p
		}, []int64{64}},
		{"a geometry shader's count is not known", func() *capture {
			p := newCapture(pipe.Geometry, []uint64{4}, []uint64{4}, 96)
			p.draw(pipe.Points, 3, 1)
			return p
		}, []int64{unknownFill}},
		{"a slot without a target: drivers differ", func() *capture {
			p := newCapture(pipe.Vertex, []uint64{4, 4}, []uint64{4, 4}, 96, 0)
			p.draw(pipe.Points, 3, 1)
			return p
		}, []int64{unknownFill, 0}},
		{"quads are captured as triangles", func() *capture {
			p := one(1, 1, 1024)
			p.draw(pipe.Quads, 8, 1)
			return p
		}, []int64{12 * 4}},
		{"a quad strip", func() *capture {
			p := one(1, 1, 1024)
			p.draw(pipe.QuadStrip, 6, 1)
			return p
		}, []int64{12 * 4}},
		{"a polygon", func() *capture {
			p := one(1, 1, 1024)
			p.draw(pipe.Polygon, 5, 1)
			return p
		}, []int64{9 * 4}},
		{"a vertex left over", func() *capture {
			p := one(1, 1, 1024)
			p.draw(pipe.Triangles, 7, 1)
			return p
		}, []int64{6 * 4}},
		{"instances of a loop", func() *capture {
			p := one(1, 1, 1024)
			p.draw(pipe.LineLoop, 4, 3)
			return p
		}, []int64{24 * 4}},
		{"an offset near 2^32 does not wrap here", func() *capture {
			p := one(4, 4, 96)
			p.set(0xFFFFFFF0)
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{0xFFFFFFF0}},
		{"unbound draws leave it", func() *capture {
			p := one(4, 4, 96)
			p.draw(pipe.Points, 1, 1)
			p.set()
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{16}},
		{"an indirect draw", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Indirect: &pipe.DrawIndirect{Buffer: 7}}, 0)
			return p
		}, []int64{unknownFill}},
		{"unknown stays unknown when it goes on", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Indirect: &pipe.DrawIndirect{Buffer: 7}}, 0)
			p.set(appends)
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{unknownFill}},
		{"and is known once it begins anew", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Indirect: &pipe.DrawIndirect{Buffer: 7}}, 0)
			p.set(0)
			p.draw(pipe.Points, 1, 1)
			return p
		}, []int64{16}},
		{"restart may begin primitives anew", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1, IndexSize: 2, PrimitiveRestart: true}, Draws: []pipe.DrawRange{{Count: 2}}, NumDraws: 1}, 0)
			return p
		}, []int64{unknownFill}},
		{"a bind without offsets does not say", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: p.targets}, 0)
			return p
		}, []int64{unknownFill}},
		{"nor one without targets", func() *capture {
			p := one(4, 4, 96)
			p.do(2, &pipe.SetStreamOutputTargets{NumTargets: 1, Offsets: []uint32{0}}, 0)
			return p
		}, []int64{unknownFill}},
		{"instances beyond all numbers", func() *capture {
			p := one(1, 1, 64)
			p.draw(pipe.TriangleStrip, 1<<32-1, 1<<32-1)
			return p
		}, []int64{5 * 3 * 4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, test.run().fills())
		})
	}
}

func TestDrawAutoTakesItsCountFromTheTarget(t *testing.T) {
	p := newCapture(pipe.Vertex, []uint64{4}, []uint64{4}, 96)
	p.draw(pipe.Points, 6, 1)
	source := p.targets[0]
	p.do(2, &pipe.CreateVertexElements{Elements: []pipe.VertexElement{{SrcStride: 16, HasSrcStride: true}}}, 0x70)
	p.do(2, &pipe.BindState{Kind: pipe.KindVertexElements, State: 0x70}, 0)
	auto := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 2}, Indirect: &pipe.DrawIndirect{CountFromStreamOutput: source},
		Draws: []pipe.DrawRange{{}}, NumDraws: 1}
	require.Equal(t, state.Primitives{Count: 4, Known: true}, p.m.DrawPrimitives(p.m.Context(2), auto))
	auto.Indirect.CountFromStreamOutput = 0xdead
	require.False(t, p.m.DrawPrimitives(p.m.Context(2), auto).Known, "a target that nobody created")
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		name              string
		size              uint32
		filled            uint64
		stride, extent, v uint64
		low, high         uint64
	}{
		{"whole vertices", 64, 0, 16, 16, 1, 4, 4},
		{"one more by its extent", 28, 0, 16, 12, 1, 1, 2},
		{"whole primitives only", 64, 0, 16, 16, 3, 1, 1},
		{"from where it is filled", 64, 48, 16, 16, 1, 1, 1},
		{"filled past its end", 28, 32, 16, 12, 1, 0, 0},
		{"less than an extent", 8, 0, 16, 12, 1, 0, 0},
		{"no primitive at all", 64, 0, 16, 16, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			low, high := state.Fits(&state.Target{Size: test.size, Fill: state.Fill{Bytes: test.filled, Known: true}}, test.stride, test.extent, test.v)
			require.Equal(t, [2]uint64{test.low, test.high}, [2]uint64{low, high})
		})
	}
}

// TestOverflowed holds that a session tells of the first draw that cannot fit,
// and not of one that some drivers have room for.
func TestOverflowed(t *testing.T) {
	p := newCapture(pipe.Vertex, []uint64{8, 4}, []uint64{4, 4}, 96, 64)
	overflowed := func() bool { return p.m.Context(2).Session.Overflowed }
	p.draw(pipe.Points, 3, 1)
	require.False(t, overflowed(), "three of 32 and 16 bytes")
	p.draw(pipe.Points, 1, 1)
	require.True(t, overflowed(), "the first target is full")
	p.draw(pipe.Points, 0, 1)
	require.True(t, overflowed(), "it was")
	p.set(80, 0)
	require.False(t, overflowed(), "bound anew")
	p.draw(pipe.Points, 1, 1)
	require.False(t, overflowed(), "its 16 bytes fit, its stride of 32 does not")
}
