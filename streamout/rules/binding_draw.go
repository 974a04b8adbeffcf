package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// bindingAtDraw are the rules over targets and shader as a draw finds them:
// which is bound first does not matter until then.
func bindingAtDraw() []*streamout.Rule {
	return []*streamout.Rule{
		soTargetsWithoutShader(),
		soShaderWithoutTargets(),
		soOutputUnboundBuffer(),
		soTargetUnused(),
		soTargetTooSmallVertex(),
		soTargetTooSmallPrim(),
		soPredictOverflow(),
		soTargetTailMismatch(),
		soAppendOtherSo(),
	}
}

func soTargetsWithoutShader() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-targets-without-shader",
		Title:     "targets without outputs",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "iris", "crocus"),
		Condition: "a draw has targets bound, and the last vertex stage has no outputs",
		Why:       "nothing is captured; iris and crocus assert that there is stream output state",
		Fix:       "unbind the targets, or bind the shader that has the outputs",
		Sources:   []string{"src/gallium/drivers/iris/iris_state.c", "D3D debug layer: DRAW_SO_TARGETS_BOUND_WITHOUT_SOURCE"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfNoOutputs,
		Check: func(v *streamout.View) {
			// Outputs behind a num_outputs of 0 are so-stale-when-empty's.
			s, _ := v.Context.LastVertexStage()
			if !s.Exact || v.Reported("so-not-last-stage", "so-shader-rebind-null") || barePatches(v) {
				return
			}
			v.About(&s.Object).Report("", "targets are bound, but %s has no outputs", called(&s.Object)).
				With(v.Context.TargetsSet, "targets bound here").With(v.Context.Shaders[s.Stage].Set, "shader bound here")
		},
		Bad: play(func(s *scene) {
			s.vs(strides{})
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{})
			s.set(0, s.fresh(64))
			s.unbind()
			s.draw(pipe.Points, 1)
		}),
	}
}

func soShaderWithoutTargets() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-shader-without-targets",
		Title:     "outputs without targets",
		Severity:  streamout.Note,
		Condition: "a draw has no targets bound, and the last vertex stage has outputs",
		Why:       "it is legal, and a GL program does it before it begins transform feedback: nothing is captured",
		Fix:       "bind targets, if the draw was to be captured",
		Sources:   []string{"src/gallium/auxiliary/draw/draw_context.h: draw_has_so"},
		On:        streamout.OnDrawState,
		If:        streamout.IfNoTarget,
		Check: func(v *streamout.View) {
			if s, _ := v.Context.LastVertexStage(); s != nil && s.Info.NumOutputs != 0 {
				v.About(&s.Object).Report("", "%s has outputs, but no target is bound", called(&s.Object))
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
	}
}

