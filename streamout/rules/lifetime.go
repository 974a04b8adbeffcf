package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// lifetime are the rules over objects that end, or go on, at the wrong time.
func lifetime() []*streamout.Rule {
	return []*streamout.Rule{
		soTargetUseAfterDestroy(),
		soTargetDoubleDestroy(),
		soTargetDestroyBound(),
		soContextDestroyActive(),
		soTargetLeak(),
		soTargetAddressReuse(),
		soResourceDestroyedUnderTarget(),
		soResourceInvalidated(),
		soShaderDeleteBound(),
		soShaderRebindNull(),
		soShaderOtherContext(),
		soBeginWithoutEnd(),
	}
}

func soTargetUseAfterDestroy() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-target-use-after-destroy",
		Title:    "a draw captures into a destroyed target",
		Severity: streamout.Error,
		Order:    true,
		Condition: "a draw finds a target bound that stream_output_target_destroy has ended; binding one is so-target-dead, " +
			"taking a count from one so-draw-auto-dead, destroying one so-target-double-destroy",
		Why:     "the driver writes through memory that is freed",
		Fix:     "unbind the target before it is destroyed",
		Sources: []string{srcContext, "src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfDead,
		Check: func(v *streamout.View) {
			for b := range v.Context.Targets {
				t := v.Context.Targets[b].Object
				if t != nil && destroyed(v, t) && v.CleanTarget(t) {
					v.About(&t.Object).Report(targetPath(b), "slot %d still holds %s, which was destroyed", b, called(&t.Object)).
						InBuffer(b).With(v.Context.TargetsSet, "bound here").With(t.Ended, "destroyed here")
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(64)
			s.set(0, t)
			s.inTrace(&pipe.DestroyStreamOutputTarget{Target: t})
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			t := s.fresh(64)
			s.set(0, t)
			s.draw(pipe.Points, 1)
			s.unbind()
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.draw(pipe.Points, 1)
		}),
	}
}

func soTargetDoubleDestroy() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-double-destroy",
		Title:     "a target is destroyed twice",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "stream_output_target_destroy names a target that it has ended before",
		Why:       "the second call frees memory that is free, and drops a reference of the buffer that is not its own",
		Fix:       "count references with pipe_so_target_reference, which destroys at the last one",
		Sources:   []string{srcContext, "src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference"},
		On:        streamout.OnDestroyTarget,
		Check: func(v *streamout.View) {
			t := v.State.Target(v.Op.Call.(*pipe.DestroyStreamOutputTarget).Target)
			if t != nil && destroyed(v, t) && v.CleanTarget(t) {
				v.About(&t.Object).Report("target", "%s was destroyed before", called(&t.Object)).
					With(t.Created, "created here").With(t.Ended, "destroyed here")
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
		}),
		Good: play(func(s *scene) {
			t := s.fresh(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.do(&pipe.DestroyStreamOutputTarget{Target: s.fresh(64)})
		}),
	}
}

func soTargetDestroyBound() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-target-destroy-bound",
		Title:    "a bound target is destroyed",
		Severity: streamout.Warning,
		InTrace:  streamout.Note,
		Order:    true,
		Condition: "stream_output_target_destroy names a target that is bound; a note in a trace, where a driver may keep a " +
			"reference of its own, until a draw uses it",
		Why: "the method frees the target whatever refers to it; virglrenderer destroys every stream output object of the host that " +
			"uses it, and ends what is paused",
		Fix:     "unbind first, and let pipe_so_target_reference destroy it",
		Sources: []string{srcContext, "virglrenderer src/vrend/vrend_renderer.c: vrend_destroy_so_target"},
		On:      streamout.OnDestroyTarget,
		Check: func(v *streamout.View) {
			t := v.State.Target(v.Op.Call.(*pipe.DestroyStreamOutputTarget).Target)
			if !v.Sane(t) || v.Context == nil {
				return
			}
			for b := range v.Context.Targets {
				if v.Context.Targets[b].Object == t {
					v.About(&t.Object).Report("target", "%s is destroyed while it is bound in slot %d", called(&t.Object), b).
						InBuffer(b).With(v.Context.TargetsSet, "bound here")
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.set(0, t)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
		}),
		Good: play(func(s *scene) {
			t := s.started(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
		}),
	}
}

