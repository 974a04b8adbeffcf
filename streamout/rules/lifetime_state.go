package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

func soResourceDestroyedUnderTarget() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-resource-destroyed-under-target",
		Title:     "a buffer is given up while a target keeps it",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "a resource is destroyed while a target over it has not been",
		Why:       "the target has a reference of its own and stays good, but what is captured from then on nobody else can read",
		Fix:       "destroy the targets of a buffer with it",
		Sources:   []string{srcContext},
		On:        streamout.OnAccess,
		Check: func(v *streamout.View) {
			call, ok := v.Op.Call.(*pipe.ResourceDestroy)
			if !ok {
				return
			}
			r := v.State.Resource(call.Resource)
			if r == nil || r.Dead || !r.Targeted {
				return
			}
			first := (*state.Target)(nil)
			for t := range v.State.Targets {
				if t.Buffer == r && !t.Dead && (first == nil || t.Serial < first.Serial) {
					first = t
				}
			}
			if first != nil {
				v.About(&r.Object).Report("resource", "%s is destroyed, but %s is over it", called(&r.Object), called(&first.Object)).
					With(first.Created, "target created here")
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(64)
			s.target(b, 0, 64)
			s.do(&pipe.ResourceDestroy{Resource: b})
		}),
		Good: play(func(s *scene) {
			b := s.buffer(64)
			s.do(&pipe.DestroyStreamOutputTarget{Target: s.target(b, 0, 64)})
			s.do(&pipe.ResourceDestroy{Resource: b})
		}),
	}
}

func soResourceInvalidated() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-resource-invalidated",
		Title:     "the storage of a bound target goes",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a resource is invalidated, or gets another storage, while a target over it is bound",
		Why: "llvmpipe keeps the address of the old storage and writes there, zink forgets that the target is good, and nouveau " +
			"and panfrost need a new bind",
		Fix:     "unbind the target before, and bind it again after",
		Sources: []string{"src/gallium/drivers/llvmpipe/lp_state_so.c", "src/gallium/drivers/zink/zink_context.c"},
		On:      streamout.OnAccess,
		Check: func(v *streamout.View) {
			h, path := pipe.Handle(0), "resource"
			switch call := v.Op.Call.(type) {
			case *pipe.InvalidateResource:
				h = call.Resource
			case *pipe.ReplaceBufferStorage:
				h, path = call.Dst, "dst"
			default:
				return
			}
			r := v.State.Resource(h)
			if r == nil || v.Context == nil {
				return
			}
			for b := range v.Context.Targets {
				if t := v.Context.Targets[b].Object; v.Sane(t) && t.Buffer == r {
					v.About(&r.Object).Report(path, "the storage of %s goes while %s over it is bound in slot %d", called(&r.Object), called(&t.Object), b).
						InBuffer(b).With(v.Context.TargetsSet, "bound here")
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(64)
			s.set(0, s.target(b, 0, 64))
			s.do(&pipe.InvalidateResource{Resource: b})
		}),
		Good: play(func(s *scene) {
			b := s.buffer(64)
			s.set(0, s.target(b, 0, 64))
			s.unbind()
			s.do(&pipe.InvalidateResource{Resource: b})
		}),
	}
}

func soShaderDeleteBound() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-shader-delete-bound",
		Title:    "the capturing shader is deleted",
		Severity: streamout.Error,
		Order:    true,
		Condition: "the last reference of a shader with outputs is deleted while it is the bound last vertex stage and targets are bound, or a " +
			"draw captures with one that was deleted before",
		Why:     "iris, svga and nouveau keep the declarations of stream output in the shader: the draw reads freed memory",
		Fix:     "bind another shader or NULL before, as GL's own deferred deletion does",
		Sources: []string{"src/gallium/drivers/svga/svga_pipe_gs.c", "src/gallium/drivers/nouveau/nvc0/nvc0_state.c"},
		On:      streamout.OnDelete | streamout.OnCaptureState,
		If:      streamout.IfCapturing | streamout.IfDead,
		Check: func(v *streamout.View) {
			s := v.Capturing
			call, ok := v.Op.Call.(*pipe.DeleteState)
			if !ok {
				if s.Dead && !s.Replaced && v.CleanShader(s) {
					v.About(&s.Object).Report("", "%s captures, but was deleted", called(&s.Object)).
						With(v.Context.Shaders[s.Stage].Set, "bound here").With(s.Ended, "deleted here")
				}
				return
			}
			if call.Kind != pipe.ShaderKind(s.Stage) || call.State != s.Handle || s.Dead || s.Creates > 1 ||
				v.State.Shader(s.Stage, s.Handle) != s || !v.CleanShader(s) {
				return
			}
			v.About(&s.Object).Report("state", "%s is deleted while it captures", called(&s.Object)).
				With(v.Context.Shaders[s.Stage].Set, "bound here").With(v.Context.TargetsSet, "targets bound here")
		},
		Bad: play(func(s *scene) {
			vs := s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(64))
			s.do(&pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Vertex), State: vs})
		}),
		Good: play(func(s *scene) {
			vs := s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(64))
			s.unbind()
			s.do(&pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Vertex), State: vs})
		}),
	}
}