func soOutputUnboundBuffer() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-output-unbound-buffer",
		Title:     "outputs go to a slot without a target",
		Severity:  streamout.Warning,
		Condition: "a draw has targets bound, but none in a slot that an output of the last vertex stage goes to",
		Why: "the draw module and D3D take the slot for a full buffer and drop whole primitives, Vulkan drops only what goes " +
			"there: drivers differ in what reaches the other targets",
		Fix:     "bind a target to each slot that the shader writes",
		Sources: []string{srcEmit, "D3D11.3 functional specification, 14.6"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfUnmatched,
		Check: func(v *streamout.View) {
			if v.Context.AfterRefusal {
				return
			}
			s := v.Capturing
			for b := range buffers {
				if s.Buffers&(1<<b) != 0 && v.Context.Targets[b].Handle == 0 {
					v.About(&s.Object).Report(targetPath(b), "%s writes buffer %d, but slot %d holds no target", called(&s.Object), b, b).
						InBuffer(b).With(v.Context.TargetsSet, "targets bound here").With(s.Created, "shader created here")
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0))
			s.set(0, s.fresh(64), s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
	}
}

func soTargetUnused() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-unused",
		Title:     "a target that no output goes to",
		Severity:  streamout.Note,
		Condition: "a captured draw has a target in a slot that no output of the shader goes to",
		Why:       "the target stays as it is; freedreno divides by the stride of such a slot when it counts the vertices that fit",
		Fix:       "bind NULL there",
		Sources:   []string{"src/gallium/drivers/freedreno/ir3/ir3_gallium.c: ir3_update_max_tf_vtx"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfUnmatched,
		Check: func(v *streamout.View) {
			for b := range buffers {
				if v.Capturing.Buffers&(1<<b) == 0 && v.Context.Targets[b].Handle != 0 {
					v.Report(targetPath(b), "slot %d holds a target, but no output goes to buffer %d", b, b).InBuffer(b)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(64), s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0))
			s.set(0, s.fresh(64), s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
	}
}

// room is what a target has left when its capturing begins.
type room struct {
	slot           int
	target         *state.Target
	left           uint64 // bytes
	stride, extent uint64 // bytes of a vertex in the slot
}

// rooms yields the targets that the first draw since they were bound writes to,
// as far as it is known how full they are. A target that was filled before and
// goes on, by appending or from where a counter says, is left out: to be full is
// no fault.
func rooms(v *streamout.View) func(yield func(room) bool) {
	return func(yield func(room) bool) {
		s := v.Capturing
		for b := range buffers {
			slot := &v.Context.Targets[b]
			t := slot.Object
			if s.Buffers&(1<<b) == 0 || !v.Sane(t) || !t.Fill.Known || t.Size == 0 || t.Fill.Bytes > uint64(t.Size) {
				continue
			}
			if goesOn := slot.Offset == pipe.AppendOffset || slot.Offset != 0 && t.CapturedInto; goesOn && t.Fill.Bytes > 0 {
				continue
			}
			r := room{b, t, uint64(t.Size) - t.Fill.Bytes, uint64(s.Info.Stride[b]) * 4, uint64(s.Extents[b]) * 4}
			if !yield(r) {
				return
			}
		}
	}
}

func soTargetTooSmallVertex() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-too-small-vertex",
		Title:     "a target that has no room for a vertex",
		Severity:  streamout.Warning,
		Condition: "the first draw since a target was bound finds less room in it than one vertex takes",
		Why:       "nothing can be captured, into this target or the others of the stream: all primitives are dropped",
		Fix:       "enlarge buffer_size; it is in bytes, strides and offsets of an info in dwords",
		Sources:   []string{srcEmit, "D3D debug layer: DRAW_SO_STRIDE_LARGER_THAN_BUFFER"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfTight | streamout.IfFirst,
		Check: func(v *streamout.View) {
			for r := range rooms(v) {
				if r.left < r.extent {
					v.Report(targetPath(r.slot), "the target of slot %d has room for %s, a vertex takes %s", r.slot, inBytes(r.left), inBytes(r.extent)).
						InBuffer(r.slot).With(r.target.Created, "%s created here", called(&r.target.Object))
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(12))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(16))
			s.draw(pipe.Points, 1)
		}),
	}
}

func soTargetTooSmallPrim() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-too-small-prim",
		Title:     "a target that has no room for a primitive",
		Severity:  streamout.Warning,
		Condition: "the first draw since a target was bound finds room in it for a vertex, but not for those of one primitive",
		Why:       "only whole primitives are captured, so none ever is",
		Fix:       "enlarge buffer_size; it is in bytes, strides and offsets of an info in dwords",
		Sources:   []string{srcEmit, "OpenGL 4.6, 13.3.2"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfTight | streamout.IfFirst,
		Check: func(v *streamout.View) {
			prim := v.Context.CapturedAs(drawMode(v))
			n := uint64(prim.Vertices())
			for r := range rooms(v) {
				if need := (n-1)*r.stride + r.extent; n > 1 && r.left >= r.extent && r.left < need {
					v.Report(targetPath(r.slot), "the target of slot %d has room for %s, the %d vertices of a primitive take %s", r.slot, inBytes(r.left), n, inBytes(need)).
						InBuffer(r.slot).With(r.target.Created, "%s created here", called(&r.target.Object))
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(32))
			s.draw(pipe.Triangles, 3)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 3, 0, 0, 0))
			s.set(0, s.fresh(44))
			s.draw(pipe.Triangles, 3)
		}),
	}
}

