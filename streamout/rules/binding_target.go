package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

func soTargetDead() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-dead",
		Title:     "a destroyed target is bound",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "set_stream_output_targets names a target that stream_output_target_destroy has ended; other uses of it are so-target-use-after-destroy and so-draw-auto-dead",
		Why:       "the memory is freed: drivers take a reference of it and write to whatever lies there now",
		Fix:       "unbind the target before the last reference goes, or create it anew",
		Sources:   []string{srcContext, "Mesa 16f8da29970: ddebug kept targets that were gone"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfDead,
		Check: func(v *streamout.View) {
			for _, b := range v.Binds {
				if t := b.Target; t != nil && destroyed(v, t) {
					v.About(&t.Object).Report(targetPath(b.Slot), "%s is bound after it was destroyed", called(&t.Object)).
						InBuffer(b.Slot).With(t.Created, "created here").With(t.Ended, "destroyed here")
				}
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.set(0, t)
		}),
		Good: play(func(s *scene) {
			t := s.fresh(64)
			s.set(0, t)
			s.unbind()
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
		}),
	}
}

// destroyed says whether a call has ended the target. One whose address came
// back, or whose context went away, was not.
func destroyed(v *streamout.View, t *state.Target) bool {
	return t.Dead && !t.Replaced && !orphan(v, t)
}

// orphan says whether the context that made the target is gone.
func orphan(v *streamout.View, t *state.Target) bool {
	if t.Context == 0 {
		return false
	}
	c := v.State.Context(t.Context)
	return c == nil || c.Serial > t.Serial
}

func soTargetContextDestroyed() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-context-destroyed",
		Title:     "a target of a context that is gone",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "a target is bound or destroyed after the context that created it was destroyed",
		Why:       "the last reference calls the destroy method of the target's context, which is freed memory by then",
		Fix:       "drop all targets of a context before it is destroyed",
		Sources:   []string{"src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference"},
		On:        streamout.OnSetTargets | streamout.OnDestroyTarget,
		If:        streamout.IfDead,
		Check: func(v *streamout.View) {
			if call, ok := v.Op.Call.(*pipe.DestroyStreamOutputTarget); ok {
				if t := v.State.Target(call.Target); t != nil && !t.Replaced && orphan(v, t) {
					v.About(&t.Object).Report("target", "%s is destroyed after its context", called(&t.Object)).With(t.Ended, "the context is destroyed here")
				}
				return
			}
			for _, b := range v.Binds {
				if t := b.Target; t != nil && t.Dead && !t.Replaced && orphan(v, t) {
					v.About(&t.Object).Report(targetPath(b.Slot), "%s is bound after its context was destroyed", called(&t.Object)).
						InBuffer(b.Slot).With(t.Ended, "the context is destroyed here")
				}
			}
		},
		Bad: play(func(s *scene) {
			other := s.context()
			t := other.fresh(64)
			other.inTrace(&pipe.ContextDestroy{})
			s.set(0, t)
		}),
		Good: play(func(s *scene) {
			other := s.context()
			other.do(&pipe.ContextDestroy{})
			s.set(0, s.fresh(64))
		}),
	}
}

// inTrace makes a call as a trace that was recorded, where a leak is a note.
func (s *scene) inTrace(call pipe.Call) { s.send(&pipe.Op{Call: call, No: 1, Pos: pipe.Pos{Line: 1}}) }

// context makes a second context of the scene's screen.
func (s *scene) context() *scene {
	op := &pipe.Op{Call: &pipe.ContextCreate{}, Screen: s.c.Screen}
	s.fault(s.c.Driver.Do(op))
	c := s.c
	c.Handle = op.Ret.Handle
	return &scene{c: c}
}

func soTargetOtherContext() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-other-context",
		Title:     "a target of another context",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "virgl"),
		Condition: "a target is bound in another context than the one that created it",
		Why: "virgl's handles belong to a context, the threaded context patches the target's own context, and llvmpipe " +
			"only prints a message",
		Fix:     "create a target for each context; the buffer can be shared",
		Sources: []string{"src/gallium/drivers/llvmpipe/lp_state_so.c: llvmpipe_set_so_targets", "src/gallium/auxiliary/util/u_threaded_context.c: tc_create_stream_output_target"},
		On:      streamout.OnSetTargets,
		If:      streamout.IfContexts,
		Check: func(v *streamout.View) {
			for _, b := range v.SaneBinds {
				if t := b.Target; t.Context != v.Op.Context && t.Context != 0 && v.Op.Context != 0 {
					v.About(&t.Object).Report(targetPath(b.Slot), "%s was created by context %v and is bound in context %v", called(&t.Object), t.Context, v.Op.Context).
						InBuffer(b.Slot).With(t.Created, "created here")
				}
			}
		},
		Bad:  play(func(s *scene) { s.set(0, s.context().fresh(64)) }),
		Good: play(func(s *scene) { s.set(0, s.target(s.context().buffer(64), 0, 64)) }),
	}
}

func soTargetDuplicate() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-duplicate",
		Title:     "one target in two slots",
		Severity:  streamout.Error,
		Condition: "the same target is bound to two slots",
		Why:       "each vertex moves its fill position twice and the two outputs overwrite each other; D3D allows a buffer in one slot only",
		Fix:       "give each slot a target of its own, over ranges that are apart",
		Sources:   []string{srcContext, srcEmit, "D3D11.3 functional specification, 14.3.1"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfSameResource,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			for _, b := range v.Binds {
				if b.Target != nil && !b.Sane {
					continue
				}
				for i := range b.Slot {
					if call.Targets[i] == b.Handle {
						f := v.Report(targetPath(b.Slot), "slots %d and %d hold the same target, %v", i, b.Slot, b.Handle).InBuffer(b.Slot)
						if b.Target != nil {
							f.With(b.Target.Created, "created here")
						}
						break
					}
				}
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.set(0, t, t)
		}),
		Good: play(func(s *scene) { s.set(0, s.fresh(64), 0, 0) }),
	}
}

