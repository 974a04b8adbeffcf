package cmask

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrPipeConfig says that the pipe configuration is unknown or cannot address Cmask.
var ErrPipeConfig = errors.New("no such pipe configuration for Cmask")

// xorBit is one bit of an address: the parity of the coordinate bits of x and of y that it names.
type xorBit struct{ x, y uint32 }

func (b xorBit) at(x, y int) int64 {
	return int64(bits.OnesCount32(uint32(x)&b.x^uint32(y)&b.y) & 1)
}

// Coordinate bits of a pixel, for the table below.
const (
	b3, b4, b5, b6 = 1 << 3, 1 << 4, 1 << 5, 1 << 6
)

// pipeConfig is how one arrangement of memory pipes spreads the tiles. Tiles are kept in macro blocks;
// inside of one they are spread over the pipes, and within a pipe each block of 32x32 pixels takes
// consecutive nibbles, whose low bits come from element.
type pipeConfig struct {
	name       string
	shift      uint     // log2 of the nibbles of one 32x32 block in one pipe
	clear      uint     // low bits of the nibble's number that element gives
	element    []xorBit // low first
	pipe       []xorBit // low first
	macroWidth int      // pixels
	macroHigh  int      // pixels
}

// pipeConfigs are those of GFX6 to GFX8. P8_16x16_8x16 is left out: it tells only four of its eight
// pipes apart and maps two tiles to one nibble.
var pipeConfigs = [...]pipeConfig{
	{"P2", 3, 3, []xorBit{{b4, b3}, {b4, b4}, {b4, 0}}, []xorBit{{b3, b3}}, 256, 128},
	{"P4_8x16", 2, 2, []xorBit{{b4, b4}, {b4, 0}}, []xorBit{{b4, b3}, {b3, b4}}, 256, 256},
	{"P4_16x16", 2, 2, []xorBit{{b4, b3}, {b4, 0}}, []xorBit{{b3 | b4, b3}, {b4, b4}}, 256, 256},
	{"P4_16x32", 2, 2, []xorBit{{b4, b3}, {b4, b4}}, []xorBit{{b3 | b4, b3}, {b4, b5}}, 256, 256},
	{"P4_32x32", 2, 3, []xorBit{{b4, b3}, {b4, b4}, {b4, 0}}, []xorBit{{b3 | b5, b3}, {b5, b5}}, 256, 256},
	{"P8_16x32_8x16", 1, 1, []xorBit{{b3, 0}}, []xorBit{{b4 | b5, b3}, {b3, b4}, {b4, b5}}, 512, 256},
	{"P8_32x32_8x16", 1, 2, []xorBit{{b4, b4}, {b4, 0}}, []xorBit{{b4 | b5, b3}, {b3, b4}, {b5, b5}}, 512, 256},
	{"P8_16x32_16x16", 1, 1, []xorBit{{b3, 0}}, []xorBit{{b3 | b4, b3}, {b5, b4}, {b4, b5}}, 512, 256},
	{"P8_32x32_16x16", 1, 2, []xorBit{{b4, b3}, {b4, 0}}, []xorBit{{b3 | b4, b3}, {b4, b4}, {b5, b5}}, 512, 256},
	{"P8_32x32_16x32", 1, 2, []xorBit{{b4, b3}, {b4, b4}}, []xorBit{{b3 | b4, b3}, {b4, b6}, {b5, b5}}, 512, 256},
	{"P8_32x64_32x32", 1, 3, []xorBit{{b4, b3}, {b4, b4}, {b4, 0}}, []xorBit{{b3 | b5, b3}, {b6, b5}, {b5, b6}}, 512, 256},
	{"P16_32x32_8x16", 0, 2, []xorBit{{b4, b4}, {b4, 0}}, []xorBit{{b4, b3}, {b3, b4}, {b5, b6}, {b6, b5}}, 512, 512},
	{"P16_32x32_16x16", 0, 2, []xorBit{{b4, b3}, {b4, 0}}, []xorBit{{b3 | b4, b3}, {b4, b4}, {b5, b6}, {b6, b5}}, 512, 512},
}

// PipeConfigs lists the names that [NewTiled] takes.
func PipeConfigs() []string {
	var names []string
	for _, c := range pipeConfigs {
		names = append(names, c.name)
	}
	return names
}

