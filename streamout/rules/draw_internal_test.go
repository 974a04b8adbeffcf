package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// found runs calls through a Track with all rules and returns the severity of
// what one rule reports, Silent when it reports nothing.
func found(t *testing.T, id string, calls func(s *scene)) streamout.Severity {
	t.Helper()
	severity := streamout.Silent
	track := streamout.NewTrack(streamout.Options{Rules: All(), Report: func(f *streamout.Finding) {
		if f.Rule.ID == id {
			severity = max(severity, f.Severity)
		}
	}})
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	require.NoError(t, err)
	require.NoError(t, play(calls)(ctx))
	return severity
}

// blockText reads constant buffer 1 and no vertex input.
const blockText = "VERT\nDCL OUT[0], POSITION\nDCL CONST[1][0]\n  0: MOV OUT[0], CONST[1][0]\n  1: END\n"

func TestReadWriteHazard(t *testing.T) {
	capture := func(s *scene, text string, offset, size uint32) pipe.Handle {
		buffer := s.buffer(256)
		s.shaderText(pipe.Vertex, text, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
		s.set(0, s.target(buffer, offset, size))
		return buffer
	}
	constants := func(s *scene, buffer pipe.Handle, slot, offset uint32) {
		s.do(&pipe.SetConstantBuffer{Stage: pipe.Vertex, Index: slot, Buffer: &pipe.ConstantBuffer{Resource: buffer, Offset: offset, Size: 64}})
	}
	for _, c := range []struct {
		name  string
		calls func(s *scene)
		want  streamout.Severity
	}{
		{"vertices that are read", func(s *scene) {
			s.vertices(capture(s, vertexText, 0, 64), 0, 16)
			s.draw(pipe.Points, 4)
		}, streamout.Error},
		{"vertices before the target", func(s *scene) {
			s.vertices(capture(s, vertexText, 64, 64), 0, 16)
			s.draw(pipe.Points, 4)
		}, streamout.Warning},
		{"one vertex too many", func(s *scene) {
			s.vertices(capture(s, vertexText, 64, 64), 0, 16)
			s.draw(pipe.Points, 5)
		}, streamout.Error},
		{"vertices that the shader does not read", func(s *scene) {
			s.vertices(capture(s, constantText, 0, 64), 0, 16)
			s.draw(pipe.Points, 4)
		}, streamout.Silent},
		{"vertices without a text", func(s *scene) {
			s.vertices(capture(s, "", 0, 64), 0, 16)
			s.draw(pipe.Points, 4)
		}, streamout.Warning},
		{"vertices by indices", func(s *scene) {
			s.vertices(capture(s, vertexText, 64, 64), 0, 16)
			s.indexed(pipe.DrawInfo{Mode: pipe.Points}, s.buffer(64), 4)
		}, streamout.Warning},
		{"indices", func(s *scene) {
			s.indexed(pipe.DrawInfo{Mode: pipe.Points}, capture(s, constantText, 0, 64), 4)
		}, streamout.Error},
		{"indices of the application", func(s *scene) {
			s.indexed(pipe.DrawInfo{Mode: pipe.Points, HasUserIndices: true}, capture(s, constantText, 0, 64), 4)
		}, streamout.Silent},
		{"a constant buffer that is read", func(s *scene) {
			constants(s, capture(s, blockText, 0, 64), 1, 0)
			s.draw(pipe.Points, 1)
		}, streamout.Error},
		{"a stale constant buffer", func(s *scene) {
			constants(s, capture(s, blockText, 0, 64), 2, 0)
			s.draw(pipe.Points, 1)
		}, streamout.Silent},
		{"an indirect buffer", func(s *scene) {
			buffer := capture(s, constantText, 0, 64)
			s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points}, Indirect: &pipe.DrawIndirect{Buffer: buffer, DrawCount: 1},
				Draws: []pipe.DrawRange{{}}, NumDraws: 1})
		}, streamout.Error},
		{"a slot that nothing is captured into", func(s *scene) {
			buffer := s.buffer(64)
			s.shaderText(pipe.Vertex, vertexText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.vertices(buffer, 0, 16)
			s.set(0, s.fresh(64), s.target(buffer, 0, 64))
			s.draw(pipe.Points, 4)
		}, streamout.Silent},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, found(t, "so-read-write-hazard", c.calls))
		})
	}
}

