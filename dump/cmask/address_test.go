package cmask_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

// terms spells an equation as "x3 y4^z0", low bit first.
func terms(bits ...string) [][]cmask.Term {
	var eq [][]cmask.Term
	for _, b := range bits {
		var bit []cmask.Term
		for i := 0; i < len(b); {
			axis, n := cmask.Axis(b[i]), 0
			for i++; i < len(b) && b[i] != '^'; i++ {
				n = 10*n + int(b[i]-'0')
			}
			i++
			bit = append(bit, cmask.Term{Axis: axis, Bit: uint8(n)})
		}
		eq = append(eq, bit)
	}
	return eq
}

// gfx9Equation is of a made-up chip: two pipe bits, meta blocks of 256x256, interleave 256 bytes.
func gfx9Equation() cmask.EquationConfig {
	return cmask.EquationConfig{
		BlockWidth: 256, BlockHeight: 256, Pitch: 512, PaddedHeight: 768, PipeBits: 2, PipeXor: 1, InterleaveLog2: 7,
		Bits: terms("x3", "y3", "x5", "y5", "x6", "y6", "x7", "y7", "x4^y4^z1", "y4^z0^x5", "m0"),
	}
}

func gfx10Equation() cmask.EquationConfig {
	return cmask.EquationConfig{
		Form: cmask.GFX10, BlockWidth: 128, BlockHeight: 64, Pitch: 512, PaddedHeight: 640, PipeBits: 3, PipeXor: 6, InterleaveLog2: 3,
		SliceBytes: 4096, Bits: terms("x3", "y3", "x4", "y4^x9", "x5^z0", "y5^x6", "x6"),
	}
}

// addressers makes one of each kind for surfaces of 500x600 pixels.
func addressers(t testing.TB) map[string]cmask.Addresser {
	t.Helper()
	const w, h = 500, 600
	all := map[string]cmask.Addresser{}
	add := func(name string, a cmask.Addresser, err error) {
		require.NoError(t, err, name)
		all[name] = a
	}
	linear, err := cmask.NewLinear(w, h)
	add("linear", linear, err)
	wide, err := cmask.NewLinearBytes(w, h)
	add("linear-bytes", wide, err)
	for _, config := range cmask.PipeConfigs() {
		tiled, err := cmask.NewTiled(w, h, config)
		add(config, tiled, err)
	}
	gfx9, err := cmask.NewEquation(w, h, gfx9Equation())
	add("gfx9", gfx9, err)
	gfx10, err := cmask.NewEquation(w, h, gfx10Equation())
	add("gfx10", gfx10, err)
	return all
}

func TestAddressersAreInjectiveAndInsideTheirBytes(t *testing.T) {
	for name, a := range addressers(t) {
		w, h := a.Size()
		const slices = 3
		taken := map[int64]string{}
		for slice := range slices {
			for ty := range (h + 7) / 8 {
				for tx := range (w + 7) / 8 {
					n := a.Nibble(tx, ty, slice)
					at := fmt.Sprintf("tile (%d,%d) of slice %d", tx, ty, slice)
					require.Empty(t, taken[n], "%s: %s has the nibble of another", name, at)
					taken[n] = at
					if n < 0 || n>>1 >= a.Bytes(slice+1) {
						require.Fail(t, "outside", "%s: %s is nibble %d of %d bytes", name, at, n, a.Bytes(slice+1))
					}
				}
			}
		}
	}
}

