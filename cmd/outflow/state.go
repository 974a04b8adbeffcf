package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/trace"
)

// stateFlags are the flags of state.
type stateFlags struct {
	call, draw, line  uint64
	last, after, text bool
	data              bool
	format, color     string

	palette dump.Palette
}

// runState prints everything that is bound at one call.
func runState(c *cli, args []string) int {
	var f stateFlags
	fs := flagSet("state")
	fs.Uint64Var(&f.call, "call", 0, "at the call of this `number`")
	fs.Uint64Var(&f.draw, "draw", 0, "at this `draw`, counted from 1 over all methods that draw")
	fs.Uint64Var(&f.line, "line", 0, "at the call that begins on this `line`; with --call, of several calls of that number")
	fs.BoolVar(&f.last, "last", false, "at the last call: the one that crashed, when the trace ends inside it")
	fs.BoolVar(&f.after, "after", false, "as the call left it, not as it found it")
	fs.BoolVar(&f.text, "shaders", false, "with the texts of the bound shaders")
	fs.BoolVar(&f.data, "data", false, "with what is known of the bytes in bound buffers, and the first vertices of a draw")
	fs.StringVar(&f.format, "format", "text", "`form` of the output: text or json")
	fs.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	given := map[string]bool{}
	for _, name := range [...]string{"call", "draw", "line", "last"} {
		given[name] = isSet(fs, name)
	}
	if len(operands) == 0 {
		return c.fail("state needs a trace; see `outflow help state`")
	}
	if err := f.check(c, operands, given); err != nil {
		return c.fail("state: %v", err)
	}
	return c.oneTrace(operands[0], c.stdout, c.stderr, func(r *trace.Reader, name string, w io.Writer) (int, error) {
		return exitClean, f.print(r, name, w)
	})
}

func (f *stateFlags) check(c *cli, operands []string, given map[string]bool) error {
	points := 0
	for _, name := range [...]string{"call", "draw", "last"} {
		if given[name] {
			points++
		}
	}
	switch {
	case len(operands) > 1:
		return fmt.Errorf("one trace at a time")
	case points > 1, points == 0 && !given["line"], given["line"] && (given["draw"] || given["last"]):
		return fmt.Errorf("say which call: --call N, --draw N, --last or --line L")
	case given["draw"] && f.draw == 0:
		return fmt.Errorf("draw is 0, draws count from 1")
	case given["line"] && f.line == 0:
		return fmt.Errorf("line is 0, lines count from 1")
	case f.format != "text" && f.format != "json":
		return fmt.Errorf("format is %q, want text or json", f.format)
	}
	var err error
	f.palette, err = c.palette(f.color)
	f.palette.Columns = terminalWidth(c.stdout)
	return err
}

// print finds the call and prints what is bound there.
func (f *stateFlags) print(r *trace.Reader, name string, w io.Writer) error {
	search := newStateSearch(f, name)
	if err := search.follow(r); err != nil {
		return err
	}
	if e := r.Ending(); !search.over() && e.Headers == 0 && e.Calls == 0 {
		return errNoTrace
	}
	o, err := search.result()
	if err != nil {
		return err
	}
	if f.format == "json" {
		return dump.StateJSON(w, o)
	}
	return dump.StateText(w, o, f.palette)
}

// ambiguous says that a number stands for several calls.
func ambiguous(number uint64, lines []int) error {
	var list strings.Builder
	for i, l := range lines {
		if i == 20 {
			fmt.Fprintf(&list, " and %d more", len(lines)-i)
			break
		}
		fmt.Fprintf(&list, " %d", l)
	}
	return fmt.Errorf("call %d occurs %d times, on lines%s: choose with --line", number, len(lines), list.String())
}
