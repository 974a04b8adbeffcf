package rules

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// drawAutos are about draws that take their count from a target: first the call,
// then the target, then the vertices that are read.
func drawAutos() []*streamout.Rule {
	return []*streamout.Rule{
		soDrawAutoNull(),
		soDrawAutoCap(),
		soDrawAutoIndexed(),
		soDrawAutoNumDraws(),
		soDrawAutoStartCount(),
		soDrawAutoMultiInstance(),
		soDrawAutoVirgl(),
		soDrawAutoStream(),
		soDrawAutoDead(),
		soDrawAutoOtherContext(),
		soDrawAutoTargetBound(),
		soDrawAutoTargetNotWritten(),
		soDrawAutoNeverWritten(),
		soDrawAutoNoVB(),
		soDrawAutoStrideZero(),
		soDrawAutoStrideMismatch(),
		soDrawAutoOffsetMismatch(),
	}
}

const (
	autoPath    = "indirect.count_from_stream_output"
	srcDrawAuto = "src/gallium/include/pipe/p_state.h: struct pipe_draw_indirect_info"
	srcDrawPT   = "src/gallium/auxiliary/draw/draw_pt.c: resolve_draw_info"
)

// auto returns the draw-auto, nil when the draw does not take its count from a
// target.
func auto(v *streamout.View) *pipe.Draw {
	d, ok := v.Op.Call.(*pipe.Draw)
	if !ok || cut(v) || d.Indirect == nil || d.Indirect.CountFromStreamOutput == 0 {
		return nil
	}
	return d
}

// autoTarget returns the draw-auto and its target, nil when it is not known or
// an error about it was reported.
func autoTarget(v *streamout.View) (*pipe.Draw, *state.Target) {
	d := auto(v)
	if d == nil {
		return nil, nil
	}
	t := v.State.Target(d.Indirect.CountFromStreamOutput)
	if t == nil || t.Dead || !v.CleanTarget(t) {
		return nil, nil
	}
	return d, t
}

// captured captures three points of a vec4 into a target, ends that, and makes
// a shader without stream output current.
func (s *scene) captured() (t, buffer pipe.Handle) {
	buffer = s.buffer(256)
	t = s.target(buffer, 0, 256)
	s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
	s.set(0, t)
	s.draw(pipe.Points, 3)
	s.unbind()
	s.vs(strides{})
	return t, buffer
}

// autoCase is a case in which a target was captured and its buffer is bound as
// vertex buffer, with a draw-auto that edit may change.
func autoCase(edit func(*pipe.Draw)) streamout.Case {
	return play(func(s *scene) {
		t, buffer := s.captured()
		s.vertices(buffer, 0, 16)
		d := &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1, MaxIndex: 1<<32 - 1},
			Indirect: &pipe.DrawIndirect{CountFromStreamOutput: t}, Draws: []pipe.DrawRange{{}}, NumDraws: 1}
		edit(d)
		s.do(d)
	})
}

func soDrawAutoNull() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-draw-auto-null",
		Title:    "a draw with no source of its counts, or two",
		Severity: streamout.Error,
		Condition: "an indirect draw names neither a buffer nor a target, or both; a warning when it names neither and carries counts " +
			"of its own, as those of vkCmdDrawIndirectByteCountEXT in lavapipe of Mesa 22.3 do",
		Why: "drivers look at one of the two first, and not at the same one; with neither most follow a NULL pointer, and the draw module " +
			"draws as if the draw were a direct one",
		Fix:     "set indirect.buffer or indirect.count_from_stream_output, or leave indirect NULL",
		Sources: []string{srcDrawAuto, srcDrawPT, "src/gallium/frontends/lavapipe/lvp_execute.c: handle_draw_indirect_byte_count"},
		On:      streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			d, ok := v.Op.Call.(*pipe.Draw)
			if !ok || cut(v) || d.Indirect == nil {
				return
			}
			switch i := d.Indirect; {
			case i.Buffer != 0 && i.CountFromStreamOutput != 0:
				v.Report("indirect", "both buffer and count_from_stream_output are set")
			case i.Buffer == 0 && i.CountFromStreamOutput == 0:
				k := slices.IndexFunc(d.Draws, func(r pipe.DrawRange) bool { return r.Count != 0 })
				if k < 0 {
					v.Report("indirect", "neither buffer nor count_from_stream_output is set")
					return
				}
				v.ReportAs(streamout.Warning, "indirect", "neither buffer nor count_from_stream_output is set, but draws[%d] has %s: only some drivers draw them",
					k, plural(uint64(d.Draws[k].Count), "vertex"))
			}
		},
		Bad:  autoCase(func(d *pipe.Draw) { d.Indirect.CountFromStreamOutput = 0 }),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoCap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-cap",
		Title:     "a draw-auto that the driver cannot do",
		Severity:  streamout.Error,
		Condition: "a draw-auto on a driver whose PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME is 0",
		Why:       "the driver does not keep how far a target is filled: nv50 before NVA0 and svga with DX10 only",
		Fix:       "count the vertices with a query and draw that many",
		Sources:   []string{"docs/gallium/screen.rst: PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", "src/gallium/drivers/nouveau/nv50/nv50_screen.c"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if auto(v) != nil && v.Caps().PauseResume.IsFalse() {
				v.Report(autoPath, "the draw takes its count from a target, but PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME is 0")
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", 0)
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.drawAuto(pipe.Points, t)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", 1)
			t, buffer := s.captured()
			s.vertices(buffer, 0, 16)
			s.drawAuto(pipe.Points, t)
		}),
	}
}

