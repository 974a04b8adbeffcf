package cmask

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
)

// ErrTooLarge says that a picture would not fit into memory; [View.WritePNG] needs none.
var ErrTooLarge = errors.New("picture too large for memory")

// Unit is what one dot or character of a picture stands for.
type Unit uint8

// The units.
const (
	PerPixel Unit = iota
	PerQuad       // 2x2 pixels, the finest that any sub-tile distinguishes
	PerTile       // 8x8 pixels; ASCII only
)

// pixels is the side of the unit's square.
func (u Unit) pixels() int { return [...]int{1, 2, TileSize}[u] }

// Palette has the two colors of a picture: cleared is green, touched is red, both half transparent so
// that the picture can lie over the rendered one.
func Palette() color.Palette {
	return color.Palette{color.NRGBA{G: 255, A: 128}, color.NRGBA{R: 255, A: 128}}
}

// WriteASCII draws the surface with one character per unit and a newline after each row. A tile is '.'
// when cleared, '#' when all its pixels inside the surface are touched, '+' when some are; the smaller
// units are '.' or '#'.
func (v *View) WriteASCII(w io.Writer, u Unit) error {
	out := bufio.NewWriter(w)
	if u == PerTile {
		v.asciiTiles(out)
		return out.Flush()
	}
	side := u.pixels()
	for y := 0; y < v.height; y += side {
		for x := 0; x < v.width; x += side {
			c := byte('.')
			if v.Touched(x, y) {
				c = '#'
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (v *View) asciiTiles(out *bufio.Writer) {
	for ty, row := range v.rows() {
		high := min(TileSize, v.height-ty*TileSize)
		whole := v.tileShapes(TileSize, high)
		right := v.tileShapes(v.width-(v.tilesWide-1)*TileSize, high)
		for tx, nibble := range row {
			s := &whole[nibble]
			if tx == len(row)-1 {
				s = &right[nibble]
			}
			c := byte('+')
			if s.full {
				c = '#'
			} else if s.area == 0 {
				c = '.'
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
}

// Image draws the surface with one pixel for each of its own, in the colors of [Palette]. [ErrTooLarge]
// above 1<<28 pixels.
func (v *View) Image() (*image.Paletted, error) {
	if int64(v.width)*int64(v.height) > 1<<28 {
		return nil, fmt.Errorf("%dx%d: %w", v.width, v.height, ErrTooLarge)
	}
	img := image.NewPaletted(image.Rect(0, 0, v.width, v.height), Palette())
	return img, v.Draw(img)
}

// Draw draws into an image, whose size must be the surface's ([ErrSize]); index 0 is cleared, 1 touched.
// For many surfaces of one size it spares the memory that [View.Image] takes for each.
func (v *View) Draw(img *image.Paletted) error {
	if img.Rect.Size() != image.Pt(v.width, v.height) {
		return fmt.Errorf("image of %v, surface of %dx%d: %w", img.Rect.Size(), v.width, v.height, ErrSize)
	}
	var dots [16][TileSize]uint64 // the eight palette indices of a tile's row, leftmost first in memory
	for nibble, rows := range v.drawn {
		for y, row := range rows {
			for x := range TileSize {
				dots[nibble][y] |= uint64(row>>(7-x)&1) << (8 * x)
			}
		}
	}
	whole := v.width / TileSize
	subTileHigh := subTiles[v.mode].h
	for ty, row := range v.rows() {
		for y := range min(TileSize, v.height-ty*TileSize) {
			at := (ty*TileSize + y) * img.Stride
			line := img.Pix[at:][:v.width]
			if y%subTileHigh != 0 { // as the row above
				copy(line, img.Pix[at-img.Stride:])
				continue
			}
			for tx, nibble := range row[:whole] {
				binary.LittleEndian.PutUint64(line[tx*TileSize:], dots[nibble][y])
			}
			if rest := line[whole*TileSize:]; len(rest) > 0 {
				var last [8]byte
				binary.LittleEndian.PutUint64(last[:], dots[row[whole]][y])
				copy(rest, last[:])
			}
		}
	}
	return nil
}
