package rules

import "github.com/outflow-gpu/outflow/streamout"

// infoGaps are about the places that outputs leave out, and about the order and
// the pieces in which they are listed. They come last: most is legal, and what is
// not follows from a fault that another rule tells of.
func infoGaps() []*streamout.Rule {
	return []*streamout.Rule{
		soStrideUnused(),
		soDstOffsetBytes(),
		soStrideBytes(),
		soGapClobbered(),
		soLeadingGap(),
		soGap(),
		soTrailingGap(),
		soBuffersInterleavedOrder(),
		soMergeableSplit(),
		so3comp(),
		soDstLtStart(),
	}
}

func soStrideUnused() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-unused",
		Title:     "a stride of a buffer that no output uses",
		Severity:  streamout.Note,
		Condition: "a shader with outputs has a stride other than 0 for a buffer that none of them writes",
		Why: "GL reserves the space of a lone xfb_stride, so it is legal; freedreno and nvc0 take any stride for a buffer in " +
			"use and want a target for it",
		Fix:     "leave the stride 0 unless the declaration asks for it",
		Sources: []string{"src/gallium/drivers/nouveau/nvc0/nvc0_shader_state.c: nvc0_tfb_validate", "ARB_enhanced_layouts, issue 22 B"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if len(v.Info.Outputs) == 0 || len(v.Info.Outputs) != int(v.Info.NumOutputs) {
				return
			}
			for b, stride := range v.Info.Stride {
				if stride != 0 && !writesBuffer(v.Info, b) && !v.ReportedAt(stridePath(b), "so-stride-range", "so-stride-limit") && !displaced(v, b, 0, stride) {
					v.Report(stridePath(b), "stride[%d] is %s, but no output writes buffer %d", b, dw(stride), b).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4, 2}, out(0, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4, 0}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

// writesBuffer is Info.Used with the outputs whose numbers are wrong.
func writesBuffer(i *streamout.Info, buffer int) bool {
	for k := range i.Outputs {
		if i.Outputs[k].OutputBuffer == uint64(buffer) {
			return true
		}
	}
	return false
}

func soDstOffsetBytes() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-dst-offset-bytes",
		Title:     "offsets that look like bytes",
		Severity:  streamout.Note,
		Condition: "every dst_offset is a multiple of 4, some buffer has a gap, and a quarter of each offset would leave none",
		Why:       "dst_offset counts dwords, while offsets in NIR, SPIR-V, GL and D3D count bytes: a forgotten division spreads the vertex out",
		Fix:       "divide the byte offset by 4, if that is what it is",
		Sources:   []string{srcState, "src/compiler/nir/nir_xfb_info.h"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if o := bytesForDwords(v.Info); o != nil && !v.Reported("so-not-ascending") {
				v.Report(outputPath(o.Index, "dst_offset"), "output %d has dst_offset %s; all offsets divided by 4 would close every gap, as if they were bytes",
					o.Index, dw(o.DstOffset)).AtOutput(o.Index).InBuffer(int(o.OutputBuffer))
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{17}, out(0, 0, 4, 0, 0, 0), out(1, 0, 1, 0, 16, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{16}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 12, 0)) }),
	}
}

// bytesForDwords returns the first output with a gap before it when all offsets
// look like bytes, else nil.
func bytesForDwords(i *streamout.Info) *streamout.InfoOutput {
	var spread *streamout.InfoOutput
	var end [buffers]uint64
	for o, p := range places(i) {
		b := o.OutputBuffer
		if o.DstOffset%4 != 0 || o.DstOffset/4 != end[b] {
			return nil
		}
		end[b] += o.NumComponents
		if p.gap > 0 && spread == nil {
			spread = o
		}
	}
	return spread
}

func soStrideBytes() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-bytes",
		Title:     "a stride that looks like bytes",
		Severity:  streamout.Note,
		Condition: "a stride is four times the end of the last output of its buffer, and the outputs leave no gap",
		Why:       "strides count dwords here, while those of GL, Vulkan and D3D count bytes; it may be padding that was asked for",
		Fix:       "divide the byte stride by 4, if that is what it is",
		Sources:   []string{srcState},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b, stride := range v.Info.Stride {
				if end, last := v.Info.Extent(b); end > 0 && stride == 4*end && gapless(v.Info, b) && !displaced(v, b, end, stride) {
					v.Report(stridePath(b), "stride[%d] is %s, 4 times the %s at which output %d ends", b, dw(stride), dw(end), last).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{28}, out(0, 0, 4, 0, 0, 0), out(1, 0, 3, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 3, 0, 4, 0)) }),
	}
}

