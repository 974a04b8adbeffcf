package trace_test

import (
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// long is a trace of short calls, enough that workers are started, and of n calls of
// that method with this argument.
func long(n int, method, argument string) string {
	var b strings.Builder
	b.WriteString(header)
	for no := range 30 {
		b.WriteString(bind(no + 1))
	}
	for no := range n {
		b.WriteString(call(no+31, "pipe_context", method, argument))
	}
	b.WriteString("</trace>\n")
	return b.String()
}

// uploads is a trace of uploads of size bytes.
func uploads(n, size int) string {
	return long(n, "buffer_subdata", "<arg name='data'><bytes>"+strings.Repeat("0F", size)+"</bytes></arg>")
}

// arrays is a trace of calls with an array of size elements.
func arrays(n, size int) string {
	return long(n, "set_something", "<arg name='list'><array>"+strings.Repeat("<elem><uint>7</uint></elem>", size)+"</array></arg>")
}

// TestLongCallsShareMemory holds that calls of many megabytes need no more memory
// when there are many.
func TestLongCallsShareMemory(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"uploads": func(n int) string { return uploads(n, 3<<20) },
		"arrays":  func(n int) string { return arrays(n, 250_000) },
	} {
		for _, workers := range []int{1, 2, 4} {
			one, five := allocated(t, text(1), 31, workers), allocated(t, text(5), 35, workers)
			require.Less(t, five, one+2<<20, "%s, %d workers", name, workers)
		}
	}
}

// allocated returns how many bytes it takes to read the calls of a text.
func allocated(t *testing.T, text string, calls, workers int) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.EqualValues(t, calls, readAll(t, strings.NewReader(text), trace.Options{Workers: workers, BlockBytes: 1000}))
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestLongArrayTakesLittleMore holds that an array is held by its text and its nodes,
// and that neither grows in steps that are all in memory at once.
func TestLongArrayTakesLittleMore(t *testing.T) {
	text := arrays(1, 1_000_000)
	require.Less(t, allocated(t, text, 31, 1), int64(4*len(text)))
}

// TestCloseTwice closes a reader early, while others read for it, and once more.
func TestCloseTwice(t *testing.T) {
	text := string(gzipped(t, uploads(200, 1000)))
	for range 20 {
		r, err := trace.NewReader(strings.NewReader(text), trace.Options{Workers: 4, BlockBytes: 500})
		require.NoError(t, err)
		for range 12 {
			b, err := r.Next()
			require.NoError(t, err)
			b.Release()
		}
		require.NoError(t, r.Close())
		require.NoError(t, r.Close())
		_, err = r.Next()
		require.ErrorIs(t, err, os.ErrClosed)
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
