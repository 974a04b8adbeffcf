package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// zeroingRules are about what means nothing in an info and should be zero, and
// about what is lost on its way.
func zeroingRules() []*streamout.Rule {
	return []*streamout.Rule{
		soVirglStridesDrop(),
		soStaleWhenEmpty(),
		soTailNotZero(),
		soTextTGSITruncation(),
		soRegWidthLegacy(),
	}
}

func soVirglStridesDrop() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-virgl-strides-drop",
		Title:     "strides that virgl does not send",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "virgl"),
		Condition: "num_outputs is 0 and a stride is not, and it is no rest of an earlier shader (so-stale-when-empty); told once",
		Why:       "the guest sends strides only with outputs, so the host knows nothing of a buffer that GL reserves by a lone xfb_stride",
		Fix:       "nothing, as long as no output is captured there",
		Sources:   []string{"src/gallium/drivers/virgl/virgl_encode.c: virgl_encode_shader_state"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Info.NumOutputs != 0 || !v.Info.Stage.CanStreamOut() || v.Reported("so-stride-range") {
				return
			}
			for b, stride := range v.Info.Stride {
				if stride == 0 {
					continue
				}
				if !isRest(v) {
					v.Report(stridePath(b), "stride[%d] is %s, which does not reach the host without outputs", b, dw(stride)).InBuffer(b)
				}
				return
			}
		},
		Bad:  play(func(s *scene) { s.shader(pipe.Vertex, info(strides{4})) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

func soStaleWhenEmpty() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-stale-when-empty",
		Title:    "an info without outputs that is not zero",
		Severity: streamout.Warning,
		Condition: "num_outputs is 0 and a stride or output is not; of a vertex, tessellation evaluation or geometry shader, a " +
			"note for strides that no earlier create of the context with outputs had",
		Why: "only num_outputs was cleared: a cache that hashes the whole struct (freedreno) takes equal shaders for different, " +
			"and virgl drops the strides on the way. GL keeps the stride of a lone xfb_stride, which is legal",
		Fix:     "zero the whole info before it is filled",
		Sources: []string{"src/mesa/state_tracker/st_program.c", "src/gallium/drivers/virgl/virgl_encode.c", "Mesa a92f597b98b: stream output in freedreno's cache key", "ARB_enhanced_layouts, issue 22 B"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Info.NumOutputs != 0 || v.Reported("so-stride-range", "so-nir-mismatch") {
				return
			}
			if i := staleOutput(v); i >= 0 {
				v.Report(outputPath(i, "register_index"), "num_outputs is 0, but output %d is not zero", i).AtOutput(i)
				return
			}
			staleStride(v)
		},
		Bad:  play(func(s *scene) { s.shader(pipe.Fragment, info(strides{4})) }),
		Good: play(func(s *scene) { s.shader(pipe.Vertex, info(strides{})) }),
	}
}

// staleStride reports strides of a shader without outputs.
func staleStride(v *streamout.View) {
	for b, stride := range v.Info.Stride {
		if stride == 0 {
			continue
		}
		if !v.Info.Stage.CanStreamOut() {
			v.Report(stridePath(b), "num_outputs is 0, but stride[%d] of a %s shader is %s", b, v.Info.Stage, dw(stride)).InBuffer(b)
			return
		}
		if before, seen := stridesSeen(v); seen {
			v.Report(stridePath(b), "num_outputs is 0, but stride[%d] is %s, as it was in a shader with outputs that was made before", b, dw(stride)).
				InBuffer(b).With(before, "strides %d dw with outputs", v.Info.Stride)
			return
		}
		if !v.Reported("so-virgl-strides-drop") {
			v.ReportAs(streamout.Note, stridePath(b), "num_outputs is 0, but stride[%d] is %s", b, dw(stride)).InBuffer(b)
		}
		return
	}
}

// isRest says whether an info without outputs has something of an earlier one.
func isRest(v *streamout.View) bool {
	_, seen := stridesSeen(v)
	return seen || staleOutput(v) >= 0
}

// stridesSeen tells where a shader with outputs had all the strides of the info.
func stridesSeen(v *streamout.View) (before state.At, seen bool) {
	if v.Context == nil {
		return before, false
	}
	return v.Context.StridesSeen(v.Info.Stride)
}

// staleOutput returns the first output behind num_outputs that is not zero, -1
// when there is none or the tail is not seen.
func staleOutput(v *streamout.View) int {
	if raw := v.Op.Raw; raw != nil {
		if raw.StreamOutput == nil || raw.Cut {
			return -1
		}
		for i, o := range raw.StreamOutput.Output {
			if uint64(i) >= v.Info.NumOutputs && o != (pipe.OutputNumbers{}) {
				return i
			}
		}
		return -1
	}
	packed := &v.Op.Call.(*pipe.CreateShader).State.StreamOutput
	for i := len(packed.Outputs()); i < len(packed.Output); i++ {
		if packed.Output[i] != 0 {
			return i
		}
	}
	return -1
}