func soDrawAutoIndexed() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-indexed",
		Title:     "an indexed draw-auto",
		Severity:  streamout.Error,
		Condition: "a draw-auto has an index_size other than 0",
		Why:       "the filled size of a target counts vertices, not indices; the draw module and llvmpipe assert",
		Fix:       "draw without indices",
		Sources:   []string{srcDrawPT, srcDrawAuto},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if d := auto(v); d != nil && d.Info.IndexSize != 0 {
				v.Report("info.index_size", "index_size is %d B in a draw that takes its count from a target", d.Info.IndexSize)
			}
		},
		Bad:  autoCase(func(d *pipe.Draw) { d.Info.IndexSize = 2 }),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoNumDraws() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-num-draws",
		Title:     "a draw-auto of more or less than one draw",
		Severity:  streamout.Error,
		Condition: "num_draws of a draw-auto is not 1",
		Why:       "a target gives one count; the threaded context asserts that there is one draw",
		Fix:       "make num_draws 1",
		Sources:   []string{"src/gallium/auxiliary/util/u_threaded_context.c: tc_draw_vbo", srcDrawAuto},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if d := auto(v); d != nil && d.NumDraws != 1 {
				v.Report("num_draws", "num_draws is %d in a draw that takes its count from a target", d.NumDraws)
			}
		},
		Bad: autoCase(func(d *pipe.Draw) {
			d.NumDraws, d.Draws = 2, []pipe.DrawRange{{}, {}}
		}),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoStartCount() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-start-count",
		Title:     "a draw-auto with a start or a count",
		Severity:  streamout.Note,
		Condition: "the range of a draw-auto has a start or a count other than 0",
		Why:       "both are ignored: the target gives the count, and reading begins with the first vertex",
		Fix:       "leave both 0, and use the offset of the vertex buffer to skip",
		Sources:   []string{srcDrawPT, srcDrawAuto},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			d := auto(v)
			if d == nil || len(d.Draws) != 1 || v.Reported("so-draw-auto-null") {
				return
			}
			if r := d.Draws[0]; r.Start != 0 || r.Count != 0 {
				v.Report("draws[0]", "start is %d and count is %d, but the target gives the count and both are ignored", r.Start, r.Count)
			}
		},
		Bad:  autoCase(func(d *pipe.Draw) { d.Draws[0].Count = 3 }),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoMultiInstance() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-multi-instance-id",
		Title:     "a draw-auto with instances",
		Severity:  streamout.Note,
		Condition: "a draw-auto has a start_instance other than 0 or an instance_count other than 1",
		Why:       "of the draw only these two count besides the target: the captured vertices are drawn once for each instance",
		Fix:       "nothing, if that is meant",
		Sources:   []string{srcDrawAuto, "OpenGL 4.6 10.4: DrawTransformFeedbackInstanced"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			switch d := auto(v); {
			case d == nil:
			case d.Info.InstanceCount == 0:
				v.Report("info.instance_count", "instance_count is 0, so nothing of what was captured is drawn")
			case d.Info.StartInstance != 0 || d.Info.InstanceCount != 1:
				v.Report("info.instance_count", "the draw is of what was captured, for %s from instance %d on",
					plural(uint64(d.Info.InstanceCount), "instance"), d.Info.StartInstance)
			}
		},
		Bad:  autoCase(func(d *pipe.Draw) { d.Info.InstanceCount = 4 }),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}

func soDrawAutoVirgl() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-virgl",
		Title:     "a draw-auto on virgl",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Warning, "virgl"),
		Condition: "a draw-auto, for virgl",
		Why:       "the guest sends the bytes of the target where the host takes a number of vertices, which draws far too many",
		Fix:       "count the vertices with a query and draw that many",
		Sources:   []string{"src/gallium/drivers/virgl/virgl_encode.c", "virglrenderer src/vrend/vrend_renderer.c: vrend_draw_vbo"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			if d, t := autoTarget(v); d != nil && v.Profile != nil && v.Profile.Is("virgl") {
				v.Report(autoPath, "a target of %d B gives the count, which virgl sends as %d vertices", t.Size, t.Size).InBuffer(t.CapturedSlot)
			}
		},
		Bad:  autoCase(func(*pipe.Draw) {}),
		Good: play(func(s *scene) { s.captured(); s.draw(pipe.Points, 3) }),
	}
}

func soDrawAutoStream() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-draw-auto-stream",
		Title:     "a draw-auto that svga must count by a query",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "svga"),
		Condition: "a draw-auto with several instances, or of a target that a stream other than 0 wrote, for svga",
		Why:       "the device cannot do it: svga waits for the result of a statistics query and draws that many vertices",
		Fix:       "nothing; it costs a wait",
		Sources:   []string{"src/gallium/drivers/svga/svga_pipe_draw.c"},
		On:        streamout.OnDrawAuto,
		Check: func(v *streamout.View) {
			d, t := autoTarget(v)
			if d == nil || v.Profile == nil || !v.Profile.Is("svga") {
				return
			}
			if d.Info.InstanceCount > 1 || t.CapturedInto && t.CapturedStream > 0 {
				v.Report(autoPath, "the draw is of %s of what stream %d wrote, which svga counts by waiting for a query",
					plural(uint64(d.Info.InstanceCount), "instance"), t.CapturedStream).OnStream(t.CapturedStream)
			}
		},
		Bad:  autoCase(func(d *pipe.Draw) { d.Info.InstanceCount = 2 }),
		Good: autoCase(func(*pipe.Draw) {}),
	}
}
