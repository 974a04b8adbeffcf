package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

func infoRanges() []*streamout.Rule {
	return []*streamout.Rule{
		soNumOutputsRange(),
		soBufferRange(),
		soComponentCount(),
		soStartComponentRange(),
		soComponentCross(),
		soMaskNoncontiguous(),
		soRegisterRange(),
		soStreamRange(),
		soDstOffsetRange(),
		soStrideRange(),
	}
}

func soNumOutputsRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-num-outputs-range",
		Title:     "more outputs than an info holds",
		Severity:  streamout.Error,
		Condition: "num_outputs is above 128; a warning when it is above the number of outputs that follow it in a trace",
		Why: "consumers walk output[] by num_outputs, so they read and write past its end: " +
			"r600 refuses the shader, svga asserts, iris and d3d12 overrun their declaration arrays",
		Fix:     "set num_outputs to the number of outputs that are filled in",
		Sources: []string{"src/gallium/include/pipe/p_state.h: PIPE_MAX_SO_OUTPUTS", "src/gallium/drivers/r600/r600_shader.c: emit_streamout"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			const path = infoPath + ".num_outputs"
			switch n, there := v.Info.NumOutputs, uint64(len(v.Info.Outputs)); {
			case n > pipe.MaxStreamOutputs:
				v.Report(path, "num_outputs is %d, at most %d", n, pipe.MaxStreamOutputs)
			case n > there:
				v.ReportAs(streamout.Warning, path, "num_outputs is %d, the list has %s", n, plural(there, "output"))
			}
		},
		Bad: play(func(s *scene) {
			n := info(strides{4}, out(0, 0, 4, 0, 0, 0))
			n.NumOutputs = 129
			s.shader(pipe.Vertex, n)
		}),
		Good: play(func(s *scene) {
			var outputs []pipe.OutputNumbers
			for i := range uint64(pipe.MaxStreamOutputs) {
				outputs = append(outputs, out(i/4, i%4, 1, 0, i, 0))
			}
			s.vs(strides{pipe.MaxStreamOutputs}, outputs...)
		}),
	}
}

func soBufferRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-buffer-range",
		Title:     "an output in a buffer that does not exist",
		Severity:  streamout.Error,
		Condition: "output_buffer is above 3",
		Why: "the field has room for 7 but stride[] and the target slots have 4 entries: the draw module, nvc0 and " +
			"virglrenderer index past them, and svga's own check lets 4 through",
		Fix: "use buffers 0 to 3",
		Sources: []string{"src/gallium/include/pipe/p_state.h: PIPE_MAX_SO_BUFFERS", "src/gallium/auxiliary/draw/draw_pt_so_emit.c: so_emit_prim",
			"src/gallium/drivers/nouveau/nvc0/nvc0_program.c: nvc0_program_create_tfb_state"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Flaws&streamout.BadBuffer != 0 {
					v.Report(outputPath(i, "output_buffer"), "output %d goes to buffer %d, at most %d", i, o.OutputBuffer, pipe.MaxStreamOutputBuffers-1).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 5, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4, 0, 0, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 3, 0, 0)) }),
	}
}

func soComponentCount() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-component-count",
		Title:     "an output of no or too many components",
		Severity:  streamout.Error,
		Condition: "num_components is 0 or above 4",
		Why: "0 makes an empty write mask, which hardware takes for anything (r600, iris); 5 to 7 make virglrenderer name a " +
			"vector type that does not exist, and the draw module copy past the attribute",
		Fix:     "leave the output out, or split it",
		Sources: []string{srcState, srcEmit, "src/compiler/nir/nir_gather_xfb_info.c"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.NumComponents == 0 || o.NumComponents > 4 {
					v.Report(outputPath(i, "num_components"), "output %d has %d components, at least 1 and at most 4", i, o.NumComponents).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 0, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{5}, out(0, 0, 4, 0, 0, 0), out(1, 0, 1, 0, 4, 0)) }),
	}
}

func soStartComponentRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-start-component-range",
		Title:     "an output that starts behind w",
		Severity:  streamout.Error,
		Condition: "start_component is above 3",
		Why:       "the field has 2 bits: the value wraps and another component is captured, without a word from anyone",
		Fix:       "start at 0 to 3 (x to w)",
		Sources:   []string{srcState},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.StartComponent > 3 {
					v.Report(outputPath(i, "start_component"), "output %d starts at component %d, at most 3 (w)", i, o.StartComponent).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{5}, out(0, 0, 4, 0, 0, 0), out(1, 4, 1, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{5}, out(0, 0, 4, 0, 0, 0), out(1, 3, 1, 0, 4, 0)) }),
	}
}

func soComponentCross() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-component-cross",
		Title:     "an output that runs past w",
		Severity:  streamout.Error,
		Condition: "start_component + num_components is above 4",
		Why: "the draw module copies into the next attribute or past the vertex, nv50 and nvc0 index a slot that is not there, " +
			"iris sets a bit outside its 4-bit mask, virgl cuts the mask",
		Fix:     "split the output where the register ends",
		Sources: []string{srcEmit, "src/gallium/drivers/nouveau/nv50/nv50_program.c: nv50_program_create_strmout_state"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				o := &v.Info.Outputs[i]
				if o.StartComponent > 3 || o.NumComponents == 0 || o.NumComponents > 4 || o.Flaws&streamout.BadComponents == 0 {
					continue
				}
				v.Report(outputPath(i, "num_components"), "output %d starts at component %d with %d components and so ends at %d, at most 4",
					i, o.StartComponent, o.NumComponents, o.StartComponent+o.NumComponents).AtOutput(i)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{7}, out(0, 0, 4, 0, 0, 0), out(1, 2, 3, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{6}, out(0, 0, 4, 0, 0, 0), out(1, 2, 2, 0, 4, 0)) }),
	}
}

