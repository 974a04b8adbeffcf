package blocks

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLongBufferGoesRound(t *testing.T) {
	l := newLongBuffer()
	waits := 0
	l.wait = func(<-chan []byte) []byte { waits++; return nil }
	require.Nil(t, l.take(large+1), "there is none")
	require.Zero(t, waits, "none was made, so none will come back")
	l.make(large)
	require.Nil(t, l.take(large+1))
	require.Zero(t, waits, "no large one was made")
	l.make(large + 1)
	require.Nil(t, l.take(large), "a short call gets its own")
	require.Zero(t, waits)
	require.Nil(t, l.take(large+1))
	require.Equal(t, 1, waits)
	l.put(make([]byte, 3, 2*large))
	l.put(make([]byte, 3, 2*large)) // one is enough
	b := l.take(2 * large)
	require.Len(t, b, 0)
	require.Equal(t, 2*large, cap(b))
	require.Equal(t, 1, waits)
	l.put(b)
	require.Nil(t, l.take(2*large+1), "too small")
}
