package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// drawNotes are about rasterization beside stream output, and what single
// drivers do in a capturing draw.
func drawNotes() []*streamout.Rule {
	return []*streamout.Rule{
		soDiscardNoSO(),
		soRasterStream(),
		soClipDiscardNote(),
		soFakeDrawLower(),
		soV3DFlush(),
	}
}

func soDiscardNoSO() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-discard-no-so",
		Title:    "a draw that has no effect",
		Severity: streamout.Warning,
		Order:    true,
		Condition: "rasterizer_discard is on, nothing is captured, no query runs that could count the draw, and no shader before " +
			"rasterization writes memory; a note where targets were bound before, as in a pause",
		Why:     "nothing of the draw can be seen anywhere: a target is not bound, or the discard was left on",
		Fix:     "bind the targets, turn the discard off, or leave the draw out",
		Sources: []string{"src/gallium/include/pipe/p_state.h: struct pipe_rasterizer_state", srcContext},
		On:      streamout.OnDrawState,
		If:      streamout.IfNoTarget,
		Check: func(v *streamout.View) {
			c := v.Context
			// What was bound, and what queries were begun, before a trace began is not
			// known.
			if r := c.RasterizerState(); !c.Whole || r == nil || !r.RasterizerDiscard || countsDraws(c) {
				return
			}
			for _, stage := range [...]pipe.Stage{pipe.Vertex, pipe.TessCtrl, pipe.TessEval, pipe.Geometry} {
				b := &c.Shaders[stage]
				if b.Object == nil && !unbound(c, stage) || b.Object != nil && b.Object.Outputs.SideEffects != shader.No {
					return
				}
			}
			weight := streamout.Warning
			if (c.TargetsSet != state.At{}) {
				// A program that draws on while its capture is paused means it so.
				weight = streamout.Note
			}
			v.ReportAs(weight, "", "rasterizer_discard is on, no target is bound and no query counts: the draw has no effect").
				With(c.Rasterizer.Set, "the rasterizer state was bound here")
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Vertex, constantText, info(strides{}))
			s.rasterizer(pipe.RasterizerState{RasterizerDiscard: true})
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Vertex, constantText, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.rasterizer(pipe.RasterizerState{RasterizerDiscard: true})
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
	}
}

// countsDraws says whether a query runs that a draw without rasterization may
// be counted by.
func countsDraws(c *state.Context) bool {
	for _, q := range c.ActiveQueries {
		switch q.Type {
		case pipe.QueryOcclusionCounter, pipe.QueryOcclusionPredicate, pipe.QueryOcclusionPredicateConservative:
		default:
			return true
		}
	}
	return false
}

func soRasterStream() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-raster-stream",
		Title:    "rasterization of a stream without vertices",
		Severity: streamout.Note,
		Condition: "only streams above 0 are captured, the geometry shader emits nothing to stream 0, and " +
			"rasterizer_discard is off",
		Why: "in Gallium stream 0 is rasterized and no other can be chosen: nothing is drawn, where D3D or Vulkan may have asked for " +
			"the captured stream",
		Fix:     "turn rasterizer_discard on, or number the stream to draw as 0",
		Sources: []string{"src/gallium/include/pipe/p_state.h: struct pipe_rasterizer_state", "VUID-VkPipelineRasterizationStateStreamCreateInfoEXT-rasterizationStream-02325"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfCapturing | streamout.IfLaterStage,
		Check: func(v *streamout.View) {
			s := v.Capturing
			if s.Stage != pipe.Geometry || s.Outputs.EmitsStream(0) != shader.No {
				return
			}
			streams := uint8(0)
			for _, o := range s.Info.Outputs() {
				streams |= 1 << o.Stream()
			}
			if r := v.Context.RasterizerState(); r == nil || r.RasterizerDiscard || streams&1 != 0 {
				return
			}
			first := bits.TrailingZeros8(streams)
			v.Report("", "%s emits nothing to stream 0, which is rasterized, and captures stream %d", called(&s.Object), first).OnStream(first)
		},
		Bad:  play(func(s *scene) { rasterStream(s, false) }),
		Good: play(func(s *scene) { rasterStream(s, true) }),
	}
}

// rasterStream captures stream 1 of a geometry shader that emits to it alone.
func rasterStream(s *scene, discard bool) {
	const text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n" +
		"DCL OUT[0].xyzw, GENERIC[0], STREAM(1, 1, 1, 1)\nIMM[0] FLT32 {0.0000, 1.0000, 0.0000, 0.0000}\nIMM[1] INT32 {1, 0, 0, 0}\n" +
		"  0: MOV OUT[0], IMM[0]\n  1: EMIT IMM[1].xxxx\n  2: END\n"
	s.shader(pipe.Vertex, info(strides{}))
	s.shaderText(pipe.Geometry, text, info(strides{4}, out(0, 0, 4, 0, 0, 1)))
	s.rasterizer(pipe.RasterizerState{RasterizerDiscard: discard})
	s.set(0, s.fresh(64))
	s.draw(pipe.Points, 1)
}

