package streamout_test

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// recordedCapture is a capture as a driver left it: see testdata/capture/README.md.
type recordedCapture struct {
	Case      int
	Primitive string
	Draws     int
	Paused    bool
	Generated uint64
	Written   uint64
	Buffers   []struct {
		StrideBytes, OffsetBytes, SizeBytes uint64
		Hex                                 string
	}
}

func readJSONLines[T any](t *testing.T, path string) (list []T) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		list = append(list, v)
	}
	require.NoError(t, lines.Err())
	return list
}

// replayInto sends the calls of a trace to a driver.
func replayInto(t *testing.T, path string, d pipe.Driver) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	r, err := trace.NewReader(file, trace.Options{Name: path})
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, trace.Replay(r, d, trace.ReplayOptions{}))
}

// gridVertex puts out the three variables of the grid's shaders, each in the
// register that captures as many components as it has.
func gridVertex(c *state.Context, id streamout.VertexID) streamout.Vertex {
	shader, _ := c.LastVertexStage()
	words := make([]uint32, 256*4)
	for _, o := range shader.Info.Outputs() {
		at := words[4*o.Register()+o.StartComponent():] // variables may share a register
		switch o.NumComponents() {
		case 2:
			copy(at, []uint32{id.Vertex, id.Instance})
		case 3:
			v := float32(int32(id.Vertex))
			copy(at, []uint32{math.Float32bits(v), math.Float32bits(v + 0.25), math.Float32bits(float32(id.Instance) + 0.5)})
		case 1:
			at[0] = 3*id.Vertex + 1
		}
	}
	return streamout.Vertex{Words: words}
}

// gridRun is what Capture made of a grid's trace.
type gridRun struct {
	readbacks []streamout.Readback
	queries   []streamout.QueryPrediction
	draws     []streamout.CapturedDraw
}

func runGrid(t *testing.T, path string, vertices streamout.VertexSource) *gridRun {
	g := &gridRun{}
	c := streamout.NewCapture(streamout.CaptureOptions{
		Model: streamout.ReferenceModel(), Vertices: vertices,
		Readback: func(r *streamout.Readback) { g.readbacks = append(g.readbacks, *r) },
		Query:    func(q *streamout.QueryPrediction) { g.queries = append(g.queries, *q) },
		Draw: func(d *streamout.CapturedDraw) {
			kept := *d
			kept.Op = &pipe.Op{No: d.Op.No}
			g.draws = append(g.draws, kept)
		},
	})
	replayInto(t, path, c)
	return g
}

// TestGridBytes holds every byte of every buffer that two drivers captured into
// against the reference, which is fed what the shaders put out.
func TestGridBytes(t *testing.T) {
	for driver, file := range map[string]string{"llvmpipe": "grid.llvmpipe.xml.gz", "softpipe": "grid.softpipe.xml.zst"} {
		t.Run(driver, func(t *testing.T) {
			recorded := readJSONLines[recordedCapture](t, "../testdata/capture/grid."+driver+".jsonl.gz")
			g := runGrid(t, "../testdata/capture/"+file, streamout.VertexFunc(gridVertex))
			bytes, next := 0, 0
			for _, want := range recorded {
				for slot, b := range want.Buffers {
					require.Less(t, next, len(g.readbacks))
					got := g.readbacks[next]
					require.Empty(t, got.Unknown, "case %d slot %d", want.Case, slot)
					require.Equal(t, b.Hex, hex.EncodeToString(got.Bytes), "case %d %s slot %d", want.Case, want.Primitive, slot)
					bytes += len(got.Bytes)
					next++
				}
			}
			require.Len(t, g.readbacks, next)
			checkGridQueries(t, driver, recorded, g.queries)
			t.Logf("%d captures, %d buffers, %d bytes equal", len(recorded), next, bytes)
		})
	}
}

// checkGridQueries holds the results of both queries of each capture. softpipe
// counts no primitives while capture is paused.
func checkGridQueries(t *testing.T, driver string, recorded []recordedCapture, queries []streamout.QueryPrediction) {
	require.Len(t, queries, 2*len(recorded))
	for i, want := range recorded {
		for _, q := range queries[2*i : 2*i+2] {
			if q.Query.Type == pipe.QueryPrimitivesEmitted {
				require.Equal(t, streamout.Exactly(want.Written), q.Value, "written in case %d", want.Case)
				continue
			}
			switch {
			case driver == "softpipe" && want.Paused:
				require.Less(t, want.Generated, q.Value.High, "case %d", want.Case)
			case q.Value.Known():
				require.Equal(t, streamout.Exactly(want.Generated), q.Value, "generated in case %d", want.Case)
			default:
				require.True(t, want.Paused, "case %d", want.Case)
				require.True(t, q.Value.Has(want.Generated), "generated in case %d", want.Case)
			}
		}
	}
}

// TestGridRanges holds the bytes that changed against the predicted ranges, with
// nothing known of the vertices: all that is outside is predicted, and all that
// changed is inside.
func TestGridRanges(t *testing.T) {
	const fill = 0xA5
	for driver, file := range map[string]string{"llvmpipe": "grid.llvmpipe.xml.gz", "softpipe": "grid.softpipe.xml.zst"} {
		t.Run(driver, func(t *testing.T) {
			recorded := readJSONLines[recordedCapture](t, "../testdata/capture/grid."+driver+".jsonl.gz")
			g := runGrid(t, "../testdata/capture/"+file, nil)
			next := 0
			for _, want := range recorded {
				draws := g.draws[next : next+want.Draws]
				next += want.Draws
				for slot, b := range want.Buffers {
					data, err := hex.DecodeString(b.Hex)
					require.NoError(t, err)
					first, end := uint64(0), uint64(0)
					for _, d := range draws {
						target := d.Targets[slot]
						require.True(t, target.Known)
						if first == end {
							first, end = target.First, target.End
						}
						end = max(end, target.End)
					}
					if first == end {
						continue
					}
					for i, x := range data {
						require.True(t, x == fill || first <= uint64(i) && uint64(i) < end, "case %d slot %d byte %d", want.Case, slot, i)
					}
					// The ends of the range hold outputs, whose bytes may be 0xA5 by chance
					// in no case of the grid.
					word := func(at uint64) []byte { return data[at : at+4] }
					untouched := []byte{fill, fill, fill, fill}
					require.NotEqual(t, untouched, word(first), "case %d slot %d", want.Case, slot)
					require.NotEqual(t, untouched, word(end-4), "case %d slot %d", want.Case, slot)
				}
			}
			require.Len(t, g.draws, next)
		})
	}
}
