package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/trace"
)

// errNoTrace is for input that holds nothing of a trace.
var errNoTrace = errors.New("no Gallium trace: neither a <trace> header nor a call was found")

// errStdinTwice is for operands that name standard input more than once.
var errStdinTwice = errors.New("standard input can be one of the traces, not several")

// readsTwice says whether standard input is named more than once.
func readsTwice(names []string) bool {
	i := slices.Index(names, "-")
	return i >= 0 && slices.Contains(names[i+1:], "-")
}

// traceWork is what a verb does with each trace. What it prints goes to w; it
// returns the exit code.
type traceWork func(r *trace.Reader, name string, w io.Writer) (int, error)

// eachTrace runs the work over the traces named, several at once, with the
// output in their order. The exit code is the worst one.
func (c *cli) eachTrace(names []string, jobs int, work traceWork) int {
	if len(names) == 1 {
		return c.oneTrace(names[0], c.stdout, c.stderr, work)
	}
	if readsTwice(names) {
		return c.fail("%v", errStdinTwice)
	}
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	type result struct {
		out, err bytes.Buffer
		code     int
		done     chan struct{}
	}
	results := make([]result, len(names))
	slots := make(chan struct{}, jobs)
	for i := range results {
		results[i].done = make(chan struct{})
	}
	go func() {
		for i, name := range names {
			slots <- struct{}{}
			go func() {
				r := &results[i]
				r.code = c.oneTrace(name, &r.out, &r.err, work)
				<-slots
				close(r.done)
			}()
		}
	}()
	code := exitClean
	for i := range results {
		r := &results[i]
		<-r.done
		_, outErr := c.stdout.Write(r.out.Bytes())
		_, _ = c.stderr.Write(r.err.Bytes())
		if outErr != nil {
			return exitFailure
		}
		r.out, r.err = bytes.Buffer{}, bytes.Buffer{}
		code = max(code, r.code)
	}
	return code
}

// oneTrace opens a trace, does the work and says why it failed.
func (c *cli) oneTrace(name string, out, errs io.Writer, work traceWork) int {
	code, err := c.openAnd(name, out, work)
	if err != nil {
		fmt.Fprintf(errs, "outflow: %s: %v\n", name, plainError(err, name))
		return exitFailure
	}
	return code
}

func (c *cli) openAnd(name string, out io.Writer, work traceWork) (int, error) {
	source := &counted{Reader: c.stdin}
	size := int64(0)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return exitFailure, err
		}
		defer f.Close()
		source.Reader, size = f, fileSize(f)
	}
	if isTerminal(c.stderr) {
		defer showProgress(c.stderr, name, source, size)()
	}
	r, err := trace.NewReader(source, trace.Options{Name: name})
	if err != nil {
		return exitFailure, err
	}
	defer r.Close()
	return work(r, name, out)
}

// plainError leaves out what the message says already: the operation and the
// path of a file error.
func plainError(err error, name string) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) && pathError.Path == name {
		return pathError.Err
	}
	return err
}

// palette makes sense of a --color flag: auto colours a terminal, unless
// NO_COLOR is set, and everything when FORCE_COLOR is.
func (c *cli) palette(mode string) (dump.Palette, error) {
	switch mode {
	case "always":
		return dump.Palette{Enabled: true}, nil
	case "never":
		return dump.Palette{}, nil
	case "auto":
		forced := os.Getenv("FORCE_COLOR") != ""
		denied := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
		return dump.Palette{Enabled: forced || !denied && isTerminal(c.stdout)}, nil
	}
	return dump.Palette{}, fmt.Errorf("color is %q, want auto, always or never", mode)
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0
}
