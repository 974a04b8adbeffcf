package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// shaderRules are about an info and the stage that carries it.
func shaderRules() []*streamout.Rule {
	return []*streamout.Rule{
		soWrongStage(),
		soNotLastStage(),
		soEmptyGS(),
		soInfoChanged(),
	}
}

func soWrongStage() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-wrong-stage",
		Title:     "outputs in a stage that cannot stream out",
		Severity:  streamout.Error,
		Condition: "num_outputs is not 0 in a shader that is no vertex, tessellation evaluation or geometry shader; a warning in a tessellation control shader",
		Why: "nothing is captured there: the info belongs to another shader, or is rest of one; d3d12 opens its root " +
			"signature for stream output if any graphics stage has outputs, and a mesh shader turns stream output off",
		Fix: "set num_outputs to 0, and give the info to the last stage before the rasterizer",
		Sources: []string{"src/compiler/nir/nir_gather_xfb_info.c", "src/gallium/drivers/d3d12/d3d12_root_signature.cpp",
			"src/gallium/auxiliary/draw/draw_context.c: draw_so_info", "VUID-VkGraphicsPipelineCreateInfo-pStages-02322"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if n := v.Info.NumOutputs; n == 0 || v.Info.Stage.CanStreamOut() || n > pipe.MaxStreamOutputs && v.Reported("so-num-outputs-range") {
				return
			}
			severity := streamout.Error
			if v.Info.Stage == pipe.TessCtrl {
				severity = streamout.Warning
			}
			v.ReportAs(severity, infoPath+".num_outputs", "num_outputs is %d in a %s shader, which nothing is captured from", v.Info.NumOutputs, v.Info.Stage)
		},
		Bad:  play(func(s *scene) { s.shader(pipe.Fragment, info(strides{4}, out(0, 0, 4, 0, 0, 0))) }),
		Good: play(func(s *scene) { s.shader(pipe.TessEval, info(strides{4}, out(0, 0, 4, 0, 0, 0))) }),
	}
}

func soNotLastStage() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-not-last-stage",
		Title:    "outputs in a shader that is not the last vertex stage",
		Severity: streamout.Warning,
		Condition: "a draw with a target bound has a shader with outputs, but a later stage is bound: a warning when that one has " +
			"no outputs, else a note",
		Why:     "the geometry shader's info counts, else the tessellation evaluation shader's, else the vertex shader's: the other infos are ignored and nothing is captured",
		Fix:     "give the info to the last stage of the pipeline",
		Sources: []string{"src/gallium/auxiliary/draw/draw_context.c: draw_so_info", "VUID-VkGraphicsPipelineCreateInfo-pStages-02317"},
		On:      streamout.OnCaptureState,
		If:      streamout.IfLaterStage,
		Check: func(v *streamout.View) {
			c := v.Context
			last, _ := c.LastVertexStage()
			if last == nil || last.Stage == pipe.Vertex || !v.CleanShader(last) {
				return
			}
			for _, stage := range [...]pipe.Stage{pipe.Vertex, pipe.TessEval} {
				s := c.Shaders[stage].Object
				if s == nil || stage == last.Stage || s.Info.NumOutputs == 0 {
					continue
				}
				ignored(v, s, last)
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.shader(pipe.Geometry, info(strides{}))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{})
			s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
			s.set(0, s.fresh(64))
			s.draw(pipe.Points, 1)
		}),
	}
}

// ignored reports that the info of s is not used because last is bound.
func ignored(v *streamout.View, s, last *state.Shader) {
	severity := streamout.Note
	if last.Info.NumOutputs == 0 {
		severity = streamout.Warning
	}
	v.ReportAs(severity, "", "the %s shader %s has %s, but the %s shader %s behind it has %d, and only those count",
		s.Stage, s.Handle, plural(uint64(s.Info.NumOutputs), "output"), last.Stage, last.Handle, last.Info.NumOutputs).
		With(s.Created, "the %s shader", s.Stage).With(last.Created, "the %s shader", last.Stage)
}

