package trace_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

func gzipped(t testing.TB, text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func zstandard(t testing.TB, text string) []byte {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	require.NoError(t, err)
	_, err = z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// bzipped is header + bind(1) + "</trace>\n", as bzip2 packs it.
const bzipped = "QlpoOTFBWSZTWTg4frAAAC3fgAAwQIPix4EABgC/591gMADaqw1PSCg/VGaaYoDQZPRBKoHohoNAAAACUKZA01GnoaQNNA00UFFXggODqafezR" +
	"izpI96nJ7kTFn1U4AV3w70qYcw55eNRMdxCZEqqGzY5iMKfczX3GxF8XhqUTwbGSi0PCZp4odC6ZYno4lpqcIlpB7+aa1+cWWFuxT1YOLSkR+w" +
	"XUSlvULlYP4C8iu5SIVpSAwF1zQWlvMNyPwzGJOGUolOxwq2L0Ly8wRKohcX5tkNEwZ0pBpELHlJJLYDsD66nGXmgncZSfi7kinChIHBw/WA"

// TestCompression reads one trace packed in all ways, under names that lie.
func TestCompression(t *testing.T) {
	want, wantEnd := read(t, sample(), trace.Options{})
	half := len(sample()) / 2
	for how, packed := range map[string][]byte{
		"plain":                []byte(sample()),
		"gzip":                 gzipped(t, sample()),
		"gzip in two members":  append(gzipped(t, sample()[:half]), gzipped(t, sample()[half:])...),
		"zstd":                 zstandard(t, sample()),
		"zstd in two frames":   append(zstandard(t, sample()[:half]), zstandard(t, sample()[half:])...),
		"zstd, skippable head": append([]byte{0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9}, zstandard(t, sample())...),
	} {
		t.Run(how, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "trace.bz2")
			require.NoError(t, os.WriteFile(path, packed, 0o600))
			r, err := trace.Open(path, trace.Options{Name: "t.xml"})
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(how, r.Compression()))
			var lines []string
			for rec, err := range r.Records() {
				require.NoError(t, err)
				lines = append(lines, describe(rec))
			}
			require.NoError(t, r.Close())
			require.Equal(t, want, lines)
			require.Equal(t, wantEnd, r.Ending())
		})
	}
}

func TestBzip2(t *testing.T) {
	packed, err := base64.StdEncoding.DecodeString(bzipped)
	require.NoError(t, err)
	want, _ := read(t, header+bind(1)+"</trace>\n", trace.Options{})
	got, _ := read(t, string(packed), trace.Options{})
	require.Equal(t, want, got)
}

// TestDamagedCompression cuts and damages packed traces at each byte: what could
// be unpacked is read, and the ending tells.
func TestDamagedCompression(t *testing.T) {
	small, err := base64.StdEncoding.DecodeString(bzipped)
	require.NoError(t, err)
	for how, packed := range map[string][]byte{"gzip": gzipped(t, sample()), "bzip2": small, "zstd": zstandard(t, sample())} {
		for n := 5; n < len(packed)-1; n += 3 {
			_, end := read(t, string(packed[:n]), trace.Options{BlockBytes: 4096})
			require.Error(t, end.Damage, "%s cut at %d", how, n)
			require.Contains(t, []trace.EndingKind{trace.BetweenCalls, trace.InsideCall, trace.Closed}, end.Kind)
		}
		for n := 5; n < len(packed); n++ {
			damaged := bytes.Clone(packed)
			damaged[n] ^= 0x55
			_, end := read(t, string(damaged), trace.Options{BlockBytes: 4096})
			require.LessOrEqual(t, end.Calls, uint64(11), "%s damaged at %d", how, n)
		}
	}
	big := header + strings.Repeat(bind(1), 4000)
	packed := gzipped(t, big)
	_, end := read(t, string(packed[:len(packed)-10]), trace.Options{})
	require.ErrorIs(t, end.Damage, io.ErrUnexpectedEOF)
	require.Greater(t, end.Calls, uint64(100))
	require.False(t, end.Complete)
}

// TestWrongChecksum holds that a text whose checksum is wrong is read to its end,
// and that the ending tells, whoever sums it.
func TestWrongChecksum(t *testing.T) {
	want, _ := read(t, sample(), trace.Options{})
	half := len(sample()) / 2
	first, last := gzipped(t, sample()[:half]), gzipped(t, sample()[half:])
	for name, at := range map[string]int{"first": len(first) - 8, "last": len(first) + len(last) - 8} {
		packed := append(bytes.Clone(first), last...)
		packed[at]++
		for workers := 1; workers <= 4; workers++ {
			for _, size := range []int{1, 100, 1000, 0} {
				got, end := read(t, string(packed), trace.Options{Workers: workers, BlockBytes: size})
				require.Equal(t, want, got)
				require.ErrorIs(t, end.Damage, gzip.ErrChecksum, "%s of two, %d workers, blocks of %d", name, workers, size)
				require.True(t, end.Complete)
			}
		}
	}
}

