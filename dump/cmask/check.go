package cmask

import (
	"fmt"
	"image"
	"math/bits"
)

// Draw is what one draw call of a pass could have touched of a surface.
type Draw struct {
	// Discard: the rasterizer was told to discard everything, as a pass does that only streams out.
	Discard bool
	// NoColorWrite: no color reaches the surface (color mask 0, or every pixel killed).
	NoColorWrite bool
	// Area is where the draw could write, in pixels: the window, within the scissor where that is on,
	// within the viewport where that clips. It does not clip points and lines that are wider than a
	// pixel: leave it out for these.
	Area image.Rectangle
}

// Reason says which rule a pass broke.
type Reason string

// The reasons, the strongest first.
const (
	// DiscardTouched: every draw of the pass had rasterizer discard.
	DiscardTouched Reason = "cmask-discard-touched"
	// NoColorTouched: no draw of the pass could write color.
	NoColorTouched Reason = "cmask-touched-without-color-write"
	// OutsideTouched: a sub-tile was touched that the area of no draw meets.
	OutsideTouched Reason = "cmask-touched-outside-scissor"
)

// Finding is a touch that the draws of a pass do not explain.
type Finding struct {
	Reason  Reason
	Pixels  int64           // touched without a reason, inside the surface
	Bounds  image.Rectangle // around them
	Message string
}

// Check compares what was touched with what the draws since the clear could touch, and returns nil when
// they explain it. Cmask knows no pixels, only sub-tiles: one that the area of a draw meets may be
// touched. Sub-tiles outside the surface are not looked at.
func (v *View) Check(draws []Draw) *Finding {
	allowed := make([]uint8, len(v.nibbles))
	f := Finding{Reason: DiscardTouched}
	for _, d := range draws {
		switch {
		case d.Discard:
		case d.NoColorWrite:
			if f.Reason == DiscardTouched {
				f.Reason = NoColorTouched
			}
		default:
			f.Reason = OutsideTouched
			v.allow(allowed, d.Area)
		}
	}
	if len(draws) == 0 {
		f.Reason = OutsideTouched
	}
	left := v.without(allowed).Report()
	if left.TouchedPixels == 0 {
		return nil
	}
	f.Pixels, f.Bounds = left.TouchedPixels, left.Bounds
	f.Message = fmt.Sprintf("%s: %d pixels in (%d,%d)-(%d,%d) are touched", map[Reason]string{
		DiscardTouched: "every draw has rasterizer discard",
		NoColorTouched: "no draw writes color",
		OutsideTouched: "no draw reaches there",
	}[f.Reason], f.Pixels, f.Bounds.Min.X, f.Bounds.Min.Y, f.Bounds.Max.X, f.Bounds.Max.Y)
	return &f
}

// allow adds to each tile the bits of the sub-tiles that area meets.
func (v *View) allow(allowed []uint8, area image.Rectangle) {
	area = area.Intersect(image.Rect(0, 0, v.width, v.height))
	if area.Empty() {
		return
	}
	subTiles := v.mode.SubTiles()
	for ty := area.Min.Y / TileSize; ty <= (area.Max.Y-1)/TileSize; ty++ {
		for tx := area.Min.X / TileSize; tx <= (area.Max.X-1)/TileSize; tx++ {
			reached := &allowed[ty*v.tilesWide+tx]
			if bits.OnesCount8(*reached) == len(subTiles) {
				continue
			}
			inTile := area.Sub(image.Pt(tx*TileSize, ty*TileSize))
			for _, s := range subTiles {
				if s.Rect.Overlaps(inTile) {
					*reached |= 1 << s.Bit
				}
			}
		}
	}
}

// without is the view with the allowed touches taken off.
func (v *View) without(allowed []uint8) *View {
	s := *v.Surface
	s.nibbles = make([]uint8, len(allowed))
	for i, n := range v.nibbles {
		s.nibbles[i] = n & v.mode.TouchMask() &^ allowed[i]
	}
	return &View{Surface: &s, mode: v.mode, drawn: v.drawn}
}
