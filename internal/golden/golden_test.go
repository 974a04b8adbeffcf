package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// spy is a testing.TB that notes failure instead of failing.
type spy struct {
	testing.TB
	failed bool
}

func (s *spy) Helper()               {}
func (s *spy) Errorf(string, ...any) { s.failed = true }
func (s *spy) FailNow()              { s.failed = true }

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "golden.txt")
	File(t, true, path, []byte("one\n"))
	wrote, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one\n", string(wrote))
	for _, test := range []struct {
		name, got string
		fails     bool
	}{
		{"equal", "one\n", false},
		{"different", "two\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := spy{TB: t}
			File(&s, false, path, []byte(test.got))
			require.Equal(t, test.fails, s.failed)
		})
	}
}

func ExampleText() {
	n := 3
	fmt.Print(Text(map[string]*int{"b": &n, "a": nil}))
	// Output:
	// (map[string]*int) (len=2) {
	//   (string) (len=1) "a": (*int)(<nil>),
	//   (string) (len=1) "b": (*int)(3)
	// }
}
