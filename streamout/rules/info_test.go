package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// TestCreateAllocatesNothing holds the rules over an info to looking alone: a
// create in which nothing is found costs no memory beyond what following it does.
func TestCreateAllocatesNothing(t *testing.T) {
	create := &pipe.CreateShader{Stage: pipe.Vertex}
	n := pipe.StreamOutputNumbers{NumOutputs: 4, Stride: []uint64{5, 4, 0, 0}, Output: []pipe.OutputNumbers{
		{RegisterIndex: 1, NumComponents: 4},
		{RegisterIndex: 2, NumComponents: 1, DstOffset: 4},
		{RegisterIndex: 3, NumComponents: 2, OutputBuffer: 1},
		{RegisterIndex: 4, NumComponents: 2, OutputBuffer: 1, DstOffset: 2},
	}}
	require.Empty(t, n.Pack(&create.State.StreamOutput))
	op := &pipe.Op{Call: create}
	allocs := func(catalog []*streamout.Rule) float64 {
		track := streamout.NewTrack(streamout.Options{Rules: catalog, Report: func(f *streamout.Finding) {
			t.Errorf("%s: %s", f.Rule.ID, f.Message)
		}})
		return testing.AllocsPerRun(100, func() { track.Check(op) })
	}
	idle := &streamout.Rule{ID: "idle", On: streamout.OnCreateShader, Check: func(*streamout.View) {}}
	require.Equal(t, allocs([]*streamout.Rule{idle}), allocs(rules.All()))
}
