package streamout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// TestMemoryIsBounded: a trace uploads more than can be kept, and few tell that a
// buffer went away. What is forgotten is unknown, never wrong.
func TestMemoryIsBounded(t *testing.T) {
	const size = 1 << 20
	for name, targeted := range map[string]bool{"buffers of targets": true, "other buffers": false} {
		t.Run(name, func(t *testing.T) {
			capture := streamout.NewCapture(streamout.CaptureOptions{})
			c, err := pipe.NewContext(capture)
			require.NoError(t, err)
			data := make([]byte, size)
			var buffers []pipe.Handle
			kept := func() (n int) {
				for _, b := range buffers {
					if capture.Knows(b, size-1) {
						n++
					}
				}
				return n
			}
			most := 0
			for range 100 {
				b, err := c.CreateBuffer(size, pipe.BindStreamOutput)
				require.NoError(t, err)
				if targeted {
					_, err = c.CreateStreamOutputTarget(b, 0, size)
					require.NoError(t, err)
				}
				require.NoError(t, c.BufferSubdata(b, 0, data))
				buffers = append(buffers, b)
				most = max(most, kept())
			}
			require.GreaterOrEqual(t, most, 16)
			require.LessOrEqual(t, most, 32)
		})
	}
}
