package tess_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/shader/tess"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each line of testdata/cases.jsonl is a case whose "why" says what it is there for; the golden file has
// its answer.
func TestAnswerJSON(t *testing.T) {
	cases, err := os.ReadFile("testdata/cases.jsonl")
	require.NoError(t, err)
	for line := range strings.Lines(string(cases)) {
		var c struct{ Why string }
		require.NoError(t, json.Unmarshal([]byte(line), &c), line)
		require.NotEmpty(t, c.Why, line)
	}
	var out bytes.Buffer
	_, err = jsonlines.Run(bytes.NewReader(cases), &out, tess.AnswerJSON)
	require.NoError(t, err)
	golden(t, "cases.golden", out.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run with -update if this is meant")
}

func TestWriteText(t *testing.T) {
	var out bytes.Buffer
	tri := make3(t, tess.Triangles, tess.Equal, tess.TrianglesCCW)
	f := tess.Factors{Outer: [4]float32{2, 3, 4}, Inner: [2]float32{3}}
	require.NoError(t, tri.WriteText(&out, f, 16))
	require.NoError(t, tri.WriteText(&out, tess.Uniform(0), 16))
	iso := make3(t, tess.Isolines, tess.FractionalOdd, tess.Points)
	require.NoError(t, iso.WriteText(&out, f, 0))
	d := workedDraw(t, f)
	d.Patches = 1000
	p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Params: params(tess.FlagOffchip, 500, 3, 2)})
	require.NoError(t, err)
	p.Warnings = append(p.Warnings, tess.WarnRecompile)
	require.NoError(t, p.WriteTable(&out))
	p, err = tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Params: params(tess.FlagOffchip, 0, 0, 20)})
	require.NoError(t, err)
	require.NoError(t, p.WriteTable(&out))
	golden(t, "text.golden", out.Bytes())
}

func TestWriteSVG(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    tess.Domain
		o    tess.Output
		f    tess.Factors
	}{
		{"tri.svg", tess.Triangles, tess.TrianglesCCW, tess.Factors{Outer: [4]float32{3, 5, 7}, Inner: [2]float32{4.5}}},
		{"quad.svg", tess.Quads, tess.Points, tess.Factors{Outer: [4]float32{1, 2, 3, 4}, Inner: [2]float32{2, 5}}},
		{"isoline.svg", tess.Isolines, tess.Lines, tess.Factors{Outer: [4]float32{3, 5}}},
		{"culled.svg", tess.Isolines, tess.Lines, tess.Factors{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, make3(t, tt.d, tess.FractionalOdd, tt.o).WriteSVG(&out, tt.f))
			golden(t, tt.name, out.Bytes())
		})
	}
}

func TestParseFactors(t *testing.T) {
	f, err := tess.ParseFactors(tess.Quads, "1, 2,0x1p2,1e99", "3")
	require.NoError(t, err)
	require.Equal(t, [2]float32{3, 3}, f.Inner)
	require.Equal(t, [3]float32{1, 2, 4}, [3]float32(f.Outer[:3]))
	require.Greater(t, f.Outer[3], float32(1e38))
	for _, tt := range []struct{ name, outer, inner, want string }{
		{"none", "", "1", "outer has 0 factors, expected 3"},
		{"too few", "1,2", "1", "outer has 2 factors, expected 3"},
		{"too many", "1", "1,2", "inner has 2 factors, expected 1"},
		{"no number", "1,x,3", "1", `outer: "x" is not a number`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tess.ParseFactors(tess.Triangles, tt.outer, tt.inner)
			require.EqualError(t, err, tt.want)
		})
	}
	_, err = tess.ParseFactors(tess.Isolines, "1,2", "5")
	require.EqualError(t, err, "inner has 1 factors, expected 0")
}

// FuzzAnswerJSON holds that each line gets one answer that is JSON, whatever the line is.
func FuzzAnswerJSON(f *testing.F) {
	cases, err := os.ReadFile("testdata/cases.jsonl")
	require.NoError(f, err)
	for line := range bytes.Lines(cases) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		report, err := jsonlines.Run(bytes.NewReader(in), &out, tess.AnswerJSON)
		require.NoError(t, err)
		lines, failed := 0, 0
		for s := bufio.NewScanner(bytes.NewReader(in)); s.Scan(); {
			if len(bytes.TrimSpace(s.Bytes())) > 0 {
				lines++
			}
		}
		for line := range bytes.Lines(out.Bytes()) {
			lines--
			var answer struct {
				Culled   *bool
				Vertices int
				Result   json.RawMessage
				Error    string
			}
			require.NoError(t, json.Unmarshal(line, &answer), "%s", line)
			if answer.Error != "" {
				failed++
				continue
			}
			require.True(t, answer.Culled != nil || answer.Result != nil)
			if answer.Culled != nil {
				require.Equal(t, *answer.Culled, answer.Vertices == 0)
			}
		}
		require.Zero(t, lines)
		require.Equal(t, report.Impossible, failed)
	})
}
