package audit_test

import (
	"bufio"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/internal/randomops"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit"
)

// follow is a layer that applies what passes to a state machine.
func follow(m *state.Machine) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			m.Before(op)
			err := below.Do(op)
			m.Apply(op)
			return err
		})
	}
}

const randomOps = 100_000

// TestRandomOperations runs legal operations of three contexts through Track,
// Dedup and Record: the rules are content, the taps too, and the state is the
// same above, below and without any layer.
func TestRandomOperations(t *testing.T) {
	const seed, contexts, steps = 7, 3, 10
	var found []string
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		if f.Severity >= streamout.Warning {
			found = append(found, f.Severity.String()+": "+f.Method+": "+f.Path+": "+f.Message)
		}
	}})
	recorder := trace.NewRecorder(bufio.NewWriter(io.Discard), trace.RecordOptions{})
	taps := audit.NewTaps()
	below, bare := state.New(), state.New()
	layered, err := randomops.New(pipe.Stack(new(pipe.Null), taps.Above, track.Layer, cso.Dedup, recorder.Layer, taps.Below, follow(below)), seed, contexts)
	require.NoError(t, err)
	alone, err := randomops.New(pipe.Stack(new(pipe.Null), follow(bare)), seed, contexts)
	require.NoError(t, err)
	for range steps {
		require.NoError(t, layered.Run(randomOps/steps))
		require.NoError(t, alone.Run(randomOps/steps))
		requireSameState(t, bare, track.State())
		requireSameState(t, bare, below)
	}
	require.NoError(t, recorder.Close())
	require.Empty(t, found)
	require.Equal(t, alone.Counts(), layered.Counts())

	r := taps.Report()
	require.NoError(t, r.Err())
	require.Empty(t, r.Findings)
	require.Equal(t, r.Captured[audit.Above], r.Captured[audit.Below])
	require.Greater(t, r.Captured[audit.Below], uint64(1000))
	require.Greater(t, r.Calls[audit.Above], r.Calls[audit.Below], "Dedup merged nothing")
	for _, method := range []string{"create_stream_output_target", "set_stream_output_targets", "stream_output_target_destroy", "create_gs_state",
		"create_tes_state", "delete_vs_state", "begin_query", "get_query_result", "render_condition", "launch_grid", "buffer_map", "resource_destroy"} {
		require.NotZero(t, layered.Counts()[method], method)
	}
}

// TestRandomOperationsAreLegal looks at shorter runs of other seeds.
func TestRandomOperationsAreLegal(t *testing.T) {
	for seed := range uint64(20) {
		track := streamout.NewTrack(streamout.Options{Rules: rules.All(), AutoProfile: seed%2 == 1, Report: func(f *streamout.Finding) {
			if f.Severity >= streamout.Warning {
				t.Errorf("seed %d: %v: %s %s: %s [%s]", seed, f.Severity, f.Method, f.Path, f.Message, f.Rule.ID)
			}
		}})
		g, err := randomops.New(pipe.Stack(new(pipe.Null), track.Layer), seed, 1+int(seed%4))
		require.NoError(t, err)
		require.NoError(t, g.Run(randomOps/10))
		require.NoError(t, g.Close())
	}
}
