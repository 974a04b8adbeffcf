package cmask

import "fmt"

// Addresser knows where in memory the nibble of each tile is kept. Cmask has several forms of memory
// and the dump does not say which, so the caller picks one: [Linear], [Tiled] or [Equation].
//
// Nibbles count from the start of the dump, two a byte: nibble n is in byte n>>1, at bit (n&1)*4.
type Addresser interface {
	// Size is the surface's width and height in pixels.
	Size() (width, height int)
	// Nibble is the place of tile (tx,ty) of a slice. The tile must be inside the surface and the slice
	// at most [MaxSlice].
	Nibble(tx, ty, slice int) int64
	// Bytes is the size of the memory that so many slices take.
	Bytes(slices int) int64
}

// The largest surfaces that are decoded: well above any GPU's, low enough that no address overflows.
const (
	MaxSize  = 1 << 16 // pixels, either side
	MaxSlice = 1<<16 - 1
)

// Address gives the byte and the bit in it (0 or 4) that hold the nibble of pixel (x,y) of a slice;
// [ErrCoord] when there is no such pixel.
func Address(a Addresser, x, y, slice int) (byteOffset int64, bit uint8, err error) {
	w, h := a.Size()
	if x < 0 || y < 0 || x >= w || y >= h || slice < 0 || slice > MaxSlice {
		return 0, 0, fmt.Errorf("pixel (%d,%d) of slice %d, surface %dx%d: %w", x, y, slice, w, h, ErrCoord)
	}
	n := a.Nibble(x/TileSize, y/TileSize, slice)
	return n >> 1, uint8(n&1) * 4, nil
}

// extent is the size of a surface in pixels.
type extent struct{ width, height int }

func newExtent(width, height int) (extent, error) {
	if width < 1 || height < 1 || width > MaxSize || height > MaxSize {
		return extent{}, fmt.Errorf("%dx%d pixels, each side must be 1 to %d: %w", width, height, MaxSize, ErrSize)
	}
	return extent{width, height}, nil
}

// Size is the width and height in pixels.
func (e extent) Size() (width, height int) { return e.width, e.height }

// tiles is the size in whole tiles, the last ones perhaps only in part inside the surface.
func (e extent) tiles() (w, h int) {
	return (e.width + TileSize - 1) / TileSize, (e.height + TileSize - 1) / TileSize
}

// Linear keeps the tiles row by row without padding, slice after slice. It is the form of a dump that
// was already detiled, and of the texture that a decoding shader reads.
type Linear struct {
	extent
	tilesWide, tilesHigh int64
	step                 int64 // nibbles from one tile to the next
}

// NewLinear makes the addresser of a packed dump, two tiles a byte, the even one in the lower bits.
// [ErrSize] when a side is not 1 to [MaxSize] pixels.
func NewLinear(width, height int) (*Linear, error) { return newLinear(width, height, 1) }

// NewLinearBytes is [NewLinear] for one byte per tile, the nibble in its lower bits.
func NewLinearBytes(width, height int) (*Linear, error) { return newLinear(width, height, 2) }

func newLinear(width, height int, step int64) (*Linear, error) {
	e, err := newExtent(width, height)
	if err != nil {
		return nil, err
	}
	w, h := e.tiles()
	return &Linear{e, int64(w), int64(h), step}, nil
}

// Nibble is the place of a tile's nibble; see [Addresser].
func (l *Linear) Nibble(tx, ty, slice int) int64 {
	return l.step * ((int64(slice)*l.tilesHigh+int64(ty))*l.tilesWide + int64(tx))
}

// Bytes is the size in memory; see [Addresser].
func (l *Linear) Bytes(slices int) int64 {
	return (l.step*int64(slices)*l.tilesHigh*l.tilesWide + 1) / 2
}
