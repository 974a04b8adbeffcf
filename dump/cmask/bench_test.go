package cmask_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

// BenchmarkDraw compares decoding and drawing a surface of 4096x4096 with the floor, copying the
// picture (16 MiB, a byte a pixel). The nibbles are noise, the worst case for the PNG's compressor.
func BenchmarkDraw(b *testing.B) {
	const side = 4096
	linear, err := cmask.NewLinear(side, side)
	require.NoError(b, err)
	tiled, err := cmask.NewTiled(side, side, "P8_32x32_16x16")
	require.NoError(b, err)
	c := cmask.EquationConfig{
		BlockWidth: 1024, BlockHeight: 1024, Pitch: side, PaddedHeight: side, PipeBits: 4, InterleaveLog2: 8,
		Bits: terms("x3", "y3", "x6", "y6", "x7", "y7", "x8", "y8", "x9", "y4^x7", "x4^y7", "y5^x6", "x5^y6", "y9", "m0"),
	}
	equation, err := cmask.NewEquation(side, side, c)
	require.NoError(b, err)
	data := make([]byte, tiled.Bytes(1))
	rnd := rand.New(rand.NewPCG(11, 12))
	for i := range data {
		data[i] = byte(rnd.UintN(256))
	}
	decode := func(b *testing.B, a cmask.Addresser) *cmask.View {
		s, err := cmask.Decode(data, a, 0, cmask.FastClear, 1)
		require.NoError(b, err)
		v, err := s.View(cmask.CM2)
		require.NoError(b, err)
		return v
	}
	img, err := decode(b, linear).Image()
	require.NoError(b, err)
	picture := make([]byte, len(img.Pix))
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(side * side)
		for b.Loop() {
			copy(picture, img.Pix)
		}
	})
	b.Run("copy-into-new-memory", func(b *testing.B) {
		b.SetBytes(side * side)
		for b.Loop() {
			picture = bytes.Clone(img.Pix)
		}
	})
	for _, layout := range []struct {
		name string
		a    cmask.Addresser
	}{{"linear", linear}, {"tiled", tiled}, {"equation", equation}} {
		b.Run("decode-"+layout.name, func(b *testing.B) {
			b.SetBytes(side * side)
			for b.Loop() {
				decode(b, layout.a)
			}
		})
		b.Run("draw-"+layout.name, func(b *testing.B) {
			b.SetBytes(side * side)
			for b.Loop() {
				if err := decode(b, layout.a).Draw(img); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("image-"+layout.name, func(b *testing.B) {
			b.SetBytes(side * side)
			for b.Loop() {
				if _, err := decode(b, layout.a).Image(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("png-"+layout.name, func(b *testing.B) {
			b.SetBytes(side * side)
			for b.Loop() {
				if err := decode(b, layout.a).WritePNG(io.Discard, cmask.PerPixel); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("report", func(b *testing.B) {
		v := decode(b, linear)
		for b.Loop() {
			v.Report()
		}
	})
}