func soContextDestroyActive() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-context-destroy-active",
		Title:     "a context is destroyed with targets bound",
		Severity:  streamout.Warning,
		InTrace:   streamout.Note,
		Order:     true,
		Condition: "a context is destroyed while targets are bound in it; a note in a trace, because drivers unbind where no trace sees it",
		Why:       "a driver that does not unbind them itself leaks its references, and with them the buffers",
		Fix:       "unbind the targets before, as the CSO context does",
		Sources:   []string{"src/gallium/auxiliary/cso_cache/cso_context.c: cso_unbind_context", "Mesa 33f273778b8: targets released by the CSO context"},
		On:        streamout.OnDestroyContext,
		Check: func(v *streamout.View) {
			if v.Context != nil && v.Context.TargetBound() {
				v.Report("", "the context is destroyed with targets bound").With(v.Context.TargetsSet, "bound here")
			}
		},
		Bad: play(func(s *scene) {
			s.set(0, s.fresh(64))
			s.do(&pipe.ContextDestroy{})
		}),
		Good: play(func(s *scene) {
			t := s.started(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.do(&pipe.ContextDestroy{})
		}),
	}
}

func soTargetLeak() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-target-leak",
		Title:    "targets outlive their context",
		Severity: streamout.Warning,
		InTrace:  streamout.Note,
		Order:    true,
		Condition: "a context is destroyed while targets that it created and that are not bound have not been destroyed; a note in a " +
			"trace, because most drivers' traces do not show that",
		Why:     "each holds a reference of its buffer, which is never freed",
		Fix:     "drop the references of all targets before the context goes",
		Sources: []string{"src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference", "Mesa 33f273778b8: targets released by the CSO context"},
		On:      streamout.OnDestroyContext,
		Check: func(v *streamout.View) {
			if v.Context == nil {
				return
			}
			n, first := 0, (*state.Target)(nil)
			for t := range v.Context.LiveTargets {
				if v.Context.Holds(t) {
					continue
				}
				if n++; first == nil || t.Serial < first.Serial {
					first = t
				}
			}
			if n == 1 {
				v.About(&first.Object).Report("", "%s of the context has not been destroyed", called(&first.Object)).With(first.Created, "created here")
			} else if n > 0 {
				v.About(&first.Object).Report("", "%d targets of the context have not been destroyed, the first is %s", n, called(&first.Object)).
					With(first.Created, "created here")
			}
		},
		Bad: play(func(s *scene) {
			s.fresh(64)
			s.do(&pipe.ContextDestroy{})
		}),
		Good: play(func(s *scene) {
			s.do(&pipe.DestroyStreamOutputTarget{Target: s.fresh(64)})
			s.do(&pipe.ContextDestroy{})
		}),
	}
}

func soTargetAddressReuse() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-address-reuse",
		Title:     "a new target has the address of a live one",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "create_stream_output_target returns the address of a target that no call has destroyed",
		Why:       "most drivers destroy targets where no trace sees it: the older target is taken for destroyed here",
		Fix:       "nothing",
		Sources:   []string{"src/gallium/auxiliary/driver_trace/tr_context.c", "src/gallium/auxiliary/util/u_inlines.h: pipe_so_target_reference"},
		On:        streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if t := v.State.Target(v.Op.Ret.Handle); t != nil && !t.Dead {
				v.Report("", "the address of a target that no call has destroyed is returned again").With(t.Created, "%s created here", called(&t.Object))
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(64)
			t := s.target(b, 0, 64)
			s.send(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: b, BufferSize: 32}, Ret: pipe.Result{Handle: t, Known: true}})
		}),
		Good: play(func(s *scene) {
			b := s.buffer(64)
			t := s.target(b, 0, 64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: t})
			s.send(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: b, BufferSize: 32}, Ret: pipe.Result{Handle: t, Known: true}})
		}),
	}
}
