package rules

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// infoPath is where the stream output of a shader create lies.
const infoPath = "state.stream_output"

// outputPath is the path of a field of an output.
func outputPath(i int, field string) string {
	return fmt.Sprintf("%s.output[%d].%s", infoPath, i, field)
}

func infoRanges() []*streamout.Rule {
	return []*streamout.Rule{
		soNumOutputsRange(),
		soBufferRange(),
	}
}

func soNumOutputsRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-num-outputs-range",
		Title:     "more outputs than an info holds",
		Severity:  streamout.Error,
		Condition: "num_outputs is above 128, or above the number of outputs that follow it",
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
				v.Report(path, "num_outputs is %d, but only %d outputs are there", n, there)
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
