package cmask

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrEquation says that an equation is malformed or gives two tiles one nibble.
var ErrEquation = errors.New("bad address equation")

// Axis is what an equation's term takes a bit of.
type Axis byte

// The axes.
const (
	AxisX      Axis = 'x' // pixels
	AxisY      Axis = 'y' // pixels
	AxisZ      Axis = 'z' // slice
	AxisSample Axis = 's' // always 0: Cmask is kept per pixel
	AxisBlock  Axis = 'm' // index of the meta block, over all slices
)

// Term is one bit of a coordinate.
type Term struct {
	Axis Axis
	Bit  uint8
}

// Form says how an equation's bits and the blocks make up an address.
type Form uint8

// The forms.
const (
	// GFX9: the equation's last bit is one bit of the block index; it and all higher ones of the index go
	// on from there.
	GFX9 Form = iota
	// GFX10: the equation gives the place inside a block; blocks and slices are added.
	GFX10
)

// EquationConfig describes a layout by address bits, each the XOR of some bits of coordinates, as
// addrlib hands it out for one surface.
type EquationConfig struct {
	Form                    Form
	BlockWidth, BlockHeight int // meta block in pixels, powers of two, at least 8
	Pitch, PaddedHeight     int // pixels, whole meta blocks
	// Bits are those of the nibble's number, low first.
	Bits [][]Term
	// PipeXor is the surface's own pipe swizzle, of which the low PipeBits count.
	PipeBits, PipeXor uint
	// InterleaveLog2 is log2 of the bytes of one pipe that follow each other, usually 8.
	InterleaveLog2 uint
	// SliceBytes is the size of a slice in bytes; GFX10 only, 0 for slices without a gap.
	SliceBytes int64
}

// Equation keeps the tiles as GFX9 and GFX10 do, by an [EquationConfig]. Addresses are made up as Mesa's
// src/amd/common/ac_surface.c (GFX9) and Gfx10Lib in src/amd/addrlib (GFX10) do.
type Equation struct {
	extent
	c                      EquationConfig
	fromX, fromY           []int64 // what each tile column and row gives to the address, an XOR apart
	fromZ, fromM           []int64 // what each bit of the slice and of the block index gives
	blocksWide             int64
	blocksHigh             int64
	tilesLog2X, tilesLog2Y int   // log2 of tiles per meta block: across, down
	pipeXor                int64 // nibbles
	lowBits                int   // how many address bits stand below the block index
	lastDrop               int   // how many bits of the block index are not above them (GFX9, usually 0)
}

// NewEquation checks an equation and makes the addresser. [ErrEquation] when it is not one that memory
// can be addressed by, [ErrSize] when a side is not 1 to [MaxSize] pixels.
func NewEquation(width, height int, c EquationConfig) (*Equation, error) {
	x, err := newExtent(width, height)
	if err != nil {
		return nil, err
	}
	if err := c.check(x); err != nil {
		return nil, err
	}
	e := &Equation{
		extent:     x,
		c:          c,
		blocksWide: int64(c.Pitch / c.BlockWidth),
		blocksHigh: int64(c.PaddedHeight / c.BlockHeight),
		tilesLog2X: bits.TrailingZeros(uint(c.BlockWidth / TileSize)),
		tilesLog2Y: bits.TrailingZeros(uint(c.BlockHeight / TileSize)),
		pipeXor:    int64(c.PipeXor&(1<<c.PipeBits-1)) << c.InterleaveLog2 << 1,
	}
	low := c.Bits
	if c.Form == GFX9 {
		last := len(c.Bits) - 1
		low = c.Bits[:last]
		e.lastDrop = int(c.Bits[last][0].Bit)
		if e.pipeXor>>last != 0 {
			return nil, fmt.Errorf("pipe swizzle %d reaches out of the meta block: %w", c.PipeXor, ErrEquation)
		}
	} else {
		e.pipeXor &= 1<<len(low) - 1
	}
	if size := bits.Len64(uint64(e.blocksWide*e.blocksHigh)) + len(low); size > 41 {
		return nil, fmt.Errorf("a slice takes about 1<<%d nibbles: %w", size, ErrEquation)
	}
	e.lowBits = len(low)
	cols := columnsOf(low)
	if err := cols.distinct(e.tilesLog2X, e.tilesLog2Y, e.lastDrop); err != nil {
		return nil, err
	}
	tilesWide, tilesHigh := x.tiles()
	e.fromX = spread(tilesWide, cols[AxisX][3:])
	e.fromY = spread(tilesHigh, cols[AxisY][3:])
	e.fromZ, e.fromM = cols[AxisZ], cols[AxisBlock]
	return e, nil
}

func (c *EquationConfig) check(x extent) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf(format+": %w", append(args, ErrEquation)...)
	}
	for _, side := range [...]struct {
		name                string
		block, padded, size int
	}{{"width", c.BlockWidth, c.Pitch, x.width}, {"height", c.BlockHeight, c.PaddedHeight, x.height}} {
		if side.block < TileSize || side.block > MaxSize || bits.OnesCount(uint(side.block)) != 1 {
			return fail("meta block %s is %d, must be a power of two of 8 to %d", side.name, side.block, MaxSize)
		}
		if side.padded < side.size || side.padded > 2*MaxSize || side.padded%side.block != 0 {
			return fail("padded %s is %d, must be whole meta blocks of %d and hold %d", side.name, side.padded, side.block, side.size)
		}
	}
	if len(c.Bits) < 1 || len(c.Bits) > 31 {
		return fail("%d address bits, must be 1 to 31", len(c.Bits))
	}
	if c.PipeBits > 8 || c.InterleaveLog2 > 16 {
		return fail("%d pipe bits, interleave 1<<%d, at most 8 and 1<<16", c.PipeBits, c.InterleaveLog2)
	}
	for i, terms := range c.Bits {
		for _, t := range terms {
			if err := t.check(); err != nil {
				return fail("address bit %d: %v", i, err)
			}
		}
	}
	return c.checkForm(fail)
}

