package shader_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

func TestComponentMask(t *testing.T) {
	for _, c := range []struct {
		start, num int
		want       uint8
	}{{0, 4, 15}, {2, 1, 4}, {3, 4, 8}, {1, 2, 6}, {0, 0, 0}, {4, 1, 0}, {-1, 2, 0}, {0, 99, 15}} {
		require.Equal(t, c.want, shader.ComponentMask(c.start, c.num), "%d+%d", c.start, c.num)
	}
}

func TestQueries(t *testing.T) {
	o := shader.Parse(pipe.Vertex, []byte(nirText(shader.NIRPercent, pipe.Vertex, "outputs: 2\n",
		"decl_var shader_out INTERP_MODE_NONE vec2 b (VARYING_SLOT_VAR0.zw, 1, 0)\n"+
			"decl_var shader_out INTERP_MODE_NONE vec2 a (VARYING_SLOT_VAR0.xy, 1, 0)\n"+
			"decl_var shader_out INTERP_MODE_NONE vec4 gl_Position (VARYING_SLOT_POS.xyzw, 0, 0)", "")))
	require.Equal(t, []string{"0:xyzw/ gl_Position", "1:xy/ a", "1:zw/ b"}, spell(o), "in the order of registers")
	require.Len(t, o.At(1), 2)
	require.Empty(t, o.At(2))
	require.Empty(t, o.At(shader.NoRegister))
	require.Equal(t, "a", o.Find(1, 3).Name)
	require.Equal(t, "b", o.Find(1, 8).Name)
	require.Nil(t, o.Find(1, 6), "it spans two variables")
	require.Nil(t, o.Find(2, 1))
	n, sure := o.NumRegisters()
	require.Equal(t, 2, n)
	require.True(t, sure)
	require.Equal(t, shader.Yes, o.Declares(1, 6))
	require.Equal(t, 0, o.StreamOf(1, 2))
	require.Equal(t, shader.UnknownStream, o.StreamOf(1, 4))
	require.Equal(t, shader.Unknown, o.EmitsStream(0), "a vertex shader emits nothing")
}
