package cmask

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Source says where a decoded surface came from.
type Source struct {
	File   string
	Layout string
	Slice  int
	// BitsPerPixel of the surface, for the cost of the eliminate; 0 when not known.
	BitsPerPixel int
}

// WriteText writes what a surface holds for people; v is nil for a variant that keeps no touches.
func (src Source) WriteText(w io.Writer, s *Surface, v *View) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %dx%d pixels, samples %d, layout %s, slice %d, variant %d", src.File, s.width, s.height, s.samples, src.Layout, src.Slice, s.variant)
	if v != nil {
		r := v.Report()
		fmt.Fprintf(&b, ", mode %s\n", v.mode)
		fmt.Fprintf(&b, "touched: %d of %d pixels (%.2f%%)", r.TouchedPixels, r.Pixels, r.Percent())
		if !r.Bounds.Empty() {
			fmt.Fprintf(&b, ", within %v", r.Bounds)
		}
		fmt.Fprintf(&b, "\ntiles: %d cleared, %d partly touched, %d touched\n", r.ClearedTiles, r.PartlyTiles, r.TouchedTiles)
		if src.BitsPerPixel != 0 {
			fmt.Fprintf(&b, "eliminate: writes %d bytes at %d bits per pixel\n", r.EliminateBytes(src.BitsPerPixel), src.BitsPerPixel)
		}
	} else {
		b.WriteString(" (keeps no touches)\n")
	}
	histogram := s.Histogram()
	writeCounts(&b, "tiles by nibble", histogram[:])
	if s.variant.MSAA() {
		planes := s.FmaskPlanes()
		writeCounts(&b, "tiles by FMASK planes", planes[:])
	}
	if s.variant == HintsMSAA || s.variant == Hints {
		hints := s.VRSHints()
		writeCounts(&b, "tiles by VRS hint", hints[:])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCounts leaves out what there is none of.
func writeCounts(b *strings.Builder, what string, counts []int) {
	b.WriteString(what + ":")
	for i, n := range counts {
		if n > 0 {
			fmt.Fprintf(b, " %x:%d", i, n)
		}
	}
	b.WriteByte('\n')
}

type summaryJSON struct {
	Schema         string   `json:"schema"`
	Type           string   `json:"type"`
	File           string   `json:"file"`
	Width          int      `json:"width"`
	Height         int      `json:"height"`
	Samples        int      `json:"samples"`
	Layout         string   `json:"layout"`
	Slice          int      `json:"slice"`
	Variant        Variant  `json:"variant"`
	Mode           *Mode    `json:"mode"`
	Figure         *string  `json:"figure"`
	Pixels         int64    `json:"pixels"`
	TouchedPixels  *int64   `json:"touchedPixels"`
	Percent        *float64 `json:"percent"`
	ClearedTiles   *int     `json:"clearedTiles"`
	PartlyTiles    *int     `json:"partlyTiles"`
	TouchedTiles   *int     `json:"touchedTiles"`
	Bounds         *[4]int  `json:"bounds"`
	EliminateBytes *int64   `json:"eliminateBytes"`
	Nibbles        [16]int  `json:"nibbles"`
	FmaskPlanes    *[4]int  `json:"fmaskPlanes"`
	VRSHints       *[4]int  `json:"vrsHints"`
}

// WriteJSON writes what a surface holds as one line of JSON of type "cmask"; v is nil for a variant that
// keeps no touches. What is not known or not kept is null. Bounds are [left, top, right, bottom] in
// pixels, right and bottom one past the last.
func (src Source) WriteJSON(w io.Writer, s *Surface, v *View) error {
	out := summaryJSON{
		Schema: "outflow/1", Type: "cmask", File: src.File, Width: s.width, Height: s.height, Samples: s.samples,
		Layout: src.Layout, Slice: src.Slice, Variant: s.variant, Pixels: int64(s.width) * int64(s.height), Nibbles: s.Histogram(),
	}
	if v != nil {
		r, figure, mode := v.Report(), v.mode.String(), v.mode
		percent := r.Percent()
		out.Mode, out.Figure, out.TouchedPixels, out.Percent = &mode, &figure, &r.TouchedPixels, &percent
		out.ClearedTiles, out.PartlyTiles, out.TouchedTiles = &r.ClearedTiles, &r.PartlyTiles, &r.TouchedTiles
		if !r.Bounds.Empty() {
			out.Bounds = &[4]int{r.Bounds.Min.X, r.Bounds.Min.Y, r.Bounds.Max.X, r.Bounds.Max.Y}
		}
		if src.BitsPerPixel != 0 {
			bytes := r.EliminateBytes(src.BitsPerPixel)
			out.EliminateBytes = &bytes
		}
	}
	if s.variant.MSAA() {
		planes := s.FmaskPlanes()
		out.FmaskPlanes = &planes
	}
	if s.variant == HintsMSAA || s.variant == Hints {
		hints := s.VRSHints()
		out.VRSHints = &hints
	}
	return writeLine(w, out)
}

// WriteFindingText writes a finding for people, in the form of the validator's.
func (src Source) WriteFindingText(w io.Writer, f *Finding) error {
	_, err := fmt.Fprintf(w, "%s: error: %s [%s]\n", src.File, f.Message, f.Reason)
	return err
}

// WriteFindingJSON writes a finding as one line of JSON of type "finding".
func (src Source) WriteFindingJSON(w io.Writer, f *Finding) error {
	return writeLine(w, struct {
		Schema   string `json:"schema"`
		Type     string `json:"type"`
		File     string `json:"file"`
		Rule     Reason `json:"rule"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		Pixels   int64  `json:"pixels"`
		Bounds   [4]int `json:"bounds"`
	}{"outflow/1", "finding", src.File, f.Reason, "error", f.Message, f.Pixels,
		[4]int{f.Bounds.Min.X, f.Bounds.Min.Y, f.Bounds.Max.X, f.Bounds.Max.Y}})
}

func writeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
