package cmask_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

// answer runs a query and gives the members of its answer.
func answer(t *testing.T, query map[string]any) (map[string]any, error) {
	t.Helper()
	line, err := json.Marshal(query)
	require.NoError(t, err)
	result, err := answerLine(line)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(text, &got))
	return got, nil
}

// TestVectors answers each row of the simulated cases.
func TestVectors(t *testing.T) {
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS is not set")
	}
	text, err := os.ReadFile(filepath.Join(corpus, "..", "vectors", "cmask.json"))
	if err != nil {
		t.Skip("no vectors beside OUTFLOW_CORPUS:", err)
	}
	var v struct {
		Modes []struct {
			Mode   cmask.Mode
			Figure string
			MSAA   bool
			Bits   []struct {
				Bit  uint8
				Rect [4]int
			}
		}
		Quads    [][7]int
		FullTile []struct {
			Mode          cmask.Mode
			TouchedPixels []int64 `json:"touched_pixels"`
		} `json:"touched_area_full_tile"`
		Selection []map[string]any
		Nibbles   []map[string]any `json:"fmask_vrs"`
		Linear    []map[string]any `json:"address_linear"`
		Tiled     []map[string]any `json:"address_gfx6_8"`
		Equations []map[string]any `json:"address_gfx9_equation"`
	}
	require.NoError(t, json.Unmarshal(text, &v))
	require.NotEmpty(t, v.Modes)
	require.NotEmpty(t, v.FullTile)

	for _, m := range v.Modes {
		require.Equal(t, m.Figure, m.Mode.String())
		require.Equal(t, m.MSAA, m.Mode.MSAA())
		parts := m.Mode.SubTiles()
		require.Len(t, parts, len(m.Bits))
		for _, b := range m.Bits {
			found := false
			for _, p := range parts {
				r := p.Rect
				found = found || p.Bit == b.Bit && b.Rect == [4]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()}
			}
			require.True(t, found, "%s bit %d", m.Figure, b.Bit)
		}
	}
	for _, q := range v.Quads {
		got, err := answer(t, map[string]any{"query": "quad", "nibble": q[0], "mode": q[1], "quad_x": q[2], "quad_y": q[3]})
		require.NoError(t, err)
		require.Equal(t, map[string]any{"bit": float64(q[4]), "touched": q[5] != 0, "tile_touched": q[6] != 0}, got, "%v", q)
	}
	for _, f := range v.FullTile {
		for nibble, want := range f.TouchedPixels {
			require.Equal(t, want, oneTile(t, f.Mode, uint8(nibble)).Report().TouchedPixels, "mode %s nibble %d", f.Mode, nibble)
		}
	}
	rows(t, "select", v.Selection, "variant", "mode", "figure")
	rows(t, "nibble", v.Nibbles, "fmask_planes", "valid", "subtile_bits", "vrs_hint")
	rows(t, "address", v.Linear, "byte", "bit")
	rows(t, "address", v.Tiled, "byte", "bit")
	for _, row := range v.Tiled {
		a, err := cmask.NewTiled(int(row["width"].(float64)), int(row["height"].(float64)), row["pipe_config"].(string))
		require.NoError(t, err)
		pitch, height := a.Padded()
		require.Equal(t, []any{row["pitch"], row["padded_height"], row["slice_bytes"]},
			[]any{float64(pitch), float64(height), float64(a.Bytes(1))}, "%v", row)
	}
	for _, e := range v.Equations {
		samples := e["samples"].([]any)
		require.NotEmpty(t, samples)
		for _, s := range samples {
			row := maps.Clone(e)
			maps.Copy(row, s.(map[string]any))
			rows(t, "address", []map[string]any{row}, "byte", "bit")
		}
	}
}

// rows answers rows that hold both the query and the members of its answer, or an error.
func rows(t *testing.T, query string, rows []map[string]any, members ...string) {
	t.Helper()
	require.NotEmpty(t, rows)
	for _, row := range rows {
		q, want := maps.Clone(row), map[string]any{}
		q["query"] = query
		for _, m := range members {
			want[m] = row[m]
			delete(q, m)
		}
		name := fmt.Sprint(row)
		got, err := answer(t, q)
		if _, impossible := row["error"]; impossible {
			require.Error(t, err, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
}

// oneTile is a surface of a single tile with a nibble, under a mode.
func oneTile(t testing.TB, m cmask.Mode, nibble uint8) *cmask.View {
	t.Helper()
	v := blank(t, 8, 8, m)
	require.NoError(t, v.SetNibble(0, 0, nibble))
	return v
}

// blank is a cleared surface that fits a mode.
func blank(t testing.TB, w, h int, m cmask.Mode) *cmask.View {
	t.Helper()
	variant, samples := cmask.FastClear, 1
	// Eight samples, so that every nibble is one that can be.
	if m.MSAA() {
		variant, samples = cmask.FastClearMSAA, 8
	}
	s, err := cmask.NewSurface(w, h, variant, samples)
	require.NoError(t, err)
	v, err := s.View(m)
	require.NoError(t, err)
	return v
}
