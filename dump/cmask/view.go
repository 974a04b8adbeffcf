package cmask

import (
	"image"
	"math/bits"
)

// View is a [Surface] whose nibbles say which pixels were touched. It sees changes of the surface.
type View struct {
	*Surface
	mode  Mode
	drawn *tileRows
}

// Mode is the sub-tile layout.
func (v *View) Mode() Mode { return v.mode }

// Touched tells whether the sub-tile of pixel (x,y) was touched; the pixel must be inside the surface.
func (v *View) Touched(x, y int) bool {
	return v.Nibble(x/TileSize, y/TileSize)>>v.mode.Bit(x, y)&1 != 0
}

// TileTouched tells whether any sub-tile of tile (tx,ty) was touched, even one outside the surface.
func (v *View) TileTouched(tx, ty int) bool { return v.Nibble(tx, ty)&v.mode.TouchMask() != 0 }

// Report sums up what was touched. Pixels outside the surface, which the last tiles may cover, do not
// count: neither for areas nor for whether a tile is fully touched.
type Report struct {
	Pixels, TouchedPixels                   int64
	ClearedTiles, PartlyTiles, TouchedTiles int // nothing, something, everything touched
	// Bounds is the smallest rectangle around the touched pixels; empty when there are none.
	Bounds image.Rectangle
}

// Percent is the touched part of the surface, 0 to 100.
func (r Report) Percent() float64 { return 100 * float64(r.TouchedPixels) / float64(r.Pixels) }

// EliminateBytes is what a fast clear eliminate has to write: the untouched pixels at so many bits each.
func (r Report) EliminateBytes(bitsPerPixel int) int64 {
	return (r.Pixels - r.TouchedPixels) * int64(bitsPerPixel) / 8
}

// Report sums up the whole surface.
func (v *View) Report() Report {
	r := Report{Pixels: int64(v.width) * int64(v.height)}
	whole := v.tileShapes(TileSize, TileSize)
	right := v.tileShapes(v.width-(v.tilesWide-1)*TileSize, TileSize)
	for ty, row := range v.rows() {
		if high := v.height - ty*TileSize; high < TileSize {
			whole = v.tileShapes(TileSize, high)
			right = v.tileShapes(v.width-(v.tilesWide-1)*TileSize, high)
		}
		last := len(row) - 1
		for tx, nibble := range row[:last] {
			r.add(&whole[nibble], tx, ty)
		}
		r.add(&right[row[last]], last, ty)
	}
	return r
}

// tileShape is what a nibble comes to on a tile of which only a part may be inside the surface.
type tileShape struct {
	area   int64 // touched pixels
	full   bool
	bounds image.Rectangle // of the touched pixels, in the tile
}

func (v *View) tileShapes(width, height int) (shapes [16]tileShape) {
	inside := uint8(0xFF << (TileSize - width))
	for nibble, rows := range v.drawn {
		s := &shapes[nibble]
		for y, row := range rows[:height] {
			if row &= inside; row != 0 {
				s.area += int64(bits.OnesCount8(row))
				s.bounds = s.bounds.Union(image.Rect(bits.LeadingZeros8(row), y, TileSize-bits.TrailingZeros8(row), y+1))
			}
		}
		s.full = s.area == int64(width*height)
	}
	return shapes
}

func (r *Report) add(s *tileShape, tx, ty int) {
	if s.area == 0 {
		r.ClearedTiles++
		return
	}
	if s.full {
		r.TouchedTiles++
	} else {
		r.PartlyTiles++
	}
	r.TouchedPixels += s.area
	r.Bounds = r.Bounds.Union(s.bounds.Add(image.Pt(tx*TileSize, ty*TileSize)))
}
