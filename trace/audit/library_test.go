package audit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFromAnotherModule runs a program of another module that stacks Track, Dedup
// and Record over a driver of its own. It is a copy, whose go.sum is that of this
// module, so that nothing has to be fetched and nothing in the tree changes.
func TestFromAnotherModule(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "library"))))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOOS=", "GOARCH=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	run("mod", "edit", "-replace=github.com/outflow-gpu/outflow="+root)
	require.Equal(t, `error: stride[0] is 3 dw (12 B), output 0 ends at 4 dw (16 B) [so-stride-smaller-than-extent]
stream output is zeroed and preserved: 18 calls and 2 draws (2 captured) above, 18 and 2 (2) below
draws: 2 trace: true
`, run("run", "."))
}
