package rules

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// slotOf returns the slot of what an output captures, as printed, "" when it
// is not known.
func slotOf(t *shader.Outputs, o *streamout.InfoOutput) string {
	if out := t.Find(int(o.RegisterIndex), o.Mask()); out != nil && t.Declares(int(o.RegisterIndex), o.Mask()) == shader.Yes {
		return out.Semantic
	}
	return ""
}

func soRegisterMapsZero() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-register-maps-zero",
		Title:    "a part of the position is captured",
		Severity: streamout.Warning,
		// What the API asked for is not in a trace, and Direct3D may ask for a part.
		InTrace:   streamout.Note,
		Condition: "register 0 holds the position, and an info captures it without capturing all of xyzw",
		Why: "a front end whose map from variables to registers begins as zeros gives register 0 to variables that were " +
			"optimised away: the position is captured in their place, with their components",
		Fix:     "fill the map before it is read, and leave out what the shader no longer has",
		Sources: []string{"Mesa 8731a1beb72: lavapipe's map of outputs", "src/mesa/state_tracker/st_program.c: st_translate_stream_output_info"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			all, first := uint8(0), (*streamout.InfoOutput)(nil)
			for o := range captures(v) {
				if o.RegisterIndex != 0 {
					continue
				}
				switch slotOf(v.Info.Text, o) {
				case "POSITION", "VARYING_SLOT_POS":
				default:
					return
				}
				if all |= o.Mask(); first == nil {
					first = o
				}
			}
			if first != nil && all != shader.AllComponents {
				v.Report(outputPath(first.Index, "register_index"), "output %d captures register 0, the position, but only its %s", first.Index, lettersOf(all)).AtOutput(first.Index)
			}
		},
		Bad: play(func(s *scene) {
			s.shaderText(pipe.Vertex, genericText(""), info(strides{6}, out(1, 0, 4, 0, 0, 0), out(0, 0, 2, 0, 4, 0)))
		}),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Vertex, genericText(""), info(strides{8}, out(1, 0, 4, 0, 0, 0), out(0, 0, 4, 0, 4, 0)))
		}),
	}
}

// clipDistance returns which clip distance the first component of an output
// is, false when it is none.
func clipDistance(t *shader.Outputs, o *streamout.InfoOutput) (first int, ok bool) {
	slot := slotOf(t, o)
	switch {
	case strings.HasSuffix(slot, "CLIP_DIST0"), slot == "CLIPDIST", slot == "CLIPDIST[0]":
		return int(o.StartComponent), true
	case strings.HasSuffix(slot, "CLIP_DIST1"), slot == "CLIPDIST[1]":
		return 4 + int(o.StartComponent), true
	}
	return 0, false
}

func soClipDistanceRegister() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-clip-distance-register",
		Title:    "clip distances that are captured out of order",
		Severity: streamout.Warning,
		Condition: "two outputs that lie next to each other in a buffer capture clip distances, and the second does not go on " +
			"where the first ends; told once",
		Why: "gl_ClipDistance[k] is component k%4 of slot CLIP_DIST0+k/4: who takes each element for a register of its own, or " +
			"mixes up the two slots, captures others; svga swaps them for shadow copies",
		Fix:     "capture element k from component k%4 of the register of CLIP_DIST0+k/4",
		Sources: []string{"src/compiler/glsl/gl_nir_link_varyings.c: xfb_decl_assign_location", "src/gallium/drivers/svga/svga_tgsi_vgpu10.c"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			var last *streamout.InfoOutput
			end, clips, told := 0, false, false
			for o := range captures(v) {
				first, ok := clipDistance(v.Info.Text, o)
				goesOn := last != nil && last.OutputBuffer == o.OutputBuffer && last.End() == o.DstOffset
				if ok && clips && goesOn && first != end && !told && !shared(v, o) && !shared(v, last) {
					told = true
					v.Report(outputPath(o.Index, "register_index"), "output %d captures clip distances from %d on, behind output %d, which ends with %d",
						o.Index, first, last.Index, end-1).AtOutput(o.Index)
				}
				last, end, clips = o, first+int(o.NumComponents), ok
			}
		},
		Bad:  play(func(s *scene) { s.clips(out(1, 0, 4, 0, 0, 0), out(2, 1, 1, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.clips(out(1, 0, 4, 0, 0, 0), out(2, 0, 1, 0, 4, 0)) }),
	}
}

// shared says whether so-duplicate-source has told of an output or of one that it
// shares a component with.
func shared(v *streamout.View, o *streamout.InfoOutput) bool {
	if !v.Reported("so-duplicate-source") {
		return false
	}
	for k := range v.Info.Outputs {
		if p := &v.Info.Outputs[k]; p.Index != o.Index && p.RegisterIndex == o.RegisterIndex && p.Mask()&o.Mask() != 0 {
			return true
		}
	}
	return false
}

