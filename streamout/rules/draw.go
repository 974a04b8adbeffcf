package rules

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// draws are about what a draw gives to stream output.
func draws() []*streamout.Rule {
	return []*streamout.Rule{
		soDrawWhileNoProg(),
		soDrawPatches(),
		soAdjacencyNoGS(),
		soQuadsDecompose(),
		soZeroSizeCapture(),
		soIncompletePrimitive(),
		soRestartIndex(),
		soDrawIndirect(),
		soMultidraw(),
	}
}

// unbound says whether surely no shader of the stage is bound.
func unbound(c *state.Context, stage pipe.Stage) bool {
	b := &c.Shaders[stage]
	return b.Handle == 0 && (c.Whole || b.Set != state.At{})
}

// capture binds a shader that captures a vec4, and a target of that many bytes.
func (s *scene) capture(size uint32) pipe.Handle {
	s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
	t := s.fresh(size)
	s.set(0, t)
	return t
}

func soDrawWhileNoProg() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-while-no-prog",
		Title:     "a draw without a vertex shader while targets are bound",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "no vertex shader is bound at a draw with a target bound",
		Why:       "drivers take a vertex shader for granted in a draw and follow the NULL pointer",
		Fix:       "bind a vertex shader before the draw",
		Sources:   []string{"src/gallium/include/pipe/p_context.h: draw_vbo", "src/gallium/drivers/llvmpipe/lp_draw_arrays.c"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfNoVertexShader,
		Check: func(v *streamout.View) {
			if unbound(v.Context, pipe.Vertex) {
				v.Report("", "no vertex shader is bound at a draw with targets bound").
					With(v.Context.TargetsSet, "the targets were bound here")
			}
		},
		Bad: play(func(s *scene) {
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.capture(64)
			s.draw(pipe.Points, 1)
		}),
	}
}

func soDrawPatches() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-patches",
		Title:     "patches without a tessellation evaluation shader",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "a draw of patches with no tessellation evaluation shader bound",
		Why: "no points, lines or triangles come out of patches alone, so there is nothing to capture; the draw module asserts, " +
			"and D3D takes control points for stream output only without rasterization",
		Fix:     "bind a tessellation evaluation shader, or draw another mode",
		Sources: []string{"src/gallium/auxiliary/draw/draw_pt_so_emit.c", "D3D11.3 functional specification, 14", "OpenGL 4.6 11.2"},
		On:      streamout.OnDraw,
		If:      streamout.IfPatches,
		Check: func(v *streamout.View) {
			if !barePatches(v) || v.Reported("so-draw-while-no-prog") {
				return
			}
			v.Report("info.mode", "the draw is of patches, but no tessellation evaluation shader is bound")
		},
		Bad: play(func(s *scene) {
			s.capture(64)
			s.do(&pipe.SetPatchVertices{Vertices: 3})
			s.draw(pipe.Patches, 3)
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessEval, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.set(0, s.fresh(64))
			s.do(&pipe.SetPatchVertices{Vertices: 3})
			s.draw(pipe.Patches, 3)
		}),
	}
}

// drawMode is the mode of the draw, PrimitiveUnknown where a trace may be cut
// before it.
func drawMode(v *streamout.View) pipe.PrimitiveType {
	mode := state.DrawMode(v.Op.Call)
	if cut(v) && mode == pipe.Points {
		return pipe.PrimitiveUnknown
	}
	return mode
}

// barePatches says whether the draw is of patches that nothing evaluates.
func barePatches(v *streamout.View) bool {
	return drawMode(v) == pipe.Patches && unbound(v.Context, pipe.TessEval)
}

func soAdjacencyNoGS() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-adjacency-no-gs",
		Title:     "adjacency without a geometry shader",
		Severity:  streamout.Note,
		Condition: "a capturing draw has a mode with adjacency and no geometry shader is bound",
		Why:       "the adjacent vertices are dropped before stream output: a triangle of six vertices is captured as three",
		Fix:       "nothing, if that is meant",
		Sources:   []string{"src/gallium/auxiliary/draw/draw_prim_assembler.c", "src/gallium/auxiliary/draw/draw_so_emit_tmp.h"},
		On:        streamout.OnCapture,
		If:        streamout.IfCapturing | streamout.IfAdjacency,
		Check: func(v *streamout.View) {
			if mode := drawMode(v); mode.Adjacency() && unbound(v.Context, pipe.Geometry) {
				v.Report("info.mode", "the draw is of %s, and without a geometry shader the adjacent vertices are not captured", mode)
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.TrianglesAdjacency, 6)
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.set(0, s.fresh(256))
			s.draw(pipe.TrianglesAdjacency, 6)
		}),
	}
}