func soEmptyGS() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-empty-gs",
		Title:     "a geometry shader that has outputs but no code",
		Severity:  streamout.Warning,
		Condition: "a create of a geometry shader with outputs has tokens NULL",
		Why: "softpipe and llvmpipe take it for stream output of the stage before, which they then give the info to; other " +
			"drivers read the tokens",
		Fix:     "give the info to the shader whose outputs are captured",
		Sources: []string{"src/gallium/auxiliary/draw/draw_vs.c: draw_vs_attach_so", "src/gallium/drivers/softpipe/sp_state_shader.c"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			// A text that is absent says nothing: only a create that was written with
			// both members as NULL had no code.
			raw := v.Op.Raw
			if v.Info.Stage != pipe.Geometry || v.Info.NumOutputs == 0 || raw == nil || raw.Cut || raw.Values == nil {
				return
			}
			create := raw.Values.Arg("state")
			if create.Member("type").Exists() && create.Member("tokens").IsNull() && create.Member("ir").IsNull() {
				v.Report("state.tokens", "the geometry shader has %s but no code", plural(v.Info.NumOutputs, "output"))
			}
		},
		Bad:  play(func(s *scene) { s.codeless(1) }),
		Good: play(func(s *scene) { s.codeless(0) }),
	}
}

// codeless makes a geometry shader of no code as a trace writes it, with that
// many outputs.
func (s *scene) codeless(outputs uint64) {
	create := &pipe.CreateShader{Stage: pipe.Geometry}
	n := info(strides{4}, out(0, 0, 4, 0, 0, 0))
	n.NumOutputs, n.Output = outputs, n.Output[:outputs]
	if outputs == 0 {
		n.Stride = nil
	}
	n.Pack(&create.State.StreamOutput)
	var b pipe.Builder
	b.Arg("state").Struct("pipe_shader_state").Member("type").Uint(0).Member("tokens").Null().Member("ir").Null().End()
	values := b.Values()
	s.send(&pipe.Op{Call: create, Raw: &pipe.Raw{Values: &values}})
}

func soInfoChanged() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-info-changed",
		Title:     "one shader with two infos",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "a create returns a shader that is alive and was made of the same text, but with another stream output",
		Why: "the driver took the two for equal: its cache leaves stream output out of the key, and the second user " +
			"captures what the first asked for",
		Fix:     "make the stream output part of the key",
		Sources: []string{"src/gallium/drivers/freedreno/ir3/ir3_cache.c", "Mesa a92f597b98b: stream output in the cache key", "src/gallium/auxiliary/util/u_live_shader_cache.c"},
		On:      streamout.OnShaderCreated,
		Check: func(v *streamout.View) {
			old := v.State.Shader(v.Info.Stage, v.Op.Ret.Handle)
			if old == nil || old.Dead || !old.Exact || v.Op.Raw != nil && v.Op.Raw.StreamOutput != nil {
				return
			}
			if v.Op.No != 0 && v.Op.No <= old.Created.No {
				return // another process wrote this call, with addresses of its own
			}
			create := v.Op.Call.(*pipe.CreateShader)
			if old.Outputs.Status != shader.Parsed || !old.HasText(create.State.Text()) || old.Info.Equal(&create.State.StreamOutput) {
				return
			}
			what, is, asked := old.Info.Difference(&create.State.StreamOutput)
			v.Report(infoPath, "shader %s is alive with %s %s; the same text was given %s", old.Handle, what, is, asked).With(old.Created, "created here")
		},
		Bad:  play(func(s *scene) { s.sameAddress(false) }),
		Good: play(func(s *scene) { s.sameAddress(true) }),
	}
}

// sameAddress makes two shaders of one text and different infos to which the
// driver gives one address, with a delete between them or not.
func (s *scene) sameAddress(deleted bool) {
	const text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n  2: END\n"
	h := pipe.Handle(0)
	for register := range uint64(2) {
		create := &pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{Tokens: []byte(text)}}
		n := info(strides{4}, out(register, 0, 4, 0, 0, 0))
		n.Pack(&create.State.StreamOutput)
		h = s.send(&pipe.Op{Call: create, Ret: pipe.Result{Handle: h, Known: h != 0}})
		if deleted {
			s.do(&pipe.DeleteState{Kind: pipe.ShaderKind(pipe.Vertex), State: h})
		}
	}
}
