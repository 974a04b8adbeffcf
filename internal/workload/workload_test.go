package workload_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/workload"
)

func TestSameForASeed(t *testing.T) {
	for _, kind := range []workload.Kind{workload.Gears, workload.Captures} {
		text := func(seed uint64) string {
			var b bytes.Buffer
			require.NoError(t, workload.Write(&b, kind, seed, 1<<18))
			return b.String()
		}
		require.Equal(t, text(1), text(1))
		require.NotEqual(t, text(1), text(2))
		require.GreaterOrEqual(t, len(text(1)), 1<<18)
	}
}
