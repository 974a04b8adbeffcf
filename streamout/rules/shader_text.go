package rules

import (
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// shaderTextRules hold an info against the text of its shader. What the text
// does not tell for sure is never concluded from.
func shaderTextRules() []*streamout.Rule {
	return []*streamout.Rule{
		soPsizInjected(),
		soRegisterNotWritten(),
		soComponentNotWritten(),
		soComponentOutsideVariable(),
		soRegisterMapsZero(),
		soClipDistanceRegister(),
	}
}

// captures yields the outputs of a shader that can stream out whose register
// and components can be looked up in its text.
func captures(v *streamout.View) func(yield func(*streamout.InfoOutput) bool) {
	return func(yield func(*streamout.InfoOutput) bool) {
		if !v.Info.Stage.CanStreamOut() {
			return
		}
		for i := range v.Info.Outputs {
			o := &v.Info.Outputs[i]
			if o.Flaws&(streamout.BadRegister|streamout.BadComponents) != 0 ||
				o.RegisterIndex > maxRegister && toldOf(v, i, "register_index", "so-register-range") {
				continue
			}
			if !yield(o) {
				return
			}
		}
	}
}

// genericText is the TGSI of a vertex shader that writes a position and a GENERIC[0]
// of the components given.
func genericText(generic string) string {
	return "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1]" + generic + ", GENERIC[0]\n" +
		"  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1]" + generic + ", IN[0]\n  2: END\n"
}

func soPsizInjected() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-psiz-injected",
		Title:    "registers counted with a point size that nobody declared",
		Severity: streamout.Warning,
		Condition: "an output captures a register just behind the last of a shader to which the front end added a point size, " +
			"so that it seems to count that one",
		Why: "the GL state tracker adds a point size for drivers without a default one; register_index does not count it, " +
			"and counting it moves every later output by one",
		Fix:     "leave the added point size out when registers are numbered",
		Sources: []string{"src/mesa/state_tracker/st_program.c: st_translate_stream_output_info", "src/mesa/state_tracker/st_nir_lower_builtin.c"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !pointSizeAdded(v.Info.Text) {
				return
			}
			n, sure := v.Info.Text.NumRegisters()
			for o := range captures(v) {
				if sure && o.RegisterIndex == uint64(n) {
					v.Report(outputPath(o.Index, "register_index"), "output %d captures register %d, but the shader has %d and a point size that was added to it", o.Index, o.RegisterIndex, n).AtOutput(o.Index)
				}
			}
		},
		Bad:  play(func(s *scene) { s.withPointSize(2) }),
		Good: play(func(s *scene) { s.withPointSize(1) }),
	}
}

// pointSizeAdded says whether an output of the text has no register.
func pointSizeAdded(t *shader.Outputs) bool {
	for i := range t.List {
		if t.List[i].Register == shader.NoRegister {
			return true
		}
	}
	return false
}

// withPointSize makes a vertex shader to which a point size was added, and
// captures a register of it.
func (s *scene) withPointSize(register uint64) {
	const text = "shader: MESA_SHADER_VERTEX\nname: GLSL1\ninputs: 1\noutputs: 3\n" +
		"decl_var shader_in INTERP_MODE_NONE vec4 in_0 (VERT_ATTRIB_GENERIC0.xyzw, 0, 0)\n" +
		"decl_var shader_out INTERP_MODE_NONE vec4 gl_Position (VARYING_SLOT_POS.xyzw, 0, 0)\n" +
		"decl_var shader_out INTERP_MODE_NONE float gl_PointSizeMESA (VARYING_SLOT_PSIZ.x, 1, 0)\n" +
		"decl_var shader_out INTERP_MODE_NONE vec4 a (VARYING_SLOT_VAR0.xyzw, 2, 0)\n" +
		"decl_function main (0 params)\n\nimpl main {\n\tblock block_0:\n\t/* preds: */\n" +
		"\tvec1 32 ssa_0 = deref_var &in_0 (shader_in vec4) \n\tvec4 32 ssa_1 = intrinsic load_deref (ssa_0) (access=0)\n" +
		"\tvec1 32 ssa_2 = deref_var &gl_Position (shader_out vec4) \n\tintrinsic store_deref (ssa_2, ssa_1) (wrmask=xyzw, access=0)\n" +
		"\tvec1 32 ssa_3 = deref_var &a (shader_out vec4) \n\tintrinsic store_deref (ssa_3, ssa_1) (wrmask=xyzw, access=0)\n" +
		"\t/* succs: block_1 */\n\tblock block_1:\n}\n"
	create := &pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{NIR: []byte(text)}}
	n := info(strides{4}, out(register, 0, 4, 0, 0, 0))
	n.Pack(&create.State.StreamOutput)
	s.do(create)
}

