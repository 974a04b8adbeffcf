package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// infoLimits are about sizes that fit the interface but not some driver. Where
// one number is too much for several, only the first of them speaks.
func infoLimits() []*streamout.Rule {
	return []*streamout.Rule{
		soNumOutputsR600(),
		soNumOutputsVirgl(),
		soWriteWindow(),
		soDstOffsetLimit(),
		soStreamDataSize(),
		soStrideNv50(),
		soVirglVaryingsBudget(),
		soStrideLimit(),
		soNv50Map(),
		soV3dSlots(),
		soGapByte(),
		soGapBudget(),
		soNumOutputsDx10(),
	}
}

// chosen says whether the run is checked for one of the drivers.
func chosen(v *streamout.View, drivers ...string) bool {
	for _, d := range drivers {
		if v.Profile != nil && v.Profile.Is(d) {
			return true
		}
	}
	return false
}

// floats makes outputs of one component, dwords apart in buffer 0, from all
// components of the registers in turn.
func floats(n, apart uint64) []pipe.OutputNumbers {
	var outputs []pipe.OutputNumbers
	for i := range n {
		outputs = append(outputs, out(i/4, i%4, 1, 0, i*apart, 0))
	}
	return outputs
}

func soNumOutputsR600() *streamout.Rule {
	return &streamout.Rule{
		ID:          "so-num-outputs-r600",
		Title:       "more outputs than r600 has room for",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "r600"),
		OnlyDrivers: true,
		Condition:   "num_outputs is above 80",
		Why: "r600 keeps a register and a component for each output in two arrays of 80 on the stack, but checks num_outputs " +
			"against 128: it writes past them",
		Fix:     "capture adjacent components with one output, or fewer of them",
		Sources: []string{"src/gallium/drivers/r600/r600_shader.c: emit_streamout"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if n := v.Info.NumOutputs; n > pipe.MaxShaderOutputs && !v.Reported("so-num-outputs-range") {
				v.Report(infoPath+".num_outputs", "num_outputs is %d, r600 has room for %d", n, pipe.MaxShaderOutputs)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{81}, floats(81, 1)...) }),
		Good: play(func(s *scene) { s.vs(strides{80}, floats(80, 1)...) }),
	}
}

func soNumOutputsVirgl() *streamout.Rule {
	const limit = 64
	return &streamout.Rule{
		ID:          "so-num-outputs-virgl",
		Title:       "more outputs than the host of a virtual GPU takes",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "virgl"),
		OnlyDrivers: true,
		Condition:   "num_outputs is 64 or more",
		Why: "virglrenderer's arrays hold 64 outputs: it refuses more of them, and fails to write the shader of exactly 64; the " +
			"context is dead from then on, and the guest goes on without a word",
		Fix:     "capture adjacent components with one output, or fewer of them",
		Sources: []string{"virglrenderer src/vrend/vrend_decode.c", "virglrenderer src/vrend/vrend_shader.c"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if n := v.Info.NumOutputs; n >= limit && !v.Reported("so-num-outputs-range", "so-num-outputs-r600") {
				v.Report(infoPath+".num_outputs", "num_outputs is %d, a virgl host takes %d", n, limit-1)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{64}, floats(64, 1)...) }),
		Good: play(func(s *scene) { s.vs(strides{63}, floats(63, 1)...) }),
	}
}

func soWriteWindow() *streamout.Rule {
	const window = 128 // dwords
	return &streamout.Rule{
		ID:        "so-write-window",
		Title:     "a vertex that is written over more bytes than D3D allows",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Error, "d3d"),
		Condition: "from the first to the last dword that is written of a vertex in one buffer there are more than 128",
		Why:       "D3D writes at most 512 bytes per vertex and buffer; other interfaces count from the start of the vertex (so-dst-offset-limit)",
		Fix:       "spread the outputs over several buffers",
		Sources:   []string{"D3D11.3 functional specification, 14.1: D3D11_SO_BUFFER_MAX_WRITE_WINDOW_IN_BYTES"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b := range buffers {
				end, last := v.Info.Extent(b)
				if start := minOffset(v.Info, b); end > start+window && !misfit(v, b) {
					v.Report(outputPath(last, "dst_offset"), "output %d ends %s behind the first dword that is written of buffer %d, at most %s",
						last, dw(end-start), b, dw(window)).AtOutput(last).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{133}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 129, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{132}, out(0, 0, 4, 0, 4, 0), out(1, 0, 4, 0, 128, 0)) }),
	}
}

// minOffset is the first dword that the outputs write of a vertex in a buffer.
func minOffset(i *streamout.Info, buffer int) uint64 {
	first := ^uint64(0)
	for o := range i.In(buffer) {
		first = min(first, o.DstOffset)
	}
	return first
}

func soDstOffsetLimit() *streamout.Rule {
	const limit = 128 // dwords
	return &streamout.Rule{
		ID:          "so-dst-offset-limit",
		Title:       "an output behind the 128th dword of a vertex",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "nvc0", "nv50"),
		OnlyDrivers: true,
		Condition:   "dst_offset + num_components is above 128 dwords",
		Why: "nvc0 and nv50 note the source of each dword in tables of 128 entries and write past their end; Vulkan promises " +
			"512 bytes, and D3D writes no more",
		Fix: "spread the outputs over several buffers",
		Sources: []string{"src/gallium/drivers/nouveau/nvc0/nvc0_program.c: nvc0_program_create_tfb_state",
			"src/gallium/drivers/nouveau/nv50/nv50_program.c: nv50_program_create_strmout_state", "D3D11.3 functional specification, 14.1",
			"Vulkan 1.3, limits: maxTransformFeedbackBufferDataSize"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b := range buffers {
				if end, last := v.Info.Extent(b); end > limit && !misfit(v, b) {
					v.Report(outputPath(last, "dst_offset"), "output %d ends at %s of buffer %d, at most %s", last, dw(end), b, dw(limit)).AtOutput(last).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{132}, out(0, 0, 4, 0, 128, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{128}, out(0, 0, 4, 0, 124, 0)) }),
	}
}

