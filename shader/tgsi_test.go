package shader_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

func TestTGSIOutputs(t *testing.T) {
	for _, c := range []struct {
		name  string // why the case is here
		stage pipe.Stage
		text  string
		want  []string
	}{
		{"masks of declarations and of writes", pipe.Vertex,
			"VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1].xy, GENERIC[0]\n  0: MOV OUT[0], IN[0]\n  1: MOV_SAT OUT[1].y, IN[0].xxxx\n  2: END\n",
			[]string{"0:xyzw/xyzw", "1:xy/y"}},
		{"reading an output does not write it", pipe.Vertex,
			"VERT\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n  0: MOV TEMP[0], OUT[1]\n  1: IF OUT[0].xxxx :2\n  2: ENDIF\n  3: END\n",
			[]string{"0:xyzw/", "1:xyzw/"}},
		{"an array with a computed index: only its own registers may be written", pipe.Vertex,
			"VERT\nDCL OUT[0], POSITION\nDCL OUT[1..2], ARRAY(1), GENERIC[0]\nDCL OUT[3..4], ARRAY(2), GENERIC[4]\nDCL ADDR[0]\n  0: MOV OUT[ADDR[0].x+1](1).xy, IMM[0]\n  1: END\n",
			[]string{"0:xyzw/", "1:xyzw//xy", "2:xyzw//xy", "3:xyzw/", "4:xyzw/"}},
		{"without an array any register may be", pipe.Vertex,
			"VERT\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n  0: MOV OUT[ADDR[0].x].x, IMM[0]\n  1: END\n",
			[]string{"0:xyzw//x", "1:xyzw//x"}},
		{"a control shader's vertex comes first", pipe.TessCtrl,
			"TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[][0], POSITION\nDCL OUT[1], PATCH\n  0: MOV OUT[ADDR[0].x][0].xyz, IN[0][0]\n  1: END\n",
			[]string{"0:xyzw/xyz", "1:xyzw/"}},
		{"two destinations", pipe.Vertex,
			"VERT\nDCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\n  0: DFRACEXP OUT[0].xy, OUT[1].x, IN[0].xyxy\n  1: END\n",
			[]string{"0:xyzw/xy", "1:xyzw/x"}},
		{"subroutines stand behind END", pipe.Vertex,
			"VERT\nDCL OUT[0], POSITION\n  0: CAL :3\n  1: END\n  2: BGNSUB\n  3: MOV OUT[0], IN[0]\n  4: ENDSUB\n",
			[]string{"0:xyzw/xyzw"}},
		{"an END without newline", pipe.Vertex, "VERT\nDCL OUT[0], POSITION\n  0: END", []string{"0:xyzw/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shader.Parse(c.stage, []byte(c.text))
			require.Equal(t, shader.Parsed, o.Status, o.Reason)
			require.Equal(t, shader.TGSI, o.Dialect)
			require.Empty(t, o.Reason)
			require.Equal(t, c.want, spell(o))
			for n := range len(c.text) {
				requireWeaker(t, o, shader.ParseCut(c.stage, []byte(c.text[:n])), c.text[:n])
				if n < len(c.text)-1 {
					requireWeaker(t, o, shader.Parse(c.stage, []byte(c.text[:n])), c.text[:n])
				}
			}
		})
	}
}

