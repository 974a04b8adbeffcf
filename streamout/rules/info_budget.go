package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// place is where an output lies in relation to the one listed before it for the
// same buffer.
type place struct {
	gap   uint64 // dwords that are left out between them, 0 for one that goes back
	first bool   // there is none before it
}

// places yields the outputs in the order of the list. Those whose buffer,
// components or offset are wrong are left out.
func places(i *streamout.Info) func(yield func(*streamout.InfoOutput, place) bool) {
	return func(yield func(*streamout.InfoOutput, place) bool) {
		var end [buffers]uint64
		var seen [buffers]bool
		for k := range i.Outputs {
			o := &i.Outputs[k]
			if o.Flaws&(streamout.BadBuffer|streamout.BadComponents|streamout.BadOffset) != 0 {
				continue
			}
			b := o.OutputBuffer
			p := place{first: !seen[b]}
			if o.DstOffset > end[b] {
				p.gap = o.DstOffset - end[b]
			}
			seen[b], end[b] = true, o.End()
			if !yield(o, p) {
				return
			}
		}
	}
}

// skips is how many entries of at most four dwords a gap takes.
func skips(gap uint64) uint64 { return (gap + 3) / 4 }

func soVirglVaryingsBudget() *streamout.Rule {
	const limit = 2 * pipe.MaxShaderOutputs
	return &streamout.Rule{
		ID:          "so-virgl-varyings-budget",
		Title:       "more names than the host of a virtual GPU lists",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "virgl"),
		OnlyDrivers: true,
		Condition: "outputs, skips of up to 4 dwords for the gaps between them and behind them up to the stride, and steps from " +
			"buffer to buffer are more than 160",
		Why:     "virglrenderer turns the info into a list of names of GL's transform feedback, in an array of 160: what comes behind is lost",
		Fix:     "leave smaller gaps, and keep the stride at the end of the last output",
		Sources: []string{"virglrenderer src/vrend/vrend_renderer.c: set_stream_out_varyings"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-num-outputs-range", "so-num-outputs-r600", "so-num-outputs-virgl", "so-dst-offset-limit", "so-stride-smaller-than-extent") || overStated(v) {
				return
			}
			for _, stride := range v.Info.Stride {
				if v.Profile == nil && stride > 512 {
					return // so-stride-limit says it
				}
			}
			if n := virglNames(v.Info); n > limit {
				v.Report(infoPath, "the outputs, their gaps and the steps from buffer to buffer make %d names, a virgl host lists %d", n, limit)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{324, 324}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{316, 316}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0)) }),
	}
}

// virglNames is how many names of transform feedback the host makes of an info:
// it walks the list once, and fills a buffer up to its stride when it leaves it.
func virglNames(i *streamout.Info) uint64 {
	if len(i.Outputs) == 0 {
		return 0
	}
	names, buffer, end := uint64(0), uint64(0), uint64(0)
	fill := func(to uint64) {
		if to > end {
			names += skips(to - end)
		}
	}
	for k := range i.Outputs {
		o := &i.Outputs[k]
		if o.Flaws&(streamout.BadBuffer|streamout.BadComponents|streamout.BadOffset) != 0 {
			return 0
		}
		if o.OutputBuffer != buffer {
			fill(i.Stride[buffer])
			if o.OutputBuffer > buffer {
				names += o.OutputBuffer - buffer
			}
			buffer, end = o.OutputBuffer, 0
		}
		fill(o.DstOffset)
		end = o.End()
		names++
	}
	fill(i.Stride[buffer])
	return names
}

func soV3dSlots() *streamout.Rule {
	const limit = pipe.MaxStreamOutputs * 4
	return &streamout.Rule{
		ID:        "so-v3d-slots",
		Title:     "vertices that together are too large for v3d",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Error, "v3d"),
		Condition: "the ends of the last outputs of all buffers add up to more than 512 dwords",
		Why:       "v3d lists the source of each dword, gaps included, in an array of 512 on the stack, and writes past its end",
		Fix:       "leave smaller gaps",
		Sources:   []string{"src/gallium/drivers/v3d/v3d_program.c: v3d_set_transform_feedback_outputs"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			sum := uint64(0)
			for b := range buffers {
				end, _ := v.Info.Extent(b)
				sum += end
			}
			if sum > limit && !v.Reported("so-stride-smaller-than-extent") {
				v.Report(infoPath, "a vertex has %s over all buffers, v3d has room for %s", dw(sum), dw(limit))
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{129, 129, 129, 129}, out(0, 0, 4, 0, 125, 0), out(1, 0, 4, 1, 125, 0), out(2, 0, 4, 2, 125, 0), out(3, 0, 4, 3, 125, 0))
		}),
		Good: play(func(s *scene) {
			s.vs(strides{64, 64, 64, 64}, out(0, 0, 4, 0, 60, 0), out(1, 0, 4, 1, 60, 0), out(2, 0, 4, 2, 60, 0), out(3, 0, 4, 3, 60, 0))
		}),
	}
}