// pairs yields each two slots whose targets are ranges of one resource, the
// later first.
func pairs(v *streamout.View) func(yield func(late, early *streamout.Bind) bool) {
	return func(yield func(late, early *streamout.Bind) bool) {
		for i, b := range v.SaneBinds {
			for _, a := range v.SaneBinds[:i] {
				if a.Target != b.Target && a.Target.Resource == b.Target.Resource && a.Target.Buffer == b.Target.Buffer && !yield(b, a) {
					return
				}
			}
		}
	}
}

func overlapping(a, b *state.Target) bool {
	return a.Size > 0 && b.Size > 0 && uint64(a.Offset) < uint64(b.Offset)+uint64(b.Size) && uint64(b.Offset) < uint64(a.Offset)+uint64(a.Size)
}

func soTargetResourceOverlap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-resource-overlap",
		Title:     "two targets over the same bytes",
		Severity:  streamout.Error,
		Condition: "two bound targets are ranges of one resource that share a byte",
		Why:       "both write the shared bytes, in an order that nothing fixes; Gallium lets targets share a buffer only while their ranges are apart",
		Fix:       "move one of the ranges",
		Sources:   []string{srcContext, "D3D11.3 functional specification, 14.3.1"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfSameResource,
		Check: func(v *streamout.View) {
			for b, a := range pairs(v) {
				if s, t := a.Target, b.Target; overlapping(s, t) {
					v.Report(targetPath(b.Slot), "%s in slot %d is bytes %d..%d of the resource, %s in slot %d bytes %d..%d",
						called(&t.Object), b.Slot, t.Offset, last(t), called(&s.Object), a.Slot, s.Offset, last(s)).
						InBuffer(b.Slot).With(s.Created, "%s created here", called(&s.Object)).With(t.Created, "%s created here", called(&t.Object))
				}
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(128)
			s.set(0, s.target(b, 0, 68), s.target(b, 64, 64))
		}),
		Good: play(func(s *scene) {
			b := s.buffer(128)
			s.set(0, s.target(b, 0, 64), s.target(b, 64, 64))
		}),
	}
}

// last is the last byte of a target that has any.
func last(t *state.Target) uint64 { return uint64(t.Offset) + uint64(t.Size) - 1 }

func soTargetResourceShared() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-resource-shared",
		Title:     "two targets in one buffer",
		Severity:  streamout.Note,
		Condition: "two bound targets are ranges of one resource that are apart",
		Why:       "it is legal in Gallium and Vulkan; D3D lets a buffer be in one slot only",
		Fix:       "nothing, unless the program is to run on D3D",
		Sources:   []string{srcContext, "D3D11.3 functional specification, 14.3.1"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfSameResource,
		Check: func(v *streamout.View) {
			for b, a := range pairs(v) {
				if !overlapping(a.Target, b.Target) {
					v.Report(targetPath(b.Slot), "slots %d and %d are ranges of one resource", a.Slot, b.Slot).InBuffer(b.Slot)
				}
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(128)
			s.set(0, s.target(b, 0, 64), s.target(b, 64, 64))
		}),
		Good: play(func(s *scene) { s.set(0, s.fresh(64), s.fresh(64)) }),
	}
}

func soNullTargetHole() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-null-target-hole",
		Title:    "a slot without a target among the targets",
		Severity: streamout.Note,
		Drivers:  on(streamout.Error, "v3d", "asahi", "nv50", "svga"),
		Condition: "a target below num_targets is NULL; on v3d and asahi it matters when its offset is not the one that " +
			"appends",
		Why: "nv50 and svga look into every target, v3d and asahi into each whose position they set: all of them " +
			"dereference NULL; r600 did until aa6f88f891d",
		Fix: "number the buffers without holes, or check the driver",
		Sources: []string{"src/gallium/drivers/nouveau/nv50/nv50_state.c: nv50_set_stream_output_targets", "src/gallium/drivers/svga/svga_pipe_streamout.c",
			"src/gallium/drivers/v3d/v3dx_state.c", "Mesa aa6f88f891d: r600 with a NULL target"},
		On: streamout.OnSetTargets,
		If: streamout.IfHole,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			refused := v.Context != nil && v.Context.TargetRefused
			for i, target := range call.Filled() {
				if target != 0 {
					continue
				}
				if refused {
					refused = false // so-target-null-returned tells of the first
					continue
				}
				appends := i < len(call.Offsets) && call.Offsets[i] == pipe.AppendOffset
				const words = "slot %d of %d holds no target"
				if appends && v.Profile != nil && (v.Profile.Is("v3d") || v.Profile.Is("asahi")) {
					v.ReportAs(streamout.Note, targetPath(i), words, i, call.NumTargets).InBuffer(i)
					continue
				}
				v.Report(targetPath(i), words, i, call.NumTargets).InBuffer(i)
			}
		},
		Bad:  play(func(s *scene) { s.set(0, 0, s.fresh(64)) }),
		Good: play(func(s *scene) { s.set(0, s.fresh(64)) }),
	}
}