// interleaveLog2 is log2 of how many nibbles of one pipe follow each other in memory: 256 bytes.
const interleaveLog2 = 9

// Tiled keeps the tiles as GFX6 to GFX8 do (the class of the Xbox One), spread over the memory pipes.
// Which pipe configuration a machine has must be known from elsewhere. The arrangement is that of
// SiLib in Mesa's src/amd/addrlib.
type Tiled struct {
	extent
	config        *pipeConfig
	pitch, padded int // pixels: width and height with padding
	macroWideLog2 int // tiles
	macroHighLog2 int
	fromX, fromY  []int64 // what each column and row of tiles gives to the place in a macro block
}

// NewTiled makes the addresser for a surface under a pipe configuration such as "P4_16x16".
// [ErrPipeConfig] when there is no such one, [ErrSize] when a side is not 1 to [MaxSize] pixels.
func NewTiled(width, height int, config string) (*Tiled, error) {
	e, err := newExtent(width, height)
	if err != nil {
		return nil, err
	}
	for i := range pipeConfigs {
		if c := &pipeConfigs[i]; c.name == config {
			t := &Tiled{extent: e, config: c, pitch: roundUp(width, c.macroWidth), padded: roundUp(height, c.macroHigh)}
			for t.sliceBytes()%t.Align() != 0 {
				t.padded += c.macroHigh
			}
			t.spread()
			return t, nil
		}
	}
	if config == "P8_16x16_8x16" {
		return nil, fmt.Errorf("%s maps two tiles to one nibble: %w", config, ErrPipeConfig)
	}
	return nil, fmt.Errorf("%q: %w", config, ErrPipeConfig)
}

func (t *Tiled) spread() {
	c := t.config
	t.macroWideLog2 = bits.TrailingZeros(uint(c.macroWidth / TileSize))
	t.macroHighLog2 = bits.TrailingZeros(uint(c.macroHigh / TileSize))
	wide, high := t.tiles()
	t.fromX, t.fromY = make([]int64, wide), make([]int64, high)
	for tx := range t.fromX {
		t.fromX[tx] = c.inMacro(tx*TileSize, 0)
	}
	for ty := range t.fromY {
		t.fromY[ty] = c.inMacro(0, ty*TileSize)
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Padded is the width and height in pixels that memory is kept for.
func (t *Tiled) Padded() (pitch, height int) { return t.pitch, t.padded }

// Align is the alignment in bytes of the memory and of each slice in it.
func (t *Tiled) Align() int64 { return 1 << (len(t.config.pipe) + interleaveLog2 - 1) }

func (t *Tiled) sliceBytes() int64 {
	return int64(t.pitch) * int64(t.padded) / (TileSize * TileSize * 2)
}

// Bytes is the size in memory; see [Addresser].
func (t *Tiled) Bytes(slices int) int64 { return int64(slices) * t.sliceBytes() }

// Nibble is the place of a tile's nibble; see [Addresser].
func (t *Tiled) Nibble(tx, ty, slice int) int64 {
	c := t.config
	macrosWide, macrosHigh := t.pitch/c.macroWidth, t.padded/c.macroHigh
	macro := (int64(slice)*int64(macrosHigh)+int64(ty>>t.macroHighLog2))*int64(macrosWide) + int64(tx>>t.macroWideLog2)
	// A macro block is 1<<8 nibbles of each pipe, and two of them fill what one pipe has in a row.
	return t.fromX[tx] ^ t.fromY[ty] + macro&1<<8 + macro>>1<<(interleaveLog2+len(c.pipe))
}

// inMacro is the place of pixel (x,y)'s nibble in the first of the two macro blocks that go together.
// Its bits are XORs of the coordinates' bits, so that columns and rows can be worked out apart.
func (c *pipeConfig) inMacro(x, y int) int64 {
	const block = 32 // pixels: the side of what keeps together within a pipe
	micro := int64(x%c.macroWidth/block+y%c.macroHigh/block*(c.macroWidth/block)) << c.shift
	if c.clear != c.shift {
		micro &^= 1<<c.clear - 1
	}
	for i, b := range c.element {
		micro += b.at(x, y) << i
	}
	for i, b := range c.pipe {
		micro += b.at(x, y) << (interleaveLog2 + i)
	}
	return micro
}
