package streamout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestRecentForgetsTheOldest: what was put within the last maxRecent is there,
// and never more than twice as many are kept.
func TestRecentForgetsTheOldest(t *testing.T) {
	var r recent[int, int]
	for i := range 5 * maxRecent {
		r.put(i, -i)
		for _, k := range []int{i, max(0, i-maxRecent+1)} {
			v, ok := r.get(k)
			require.True(t, ok)
			require.Equal(t, -k, v)
		}
		require.LessOrEqual(t, len(r.young)+len(r.old), 2*maxRecent)
	}
	_, ok := r.get(0)
	require.False(t, ok)
}

// TestContextsOfTheTrackAreBounded: contexts that end, and those of worlds that
// are gone, are forgotten but stay counted.
func TestContextsOfTheTrackAreBounded(t *testing.T) {
	track := NewTrack(Options{})
	do := track.Layer(&pipe.Null{}).Do
	for i := range pipe.Handle(3 * maxFollowed) {
		require.NoError(t, do(&pipe.Op{Call: &pipe.Draw{}, Context: 1 + i}))
		if i%2 == 0 {
			require.NoError(t, do(&pipe.Op{Call: &pipe.ContextDestroy{}, Context: 1 + i}))
		}
		require.LessOrEqual(t, len(track.followed), maxFollowed)
	}
	require.Equal(t, 3*maxFollowed, track.Summary().Contexts)
	require.NoError(t, do(&pipe.Op{Call: &pipe.NewWorld{}}))
	require.Empty(t, track.followed)
}