func TestMapWhileBound(t *testing.T) {
	access := func(draw bool, call func(buffer pipe.Handle) pipe.Call) func(s *scene) {
		return func(s *scene) {
			buffer := s.buffer(256)
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.target(buffer, 0, 256))
			if draw {
				s.draw(pipe.Points, 1)
			}
			s.do(call(buffer))
		}
	}
	write := func(flags pipe.MapFlags) func(pipe.Handle) pipe.Call {
		return func(b pipe.Handle) pipe.Call {
			return &pipe.Map{Resource: b, Usage: pipe.MapWrite | flags, Box: pipe.Box{Width: 16, Height: 1, Depth: 1}, Transfer: 1}
		}
	}
	const id = "so-map-while-bound"
	require.Equal(t, streamout.Warning, found(t, id, access(true, write(0))))
	require.Equal(t, streamout.Error, found(t, id, access(true, write(pipe.MapUnsynchronized))))
	require.Equal(t, streamout.Warning, found(t, id, access(false, write(pipe.MapUnsynchronized))), "nothing was captured yet")
	require.Equal(t, streamout.Silent, found(t, id, access(true, func(b pipe.Handle) pipe.Call {
		return &pipe.BufferSubdata{Resource: b, Size: 16, Synthetic: true}
	})), "recorded at an unmap, never called")
}

// TestLeftover compares with the number of primitives: the vertices that are
// left over can be dropped without changing it, and no more can.
func TestLeftover(t *testing.T) {
	for mode := pipe.Points; mode < pipe.Patches; mode++ {
		for n := range uint32(40) {
			rest, need := leftover(mode, n, 0)
			prims := mode.Primitives(uint64(n))
			require.Equal(t, prims, mode.Primitives(uint64(n-rest)), "%s of %d", mode, n)
			require.Equal(t, n < need, prims == 0, "%s of %d", mode, n)
			if prims > 0 {
				require.Less(t, mode.Primitives(uint64(n-rest-1)), prims, "%s of %d", mode, n)
			}
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for format, want := range map[pipe.Format]uint64{
		"PIPE_FORMAT_R32G32B32A32_FLOAT": 16, "PIPE_FORMAT_R8_UNORM": 1, "PIPE_FORMAT_R10G10B10A2_UNORM": 4,
		"PIPE_FORMAT_R64G64_FLOAT": 16, "PIPE_FORMAT_DXT1_RGB": 0, "PIPE_FORMAT_NONE": 0, "": 0, "7": 0,
	} {
		require.Equal(t, want, formatBytes(format), "%s", format)
	}
}

// TestQuietDrawAllocatesNothing holds the rules over draws to it.
func TestQuietDrawAllocatesNothing(t *testing.T) {
	track := streamout.NewTrack(streamout.Options{Rules: All()})
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	require.NoError(t, err)
	s := &scene{c: ctx}
	s.shaderText(pipe.Vertex, vertexText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
	s.vertices(s.buffer(64), 0, 16)
	s.set(0, s.fresh(1<<20))
	s.begin(s.query(pipe.QueryPrimitivesEmitted, 0))
	require.NoError(t, s.err)
	op := &pipe.Op{Screen: ctx.Screen, Context: ctx.Handle, Call: &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1},
		Draws: []pipe.DrawRange{{Count: 2}}, NumDraws: 1}}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		op.Ret = pipe.Result{}
		track.Check(op)
		track.Record(op)
	}))
}

// BenchmarkDraw measures a capturing draw after a change of its inputs, with all
// rules and with none.
func BenchmarkDraw(b *testing.B) {
	for name, list := range map[string][]*streamout.Rule{"all": All(), "none": nil} {
		b.Run(name, func(b *testing.B) {
			track := streamout.NewTrack(streamout.Options{Rules: list})
			ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
			require.NoError(b, err)
			s := &scene{c: ctx}
			s.shaderText(pipe.Vertex, vertexText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.vertices(s.buffer(64), 0, 16)
			s.set(0, s.fresh(1<<31))
			vb := &pipe.Op{Screen: ctx.Screen, Context: ctx.Handle, Call: &pipe.SetVertexBuffers{All: true, Count: 1, Buffers: []pipe.VertexBuffer{{Resource: s.buffer(64)}}}}
			op := &pipe.Op{Screen: ctx.Screen, Context: ctx.Handle, Call: &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1},
				Draws: []pipe.DrawRange{{Count: 1}}, NumDraws: 1}}
			b.ReportAllocs()
			for b.Loop() {
				for _, o := range []*pipe.Op{vb, op} {
					o.Ret = pipe.Result{}
					track.Check(o)
					track.Record(o)
				}
			}
		})
	}
}