func soGapByte() *streamout.Rule {
	const limit = 255 // dwords
	return &streamout.Rule{
		ID:        "so-gap-byte",
		Title:     "a gap that d3d12 cannot say",
		Severity:  streamout.Silent,
		Drivers:   on(streamout.Error, "d3d12"),
		Condition: "a gap between two outputs of a buffer, or before the first, is above 255 dwords",
		Why:       "d3d12 makes one entry of a gap, whose component count is a byte: it wraps, and the outputs behind it land too early",
		Fix:       "leave smaller gaps",
		Sources:   []string{"src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for o, p := range places(v.Info) {
				if p.gap > limit && !misfit(v, int(o.OutputBuffer)) {
					v.Report(outputPath(o.Index, "dst_offset"), "the gap before output %d is %s, at most %s", o.Index, dw(p.gap), dw(limit)).
						AtOutput(o.Index).InBuffer(int(o.OutputBuffer))
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{260}, out(0, 0, 4, 0, 256, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{128}, out(0, 0, 4, 0, 124, 0)) }),
	}
}

func soGapBudget() *streamout.Rule {
	return &streamout.Rule{
		ID:          "so-gap-budget",
		Title:       "more entries for outputs and gaps than a driver has room for",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "iris", "crocus", "d3d12", "svga", "v3d"),
		OnlyDrivers: true,
		Condition: "outputs and gaps take more than 128 entries of a stream (iris, crocus), 128 in all (d3d12), 512 in all (svga), " +
			"or the dwords of all buffers more than 16 runs of 16 (v3d)",
		Why: "these drivers make entries of gaps too, one for each 4 dwords (d3d12: one for each gap; v3d: one for each 16 dwords of " +
			"a buffer), in arrays of a fixed size that they write past the end of",
		Fix: "leave smaller gaps, or capture adjacent components with one output",
		Sources: []string{"src/gallium/drivers/iris/iris_state.c: iris_create_so_decl_list",
			"src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration",
			"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output",
			"src/gallium/drivers/v3d/v3d_context.h: tf_specs"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-num-outputs-range", "so-num-outputs-r600", "so-num-outputs-virgl", "so-dst-offset-limit",
				"so-stride-smaller-than-extent", "so-v3d-slots") || overStated(v) {
				return
			}
			all := entriesOf(v.Info)
			for k := range all {
				b := &all[k]
				if b.entries > b.limit && (v.Profile == nil || chosen(v, b.drivers[:]...)) {
					driver := b.drivers[0]
					if v.Profile != nil {
						driver = v.Profile.Driver
					}
					v.Report(infoPath, "the outputs and their gaps take %d entries, %s has %d", b.entries, driver, b.limit)
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.vs(strides{128, 128, 128, 128}, corners(124)...)
		}),
		Good: play(func(s *scene) {
			s.vs(strides{64, 64, 64, 64}, corners(60)...)
		}),
	}
}

// corners makes a scalar at the start of each buffer and a vector at a place behind.
func corners(dst uint64) []pipe.OutputNumbers {
	var outputs []pipe.OutputNumbers
	for b := range uint64(buffers) {
		outputs = append(outputs, out(2*b, 0, 1, b, 0, 0), out(2*b+1, 0, 4, b, dst, 0))
	}
	return outputs
}

// budget is how many entries drivers make of an info, and how many they have.
type budget struct {
	drivers        [2]string
	entries, limit uint64
}

func entriesOf(i *streamout.Info) [4]budget {
	var stream [pipe.MaxVertexStreams]uint64
	var byFour, byGap, byRun uint64
	for o, p := range places(i) {
		byFour += 1 + skips(p.gap)
		byGap++
		if p.gap > 0 {
			byGap++
		}
		if o.Flaws&streamout.BadStream == 0 {
			stream[o.Stream] += 1 + skips(p.gap)
		}
	}
	for b := range buffers {
		end, _ := i.Extent(b)
		byRun += (end + 15) / 16
	}
	return [4]budget{
		{[2]string{"iris", "crocus"}, max(stream[0], stream[1], stream[2], stream[3]), 128},
		{[2]string{"d3d12"}, byGap, pipe.MaxStreamOutputs},
		{[2]string{"v3d"}, byRun, 16},
		{[2]string{"svga"}, byFour, 512},
	}
}

func soNumOutputsDx10() *streamout.Rule {
	const limit = 64
	return &streamout.Rule{
		ID:          "so-num-outputs-dx10",
		Title:       "more entries for outputs and gaps than Direct3D 10 has",
		Severity:    streamout.Warning,
		Drivers:     on(streamout.Error, "svga-dx10", "d3d10"),
		OnlyDrivers: true,
		Condition:   "outputs, and gaps in steps of up to 4 dwords, are more than 64",
		Why:         "the declaration of stream output in Direct3D 10 has 64 entries: svga asserts on a device of that level, and D3D refuses",
		Fix:         "capture adjacent components with one output, or fewer of them",
		Sources:     []string{"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output", "D3D11.3 functional specification, 14.3"},
		On:          streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-num-outputs-range", "so-num-outputs-r600", "so-num-outputs-virgl", "so-dst-offset-limit",
				"so-stride-smaller-than-extent", "so-gap-budget", "so-virgl-varyings-budget") || overStated(v) {
				return
			}
			if n := entriesOf(v.Info)[3].entries; n > limit {
				v.Report(infoPath, "the outputs and their gaps take %d entries, Direct3D 10 has %d", n, limit)
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{62, 10}, append(floats(62, 1), out(20, 0, 1, 1, 9, 0))...) }),
		Good: play(func(s *scene) { s.vs(strides{62, 10}, append(floats(62, 1), out(20, 0, 1, 1, 4, 0))...) }),
	}
}