func soQuadsDecompose() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-quads-decompose",
		Title:     "quads or polygons while capturing",
		Severity:  streamout.Note,
		Condition: "a capturing draw is of quads, a quad strip or a polygon",
		Why: "they are captured as triangles in an order that drivers choose; drivers on the draw module count a quad as two " +
			"generated primitives while capturing, and as one otherwise",
		Fix:     "draw triangles where the order or the counters matter",
		Sources: []string{"src/gallium/auxiliary/draw/draw_decompose_tmp.h", "src/gallium/auxiliary/util/u_prim.h: u_decomposed_prims_for_vertices"},
		On:      streamout.OnCapture,
		If:      streamout.IfCapturing | streamout.IfQuads,
		Check: func(v *streamout.View) {
			switch mode := drawMode(v); mode {
			case pipe.Quads, pipe.QuadStrip, pipe.Polygon:
				v.Report("info.mode", "the draw is of %s, which is captured as triangles in an order of the driver's choice", mode)
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Quads, 4)
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.TriangleFan, 4)
		}),
	}
}

// direct returns the draw when its ranges are in the call: nothing indirect tells
// them, or should.
func direct(v *streamout.View) *pipe.Draw {
	d, ok := v.Op.Call.(*pipe.Draw)
	if !ok || cut(v) || d.Indirect != nil {
		return nil
	}
	return d
}

// empty says whether a draw has nothing to draw.
func empty(d *pipe.Draw) bool {
	if d.Info.InstanceCount == 0 {
		return true
	}
	for _, r := range d.Draws {
		if r.Count != 0 {
			return false
		}
	}
	return d.NumDraws == uint32(len(d.Draws))
}

func soZeroSizeCapture() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-zero-size-capture",
		Title:     "a capturing draw of nothing",
		Severity:  streamout.Note,
		Condition: "a capturing draw has no instances or no vertices",
		Why:       "nothing is captured, and no counter moves",
		Fix:       "leave the draw out",
		Sources:   []string{srcContext, "src/gallium/include/pipe/p_state.h: struct pipe_draw_info"},
		On:        streamout.OnCapture,
		If:        streamout.IfNothing,
		Check: func(v *streamout.View) {
			d := direct(v)
			if d == nil || !empty(d) {
				return
			}
			if d.Info.InstanceCount == 0 {
				v.Report("info.instance_count", "instance_count is 0, so nothing is captured")
				return
			}
			v.Report("draws", "no range of the draw has a vertex, so nothing is captured")
		},
		Bad: play(func(s *scene) {
			s.capture(64)
			s.draw(pipe.Points, 0)
		}),
		Good: play(func(s *scene) {
			s.capture(64)
			s.draw(pipe.Points, 1)
		}),
	}
}

// leftover returns how many of n vertices make no primitive, and how many the
// first primitive of the mode takes.
func leftover(mode pipe.PrimitiveType, n, patch uint32) (rest, first uint32) {
	need, step := uint32(1), uint32(1)
	switch mode {
	case pipe.Lines:
		need, step = 2, 2
	case pipe.Triangles:
		need, step = 3, 3
	case pipe.Quads, pipe.LinesAdjacency:
		need, step = 4, 4
	case pipe.TrianglesAdjacency:
		need, step = 6, 6
	case pipe.Patches:
		need, step = patch, max(patch, 1)
	case pipe.LineLoop, pipe.LineStrip:
		need = 2
	case pipe.TriangleStrip, pipe.TriangleFan, pipe.Polygon:
		need = 3
	case pipe.LineStripAdjacency:
		need = 4
	case pipe.QuadStrip:
		need, step = 4, 2
	case pipe.TriangleStripAdjacency:
		need, step = 6, 2
	}
	if n < need {
		return n, need
	}
	return n % step, need
}

