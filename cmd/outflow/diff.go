package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/trace"
)

// diffFlags are the flags of diff, and what they mean.
type diffFlags struct {
	calls, method, only   string
	noJunk, state         bool
	format, color, layout string
	noise                 string
	width                 int
	keep                  trace.Noise
	palette               dump.Palette
	temporary             []string // files that hold what can be read once
}

// sideBySide is from how many columns on a terminal shows two sides.
const sideBySide = 120

// runDiff compares two traces.
func runDiff(c *cli, args []string) int {
	var f diffFlags
	fs := flagSet("diff")
	fs.StringVar(&f.calls, "calls", "", "only the calls of these `numbers`, in both traces: A-B,A-,N")
	fs.StringVar(&f.method, "method", "", "only methods that fit one of these `globs`: draw_*,pipe_screen::*")
	fs.StringVar(&f.only, "only", "", "only the calls that have to do with a `subject`: stream-output")
	fs.BoolVar(&f.noJunk, "no-junk", false, "leave out questions about formats and capabilities")
	fs.BoolVar(&f.state, "state", false, "compare the draws, those that are chosen, and everything that is bound when they draw, instead of all calls")
	fs.StringVar(&f.noise, "noise", "", noiseUsage())
	fs.StringVar(&f.format, "format", "text", "`form` of the output: text or json")
	fs.StringVar(&f.layout, "layout", "auto", "`way` of the text: unified, side-by-side, or auto by the width of the terminal")
	fs.IntVar(&f.width, "width", -1, "how many `columns` side-by-side has; -1 is the terminal's width")
	fs.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if len(operands) != 2 {
		return c.fail("diff needs two traces; see `outflow help diff`")
	}
	if err := f.check(c); err != nil {
		return c.fail("diff: %v", err)
	}
	if readsTwice(operands) {
		return c.fail("%v", errStdinTwice)
	}
	defer f.clean()
	same, err := f.diff(c, operands[0], operands[1])
	switch {
	case err != nil:
		return c.fail("%v", err)
	case same:
		return exitClean
	}
	return exitFound
}

// noiseUsage lists the kinds of noise for the help.
func noiseUsage() string {
	var b strings.Builder
	b.WriteString("`kinds` of noise that count as differences, with commas between, or all; by default none does:")
	for _, n := range trace.NoiseKinds() {
		fmt.Fprintf(&b, "\n%28s %-14s %s", "", n.Name, n.What)
	}
	return b.String()
}

// check makes sense of the flags.
func (f *diffFlags) check(c *cli) error {
	switch {
	case f.format != "text" && f.format != "json":
		return fmt.Errorf("format is %q, want text or json", f.format)
	case f.only != "" && f.only != "stream-output":
		return fmt.Errorf("only is %q, want stream-output", f.only)
	case f.width < -1:
		return fmt.Errorf("width is %d, want 0 or more, or -1", f.width)
	}
	if _, err := f.filter(); err != nil {
		return err
	}
	var err error
	if f.keep, err = trace.ParseNoise(f.noise); err != nil {
		return fmt.Errorf("noise: %w", err)
	}
	if f.palette, err = c.palette(f.color); err != nil {
		return err
	}
	if f.width < 0 {
		f.width = terminalWidth(c.stdout)
	}
	switch f.layout {
	case "unified":
		f.width = 0
	case "auto":
		if f.width < sideBySide {
			f.width = 0
		}
	case "side-by-side":
		if f.width == 0 {
			f.width = sideBySide
		}
	default:
		return fmt.Errorf("layout is %q, want unified, side-by-side or auto", f.layout)
	}
	return nil
}

// filter returns a fresh filter, nil when every call is compared.
func (f *diffFlags) filter() (func(*trace.Record) bool, error) {
	if f.calls == "" && f.method == "" && f.only == "" && !f.noJunk {
		return nil, nil
	}
	filter := &dump.Filter{NoJunk: f.noJunk, StreamOutput: f.only != "", Methods: splitList(f.method)}
	var err error
	if f.calls != "" {
		if filter.Calls, err = dump.ParseRanges(f.calls); err != nil {
			return nil, fmt.Errorf("calls: %w", err)
		}
	}
	return filter.Wants, filter.CheckMethods()
}

// diffPrinter is either form that differences are printed in.
type diffPrinter interface {
	Difference(w io.Writer, d *trace.Difference) error
	Summary(w io.Writer, s *trace.DiffSummary) error
	State(w io.Writer, d *dump.StateDifference) error
	StateSummary(w io.Writer, d *dump.StateDiff) error
}

func (f *diffFlags) printer(a, b string) diffPrinter {
	if f.format == "json" {
		return &dump.DiffJSON{A: a, B: b}
	}
	return &dump.DiffText{Palette: f.palette, A: a, B: b, Width: f.width}
}