func soClipDiscardNote() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-clip-discard-note",
		Title:     "clipping or culling while capturing",
		Severity:  streamout.Note,
		Condition: "a capturing draw has a face culled or a user clip plane enabled, and rasterizes",
		Why:       "stream output comes before both: primitives that are not drawn are captured all the same",
		Fix:       "nothing, unless the capture was to hold what is visible",
		Sources:   []string{"OpenGL 4.6 13.3", "Vulkan specification, Fixed-Function Vertex Post-Processing"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfCapturing,
		Check: func(v *streamout.View) {
			r := v.Context.RasterizerState()
			if r == nil || r.RasterizerDiscard || r.CullFace == 0 && r.ClipPlaneEnable == 0 {
				return
			}
			culls := r.CullFace != 0 && v.Context.CapturedAs(drawMode(v)) == pipe.Triangles
			if culls || r.ClipPlaneEnable != 0 {
				v.Report("", "cull_face is %d and clip_plane_enable %#x: what they drop is captured all the same", r.CullFace, r.ClipPlaneEnable)
			}
		},
		Bad: play(func(s *scene) {
			s.rasterizer(pipe.RasterizerState{CullFace: 2})
			s.capture(64)
			s.draw(pipe.Triangles, 3)
		}),
		Good: play(func(s *scene) {
			s.rasterizer(pipe.RasterizerState{CullFace: 2})
			s.capture(64)
			s.draw(pipe.Points, 3)
		}),
	}
}

func soFakeDrawLower() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-fake-draw-lower",
		Title:     "a capturing draw that d3d12 makes larger",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "d3d12"),
		Condition: "a capturing draw of wide points, or of triangles filled with points, for d3d12",
		Why: "d3d12 makes the points with a geometry shader of its own, captures six vertices for each into temporary buffers " +
			"six times the size, and copies back what was asked for",
		Fix:     "turn rasterizer_discard on when only the capture matters",
		Sources: []string{"src/gallium/drivers/d3d12/d3d12_compiler.cpp: needs_point_sprite_lowering", "src/gallium/drivers/d3d12/d3d12_context.cpp: d3d12_enable_fake_so_buffers"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfProfile | streamout.IfCapturing,
		Check: func(v *streamout.View) {
			r, s := v.Context.RasterizerState(), v.Capturing
			if !v.Profile.Is("d3d12") || r == nil || s.Stage == pipe.Geometry {
				return
			}
			mode := drawMode(v)
			const fillPoint = 2 // PIPE_POLYGON_MODE_POINT
			points := mode == pipe.Points || (mode == pipe.Triangles || mode == pipe.TriangleStrip) && r.FillFront == fillPoint
			if points && (r.PointSize > 1 || r.OffsetPoint) {
				v.Report("info.mode", "the draw of %s makes points of size %g, for which d3d12 captures 6 vertices each", mode, r.PointSize)
			}
		},
		Bad: play(func(s *scene) {
			s.rasterizer(pipe.RasterizerState{PointSize: 4})
			s.capture(64)
			s.draw(pipe.Points, 3)
		}),
		Good: play(func(s *scene) {
			s.rasterizer(pipe.RasterizerState{PointSize: 1})
			s.capture(64)
			s.draw(pipe.Points, 3)
		}),
	}
}

func soV3DFlush() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-v3d-flush",
		Title:     "capturing draws in a row on v3d",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "v3d"),
		Condition: "a draw captures after another one did with the same targets bound, for v3d",
		Why:       "the GPU hangs unless what was captured is flushed in between; v3d does so, which costs a wait",
		Fix:       "nothing; fewer and larger draws wait less",
		Sources:   []string{"src/gallium/drivers/v3d/v3dx_draw.c"},
		On:        streamout.OnCapture,
		If:        streamout.IfProfile | streamout.IfCapturing | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			if v.Profile.Is("v3d") {
				v.Report("", "the draw captures behind another one into the targets that are bound").
					With(v.Context.Session.Last, "the draw before")
			}
		},
		Bad: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Points, 3)
			s.draw(pipe.Points, 3)
		}),
		Good: play(func(s *scene) {
			s.capture(256)
			s.draw(pipe.Points, 6)
		}),
	}
}