func soRegisterNotWritten() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-register-not-written",
		Title:    "a captured register that the shader does not write",
		Severity: streamout.Warning,
		Condition: "the text of the shader has no output of that register (an error when it lies behind the last one), or " +
			"nothing in the text writes it, which is told once for a register",
		Why: "r600 reads past its output array, iris, crocus and freedreno assert, d3d12 reads through NULL; nv50, nvc0 and " +
			"virgl leave the output out and so move the later ones; the draw module captures another or an undefined value",
		Fix: "capture an output that the shader writes, or leave it out and keep its place as a gap",
		Sources: []string{"src/gallium/drivers/r600/r600_shader.c: emit_streamout", "src/gallium/drivers/iris/iris_state.c: iris_create_so_decl_list",
			"src/freedreno/ir3/ir3_compiler_nir.c", "src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			var told registerSet
			n, sure := v.Info.Text.NumRegisters()
			for o := range captures(v) {
				switch register := int(o.RegisterIndex); {
				case sure && register >= n && toldOf(v, o.Index, "register_index", "so-psiz-injected"):
				case sure && register >= n:
					v.ReportAs(streamout.Error, outputPath(o.Index, "register_index"), "output %d captures register %d, but the shader has %s", o.Index, register, plural(uint64(n), "output")).AtOutput(o.Index)
				case v.Info.Text.Declares(register, shader.AllComponents) == shader.No && len(v.Info.Text.At(register)) == 0:
					v.Report(outputPath(o.Index, "register_index"), "output %d captures register %d, which the shader does not declare", o.Index, register).AtOutput(o.Index)
				case everWritten(v.Info.Text, register) == 0 && neverWritten(v.Info.Text, o) == o.Mask() && told.first(register):
					v.Report(outputPath(o.Index, "register_index"), "output %d captures register %d%s, which nothing in the shader writes", o.Index, register, nameOf(v.Info.Text, o)).AtOutput(o.Index)
				}
			}
		},
		Bad:  play(func(s *scene) { s.shaderText(pipe.Vertex, genericText(""), info(strides{4}, out(2, 0, 4, 0, 0, 0))) }),
		Good: play(func(s *scene) { s.shaderText(pipe.Vertex, genericText(""), info(strides{4}, out(1, 0, 4, 0, 0, 0))) }),
	}
}

// registerSet is a set of registers below pipe.MaxShaderOutputs.
type registerSet [pipe.MaxShaderOutputs]bool

// first adds a register, and says whether it was not there.
func (s *registerSet) first(register int) bool {
	there := s[register]
	s[register] = true
	return !there
}

// everWritten returns the components of a register that the text may write.
func everWritten(t *shader.Outputs, register int) (m uint8) {
	for _, out := range t.At(register) {
		m |= out.Written | out.MaybeWritten
	}
	return m
}

// neverWritten returns the components of an output that the text surely does not
// write.
func neverWritten(t *shader.Outputs, o *streamout.InfoOutput) (m uint8) {
	for c := range 4 {
		if bit := uint8(1) << c; o.Mask()&bit != 0 && t.Writes(int(o.RegisterIndex), bit) == shader.No {
			m |= bit
		}
	}
	return m
}

// unwritten returns the components of an output that the text surely does not
// write, of a register that it writes.
func unwritten(t *shader.Outputs, o *streamout.InfoOutput) uint8 {
	if register := int(min(o.RegisterIndex, pipe.MaxShaderOutputs)); everWritten(t, register) == 0 {
		return 0
	}
	return neverWritten(t, o)
}

