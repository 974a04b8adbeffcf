package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/dump/cmask"
	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// cmaskFlags are those of the verb cmask.
type cmaskFlags struct {
	jsonl                         bool
	format, ascii, png, pngUnit   string
	width, height, samples, slice int
	layout, pipeConfig, equation  string
	mode, gen, tile               string
	variant, bpp                  int
	discard                       bool
	draws                         []cmask.Draw
}

func (f *cmaskFlags) define(fs *flag.FlagSet) {
	fs.BoolVar(&f.jsonl, "jsonl", false, "answer queries, one JSON object per line on standard input")
	fs.StringVar(&f.format, "format", "text", "`form` of the output: text or json")
	fs.IntVar(&f.width, "width", 0, "width of the surface in `pixels`")
	fs.IntVar(&f.height, "height", 0, "height of the surface in `pixels`")
	fs.IntVar(&f.samples, "samples", 1, "`number` of samples: 1, 2, 4 or 8")
	fs.IntVar(&f.slice, "slice", 0, "`number` of the slice to decode")
	fs.StringVar(&f.layout, "layout", "", "`name` of the memory layout: linear, linear-bytes, tiled, gfx9 or gfx10")
	fs.StringVar(&f.pipeConfig, "pipe-config", "", "pipe configuration `name` of the tiled layout, such as P4_16x16")
	fs.StringVar(&f.equation, "equation", "", "`file` with the equation of the gfx9 and gfx10 layouts, in JSON")
	fs.StringVar(&f.mode, "mode", "", "sub-tile `layout`: CM0, CM1, CM2, CM3, CMM0, CMM1, a shader's number 0 to 5, or auto")
	fs.StringVar(&f.gen, "gen", "", "`generation` of the machine, one or scarlett; --mode auto needs it")
	fs.StringVar(&f.tile, "tile", "", "for --mode auto: tile or swizzle mode `name`")
	fs.IntVar(&f.bpp, "bpp", 0, "`bits` per pixel: 8, 16, 32, 64 or 128; gives the cost of the eliminate too")
	fs.IntVar(&f.variant, "variant", 0, "`number` of the nibbles' variant when it is not a fast-clear one: 3, 4 or 5, without --mode")
	fs.StringVar(&f.ascii, "ascii", "tile", "map in the text: a character per `unit`, tile, quad or pixel, or none")
	fs.StringVar(&f.png, "png", "", "write a picture to this `file`")
	fs.StringVar(&f.pngUnit, "png-unit", "pixel", "a dot of the picture per `unit`, pixel or quad")
	fs.BoolVar(&f.discard, "discard", false, "check: there was a draw, with rasterizer discard")
	fs.Func("scissor", "check: there was a draw within `x,y,width,height`; may be given again", func(s string) error {
		area, err := parseScissor(s)
		f.draws = append(f.draws, cmask.Draw{Area: area})
		return err
	})
}

// parseScissor reads x,y,width,height in pixels.
func parseScissor(s string) (image.Rectangle, error) {
	var n [4]int
	fields := strings.Split(s, ",")
	for i, field := range fields {
		v, err := strconv.ParseUint(field, 10, 17) // pixels: twice what a surface can have
		if len(fields) != len(n) || err != nil {
			return image.Rectangle{}, errors.New("expected x,y,width,height in pixels")
		}
		n[i] = int(v)
	}
	return image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]), nil
}

// runCmask decodes Cmask, or answers queries about it.
func runCmask(c *cli, args []string) int {
	var f cmaskFlags
	fs := flagSet("cmask")
	f.define(fs)
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if f.jsonl {
		if len(operands) != 0 {
			return c.fail("cmask: --jsonl reads standard input and takes no operands")
		}
		return c.answerLines(fs, cmask.Answer)
	}
	if len(operands) != 2 || operands[0] != "decode" {
		return c.fail("cmask: expected decode FILE, or --jsonl; see `outflow help cmask`")
	}
	if f.discard {
		f.draws = append(f.draws, cmask.Draw{Discard: true})
	}
	found, err := f.decode(c, operands[1])
	switch {
	case err != nil:
		return c.fail("%v", err)
	case found:
		return exitFound
	}
	return exitClean
}

// decode decodes a file, prints what is in it and tells whether a check found something.
func (f *cmaskFlags) decode(c *cli, name string) (found bool, err error) {
	units := map[string]cmask.Unit{"tile": cmask.PerTile, "quad": cmask.PerQuad, "pixel": cmask.PerPixel}
	unit, ok := units[f.ascii]
	if !ok && f.ascii != "none" {
		return false, fmt.Errorf("cmask: ascii is %q, want tile, quad, pixel or none", f.ascii)
	}
	if f.format != "text" && f.format != "json" {
		return false, fmt.Errorf("cmask: format is %q, want text or json", f.format)
	}
	if f.pngUnit != "pixel" && f.pngUnit != "quad" {
		return false, fmt.Errorf("cmask: png-unit is %q, want pixel or quad", f.pngUnit)
	}
	variant, mode, err := f.form(c)
	if err != nil {
		return false, fmt.Errorf("cmask: %w", err)
	}
	layout, err := f.addresser()
	if err != nil {
		return false, fmt.Errorf("cmask: %w", err)
	}
	surface, err := f.read(c, name, layout, variant)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, plainError(err, name))
	}
	var view *cmask.View
	if f.mode != "" {
		if view, err = surface.View(mode); err != nil {
			return false, fmt.Errorf("cmask: %w", err)
		}
	}
	if err := f.writePNG(view, units[f.pngUnit]); err != nil {
		return false, err
	}
	src := cmask.Source{File: name, Layout: f.layout, Slice: f.slice, BitsPerPixel: f.bpp}
	out := bufio.NewWriter(c.stdout)
	found = f.print(out, src, surface, view, unit)
	return found, out.Flush()
}