func TestSourceErrorsAreErrors(t *testing.T) {
	broken := errors.New("the disk is gone")
	for how, packed := range map[string][]byte{"plain": []byte(sample()[:3000]), "gzip": gzipped(t, sample())[:200]} {
		r, err := trace.NewReader(io.MultiReader(bytes.NewReader(packed), iotest.ErrReader(broken)), trace.Options{Name: "t.xml"})
		require.NoError(t, err, how)
		var last error
		records := 0
		for _, err := range r.Records() {
			records++
			last = err
		}
		require.ErrorIs(t, last, broken, how)
		require.ErrorContains(t, last, "t.xml: ", how)
		require.Positive(t, records)
	}
	_, err := trace.NewReader(iotest.ErrReader(broken), trace.Options{Name: "t.xml"})
	require.ErrorIs(t, err, broken)
	_, err = trace.Open(filepath.Join(t.TempDir(), "missing"), trace.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestPipeIsReadAsItComes holds that a whole call is delivered before the program
// on the other side writes more.
func TestPipeIsReadAsItComes(t *testing.T) {
	in, out := io.Pipe()
	seen := make(chan string)
	go func() {
		defer close(seen)
		r, err := trace.NewReader(in, trace.Options{})
		if err != nil {
			return
		}
		for rec, err := range r.Records() {
			if err == nil && rec.Kind == trace.CallRecord {
				seen <- rec.Method
			}
		}
	}()
	for _, text := range []string{header + bind(1), createVS(2, "x"), bind(3)} {
		_, err := io.WriteString(out, text)
		require.NoError(t, err)
		require.Contains(t, []string{"bind_vs_state", "create_vs_state"}, <-seen)
	}
	require.NoError(t, out.Close())
	_, more := <-seen
	require.False(t, more)
}

func TestSlowSource(t *testing.T) {
	want, wantEnd := read(t, sample(), trace.Options{})
	r, err := trace.NewReader(slow{strings.NewReader(sample())}, trace.Options{Name: "t.xml"})
	require.NoError(t, err)
	var lines []string
	for rec, err := range r.Records() {
		require.NoError(t, err)
		lines = append(lines, describe(rec))
	}
	require.Equal(t, want, lines)
	require.Equal(t, wantEnd, r.Ending())
}

// endless yields a start, then the same bytes for ever, up to a number.
type endless struct {
	start string
	fill  string
	left  int
}

func (e *endless) Read(b []byte) (int, error) {
	if len(e.start) > 0 {
		n := copy(b, e.start)
		e.start = e.start[n:]
		return n, nil
	}
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n+len(e.fill) <= len(b) {
		n += copy(b[n:], e.fill)
	}
	if n == 0 {
		n = copy(b, e.fill)
	}
	e.left -= n
	return n, nil
}

// TestMemoryIsBounded reads much more than may be held.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of megabytes")
	}
	lost := strings.Replace(createVS(1, "x"), "]]></string>", "", 1)
	cases := []struct {
		why   string
		src   *endless
		calls uint64
	}{
		{"a section that lost its end costs one call", &endless{header + lost, bind(2) + bind(2), 100 << 20}, 0},
		{"zeros are noise", &endless{"", strings.Repeat("\x00", 4096), 100 << 20}, 0},
		{"lines are noise", &endless{header, "a line of output <b>\n", 50 << 20}, 0},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			r, err := trace.NewReader(c.src, trace.Options{})
			require.NoError(t, err)
			largest := 0
			for {
				b, err := r.Next()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				for i := range b.Records {
					largest = max(largest, len(b.Records[i].Raw))
				}
				b.Release()
			}
			require.LessOrEqual(t, largest, 1<<20)
			require.Greater(t, r.Ending().Byte, int64(49<<20))
		})
	}
}

// TestLongCall reads a call of 40 MB in one line.
func TestLongCall(t *testing.T) {
	hex := strings.Repeat("00FF", 10<<20)
	text := header + bind(1) + call(2, "pipe_context", "buffer_subdata", "<arg name='data'><bytes>"+hex+"</bytes></arg>") + bind(3)
	r, err := trace.NewReader(strings.NewReader(text), trace.Options{})
	require.NoError(t, err)
	size := 0
	for rec, err := range r.Records() {
		require.NoError(t, err)
		size += rec.Values.Arg("data").BytesLen()
	}
	require.Equal(t, 20<<20, size)
	require.Equal(t, uint64(3), r.Ending().Calls)
}
