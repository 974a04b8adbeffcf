package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/davecgh/go-spew/spew"
	"github.com/stretchr/testify/require"
)

// File demands that got is what the file at path holds. With update it writes
// the file instead.
func File(t testing.TB, update bool, path string, got []byte) {
	t.Helper()
	if update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update to write it")
	if !bytes.Equal(want, got) {
		require.Equal(t, string(want), string(got), "%s; run the test with -update if the new one is right", path)
	}
}

// Value demands that a Go value is what the file at path holds, as Text spells
// it.
func Value(t testing.TB, update bool, path string, v any) {
	t.Helper()
	File(t, update, path, []byte(Text(v)))
}

// Text spells a Go value with all its fields and types: map keys are sorted, and
// there are no addresses.
func Text(v any) string {
	form := spew.ConfigState{Indent: "  ", SortKeys: true, SpewKeys: true, DisablePointerAddresses: true,
		DisableCapacities: true, DisablePointerMethods: true}
	return form.Sdump(v)
}
