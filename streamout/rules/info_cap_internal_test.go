package rules

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// TestOneVarying: an array is one variable, split or not, and what was packed
// together is not known.
func TestOneVarying(t *testing.T) {
	split := func(first, second string) string {
		return strings.NewReplacer("vec4[2] m (VARYING_SLOT_VAR1.xyzw, 1, 0)", "vec4 "+first+" (VARYING_SLOT_VAR1.xyzw, 1, 0)\n"+
			"decl_var shader_out INTERP_MODE_NONE vec4 "+second+" (VARYING_SLOT_VAR2.xyzw, 2, 0)").Replace(arrayText)
	}
	for _, c := range []struct {
		name, text string
		want       shader.Answer
	}{
		{"an array", arrayText, shader.Yes},
		{"an array that was split, as Mesa 22 numbers it", split("m", "m@0"), shader.Yes},
		{"an array that was split, as Mesa 26 numbers it", split("m", "m#1"), shader.Yes},
		{"two variables", split("m", "n"), shader.No},
		{"a variable and several in one", split("m", "packed:n,o"), shader.Unknown},
		{"no text", "", shader.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := streamout.Info{Text: shader.Parse(pipe.Vertex, []byte(c.text))}
			for k, n := range []pipe.OutputNumbers{out(1, 0, 4, 0, 0, 0), out(2, 0, 4, 0, 4, 0)} {
				i.Outputs = append(i.Outputs, streamout.InfoOutput{OutputNumbers: n, Index: k})
			}
			require.Equal(t, c.want, oneVarying(&i, 0))
		})
	}
}