// form gives the variant of the nibbles and the sub-tile layout; none for the variants that keep no
// touches, for which f.mode stays empty.
func (f *cmaskFlags) form(c *cli) (cmask.Variant, cmask.Mode, error) {
	if f.bpp != 0 && f.bpp != 8 && f.bpp != 16 && f.bpp != 32 && f.bpp != 64 && f.bpp != 128 {
		return 0, 0, fmt.Errorf("--bpp %d: %w", f.bpp, cmask.ErrBitsPerPixel)
	}
	if f.variant != 0 {
		if f.variant < 3 || f.variant > 5 {
			return 0, 0, fmt.Errorf("--variant %d, expected 3, 4 or 5; --mode gives the others", f.variant)
		}
		if f.mode != "" || f.png != "" || len(f.draws) > 0 {
			return 0, 0, fmt.Errorf("--variant %d: %w: no --mode, picture or check", f.variant, cmask.ErrNotFastClear)
		}
		return cmask.Variant(f.variant), 0, nil
	}
	if f.mode == "" {
		return 0, 0, errors.New("--mode or --variant is needed")
	}
	if f.mode == "auto" {
		return f.autoForm(c)
	}
	mode, err := cmask.ParseMode(f.mode)
	if err != nil {
		return 0, 0, err
	}
	if f.gen != "" {
		gen, err := cmask.ParseGeneration(f.gen)
		if err != nil {
			return 0, 0, err
		}
		if !mode.On(gen) {
			fmt.Fprintf(c.stderr, "outflow: cmask: warning: no surface of generation %s has mode %s\n", f.gen, mode)
		}
	}
	variant := cmask.FastClear
	if mode.MSAA() {
		variant = cmask.FastClearMSAA
	}
	if mode.MSAA() != (f.samples > 1) {
		return 0, 0, fmt.Errorf("--mode %s --samples %d: %w", f.mode, f.samples, cmask.ErrModeSamples)
	}
	return variant, mode, nil
}

// autoForm is form for --mode auto.
func (f *cmaskFlags) autoForm(c *cli) (cmask.Variant, cmask.Mode, error) {
	gen, err := cmask.ParseGeneration(f.gen)
	if err != nil {
		return 0, 0, err
	}
	s, err := cmask.Select(cmask.SurfaceConfig{
		Generation: gen, Samples: f.samples, FastClear: true, BitsPerPixel: f.bpp, Tile: f.tile,
	})
	if s.Warning != "" {
		fmt.Fprintf(c.stderr, "outflow: cmask: warning: %s\n", s.Warning)
	}
	return s.Variant, s.Mode, err
}

// addresser is where the bytes of a pixel are, by the flags.
func (f *cmaskFlags) addresser() (cmask.Addresser, error) {
	var equation jsonlines.Case
	if f.equation != "" {
		text, err := os.ReadFile(f.equation)
		if err != nil {
			return nil, err
		}
		if equation, err = jsonlines.Parse(text); err != nil {
			return nil, fmt.Errorf("%s: %w", f.equation, err)
		}
	}
	layout, err := cmask.NewAddresser(f.layout, f.width, f.height, f.pipeConfig, equation)
	switch {
	case err != nil && f.equation != "":
		return nil, fmt.Errorf("%s: %w", f.equation, err)
	case errors.Is(err, cmask.ErrQuery) && (f.layout == "gfx9" || f.layout == "gfx10"):
		return nil, fmt.Errorf("layout %s needs its --equation", f.layout)
	}
	return layout, err
}

func (f *cmaskFlags) read(c *cli, name string, layout cmask.Addresser, variant cmask.Variant) (*cmask.Surface, error) {
	in := c.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	surface, more, err := cmask.Read(in, layout, f.slice, variant, f.samples)
	if more {
		fmt.Fprintf(c.stderr, "outflow: %s: warning: longer than the %d bytes that slices 0 to %d take\n", name, layout.Bytes(f.slice+1), f.slice)
	}
	return surface, err
}

func (f *cmaskFlags) writePNG(view *cmask.View, unit cmask.Unit) error {
	if f.png == "" {
		return nil
	}
	file, err := os.Create(f.png)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	err = errors.Join(view.WritePNG(out, unit), out.Flush(), file.Close())
	if err != nil {
		return fmt.Errorf("%s: %w", f.png, plainError(err, f.png))
	}
	return nil
}

// print writes everything to out, which keeps the first error of writing for its Flush.
func (f *cmaskFlags) print(out io.Writer, src cmask.Source, surface *cmask.Surface, view *cmask.View, unit cmask.Unit) (found bool) {
	var finding *cmask.Finding
	if len(f.draws) > 0 {
		finding = view.Check(f.draws)
	}
	if f.format == "json" {
		_ = src.WriteJSON(out, surface, view)
		if finding != nil {
			_ = src.WriteFindingJSON(out, finding)
		}
		return finding != nil
	}
	_ = src.WriteText(out, surface, view)
	if view != nil && f.ascii != "none" {
		_ = view.WriteASCII(out, unit)
	}
	if finding != nil {
		_ = src.WriteFindingText(out, finding)
	}
	return finding != nil
}
