package trace_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// uploads is a trace of short calls, enough that workers are started, and of
// uploads of size bytes.
func uploads(n, size int) string {
	var b strings.Builder
	b.WriteString(header)
	for no := range 30 {
		b.WriteString(bind(no + 1))
	}
	for no := range n {
		b.WriteString(call(no+31, "pipe_context", "buffer_subdata", "<arg name='data'><bytes>"+strings.Repeat("0F", size)+"</bytes></arg>"))
	}
	b.WriteString("</trace>\n")
	return b.String()
}

// TestLongCallsShareABuffer holds that calls of several megabytes need no more
// memory when there are many.
func TestLongCallsShareABuffer(t *testing.T) {
	const size = 8 << 20  // bytes, in twice as many digits
	const most = 16 << 20 // for each further call; a buffer of its own would take twice that
	for _, workers := range []int{1, 4} {
		allocated := func(n int) uint64 {
			text := uploads(n, size)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.EqualValues(t, 30+n, readAll(t, strings.NewReader(text), trace.Options{Workers: workers, BlockBytes: 1000}))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		one := allocated(1)
		require.Less(t, allocated(4), one+3*most, "%d workers", workers)
	}
}

// TestLongCallsThatAreKept holds that a consumer may keep all batches, and leave
// in the midst of long calls.
func TestLongCallsThatAreKept(t *testing.T) {
	text := uploads(6, 3<<20)
	for _, most := range []int{32, 34, 1 << 30} {
		r, err := trace.NewReader(strings.NewReader(text), trace.Options{Workers: 4, BlockBytes: 1000})
		require.NoError(t, err)
		var kept []*trace.Batch
		calls := 0
		for calls < most {
			b, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			calls += len(b.Records)
			kept = append(kept, b)
		}
		for _, b := range kept {
			for i := range b.Records {
				if rec := &b.Records[i]; rec.Method == "buffer_subdata" {
					require.Len(t, rec.Values.Arg("data").RawText(), 6<<20)
				}
			}
			b.Release()
		}
		require.NoError(t, r.Reset(strings.NewReader(text), ""), "after the workers have left")
		for rec, err := range r.Records() {
			require.NoError(t, err)
			require.Nil(t, rec.Problem)
		}
		require.NoError(t, r.Close())
	}
}
