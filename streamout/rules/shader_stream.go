package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// shaderStreamRules hold the vertex streams of an info against its shader.
func shaderStreamRules() []*streamout.Rule {
	return []*streamout.Rule{
		soStreamWithoutGS(),
		soStreamMismatchDecl(),
		soMultiStreamNonPoints(),
		soStreamInactive(),
		soGSVerticesOut(),
		soNirMismatch(),
		soStreamGapBuffer(),
	}
}

// streamText makes the TGSI of a geometry shader that writes a position and,
// for the stream given, a GENERIC[0], and emits to both.
func streamText(primitive, stream, vertices string) string {
	return "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE " + primitive +
		"\nPROPERTY GS_MAX_OUTPUT_VERTICES " + vertices + "\nPROPERTY GS_INVOCATIONS 1\n" +
		"DCL IN[][0], POSITION\nDCL OUT[0], POSITION\n" +
		"DCL OUT[1], GENERIC[0], STREAM(" + stream + ", " + stream + ", " + stream + ", " + stream + ")\n" +
		"IMM[0] INT32 {0, " + stream + ", 0, 0}\n" +
		"  0: MOV OUT[0], IN[0][0]\n  1: EMIT IMM[0].xxxx\n  2: MOV OUT[1], IN[0][0]\n  3: EMIT IMM[0].yyyy\n  4: END\n"
}

func soStreamWithoutGS() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stream-without-gs",
		Title:     "a vertex stream in a shader that has none",
		Severity:  streamout.Error,
		Condition: "an output of a vertex or tessellation evaluation shader belongs to another stream than 0",
		Why:       "only geometry shaders emit to streams: no vertex comes, and the buffer stays empty; d3d12 and svga assert",
		Fix:       "use stream 0",
		Sources:   []string{"GLSL 4.60, 4.4.2.2", "src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration", srcEmit},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !v.Info.Stage.CanStreamOut() || v.Info.Stage == pipe.Geometry {
				return
			}
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Stream != 0 && o.Flaws&streamout.BadStream == 0 {
					v.Report(outputPath(i, "stream"), "output %d belongs to stream %d, but a %s shader has stream 0 only", i, o.Stream, v.Info.Stage).AtOutput(i).OnStream(int(o.Stream))
				}
			}
		},
		Bad: play(func(s *scene) { s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)) }),
		Good: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)))
		}),
	}
}

func soStreamMismatchDecl() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stream-mismatch-decl",
		Title:     "an output captured from another stream than it is declared in",
		Severity:  streamout.Error,
		Condition: "the text declares the captured components of a geometry shader in another stream than the output says",
		Why:       "d3d12 asserts; NIR drivers take the variable's stream and others the info's, so they capture different vertices",
		Fix:       "capture a variable from the stream that it is declared in",
		Sources:   []string{"src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration", "src/compiler/nir/nir_gather_xfb_info.c"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Info.Stage != pipe.Geometry {
				return
			}
			for o := range captures(v) {
				if stream, ok := otherStream(v.Info.Text, o); ok && o.Flaws&streamout.BadStream == 0 {
					v.Report(outputPath(o.Index, "stream"), "output %d captures register %d%s from stream %d, which the shader declares in stream %d",
						o.Index, o.RegisterIndex, nameOf(v.Info.Text, o), o.Stream, stream).AtOutput(o.Index).OnStream(int(o.Stream))
				}
			}
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("POINTS", "1", "2"), info(strides{4}, out(1, 0, 4, 0, 0, 0)))
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("POINTS", "1", "2"), info(strides{4}, out(1, 0, 4, 0, 0, 1)))
		}),
	}
}

// otherStream returns the stream in which the text declares a captured
// component, if it is not that of the output.
func otherStream(t *shader.Outputs, o *streamout.InfoOutput) (stream int, ok bool) {
	for c := range 4 {
		if o.Mask()&(1<<c) == 0 {
			continue
		}
		if s := t.StreamOf(int(o.RegisterIndex), c); s != shader.UnknownStream && uint64(s) != o.Stream {
			return s, true
		}
	}
	return 0, false
}

func soMultiStreamNonPoints() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-multi-stream-non-points",
		Title:     "vertex streams of a geometry shader that puts out no points",
		Severity:  streamout.Error,
		Condition: "an output belongs to another stream than 0, and the geometry shader's output primitive is not points; told once",
		Why:       "GL, Direct3D and Vulkan allow several streams for points only, and hardware builds strips for one stream",
		Fix:       "let the shader put out points, or use stream 0",
		Sources:   []string{"ARB_gpu_shader5", "VUID-RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311", "D3D11.3 functional specification, 14"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			g := &v.Info.Text.Geometry
			if v.Info.Stage != pipe.Geometry || !g.Known || g.Output == pipe.Points || g.Output == pipe.PrimitiveUnknown {
				return
			}
			for i := range v.Info.Outputs {
				if o := &v.Info.Outputs[i]; o.Stream != 0 && o.Flaws&streamout.BadStream == 0 && !toldOf(v, i, "stream", "so-stream-mismatch-decl") {
					v.Report(outputPath(i, "stream"), "output %d belongs to stream %d, but the shader puts out %s, not points", i, o.Stream, g.Output).AtOutput(i).OnStream(int(o.Stream))
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("LINE_STRIP", "1", "2"), info(strides{4}, out(1, 0, 4, 0, 0, 1)))
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("LINE_STRIP", "0", "2"), info(strides{4}, out(1, 0, 4, 0, 0, 0)))
		}),
	}
}

