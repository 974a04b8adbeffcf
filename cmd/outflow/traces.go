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
	"sync/atomic"

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
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" { // what the user has set stays
		defer runtime.KeepAlive(make([]byte, headroom))
	}
	results := make([]traceOutput, len(names))
	for i := range results {
		results[i].done = make(chan struct{})
	}
	var next atomic.Int64
	for range min(jobs, len(names)) {
		go func() {
			var r traceReader
			defer r.close()
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				o := &results[i]
				o.code = c.nextTrace(&r, names[i], &o.out, &o.err, work)
				close(o.done)
			}
		}()
	}
	code := exitClean
	for i := range results {
		o := &results[i]
		<-o.done
		_, outErr := c.stdout.Write(o.out.Bytes())
		_, _ = c.stderr.Write(o.err.Bytes())
		if outErr != nil {
			return exitFailure
		}
		o.out, o.err = bytes.Buffer{}, bytes.Buffer{}
		code = max(code, o.code)
	}
	return code
}

// headroom is how many bytes are set aside while several traces are read. They are
// never touched and take no memory, but as they count for what is in use, as much again
// may be allocated before the next garbage collection. Each of many small traces leaves
// its whole state behind: to collect that as often as a small heap asks for costs a
// tenth of the time.
const headroom = 24 << 20

// traceOutput is what the work with one of several traces prints.
type traceOutput struct {
	out, err bytes.Buffer
	code     int
	done     chan struct{}
}

// traceReader reads one trace after another, with the memory of the first.
type traceReader struct{ reader *trace.Reader }

// open reads all values, also of calls that no rule looks at: only then is it said
// where such a call is malformed. Passing over them, as run does, would save a
// fifth at most, of traces that are mostly questions about formats and limits.
func (t *traceReader) open(source io.Reader, name string) (*trace.Reader, error) {
	if t.reader != nil {
		return t.reader, t.reader.Reset(source, name)
	}
	var err error
	t.reader, err = trace.NewReader(source, trace.Options{Name: name})
	return t.reader, err
}

func (t *traceReader) close() {
	if t.reader != nil {
		t.reader.Close()
	}
}

// oneTrace opens a trace, does the work and says why it failed.
func (c *cli) oneTrace(name string, out, errs io.Writer, work traceWork) int {
	var r traceReader
	defer r.close()
	return c.nextTrace(&r, name, out, errs, work)
}

// nextTrace is oneTrace for one of several.
func (c *cli) nextTrace(r *traceReader, name string, out, errs io.Writer, work traceWork) int {
	code, err := c.openAnd(r, name, out, work)
	if err != nil {
		fmt.Fprintf(errs, "outflow: %s: %v\n", name, plainError(err, name))
		return exitFailure
	}
	if !c.findsDamage {
		tellDamage(errs, name, r.reader.Ending())
	}
	return code
}

// tellDamage says when a file is damaged, as nothing else in the output would.
func tellDamage(errs io.Writer, name string, e trace.Ending) {
	if e.Damage != nil {
		fmt.Fprintf(errs, "outflow: %s: %v; what could be unpacked was read\n", name, e.Damage)
	}
}

func (c *cli) openAnd(reader *traceReader, name string, out io.Writer, work traceWork) (int, error) {
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
	r, err := reader.open(source, name)
	if err != nil {
		return exitFailure, err
	}
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
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	_, ok = askWidth(f) // other devices do not answer
	return ok
}