func TestDrawAutoOfNothing(t *testing.T) {
	auto := func(edit func(*pipe.Draw)) func(s *scene) {
		return func(s *scene) {
			_, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			d := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Indirect: &pipe.DrawIndirect{},
				Draws: []pipe.DrawRange{{}}, NumDraws: 1}
			edit(d)
			s.do(d)
		}
	}
	for _, c := range []struct {
		name  string
		calls func(s *scene)
		want  streamout.Severity
	}{
		{"nothing says how much to draw", auto(func(*pipe.Draw) {}), streamout.Error},
		{"the count of a direct draw", auto(func(d *pipe.Draw) { d.Draws[0].Count = 5 }), streamout.Warning},
		{"the count of the second direct draw", auto(func(d *pipe.Draw) {
			d.Draws, d.NumDraws = []pipe.DrawRange{{}, {Count: 3}}, 2
		}), streamout.Warning},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, found(t, "so-draw-auto-null", c.calls)) })
	}
}

func TestRoomOfTargetThatGoesOn(t *testing.T) {
	capture := func(first int, offset uint32) func(s *scene) {
		return func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			target := s.fresh(64)
			s.set(0, target)
			if first > 0 {
				s.draw(pipe.Points, uint32(first))
			}
			s.set(0)
			s.set(offset, target)
			s.draw(pipe.Triangles, 3)
		}
	}
	for _, c := range []struct {
		name  string
		calls func(s *scene)
		want  streamout.Severity
	}{
		{"appended to what is nearly full", capture(3, pipe.AppendOffset), streamout.Silent},
		{"gone on with from a counter", capture(3, 48), streamout.Silent},
		{"begun near the end", capture(0, 48), streamout.Warning},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, found(t, "so-target-too-small-prim", c.calls)) })
	}
}

func TestQueryOfOneStreamOfAll(t *testing.T) {
	ask := func(streams ...uint32) func(s *scene) {
		return func(s *scene) {
			s.capture(64)
			var queries []pipe.Handle
			for _, stream := range streams {
				queries = append(queries, s.query(pipe.QueryStreamOutputStatistics, stream))
				s.begin(queries[len(queries)-1])
			}
			s.draw(pipe.Points, 1)
			for _, q := range queries {
				s.end(q)
			}
		}
	}
	for _, c := range []struct {
		name  string
		calls func(s *scene)
		want  streamout.Severity
	}{
		{"of a stream that is not captured", ask(1), streamout.Warning},
		{"of two that are not", ask(1, 2), streamout.Warning},
		{"of one that is and one that is not", ask(0, 1), streamout.Warning},
		{"of all four", ask(0, 1, 2, 3), streamout.Note},
		{"of all four, the captured one last", ask(3, 2, 1, 0), streamout.Note},
		{"of the captured one", ask(0), streamout.Silent},
		{"after one of the captured stream", func(s *scene) {
			ask(0)(s)
			q := s.query(pipe.QueryStreamOutputStatistics, 1)
			s.begin(q)
			s.draw(pipe.Points, 1)
			s.end(q)
		}, streamout.Warning},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, found(t, "so-query-stream-unused", c.calls)) })
	}
}

func TestResultOfStreamWithoutOutputs(t *testing.T) {
	read := func(streams ...uint32) func(s *scene) {
		return func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.set(0, s.fresh(64))
			var queries []pipe.Handle
			for _, stream := range streams {
				queries = append(queries, s.query(pipe.QueryPrimitivesEmitted, stream))
				s.begin(queries[len(queries)-1])
			}
			s.draw(pipe.Points, 2)
			for _, q := range queries {
				s.end(q)
				s.read(q, pipe.QueryValue{Value: 2})
			}
		}
	}
	require.Equal(t, streamout.Silent, found(t, "so-query-result-predicted", read(0, 1, 2, 3)), "the draw module counts stream 1 as written")
	require.Equal(t, streamout.Silent, found(t, "so-query-result-predicted", read(1)), "that nothing is captured of it was told")
}
