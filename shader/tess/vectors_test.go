package tess_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

// vectors reads one file of the folder of computed cases that lies beside the corpus of traces.
func vectors(t *testing.T, name string, into any) {
	t.Helper()
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS is not set: no vectors beside it")
	}
	data, err := os.ReadFile(filepath.Join(corpus, "..", "vectors", name))
	if os.IsNotExist(err) {
		t.Skipf("no %s beside OUTFLOW_CORPUS", name)
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

type countRow struct {
	ID, Domain, Partitioning, Output string
	PreRound                         string `json:"pre_round"`
	Outer, Inner                     []any
	OuterBits                        []string `json:"outer_bits"`
	InnerBits                        []string `json:"inner_bits"`
	Culled                           bool
	Vertices, Primitives, Indices    int
	Points                           [][2]uint32 `json:"points_16_16"`
}

func (r *countRow) tessellator(t *testing.T) tess.Tessellator {
	d, err := tess.ParseDomain(r.Domain)
	require.NoError(t, err)
	s, err := tess.ParseSpacing(r.Partitioning)
	require.NoError(t, err)
	o, err := tess.ParseOutput(r.Output)
	require.NoError(t, err)
	z, err := tess.New(d, s, o)
	require.NoError(t, err)
	return z
}

func (r *countRow) factors(t *testing.T) (f tess.Factors) {
	read := func(to []float32, numbers []any, words []string) {
		for i, n := range numbers {
			switch n := n.(type) {
			case float64:
				to[i] = float32(n)
			case string:
				x, err := strconv.ParseFloat(n, 32)
				require.NoError(t, err)
				to[i] = float32(x)
			}
		}
		for i, w := range words {
			x, err := strconv.ParseUint(w, 0, 32)
			require.NoError(t, err)
			to[i] = math.Float32frombits(uint32(x))
		}
	}
	read(f.Outer[:], r.Outer, r.OuterBits)
	read(f.Inner[:], r.Inner, r.InnerBits)
	return f
}

func TestVectors(t *testing.T) {
	var file struct {
		Vectors, Pow2_prerounded []countRow
		Full_geometry            []json.RawMessage
	}
	vectors(t, "tess.json", &file)
	require.NotEmpty(t, file.Vectors)
	for _, r := range file.Vectors {
		want := tess.Counts{Culled: r.Culled, Vertices: r.Vertices, Primitives: r.Primitives, Indices: r.Indices}
		f := r.factors(t)
		z := r.tessellator(t)
		require.Equal(t, want, z.Count(f), r.ID)
		g := z.Geometry(f)
		require.Len(t, g.Points, r.Vertices, r.ID)
		require.Len(t, g.Indices, r.Indices, r.ID)
	}
	require.NotEmpty(t, file.Pow2_prerounded)
	for _, r := range file.Pow2_prerounded {
		want := tess.Counts{Vertices: r.Vertices, Primitives: r.Primitives, Indices: r.Indices}
		z := r.tessellator(t)
		require.Equal(t, want, z.Count(r.factors(t).RoundPow2(z.Domain())), r.ID)
	}
	require.NotEmpty(t, file.Full_geometry)
	for _, raw := range file.Full_geometry {
		var r countRow
		var indices struct{ Indices []uint32 }
		// The member "indices" is a list here and a number above.
		_ = json.Unmarshal(raw, &r)
		require.NoError(t, json.Unmarshal(raw, &indices))
		g := r.tessellator(t).Geometry(r.factors(t))
		points := make([]tess.Point, len(r.Points))
		for i, p := range r.Points {
			points[i] = tess.Point{U: p[0], V: p[1]}
		}
		require.Equal(t, points, g.Points, r.ID)
		require.Equal(t, indices.Indices, g.Indices, r.ID)
	}
}