// clips makes a vertex shader with six clip distances.
func (s *scene) clips(outputs ...pipe.OutputNumbers) {
	const text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], CLIPDIST[0]\nDCL OUT[2].xy, CLIPDIST[1]\n" +
		"  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n  2: MOV OUT[2].xy, IN[0]\n  3: END\n"
	s.shaderText(pipe.Vertex, text, info(strides{5}, outputs...))
}

func soNirMismatch() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-nir-mismatch",
		Title:    "the NIR captures other places than the info",
		Severity: streamout.Error,
		Condition: "a store of the NIR text says that a dword of a buffer is captured which no output of the info writes, or of " +
			"another stream; a warning when the info has no outputs at all",
		Why: "radeonsi, zink and others read stream output from the NIR, llvmpipe, softpipe and svga from the info: they " +
			"capture different vertices",
		Fix:     "make both from one declaration, and change both when a pass moves outputs",
		Sources: []string{"src/gallium/drivers/radeonsi/si_shader_info.c", "src/compiler/nir/nir.h: nir_io_xfb"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !v.Info.Stage.CanStreamOut() || len(v.Info.Text.Captures) == 0 || infoBroken(v) {
				return
			}
			for i := range v.Info.Text.Captures {
				c := &v.Info.Text.Captures[i]
				o := writer(v.Info, c)
				switch {
				case notDwords(v.Info.Text, c):
				case o == nil && len(v.Info.Outputs) == 0:
					v.ReportAs(streamout.Warning, infoPath+".num_outputs", "num_outputs is 0, but the text captures %s at dw %d of buffer %d", capturedName(c), c.Offset, c.Buffer).InBuffer(c.Buffer)
					return
				case o == nil:
					v.Report(infoPath, "the text captures %s at dw %d of buffer %d, where no output of the info writes", capturedName(c), c.Offset, c.Buffer).InBuffer(c.Buffer)
					return
				case c.Stream != shader.UnknownStream && o.Flaws&streamout.BadStream == 0 && uint64(c.Stream) != o.Stream:
					v.Report(outputPath(o.Index, "stream"), "output %d belongs to stream %d, but the text captures dw %d of buffer %d from stream %d",
						o.Index, o.Stream, c.Offset, c.Buffer, c.Stream).AtOutput(o.Index).InBuffer(c.Buffer)
					return
				}
			}
		},
		Bad:  play(func(s *scene) { s.lowered("0") }),
		Good: play(func(s *scene) { s.lowered("4") }),
	}
}

// infoBroken says whether a rule has told already why an info and its text
// cannot agree.
func infoBroken(v *streamout.View) bool {
	for i := range v.Info.Outputs {
		if o := &v.Info.Outputs[i]; o.Flaws != 0 || astray(v, o) {
			return true
		}
	}
	return uint64(len(v.Info.Outputs)) != v.Info.NumOutputs || v.Reported("so-stream-without-gs")
}

// writer returns the output of the info that writes the dword of a capture.
func writer(i *streamout.Info, c *shader.Capture) *streamout.InfoOutput {
	for o := range i.In(c.Buffer) {
		if o.DstOffset <= uint64(c.Offset) && uint64(c.Offset) < o.End() {
			return o
		}
	}
	return nil
}

// notDwords says whether a capture is of a variable whose components are wider
// or narrower than a dword, so that its places are not counted as the info's.
func notDwords(t *shader.Outputs, c *shader.Capture) bool {
	for i := range t.List {
		if o := &t.List[i]; o.DriverLocation == c.DriverLocation && o.Width != 32 {
			return true
		}
	}
	return false
}

func capturedName(c *shader.Capture) string {
	if c.Name == "" {
		return "an output"
	}
	return shortName(c.Name)
}

// lowered makes a vertex shader whose NIR captures a dword of buffer 0 at that
// offset in bytes, and whose info captures dword 1.
func (s *scene) lowered(offset string) {
	text := "shader: MESA_SHADER_VERTEX\nname: GLSL1\noutputs: 1\ndecl_function main () (entrypoint)\n\nimpl main {\n    block b0:   // preds:\n" +
		"    32    %0 = load_const (0x00000000)\n" +
		"          @store_output (%0, %0 (0x0)) (base=0, range=1, wrmask=x, component=0, src_type=float32, io location=VARYING_SLOT_VAR0 slots=1, " +
		"xfb(component=0 buffer=0 offset=" + offset + "), xfb2())  // a\n                // succs: b1\n    block b1:\n}\n\n"
	create := &pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{NIR: []byte(text)}}
	n := info(strides{2}, out(0, 0, 1, 0, 1, 0))
	n.Pack(&create.State.StreamOutput)
	s.do(create)
}