func soMaskNoncontiguous() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-mask-noncontiguous",
		Title:     "a component mask with a hole",
		Severity:  streamout.Error,
		Condition: "the components of one output are not adjacent, as x and z",
		Why: "the interface says a first component and a count: a mask with a hole turned into that captures components " +
			"that were not asked for and misses some that were (lavapipe)",
		Fix:     "give each run of adjacent components an output of its own, with the dst_offset going on",
		Sources: []string{srcState, "src/gallium/frontends/lavapipe/lvp_pipeline.c: lvp_shader_xfb_init"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Flaws&streamout.MaskHole != 0 {
					v.Report(outputPath(i, "start_component"), "output %d has register_mask %#x, whose components are not adjacent", i, o.Mask()).AtOutput(i)
				}
			}
		},
		Bad: play(func(s *scene) {
			create := &pipe.CreateShader{Stage: pipe.Vertex}
			word, err := pipe.PackMask(0, 0b0101, 0, 0, 0)
			s.fault(err)
			create.State.StreamOutput, err = pipe.NewStreamOutputInfo([buffers]uint16{2}, word)
			s.fault(err)
			s.do(create)
		}),
		Good: play(func(s *scene) { s.vs(strides{2}, out(0, 0, 1, 0, 0, 0), out(0, 2, 1, 0, 1, 0)) }),
	}
}

// maxRegister is the highest register that 6 bits hold, as since Mesa 17.1.
const maxRegister = 63

func soRegisterRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-register-range",
		Title:     "a register that no shader has or no info holds",
		Severity:  streamout.Error,
		Condition: "register_index is above 79, or above 63 where the field has 6 bits: everywhere since Mesa 17.1",
		Why:       "the value wraps when it is stored, so that another varying is captured; above 79 no shader has such an output",
		Fix:       "capture one of the shader's outputs",
		Sources:   []string{srcState, "Mesa 19bc74f5130: pipe_stream_output packed, register_index of 6 bits"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			limit := uint64(maxRegister)
			if beforeShaderType(v) {
				limit = pipe.MaxShaderOutputs - 1
			}
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.RegisterIndex > limit {
					v.Report(outputPath(i, "register_index"), "output %d captures register %d, at most %d", i, o.RegisterIndex, limit).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4}, out(64, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(63, 0, 4, 0, 0, 0)) }),
	}
}

// beforeShaderType says whether a shader create comes from a trace of Mesa
// before 22.2, which did not write the type of the shader: among those are the
// ones whose register_index has 8 bits.
func beforeShaderType(v *streamout.View) bool {
	if v.Live || v.Op.Raw == nil || v.Op.Raw.Values == nil {
		return false
	}
	state := v.Op.Raw.Values.Arg("state")
	return state.Kind() == pipe.StructValue && !state.Member("type").Exists()
}

func soStreamRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stream-range",
		Title:     "a vertex stream that does not exist",
		Severity:  streamout.Error,
		Condition: "stream is above 3",
		Why:       "the field has 2 bits: the value wraps into another stream",
		Fix:       "use streams 0 to 3",
		Sources:   []string{srcState, "src/compiler/nir/nir_gather_xfb_info.c"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Flaws&streamout.BadStream != 0 {
					v.Report(outputPath(i, "stream"), "output %d belongs to stream %d, at most %d", i, o.Stream, pipe.MaxVertexStreams-1).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 4))) }),
		Good: play(func(s *scene) { s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 3))) }),
	}
}

func soDstOffsetRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-dst-offset-range",
		Title:     "a dst_offset that cannot be stored",
		Severity:  streamout.Error,
		Condition: "dst_offset is above 65535 dwords",
		Why:       "the field has 16 bits: the value wraps and the output lands elsewhere in the vertex",
		Fix:       "dst_offset counts dwords; a vertex in a buffer is far smaller than 65536 of them",
		Sources:   []string{srcState},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Flaws&streamout.BadOffset != 0 {
					v.Report(outputPath(i, "dst_offset"), "output %d has dst_offset %s, at most %s", i, dw(o.DstOffset), dw(1<<16-1)).AtOutput(i)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 1<<16, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{1<<16 - 1}, out(0, 0, 4, 0, 0, 0), out(1, 0, 1, 0, 1<<16-2, 0)) }),
	}
}

func soStrideRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-range",
		Title:     "a stride that cannot be stored",
		Severity:  streamout.Error,
		Condition: "a stride is above 65535 dwords",
		Why:       "the field has 16 bits since Mesa 17.1: the value wraps, and vertices overwrite each other",
		Fix:       "the stride counts dwords; D3D11 stops at 512 of them",
		Sources:   []string{srcState, "Mesa 19bc74f5130: pipe_stream_output packed, strides of 16 bits"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b, stride := range v.Info.Stride {
				if stride > 1<<16-1 {
					v.Report(stridePath(b), "stride[%d] is %s, at most %s", b, dw(stride), dw(1<<16-1)).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{1 << 16}, out(0, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{1<<16 - 1}, out(0, 0, 4, 0, 0, 0)) }),
	}
}
