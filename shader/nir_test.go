package shader_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// nirText makes a text in either dialect from declarations and body lines
// written in the newer one.
func nirText(dialect shader.Dialect, stage pipe.Stage, header, declarations, body string) string {
	if dialect == shader.NIRSSA {
		lines := strings.Split(strings.TrimSpace(body), "\n")
		for i, line := range lines {
			line = strings.TrimSpace(line)
			line = strings.ReplaceAll(line, "%", "ssa_")
			if at := strings.Index(line, "@"); at == 0 {
				line = "intrinsic " + line[1:]
			} else {
				line = strings.Replace(line, " = @", " = intrinsic ", 1)
			}
			lines[i] = "\t" + line
		}
		return fmt.Sprintf("shader: %s\nsource_sha1: {0x0}\nname: GLSL1\n%s%s\ndecl_function main (0 params)\n\nimpl main {\n\tblock block_0:\n\t/* preds: */\n%s\n\t/* succs: block_1 */\n\tblock block_1:\n}\n\n",
			stage.Name(), header, strings.TrimSpace(declarations), strings.Join(lines, "\n"))
	}
	return fmt.Sprintf("shader: %s\nsource_blake3: {0x0}\nname: GLSL1\n%s%s\ndecl_function main () (entrypoint)\n\nimpl main {\n    block b0:   // preds:\n%s\n                // succs: b1\n    block b1:\n}\n\n",
		stage.Name(), header, strings.TrimSpace(declarations), body)
}

// spell writes outputs as "register:declared/written/maybe name".
func spell(o *shader.Outputs) []string {
	list := []string{}
	letters := func(m uint8) string {
		s := ""
		for i, l := range "xyzw" {
			if m&(1<<i) != 0 {
				s += string(l)
			}
		}
		return s
	}
	for _, out := range o.List {
		s := fmt.Sprintf("%d:%s/%s", out.Register, letters(out.Declared), letters(out.Written))
		if out.MaybeWritten != 0 {
			s += "/" + letters(out.MaybeWritten)
		}
		list = append(list, strings.TrimSpace(s+" "+out.Name))
	}
	return list
}