// nameOf spells the variable that an output captures: " (v3)", or "".
func nameOf(t *shader.Outputs, o *streamout.InfoOutput) string {
	for _, out := range t.At(int(o.RegisterIndex)) {
		switch {
		case out.Declared&o.Mask() == 0:
		case out.Name != "":
			return " (" + shortName(out.Name) + ")"
		case out.Semantic != "":
			return " (" + out.Semantic + ")"
		}
	}
	return ""
}

// shortName is the name of a variable. One that several were packed into is
// called by all of them, as often as each has components and a geometry shader
// emits: each is named once.
func shortName(name string) string {
	packed, ok := strings.CutPrefix(name, "packed:")
	if !ok {
		return name
	}
	var parts []string
	for part := range strings.SplitSeq(packed, ",") {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return "packed:" + strings.Join(parts, ",")
}

func soComponentNotWritten() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-component-not-written",
		Title:    "captured components that the shader does not write",
		Severity: streamout.Warning,
		Condition: "the text writes the register of an output, but surely not all components that the output captures; told once " +
			"for a register",
		Why:     "what is captured for them is undefined; d3d12 finds no variable that holds them and reads through NULL, Direct3D refuses the declaration",
		Fix:     "capture only components that the shader writes",
		Sources: []string{"D3D11.3 functional specification, 14.3", "src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: find_so_variable"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			var told registerSet
			for o := range captures(v) {
				if unwritten(v.Info.Text, o) != 0 && !toldOf(v, o.Index, "register_index", "so-duplicate-source") &&
					told.first(int(o.RegisterIndex)) {
					v.Report(outputPath(o.Index, "num_components"), "output %d captures %s of register %d%s, of which the shader writes only %s",
						o.Index, lettersOf(o.Mask()), o.RegisterIndex, nameOf(v.Info.Text, o), lettersOf(everWritten(v.Info.Text, int(o.RegisterIndex)))).AtOutput(o.Index)
				}
			}
		},
		Bad:  play(func(s *scene) { s.shaderText(pipe.Vertex, genericText(".xy"), info(strides{3}, out(1, 0, 3, 0, 0, 0))) }),
		Good: play(func(s *scene) { s.shaderText(pipe.Vertex, genericText(".xy"), info(strides{2}, out(1, 0, 2, 0, 0, 0))) }),
	}
}

func soComponentOutsideVariable() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-component-outside-variable",
		Title:     "an output that spans two variables",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "d3d12"),
		Condition: "the components that an output captures belong to several variables packed into one register",
		Why:       "d3d12 looks for one variable that holds all of them and reads through NULL; zink splits captures by variable and ends where it never should",
		Fix:       "give each variable an output of its own",
		Sources:   []string{"src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: find_so_variable", "src/gallium/drivers/zink/zink_compiler.c"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for o := range captures(v) {
				register := int(o.RegisterIndex)
				if v.Info.Text.Declares(register, o.Mask()) != shader.Yes || v.Info.Text.Find(register, o.Mask()) != nil {
					continue
				}
				v.Report(outputPath(o.Index, "num_components"), "output %d captures %s of register %d, which are parts of %d variables",
					o.Index, lettersOf(o.Mask()), register, variablesOf(v.Info.Text, o)).AtOutput(o.Index)
			}
		},
		Bad: play(func(s *scene) { s.shaderText(pipe.Vertex, packedText, info(strides{4}, out(1, 0, 4, 0, 0, 0))) }),
		Good: play(func(s *scene) {
			s.shaderText(pipe.Vertex, packedText, info(strides{4}, out(1, 0, 2, 0, 0, 0), out(1, 2, 2, 0, 2, 0)))
		}),
	}
}

// packedText is the TGSI of a vertex shader with two variables in one register.
const packedText = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].xy, GENERIC[0]\nDCL OUT[1].zw, GENERIC[0]\n" +
	"  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n  2: END\n"

// variablesOf counts the variables that an output captures parts of.
func variablesOf(t *shader.Outputs, o *streamout.InfoOutput) (n int) {
	for _, out := range t.At(int(o.RegisterIndex)) {
		if out.Declared&o.Mask() != 0 {
			n++
		}
	}
	return n
}