func soStreamInactive() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stream-inactive",
		Title:     "a vertex stream that the shader never emits to",
		Severity:  streamout.Warning,
		Condition: "an output belongs to a stream that no emit of the geometry shader's text names",
		Why: "nothing is ever captured for the stream; the draw module takes the number of streams from the shader for NIR " +
			"and from the info for TGSI, so the two must agree",
		Fix:     "emit to the stream, or capture from one that is emitted to",
		Sources: []string{"src/gallium/auxiliary/draw/draw_gs.c: draw_create_geometry_shader", "Mesa 32f117f5f8d"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Info.Stage != pipe.Geometry {
				return
			}
			if text := v.Info.Text; v.Reported("so-multi-stream-non-points") && text.EmittedStreams&^1 == 0 {
				return // a shader of lines or triangles has no other stream
			}
			var told uint8
			for i := range v.Info.Outputs {
				o := &v.Info.Outputs[i]
				if o.Flaws&streamout.BadStream != 0 || told&(1<<o.Stream) != 0 || v.Info.Text.EmitsStream(int(o.Stream)) != shader.No ||
					toldOf(v, i, "stream", "so-stream-mismatch-decl") ||
					v.Reported("so-buffer-multi-stream", "so-overlap-multi-stream") && mixed(v.Info, o) {
					continue
				}
				told |= 1 << o.Stream
				v.Report(outputPath(i, "stream"), "output %d belongs to stream %d, but the shader emits to %s", i, o.Stream, streamsOf(v.Info.Text.EmittedStreams)).AtOutput(i).OnStream(int(o.Stream))
			}
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Geometry, strip(streamText("POINTS", "1", "2")), info(strides{4}, out(1, 0, 4, 0, 0, 1)))
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("POINTS", "1", "2"), info(strides{4}, out(1, 0, 4, 0, 0, 1)))
		}),
	}
}

// streamsOf spells a set of streams: "streams 0 2".
func streamsOf(set uint8) string {
	if set == 0 {
		return "no stream"
	}
	s := "stream"
	if bits.OnesCount8(set) > 1 {
		s = "streams"
	}
	for i := range 8 {
		if set&(1<<i) != 0 {
			s += " " + string(rune('0'+i))
		}
	}
	return s
}

func soStreamGapBuffer() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stream-gap-buffer",
		Title:     "streams that leave a number out",
		Severity:  streamout.Note,
		Condition: "outputs of a stream are captured, but none of a stream below it",
		Why:       "it is legal; the stream that is rasterized is 0, whose vertices are then not captured",
		Fix:       "nothing, if the shader means it",
		Sources:   []string{srcContext, "ARB_gpu_shader5"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-stream-range", "so-stream-without-gs", "so-stream-mismatch-decl", "so-multi-stream-non-points", "so-stream-inactive",
				"so-nir-mismatch", "so-buffer-multi-stream", "so-overlap-multi-stream") {
				return
			}
			streams := uint8(0)
			for k := range v.Info.Outputs {
				streams |= 1 << v.Info.Outputs[k].Stream
			}
			if streams&(streams+1) == 0 {
				return
			}
			v.Report(infoPath, "stream %d is captured, stream %d is not", bits.Len8(streams)-1, bits.TrailingZeros8(^streams)).OnStream(bits.Len8(streams) - 1)
		},
		Bad: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 2)))
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)))
		}),
	}
}

func soGSVerticesOut() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-gs-vertices-out",
		Title:     "a geometry shader that may capture too much at once",
		Severity:  streamout.Warning,
		Condition: "captured components of a vertex times the shader's largest number of vertices is above 1024",
		Why:       "the record of one geometry shader invocation has 1024 components in Direct3D, and GL promises no more of all its outputs",
		Fix:       "capture fewer components, or emit fewer vertices",
		Sources:   []string{"D3D11.3 functional specification, 14.3.1", "GL 4.6 core, table 23.57: MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			vertices := v.Info.Text.Geometry.VerticesOut
			if v.Info.Stage != pipe.Geometry || vertices == 0 {
				return
			}
			if n := capturedComponents(v); n*vertices > maxRecord {
				v.Report(infoPath, "%d components are captured of each of %d vertices, %d together, at most %d", n, vertices, n*vertices, maxRecord)
			}
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("POINTS", "0", "129"), info(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0)))
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Geometry, streamText("POINTS", "0", "128"), info(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0)))
		}),
	}
}

// maxRecord is how many components an invocation may put out.
const maxRecord = 1024

// capturedComponents counts the different components of registers that are captured.
func capturedComponents(v *streamout.View) (n int) {
	var masks [maxRegister + 1]uint8
	for o := range captures(v) {
		if o.RegisterIndex > maxRegister {
			continue
		}
		m := &masks[o.RegisterIndex]
		n += bits.OnesCount8(o.Mask() &^ *m)
		*m |= o.Mask()
	}
	return n
}

// strip takes the last emit out of a text of streamText.
func strip(text string) string {
	return text[:len(text)-len("  3: EMIT IMM[0].yyyy\n  4: END\n")] + "  3: END\n"
}
