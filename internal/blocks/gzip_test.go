package blocks_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
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
		if late := random.IntN(1 + len(text) - summed); random.IntN(2) == 0 {
			d.Sum(text[summed : len(text)-late])
			summed = len(text) - late
		}
	}
	d.Sum(text[summed:])
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
	texts := []string{"", "a", text, strings.Repeat(text, 300)}
	rounds := 3000
	if testing.Short() {
		rounds = 300
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

// TestGzipTrailer damages each byte of a trailer: the checksum and the length of
// one member among several.
func TestGzipTrailer(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	first, last := member(t, text, false), member(t, "end", false)
	for i := len(first) - 8; i < len(first); i++ {
		packed := append(bytes.Clone(first), last...)
		packed[i]++
		got, err := unpack(t, packed, random)
		require.ErrorIs(t, err, gzip.ErrChecksum)
		require.True(t, strings.HasPrefix(got, text))
		requireAsGzip(t, packed, random)
	}
}

// TestDecompressorForgets holds that a wrong checksum is not that of the next source.
func TestDecompressorForgets(t *testing.T) {
	var d blocks.Decompressor
	defer d.Close()
	packed := member(t, text, false)
	for range 3 {
		for _, wrong := range []bool{true, false} {
			sound := bytes.Clone(packed)
			if wrong {
				sound[len(sound)-8]++
			}
			r, _, err := d.Open(iotest.OneByteReader(bytes.NewReader(sound)))
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
	f.Fuzz(func(t *testing.T, packed []byte, seed uint64) {
		if len(packed) < 2 || blocks.Sniff(packed) != blocks.Gzip {
			return
		}
		requireAsGzip(t, packed, rand.New(rand.NewPCG(seed, 0)))
	})
}
