package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// TestResetReadsAsANewReader reads traces of all kinds one after another with one
// reader, some of them only in part.
func TestResetReadsAsANewReader(t *testing.T) {
	long := string(drawTrace(200 << 10))
	sources := []struct{ name, text string }{
		{"plain", sample()},
		{"the same again", sample()},
		{"gzip", string(gzipped(t, long))},
		{"empty", ""},
		{"zstd", string(zstandard(t, sample()))},
		{"no trace", "<p>"},
		{"gzip, cut", string(gzipped(t, sample())[:200])},
		{"gzip after a cut one", string(gzipped(t, sample()))},
		{"zstd, damaged", string(zstandard(t, sample())[:100]) + "xxxx"},
		{"zstd after a damaged one", string(zstandard(t, long))},
		{"plain, cut", long[:len(long)/2]},
		{"plain after a cut one", long},
	}
	for _, o := range []trace.Options{{Workers: 1}, {Workers: 3, BlockBytes: 300}, {Workers: 3}} {
		r, err := trace.NewReader(strings.NewReader(header), o)
		require.NoError(t, err)
		for _, s := range sources {
			want, wantEnd := read(t, s.text, o)
			for _, most := range []int{5, 1 << 30} {
				require.NoError(t, r.Reset(strings.NewReader(s.text), "t.xml"), s.name)
				var lines []string
				for rec, err := range r.Records() {
					require.NoError(t, err, s.name)
					if lines = append(lines, describe(rec)); len(lines) == most {
						break
					}
				}
				require.Equal(t, want[:min(most, len(want))], lines[:len(lines):len(lines)], s.name)
				if len(lines) < most {
					require.Equal(t, wantEnd, r.Ending(), s.name)
				}
			}
		}
		require.NoError(t, r.Close())
	}
}

// TestResetDecoderForgets holds that what one trace taught the decoder, here that
// its Mesa numbers enumerations, is not believed of the next.
func TestResetDecoderForgets(t *testing.T) {
	decode := func(r *trace.Reader) (calls []string) {
		var op pipe.Op
		for rec, err := range r.Records() {
			require.NoError(t, err)
			require.True(t, r.Decoder().Decode(rec, &op))
			calls = append(calls, fmt.Sprintf("%T %+v", op.Call, op.Call))
		}
		return calls
	}
	stage := call(1, "pipe_context", "set_constant_buffer", "<arg name='pipe'><ptr>0x1</ptr></arg>",
		"<arg name='shader'><uint>1</uint></arg>", "<arg name='index'><uint>0</uint></arg>", "<arg name='constant_buffer'><null/></arg>")
	young := call(1, "pipe_context", "sampler_view_release", "<arg name='pipe'><ptr>0x1</ptr></arg>", "<arg name='view'><ptr>0x2</ptr></arg>")

	alone, err := trace.NewReader(strings.NewReader(stage), trace.Options{})
	require.NoError(t, err)
	want := decode(alone)
	r, err := trace.NewReader(strings.NewReader(young+stage), trace.Options{})
	require.NoError(t, err)
	require.NotEqual(t, want, decode(r)[1:], "the first call says how stages are numbered")
	require.NoError(t, r.Reset(strings.NewReader(stage), ""))
	require.Equal(t, want, decode(r))
}

func TestResetAfterAnError(t *testing.T) {
	broken := errors.New("the disk is gone")
	r, err := trace.NewReader(io.MultiReader(strings.NewReader(sample()[:700]), iotest.ErrReader(broken)), trace.Options{Name: "a.xml"})
	require.NoError(t, err)
	var last error
	for _, err := range r.Records() {
		last = err
	}
	require.ErrorIs(t, last, broken)
	require.ErrorIs(t, r.Reset(iotest.ErrReader(broken), "b.xml"), broken)
	require.NoError(t, r.Reset(strings.NewReader(sample()), "t.xml"))
	want, _ := read(t, sample(), trace.Options{})
	for rec, err := range r.Records() {
		require.NoError(t, err)
		require.Equal(t, want[0], describe(rec))
		want = want[1:]
	}
	require.Empty(t, want)
}

// TestResetKeepsItsMemory holds that a further short trace costs next to nothing
// but its reading.
func TestResetKeepsItsMemory(t *testing.T) {
	for how, packed := range map[string][]byte{
		"plain": drawTrace(900 << 10), "gzip": gzipped(t, string(drawTrace(900<<10))), "zstd": zstandard(t, string(drawTrace(900<<10))),
	} {
		r, err := trace.NewReader(bytes.NewReader(packed), trace.Options{})
		require.NoError(t, err)
		allocs := testing.AllocsPerRun(5, func() {
			require.NoError(t, r.Reset(bytes.NewReader(packed), "t.xml"))
			for _, err := range r.Records() {
				require.NoError(t, err)
			}
		})
		require.Less(t, allocs, 25.0, how)
	}
}
