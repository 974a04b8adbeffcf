package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// drawChanges are about state that changed between two draws of one capture.
func drawChanges() []*streamout.Rule {
	return []*streamout.Rule{
		soLayoutChangeWhileActive(),
		soShaderChangeWhileActive(),
		soPrimModeChange(),
		soFlatshadeOrder(),
	}
}

// change returns the shaders that the last draw captured with and that the next
// one will, nil when they are the same or one is not known.
func change(v *streamout.View) (before, now *state.Shader) {
	now, before = v.Capturing, v.Context.Session.Shader
	if before == nil || now == before || !v.CleanShader(now) || !v.CleanShader(before) {
		return nil, nil
	}
	return before, now
}

func soLayoutChangeWhileActive() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-layout-change-while-active",
		Title:    "the layout of a bound target changes between two draws",
		Severity: streamout.Error,
		Order:    true,
		Condition: "between two draws with the same targets bound, the last vertex stage changes to one whose stride or extent " +
			"differs for a buffer that both write",
		Why: "the second draw goes on at a position that is no multiple of its stride, a draw-auto of the target counts wrong " +
			"vertices, and v3d, panfrost and asahi, which count vertices, go on at another byte than the first stopped at",
		Fix:     "bind the targets anew when the layout changes, or give each layout a target of its own",
		Sources: []string{"VUID-vkCmdBindPipeline-None-02323", "OpenGL 4.6 13.3.2", "src/gallium/drivers/asahi/agx_streamout.c"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfCapturing | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			before, now := change(v)
			if now == nil {
				return
			}
			for both := before.Buffers & now.Buffers; both != 0; both &= both - 1 {
				b := bits.TrailingZeros8(both)
				if t := v.Context.Targets[b].Object; t != nil && t.Fill.Known && t.Fill.Bytes == 0 {
					continue
				}
				reportLayoutChange(v, before, now, b)
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(256))
			s.draw(pipe.Points, 3)
			s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0))
			s.draw(pipe.Points, 3)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(256)
			s.set(0, t)
			s.draw(pipe.Points, 3)
			s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0))
			s.set(0, t)
			s.draw(pipe.Points, 3)
		}),
	}
}

func reportLayoutChange(v *streamout.View, before, now *state.Shader, b int) {
	was, is := uint64(before.Info.Stride[b]), uint64(now.Info.Stride[b])
	what := "stride"
	if was == is {
		if was, is = uint64(before.Extents[b]), uint64(now.Extents[b]); was == is {
			return
		}
		what = "extent"
	}
	f := v.Report(targetPath(b), "%s captures into buffer %d with %s %s, %s did with %s, and the targets were not bound anew",
		called(&now.Object), b, what, dw(is), called(&before.Object), dw(was))
	f.InBuffer(b).With(v.Context.Session.Last, "the last draw with %s", called(&before.Object)).
		With(v.Context.TargetsSet, "the targets were bound here")
}

func soShaderChangeWhileActive() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-shader-change-while-active",
		Title:     "the capturing shader changes between two draws",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "between two draws with the same targets bound, another shader becomes the last vertex stage; a note when it captures the same",
		Why: "GL forbids another program and Vulkan another pipeline while transform feedback is active and not paused: what " +
			"is captured changes its meaning in the middle of a target, and drivers that keep their stream output commands " +
			"with the shader must emit them anew",
		Fix:     "unbind the targets, change the shader, and bind them again to append",
		Sources: []string{"VUID-vkCmdBindPipeline-None-02323", "OpenGL 4.6 13.3.2"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfCapturing | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			before, now := change(v)
			if now == nil || v.Reported("so-layout-change-while-active") {
				return
			}
			if before.Stage == now.Stage && before.Info.Equal(&now.Info) {
				f := v.ReportAs(streamout.Note, "", "%s captures after %s with the same stream output, and the targets were not bound anew",
					called(&now.Object), called(&before.Object))
				f.With(v.Context.Session.Last, "the last draw with %s", called(&before.Object))
				return
			}
			var f *streamout.Draft
			if what, is, was := now.Info.Difference(&before.Info); before.Stage == now.Stage && what != "" {
				f = v.Report("", "%s captures with %s %s after %s did with %s, and the targets were not bound anew",
					called(&now.Object), what, is, called(&before.Object), was)
			} else {
				f = v.Report("", "%s captures after %s did, and the targets were not bound anew", called(&now.Object), called(&before.Object))
			}
			f.With(v.Context.Session.Last, "the last draw with %s", called(&before.Object)).
				With(v.Context.TargetsSet, "the targets were bound here")
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(256))
			s.draw(pipe.Points, 3)
			s.vs(strides{4}, out(1, 0, 4, 0, 0, 0))
			s.draw(pipe.Points, 3)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(256)
			s.set(0, t)
			s.draw(pipe.Points, 3)
			s.unbind()
			s.vs(strides{4}, out(1, 0, 4, 0, 0, 0))
			s.set(pipe.AppendOffset, t)
			s.draw(pipe.Points, 3)
		}),
	}
}