func TestTGSISemantics(t *testing.T) {
	o := shader.Parse(pipe.Geometry, []byte("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 8\nPROPERTY GS_INVOCATIONS 2\n"+
		"DCL OUT[0], POSITION\nDCL OUT[1..2], ARRAY(1), GENERIC[3], STREAM(1, 1, 2, 0)\nIMM[0] FLT32 {   -1.0000,     0.0000,     0.0000,     1.0000}\nIMM[1] UINT32 {0, 2, 0, 0}\n  0: EMIT IMM[1].yyyy\n  1: EMIT IMM[1].xxxx\n  2: ENDPRIM IMM[1].xxxx\n  3: END\n"))
	require.Equal(t, "GENERIC[3]", o.List[1].Semantic)
	require.Equal(t, "GENERIC[4]", o.List[2].Semantic)
	require.Equal(t, 1, o.List[2].Element)
	require.Equal(t, 2, o.StreamOf(1, 2))
	require.Equal(t, 0, o.StreamOf(0, 0))
	require.Equal(t, shader.UnknownStream, o.StreamOf(7, 0))
	require.Equal(t, shader.Geometry{Known: true, Input: pipe.Triangles, Output: pipe.Points, VerticesOut: 8, Invocations: 2}, o.Geometry)
	require.Equal(t, []shader.Answer{shader.Yes, shader.No, shader.Yes, shader.No}, []shader.Answer{o.EmitsStream(0), o.EmitsStream(1), o.EmitsStream(2), o.EmitsStream(3)})
}

func TestTGSITessellation(t *testing.T) {
	o := shader.Parse(pipe.TessEval, []byte("TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 1\nPROPERTY TES_VERTEX_ORDER_CW 1\nPROPERTY TES_POINT_MODE 0\n  0: END\n"))
	require.Equal(t, shader.Tessellation{Domain: shader.DomainQuads, Spacing: shader.SpacingFractionalEven, CounterClockwise: shader.No, PointMode: shader.No}, o.Tess)
}

func TestTGSIResources(t *testing.T) {
	o := shader.Parse(pipe.Fragment, []byte("FRAG\nDCL OUT[0].z, POSITION\nDCL SAMP[2]\nDCL SVIEW[1], 2D, FLOAT\nDCL CONST[0][0..4]\nDCL CONST[3][0]\nDCL BUFFER[2]\nDCL IMAGE[5], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL CONST[0..1]\n  0: KILL_IF IN[0].xxxx\n  1: STORE BUFFER[2].x, IN[0], IN[0]\n  2: END\n"))
	require.Equal(t, []shader.Answer{shader.Yes, shader.Yes, shader.Yes}, []shader.Answer{o.Discards, o.WritesDepth, o.SideEffects})
	require.Equal(t, []shader.Answer{shader.Yes, shader.No, shader.No, shader.Yes}, hasEach(o.Resources.ConstantBuffers))
	require.Equal(t, []shader.Answer{shader.No, shader.Yes, shader.No, shader.No}, hasEach(o.Resources.SamplerViews))
	require.Equal(t, []shader.Answer{shader.No, shader.No, shader.Yes, shader.No}, hasEach(o.Resources.StorageBuffers))
	require.Equal(t, shader.Yes, o.Resources.Images.Has(5))
	require.Equal(t, 0, o.Resources.VertexInputs.Len())
	require.True(t, o.Resources.VertexInputs.Complete())

	o = shader.Parse(pipe.Vertex, []byte("VERT\nDCL IN[0..1]\nDCL IN[3]\n  0: END\n"))
	require.Equal(t, []shader.Answer{shader.Yes, shader.Yes, shader.No, shader.Yes}, hasEach(o.Resources.VertexInputs))
	require.Equal(t, shader.No, o.SideEffects)
}

func hasEach(s shader.Slots) []shader.Answer {
	return []shader.Answer{s.Has(0), s.Has(1), s.Has(2), s.Has(3)}
}

// TestTGSIDumpLimit: the buffers that traces print into cut texts silently, so
// an END that ends where such a buffer does may be an ENDIF.
func TestTGSIDumpLimit(t *testing.T) {
	text := "VERT\nDCL OUT[0], POSITION\n" + strings.Repeat("  0: MOV OUT[0], IN[0]\n", 500)
	text = text[:8191-len("\n  9: END")] + "\n  9: END"
	require.Equal(t, shader.Cut, shader.Parse(pipe.Vertex, []byte(text)).Status)
	require.Equal(t, shader.Parsed, shader.Parse(pipe.Vertex, []byte("VERT\n  0: END")).Status)
}