func soIncompletePrimitive() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-incomplete-primitive",
		Title:     "vertices that make no primitive",
		Severity:  streamout.Note,
		Condition: "the vertices of a capturing draw are too few for its mode, or no multiple of what a primitive takes",
		Why:       "the vertices left over are neither captured nor counted",
		Fix:       "nothing, if the rest is meant to be dropped",
		Sources:   []string{"OpenGL 4.6 10.1", "src/gallium/auxiliary/util/u_prim.h"},
		On:        streamout.OnCapture,
		If:        streamout.IfCapturing,
		Check: func(v *streamout.View) {
			d := direct(v)
			if d == nil || d.Info.IndexSize != 0 && d.Info.PrimitiveRestart {
				return
			}
			for i, r := range d.Draws {
				if rest, need := leftover(d.Info.Mode, r.Count, v.Context.PatchVertices); rest != 0 && !hugePatches(v) && !barePatches(v) {
					v.Report(fmt.Sprintf("draws[%d].count", i), "the draw leaves %d of %s of %s over: the first primitive takes %d",
						rest, plural(uint64(r.Count), "vertex"), d.Info.Mode, need)
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Triangles, 7)
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.TriangleStrip, 5)
		}),
	}
}

func soRestartIndex() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-restart-index",
		Title:     "primitive restart while capturing",
		Severity:  streamout.Note,
		Condition: "a capturing draw is indexed and has primitive restart on",
		Why:       "each restart begins a new strip with the winding of a first triangle, so how many primitives are captured hangs on the indices",
		Fix:       "nothing; the number of vertices alone does not tell what is captured",
		Sources:   []string{"src/gallium/auxiliary/draw/draw_decompose_tmp.h", "OpenGL 4.6 10.3.6"},
		On:        streamout.OnCapture,
		If:        streamout.IfCapturing | streamout.IfIndexed,
		Check: func(v *streamout.View) {
			d, ok := v.Op.Call.(*pipe.Draw)
			if ok && d.Info.PrimitiveRestart {
				v.Report("info.primitive_restart", "primitive restart is on with restart_index %d, so the indices decide what is captured", d.Info.RestartIndex)
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.indexed(pipe.DrawInfo{Mode: pipe.TriangleStrip, PrimitiveRestart: true, RestartIndex: 65535}, s.buffer(64), 6)
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.indexed(pipe.DrawInfo{Mode: pipe.TriangleStrip}, s.buffer(64), 5)
		}),
	}
}

// indexed draws count indices of 2 bytes from a buffer.
func (s *scene) indexed(d pipe.DrawInfo, index pipe.Handle, count uint32) {
	d.IndexSize, d.Index, d.InstanceCount, d.MaxIndex = 2, index, 1, 1<<32-1
	s.do(&pipe.Draw{Info: d, Draws: []pipe.DrawRange{{Count: count}}, NumDraws: 1})
}

func soDrawIndirect() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-indirect-so",
		Title:     "an indirect draw while capturing",
		Severity:  streamout.Note,
		Condition: "a capturing draw takes its counts from a buffer",
		Why:       "GL allows it, OpenGL ES only with geometry shaders; how much is captured is not known before the draw runs",
		Fix:       "nothing",
		Sources:   []string{"OpenGL ES 3.1 10.5", "src/gallium/include/pipe/p_state.h: struct pipe_draw_indirect_info"},
		On:        streamout.OnCapture,
		If:        streamout.IfCapturing | streamout.IfIndirect,
		Check: func(v *streamout.View) {
			d, ok := v.Op.Call.(*pipe.Draw)
			if ok && d.Indirect.Buffer != 0 && d.Indirect.CountFromStreamOutput == 0 {
				v.Report("indirect.buffer", "the draw takes its counts from a buffer, so how much is captured is not known before it runs")
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points}, Indirect: &pipe.DrawIndirect{Buffer: s.buffer(16), DrawCount: 1},
				Draws: []pipe.DrawRange{{}}, NumDraws: 1})
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Points, 1)
		}),
	}
}

func soMultidraw() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-multidraw-so",
		Title:     "several draws in one call while capturing",
		Severity:  streamout.Note,
		Condition: "num_draws of a capturing draw is above 1",
		Why:       "what they capture must follow in the order of the draws; freedreno splits them for that",
		Fix:       "nothing",
		Sources:   []string{"src/gallium/drivers/freedreno/freedreno_draw.c: fd_draw_vbo"},
		On:        streamout.OnCapture,
		If:        streamout.IfCapturing | streamout.IfSeveralDraws,
		Check: func(v *streamout.View) {
			if d, ok := v.Op.Call.(*pipe.Draw); ok && auto(v) == nil {
				v.Report("num_draws", "num_draws is %d: all of them append to the targets in this order", d.NumDraws)
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 1}, {Start: 4, Count: 1}}, NumDraws: 2})
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Points, 2)
		}),
	}
}
