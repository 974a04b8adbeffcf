package blocks_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/blocks"
)

// member packs text, with all that a header may hold.
func member(t testing.TB, text string, full bool) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if full {
		z.Name, z.Comment, z.Extra = "t.xml", "a trace", []byte("more")
	}
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// unpack returns the text of packed, summed in pieces of random sizes, some of them
// later than they come, and what was wrong with it: the checksums first.
func unpack(t testing.TB, packed []byte, random *rand.Rand) (string, error) {
	var d blocks.Decompressor
	defer d.Close()
	r, how, err := d.Open(bytes.NewReader(packed))
	require.NoError(t, err)
	require.Equal(t, blocks.Gzip, how)
	var text []byte
	summed := 0
	piece := make([]byte, 1+random.IntN(1000))
	for err == nil {
		var n int
		n, err = r.Read(piece[:1+random.IntN(len(piece))])
		text = append(text, piece[:n]...)
		switch random.IntN(3) {
		case 0:
			d.Sum(text[summed:])
			summed = len(text)
		case 1:
			some := random.IntN(1 + len(text) - summed)
			d.Sum(text[summed : summed+some])
			summed += some
		}
	}
	if summed < len(text) {
		d.Sum(text[summed:])
	}
	if d.SumErr() != nil {
		err = d.SumErr()
	}
	if err == io.EOF {
		err = nil
	}
	return string(text), err
}

// requireAsGzip holds that packed is what a reader finds that sums as it unpacks. Only
// behind a member with a wrong checksum may there be more.
func requireAsGzip(t testing.TB, packed []byte, random *rand.Rand) {
	var want []byte
	z, wrong := gzip.NewReader(bytes.NewReader(packed))
	if wrong == nil {
		want, wrong = io.ReadAll(z)
	}
	got, err := unpack(t, packed, random)
	if errors.Is(wrong, gzip.ErrChecksum) {
		require.ErrorIs(t, err, gzip.ErrChecksum)
		require.True(t, strings.HasPrefix(got, string(want)))
		return
	}
	require.Equal(t, wrong, err)
	require.True(t, string(want) == got, "%d bytes of text, not %d", len(got), len(want))
}

// TestGzipMembers joins members, empty ones among them, and damages what comes
// of it.
func TestGzipMembers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	long := strings.Repeat(text, 1200) // a member's first 64 KiB are summed by another than the rest
	texts := []string{"", "", "a", text, text, long[:64<<10], long[:64<<10+1], long}
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	for range rounds {
		var packed []byte
		want := ""
		for range 1 + random.IntN(4) {
			s := texts[random.IntN(len(texts))]
			packed = append(packed, member(t, s, random.IntN(2) == 0)...)
			want += s
		}
		got, err := unpack(t, packed, random)
		require.NoError(t, err)
		require.Equal(t, want, got)

		switch i := 2 + random.IntN(len(packed)-2); random.IntN(3) {
		case 0:
			packed[i] ^= 1 << random.IntN(8)
		case 1:
			packed = packed[:i]
		case 2:
			packed = append(packed, make([]byte, 1+random.IntN(20))...)
		}
		requireAsGzip(t, packed, random)
	}
}

// TestGzipTrailer damages each byte of a trailer, the checksum and the length, of a
// short and of a long member among several.
func TestGzipTrailer(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	last := member(t, "end", false)
	for _, text := range []string{text, strings.Repeat(text, 1000)} {
		first := member(t, text, false)
		for i := len(first) - 8; i < len(first); i++ {
			packed := append(bytes.Clone(first), last...)
			packed[i]++
			got, err := unpack(t, packed, random)
			require.ErrorIs(t, err, gzip.ErrChecksum)
			require.True(t, strings.HasPrefix(got, text))
			if i < len(first)-4 {
				require.Equal(t, text+"end", got, "read on")
			}
			requireAsGzip(t, packed, random)
		}
	}
}

// TestManyMembers holds that many members take no memory: no text, and none that
// was summed, is waited for.
func TestManyMembers(t *testing.T) {
	packed := bytes.Repeat(append(member(t, "", false), member(t, "a", false)...), 50_000)
	var d blocks.Decompressor
	defer d.Close()
	r, _, err := d.Open(bytes.NewReader(packed))
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := io.Copy(io.Discard, struct{ io.Reader }{r})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.EqualValues(t, 50_000, n)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200<<10))
	d.Sum(bytes.Repeat([]byte("a"), 50_000))
	require.NoError(t, d.SumErr())
}

// TestDecompressorForgets holds that a wrong checksum is not that of the next source.
func TestDecompressorForgets(t *testing.T) {
	var d blocks.Decompressor
	defer d.Close()
	text := strings.Repeat(text, 1000)
	packed := member(t, text, false)
	for range 3 {
		for _, wrong := range []bool{true, false} {
			sound := bytes.Clone(packed)
			if wrong {
				sound[len(sound)-8]++
			}
			r, _, err := d.Open(iotest.HalfReader(bytes.NewReader(sound)))
			require.NoError(t, err)
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			d.Sum(got)
			require.Equal(t, wrong, d.SumErr() != nil)
		}
		r, _, err := d.Open(strings.NewReader(text))
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		d.Sum(got)
		require.NoError(t, d.SumErr(), "plain text has no checksum")
	}
}

func FuzzGzip(f *testing.F) {
	f.Add(member(f, text, true), uint64(1))
	f.Add(append(member(f, "", false), member(f, text, false)...), uint64(2))
	f.Add(append(member(f, strings.Repeat(text, 1000), false), member(f, text, false)...), uint64(3))
	f.Fuzz(func(t *testing.T, packed []byte, seed uint64) {
		if len(packed) < 2 || blocks.Sniff(packed) != blocks.Gzip {
			return
		}
		requireAsGzip(t, packed, rand.New(rand.NewPCG(seed, 0)))
	})
}
