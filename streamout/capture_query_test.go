package streamout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// TestQueryOfStreamWithoutOutputs asks for what is written of stream 1, to which
// nothing is captured: drivers on the draw module count its primitives.
func TestQueryOfStreamWithoutOutputs(t *testing.T) {
	for _, c := range []struct {
		name              string
		geometry, unbound bool
		written, needed   streamout.Count
	}{
		{"a geometry shader may emit to it", true, false, streamout.AtMost(4), streamout.AtMost(4)},
		{"a geometry shader may emit to it, and no target is bound", true, true, streamout.Exactly(0), streamout.AtMost(4)},
		{"a vertex shader does not", false, false, streamout.Exactly(0), streamout.Exactly(0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			written, needed := map[pipe.QueryType]streamout.Count{}, map[pipe.QueryType]streamout.Count{}
			o := streamout.CaptureOptions{Model: streamout.ReferenceModel()}
			o.Query = func(p *streamout.QueryPrediction) { written[p.Query.Type], needed[p.Query.Type] = p.Value, p.Needed }
			b := newBench(t, o, pipe.Vertex, []uint64{4}, vec4, place{0, 400})
			if c.geometry {
				b.text(pipe.Geometry, geometryText)
			}
			if c.unbound {
				b.set()
			}
			var queries []pipe.Handle
			for _, kind := range []pipe.QueryType{pipe.QueryPrimitivesEmitted, pipe.QueryStreamOutputStatistics} {
				q, err := b.CreateQuery(kind, 1)
				require.NoError(t, err)
				require.NoError(t, b.BeginQuery(q))
				queries = append(queries, q)
			}
			b.draw(pipe.Triangles, 3, 1)
			for _, q := range queries {
				require.NoError(t, b.EndQuery(q))
				_, err := b.QueryResult(q, true)
				require.NoError(t, err)
			}
			require.Equal(t, c.written, written[pipe.QueryPrimitivesEmitted])
			require.Equal(t, c.written, written[pipe.QueryStreamOutputStatistics])
			require.Equal(t, c.needed, needed[pipe.QueryStreamOutputStatistics])
		})
	}
}