// TestRoundTrip writes random nibbles through every addresser and reads them back: what is reported
// does not depend on how the memory was laid out, and other slices stay as they were.
func TestRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, a := range addressers(t) {
		for _, m := range cmask.Modes() {
			w, h := a.Size()
			want := blank(t, w, h, m)
			scatter(t, rnd, want)
			data := make([]byte, a.Bytes(3))
			require.NoError(t, want.Encode(data, a, 1), name)
			got, err := cmask.Decode(data, a, 1, want.Variant(), want.Samples())
			require.NoError(t, err, name)
			view, err := got.View(m)
			require.NoError(t, err)
			require.Equal(t, want.Report(), view.Report(), name)
			require.Equal(t, want.Histogram(), view.Histogram(), name)
			wide, high := want.Tiles()
			for ty := range high {
				for tx := range wide {
					require.Equal(t, want.Nibble(tx, ty), got.Nibble(tx, ty), name)
				}
			}
			for _, other := range []int{0, 2} {
				empty, err := cmask.Decode(data, a, other, want.Variant(), want.Samples())
				require.NoError(t, err)
				require.Equal(t, wide*high, empty.Histogram()[0], "%s slice %d", name, other)
			}
		}
	}
}

// scatter sets every tile at random.
func scatter(t testing.TB, rnd *rand.Rand, v *cmask.View) {
	t.Helper()
	wide, high := v.Tiles()
	for ty := range high {
		for tx := range wide {
			require.NoError(t, v.SetNibble(tx, ty, uint8(rnd.UintN(16))))
		}
	}
}

func TestAddress(t *testing.T) {
	linear, err := cmask.NewLinear(100, 40)
	require.NoError(t, err)
	thumb, err := cmask.NewLinearBytes(100, 40)
	require.NoError(t, err)
	for _, c := range []struct {
		name        string
		a           cmask.Addresser
		x, y, slice int
		byteOffset  int64
		bit         uint8
	}{
		{"first tile", linear, 7, 7, 0, 0, 0},
		{"odd tile is in the upper half", linear, 8, 0, 0, 0, 4},
		{"rows are 13 tiles, not padded", linear, 0, 8, 0, 6, 4},
		{"last pixel", linear, 99, 39, 0, 32, 0},
		{"65 tiles: slice 1 starts in mid-byte", linear, 0, 0, 1, 32, 4},
		{"a byte per tile", thumb, 99, 39, 1, 129, 0},
	} {
		byteOffset, bit, err := cmask.Address(c.a, c.x, c.y, c.slice)
		require.NoError(t, err, c.name)
		require.Equal(t, c.byteOffset, byteOffset, c.name)
		require.Equal(t, c.bit, bit, c.name)
	}
	for _, p := range [][3]int{{100, 0, 0}, {0, 40, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, cmask.MaxSlice + 1}} {
		_, _, err := cmask.Address(linear, p[0], p[1], p[2])
		require.ErrorIs(t, err, cmask.ErrCoord, "%v", p)
	}
}

// TestEquationOracle evaluates equations bit by bit, as written.
func TestEquationOracle(t *testing.T) {
	for _, c := range []cmask.EquationConfig{gfx9Equation(), gfx10Equation()} {
		a, err := cmask.NewEquation(500, 600, c)
		require.NoError(t, err)
		rnd := rand.New(rand.NewPCG(3, 4))
		for range 2000 {
			x, y, z := rnd.IntN(500), rnd.IntN(600), rnd.IntN(9)
			perRow, perSlice := c.Pitch/c.BlockWidth, c.Pitch/c.BlockWidth*(c.PaddedHeight/c.BlockHeight)
			block := y/c.BlockHeight*perRow + x/c.BlockWidth
			from := map[cmask.Axis]int{'x': x, 'y': y, 'z': z, 'm': z*perSlice + block}
			nibble := 0
			for i, bit := range c.Bits {
				odd := 0
				for _, term := range bit {
					odd ^= from[term.Axis] >> term.Bit & 1
				}
				nibble += odd << i
			}
			var want int
			xor := int(c.PipeXor) & (1<<c.PipeBits - 1) << c.InterleaveLog2
			if c.Form == cmask.GFX9 { // the last bit goes on
				last := len(c.Bits) - 1
				want = (nibble&(1<<last-1) + from['m']<<last) / 2
				want ^= xor
			} else {
				size := c.BlockWidth * c.BlockHeight / 128
				want = z*int(c.SliceBytes) + block*size + (nibble/2 ^ xor&(size-1))
			}
			byteOffset, bit, err := cmask.Address(a, x, y, z)
			require.NoError(t, err)
			require.Equal(t, int64(want), byteOffset, "form %d (%d,%d,%d)", c.Form, x, y, z)
			require.Equal(t, uint8(nibble&1*4), bit)
		}
	}
}

