package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// dumpFlags are the flags of dump, and what they mean.
type dumpFlags struct {
	calls, frames, method, only, context string
	noJunk, names, hex, times            bool
	format, color, shaders               string
	width, most                          int
	mostSet, several                     bool

	palette dump.Palette
}

// runDump prints the calls of traces.
func runDump(c *cli, args []string) int {
	var f dumpFlags
	fs := flagSet("dump")
	fs.StringVar(&f.calls, "calls", "", "only the calls of these `numbers`: A-B,A-,N")
	fs.StringVar(&f.frames, "frames", "", "only these `frames`, counted from 1: A-B,A-,N")
	fs.StringVar(&f.method, "method", "", "only methods that fit one of these `globs`: draw_*,pipe_screen::*")
	fs.StringVar(&f.only, "only", "", "only the calls that have to do with a `subject`: stream-output")
	fs.StringVar(&f.context, "context", "", "only the calls of this `context`: an address, or N for context#N of --names")
	fs.BoolVar(&f.noJunk, "no-junk", false, "leave out questions about formats and capabilities")
	fs.BoolVar(&f.names, "names", false, "call objects by kind and creation: vs#1, buffer#3, target#2")
	fs.BoolVar(&f.hex, "hex", false, "print the bytes of blobs")
	fs.StringVar(&f.shaders, "shaders", "text", "`form` of shaders: text or hash")
	fs.BoolVar(&f.times, "times", false, "the slowest calls and the time of each method instead of the calls")
	fs.IntVar(&f.most, "most", 10, "with --times, the slowest `n` calls")
	fs.IntVar(&f.width, "width", -1, "break up nested values at so many `columns`, 0 never; -1 is the terminal's width")
	fs.StringVar(&f.format, "format", "text", "`form` of the output: text, json or go")
	fs.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if len(operands) == 0 {
		return c.fail("dump needs a trace; see `outflow help dump`")
	}
	if readsTwice(operands) {
		return c.fail("%v", errStdinTwice)
	}
	f.mostSet, f.several = isSet(fs, "most"), len(operands) > 1
	if err := f.check(c); err != nil {
		return c.fail("dump: %v", err)
	}
	errs := c.stderr
	if isTerminal(c.stdout) {
		c = &cli{stdin: c.stdin, stdout: c.stdout, stderr: struct{ io.Writer }{errs}} // no progress line among the calls
	}
	for _, name := range operands {
		code = max(code, c.oneTrace(name, c.whileRead(), errs, func(r *trace.Reader, name string, w io.Writer) (int, error) {
			return exitClean, quietly(f.dump(r, name, w))
		}))
	}
	return code
}

// check makes sense of the flags.
func (f *dumpFlags) check(c *cli) error {
	switch {
	case f.format != "text" && f.format != "json" && f.format != "go":
		return fmt.Errorf("format is %q, want text, json or go", f.format)
	case f.only != "" && f.only != "stream-output":
		return fmt.Errorf("only is %q, want stream-output", f.only)
	case f.shaders != "text" && f.shaders != "hash":
		return fmt.Errorf("shaders is %q, want text or hash", f.shaders)
	case f.most < 0:
		return fmt.Errorf("most is %d, want 0 or more", f.most)
	case f.mostSet && !f.times:
		return errors.New("--most is about --times")
	case f.times && f.format == "go":
		return errors.New("--times has no form go, want text or json")
	case f.width < -1:
		return fmt.Errorf("width is %d, want 0 or more, or -1", f.width)
	}
	if _, err := f.filter(nil); err != nil {
		return err
	}
	var err error
	if f.palette, err = c.palette(f.color); err != nil {
		return err
	}
	if f.width < 0 {
		f.width = terminalWidth(c.stdout)
	}
	return nil
}

// filter returns a fresh filter.
func (f *dumpFlags) filter(names *dump.Names) (*dump.Filter, error) {
	filter := &dump.Filter{NoJunk: f.noJunk, StreamOutput: f.only != "", Methods: splitList(f.method), Names: names}
	var err error
	if f.calls != "" {
		if filter.Calls, err = dump.ParseRanges(f.calls); err != nil {
			return nil, fmt.Errorf("calls: %w", err)
		}
	}
	if f.frames != "" {
		if filter.Frames, err = dump.ParseRanges(f.frames); err != nil {
			return nil, fmt.Errorf("frames: %w", err)
		}
	}
	if filter.Frames.Has(0) && len(filter.Frames) > 0 {
		return nil, errors.New("frames: frames count from 1")
	}
	if filter.Context, err = contextNamed(f.context); err != nil {
		return nil, err
	}
	return filter, filter.CheckMethods()
}

// contextNamed makes an address or a name of what says which context, "" of
// nothing.
func contextNamed(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		if h, err := strconv.ParseUint(digits, 16, 64); err == nil {
			return pipe.Handle(h).String(), nil
		}
	} else if n, err := strconv.ParseUint(strings.TrimPrefix(s, "context#"), 10, 64); err == nil {
		return fmt.Sprintf("context#%d", n), nil
	}
	return "", fmt.Errorf("context is %q, want an address such as 0x55d0c0de or a number, as that of context#2", s)
}

// recordPrinter is any of the forms that calls are printed in.
type recordPrinter interface {
	Append(b []byte, rec *trace.Record) []byte
}

func (f *dumpFlags) printer(name string, names *dump.Names) recordPrinter {
	o := dump.CallOptions{Palette: f.palette, Width: f.width, Hex: f.hex, HashTexts: f.shaders == "hash"}
	if f.names {
		o.Names = names
	}
	switch f.format {
	case "json":
		return dump.NewCallJSON(name, o)
	case "go":
		return &dump.CallGo{}
	}
	return dump.NewCallText(o)
}

// dump prints one trace. What is printed leaves as soon as a batch is read.
func (f *dumpFlags) dump(r *trace.Reader, name string, w io.Writer) error {
	names := &dump.Names{}
	filter, err := f.filter(names)
	if err != nil {
		return err
	}
	printer := f.printer(name, names)
	times := dump.Times{Most: f.most}
	named := f.names || f.context != ""
	var out []byte
	if f.several && f.format != "json" {
		if _, err := fmt.Fprintf(w, "# %s\n", name); err != nil {
			return err
		}
	}
	for {
		batch, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		out = out[:0]
		for i := range batch.Records {
			rec := &batch.Records[i]
			if named {
				names.See(rec)
			}
			switch {
			case !filter.Wants(rec):
			case f.times:
				times.See(rec)
			default:
				out = printer.Append(out, rec)
			}
		}
		batch.Release()
		if _, err := w.Write(out); err != nil {
			return err
		}
		if filter.Done() {
			return nil
		}
	}
	if e := r.Ending(); e.Headers == 0 && e.Calls == 0 {
		return errNoTrace
	}
	if f.times {
		return f.writeTimes(w, name, &times)
	}
	return nil
}

func (f *dumpFlags) writeTimes(w io.Writer, name string, t *dump.Times) error {
	if f.format == "json" {
		return t.WriteJSON(w, name)
	}
	return t.WriteText(w, f.palette)
}
