package cmask

import (
	"fmt"
	"io"
	"slices"
)

// Surface is the Cmask of one slice with its memory layout taken off: a nibble for each tile. Make one
// with [Decode], [Read] or [NewSurface].
type Surface struct {
	extent
	variant              Variant
	samples              int
	tilesWide, tilesHigh int
	nibbles              []uint8 // row by row
}

// NewSurface makes a surface on which nothing was drawn yet. The errors are [ErrSize] and those of
// [Variant.Check].
func NewSurface(width, height int, v Variant, samples int) (*Surface, error) {
	s, err := emptySurface(width, height, v, samples)
	if err != nil {
		return nil, err
	}
	s.nibbles = slices.Repeat([]uint8{v.ClearNibble(samples)}, s.tilesWide*s.tilesHigh)
	return s, nil
}

// emptySurface has no nibbles yet: their memory waits until the data that fill it are there.
func emptySurface(width, height int, v Variant, samples int) (*Surface, error) {
	e, err := newExtent(width, height)
	if err != nil {
		return nil, err
	}
	if err := v.Check(samples); err != nil {
		return nil, err
	}
	s := &Surface{extent: e, variant: v, samples: samples}
	s.tilesWide, s.tilesHigh = e.tiles()
	return s, nil
}

// Decode takes the nibbles of one slice out of memory. Data may be longer than what the slices up to
// this one take, never shorter ([ErrShort]). A nibble that such a surface cannot hold ([ErrFmaskPlanes],
// [ErrUpperBits]) is refused with its tile: it means that the data, the layout or the samples are not
// what the caller thinks.
func Decode(data []byte, a Addresser, slice int, v Variant, samples int) (*Surface, error) {
	w, h := a.Size()
	s, err := emptySurface(w, h, v, samples)
	if err != nil {
		return nil, err
	}
	if slice < 0 || slice > MaxSlice {
		return nil, fmt.Errorf("slice %d, must be 0 to %d: %w", slice, MaxSlice, ErrCoord)
	}
	if need := a.Bytes(slice + 1); int64(len(data)) < need {
		return nil, fmt.Errorf("%d bytes, slices 0 to %d take %d: %w", len(data), slice, need, ErrShort)
	}
	s.nibbles = make([]uint8, s.tilesWide*s.tilesHigh)
	var seen [16]bool
	for ty, row := range s.rows() {
		for tx := range row {
			n := a.Nibble(tx, ty, slice)
			row[tx] = data[n>>1] >> (n & 1 * 4) & 15
			seen[row[tx]] = true
		}
	}
	return s, s.checkSeen(seen)
}

// checkSeen looks at the up to 16 different nibbles instead of at every tile.
func (s *Surface) checkSeen(seen [16]bool) error {
	for nibble, is := range seen {
		if !is {
			continue
		}
		if _, err := s.variant.Split(s.samples, uint8(nibble)); err != nil {
			at := slices.Index(s.nibbles, uint8(nibble))
			return fmt.Errorf("tile (%d,%d): %w", at%s.tilesWide, at/s.tilesWide, err)
		}
	}
	return nil
}

// Read is [Decode] for a stream. It reads no more than the slices up to this one take, and tells in
// more whether at least one byte follows.
func Read(r io.Reader, a Addresser, slice int, v Variant, samples int) (s *Surface, more bool, err error) {
	if slice < 0 || slice > MaxSlice {
		return nil, false, fmt.Errorf("slice %d, must be 0 to %d: %w", slice, MaxSlice, ErrCoord)
	}
	need := a.Bytes(slice + 1)
	data, err := io.ReadAll(io.LimitReader(r, need+1))
	if err != nil {
		return nil, false, err
	}
	s, err = Decode(data, a, slice, v, samples)
	return s, int64(len(data)) > need, err
}

