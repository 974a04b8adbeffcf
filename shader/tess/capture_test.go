package tess_test

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

// capturedPatch is a patch that was drawn on llvmpipe and streamed out.
type capturedPatch struct {
	Domain, Spacing string
	PointMode, CCW  bool
	Outer, Inner    []string // bits
	Primitive       string
	Coords          []string // bits of u, v, w
}

func TestCapturedPatches(t *testing.T) {
	file, err := os.Open("../../testdata/capture/tess.llvmpipe.jsonl.gz")
	if os.IsNotExist(err) {
		t.Skip("no captured patches in testdata/capture")
	}
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	kinds := map[tess.Tessellator]bool{}
	sets := map[tess.Factors]bool{}
	for lines.Scan() {
		var c capturedPatch
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		z, f := c.check(t)
		kinds[z], sets[f] = true, true
	}
	require.NoError(t, lines.Err())
	require.Len(t, kinds, 3*(3+3+2), "every domain, spacing and output of GL")
	require.GreaterOrEqual(t, len(sets), 100)
}

// check compares the captured vertices with the predicted ones, bit by bit and in order.
func (c *capturedPatch) check(t *testing.T) (tess.Tessellator, tess.Factors) {
	d, err := tess.ParseDomain(c.Domain)
	require.NoError(t, err)
	s, err := tess.ParseSpacing(c.Spacing)
	require.NoError(t, err)
	z, err := tess.NewGallium(d, s, !c.CCW, c.PointMode)
	require.NoError(t, err)
	var f tess.Factors
	for i, bits := range c.Outer {
		f.Outer[i] = floatOfHex(t, bits)
	}
	for i, bits := range c.Inner {
		f.Inner[i] = floatOfHex(t, bits)
	}
	g := z.Geometry(f)
	predicted := make([]string, len(g.Indices))
	for i, index := range g.Indices {
		predicted[i] = coordinate(d, g.Points[index])
	}
	require.Equal(t, len(c.Coords), z.Count(f).Indices, "%s %s %v", d, s, f)
	for i := range predicted {
		require.Equal(t, c.Coords[i], predicted[i], "vertex %d of %s %s %s %v", i, d, s, z.Output(), f)
	}
	return z, f
}

func floatOfHex(t *testing.T, bits string) float32 {
	x, err := strconv.ParseUint(bits, 16, 32)
	require.NoError(t, err)
	return math.Float32frombits(uint32(x))
}

// coordinate is gl_TessCoord of a point; w is 0 but in triangles.
func coordinate(d tess.Domain, p tess.Point) string {
	u, v := float32(p.U)/65536, float32(p.V)/65536
	var w float32
	if d == tess.Triangles {
		w = 1 - (u + v)
	}
	var b []byte
	for _, x := range []float32{u, v, w} {
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(x))
	}
	return hex.EncodeToString(b)
}
