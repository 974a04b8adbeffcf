package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

func soAppendNeverWritten() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-append-never-written",
		Title:     "appending to a target that was never begun",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a target is bound to append, and was never bound with another offset since it was created",
		Why: "it has no position to go on from: softpipe, llvmpipe and r600 begin at the start, d3d12 dereferences the " +
			"buffer of the filled size that it does not have, iris reads a position that nobody zeroed",
		Fix: "bind it with offset 0 the first time",
		Sources: []string{"src/gallium/drivers/r600/r600_streamout.c", "src/gallium/drivers/d3d12/d3d12_context.cpp",
			"Mesa 34d3103dee9, 44e713eddb4: iris offsets that nobody zeroed"},
		On: streamout.OnSetTargets,
		If: streamout.IfAppends,
		Check: func(v *streamout.View) {
			for _, b := range v.SaneBinds {
				if t := b.Target; neverBegun(v, b) && !v.ReportedAt(targetPath(b.Slot), "so-target-other-context") {
					v.About(&t.Object).Report(offsetPath(b.Slot), "slot %d appends to %s, which no call has begun", b.Slot, called(&t.Object)).
						InBuffer(b.Slot).With(t.Created, "created here")
				}
			}
		},
		Bad:  play(func(s *scene) { s.set(pipe.AppendOffset, s.fresh(64)) }),
		Good: play(func(s *scene) { s.set(pipe.AppendOffset, s.started(64)) }),
	}
}

// neverBegun says whether the slot appends to a target that has no position yet.
func neverBegun(v *streamout.View, b *streamout.Bind) bool {
	return b.Appends() && b.Sane && !b.Target.WasSet
}

func soRestartReusedTarget() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-restart-reused-target",
		Title:     "a target that has captured begins anew",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Warning, "softpipe", "virgl"),
		Condition: "a target that has captured is bound with offset 0; for virgl it matters when all targets of the call have",
		Why:       "softpipe never goes back to the start of a target; virgl's host goes on when the whole list of targets is one it knows",
		Fix:       "create a new target of the range for a new start",
		Sources:   []string{"src/gallium/drivers/softpipe/sp_state_so.c", "virglrenderer src/vrend/vrend_renderer.c: vrend_set_streamout_targets"},
		On:        streamout.OnSetTargets,
		Check: func(v *streamout.View) {
			for _, b := range v.SaneBinds {
				t := b.Target
				if !b.HasOffset || b.Offset != 0 || !t.CapturedInto || v.ReportedAt(targetPath(b.Slot), "so-target-other-context") {
					continue
				}
				const words = "slot %d begins at 0 B again with a target that has captured"
				f := (*streamout.Draft)(nil)
				if v.Profile != nil && v.Profile.Is("virgl") && !allCaptured(v) {
					f = v.ReportAs(streamout.Note, offsetPath(b.Slot), words, b.Slot) // the host has no such list yet
				} else {
					f = v.Report(offsetPath(b.Slot), words, b.Slot)
				}
				f.InBuffer(b.Slot).With(t.Created, "%s created here", called(&t.Object)).With(t.Captured, "the last capture")
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(64)
			s.set(0, t)
			s.draw(pipe.Points, 1)
			s.unbind()
			s.set(0, t)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			b := s.buffer(64)
			s.set(0, s.target(b, 0, 64))
			s.draw(pipe.Points, 1)
			s.unbind()
			s.set(0, s.target(b, 0, 64))
		}),
	}
}

// allCaptured says whether all targets of the call have captured before.
func allCaptured(v *streamout.View) bool {
	for _, b := range v.Binds {
		if b.Target != nil && !b.Target.CapturedInto {
			return false
		}
	}
	return true
}

func soPauseCap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-pause-cap",
		Title:     "appending on a driver that cannot resume",
		Severity:  streamout.Warning,
		Condition: "a target that was unbound is bound to append, and the driver cannot pause and resume",
		Why:       "nv50 before NVA0 has no filled size to go on from, so it writes over what was captured",
		Fix:       "ask for PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME before, and capture in one go",
		Sources:   []string{"docs/gallium/screen.rst: STREAM_OUTPUT_PAUSE_RESUME", "src/gallium/drivers/nouveau/nv50/nv50_screen.c"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfAppends,
		Check: func(v *streamout.View) {
			if !v.Caps().PauseResume.IsFalse() {
				return
			}
			for _, b := range v.SaneBinds {
				if b.Appends() && !stillBound(v, b) && !v.ReportedAt(offsetPath(b.Slot), "so-append-never-written") {
					v.Report(offsetPath(b.Slot), "slot %d appends, but the driver cannot resume", b.Slot).InBuffer(b.Slot)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", 0)
			s.set(pipe.AppendOffset, s.started(64))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME", 0)
			s.set(0, s.started(64))
		}),
	}
}