func (t Term) check() error {
	switch t.Axis {
	case AxisX, AxisY:
		if t.Bit < 3 {
			return fmt.Errorf("%c%d is inside a tile", t.Axis, t.Bit)
		}
	case AxisZ, AxisSample, AxisBlock:
	default:
		return fmt.Errorf("unknown coordinate %q", rune(t.Axis))
	}
	if t.Bit > 31 {
		return fmt.Errorf("%c%d: a coordinate has bits 0 to 31", t.Axis, t.Bit)
	}
	return nil
}

func (c *EquationConfig) checkForm(fail func(string, ...any) error) error {
	if c.Form == GFX9 {
		last := c.Bits[len(c.Bits)-1]
		if len(last) != 1 || last[0].Axis != AxisBlock {
			return fail("the last address bit must be one bit of the block index m")
		}
		if int(last[0].Bit) >= len(c.Bits) {
			return fail("the last address bit takes m%d, but there are only %d bits below it", last[0].Bit, len(c.Bits)-1)
		}
		return nil
	}
	if c.Form != GFX10 {
		return fail("unknown form %d", c.Form)
	}
	for i, terms := range c.Bits {
		for _, t := range terms {
			if t.Axis == AxisBlock {
				return fail("address bit %d: a GFX10 equation has no block index", i)
			}
		}
	}
	blocks := int64(c.Pitch/c.BlockWidth) * int64(c.PaddedHeight/c.BlockHeight)
	need := blocks << len(c.Bits) / 2
	if c.SliceBytes != 0 && (c.SliceBytes < need || c.SliceBytes > 1<<40) {
		return fail("slice of %d bytes, its blocks take %d", c.SliceBytes, need)
	}
	return nil
}

// columns are an equation turned about: for each bit of each coordinate, the address bits it flips.
type columns map[Axis][]int64

func columnsOf(eq [][]Term) columns {
	cols := columns{}
	for _, a := range []Axis{AxisX, AxisY, AxisZ, AxisSample, AxisBlock} {
		cols[a] = make([]int64, 32)
	}
	for i, terms := range eq {
		for _, t := range terms {
			cols[t.Axis][t.Bit] ^= 1 << i
		}
	}
	return cols
}

// distinct checks that the tiles of a block, and the blocks that the address does not keep apart by
// itself, all get nibbles of their own: their columns must be linearly independent.
func (c columns) distinct(xBits, yBits, mBits int) error {
	var basis [32]int64 // by highest bit
	add := func(axis Axis, bit int) error {
		v := c[axis][bit]
		for v != 0 {
			top := bits.Len64(uint64(v)) - 1
			if basis[top] == 0 {
				basis[top] = v
				return nil
			}
			v ^= basis[top]
		}
		return fmt.Errorf("tiles that differ in %c%d share a nibble: %w", axis, bit, ErrEquation)
	}
	for _, axis := range []struct {
		axis     Axis
		from, to int
	}{{AxisX, 3, 3 + xBits}, {AxisY, 3, 3 + yBits}, {AxisBlock, 0, mBits}} {
		for bit := axis.from; bit < axis.to; bit++ {
			if err := add(axis.axis, bit); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread works out the XOR of columns for each of n coordinates.
func spread(n int, columns []int64) []int64 {
	list := make([]int64, n)
	for i := 1; i < n; i++ {
		low := bits.TrailingZeros(uint(i))
		list[i] = list[i&(i-1)] ^ columns[low]
	}
	return list
}

// gather is the XOR of the columns whose bit is set in n.
func gather(n int64, columns []int64) int64 {
	var v int64
	for u := uint32(n); u != 0; u &= u - 1 {
		v ^= columns[bits.TrailingZeros32(u)]
	}
	return v
}

// Nibble is the place of a tile's nibble; see [Addresser].
func (e *Equation) Nibble(tx, ty, slice int) int64 {
	n := e.fromX[tx] ^ e.fromY[ty] ^ gather(int64(slice), e.fromZ)
	block := int64(ty>>e.tilesLog2Y)*e.blocksWide + int64(tx>>e.tilesLog2X)
	if e.c.Form == GFX10 {
		return 2*e.slicePitch()*int64(slice) + block<<e.lowBits + (n ^ e.pipeXor)
	}
	block += int64(slice) * e.blocksWide * e.blocksHigh
	n ^= gather(block, e.fromM)
	return (n | block>>e.lastDrop<<e.lowBits) ^ e.pipeXor
}

// slicePitch is the distance of slices in bytes, GFX10.
func (e *Equation) slicePitch() int64 {
	if e.c.SliceBytes != 0 {
		return e.c.SliceBytes
	}
	return (e.blocksWide*e.blocksHigh<<e.lowBits + 1) / 2
}

// Bytes is the size in memory of whole meta blocks; see [Addresser].
func (e *Equation) Bytes(slices int) int64 {
	if e.c.Form == GFX10 {
		return int64(slices) * e.slicePitch()
	}
	if slices == 0 {
		return 0
	}
	last := int64(slices)*e.blocksWide*e.blocksHigh - 1
	return ((last>>e.lastDrop+1)<<e.lowBits + 1) / 2
}
