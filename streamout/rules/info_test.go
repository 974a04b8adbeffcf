package rules_test

import (
	"math/rand/v2"
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

// TestAnyInfo gives the rules infos of any numbers, most of them near a limit:
// each has an answer, in words, for every driver.
func TestAnyInfo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 2, 3, 4, 5, 7, 63, 64, 65, 79, 80, 81, 127, 128, 129, 255, 256, 511, 512, 513, 65535, 65536, 1 << 32, 1<<62 + 1, 1<<64 - 1}
	number := func(most uint64) uint64 {
		if random.IntN(8) == 0 {
			return edges[random.IntN(len(edges))]
		}
		return random.Uint64N(most + 1)
	}
	catalog := rules.All()
	profiles := append(pipe.Profiles(), pipe.Profile{})
	for range 3000 {
		n := pipe.StreamOutputNumbers{Stride: make([]uint64, pipe.MaxStreamOutputBuffers)}
		for b := range n.Stride {
			n.Stride[b] = number(32)
		}
		n.Output = make([]pipe.OutputNumbers, random.IntN(12))
		for k := range n.Output {
			n.Output[k] = pipe.OutputNumbers{RegisterIndex: number(10), StartComponent: number(3), NumComponents: number(4),
				OutputBuffer: number(3), DstOffset: number(32), Stream: number(3)}
		}
		n.NumOutputs = uint64(len(n.Output))
		if random.IntN(8) == 0 {
			n.NumOutputs = number(200)
		}
		profile := &profiles[random.IntN(len(profiles))]
		if profile.Name == "" {
			profile = nil
		}
		track := streamout.NewTrack(streamout.Options{Rules: catalog, Profile: profile, Report: func(f *streamout.Finding) {
			phrase(t, f.Rule.ID, f.Message)
			require.NotContains(t, f.Message, "%!", f.Rule.ID)
		}})
		create := &pipe.CreateShader{Stage: pipe.Stage(random.IntN(int(pipe.Geometry) + 1))}
		op := &pipe.Op{Call: create}
		if problems := n.Pack(&create.State.StreamOutput); problems != nil {
			op.Raw = &pipe.Raw{StreamOutput: &n}
		}
		track.Check(op)
	}
}