func soStreamDataSize() *streamout.Rule {
	const limit = 128 // components
	return &streamout.Rule{
		ID:        "so-stream-data-size",
		Title:     "a stream of which more is captured than D3D and Vulkan promise",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "d3d", "vulkan"),
		Condition: "more than 128 components of one stream are captured, over all buffers",
		Why:       "D3D captures 128 scalars of a vertex, and Vulkan promises 512 bytes of a stream; a device with that limit refuses the shader",
		Fix:       "capture less of the vertex",
		Sources:   []string{"D3D11.3 functional specification, 14.1", "VUID-RuntimeSpirv-XfbBuffer-06309"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-dst-offset-limit", "so-write-window", "so-stride-smaller-than-extent") || overStated(v) {
				return
			}
			var sum [pipe.MaxVertexStreams]uint64
			for b := range buffers {
				for o := range v.Info.In(b) {
					if o.Flaws&streamout.BadStream == 0 {
						sum[o.Stream] += o.NumComponents
					}
				}
			}
			for stream, n := range sum {
				if n > limit {
					v.Report(infoPath, "%s of stream %d are captured, at most %s", dw(n), stream, dw(limit)).OnStream(stream)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{68, 64}, append(vectors(17, 0), vectors(16, 1)...)...)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{64, 64}, append(vectors(16, 0), vectors(16, 1)...)...)
		}),
	}
}

// vectors makes outputs of four components, close to each other in a buffer,
// from registers of their own.
func vectors(n, buffer uint64) []pipe.OutputNumbers {
	var outputs []pipe.OutputNumbers
	for i := range n {
		outputs = append(outputs, out(buffer*17+i, 0, 4, buffer, i*4, 0))
	}
	return outputs
}

func soStrideNv50() *streamout.Rule {
	const limit = 0x800 / 4 // dwords
	return &streamout.Rule{
		ID:        "so-stride-nv50",
		Title:     "a stride that nv50 cannot be told",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Error, "nv50"),
		Condition: "only buffer 0 is used, and its stride is 2048 bytes or more",
		Why:       "nv50 puts the stride of a lone buffer into a field that ends below 2048 bytes: a debug build asserts, another one sets wrong bits",
		Fix:       "keep the stride below 512 dwords",
		Sources:   []string{"src/gallium/drivers/nouveau/nv50/nv50_program.c: nv50_program_create_strmout_state"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			stride := v.Info.Stride[0]
			if stride < limit || stride > limit && !chosen(v, "nv50") || v.ReportedAt(stridePath(0), "so-stride-range") {
				return
			}
			if v.Info.Used(0) && !v.Info.Used(1) && !v.Info.Used(2) && !v.Info.Used(3) {
				v.Report(stridePath(0), "stride[0] is %s, nv50 takes less than %s", dw(stride), dw(limit)).InBuffer(0)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{512}, out(0, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{511}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

func soStrideLimit() *streamout.Rule {
	const limit = 512 // dwords
	return &streamout.Rule{
		ID:        "so-stride-limit",
		Title:     "a stride above 2048 bytes",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "d3d"),
		Condition: "a stride is above 512 dwords",
		Why: "D3D refuses vertices of more than 2048 bytes, and Vulkan promises only 512: zink takes the device's limit for the " +
			"stride of a draw-auto, whose vertices are then miscounted",
		Fix:     "the stride counts dwords, not bytes; split the vertex over several buffers if it is that large",
		Sources: []string{"D3D11.3 functional specification, 14.1: D3D11_SO_BUFFER_MAX_STRIDE_IN_BYTES", "src/gallium/drivers/zink/zink_draw.cpp"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if len(v.Info.Outputs) == 0 || v.Reported("so-virgl-varyings-budget") {
				return
			}
			for b, stride := range v.Info.Stride {
				if stride <= limit {
					continue
				}
				if path := stridePath(b); !v.ReportedAt(path, "so-stride-range", "so-stride-nv50") {
					v.Report(path, "stride[%d] is %s, at most %s", b, dw(stride), dw(limit)).InBuffer(b)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{513}, out(0, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{512}, out(0, 0, 4, 0, 0, 0)) }),
	}
}

func soNv50Map() *streamout.Rule {
	const limit = 128 // dwords
	return &streamout.Rule{
		ID:        "so-nv50-map",
		Title:     "buffers that together are too large for nv50",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Error, "nv50"),
		Condition: "the ends of the last outputs of all buffers, each rounded up to 4 dwords, add up to more than 128",
		Why:       "nv50 keeps one table of 128 entries for the dwords of all buffers, and writes past its end",
		Fix:       "capture less of the vertex",
		Sources:   []string{"src/gallium/drivers/nouveau/nv50/nv50_program.h: nv50_stream_output_state"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-dst-offset-limit", "so-stride-smaller-than-extent") {
				return
			}
			sum := uint64(0)
			for b := range buffers {
				end, _ := v.Info.Extent(b)
				sum += (end + 3) &^ 3
			}
			if sum > limit {
				v.Report(infoPath, "a vertex has %s over all buffers, nv50 has room for %s", dw(sum), dw(limit))
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{64, 62, 4}, append(vectors(16, 0), out(20, 0, 4, 1, 58, 0), out(21, 0, 4, 2, 0, 0))...)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{64, 60, 4}, append(vectors(16, 0), out(20, 0, 4, 1, 56, 0), out(21, 0, 4, 2, 0, 0))...)
		}),
	}
}
