package cmask_test

import (
	"errors"
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

func TestSubTilesCoverTheTileOnce(t *testing.T) {
	for _, m := range cmask.Modes() {
		var covered [8][8]int
		var seen uint8
		for _, s := range m.SubTiles() {
			require.Zero(t, seen>>s.Bit&1, "%s: bit %d twice", m, s.Bit)
			seen |= 1 << s.Bit
			for y := s.Rect.Min.Y; y < s.Rect.Max.Y; y++ {
				for x := s.Rect.Min.X; x < s.Rect.Max.X; x++ {
					covered[y][x]++
					require.Equal(t, s.Bit, m.Bit(x, y), "%s (%d,%d)", m, x, y)
					require.Equal(t, s.Bit, m.Bit(x+8*5, y+8*3), "%s: another tile is alike", m)
				}
			}
		}
		require.Equal(t, m.TouchMask(), seen, m)
		for _, row := range covered {
			require.Equal(t, [8]int{1, 1, 1, 1, 1, 1, 1, 1}, row, m)
		}
	}
}

func TestTransposedModes(t *testing.T) {
	for _, pair := range [][2]cmask.Mode{{cmask.CM2, cmask.CM3}, {cmask.CM1, cmask.CM0}, {cmask.CMM0, cmask.CMM1}} {
		for y := range 8 {
			for x := range 8 {
				require.Equal(t, pair[0].Bit(x, y), pair[1].Bit(y, x), "%s and %s", pair[0], pair[1])
			}
		}
	}
}

// TestModeBits has the pixels of the description's example.
func TestModeBits(t *testing.T) {
	for _, c := range []struct {
		mode       cmask.Mode
		at13x6     uint8
		at5x1      uint8
		one, serie bool
	}{
		{cmask.CM2, 3, 1, true, true},
		{cmask.CM3, 3, 2, false, true},
		{cmask.CM1, 2, 2, true, false},
		{cmask.CM0, 3, 0, true, true},
		{cmask.CMM0, 3, 3, true, false},
		{cmask.CMM1, 3, 2, true, true},
	} {
		require.Equal(t, c.at13x6, c.mode.Bit(13, 6), c.mode)
		require.Equal(t, c.at5x1, c.mode.Bit(5, 1), c.mode)
		require.Equal(t, c.one, c.mode.On(cmask.One), c.mode)
		require.Equal(t, c.serie, c.mode.On(cmask.Series), c.mode)
		for _, name := range []string{c.mode.String(), string('0' + rune(c.mode))} {
			m, err := cmask.ParseMode(name)
			require.NoError(t, err)
			require.Equal(t, c.mode, m)
		}
	}
	for _, name := range []string{"", "6", "CM4", "cm0", "00"} {
		_, err := cmask.ParseMode(name)
		require.ErrorIs(t, err, cmask.ErrMode, name)
	}
}

// slowReport asks for every pixel.
func slowReport(v *cmask.View) cmask.Report {
	w, h := v.Size()
	r := cmask.Report{Pixels: int64(w) * int64(h)}
	for ty := 0; ty < h; ty += 8 {
		for tx := 0; tx < w; tx += 8 {
			var touched, all int64
			for y := ty; y < min(ty+8, h); y++ {
				for x := tx; x < min(tx+8, w); x++ {
					all++
					if v.Touched(x, y) {
						touched++
						r.Bounds = r.Bounds.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			r.TouchedPixels += touched
			switch touched {
			case 0:
				r.ClearedTiles++
			case all:
				r.TouchedTiles++
			default:
				r.PartlyTiles++
			}
		}
	}
	return r
}

func TestReportAgainstEveryPixel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, m := range cmask.Modes() {
		for range 60 {
			v := blank(t, 1+rnd.IntN(40), 1+rnd.IntN(40), m)
			wide, high := v.Tiles()
			for range rnd.IntN(1 + wide*high) {
				require.NoError(t, v.SetNibble(rnd.IntN(wide), rnd.IntN(high), uint8(rnd.UintN(16))))
			}
			require.Equal(t, slowReport(v), v.Report())
		}
	}
}

func TestReportInvariants(t *testing.T) {
	for _, m := range cmask.Modes() {
		area := func(nibble uint8) int64 { return oneTile(t, m, nibble).Report().TouchedPixels }
		require.Zero(t, area(0), m)
		require.Equal(t, int64(64), area(m.TouchMask()), m)
		for a := range uint8(16) {
			require.Equal(t, area(a), area(a&m.TouchMask()), "%s: only sub-tile bits count", m)
			for b := range uint8(16) {
				va, vb, both := oneTile(t, m, a), oneTile(t, m, b), oneTile(t, m, a|b)
				for y := range 8 {
					for x := range 8 {
						require.Equal(t, va.Touched(x, y) || vb.Touched(x, y), both.Touched(x, y), "%s %x|%x", m, a, b)
					}
				}
			}
			whole := area(a)
			for size := 1; size < 8; size++ {
				cut := blank(t, size, 9-size, m)
				require.NoError(t, cut.SetNibble(0, 0, a))
				require.LessOrEqual(t, cut.Report().TouchedPixels, whole, "clipping adds nothing")
				require.Equal(t, a&m.TouchMask() != 0, cut.TileTouched(0, 0))
			}
		}
	}
}

// TestReportClips is the description's worked example: the touched quarter of a tile lies outside.
func TestReportClips(t *testing.T) {
	a, err := cmask.NewLinear(12, 10)
	require.NoError(t, err)
	s, err := cmask.Decode([]byte{0x1F, 0x02}, a, 0, cmask.FastClear, 1)
	require.NoError(t, err)
	v, err := s.View(cmask.CM0)
	require.NoError(t, err)
	r := v.Report()
	require.Equal(t, cmask.Report{
		Pixels: 120, TouchedPixels: 72, ClearedTiles: 2, PartlyTiles: 1, TouchedTiles: 1, Bounds: image.Rect(0, 0, 12, 8),
	}, r)
	require.InDelta(t, 60, r.Percent(), 1e-9)
	require.Equal(t, int64(48*4), r.EliminateBytes(32))
	require.True(t, v.TileTouched(0, 1), "a touch outside the surface still shows in the tile's nibble")
}

func TestSurfaceErrors(t *testing.T) {
	a, err := cmask.NewLinear(16, 16)
	require.NoError(t, err)
	decode := func(data []byte, slice int, v cmask.Variant, samples int) error {
		_, err := cmask.Decode(data, a, slice, v, samples)
		return err
	}
	view := func(v cmask.Variant, samples int, m cmask.Mode) error {
		s, err := cmask.NewSurface(16, 16, v, samples)
		require.NoError(t, err)
		_, err = s.View(m)
		return err
	}
	for _, c := range []struct {
		name      string
		got, want error
	}{
		{"enough", decode([]byte{0, 0}, 0, cmask.FastClear, 1), nil},
		{"a byte is missing", decode([]byte{0}, 0, cmask.FastClear, 1), cmask.ErrShort},
		{"second slice is missing", decode([]byte{0, 0}, 1, cmask.FastClear, 1), cmask.ErrShort},
		{"negative slice", decode([]byte{0, 0}, -1, cmask.FastClear, 1), cmask.ErrCoord},
		{"no such variant", decode([]byte{0, 0}, 0, 6, 1), cmask.ErrVariant},
		{"three samples", decode([]byte{0, 0}, 0, cmask.FastClearMSAA, 3), cmask.ErrSamples},
		{"MSAA variant of one sample", decode([]byte{0, 0}, 0, cmask.FastClearMSAA, 1), cmask.ErrVariantSamples},
		{"2 planes of 4 samples", decode([]byte{0, 0x20}, 0, cmask.FastClearMSAA, 4), nil},
		{"2 planes of 2 samples", decode([]byte{0, 0x20}, 0, cmask.FastClearMSAA, 2), cmask.ErrFmaskPlanes},
		{"expanded", decode([]byte{0xDD, 0xCD}, 0, cmask.Expanded, 2), nil},
		{"expanded with a cleared half", decode([]byte{0xDD, 0xC5}, 0, cmask.Expanded, 2), cmask.ErrUpperBits},
		{"layout fits", view(cmask.FastClear, 1, cmask.CM0), nil},
		{"MSAA layout of one sample", view(cmask.FastClear, 1, cmask.CMM0), cmask.ErrModeSamples},
		{"plain layout of MSAA", view(cmask.FastClearMSAA, 4, cmask.CM0), cmask.ErrModeSamples},
		{"no such layout", view(cmask.FastClear, 1, 6), cmask.ErrMode},
		{"expanded keeps no touches", view(cmask.Expanded, 4, cmask.CMM1), cmask.ErrNotFastClear},
		{"hints keep no touches", view(cmask.Hints, 1, cmask.CM0), cmask.ErrNotFastClear},
		{"MSAA hints keep no touches", view(cmask.HintsMSAA, 2, cmask.CMM1), cmask.ErrNotFastClear},
	} {
		require.ErrorIs(t, c.got, c.want, c.name)
	}
	require.EqualError(t, decode([]byte{0, 0x20}, 0, cmask.FastClearMSAA, 2),
		"tile (1,1): nibble 0x2 has 2 planes, 2 samples allow 1: more FMASK bit planes than log2(samples)")
}

func TestRead(t *testing.T) {
	a, err := cmask.NewLinear(16, 16)
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		data  string
		slice int
		more  bool
		want  error
	}{
		{"exactly", "\x12\x34", 0, false, nil},
		{"one byte more", "\x12\x34\x00", 0, true, nil},
		{"the second slice", "\x00\x00\x12\x34", 1, false, nil},
		{"one byte less", "\x12", 0, false, cmask.ErrShort},
		{"no such slice", "\x12", cmask.MaxSlice + 1, false, cmask.ErrCoord},
	} {
		s, more, err := cmask.Read(iotest.OneByteReader(strings.NewReader(c.data)), a, c.slice, cmask.FastClear, 1)
		require.ErrorIs(t, err, c.want, c.name)
		require.Equal(t, c.more, more, c.name)
		if c.want == nil {
			require.Equal(t, []uint8{2, 1, 4, 3}, []uint8{s.Nibble(0, 0), s.Nibble(1, 0), s.Nibble(0, 1), s.Nibble(1, 1)}, c.name)
		}
	}
	broken := errors.New("broken")
	_, _, err = cmask.Read(iotest.ErrReader(broken), a, 0, cmask.FastClear, 1)
	require.ErrorIs(t, err, broken)
}

func TestEncodeErrors(t *testing.T) {
	a, err := cmask.NewLinear(16, 16)
	require.NoError(t, err)
	s, err := cmask.NewSurface(16, 16, cmask.FastClear, 1)
	require.NoError(t, err)
	other, err := cmask.NewSurface(16, 24, cmask.FastClear, 1)
	require.NoError(t, err)
	require.NoError(t, s.Encode(make([]byte, 2), a, 0))
	require.ErrorIs(t, s.Encode(make([]byte, 2), a, 1), cmask.ErrShort)
	require.ErrorIs(t, s.Encode(make([]byte, 2), a, -1), cmask.ErrCoord)
	require.ErrorIs(t, other.Encode(make([]byte, 9), a, 0), cmask.ErrSize)
	require.ErrorIs(t, s.SetNibble(0, 0, 16), cmask.ErrNibble)
}

func TestHistograms(t *testing.T) {
	a, err := cmask.NewLinear(32, 8)
	require.NoError(t, err)
	s, err := cmask.Decode([]byte{0x1C, 0x51}, a, 0, cmask.HintsMSAA, 4)
	require.NoError(t, err)
	require.Equal(t, [4]int{1, 3, 0, 0}, s.FmaskPlanes())
	require.Equal(t, [4]int{2, 1, 0, 1}, s.VRSHints())
	s, err = cmask.NewSurface(24, 8, cmask.Expanded, 8)
	require.NoError(t, err)
	require.Equal(t, [4]int{0, 0, 0, 3}, s.FmaskPlanes(), "11 above log2(8) planes")
	require.Equal(t, [4]int{}, s.VRSHints(), "this variant has none")
	require.Equal(t, 3, s.Histogram()[0xF])
}

func TestSelect(t *testing.T) {
	good := cmask.SurfaceConfig{Generation: cmask.One, Samples: 1, FastClear: true, BitsPerPixel: 32, Tile: "THIN"}
	series := cmask.SurfaceConfig{Generation: cmask.Series, Samples: 1, FastClear: true, BitsPerPixel: 32, Tile: "S"}
	with := func(c cmask.SurfaceConfig, edit func(*cmask.SurfaceConfig)) cmask.SurfaceConfig {
		edit(&c)
		return c
	}
	for _, c := range []struct {
		name   string
		config cmask.SurfaceConfig
		want   cmask.Selection
		err    error
	}{
		{"One", good, cmask.Selection{Variant: 1, Mode: cmask.CM2}, nil},
		{"Series, letter alone", series, cmask.Selection{Variant: 1, Mode: cmask.CM3}, nil},
		{"Series, whole name", with(series, func(c *cmask.SurfaceConfig) { c.Tile = "SW_64KB_S" }), cmask.Selection{Variant: 1, Mode: cmask.CM3}, nil},
		{"Series, suffix", with(series, func(c *cmask.SurfaceConfig) { c.Tile = "SW_VAR_R_X" }), cmask.Selection{Variant: 1, Mode: cmask.CM2}, nil},
		{"Series, bad suffix", with(series, func(c *cmask.SurfaceConfig) { c.Tile = "SW_64KB_S_Y" }), cmask.Selection{}, cmask.ErrTileMode},
		{"linear", with(series, func(c *cmask.SurfaceConfig) { c.Tile = "SW_LINEAR" }), cmask.Selection{}, cmask.ErrTileMode},
		{"One's mode on Series", with(series, func(c *cmask.SurfaceConfig) { c.Tile = "THIN" }), cmask.Selection{}, cmask.ErrTileMode},
		{"Series' mode on One", with(good, func(c *cmask.SurfaceConfig) { c.Tile = "R" }), cmask.Selection{}, cmask.ErrTileMode},
		{"no generation", with(good, func(c *cmask.SurfaceConfig) { c.Generation = 0 }), cmask.Selection{}, cmask.ErrGeneration},
		{"128 bits on One", with(good, func(c *cmask.SurfaceConfig) { c.BitsPerPixel = 128 }), cmask.Selection{}, cmask.ErrLayoutUnspecified},
		{"128 bits on One, MSAA", with(good, func(c *cmask.SurfaceConfig) { c.BitsPerPixel, c.Samples = 128, 2 }), cmask.Selection{Variant: 2, Mode: cmask.CMM1}, nil},
		{"24 bits", with(good, func(c *cmask.SurfaceConfig) { c.BitsPerPixel = 24 }), cmask.Selection{}, cmask.ErrBitsPerPixel},
		{"16 samples", with(good, func(c *cmask.SurfaceConfig) { c.Samples = 16 }), cmask.Selection{}, cmask.ErrSamples},
		{"hints on One", with(good, func(c *cmask.SurfaceConfig) { c.FastClear, c.VRSHints = false, true }), cmask.Selection{}, cmask.ErrVRSGeneration},
		{"hints on Series", with(series, func(c *cmask.SurfaceConfig) { c.FastClear, c.VRSHints = false, true }), cmask.Selection{Variant: 5}, nil},
		{"hints and fast clear", with(series, func(c *cmask.SurfaceConfig) { c.VRSHints = true }), cmask.Selection{}, cmask.ErrVRSFastClear},
		{"neither", with(good, func(c *cmask.SurfaceConfig) { c.FastClear = false }), cmask.Selection{}, cmask.ErrNoCmask},
		{"MSAA of Series not R", with(series, func(c *cmask.SurfaceConfig) { c.Samples = 4 }), cmask.Selection{}, cmask.ErrMSAATileMode},
		{"ROTATED warns", with(good, func(c *cmask.SurfaceConfig) { c.Tile, c.Samples = "ROTATED", 4 }),
			cmask.Selection{Variant: 2, Mode: cmask.CMM0, Warning: "tile mode ROTATED is never used by the driver"}, nil},
	} {
		got, err := cmask.Select(c.config)
		require.ErrorIs(t, err, c.err, c.name)
		if c.err == nil {
			require.Equal(t, c.want, got, c.name)
		}
	}
}

func TestCheck(t *testing.T) {
	// CM2 on 20x20: the upper right quarter of tile (1,0), which is pixels (12,0)-(16,4), is touched.
	v := blank(t, 20, 20, cmask.CM2)
	require.NoError(t, v.SetNibble(1, 0, 2))
	full := image.Rect(0, 0, 20, 20)
	for _, c := range []struct {
		name  string
		draws []cmask.Draw
		want  cmask.Reason
	}{
		{"a draw over all", []cmask.Draw{{Area: full}}, ""},
		{"a pixel of the sub-tile is reached", []cmask.Draw{{Area: image.Rect(15, 3, 99, 99)}}, ""},
		{"next to the sub-tile", []cmask.Draw{{Area: image.Rect(16, 0, 20, 20)}, {Area: image.Rect(0, 4, 20, 20)}}, cmask.OutsideTouched},
		{"the second draw reaches", []cmask.Draw{{Area: image.Rect(16, 0, 20, 20)}, {Area: image.Rect(12, 0, 13, 1)}}, ""},
		{"an empty scissor", []cmask.Draw{{Area: image.Rectangle{}}}, cmask.OutsideTouched},
		{"only stream output", []cmask.Draw{{Discard: true, Area: full}}, cmask.DiscardTouched},
		{"stream output, then a draw", []cmask.Draw{{Discard: true, Area: full}, {Area: full}}, ""},
		{"color mask 0", []cmask.Draw{{NoColorWrite: true, Area: full}}, cmask.NoColorTouched},
		{"discard and color mask 0", []cmask.Draw{{Discard: true}, {NoColorWrite: true}, {Discard: true}}, cmask.NoColorTouched},
		{"a draw elsewhere, and stream output", []cmask.Draw{{Area: image.Rect(0, 0, 2, 2)}, {Discard: true}}, cmask.OutsideTouched},
		{"no draw", nil, cmask.OutsideTouched},
	} {
		f := v.Check(c.draws)
		if c.want == "" {
			require.Nil(t, f, c.name)
			continue
		}
		require.NotNil(t, f, c.name)
		require.Equal(t, c.want, f.Reason, c.name)
		require.Equal(t, int64(16), f.Pixels, c.name)
		require.Equal(t, image.Rect(12, 0, 16, 4), f.Bounds, c.name)
	}
	require.Equal(t, "every draw has rasterizer discard: 16 pixels in (12,0)-(16,4) are touched", v.Check([]cmask.Draw{{Discard: true}}).Message)

	outside := blank(t, 20, 20, cmask.CM2)
	require.NoError(t, outside.SetNibble(2, 2, 8)) // (20,20)-(24,24)
	require.Nil(t, outside.Check([]cmask.Draw{{Discard: true}}), "nothing inside the surface is touched")
}

// TestCheckAgainstDrawing draws random rectangles pixel by pixel: what they really touch is explained,
// and taking one draw away is found out unless the others meet all of its sub-tiles.
func TestCheckAgainstDrawing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, m := range cmask.Modes() {
		for range 100 {
			v := blank(t, 1+rnd.IntN(30), 1+rnd.IntN(30), m)
			w, h := v.Size()
			var draws []cmask.Draw
			for range 1 + rnd.IntN(3) {
				x, y := rnd.IntN(w), rnd.IntN(h)
				draws = append(draws, cmask.Draw{Area: image.Rect(x, y, x+1+rnd.IntN(12), y+1+rnd.IntN(12))})
			}
			bits := func(d cmask.Draw, f func(tx, ty int, bit uint8)) {
				for y := d.Area.Min.Y; y < min(h, d.Area.Max.Y); y++ {
					for x := d.Area.Min.X; x < min(w, d.Area.Max.X); x++ {
						f(x/8, y/8, m.Bit(x, y))
					}
				}
			}
			for _, d := range draws {
				bits(d, func(tx, ty int, bit uint8) {
					require.NoError(t, v.SetNibble(tx, ty, v.Nibble(tx, ty)|1<<bit))
				})
			}
			require.Nil(t, v.Check(draws))
			met := map[[3]int]bool{}
			for _, d := range draws[1:] {
				bits(d, func(tx, ty int, bit uint8) { met[[3]int{tx, ty, int(bit)}] = true })
			}
			missed := false
			bits(draws[0], func(tx, ty int, bit uint8) { missed = missed || !met[[3]int{tx, ty, int(bit)}] })
			require.Equal(t, missed, v.Check(draws[1:]) != nil, "%s %v", m, draws)
		}
	}
}
