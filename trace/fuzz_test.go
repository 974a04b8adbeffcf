package trace_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// FuzzReader holds that any bytes give records that lie in order, and the same
// ones whatever the size of the blocks.
func FuzzReader(f *testing.F) {
	f.Add([]byte(sample()[:1500]), uint16(7))
	for _, c := range odd {
		f.Add([]byte(c.text), uint16(64))
	}
	f.Add(gzipped(f, header+bind(1)), uint16(3))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		if len(text) > 8<<10 {
			return
		}
		lines := func(block int) (out []string, end trace.Ending) {
			r, err := trace.NewReader(bytes.NewReader(text), trace.Options{BlockBytes: block})
			require.NoError(t, err)
			last := int64(0)
			for rec, err := range r.Records() {
				require.NoError(t, err)
				require.GreaterOrEqual(t, rec.Pos.Byte, last)
				require.Greater(t, rec.End, rec.Pos.Byte)
				require.Len(t, rec.Raw, int(rec.End-rec.Pos.Byte))
				last = rec.End
				out = append(out, describe(rec))
			}
			return out, r.Ending()
		}
		want, wantEnd := lines(64 << 10)
		got, end := lines(1 + int(size)%2000)
		require.Equal(t, want, got)
		wantEnd.Damage, end.Damage = nil, nil // the same words, but not the same error
		require.Equal(t, wantEnd, end)
	})
}
