package streamout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// TestRepeatsCostNoMemory holds that a finding which was there before is counted
// without being spelled out: long runs have millions.
func TestRepeatsCostNoMemory(t *testing.T) {
	rule := &Rule{ID: "r", Severity: Note, On: OnQuery, Check: func(v *View) {
		v.Report("query", "slot %d holds %s, in words that fill more than a line of the screen", 3, "target#1").InBuffer(3).With(state.At{No: 1}, "%s was made here", "target#1")
	}}
	track := NewTrack(Options{Rules: []*Rule{rule}})
	op := pipe.Op{Call: &pipe.BeginQuery{Query: 7}, Context: 1, No: 5}
	track.Check(&op)
	allocations := testing.AllocsPerRun(100, func() { track.Check(&op) })
	if !raceDetector {
		require.Zero(t, allocations)
	}
	require.Positive(t, track.Summary().Repeats)
	require.Equal(t, 1, track.Summary().Notes)
}

// TestFindingsAreWhole holds that what is reported has all its words, whatever
// was reported after it.
func TestFindingsAreWhole(t *testing.T) {
	rule := &Rule{ID: "r", Severity: Note, On: OnDestroyTarget, Check: func(v *View) {
		for i := range 20 {
			v.Report("path", "number %d of %s", i, "many").With(state.At{No: 1}, "first %d", i).With(state.At{No: 2}, "then %d", i)
		}
	}}
	found, _ := run(t, Options{Rules: []*Rule{rule}}, func(c pipe.Context) { must(t, c.DestroyStreamOutputTarget(1)) })
	require.Len(t, found, 20)
	require.Equal(t, Finding{Rule: rule, Severity: Note, Method: "stream_output_target_destroy", Path: "path", Message: "number 7 of many",
		Buffer: -1, Output: -1, Stream: -1, Related: []Related{{No: 1, Message: "first 7"}, {No: 2, Message: "then 7"}}}, found[7])
}
