package cmask

import (
	"errors"
	"fmt"
	"math/bits"
)

// Errors of this package, wrapped with the values that caused them; test with errors.Is.
var (
	ErrNoCmask           = errors.New("no Cmask: single sample without fast clear and without VRS hints")
	ErrSamples           = errors.New("samples must be 1, 2, 4 or 8")
	ErrBitsPerPixel      = errors.New("bits per pixel must be 8, 16, 32, 64 or 128")
	ErrGeneration        = errors.New("unknown generation, expected one or scarlett")
	ErrTileMode          = errors.New("tile mode unknown to this generation")
	ErrVRSGeneration     = errors.New("VRS hint export needs Xbox Series X|S")
	ErrVRSFastClear      = errors.New("VRS hint export and fast clear share the same bits")
	ErrLayoutUnspecified = errors.New("no sub-tile layout is specified for these bits per pixel")
	ErrMSAATileMode      = errors.New("multisampled surfaces of Xbox Series X|S use SW_*_R only")

	ErrVariant        = errors.New("variant must be 1 to 5")
	ErrVariantSamples = errors.New("variant does not fit the sample count")
	ErrNibble         = errors.New("a nibble is 0 to 15")
	ErrFmaskPlanes    = errors.New("more FMASK bit planes than log2(samples)")
	ErrUpperBits      = errors.New("fast clear is off, yet the upper two bits are not 11")

	ErrMode         = errors.New("mode must be 0 to 5 or one of CM0, CM1, CM2, CM3, CMM0, CMM1")
	ErrModeSamples  = errors.New("mode does not fit the sample count")
	ErrNotFastClear = errors.New("the nibbles of this variant do not say what was touched")

	ErrSize  = errors.New("size out of range")
	ErrCoord = errors.New("coordinate outside the surface")
	ErrShort = errors.New("not enough Cmask data")
)

// Variant numbers what the four bits of a nibble hold.
type Variant uint8

// The variants. Which one a surface has follows from [SurfaceConfig.Variant].
const (
	// FastClear: no MSAA, fast clear, no VRS hints. Four sub-tile bits, set where touched.
	FastClear Variant = 1
	// FastClearMSAA: two sub-tile bits above the number of FMASK bit planes.
	FastClearMSAA Variant = 2
	// Expanded: MSAA without fast clear. The upper bits are 11, the lower ones count FMASK bit planes.
	Expanded Variant = 3
	// HintsMSAA: a VRS rate hint above the number of FMASK bit planes (Xbox Series X|S).
	HintsMSAA Variant = 4
	// Hints: a VRS rate hint; the lower bits are unused (Xbox Series X|S, no MSAA).
	Hints Variant = 5
)

// MSAA tells whether the variant belongs to surfaces with more than one sample.
func (v Variant) MSAA() bool { return v == FastClearMSAA || v == Expanded || v == HintsMSAA }

// TracksTouch tells whether the nibbles say what rendering touched.
func (v Variant) TracksTouch() bool { return v == FastClear || v == FastClearMSAA }

// Check reports whether a surface of so many samples can hold nibbles of this variant: [ErrVariant],
// [ErrSamples] or [ErrVariantSamples] if not.
func (v Variant) Check(samples int) error {
	if v < FastClear || v > Hints {
		return fmt.Errorf("variant %d: %w", v, ErrVariant)
	}
	if !validSamples(samples) {
		return fmt.Errorf("samples %d: %w", samples, ErrSamples)
	}
	if v.MSAA() != (samples > 1) {
		return fmt.Errorf("variant %d, samples %d: %w", v, samples, ErrVariantSamples)
	}
	return nil
}

func validSamples(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// Absent is the value of a [Fields] member that the variant does not have.
const Absent = -1

// Fields are the parts of a nibble; those that its variant does not have are [Absent].
type Fields struct {
	FmaskPlanes int // bit planes of FMASK
	SubTileBits int // 4 bits, or the upper 2 of an MSAA nibble; set where touched
	VRSHint     int // the raw 2-bit rate hint; its code is not public
}

// Split takes a nibble apart. [ErrFmaskPlanes] and [ErrUpperBits] say that no hardware leaves this
// nibble on such a surface; the fields are filled even so. For every other error they are not.
func (v Variant) Split(samples int, nibble uint8) (Fields, error) {
	f := Fields{Absent, Absent, Absent}
	if err := v.Check(samples); err != nil {
		return f, err
	}
	if nibble > 15 {
		return f, fmt.Errorf("nibble %d: %w", nibble, ErrNibble)
	}
	upper, lower := int(nibble>>2), int(nibble&3)
	switch v {
	case FastClear:
		f.SubTileBits = int(nibble)
	case FastClearMSAA:
		f.SubTileBits, f.FmaskPlanes = upper, lower
	case Expanded:
		f.FmaskPlanes = lower
	case HintsMSAA:
		f.VRSHint, f.FmaskPlanes = upper, lower
	case Hints:
		f.VRSHint = upper
	}
	if most := bits.Len(uint(samples)) - 1; f.FmaskPlanes > most {
		return f, fmt.Errorf("nibble %#x has %d planes, %d samples allow %d: %w", nibble, lower, samples, most, ErrFmaskPlanes)
	}
	if v == Expanded && upper != 3 {
		return f, fmt.Errorf("nibble %#x: %w", nibble, ErrUpperBits)
	}
	return f, nil
}

// ClearNibble is the nibble of a tile on which nothing was drawn yet. For [Expanded] that is 11 above
// log2(samples) planes, as radv initialises such a surface except on GFX9; for the others it is 0.
func (v Variant) ClearNibble(samples int) uint8 {
	if v == Expanded {
		return 0xC | uint8(bits.Len(uint(samples))-1)
	}
	return 0
}