// diff compares the traces and says whether they are the same.
func (f *diffFlags) diff(c *cli, nameA, nameB string) (same bool, err error) {
	read := &diffProgress{}
	a, err := f.source(c, nameA, read)
	if err != nil {
		return false, err
	}
	b, err := f.source(c, nameB, read)
	if err != nil {
		return false, err
	}
	stop := func() {}
	if isTerminal(c.stderr) {
		stop = showProgress(c.stderr, nameA+", "+nameB, &read.counted, read.size)
	}
	defer func() { stop() }()
	out := bufio.NewWriter(c.whileRead())
	printer := f.printer(nameA, nameB)
	begin := func() {
		stop()
		stop = func() {}
	}
	compare := f.compareCalls
	if f.state {
		compare = f.compareStates
	}
	same, summary, err := compare(a, b, out, printer, begin)
	begin()
	if failed := out.Flush(); err == nil {
		err = failed
	}
	tellDamage(c.stderr, nameA, summary.EndingA)
	tellDamage(c.stderr, nameB, summary.EndingB)
	return same, quietly(err)
}

func (f *diffFlags) compareCalls(a, b trace.DiffSource, out io.Writer, printer diffPrinter, begin func()) (same bool, summary trace.DiffSummary, err error) {
	summary, err = trace.Diff(a, b, trace.DiffOptions{Keep: f.keep, Report: func(d *trace.Difference) error {
		begin()
		return printer.Difference(out, d)
	}})
	if err != nil {
		return false, summary, err
	}
	return summary.Same(), summary, printer.Summary(out, &summary)
}

// compareStates compares the draws, and then what they see.
func (f *diffFlags) compareStates(a, b trace.DiffSource, out io.Writer, printer diffPrinter, begin func()) (same bool, summary trace.DiffSummary, err error) {
	states := &dump.StateDiff{Report: func(d *dump.StateDifference) error {
		begin()
		return printer.State(out, d)
	}}
	chosenA, chosenB := chooseDraws(&a), chooseDraws(&b)
	follower := states.Follower()
	compare := follower.Draws
	follower.Draws = func(m *trace.DiffMoment) error {
		if !chosenA.has(m.A) && !chosenB.has(m.B) {
			return nil
		}
		return compare(m)
	}
	draws := 0
	summary, err = trace.Diff(a, b, trace.DiffOptions{Keep: f.keep, Follow: follower, Report: func(d *trace.Difference) error {
		if !chosenA.has(d.A) && !chosenB.has(d.B) {
			return nil
		}
		begin()
		draws++
		return printer.Difference(out, d)
	}})
	if err != nil {
		return false, summary, err
	}
	return draws == 0 && states.Differing == 0, summary, printer.StateSummary(out, states)
}

// drawChoice holds where the draws begin whose state is compared; nil is all.
type drawChoice map[int64]bool

// chooseDraws leaves to the filter of a trace the choice among its draws alone:
// all calls are aligned, since they tell which objects stand for each other.
func chooseDraws(s *trace.DiffSource) drawChoice {
	wants := s.Wants
	if wants == nil {
		return nil
	}
	chosen := drawChoice{}
	s.Wants = func(rec *trace.Record) bool {
		if wants(rec) && isDraw(rec) {
			chosen[rec.Pos.Byte] = true
		}
		return true
	}
	return chosen
}

func isDraw(rec *trace.Record) bool { return strings.HasPrefix(rec.Method, "draw_") }

// has says whether a call is there and is a draw that was chosen.
func (c drawChoice) has(call *trace.DiffCall) bool {
	return call != nil && isDraw(call.Record) && (c == nil || c[call.Pos.Byte])
}

// source returns a trace that can be read twice: what can be read once, such as
// standard input and pipes, is kept in a temporary file.
func (f *diffFlags) source(c *cli, name string, read *diffProgress) (trace.DiffSource, error) {
	path, err := f.rereadable(c, name)
	if err != nil {
		return trace.DiffSource{}, err
	}
	if info, err := os.Stat(path); err == nil {
		read.size += info.Size()
	}
	wants, err := f.filter()
	return trace.DiffSource{Name: name, Wants: wants, Open: func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return countedFile{file, read}, nil
	}}, err
}

// rereadable returns the path of what an operand names, or of its copy.
func (f *diffFlags) rereadable(c *cli, name string) (path string, err error) {
	if name == "-" {
		return f.copyOf(c.stdin)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return name, err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return f.copyOf(file)
}

// diffProgress counts what is read of both traces.
type diffProgress struct {
	counted
	size int64
}

// countedFile is a file whose bytes are counted as they are read.
type countedFile struct {
	*os.File
	read *diffProgress
}

func (f countedFile) Read(b []byte) (int, error) {
	n, err := f.File.Read(b)
	f.read.bytes.Add(int64(n))
	return n, err
}

// copyOf copies what is read to a temporary file.
func (f *diffFlags) copyOf(once io.Reader) (string, error) {
	file, err := os.CreateTemp("", "outflow-diff-*.trace")
	if err != nil {
		return "", err
	}
	f.temporary = append(f.temporary, file.Name())
	_, err = io.Copy(file, once)
	return file.Name(), errors.Join(err, file.Close())
}

// clean removes what was kept.
func (f *diffFlags) clean() {
	for _, name := range f.temporary {
		os.Remove(name)
	}
}