func soShaderRebindNull() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-shader-rebind-null",
		Title:    "the capturing shader is unbound",
		Severity: streamout.Warning,
		Drivers:  on(streamout.Error, "iris", "crocus"),
		Order:    true,
		Condition: "between two draws with the same targets bound, the stage that captured is unbound and the last vertex " +
			"stage that is left has no outputs; front ends unbind a shader for a moment, so only the draw tells",
		Why:     "capturing stops although the targets stay bound; iris and crocus assert that there is stream output state",
		Fix:     "unbind the targets before the shader",
		Sources: []string{"src/gallium/drivers/iris/iris_state.c", "OpenGL 4.6, 13.3.2"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfNoOutputs | streamout.IfNotFirst,
		Check: func(v *streamout.View) {
			before := v.Context.Session.Shader
			s, _ := v.Context.LastVertexStage()
			if before == nil || v.Context.Shaders[before.Stage].Handle != 0 {
				return
			}
			v.About(&s.Object).Report("", "%s captured the draw before and is unbound, and %s has no outputs", called(&before.Object), called(&s.Object)).
				With(v.Context.Session.Last, "the last draw with %s", called(&before.Object)).With(v.Context.TargetsSet, "targets bound here")
		},
		Bad: play(func(s *scene) {
			s.vs(strides{})
			s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
			s.bind(pipe.Geometry, 0)
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			vs := s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
			s.bind(pipe.Vertex, 0)
			s.bind(pipe.Vertex, vs)
			s.draw(pipe.Points, 1)
		}),
	}
}

func soShaderOtherContext() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-shader-other-context",
		Title:     "a capturing shader of another context",
		Severity:  streamout.Error,
		Condition: "a shader with outputs is bound in a context that did not create it, and the driver's shaders cannot be shared; a note where they can",
		Why:       "the state object belongs to its context, and so do the declarations of stream output: svga numbers them per context",
		Fix:       "create the shader in each context",
		Sources:   []string{"docs/gallium/screen.rst: SHAREABLE_SHADERS", "src/gallium/drivers/svga/svga_pipe_streamout.c"},
		On:        streamout.OnBindShader,
		If:        streamout.IfContexts,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.BindState)
			stage, _ := call.Kind.Stage()
			s := v.State.Shader(stage, call.State)
			shareable := v.Caps().ShareableShaders
			if s == nil || s.Info.NumOutputs == 0 || s.Context == v.Op.Context || s.Context == 0 || v.Op.Context == 0 || !shareable.Known {
				return
			}
			const words = "%s was created by context %v and is bound in context %v"
			if shareable.IsFalse() {
				v.Report("state", words, called(&s.Object), s.Context, v.Op.Context).With(s.Created, "created here")
				return
			}
			v.ReportAs(streamout.Note, "state", words, called(&s.Object), s.Context, v.Op.Context).With(s.Created, "created here")
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_SHAREABLE_SHADERS", 0)
			s.bind(pipe.Vertex, s.context().vs(strides{4}, out(0, 0, 4, 0, 0, 0)))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_SHAREABLE_SHADERS", 0)
			s.bind(pipe.Vertex, s.context().vs(strides{}))
		}),
	}
}

func soBeginWithoutEnd() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-begin-without-end",
		Title:     "targets are bound at the end of the trace",
		Severity:  streamout.Note,
		Order:     true,
		Condition: "the trace ends with targets bound in a context that was not destroyed",
		Why:       "a program that stops there captures on to its end; one that crashed may have done so while it captured",
		Fix:       "nothing, if the program did not end normally",
		Sources:   []string{srcContext},
		On:        streamout.OnEnd,
		Check: func(v *streamout.View) {
			first := (*state.Context)(nil)
			for c := range v.State.OpenContexts {
				if c.TargetBound() && (first == nil || c.Serial < first.Serial) {
					first = c
				}
			}
			if first != nil {
				v.Report("", "the trace ends with targets bound in context %v", first.Handle).With(first.TargetsSet, "bound here")
			}
		},
	}
}
