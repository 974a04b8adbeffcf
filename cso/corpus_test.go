package cso

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// TestDedupRealTraces replays real traces through the layer: at every draw the
// state below is the state above.
func TestDedupRealTraces(t *testing.T) {
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS does not name a folder of traces")
	}
	files, shared := 0, 0
	require.NoError(t, filepath.WalkDir(corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(entry.Name(), ".xml") || strings.Contains(path, "odd") {
			return err
		}
		r, err := trace.Open(path, trace.Options{})
		if err != nil {
			return nil // not a trace
		}
		defer r.Close()
		files++
		above, below := state.New(), state.New()
		made, asked := 0, 0
		count := func(n *int) pipe.Layer {
			return func(d pipe.Driver) pipe.Driver {
				return pipe.DriverFunc(func(op *pipe.Op) error {
					if kind, ok := pipe.Created(op.Call); ok && kind.IsState() {
						*n++
					}
					return d.Do(op)
				})
			}
		}
		compare := func(d pipe.Driver) pipe.Driver {
			return pipe.DriverFunc(func(op *pipe.Op) error {
				err := d.Do(op)
				if _, draw := op.Call.(*pipe.Draw); draw && op.Context != 0 {
					require.Equal(t, look(above, op.Context), look(below, op.Context), "%s: call %d", path, op.No)
				}
				return err
			})
		}
		d := pipe.Stack(&pipe.Null{}, compare, follow(above), count(&asked), Dedup, count(&made), follow(below))
		require.NoError(t, trace.Replay(r, d, trace.ReplayOptions{}), path)
		shared += asked - made
		return nil
	}))
	t.Logf("%d traces, %d creates answered", files, shared)
	require.NotZero(t, files)
	require.NotZero(t, shared)
}