func soPrimModeChange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-prim-mode-change",
		Title:     "points, lines and triangles in one capture",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a draw captures another class of primitives than the first draw since the targets were bound",
		Why: "GL refuses a draw whose mode does not belong to that of Begin; what is in the target can no longer be read as " +
			"primitives of one kind",
		Fix:     "bind the targets anew, or draw what captures alike",
		Sources: []string{"OpenGL 4.6 13.3.3, table 13.1", srcContext},
		On:      streamout.OnCapture,
		If:      streamout.IfCapturing | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			first := v.Context.Session.Primitive
			if first == pipe.PrimitiveUnknown {
				return
			}
			if now := v.Context.CapturedAs(drawMode(v)); now != pipe.PrimitiveUnknown && now != first {
				v.Report("info.mode", "the draw captures %s, the first draw since the targets were bound captured %s", now, first).
					With(v.Context.Session.First, "the first draw")
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(256))
			s.draw(pipe.Points, 3)
			s.draw(pipe.TriangleStrip, 3)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(256))
			s.draw(pipe.Triangles, 3)
			s.draw(pipe.TriangleStrip, 3)
		}),
	}
}

func soFlatshadeOrder() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-flatshade-order",
		Title:     "the provoking vertex changes during a capture",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "flatshade_first differs from that of the first draw since the targets were bound, and lines or triangles are captured",
		Why:       "the order in which the vertices of a strip or fan are captured follows it, so one target holds both orders",
		Fix:       "nothing, if the order does not matter; else bind the targets anew",
		Sources:   []string{"src/gallium/auxiliary/draw/draw_decompose_tmp.h", srcEmit},
		On:        streamout.OnCaptureState,
		If:        streamout.IfCapturing | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			first, now := v.Context.Session.Rasterizer, v.Context.RasterizerState()
			if first == nil || now == nil || first.FlatshadeFirst == now.FlatshadeFirst {
				return
			}
			if p := v.Context.CapturedAs(drawMode(v)); p == pipe.Lines || p == pipe.Triangles {
				v.Report("", "flatshade_first is %d, it was %d in the first draw since the targets were bound",
					bit(now.FlatshadeFirst), bit(first.FlatshadeFirst)).With(v.Context.Session.First, "the first draw")
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.rasterizer(pipe.RasterizerState{FlatshadeFirst: true})
			s.set(0, s.fresh(512))
			s.draw(pipe.TriangleStrip, 4)
			s.rasterizer(pipe.RasterizerState{})
			s.draw(pipe.TriangleStrip, 4)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.rasterizer(pipe.RasterizerState{FlatshadeFirst: true})
			s.set(0, s.fresh(512))
			s.draw(pipe.Points, 4)
			s.rasterizer(pipe.RasterizerState{})
			s.draw(pipe.Points, 4)
		}),
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rasterizer makes and binds a rasterizer state.
func (s *scene) rasterizer(r pipe.RasterizerState) {
	s.do(&pipe.BindState{Kind: pipe.KindRasterizer, State: s.do(&pipe.CreateRasterizer{State: r})})
}
