package cmask_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// answerLine answers a line of JSON.
func answerLine(line []byte) (any, error) {
	c, err := jsonlines.Parse(line)
	if err != nil {
		return nil, err
	}
	return cmask.Answer(c)
}

func TestAnswer(t *testing.T) {
	const equation = `"meta_block":[16,16],"pitch":16,"padded_height":16,"equation":[[["x",3]],[["y",3],["z",0]],[["m",0]]]`
	for _, c := range []struct{ name, query, want string }{
		{"variant with a layout", `{"query":"select","gen":"one","samples":1,"vrs_hints":false,"fast_clear":true,"bpp":8,"tile":"ROTATED"}`,
			`{"variant":1,"mode":2,"figure":"CM1"}`},
		{"variant without one", `{"query":"select","gen":"scarlett","samples":2,"vrs_hints":false,"fast_clear":false,"bpp":8,"tile":"R"}`,
			`{"variant":3,"mode":null,"figure":null}`},
		{"quad by number", `{"query":"quad","nibble":4,"mode":3,"quad_x":0,"quad_y":2}`, `{"bit":2,"touched":true,"tile_touched":true}`},
		{"quad by figure", `{"query":"quad","nibble":3,"mode":"CMM1","quad_x":0,"quad_y":2}`, `{"bit":3,"touched":false,"tile_touched":false}`},
		{"a row may hold more", `{"id":1,"query":"quad","nibble":4,"mode":3,"quad_x":0,"quad_y":2,"bit":2,"why":"a row"}`,
			`{"bit":2,"touched":true,"tile_touched":true}`},
		{"MSAA nibble", `{"query":"nibble","samples":4,"variant":2,"nibble":14}`, `{"fmask_planes":2,"valid":true,"subtile_bits":3,"vrs_hint":null}`},
		{"too many planes are not an error", `{"query":"nibble","samples":2,"variant":2,"nibble":14}`, `{"fmask_planes":2,"valid":false,"subtile_bits":3,"vrs_hint":null}`},
		{"slice left out is 0", `{"query":"address","layout":"linear","width":64,"height":64,"x":8,"y":0}`, `{"byte":0,"bit":4}`},
		{"equation", `{"query":"address","layout":"gfx9 xor equation","width":16,"height":16,"x":8,"y":8,"slice":1,` + equation + `}`, `{"byte":2,"bit":4}`},
	} {
		got, err := answerLine([]byte(c.query))
		require.NoError(t, err, c.name)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(text), c.name)
	}
}

func TestAnswerErrors(t *testing.T) {
	for _, c := range []struct {
		name, query string
		want        error
	}{
		{"no query", `{}`, cmask.ErrQuery},
		{"unknown query", `{"query":"tile"}`, cmask.ErrQuery},
		{"a member is missing", `{"query":"quad","nibble":4,"mode":3,"quad_x":0}`, cmask.ErrQuery},
		{"a member is null", `{"query":"quad","nibble":4,"mode":3,"quad_x":0,"quad_y":null}`, cmask.ErrQuery},
		{"not a whole number", `{"query":"quad","nibble":4.5,"mode":3,"quad_x":0,"quad_y":1}`, cmask.ErrQuery},
		{"nibble out of range", `{"query":"quad","nibble":16,"mode":3,"quad_x":0,"quad_y":0}`, cmask.ErrNibble},
		{"negative nibble", `{"query":"nibble","samples":1,"variant":1,"nibble":-1}`, cmask.ErrNibble},
		{"mode out of range", `{"query":"quad","nibble":1,"mode":6,"quad_x":0,"quad_y":0}`, cmask.ErrMode},
		{"quad out of range", `{"query":"quad","nibble":1,"mode":0,"quad_x":4,"quad_y":0}`, cmask.ErrCoord},
		{"variant that wraps", `{"query":"nibble","samples":1,"variant":257,"nibble":1}`, cmask.ErrVariant},
		{"variant of other samples", `{"query":"nibble","samples":2,"variant":1,"nibble":1}`, cmask.ErrVariantSamples},
		{"unknown generation", `{"query":"select","gen":"two","samples":1,"vrs_hints":false,"fast_clear":true,"bpp":8,"tile":"R"}`, cmask.ErrGeneration},
		{"unknown layout", `{"query":"address","layout":"zigzag","width":8,"height":8,"x":0,"y":0}`, cmask.ErrQuery},
		{"no pipe configuration", `{"query":"address","layout":"gfx6-8 tiled","width":8,"height":8,"x":0,"y":0}`, cmask.ErrPipeConfig},
		{"outside", `{"query":"address","layout":"linear","width":8,"height":8,"x":8,"y":0}`, cmask.ErrCoord},
		{"no equation", `{"query":"address","layout":"gfx9","width":8,"height":8,"x":0,"y":0}`, cmask.ErrQuery},
		{"block of three sides", `{"query":"address","layout":"gfx9","width":8,"height":8,"x":0,"y":0,"meta_block":[8,8,1],"pitch":8,"padded_height":8,"equation":[[["m",0]]]}`, cmask.ErrEquation},
		{"term of one half", `{"query":"address","layout":"gfx9","width":8,"height":8,"x":0,"y":0,"meta_block":[8,8],"pitch":8,"padded_height":8,"equation":[[["m"]]]}`, cmask.ErrEquation},
		{"term turned round", `{"query":"address","layout":"gfx9","width":8,"height":8,"x":0,"y":0,"meta_block":[8,8],"pitch":8,"padded_height":8,"equation":[[[0,"m"]]]}`, cmask.ErrEquation},
	} {
		_, err := answerLine([]byte(c.query))
		require.ErrorIs(t, err, c.want, c.name)
	}
}
