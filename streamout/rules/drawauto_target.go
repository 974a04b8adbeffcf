package rules

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

func soDrawAutoDead() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-dead",
		Title:     "a draw-auto of a target that is gone",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "a draw takes its count from a target after its last reference was given up, or after its context was destroyed",
		Why:       "the driver reads freed memory for the count",
		Fix:       "keep a reference to the target until the draw",
		Sources:   []string{"src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference", srcDrawAuto},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			d := auto(v)
			if d == nil {
				return
			}
			t := v.State.Target(d.Indirect.CountFromStreamOutput)
			switch {
			case t == nil || !t.Dead || !v.CleanTarget(t):
			case orphan(v, t):
				v.About(&t.Object).Report(autoPath, "%s gives the count after its context was destroyed", called(&t.Object)).
					With(t.Ended, "the context is destroyed here")
			default:
				v.About(&t.Object).Report(autoPath, "%s gives the count after it was destroyed", called(&t.Object)).
					With(t.Ended, "destroyed here")
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.drawAuto(pipe.Points, t)
		}),
		Good: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.drawAuto(pipe.Points, t)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
		}),
	}
}

func soDrawAutoOtherContext() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-other-context",
		Title:     "a draw-auto of another context's target",
		Severity:  streamout.Warning,
		Condition: "a draw takes its count from a target that another context made",
		Why:       "how far a target is filled belongs to the context that captured, which may not have run yet; virgl's handles mean nothing elsewhere",
		Fix:       "draw in the context that made the target",
		Sources:   []string{"src/gallium/include/pipe/p_state.h: struct pipe_stream_output_target", "src/gallium/drivers/llvmpipe/lp_state_so.c"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			d, t := autoTarget(v)
			if d != nil && t.Context != 0 && v.Op.Context != 0 && t.Context != v.Op.Context {
				v.Report(autoPath, "%s, which gives the count, was made by context %v, the draw is of context %v", called(&t.Object), t.Context, v.Op.Context).
					With(t.Created, "%s created here", called(&t.Object))
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			o := s.context()
			o.vs(strides{})
			o.vertices(buffer, 0, 16)
			o.drawAuto(pipe.Points, t)
			s.fault(o.err)
		}),
		Good: play(func(s *scene) {
			o := s.context()
			t, buffer := o.captured()
			o.vertices(buffer, 0, 16)
			o.drawAuto(pipe.Points, t)
			s.fault(o.err)
		}),
	}
}

func soDrawAutoTargetBound() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-target-bound",
		Title:     "a draw-auto that captures into its own target",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "the target that gives the count of a draw is bound, and the draw captures into it",
		Why:       "the count is read while it is written: how many vertices are drawn is not defined, D3D unbinds the target",
		Fix:       "capture into another target, or unbind it before the draw",
		Sources:   []string{"D3D11.3 functional specification, 14", srcDrawAuto},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if t, slot := feedback(v); t != nil {
				v.Report(autoPath, "%s gives the count of the draw and is bound in slot %d, which the draw captures into", called(&t.Object), slot).
					InBuffer(slot).With(v.Context.TargetsSet, "the targets were bound here")
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(pipe.AppendOffset, t)
			s.drawAuto(pipe.Points, t)
		}),
		Good: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.capture(256)
			s.drawAuto(pipe.Points, t)
		}),
	}
}

// feedback returns the target that a draw-auto takes its count from and captures
// into, and the slot that it is bound in.
func feedback(v *streamout.View) (*state.Target, int) {
	_, t := autoTarget(v)
	if t == nil {
		return nil, 0
	}
	if s := v.Capturing; s != nil {
		for b := range v.Context.Targets {
			if v.Context.Targets[b].Object == t && s.Buffers&(1<<b) != 0 {
				return t, b
			}
		}
	}
	return nil, 0
}

// emptyAuto returns the target of a draw-auto that surely nothing was captured
// into, so that the draw is of nothing.
func emptyAuto(v *streamout.View) *state.Target {
	_, t := autoTarget(v)
	if t == nil || t.CapturedInto || !t.Fill.Known || t.Fill.Bytes != 0 || v.Reported("so-draw-auto-target-bound") {
		return nil
	}
	return t
}

