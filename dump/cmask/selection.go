package cmask

import (
	"fmt"
	"regexp"
	"strings"
)

// Generation is a family of consoles with the same rules for choosing a layout.
type Generation uint8

// The generations.
const (
	One    Generation = 1 // Xbox One family: micro-tile modes THIN, DISPLAY, ROTATED
	Series Generation = 2 // Xbox Series X|S: swizzle modes SW_<size>_D, R, S, Z
)

// ParseGeneration reads "one" or "scarlett" (also "series"); [ErrGeneration] otherwise.
func ParseGeneration(s string) (Generation, error) {
	switch s {
	case "one":
		return One, nil
	case "scarlett", "series":
		return Series, nil
	}
	return 0, fmt.Errorf("generation %q: %w", s, ErrGeneration)
}

// SurfaceConfig is what decides the form of a surface's Cmask.
type SurfaceConfig struct {
	Generation   Generation
	Samples      int
	VRSHints     bool // VRS rate hints are exported
	FastClear    bool
	BitsPerPixel int
	// Tile is the micro-tile mode of Xbox One (THIN, DISPLAY, ROTATED), or the swizzle mode of Series
	// X|S: the letter alone or the whole name, SW_64KB_R, with an optional _T or _X behind.
	Tile string
}

// Selection is the form of a surface's Cmask.
type Selection struct {
	Variant Variant
	Mode    Mode // valid only when Variant.TracksTouch
	// Warning is not empty when the surface can be decoded but no driver makes such a one.
	Warning string
}

// Variant gives what the nibbles of such a surface hold.
func (c SurfaceConfig) Variant() (Variant, error) {
	switch msaa := c.Samples > 1; {
	case !validSamples(c.Samples):
		return 0, fmt.Errorf("samples %d: %w", c.Samples, ErrSamples)
	case c.VRSHints && c.Generation != Series:
		return 0, ErrVRSGeneration
	case c.VRSHints && c.FastClear:
		return 0, ErrVRSFastClear
	case c.VRSHints && msaa:
		return HintsMSAA, nil
	case c.VRSHints:
		return Hints, nil
	case c.FastClear && msaa:
		return FastClearMSAA, nil
	case c.FastClear:
		return FastClear, nil
	case msaa:
		return Expanded, nil
	}
	return 0, ErrNoCmask
}

// Select chooses the variant and the sub-tile layout of a surface. A configuration that no surface can
// have is refused with [ErrSamples], [ErrBitsPerPixel], [ErrTileMode], [ErrNoCmask] or one of their
// neighbours.
func Select(c SurfaceConfig) (Selection, error) {
	if !validSamples(c.Samples) {
		return Selection{}, fmt.Errorf("samples %d: %w", c.Samples, ErrSamples)
	}
	row, err := bppRow(c.BitsPerPixel)
	if err != nil {
		return Selection{}, err
	}
	tile, err := tileMode(c.Generation, c.Tile)
	if err != nil {
		return Selection{}, err
	}
	v, err := c.Variant()
	if err != nil {
		return Selection{}, err
	}
	if c.Generation == Series && c.Samples > 1 && tile != "R" {
		return Selection{}, fmt.Errorf("tile mode %s, samples %d: %w", c.Tile, c.Samples, ErrMSAATileMode)
	}
	s := Selection{Variant: v}
	if c.Generation == One && tile == "ROTATED" {
		s.Warning = "tile mode ROTATED is never used by the driver"
	}
	switch {
	case v == FastClear:
		s.Mode, err = singleSampleMode(c, row, tile)
	case v == FastClearMSAA && tile == "ROTATED" && c.BitsPerPixel < 64:
		s.Mode = CMM0
	case v == FastClearMSAA:
		s.Mode = CMM1
	}
	return s, err
}

// bppRow numbers the rows of the layout tables.
func bppRow(bpp int) (int, error) {
	for row, n := range [...]int{8, 16, 32, 64, 128} {
		if bpp == n {
			return row, nil
		}
	}
	return 0, fmt.Errorf("%d bits per pixel: %w", bpp, ErrBitsPerPixel)
}

var swizzleName = regexp.MustCompile(`^(?:SW_[0-9A-Z]+_)?([DRSZ])(?:_[TX])?$`)

// tileMode reduces a tile mode's name to what the tables are indexed by.
func tileMode(g Generation, name string) (string, error) {
	switch g {
	case One:
		if name == "THIN" || name == "DISPLAY" || name == "ROTATED" {
			return name, nil
		}
	case Series:
		if m := swizzleName.FindStringSubmatch(name); m != nil {
			return m[1], nil
		}
		if strings.HasSuffix(name, "LINEAR") {
			return "", fmt.Errorf("tile mode %s: linear surfaces have no Cmask: %w", name, ErrTileMode)
		}
	default:
		return "", fmt.Errorf("generation %d: %w", g, ErrGeneration)
	}
	return "", fmt.Errorf("tile mode %q: %w", name, ErrTileMode)
}

func singleSampleMode(c SurfaceConfig, row int, tile string) (Mode, error) {
	if c.Generation == Series {
		return map[string][5]Mode{ // by 8, 16, 32, 64, 128 bits per pixel
			"D": {CM0, CM0, CM2, CM0, CM3},
			"R": {CM0, CM0, CM2, CM0, CM2},
			"S": {CM0, CM0, CM3, CM2, CM3},
			"Z": {CM2, CM2, CM2, CM2, CM2},
		}[tile][row], nil
	}
	if c.BitsPerPixel == 128 {
		return 0, fmt.Errorf("%d bits per pixel: %w", c.BitsPerPixel, ErrLayoutUnspecified)
	}
	return map[string][4]Mode{ // by 8, 16, 32, 64 bits per pixel
		"THIN":    {CM2, CM2, CM2, CM2},
		"DISPLAY": {CM0, CM0, CM0, CM0},
		"ROTATED": {CM1, CM1, CM1, CM2},
	}[tile][row], nil
}