func TestBadLayouts(t *testing.T) {
	change := func(edit func(*cmask.EquationConfig)) func() error {
		return func() error {
			c := gfx9Equation()
			edit(&c)
			_, err := cmask.NewEquation(500, 600, c)
			return err
		}
	}
	tiled := func(w, h int, config string) func() error {
		return func() error { _, err := cmask.NewTiled(w, h, config); return err }
	}
	for _, c := range []struct {
		name string
		try  func() error
		want error
	}{
		{"no width", tiled(0, 8, "P2"), cmask.ErrSize},
		{"too high", tiled(8, cmask.MaxSize+1, "P2"), cmask.ErrSize},
		{"unknown pipes", tiled(8, 8, "P3"), cmask.ErrPipeConfig},
		{"pipes that share nibbles", tiled(8, 8, "P8_16x16_8x16"), cmask.ErrPipeConfig},
		{"good near-miss", change(func(*cmask.EquationConfig) {}), nil},
		{"block not a power of two", change(func(c *cmask.EquationConfig) { c.BlockWidth = 192 }), cmask.ErrEquation},
		{"block below a tile", change(func(c *cmask.EquationConfig) { c.BlockHeight = 4 }), cmask.ErrEquation},
		{"pitch below the width", change(func(c *cmask.EquationConfig) { c.Pitch = 256 }), cmask.ErrEquation},
		{"pitch not whole blocks", change(func(c *cmask.EquationConfig) { c.Pitch = 520 }), cmask.ErrEquation},
		{"no bits", change(func(c *cmask.EquationConfig) { c.Bits = nil }), cmask.ErrEquation},
		{"no block index at the end", change(func(c *cmask.EquationConfig) { c.Bits = c.Bits[:10] }), cmask.ErrEquation},
		{"two terms in the last bit", change(func(c *cmask.EquationConfig) { c.Bits[10] = terms("m0^x9")[0] }), cmask.ErrEquation},
		{"block index starts above what is kept", change(func(c *cmask.EquationConfig) { c.Bits[10] = terms("m11")[0] }), cmask.ErrEquation},
		{"low block bit is lost", change(func(c *cmask.EquationConfig) { c.Bits[10] = terms("m1")[0] }), cmask.ErrEquation},
		{"a bit inside a tile", change(func(c *cmask.EquationConfig) { c.Bits[0] = terms("x2")[0] }), cmask.ErrEquation},
		{"unknown axis", change(func(c *cmask.EquationConfig) { c.Bits[0] = terms("q3")[0] }), cmask.ErrEquation},
		{"two tiles share a nibble", change(func(c *cmask.EquationConfig) { c.Bits[1] = terms("x5")[0] }), cmask.ErrEquation},
		{"bits that cancel", change(func(c *cmask.EquationConfig) { c.Bits[0] = terms("x3^x3")[0] }), cmask.ErrEquation},
		{"unknown form", change(func(c *cmask.EquationConfig) { c.Form = 7 }), cmask.ErrEquation},
		{"too many pipe bits", change(func(c *cmask.EquationConfig) { c.PipeBits = 60 }), cmask.ErrEquation},
		{"pipe swizzle beyond the block", change(func(c *cmask.EquationConfig) { c.InterleaveLog2 = 9 }), cmask.ErrEquation},
		{"pipe swizzle that is not used may be wide", change(func(c *cmask.EquationConfig) { c.InterleaveLog2, c.PipeXor = 9, 0 }), nil},
		{"slices that overlap", func() error {
			c := gfx10Equation()
			c.SliceBytes = 1024
			_, err := cmask.NewEquation(500, 600, c)
			return err
		}, cmask.ErrEquation},
	} {
		require.ErrorIs(t, c.try(), c.want, c.name)
	}
}
