package markup

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLastIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		b := bytes.Repeat([]byte("<"), r.IntN(70<<10))
		for range r.IntN(3) {
			if at := r.IntN(len(b) + 1); at+len(callEnd) <= len(b) {
				copy(b[at:], callEnd)
			}
		}
		require.Equal(t, bytes.LastIndex(b, callEnd), lastIndex(b, callEnd))
	}
	for _, at := range []int{16<<10 - 6, 16<<10 - 1, 16 << 10} { // across windows
		b := make([]byte, 48<<10)
		copy(b[len(b)-at:], callEnd)
		require.Equal(t, len(b)-at, lastIndex(b, callEnd))
	}
}
