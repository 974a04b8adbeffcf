package shader_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// checkSane holds what must be true of any text.
func checkSane(t *testing.T, o *shader.Outputs, text []byte) {
	t.Helper()
	require.LessOrEqual(t, len(o.List), 1024)
	require.LessOrEqual(t, len(o.Captures), len(text))
	last := -1
	for _, out := range o.List {
		require.Zero(t, out.Declared&^shader.AllComponents)
		require.NotZero(t, out.Slots)
		require.GreaterOrEqual(t, out.DriverLocation, last)
		last = out.DriverLocation
	}
	if o.Status == shader.Absent || o.Status == shader.Unrecognised {
		require.Empty(t, o.List)
		require.NotEmpty(t, o.Reason)
	}
	if o.Status != shader.Parsed {
		for register := range 8 {
			require.NotEqual(t, shader.No, o.Writes(register, 1))
		}
		require.NotEqual(t, shader.No, o.Discards)
		require.False(t, o.Resources.ConstantBuffers.Complete())
	}
	n, _ := o.NumRegisters()
	for register := range n {
		for c := range 4 {
			o.StreamOf(register, c)
		}
		o.Find(register, 1)
	}
}

func fuzzReader(f *testing.F) {
	f.Fuzz(func(t *testing.T, stage uint8, text []byte) {
		s := pipe.Stage(stage % pipe.NumStages)
		whole := shader.Parse(s, text)
		checkSane(t, whole, text)
		cut := shader.ParseCut(s, text)
		checkSane(t, cut, text)
		require.NotEqual(t, shader.Parsed, cut.Status)
		require.Equal(t, whole, shader.Parse(s, text), "reading twice gives the same")
	})
}

func FuzzNIR(f *testing.F) {
	for _, c := range nirCases {
		for _, dialect := range []shader.Dialect{shader.NIRSSA, shader.NIRPercent} {
			f.Add(uint8(c.stage), []byte(nirText(dialect, c.stage, "inputs: 1\noutputs: 2\nactive_stream_mask: 0xf\n", c.declarations, c.body)))
		}
	}
	f.Add(uint8(pipe.Geometry), []byte(nirText(shader.NIRPercent, pipe.Geometry, "textures_used: 0x0'1\n", "",
		"@store_output (%22, %3 (0x0)) (base=0, wrmask=xy, component=2, src_type=float32, io location=VARYING_SLOT_VAR0 slots=1 gs_streams(x=3 y=1 z=0 w=0), xfb(), xfb2(component=2 buffer=1 offset=8))  // a\n@emit_vertex (stream_id=1)\n32 %2 = (float32)tex %1 (coord), 2 (texture)\n32 %3 = @load_ubo (%0 (0x0), %1)")))
	fuzzReader(f)
}

func FuzzTGSI(f *testing.F) {
	f.Add(uint8(pipe.Vertex), []byte("VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1..2].xy, ARRAY(1), GENERIC[0], STREAM(1, 0, 0, 0)\nDCL CONST[0][0..4]\nIMM[0] UINT32 {0, 2, 0, 0}\n  0: MOV OUT[ADDR[0].x+1](1).xy, IMM[0]\n  1: END\n"))
	f.Add(uint8(pipe.Geometry), []byte("GEOM\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nIMM[0] UINT32 {0, 2, 0, 0}\n  0: EMIT IMM[0].yyyy\n  1: CAL :3\n  2: END\n  3: BGNSUB\n  4: ENDSUB\n"))
	f.Add(uint8(pipe.TessCtrl), []byte("TESS_CTRL\nDCL OUT[][0], POSITION\n  0: MOV OUT[ADDR[0].x][0].xyz, IN[0][0]\n  1: END"))
	fuzzReader(f)
}

// TestLimits: numbers in the text size nothing.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, declaration string
	}{
		{"an array of four billion", "decl_var shader_out INTERP_MODE_NONE vec4[4294967295] a (VARYING_SLOT_VAR0.xyzw, 0, 0)"},
		{"arrays whose product is too much", "decl_var shader_out INTERP_MODE_NONE mat4[128][128][128] a (VARYING_SLOT_VAR0.xyzw, 0, 0)"},
		{"a compact array of four billion", "decl_var shader_out INTERP_MODE_NONE float[4294967295] a (VARYING_SLOT_CLIP_DIST0.x, 0, 0) compact"},
		{"a far driver location", "decl_var shader_out INTERP_MODE_NONE vec4 a (VARYING_SLOT_VAR0.xyzw, 4294967295, 0)"},
		{"many arrays", strings.Repeat("decl_var shader_out INTERP_MODE_NONE vec4[128] a (VARYING_SLOT_VAR0.xyzw, 0, 0)\n", 1000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shader.Parse(pipe.Vertex, []byte(nirText(shader.NIRPercent, pipe.Vertex, "", c.declaration, "")))
			require.LessOrEqual(t, len(o.List), 1024)
			require.Equal(t, shader.Unknown, o.Writes(200, 1))
		})
	}
	o := shader.Parse(pipe.Vertex, []byte("VERT\nDCL OUT[0..4294967295], GENERIC[0]\nDCL OUT[0..60000], GENERIC[0]\n  0: END\n"))
	require.Empty(t, o.List)
	require.Equal(t, shader.Unknown, o.Declares(0, 1))
}