// gapless says whether the outputs of a buffer cover it from its start.
func gapless(i *streamout.Info, buffer int) bool {
	for o, p := range places(i) {
		if o.OutputBuffer == uint64(buffer) && p.gap > 0 {
			return false
		}
	}
	return true
}

func soGapClobbered() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-gap-clobbered",
		Title:     "a gap that v3d writes to",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Warning, "v3d"),
		Condition: "a buffer has a gap before or between its outputs",
		Why:       "v3d fills such gaps with the x of the position, where GL and D3D promise to leave the memory as it was",
		Fix:       "nothing here, if the program does not keep anything in the gap",
		Sources:   []string{"src/gallium/drivers/v3d/v3d_program.c: v3d_set_transform_feedback_outputs"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			eachGap(v, func(o *streamout.InfoOutput, p place) bool { return true }, "the %s before output %d of buffer %d are overwritten")
		},
		Bad:  play(func(s *scene) { s.vs(strides{9}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 5, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{9}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0)) }),
	}
}

// eachGap reports the first gap of each buffer that is wanted and that no rule
// has told of already. The format takes the dwords, the output and the buffer.
func eachGap(v *streamout.View, wanted func(*streamout.InfoOutput, place) bool, format string) {
	if v.Reported(countedGaps...) {
		return
	}
	var told [buffers]bool
	for o, p := range places(v.Info) {
		b := int(o.OutputBuffer)
		if p.gap == 0 || told[b] || !wanted(o, p) || displaced(v, b, o.DstOffset-p.gap, o.DstOffset) {
			continue
		}
		path := outputPath(o.Index, "dst_offset")
		if v.ReportedAt(path, "so-dst-offset-limit", "so-write-window", "so-gap-byte", "so-cap-interleaved") {
			continue
		}
		told[b] = true
		v.Report(path, format, dw(p.gap), o.Index, b).AtOutput(o.Index).InBuffer(b)
	}
}

// countedGaps are the rules that tell of all gaps of an info by one number.
var countedGaps = []string{"so-virgl-varyings-budget", "so-v3d-slots", "so-nv50-map", "so-gap-budget", "so-num-outputs-dx10", "so-gap-clobbered"}

// Why gaps matter, in two rules.
const gapWhy = "drivers that list every dword make entries for it, one for each 4 dwords (iris, svga, virgl); svga asserts on a device without SM5"

func soLeadingGap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-leading-gap",
		Title:     "a gap before the first output of a buffer",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Warning, "svga-dx10"),
		Condition: "the first output of a buffer has a dst_offset above 0",
		Why:       gapWhy + "; such a gap is mostly skipped components, or a varying that the shader does not write",
		Fix:       "nothing, if the gap was asked for",
		Sources:   []string{"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output", "src/gallium/drivers/iris/iris_state.c: iris_create_so_decl_list"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			eachGap(v, func(o *streamout.InfoOutput, p place) bool { return p.first }, "%s are left out before output %d, the first of buffer %d")
		},
		Bad:  play(func(s *scene) { s.vs(strides{5}, out(0, 0, 4, 0, 1, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

func soGap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-gap",
		Title:     "a gap between two outputs of a buffer",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Warning, "svga-dx10"),
		Condition: "an output starts behind the end of the one listed before it for its buffer",
		Why:       gapWhy,
		Fix:       "nothing, if the gap was asked for",
		Sources:   []string{"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output", "src/gallium/drivers/iris/iris_state.c: iris_create_so_decl_list"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !v.Reported("so-dst-offset-bytes") || chosen(v, "svga-dx10") {
				eachGap(v, func(o *streamout.InfoOutput, p place) bool { return !p.first }, "%s are left out before output %d of buffer %d")
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{9}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 5, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0)) }),
	}
}

func soTrailingGap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-trailing-gap",
		Title:     "a stride that goes on behind the last output",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Error, "nv50"),
		Condition: "a stride is above the end of the last output of its buffer (for nv50: of a buffer other than the first)",
		Why: "drivers that bound a capture by what is written fit one vertex more than those that bound it by the stride; nv50 takes " +
			"the end for the stride of buffers 1 to 3, and asserts that they agree",
		Fix:     "nothing, if the padding was asked for",
		Sources: []string{"src/gallium/drivers/nouveau/nv50/nv50_program.c: nv50_program_create_strmout_state", srcEmit},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b, stride := range v.Info.Stride {
				end, last := v.Info.Extent(b)
				if end == 0 || stride <= end || stride > 1<<16-1 || vacated(v, b, end, stride) {
					continue
				}
				path := stridePath(b)
				switch {
				case chosen(v, "nv50") && b > 0:
					v.Report(path, "stride[%d] is %s, output %d ends at %s, and nv50 takes the end for the stride", b, dw(stride), last, dw(end)).InBuffer(b)
				case v.Reported("so-virgl-varyings-budget", "so-dst-offset-bytes", "so-not-ascending"), v.ReportedAt(path, "so-stride-limit", "so-stride-nv50", "so-stride-bytes"):
				default:
					v.ReportAs(streamout.Note, path, "stride[%d] is %s, output %d ends at %s", b, dw(stride), last, dw(end)).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4, 5}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0)) }),
	}
}

