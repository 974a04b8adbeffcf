package trace_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

const drawInfo = "<arg name='info'><struct name='pipe_draw_info'><member name='index_size'><uint>4</uint></member><member name='has_user_indices'><uint>0</uint></member>" +
	"<member name='mode'><uint>8</uint></member><member name='start_instance'><uint>0</uint></member><member name='instance_count'><uint>1</uint></member>" +
	"<member name='min_index'><uint>0</uint></member><member name='max_index'><uint>0</uint></member><member name='primitive_restart'><bool>0</bool></member>" +
	"<member name='restart_index'><uint>0</uint></member><member name='index.resource'><ptr>0x55a5ebf1e0f0</ptr></member></struct></arg>"

// drawTrace is size bytes or more of what a long run writes: binds and draws.
func drawTrace(size int) []byte {
	var b bytes.Buffer
	b.WriteString(header)
	for no := 1; b.Len() < size; no += 2 {
		b.WriteString(bind(no))
		b.WriteString(call(no+1, "pipe_context", "draw_vbo", "<arg name='pipe'><ptr>0x7f2b6d909010</ptr></arg>", drawInfo,
			"<arg name='drawid_offset'><int>0</int></arg>", "<arg name='indirect'><null/></arg>",
			"<arg name='draws'><array><elem><struct name='pipe_draw_start_count_bias'><member name='start'><uint>4572</uint></member><member name='count'><uint>82</uint></member><member name='index_bias'><int>0</int></member></struct></elem></array></arg>",
			"<arg name='num_draws'><uint>1</uint></arg>"))
	}
	b.WriteString("</trace>\n")
	return b.Bytes()
}

// benchText is the file that OUTFLOW_BENCH names, or a made one.
func benchText(b *testing.B) []byte {
	if path := os.Getenv("OUTFLOW_BENCH"); path != "" {
		text, err := os.ReadFile(path)
		require.NoError(b, err)
		return text
	}
	return drawTrace(32 << 20)
}

// readAll reads text in batches and returns the number of calls.
func readAll(t testing.TB, src io.Reader, o trace.Options) uint64 {
	r, err := trace.NewReader(src, o)
	require.NoError(t, err)
	for {
		b, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		b.Release()
	}
	require.NoError(t, r.Close())
	return r.Ending().Calls
}

func BenchmarkReader(b *testing.B) {
	text := benchText(b)
	for _, c := range []struct {
		name string
		o    trace.Options
	}{
		{"values", trace.Options{Workers: 1}},
		{"skip", trace.Options{Workers: 1, Wanted: func(string, string) bool { return false }}},
		{"workers", trace.Options{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var calls uint64
			for b.Loop() {
				calls = readAll(b, bytes.NewReader(text), c.o)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(calls), "ns/call")
		})
	}
}

// TestReaderAllocatesNothingPerCall compares a trace with one ten times as long.
func TestReaderAllocatesNothingPerCall(t *testing.T) {
	count := func(size int) float64 {
		text := string(drawTrace(size))
		return testing.AllocsPerRun(3, func() {
			readAll(t, strings.NewReader(text), trace.Options{BlockBytes: 64 << 10})
		})
	}
	require.InDelta(t, count(1<<20), count(10<<20), 20)
}