// Encode puts the nibbles of the surface into memory as slice of data, and leaves the bits of other
// tiles as they are. [ErrShort] when the data do not hold the slice, [ErrSize] when the addresser is for
// another size.
func (s *Surface) Encode(data []byte, a Addresser, slice int) error {
	if w, h := a.Size(); w != s.width || h != s.height {
		return fmt.Errorf("surface %dx%d, addresser %dx%d: %w", s.width, s.height, w, h, ErrSize)
	}
	if slice < 0 || slice > MaxSlice {
		return fmt.Errorf("slice %d, must be 0 to %d: %w", slice, MaxSlice, ErrCoord)
	}
	if need := a.Bytes(slice + 1); int64(len(data)) < need {
		return fmt.Errorf("%d bytes, slices 0 to %d take %d: %w", len(data), slice, need, ErrShort)
	}
	for ty, row := range s.rows() {
		for tx, nibble := range row {
			n := a.Nibble(tx, ty, slice)
			b, shift := &data[n>>1], n&1*4
			*b = *b&^(15<<shift) | nibble<<shift
		}
	}
	return nil
}

// rows yields the rows of tiles from the top.
func (s *Surface) rows() func(yield func(ty int, row []uint8) bool) {
	return func(yield func(int, []uint8) bool) {
		for ty := range s.tilesHigh {
			if !yield(ty, s.nibbles[ty*s.tilesWide:(ty+1)*s.tilesWide]) {
				return
			}
		}
	}
}

// Variant is what the nibbles hold.
func (s *Surface) Variant() Variant { return s.variant }

// Samples is the number of samples of a pixel.
func (s *Surface) Samples() int { return s.samples }

// Tiles is the size in tiles.
func (s *Surface) Tiles() (wide, high int) { return s.tilesWide, s.tilesHigh }

// Nibble is that of tile (tx,ty), which must be inside the surface.
func (s *Surface) Nibble(tx, ty int) uint8 { return s.nibbles[ty*s.tilesWide+tx] }

// SetNibble changes that of tile (tx,ty), which must be inside the surface. The errors are those of
// [Variant.Split].
func (s *Surface) SetNibble(tx, ty int, nibble uint8) error {
	if _, err := s.variant.Split(s.samples, nibble); err != nil {
		return err
	}
	s.nibbles[ty*s.tilesWide+tx] = nibble
	return nil
}

// Histogram counts the tiles by nibble.
func (s *Surface) Histogram() (tiles [16]int) {
	for _, n := range s.nibbles {
		tiles[n]++
	}
	return tiles
}

// FmaskPlanes counts the tiles by their number of FMASK bit planes; all zero when the variant has none.
func (s *Surface) FmaskPlanes() (tiles [4]int) {
	if s.variant.MSAA() {
		for n, count := range s.Histogram() {
			tiles[n&3] += count
		}
	}
	return tiles
}

// VRSHints counts the tiles by their raw rate hint; all zero when the variant has none.
func (s *Surface) VRSHints() (tiles [4]int) {
	if s.variant == HintsMSAA || s.variant == Hints {
		for n, count := range s.Histogram() {
			tiles[n>>2] += count
		}
	}
	return tiles
}

// View reads the surface under a sub-tile layout. [ErrNotFastClear] when the variant keeps no record of
// touches (its bits would show everything, or hints, as touched), [ErrModeSamples] when the layout is
// for another number of samples, [ErrMode] when there is no such one.
func (s *Surface) View(m Mode) (*View, error) {
	switch {
	case !m.Valid():
		return nil, fmt.Errorf("mode %d: %w", m, ErrMode)
	case !s.variant.TracksTouch():
		return nil, fmt.Errorf("variant %d: %w", s.variant, ErrNotFastClear)
	case m.MSAA() != s.variant.MSAA():
		return nil, fmt.Errorf("mode %s, %d samples: %w", m, s.samples, ErrModeSamples)
	}
	return &View{Surface: s, mode: m, drawn: m.rows()}, nil
}
