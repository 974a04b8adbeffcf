package streamout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

func TestRuleFor(t *testing.T) {
	named := func(name string) *pipe.Profile {
		p, ok := pipe.ProfileByName(name)
		require.True(t, ok)
		return &p
	}
	r := &streamout.Rule{Severity: streamout.Warning, Drivers: []streamout.Escalation{
		{Driver: "nv50", Severity: streamout.Error}, {Driver: "nv50-g80", Severity: streamout.Note}}}
	require.Equal(t, streamout.Warning, r.For(nil))
	require.Equal(t, streamout.Error, r.For(named("nv50")))
	require.Equal(t, streamout.Note, r.For(named("nv50-g80")), "a variant goes before its driver")
	require.Equal(t, streamout.Warning, r.For(named("iris")))

	r.OnlyDrivers = true
	require.Equal(t, streamout.Warning, r.For(nil), "without a driver every driver counts")
	require.Equal(t, streamout.Error, r.For(named("nv50")))
	require.Equal(t, streamout.Silent, r.For(named("iris")))
}

// TestSilentMutesNothing has a rule that is silent for the run, and one that
// keeps quiet about what the first has said.
func TestSilentMutesNothing(t *testing.T) {
	first := &streamout.Rule{ID: "first", Severity: streamout.Silent, On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) { v.Report("path", "of it") }}
	second := &streamout.Rule{ID: "second", Severity: streamout.Warning, On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if !v.Reported("first") && !v.ReportedAt("path", "first") {
				v.Report("path", "of it")
			}
		}}
	for severity, want := range map[streamout.Severity]string{streamout.Silent: "second", streamout.Error: "first"} {
		var said []string
		first.Severity = severity
		track := streamout.NewTrack(streamout.Options{Rules: []*streamout.Rule{first, second},
			Report: func(f *streamout.Finding) { said = append(said, f.Rule.ID) }})
		track.Check(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{}})
		require.Equal(t, []string{want}, said)
	}
}