func soDrawAutoTargetNotWritten() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-target-not-written",
		Title:     "a draw-auto of a target that the capture left alone",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "draws captured while the target was bound, but no output of their shaders wrote its slot",
		Why: "nothing is drawn: what was captured went to the targets of other slots; a front end that takes the first target " +
			"of a stream takes a slot without outputs for one of stream 0",
		Fix:     "take the count from a target that an output writes",
		Sources: []string{"src/mesa/main/transformfeedback.c: end_transform_feedback", srcDrawAuto},
		On:      streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if t := emptyAuto(v); t != nil && t.WasBypassed {
				v.Report(autoPath, "%s was bound while draws captured, but no output wrote its slot, so the draw is of 0 vertices", called(&t.Object)).
					With(t.Bypassed, "the last draw that captured past it")
			}
		},
		Bad: play(func(s *scene) {
			other, buffer := s.fresh(64), s.buffer(64)
			t := s.target(buffer, 0, 64)
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, other, t)
			s.draw(pipe.Points, 3)
			s.unbind()
			s.vs(strides{})
			s.vertices(buffer, 0, 16)
			s.drawAuto(pipe.Points, t)
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoNeverWritten() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-never-written",
		Title:     "a draw-auto of a target that nothing was captured into",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a draw takes its count from a target that no draw captured into since it was made",
		Why: "0 vertices are drawn, if that: r600, zink and d3d12 read a filled size that nobody wrote, and iris hung on an offset " +
			"that was not zeroed",
		Fix: "capture into the target first",
		Sources: []string{"src/gallium/drivers/zink/zink_draw.cpp", "Mesa 34d3103dee9: iris zeroes the offset of a new target",
			"Mesa 44e713eddb4: iris and the first bind of a target"},
		On: streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if t := emptyAuto(v); t != nil && !t.WasBypassed {
				v.Report(autoPath, "nothing was captured into %s, so the draw is of 0 vertices", called(&t.Object)).
					With(t.Created, "%s created here", called(&t.Object))
			}
		},
		Bad: play(func(s *scene) {
			_, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.drawAuto(pipe.Points, s.target(buffer, 0, 256))
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

// autoBuffer returns the draw-auto, its target and the vertex elements, nil
// when one of them is not known or there is no element.
func autoBuffer(v *streamout.View) (*state.Target, []pipe.VertexElement) {
	_, t := autoTarget(v)
	if t == nil || v.Context == nil {
		return nil, nil
	}
	elements := v.Context.Elements()
	if len(elements) == 0 || emptyAuto(v) != nil || v.Reported("so-draw-auto-target-bound") {
		return nil, nil
	}
	return t, elements
}

// vertexBuffer returns the binding that an element reads, and whether it is known.
func vertexBuffer(c *state.Context, e *pipe.VertexElement) (pipe.VertexBuffer, bool) {
	if int(e.VertexBufferIndex) >= len(c.VertexBuffers) {
		return pipe.VertexBuffer{}, c.Whole
	}
	b := c.VertexBuffers[e.VertexBufferIndex]
	return b, c.Whole || b.Resource != 0
}

func soDrawAutoNoVB() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-no-vb",
		Title:     "a draw-auto that reads no captured vertex",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "no vertex element of a draw-auto reads the buffer of the target, or element 0 has no vertex buffer",
		Why: "the target gives the count and the vertex buffer the vertices: they belong together, and drivers divide by the stride " +
			"of element 0 whatever it reads",
		Fix:     "bind the target's buffer as the vertex buffer of element 0",
		Sources: []string{srcDrawPT, srcDrawAuto},
		On:      streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			t, elements := autoBuffer(v)
			if t == nil {
				return
			}
			first, known := vertexBuffer(v.Context, &elements[0])
			if !known {
				return
			}
			if first.Resource == 0 && !first.IsUserBuffer {
				v.Report(fmt.Sprintf("vertex_buffers[%d]", elements[0].VertexBufferIndex), "element 0 reads vertex buffer %d, but none is bound there",
					elements[0].VertexBufferIndex)
				return
			}
			for i := range elements {
				if b, known := vertexBuffer(v.Context, &elements[i]); !known || b.Resource == t.Resource {
					return
				}
			}
			v.Report(autoPath, "%s gives the count, but no vertex element reads its buffer", called(&t.Object)).
				With(t.Captured, "the last draw that captured into it")
		},
		Bad: play(func(s *scene) {
			t, _ := s.captured()
			s.vertices(s.buffer(256), 0, 16)
			s.drawAuto(pipe.Points, t)
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoStrideZero() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-stride-zero",
		Title:     "a draw-auto with a stride of 0",
		Severity:  streamout.Error,
		Condition: "the stride of vertex element 0 is 0 in a draw-auto",
		Why:       "the number of vertices is the filled size divided by that stride: Mesa before 19.2 divides by zero, later ones draw nothing",
		Fix:       "give element 0 the stride of the captured vertices",
		Sources:   []string{srcDrawPT, "Mesa 4171a26193e: draw-auto with a stride of 0"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			t, elements := autoBuffer(v)
			if t == nil || v.Reported("so-draw-auto-no-vb") {
				return
			}
			if stride, ok := v.Context.ElementStride(0); ok && stride == 0 {
				v.Report("elements[0].src_stride", "the stride of element 0, in vertex buffer %d, is 0 B, and the count is %s divided by it",
					elements[0].VertexBufferIndex, fill(t))
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 0)
			s.drawAuto(pipe.Points, t)
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

// fill is how far a target is filled, in words.
func fill(t *state.Target) string {
	if !t.Fill.Known {
		return "the filled size of " + called(&t.Object).String()
	}
	return fmt.Sprintf("the %d B in %s", t.Fill.Bytes, called(&t.Object))
}

func soDrawAutoStrideMismatch() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-stride-mismatch",
		Title:     "a draw-auto with another stride than the capture",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "the stride of vertex element 0 is not that of the shader which captured into the target last",
		Why:       "drivers divide the filled bytes by the stride of element 0, so the draw is of another number of vertices than were captured",
		Fix:       "use the stride of the capture for element 0",
		Sources:   []string{srcDrawPT, "src/gallium/drivers/iris/iris_draw.c"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			t, _ := autoBuffer(v)
			if t == nil || !t.CapturedInto || t.CapturedStride == 0 || v.Reported("so-draw-auto-no-vb") {
				return
			}
			if stride, ok := v.Context.ElementStride(0); ok && stride != 0 && uint64(stride) != uint64(t.CapturedStride)*4 {
				v.Report("elements[0].src_stride", "the stride of element 0 is %d B, %s was captured with %s", stride, called(&t.Object), dw(uint64(t.CapturedStride))).
					InBuffer(t.CapturedSlot).With(t.Captured, "the last draw that captured into it")
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 0, 32)
			s.drawAuto(pipe.Points, t)
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoOffsetMismatch() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-offset-mismatch",
		Title:     "a draw-auto that does not read from the start of the capture",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a vertex element that reads the buffer of the target begins before the target, or ends beyond its first captured vertex",
		Why: "the first vertex read is not the first captured, and the last lies beyond what was captured; d3d12 and iris " +
			"take the difference of the offsets off the count, r600 and others do not",
		Fix:     "bind the vertex buffer with the buffer_offset of the target",
		Sources: []string{"src/gallium/drivers/d3d12/d3d12_draw.cpp", "Mesa 2208d5a6837: iris and the offset of a target"},
		On:      streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			t, elements := autoBuffer(v)
			if t == nil || !t.CapturedInto || t.CapturedStride == 0 || v.Reported("so-draw-auto-stride-mismatch", "so-draw-auto-stride-zero") {
				return
			}
			for i := range elements {
				e := &elements[i]
				b, known := vertexBuffer(v.Context, e)
				if !known || b.Resource != t.Resource || b.IsUserBuffer || e.InstanceDivisor != 0 {
					continue
				}
				begin := uint64(b.Offset) + uint64(e.SrcOffset)
				end := begin + max(formatBytes(e.SrcFormat), 1)
				if begin < uint64(t.Offset) || end > uint64(t.Offset)+uint64(t.CapturedStride)*4 {
					v.Report(fmt.Sprintf("vertex_buffers[%d].buffer_offset", e.VertexBufferIndex),
						"element %d reads bytes %d to %d of the buffer for the first vertex, the first captured one is bytes %d to %d",
						i, begin, end-1, t.Offset, uint64(t.Offset)+uint64(t.CapturedStride)*4-1).InBuffer(t.CapturedSlot)
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			t, buffer := s.captured()
			s.vertices(buffer, 16, 16)
			s.drawAuto(pipe.Points, t)
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

// formatBytes returns the size of a pixel or vertex of a plain format, 0 when
// its name does not tell: PIPE_FORMAT_R32G32_FLOAT has 8.
func formatBytes(f pipe.Format) uint64 {
	name, ok := strings.CutPrefix(string(f), "PIPE_FORMAT_")
	if !ok {
		return 0
	}
	bits := uint64(0)
	for len(name) > 0 && strings.IndexByte("RGBAXZSLI", name[0]) >= 0 {
		n := 1
		size := uint64(0)
		for n < len(name) && name[n] >= '0' && name[n] <= '9' && n < 5 {
			size = size*10 + uint64(name[n]-'0')
			n++
		}
		if n == 1 {
			return 0
		}
		bits += size
		name = name[n:]
	}
	if len(name) > 0 && name[0] != '_' {
		return 0
	}
	return bits / 8
}