var nirCases = []struct {
	name         string // why the case is here
	stage        pipe.Stage
	declarations string
	body         string
	want         []string
}{
	{"a vector is written whole, one declared and never stored is not", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 gl_Position (VARYING_SLOT_POS.xyzw, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE vec3 v (VARYING_SLOT_VAR0.xyz, 1, 0)",
		"32 %1 = deref_var &gl_Position (shader_out vec4)\n@store_deref (%1, %0) (wrmask=xyzw, access=none)",
		[]string{"0:xyzw/xyzw gl_Position", "1:xyz/ v"}},
	{"a write mask is part of the vector", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 v (VARYING_SLOT_VAR0.xyzw, 0, 0)",
		"32 %1 = deref_var &v (shader_out vec4)\n@store_deref (%1, %0) (wrmask=yw, access=none)",
		[]string{"0:xyzw/yw v"}},
	{"two packed variables share a register", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE float b (VARYING_SLOT_VAR0.w, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE vec2 packed:a.x,a.y (VARYING_SLOT_VAR0.yz, 0, 0)",
		"32 %1 = deref_var &packed:a.x,a.y (shader_out vec2)\n@store_deref (%1, %0) (wrmask=y, access=none)",
		[]string{"0:yz/z packed:a.x,a.y", "0:w/ b"}},
	{"a dvec2 fills the slot, a double in z has zw", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE dvec2 d (VARYING_SLOT_VAR0.xy, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE double e (VARYING_SLOT_VAR1.z, 1, 0)",
		"32 %1 = deref_var &d (shader_out dvec2)\n@store_deref (%1, %0) (wrmask=y, access=none)\n" +
			"32 %2 = deref_var &e (shader_out double)\n@store_deref (%2, %0) (wrmask=x, access=none)",
		[]string{"0:xyzw/zw d", "1:zw/zw e"}},
	{"a dvec3 takes a slot and a half", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE dvec3 d (VARYING_SLOT_VAR0.xyz, 0, 0)",
		"32 %1 = deref_var &d (shader_out dvec3)\n@store_deref (%1, %0) (wrmask=xz, access=none)",
		[]string{"0:xyzw/xy d", "1:xy/xy d"}},
	{"an array element with a constant index is one slot", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec2[3] a (VARYING_SLOT_VAR0.xy, 0, 0)",
		"32 %1 = deref_var &a (shader_out vec2[3])\n32 %2 = deref_array &(*%1)[1] (shader_out vec2)\n@store_deref (%2, %0) (wrmask=xy, access=none)",
		[]string{"0:xy/ a", "1:xy/xy a", "2:xy/ a"}},
	{"a computed index may be any element", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec2[2] a (VARYING_SLOT_VAR0.xy, 0, 0)",
		"32 %1 = deref_var &a (shader_out vec2[2])\n32 %2 = deref_array &(*%1)[%7] (shader_out vec2)\n@store_deref (%2, %0) (wrmask=xy, access=none)",
		[]string{"0:xy//xy a", "1:xy//xy a"}},
	{"arrays of arrays: the first bracket is the outer one", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE float[2][3] a (VARYING_SLOT_VAR0.x, 0, 0)",
		"32 %1 = deref_var &a (shader_out float[2][3])\n32 %2 = deref_array &(*%1)[1] (shader_out float[3])\n32 %3 = deref_array &(*%2)[2] (shader_out float)\n@store_deref (%3, %0) (wrmask=x, access=none)",
		[]string{"0:x/ a", "1:x/ a", "2:x/ a", "3:x/ a", "4:x/ a", "5:x/x a"}},
	{"a column of a matrix, printed without components when it is 4x4", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE mat3x2 m (VARYING_SLOT_VAR0.abcdef, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE mat4 n (VARYING_SLOT_VAR3, 3, 0)",
		"32 %1 = deref_var &m (shader_out mat3x2)\n32 %2 = deref_array &(*%1)[2] (shader_out vec2)\n@store_deref (%2, %0) (wrmask=xy, access=none)",
		[]string{"0:xy/ m", "1:xy/ m", "2:xy/xy m", "3:xyzw/ n", "4:xyzw/ n", "5:xyzw/ n", "6:xyzw/ n"}},
	{"one component of a vector", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 v (VARYING_SLOT_VAR0.xyzw, 0, 0)",
		"32 %1 = deref_var &v (shader_out vec4)\n32 %2 = deref_array &(*%1)[2] (shader_out float)\n@store_deref (%2, %0) (wrmask=x, access=none)",
		[]string{"0:xyzw/z v"}},
	{"clip distances are compact", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE float[6] gl_ClipDistance (VARYING_SLOT_CLIP_DIST0.x, 0, 0) compact",
		"32 %1 = deref_var &gl_ClipDistance (shader_out float[6])\n32 %2 = deref_array &(*%1)[5] (shader_out float)\n@store_deref (%2, %0) (wrmask=x, access=none)",
		[]string{"0:xyzw/ gl_ClipDistance", "1:xy/y gl_ClipDistance"}},
	{"cull distances share the register of clip distances", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE float[3] gl_ClipDistance (VARYING_SLOT_CLIP_DIST0.x, 0, 0) compact\n" +
			"decl_var shader_out INTERP_MODE_NONE float[2] gl_CullDistance (VARYING_SLOT_CLIP_DIST0.w, 0, 0) compact",
		"32 %1 = deref_var &gl_CullDistance (shader_out float[2])\n32 %2 = deref_array &(*%1)[1] (shader_out float)\n@store_deref (%2, %0) (wrmask=x, access=none)",
		[]string{"0:xyz/ gl_ClipDistance", "0:w/ gl_CullDistance", "1:x/x gl_CullDistance"}},
	{"copy_deref writes what the pointer points to, all or a part", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 v (VARYING_SLOT_VAR0.xyzw, 0, 0)",
		"32 %1 = deref_var &v (shader_out vec4)\n@copy_deref (%1, %3) (dst_access=none, src_access=none)",
		[]string{"0:xyzw//xyzw v"}},
	{"outputs of a control shader are arrays of vertices, patch outputs are not", pipe.TessCtrl,
		"decl_var shader_out INTERP_MODE_NONE vec4[3] gl_Position (0.xyzw, 0, 0)\n" +
			"decl_var patch shader_out INTERP_MODE_NONE vec2[2] p (64.xy, 1, 0)",
		"32 %1 = deref_var &gl_Position (shader_out vec4[3])\n32 %2 = deref_array &(*%1)[%9] (shader_out vec4)\n@store_deref (%2, %0) (wrmask=xyzw, access=none)",
		[]string{"0:xyzw/xyzw gl_Position", "1:xy/ p", "2:xy/ p"}},
	{"stores without declarations make the outputs", pipe.Vertex, "",
		"32 %1 = load_const (0x00000000)\n" +
			"@store_output (%0, %1 (0x0)) (base=0, range=1, wrmask=xyzw, component=0, src_type=float32, io location=VARYING_SLOT_POS slots=1)  // gl_Position\n" +
			"@store_output (%0, %1 (0x0)) (base=1, range=1, wrmask=x, component=2, src_type=float32, io location=VARYING_SLOT_VAR0 slots=1)  // wrmask=y (base=7",
		[]string{"0:xyzw/xyzw gl_Position", "1:z/z wrmask=y (base=7"}},
	{"a 64-bit store takes two components each", pipe.Vertex, "",
		"@store_output (%0, %1 (0x0)) (base=0, range=1, wrmask=xz, component=0, src_type=float64, io location=VARYING_SLOT_VAR0 slots=2)",
		[]string{"0:xy/xy", "1:xy/xy"}},
	{"a store with an offset: constant, from a load_const, computed", pipe.Vertex, "",
		"32 %1 = load_const (0x00000001 = 0.000000)\n" +
			"@store_output (%0, %1) (base=0, range=2, wrmask=x, component=0, src_type=float32, io location=VARYING_SLOT_VAR0 slots=2)  // a\n" +
			"@store_output (%0, %5) (base=2, range=2, wrmask=x, component=0, src_type=float32, io location=VARYING_SLOT_VAR2 slots=2)  // b\n" +
			"@store_output (%0, %1 (0x0)) (base=0, range=2, wrmask=x, component=0, src_type=float32, io location=VARYING_SLOT_VAR0 slots=2)  // a",
		[]string{"0:x/x a", "1:x/x a", "2:x//x b", "3:x//x b"}},
	{"a point size that the state tracker added has no register", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 gl_Position (VARYING_SLOT_POS.xyzw, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE float gl_PointSizeMESA (VARYING_SLOT_PSIZ.x, 1, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE vec4 v (VARYING_SLOT_VAR0.xyzw, 2, 0)",
		"", []string{"0:xyzw/ gl_Position", "-1:x/ gl_PointSizeMESA", "1:xyzw/ v"}},
	{"one that the shader writes itself has", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE float gl_PointSize (VARYING_SLOT_PSIZ.x, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE vec4 v (VARYING_SLOT_VAR0.xyzw, 1, 0)",
		"", []string{"0:x/ gl_PointSize", "1:xyzw/ v"}},
	{"names that look like something else", pipe.Vertex,
		"decl_var shader_out INTERP_MODE_NONE vec4 decl_var shader_out (VARYING_SLOT_VAR7.x, 7, 0) x (VARYING_SLOT_VAR0.xyzw, 0, 0)\n" +
			"decl_var shader_out INTERP_MODE_NONE vec4  (VARYING_SLOT_VAR1.xyzw, 1, 0)\n" +
			"decl_var  shader_temp INTERP_MODE_NONE vec4 shader_out",
		"32 %1 = deref_var &shader_out (shader_temp vec4)\n@store_deref (%1, %0) (wrmask=xyzw, access=none)\n" +
			"32 %2 = deref_var & (shader_out vec4)\n@store_deref (%2, %0) (wrmask=x, access=none)",
		[]string{"0:xyzw/ decl_var shader_out (VARYING_SLOT_VAR7.x, 7, 0) x", "1:xyzw/x"}},
	{"qualifiers before, an initializer behind", pipe.Vertex,
		"decl_var centroid sample invariant shader_out INTERP_MODE_FLAT none highp uvec2 u (VARYING_SLOT_VAR0.xy, 0, 0) = { 0x00000001 /* (0, 1, 2) */ }",
		"", []string{"0:xy/ u"}},
}

func TestNIROutputs(t *testing.T) {
	for _, dialect := range []shader.Dialect{shader.NIRSSA, shader.NIRPercent} {
		for _, c := range nirCases {
			t.Run(dialect.String()+"/"+c.name, func(t *testing.T) {
				if dialect == shader.NIRSSA && strings.Contains(c.body, "  // ") {
					c.body = strings.ReplaceAll(c.body, ")  // ", ")\t/* ")
					c.want = nil
				}
				o := shader.Parse(c.stage, []byte(nirText(dialect, c.stage, "", c.declarations, c.body)))
				require.Equal(t, shader.Parsed, o.Status, o.Reason)
				require.Equal(t, dialect, o.Dialect)
				require.Empty(t, o.Reason)
				require.Equal(t, "GLSL1", o.Name)
				if c.want != nil {
					require.Equal(t, c.want, spell(o))
				}
			})
		}
	}
}

const plainDeclarations = "decl_var shader_out INTERP_MODE_NONE vec4 gl_Position (VARYING_SLOT_POS.xyzw, 0, 0)\n" +
	"decl_var shader_out INTERP_MODE_NONE vec2 v (VARYING_SLOT_VAR0.xy, 1, 0)"

const plainBody = "32 %1 = deref_var &v (shader_out vec2)\n@store_deref (%1, %0) (wrmask=x, access=none)"

// TestNIRAnswers: what a text does not tell is Unknown, never No.
func TestNIRAnswers(t *testing.T) {
	whole := nirText(shader.NIRPercent, pipe.Vertex, "outputs: 2\n", plainDeclarations, plainBody)
	cutBody := whole[:strings.Index(whole, "@store")]
	type answers struct{ declaresV, declares5, writesX, writesY, writesPos shader.Answer }
	const y, n, u = shader.Yes, shader.No, shader.Unknown
	for _, c := range []struct {
		name   string
		text   string
		status shader.Status
		want   answers
	}{
		{"whole", whole, shader.Parsed, answers{y, n, y, n, n}},
		{"cut in the body: declarations stand", cutBody, shader.Cut, answers{y, n, u, u, u}},
		{"cut in the declarations", whole[:strings.Index(whole, "decl_function")], shader.Cut, answers{y, u, u, u, u}},
		{"a declaration in an unknown form", strings.Replace(whole, "(VARYING_SLOT_VAR0.xy, 1, 0)", "[VARYING_SLOT_VAR0.xy]", 1), shader.Parsed, answers{u, u, u, u, u}},
		{"a block has an extent that the text does not tell", strings.Replace(whole, "vec2 v (", "block v (", 1), shader.Parsed, answers{u, u, u, u, n}},
		{"a pointer from a cast may point anywhere", strings.Replace(whole, "deref_var &v (shader_out vec2)", "deref_cast (vec2 *)%9 (shader_out vec2)  (ptr_stride=0, align_mul=0, align_offset=0)", 1), shader.Parsed, answers{y, n, u, u, u}},
		{"a call may write anything", strings.Replace(whole, "@store", "call f %1\n@store", 1), shader.Parsed, answers{y, n, y, u, u}},
		{"a store nobody knows", strings.Replace(whole, "@store", "@store_other_output (%1, %0) (base=1)\n@store", 1), shader.Parsed, answers{y, u, y, u, u}},
		{"driver locations with a gap", strings.Replace(whole, "xy, 1, 0)", "xy, 3, 0)", 1), shader.Parsed, answers{u, u, u, u, u}},
		{"fewer outputs than the header says", strings.Replace(whole, "outputs: 2", "outputs: 3", 1), shader.Parsed, answers{u, u, u, u, u}},
		{"a function declared and not printed", strings.Replace(whole, "decl_function", "decl_function f ()\ndecl_function", 1), shader.Cut, answers{y, n, y, u, u}},
		{"no text", "...", shader.Absent, answers{}},
		{"the hint", "Set GALLIUM_TRACE_NIR to a sufficiently big number to enable NIR shader dumping.", shader.Absent, answers{}},
		{"nothing", "", shader.Absent, answers{}},
		{"another language", "#version 330\nvoid main() {}\n", shader.Unrecognised, answers{}},
		{"another stage", strings.Replace(whole, "VERTEX", "FRAGMENT", 1), shader.Unrecognised, answers{}},
		{"a stage nobody knows", strings.Replace(whole, "VERTEX", "KERNEL", 1), shader.Unrecognised, answers{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shader.Parse(pipe.Vertex, []byte(c.text))
			require.Equal(t, c.status, o.Status, o.Reason)
			got := answers{o.Declares(1, 3), o.Declares(5, 1), o.Writes(1, 1), o.Writes(1, 3), o.Writes(0, 15)}
			require.Equal(t, c.want, got, o.Reason)
			if c.status != shader.Parsed {
				require.NotEmpty(t, o.Reason)
			}
			require.LessOrEqual(t, shader.ParseCut(pipe.Vertex, []byte(c.text)).Status, shader.Cut)
		})
	}
}

// TestNIREveryCut: a text cut at any byte gives no No that the whole denies, and
// no Yes either.
func TestNIREveryCut(t *testing.T) {
	for _, c := range nirCases {
		text := nirText(shader.NIRPercent, c.stage, "inputs: 1\noutputs: 2\n", c.declarations, c.body)
		whole := shader.Parse(c.stage, []byte(text))
		for n := range len(text) {
			requireWeaker(t, whole, shader.ParseCut(c.stage, []byte(text[:n])), text[:n])
		}
	}
}

func requireWeaker(t *testing.T, whole, part *shader.Outputs, text string) {
	t.Helper()
	for register := range 9 {
		for mask := uint8(1); mask < 16; mask++ {
			for _, pair := range [][2]shader.Answer{{whole.Declares(register, mask), part.Declares(register, mask)}, {whole.Writes(register, mask), part.Writes(register, mask)}} {
				if pair[1] != shader.Unknown && pair[0] != shader.Unknown && pair[0] != pair[1] {
					require.Equal(t, pair[0], pair[1], "register %d mask %d of %q", register, mask, text)
				}
			}
		}
	}
}

// TestNIRLabels: a label set by the program is printed raw in the header.
func TestNIRLabels(t *testing.T) {
	plain := nirText(shader.NIRPercent, pipe.Vertex, "outputs: 2\n", plainDeclarations, plainBody)
	want := shader.Parse(pipe.Vertex, []byte(plain))
	for _, label := range []string{
		"esc \x1b[31mred\x1b[0m bell \x07", "latin \xe9\xff", "]]>", "<call no='1' class='pipe_context' method='create_vs_state'>",
		"a\ndecl_var shader_out INTERP_MODE_NONE vec4 fake (VARYING_SLOT_VAR9.xyzw, 2, 0)",
		"a\ndecl_function main () (entrypoint)\n\nimpl main {\n    @store_output (%0, %1) (base=4, wrmask=x)\n}\n",
		"a\nimpl main {\n}", "shader: MESA_SHADER_FRAGMENT", "a\nshader: MESA_SHADER_FRAGMENT",
	} {
		text := strings.Replace(plain, "name: GLSL1\n", "name: GLSL1\nlabel: "+label+"\n", 1)
		require.Equal(t, want, shader.Parse(pipe.Vertex, []byte(text)), "%q", label)
	}
}

// TestLineEnds: on Windows the trace is written in text mode.
func TestLineEnds(t *testing.T) {
	for _, c := range nirCases {
		text := nirText(shader.NIRPercent, c.stage, "outputs: 2\n", c.declarations, c.body)
		require.Equal(t, shader.Parse(c.stage, []byte(text)), shader.Parse(c.stage, []byte(strings.ReplaceAll(text, "\n", "\r\n"))), c.name)
	}
	text := "VERT\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n"
	require.Equal(t, shader.Parse(pipe.Vertex, []byte(text)), shader.Parse(pipe.Vertex, []byte(strings.ReplaceAll(text, "\n", "\r\n"))))
}
