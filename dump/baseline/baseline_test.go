package baseline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/baseline"
)

func TestRoundTrip(t *testing.T) {
	var b baseline.Baseline
	ids := []string{"b", "a|file.c|f", "a|file.c|f", "# looks like a comment", "\"quoted", "with\nnewline\tand tab", " led by a blank", "", strings.Repeat("long", 1<<20)}
	for _, id := range ids {
		b.Add(id)
	}
	name := filepath.Join(t.TempDir(), "known")
	require.NoError(t, b.WriteFile(name))
	back, err := baseline.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, len(ids), back.Left())
	for _, id := range ids {
		require.True(t, back.Take(id), "%q", id)
	}
	require.Zero(t, back.Left())
	require.False(t, back.Take("b"), "used up")
}

func TestCountsAreUsedUp(t *testing.T) {
	b, err := baseline.Read(strings.NewReader("# note\n\n2\tx\ny\n"))
	require.NoError(t, err)
	require.True(t, b.Take("x"))
	require.True(t, b.Take("x"))
	require.False(t, b.Take("x"), "a third one is new")
	require.Equal(t, 1, b.Left())
}

func TestBadCountNamesTheLine(t *testing.T) {
	for _, in := range []string{"ok\nmany\tx\n", "ok\n0\tx\n", "ok\n-1\tx\n"} {
		_, err := baseline.Read(strings.NewReader(in))
		require.ErrorContains(t, err, "2: count is")
	}
}

func TestFaultsOfAFileNameItOnce(t *testing.T) {
	dir := t.TempDir()
	_, err := baseline.ReadFile(dir)
	require.EqualError(t, err, "read "+dir+": is a directory")

	name := filepath.Join(dir, "known")
	require.NoError(t, os.WriteFile(name, []byte("0\ta\n"), 0o600))
	_, err = baseline.ReadFile(name)
	require.EqualError(t, err, name+`:1: count is "0", want a number above 0 before the tab`)
}

func TestNilKnowsNothing(t *testing.T) {
	var b *baseline.Baseline
	require.False(t, b.Take("x"))
	require.Zero(t, b.Left())
}

func FuzzRead(f *testing.F) {
	f.Add("2\tx\ny\n# c\n")
	f.Fuzz(func(t *testing.T, in string) {
		b, err := baseline.Read(strings.NewReader(in))
		if err != nil {
			return
		}
		var one, two bytes.Buffer
		require.NoError(t, b.Write(&one))
		again, err := baseline.Read(bytes.NewReader(one.Bytes()))
		require.NoError(t, err)
		require.NoError(t, again.Write(&two))
		require.Equal(t, one.String(), two.String())
	})
}