func soPredictOverflow() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-predict-overflow",
		Title:    "a draw that does not fit its targets",
		Severity: streamout.Note,
		Drivers:  on(streamout.Warning, "gles"),
		Order:    true,
		Condition: "the primitives of a draw, known without a geometry or tessellation shader, are more than a bound target has room " +
			"for by every driver's way of measuring, for the first time since the targets were bound",
		Why: "the primitives that do not fit are dropped; OpenGL ES 3.0 and 3.1 refuse the whole draw with GL_INVALID_OPERATION " +
			"instead",
		Fix:     "make the target as large as vertices times stride",
		Sources: []string{"OpenGL ES 3.0 2.15.2", srcEmit, "src/mesa/main/draw.c: count_tessellated_primitives"},
		On:      streamout.OnCapture,
		If:      streamout.IfTight,
		Check: func(v *streamout.View) {
			s := v.Capturing
			if v.Context.Session.Overflowed {
				return
			}
			prims := v.State.DrawPrimitives(v.Context, v.Op.Call)
			perPrim := uint64(v.Context.CapturedAs(drawMode(v)).Vertices())
			if !prims.Known || prims.Count == 0 || perPrim == 0 {
				return
			}
			for used := s.Buffers; used != 0; used &= used - 1 {
				b := bits.TrailingZeros8(used)
				t := v.Context.Targets[b].Object
				if !v.Sane(t) || !t.Fill.Known || t.Fill.Bytes > uint64(t.Size) {
					continue
				}
				if _, fit := state.Fits(t, uint64(s.Info.Stride[b])*4, uint64(s.Extents[b])*4, perPrim); fit < prims.Count {
					if t.Size == 0 || v.Reported("so-target-too-small-vertex", "so-target-too-small-prim") {
						return // not a primitive fits, which has been told
					}
					v.Report(targetPath(b), "%d of %s of %s and stride %s fit the %d B that are left of %d B", fit, plural(prims.Count, "primitive"),
						plural(perPrim, "vertex"), dw(uint64(s.Info.Stride[b])), uint64(t.Size)-t.Fill.Bytes, t.Size).InBuffer(b)
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.capture(100)
			s.draw(pipe.TriangleStrip, 5)
		}),
		Good: play(func(s *scene) {
			s.capture(96)
			s.draw(pipe.TriangleStrip, 4)
		}),
	}
}

func soTargetTailMismatch() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-tail-mismatch",
		Title:     "a target whose end only some drivers use",
		Severity:  streamout.Note,
		Condition: "behind the last whole stride a target has room for what is written of one more vertex",
		Why:       "the draw module measures the last vertex by the end of its outputs and takes it, Vulkan measures it by the stride and does not",
		Fix:       "make the size a multiple of the stride",
		Sources:   []string{srcEmit, "Vulkan specification: vertex post-processing, transform feedback"},
		On:        streamout.OnCaptureState,
		If:        streamout.IfTail | streamout.IfFirst,
		Check: func(v *streamout.View) {
			for r := range rooms(v) {
				if r.stride > r.extent && r.left >= r.extent && r.left%r.stride >= r.extent {
					v.Report(targetPath(r.slot), "the target of slot %d has room for %s, %s behind whole vertices of %s: enough for the %s that are written of one more",
						r.slot, inBytes(r.left), inBytes(r.left%r.stride), inBytes(r.stride), inBytes(r.extent)).InBuffer(r.slot)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 3, 0, 0, 0))
			s.set(0, s.fresh(28))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 3, 0, 0, 0))
			s.set(0, s.fresh(24))
			s.draw(pipe.Points, 1)
		}),
	}
}

func soAppendOtherSo() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-append-other-so",
		Title:     "appending with another stride",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "the first draw since a target was bound to append has another stride for its slot than the one it was filled with",
		Why: "the position is no multiple of the new stride, and a draw-auto of the target counts wrong; v3d, panfrost and " +
			"asahi keep it in vertices, so they go on at another byte",
		Fix:     "resume with the shader that was paused, or begin anew",
		Sources: []string{"src/gallium/drivers/asahi/agx_streamout.c", "src/gallium/drivers/v3d/v3dx_draw.c"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfExact | streamout.IfFirst | streamout.IfAppends,
		Check: func(v *streamout.View) {
			s := v.Capturing
			for b := range buffers {
				slot := &v.Context.Targets[b]
				t := slot.Object
				if s.Buffers&(1<<b) == 0 || slot.Offset != pipe.AppendOffset || !v.Sane(t) || !t.CapturedInto ||
					t.Fill == (state.Fill{Known: true}) || t.CapturedStride == int(s.Info.Stride[b]) {
					continue
				}
				v.Report(targetPath(b), "the target of slot %d was filled with a stride of %s and goes on with %s", b, dw(uint64(t.CapturedStride)), dw(uint64(s.Info.Stride[b]))).
					InBuffer(b).With(t.Captured, "the last capture of %s", called(&t.Object)).With(s.Created, "the shader of this draw")
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(64)
			s.set(0, t)
			s.draw(pipe.Points, 1)
			s.unbind()
			s.vs(strides{2}, out(0, 0, 2, 0, 0, 0))
			s.set(pipe.AppendOffset, t)
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(64)
			s.set(0, t)
			s.draw(pipe.Points, 1)
			s.unbind()
			s.vs(strides{4}, out(1, 0, 4, 0, 0, 0))
			s.set(pipe.AppendOffset, t)
			s.draw(pipe.Points, 1)
		}),
	}
}
