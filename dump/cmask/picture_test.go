package cmask_test

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, name string, got []byte) []byte {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, got, 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	return want
}

// ring is a surface on which a ring was drawn, whose sides no sub-tile follows exactly.
func ring(t testing.TB, w, h int, m cmask.Mode) *cmask.View {
	t.Helper()
	v := blank(t, w, h, m)
	for y := range h {
		for x := range w {
			dx, dy := 2*x-w, 2*y-h
			if d := dx*dx + dy*dy; d < h*h*3/4 && d > h*h/3 {
				require.NoError(t, v.SetNibble(x/8, y/8, v.Nibble(x/8, y/8)|1<<m.Bit(x, y)))
			}
		}
	}
	return v
}

func TestASCIIGolden(t *testing.T) {
	for _, m := range cmask.Modes() {
		var got bytes.Buffer
		v := ring(t, 75, 61, m)
		require.NoError(t, v.WriteASCII(&got, cmask.PerTile))
		got.WriteByte('\n')
		require.NoError(t, v.WriteASCII(&got, cmask.PerQuad))
		want := golden(t, "cmask_ring_"+m.String()+".txt", got.Bytes())
		require.Equal(t, string(want), got.String())
	}
}

func TestASCIIPerPixel(t *testing.T) {
	v := blank(t, 10, 5, cmask.CM0)
	require.NoError(t, v.SetNibble(0, 0, 2))
	require.NoError(t, v.SetNibble(1, 0, 5))
	var got bytes.Buffer
	require.NoError(t, v.WriteASCII(&got, cmask.PerPixel))
	require.Equal(t, "........##\n........##\n########..\n########..\n........##\n", got.String())
	got.Reset()
	require.NoError(t, v.WriteASCII(&got, cmask.PerTile))
	require.Equal(t, "++\n", got.String())
	require.NoError(t, v.SetNibble(0, 0, 8), "rows 6 and 7, below the surface")
	require.NoError(t, v.SetNibble(1, 0, 7), "rows 0 to 5, all of it")
	got.Reset()
	require.NoError(t, v.WriteASCII(&got, cmask.PerTile))
	require.Equal(t, ".#\n", got.String())
}

// TestPNGGolden compares dots, not bytes: a later compressor may pack them otherwise.
func TestPNGGolden(t *testing.T) {
	for _, m := range cmask.Modes() {
		var got bytes.Buffer
		require.NoError(t, ring(t, 75, 61, m).WritePNG(&got, cmask.PerPixel))
		requireSameDots(t, golden(t, "cmask_ring_"+m.String()+".png", got.Bytes()), got.Bytes())
	}
}

func requireSameDots(t *testing.T, want, got []byte) {
	t.Helper()
	a, err := png.Decode(bytes.NewReader(want))
	require.NoError(t, err)
	b, err := png.Decode(bytes.NewReader(got))
	require.NoError(t, err)
	require.Equal(t, a, b)
}

func TestPNGAndImageAgainstEveryPixel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	red, green := color.NRGBA{R: 255, A: 128}, color.NRGBA{G: 255, A: 128}
	for w := 1; w < 36; w++ {
		m := cmask.Modes()[w%6]
		v := blank(t, w, 1+rnd.IntN(20), m)
		scatter(t, rnd, v)
		img, err := v.Image()
		require.NoError(t, err)
		for unit, side := range map[cmask.Unit]int{cmask.PerPixel: 1, cmask.PerQuad: 2} {
			var out, again bytes.Buffer
			require.NoError(t, v.WritePNG(&out, unit))
			require.NoError(t, v.WritePNG(&again, unit))
			require.Equal(t, out.Bytes(), again.Bytes(), "the same bytes each time")
			dots, err := png.Decode(&out)
			require.NoError(t, err)
			_, h := v.Size()
			require.Equal(t, image.Rect(0, 0, (w+side-1)/side, (h+side-1)/side), dots.Bounds())
			for y := range h {
				for x := range w {
					want := green
					if v.Touched(x, y) {
						want = red
					}
					require.Equal(t, want, dots.At(x/side, y/side), "%s %dx%d (%d,%d)", m, w, h, x, y)
					require.Equal(t, want, img.At(x, y))
				}
			}
		}
	}
}

func TestPictureErrors(t *testing.T) {
	v := ring(t, 300, 300, cmask.CM2)
	require.Error(t, v.WritePNG(io.Discard, cmask.PerTile))
	full := errors.New("disk full")
	for room := range 6 {
		require.ErrorIs(t, v.WritePNG(&limited{100 * room, full}, cmask.PerPixel), full)
	}
	require.ErrorIs(t, v.WriteASCII(&limited{10, full}, cmask.PerPixel), full)
	wide := blank(t, cmask.MaxSize, 1<<13, cmask.CM2)
	require.ErrorIs(t, v.Draw(image.NewPaletted(image.Rect(0, 0, 300, 299), cmask.Palette())), cmask.ErrSize)
	_, err := wide.Image()
	require.ErrorIs(t, err, cmask.ErrTooLarge)
}

// limited is a writer that fails when it is full.
type limited struct {
	room int
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if l.room -= len(p); l.room < 0 {
		return 0, l.err
	}
	return len(p), nil
}
