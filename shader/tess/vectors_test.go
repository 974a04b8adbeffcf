package tess_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
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
	z, err := tess.Parse(r.Domain, r.Partitioning, r.Output)
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
		Vectors      []countRow
		PreRounded   []countRow        `json:"pow2_prerounded"`
		FullGeometry []json.RawMessage `json:"full_geometry"`
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
	require.NotEmpty(t, file.PreRounded)
	for _, r := range file.PreRounded {
		want := tess.Counts{Vertices: r.Vertices, Primitives: r.Primitives, Indices: r.Indices}
		z := r.tessellator(t)
		require.Equal(t, want, z.Count(r.factors(t).RoundPow2(z.Domain())), r.ID)
	}
	require.NotEmpty(t, file.FullGeometry)
	for _, raw := range file.FullGeometry {
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

func TestPlanVectors(t *testing.T) {
	var file struct {
		Vectors []json.RawMessage
		Mesa    []mesaRow
	}
	vectors(t, "tess_tg.json", &file)
	require.NotEmpty(t, file.Vectors)
	for _, raw := range file.Vectors {
		var want struct {
			ID     string
			Result json.RawMessage
		}
		require.NoError(t, json.Unmarshal(raw, &want))
		var impossible struct{ Error string }
		require.NoError(t, json.Unmarshal(want.Result, &impossible))
		c, err := jsonlines.Parse(raw)
		require.NoError(t, err)
		got, err := tess.AnswerJSON(c)
		if impossible.Error != "" {
			require.EqualError(t, err, impossible.Error, want.ID)
			continue
		}
		require.NoError(t, err, want.ID)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		var answer struct{ Result any }
		var expected any
		require.NoError(t, json.Unmarshal(text, &answer))
		require.NoError(t, json.Unmarshal(want.Result, &expected))
		requireSame(t, expected, answer.Result, want.ID)
	}
	require.NotEmpty(t, file.Mesa)
	for _, r := range file.Mesa {
		r.check(t)
	}
}

// requireSame compares decoded JSON; numbers may differ by 1e-9 of their size, since averages do.
func requireSame(t *testing.T, want, got any, at string) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		require.IsType(t, want, got, at)
		got := got.(map[string]any)
		require.Len(t, got, len(want), at)
		for k, v := range want {
			requireSame(t, v, got[k], at+"."+k)
		}
	case []any:
		require.IsType(t, want, got, at)
		got := got.([]any)
		require.Len(t, got, len(want), at)
		for i, v := range want {
			requireSame(t, v, got[i], at+"["+strconv.Itoa(i)+"]")
		}
	case float64:
		require.IsType(t, want, got, at)
		require.InDelta(t, want, got, 1e-9*math.Abs(want), at)
	default:
		require.Equal(t, want, got, at)
	}
}

// mesaRow is what Mesa's drivers choose for slots of 16 bytes.
type mesaRow struct {
	InCP         int `json:"in_cp"`
	OutCP        int `json:"out_cp"`
	InSlots      int `json:"in_slots"`
	OutSlots     int `json:"out_slots"`
	PatchSlots   int `json:"patch_slots"`
	RadeonsiBoth int `json:"radeonsi_both"`
	RadeonsiMax  int `json:"radeonsi_max"`
	RadeonsiGFX6 int `json:"radeonsi_gfx6"`
	RadvGFX7     int `json:"radv_gfx7"`
	RadvGFX6     int `json:"radv_gfx6"`
}

func (r mesaRow) check(t *testing.T) {
	d := tess.Draw{
		Patches: 1, Instances: 1, InputPoints: r.InCP, OutputPoints: r.OutCP,
		BytesPerInput: 16 * r.InSlots, BytesPerOutput: 16 * r.OutSlots, BytesPerPatch: 16 * r.PatchSlots,
		Factors: []tess.Factors{tess.Uniform(1)},
	}
	for _, p := range []struct {
		policy tess.Policy
		want   int
	}{
		{tess.Radeonsi{}, r.RadeonsiBoth},
		{tess.Radeonsi{OutputsNotRead: true}, r.RadeonsiMax},
		{tess.Radeonsi{GFX6: true}, r.RadeonsiGFX6},
		{tess.Radv{}, r.RadvGFX7},
		{tess.Radv{GFX6: true}, r.RadvGFX6},
	} {
		plan, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Policy: p.policy})
		require.NoError(t, err, "%+v %+v", r, p)
		require.Equal(t, p.want, plan.PatchesPerGroup, "%+v %+v", r, p)
	}
}