func soBuffersInterleavedOrder() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-buffers-interleaved-order",
		Title:     "outputs that go back to an earlier buffer",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Error, "virgl"),
		Condition: "an output is listed behind one of a higher buffer",
		Why: "a virgl host walks the list once and only ever steps forwards from buffer to buffer: the output lands in the " +
			"higher buffer",
		Fix:     "list the outputs by buffer",
		Sources: []string{"virglrenderer src/vrend/vrend_renderer.c: set_stream_out_varyings"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			highest := 0
			for k := range v.Info.Outputs {
				o, h := &v.Info.Outputs[k], &v.Info.Outputs[highest]
				if o.Flaws&streamout.BadBuffer != 0 {
					return
				}
				if o.OutputBuffer < h.OutputBuffer {
					if astray(v, o) || astray(v, h) || v.Reported("so-not-ascending") && !chosen(v, "virgl") {
						return
					}
					v.Report(outputPath(k, "output_buffer"), "output %d goes to buffer %d, output %d before it to buffer %d", k, o.OutputBuffer, highest, h.OutputBuffer).
						AtOutput(k).InBuffer(int(o.OutputBuffer))
					return
				}
				highest = k
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{8, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0), out(2, 0, 4, 0, 4, 0))
		}),
		Good: play(func(s *scene) {
			s.vs(strides{8, 4}, out(0, 0, 4, 0, 0, 0), out(2, 0, 4, 0, 4, 0), out(1, 0, 4, 1, 0, 0))
		}),
	}
}

func soMergeableSplit() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-mergeable-split",
		Title:     "two outputs that could be one",
		Severity:  streamout.Note,
		Condition: "an output goes on where the one before it ends, in the register as in the buffer",
		Why:       "each output costs an entry of the driver's list; a front end splits one for nothing, or because variables share a register",
		Fix:       "capture the components with one output",
		Sources:   []string{srcState},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := 1; k < len(v.Info.Outputs); k++ {
				o, p := &v.Info.Outputs[k], &v.Info.Outputs[k-1]
				if (o.Flaws|p.Flaws) == 0 && o.RegisterIndex == p.RegisterIndex && o.Stream == p.Stream && o.OutputBuffer == p.OutputBuffer &&
					o.StartComponent == p.StartComponent+p.NumComponents && o.DstOffset == p.End() {
					v.Report(outputPath(k, "start_component"), "output %d goes on at component %d of register %d and %s, where output %d ends",
						k, o.StartComponent, o.RegisterIndex, dw(o.DstOffset), k-1).AtOutput(k)
					return
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4}, out(0, 0, 2, 0, 0, 0), out(0, 2, 2, 0, 2, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 2, 2, 0, 0, 0), out(0, 0, 2, 0, 2, 0)) }),
	}
}

func so3comp() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-3comp",
		Title:     "an output of three components",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "r600"),
		Condition: "num_components is 3",
		Why:       "r600 has no export of three components: it exports four and masks the last",
		Fix:       "nothing; it costs a little",
		Sources:   []string{"src/gallium/drivers/r600/r600_shader.c: emit_streamout"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := range v.Info.Outputs {
				if o := &v.Info.Outputs[k]; o.NumComponents == 3 && o.Flaws == 0 && !astray(v, o) {
					v.Report(outputPath(k, "num_components"), "output %d has 3 components, r600 exports 4", k).AtOutput(k)
					return
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{3}, out(0, 0, 3, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

func soDstLtStart() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-dst-lt-start",
		Title:     "an output that r600 has to move first",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Note, "r600"),
		Condition: "dst_offset is below start_component",
		Why:       "r600 exports a component at its own place in a vector of four: what is to land before that is copied to another register",
		Fix:       "nothing; it costs a register and a few instructions",
		Sources:   []string{"src/gallium/drivers/r600/r600_shader.c: emit_streamout"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := range v.Info.Outputs {
				if o := &v.Info.Outputs[k]; o.DstOffset < o.StartComponent && o.Flaws == 0 && !astray(v, o) {
					v.Report(outputPath(k, "dst_offset"), "output %d has dst_offset %s and starts at component %d", k, dw(o.DstOffset), o.StartComponent).AtOutput(k)
					return
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{2}, out(0, 2, 2, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 2, 2, 0, 2, 0)) }),
	}
}