func soTailNotZero() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-tail-not-zero",
		Title:     "outputs behind the last that are not zero",
		Severity:  streamout.Warning,
		InTrace:   streamout.Note,
		Condition: "an output behind num_outputs is not zero; a trace of Mesa does not show them",
		Why:       "caches that hash or compare the whole struct take equal shaders for different ones",
		Fix:       "zero the whole info before it is filled",
		Sources:   []string{"Mesa a92f597b98b: stream output in freedreno's cache key", srcState},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if n := v.Info.NumOutputs; n > 0 && n <= pipe.MaxStreamOutputs {
				if i := staleOutput(v); i >= 0 {
					v.Report(outputPath(i, "register_index"), "num_outputs is %d, but output %d is not zero", n, i).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.tail(3) }),
		Good: play(func(s *scene) { s.tail(0) }),
	}
}

// tail makes a vertex shader with one output and, behind it, another that
// captures the register given.
func (s *scene) tail(register uint64) {
	create := &pipe.CreateShader{Stage: pipe.Vertex}
	info := info(strides{4}, out(0, 0, 4, 0, 0, 0))
	info.Pack(&create.State.StreamOutput)
	if register != 0 {
		word, err := out(register, 0, 4, 0, 4, 0).Pack()
		s.fault(err)
		create.State.StreamOutput.Output[7] = word
	}
	s.do(create)
}

func soTextTGSITruncation() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-text-tgsi-truncation",
		Title:     "a shader whose text is cut",
		Severity:  streamout.Note,
		Condition: "the TGSI text of a shader with outputs ends before its END",
		Why:       "traces print TGSI into a buffer of fixed size: what the shader writes behind the cut is not known, and what is captured is not held against it",
		Fix:       "nothing; the shader itself is whole",
		Sources:   []string{"src/gallium/auxiliary/driver_trace/tr_dump_state.c: trace_dump_shader_state"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if t := v.Info.Text; len(v.Info.Outputs) > 0 && t.Dialect == shader.TGSI && t.Status == shader.Cut && (v.Op.Raw == nil || !v.Op.Raw.Cut) {
				v.Report("state.tokens", "the text of a shader with %s is cut after %d B", plural(v.Info.NumOutputs, "output"), len(v.Op.Call.(*pipe.CreateShader).State.Text()))
			}
		},
		Bad: play(func(s *scene) {
			whole := genericText("")
			s.shaderText(pipe.Vertex, whole[:len(whole)-len("  2: END\n")], info(strides{4}, out(1, 0, 4, 0, 0, 0)))
		}),
		Good: play(func(s *scene) { s.shaderText(pipe.Vertex, genericText(""), info(strides{4}, out(1, 0, 4, 0, 0, 0))) }),
	}
}

func soRegWidthLegacy() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-reg-width-legacy",
		Title:     "a register that later Mesa cannot store",
		Severity:  streamout.Note,
		Condition: "register_index is 64 to 79 in a trace whose form may be that of Mesa before 17.1",
		Why:       "the field had 8 bits then and has 6 since: the number was right in its time and would wrap now",
		Fix:       "nothing, unless the trace is to be replayed on a later Mesa",
		Sources:   []string{"Mesa 19bc74f5130: pipe_stream_output packed, register_index of 6 bits"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !beforeShaderType(v) {
				return
			}
			for i := range v.Info.Outputs {
				r := v.Info.Outputs[i].RegisterIndex
				if r <= maxRegister || r >= pipe.MaxShaderOutputs {
					continue
				}
				if !toldOf(v, i, "register_index", "so-register-not-written") {
					v.Report(outputPath(i, "register_index"), "output %d captures register %d, above %d", i, r, maxRegister).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.typeless(64) }),
		Good: play(func(s *scene) { s.typeless(63) }),
	}
}

// typeless makes a vertex shader as a trace from before Mesa 22.2 writes it,
// without a type.
func (s *scene) typeless(register uint64) {
	create := &pipe.CreateShader{Stage: pipe.Vertex}
	n := info(strides{4}, out(register, 0, 4, 0, 0, 0))
	n.Pack(&create.State.StreamOutput)
	var b pipe.Builder
	b.Arg("state").Struct("pipe_shader_state").Member("tokens").Null().End()
	values := b.Values()
	s.send(&pipe.Op{Call: create, No: 1, Raw: &pipe.Raw{Values: &values}})
}