// stillBound says whether the target is bound now, in any slot of the context.
func stillBound(v *streamout.View, b *streamout.Bind) bool {
	return v.Context != nil && v.Context.Holds(b.Target)
}

func soRebindRedundant() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-rebind-redundant",
		Title:     "a bind that changes nothing",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "all targets are bound as they already are, and all append",
		Why:       "the draw module flushes, iris stalls and others re-emit; the CSO context only drops unbinding what is unbound",
		Fix:       "leave the call out",
		Sources:   []string{"src/gallium/auxiliary/cso_cache/cso_context.c: cso_set_stream_outputs"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfAppends,
		Check: func(v *streamout.View) {
			if redundant(v) {
				v.Report("targets", "all targets are already bound, and all append")
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.set(0, t)
			s.set(pipe.AppendOffset, t)
		}),
		Good: play(func(s *scene) {
			t := s.started(64)
			s.set(pipe.AppendOffset, t)
		}),
	}
}

// redundant says whether a set_stream_output_targets leaves all as it is.
func redundant(v *streamout.View) bool {
	call := v.Op.Call.(*pipe.SetStreamOutputTargets)
	n := len(call.Filled())
	if v.Context == nil || n == 0 || call.NumTargets > buffers || !v.Context.TargetBound() {
		return false
	}
	for i := range v.Context.Targets {
		now := &v.Context.Targets[i]
		switch {
		case i >= n && now.Handle != 0:
			return false
		case i < n && (now.Handle != call.Targets[i] || now.Object != v.State.Target(call.Targets[i])):
			return false
		case i < n && call.Targets[i] != 0 && (i >= len(call.Offsets) || call.Offsets[i] != pipe.AppendOffset):
			return false
		}
	}
	return true
}

func soResumeWithoutPause() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-resume-without-pause",
		Title:     "a target goes on that never stopped",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "a target is bound to append while it is still bound, and other targets change",
		Why:       "it is harmless in most drivers, but counts as a flush",
		Fix:       "unbind to pause, and bind to resume",
		Sources:   []string{srcContext},
		On:        streamout.OnSetTargets,
		If:        streamout.IfAppends,
		Check: func(v *streamout.View) {
			if v.Reported("so-rebind-redundant") {
				return
			}
			for _, b := range v.SaneBinds {
				if b.Appends() && stillBound(v, b) {
					v.Report(offsetPath(b.Slot), "slot %d appends to a target that is still bound", b.Slot).InBuffer(b.Slot)
				}
			}
		},
		Bad: play(func(s *scene) {
			a, b := s.started(64), s.started(64)
			s.set(pipe.AppendOffset, a)
			s.set(pipe.AppendOffset, a, b)
		}),
		Good: play(func(s *scene) {
			a, b := s.started(64), s.started(64)
			s.set(pipe.AppendOffset, a)
			s.unbind()
			s.set(pipe.AppendOffset, a, b)
		}),
	}
}

func soBindDuringQuery() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-bind-during-query",
		Title:     "targets are bound while a query counts",
		Severity:  streamout.Note,
		Condition: "targets are bound while a query of stream output is between its begin and its end",
		Why:       "the query sums up what is captured before and after; r600 and radeonsi stop and restart it, nvc0 waits for the offset",
		Fix:       "nothing, if that sum is wanted",
		Sources:   []string{"src/gallium/drivers/radeonsi/si_state_streamout.c", "src/gallium/drivers/nouveau/nvc0/nvc0_state.c"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfQueries,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			if v.Context == nil || len(call.Filled()) == 0 {
				return
			}
			for _, q := range v.Context.ActiveQueries {
				if q.Type.PerStream() || q.Type == pipe.QueryStreamOutputOverflowAny {
					v.Report("targets", "targets are bound while a query of type %v counts", q.Type).With(q.Begun, "%s begins here", called(&q.Object))
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.do(&pipe.BeginQuery{Query: s.do(&pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted})})
			s.set(0, t)
		}),
		Good: play(func(s *scene) {
			t := s.fresh(64)
			q := s.do(&pipe.CreateQuery{Type: pipe.QueryPrimitivesEmitted})
			s.set(0, t)
			s.do(&pipe.BeginQuery{Query: q})
		}),
	}
}
