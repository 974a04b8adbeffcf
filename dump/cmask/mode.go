package cmask

import (
	"fmt"
	"image"
	"strconv"
)

// TileSize is the side of the square of pixels that one nibble covers.
const TileSize = 8

// Mode is a sub-tile layout: which part of a tile each bit of its nibble stands for. The values are the
// mode numbers of the decoding shader; [Mode.String] gives the names of the figures, which count
// differently. The methods but Valid and String are for valid modes.
type Mode uint8

// The modes, in the shader's order.
const (
	CM2  Mode = iota // four of 4x4, row by row
	CM3              // four of 4x4, column by column (Xbox Series X|S)
	CM1              // four of 2x8, left to right (Xbox One)
	CM0              // four of 8x2, top to bottom
	CMM0             // MSAA: two of 4x8, left and right (Xbox One)
	CMM1             // MSAA: two of 8x4, upper and lower
)

// subTiles describes the modes: the size of a sub-tile in pixels, the first bit, and how many bits a
// step of one sub-tile to the right and one down moves on.
var subTiles = [...]struct {
	name              string
	w, h              int
	first, dx, dy     uint8
	touchMask         uint8
	msaa, one, series bool
}{
	CM2:  {"CM2", 4, 4, 0, 1, 2, 0xF, false, true, true},
	CM3:  {"CM3", 4, 4, 0, 2, 1, 0xF, false, false, true},
	CM1:  {"CM1", 2, 8, 0, 1, 0, 0xF, false, true, false},
	CM0:  {"CM0", 8, 2, 0, 0, 1, 0xF, false, true, true},
	CMM0: {"CMM0", 4, 8, 2, 1, 0, 0xC, true, true, false},
	CMM1: {"CMM1", 8, 4, 2, 0, 1, 0xC, true, true, true},
}

// Modes lists every mode, in the shader's order.
func Modes() []Mode { return []Mode{CM2, CM3, CM1, CM0, CMM0, CMM1} }

// ParseMode reads a figure's name (CM0) or a shader mode number (3); [ErrMode] otherwise.
func ParseMode(s string) (Mode, error) {
	for _, m := range Modes() {
		if s == m.String() || s == strconv.Itoa(int(m)) {
			return m, nil
		}
	}
	return 0, fmt.Errorf("mode %q: %w", s, ErrMode)
}

// Valid tells whether m is one of the six modes.
func (m Mode) Valid() bool { return int(m) < len(subTiles) }

// String gives the figure's name of the mode.
func (m Mode) String() string {
	if !m.Valid() {
		return fmt.Sprintf("Mode(%d)", uint8(m))
	}
	return subTiles[m].name
}

// MSAA tells whether the mode belongs to surfaces with more than one sample.
func (m Mode) MSAA() bool { return subTiles[m].msaa }

// On tells whether surfaces of this generation can have the mode.
func (m Mode) On(g Generation) bool {
	return g == One && subTiles[m].one || g == Series && subTiles[m].series
}

// TouchMask is the set of nibble bits that stand for sub-tiles. A tile was touched somewhere when one
// of them is set.
func (m Mode) TouchMask() uint8 { return subTiles[m].touchMask }

// Bit is the nibble's bit for pixel (x,y); only the position inside the tile counts.
func (m Mode) Bit(x, y int) uint8 {
	l := subTiles[m]
	return l.first + uint8((x&7)/l.w)*l.dx + uint8((y&7)/l.h)*l.dy
}

// SubTile is a part of a tile with a bit of its own.
type SubTile struct {
	Bit  uint8
	Rect image.Rectangle // pixels inside the tile
}

// SubTiles lists the parts of a tile, row by row.
func (m Mode) SubTiles() []SubTile {
	l := subTiles[m]
	var list []SubTile
	for y := 0; y < TileSize; y += l.h {
		for x := 0; x < TileSize; x += l.w {
			list = append(list, SubTile{m.Bit(x, y), image.Rect(x, y, x+l.w, y+l.h)})
		}
	}
	return list
}

// tileRows is a tile drawn: for each nibble the eight rows of pixels from the top, one bit a pixel,
// the leftmost highest, set where touched.
type tileRows [16][TileSize]uint8

func (m Mode) rows() *tileRows {
	var t tileRows
	for nibble := range t {
		for y := range TileSize {
			for x := range TileSize {
				t[nibble][y] |= uint8(nibble) >> m.Bit(x, y) & 1 << (7 - x)
			}
		}
	}
	return &t
}
