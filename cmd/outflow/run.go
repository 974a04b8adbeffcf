package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/outflow-gpu/outflow/trace"
)

// Exit codes of outflow run that it shares with env(1). A program's own code
// other than zero goes before all of them.
const (
	exitRunFailed   = 125 // outflow itself failed, or there was nothing to check
	exitCannotRun   = 126 // the program is there but cannot be run
	exitNoProgram   = 127 // there is no such program
	exitKilled      = 128 // and the number of the signal that killed it
	exitCodeLargest = 255
)

// runFlags are the flags of outflow run: those of check, and its own.
type runFlags struct {
	*checkFlags
	keep, report string
	threaded     bool
	errorCode    int
	grace        time.Duration
}

func newRunFlags() *runFlags {
	f := &runFlags{checkFlags: newCheckFlags()}
	s := f.set
	s.Init("run", flag.ContinueOnError)
	s.StringVar(&f.keep, "o", "", "keep the trace in this `file`, compressed when its name ends in .gz or .zst")
	s.StringVar(&f.report, "report", "", "write findings and the summary to this `file` instead of standard error")
	s.BoolVar(&f.threaded, "tc", false, "trace above the threaded context (GALLIUM_TRACE_TC), not below")
	s.IntVar(&f.errorCode, "error-exitcode", exitFound, "exit with `n` when an error is found and the program succeeded")
	s.DurationVar(&f.grace, "grace", 2*time.Second, "`time` to wait for processes that outlive the program and still write")
	return f
}

// runRun runs a program under GALLIUM_TRACE and checks its trace as it comes.
func runRun(c *cli, args []string) int {
	f := newRunFlags()
	command, code, done := c.parseCommand(f.set, args)
	if done {
		return code
	}
	// What run says goes to standard error: standard output is the program's.
	talk := &cli{stdin: c.stdin, stdout: c.stderr, stderr: c.stderr}
	k, err := f.checker(talk)
	if err == nil && (f.errorCode < 0 || f.errorCode > exitCodeLargest) {
		err = fmt.Errorf("error-exitcode is %d, want 0 to %d", f.errorCode, exitCodeLargest)
	}
	if err != nil {
		return c.runFailed(err)
	}
	out := c.stderr
	if f.report != "" {
		file, err := os.Create(f.report)
		if err != nil {
			return c.runFailed(err)
		}
		defer file.Close()
		out = file
		if f.color == "auto" {
			k.palette.Enabled = false
		}
	}
	code, err = f.watch(c, k, command, out)
	if err != nil {
		failed := c.runFailed(err)
		if code == exitClean {
			code = failed
		}
	}
	return code
}

// runFailed says what outflow itself could not do.
func (c *cli) runFailed(err error) int {
	c.fail("run: %v", err)
	return exitRunFailed
}

// parseCommand reads flags up to the program, which stands behind "--" or is
// the first word that is no flag. The rest is the program's.
func (c *cli) parseCommand(fs *flag.FlagSet, args []string) (command []string, code int, done bool) {
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		c.printUsage(c.stdout, fs)
		return nil, exitClean, true
	case err != nil:
		return nil, c.runFailed(fmt.Errorf("%s; see `outflow help run`", flagFault(fs, err))), true
	case fs.NArg() == 0:
		return nil, c.runFailed(errors.New("a program is missing; see `outflow help run`")), true
	}
	return fs.Args(), exitClean, false
}

// watch runs the program and checks its trace. The code is what outflow exits
// with unless there is an error and the code is 0.
func (f *runFlags) watch(c *cli, k *checker, command []string, out io.Writer) (int, error) {
	fifo, err := newTraceFIFO()
	if err != nil {
		return exitClean, err
	}
	defer fifo.remove()
	kept, err := keepTrace(f.keep)
	if err != nil {
		return exitClean, err
	}
	p, err := startProgram(c, command, f.environment(fifo.path))
	if err != nil {
		err = errors.Join(err, kept.close())
		return startFailed(c, err), nil
	}
	defer p.stopForwarding()
	name := f.keep
	if name == "" {
		name = filepath.Base(command[0])
	}
	checked := make(chan checkResult, 1)
	go func() { checked <- f.check(k, kept.tee(fifo), name, out) }()

	end := p.wait()
	fifo.finish(f.grace)
	r := <-checked
	err = kept.close()
	c.sayHowItEnded(command[0], end, r, fifo.cut.Load())
	return f.exitCode(end, r), errors.Join(err, r.failure())
}

// environment is that of the program.
func (f *runFlags) environment(path string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return hasName(v, "GALLIUM_TRACE") })
	env = append(env, "GALLIUM_TRACE="+path)
	if os.Getenv("GALLIUM_TRACE_NIR") == "" {
		// Without it the text of all shaders but the first 32 is missing.
		env = append(env, "GALLIUM_TRACE_NIR=1000000")
	}
	if f.threaded {
		env = append(env, "GALLIUM_TRACE_TC=true")
	}
	return env
}

func hasName(variable, name string) bool {
	return len(variable) > len(name) && variable[:len(name)] == name && variable[len(name)] == '='
}

// checkResult is what became of the check of a live trace.
type checkResult struct {
	code   int
	err    error
	ending trace.Ending
}

// noTrace says that the program wrote nothing that could be checked.
func (r *checkResult) noTrace() bool { return errors.Is(r.err, errNoTrace) }

// failure is the error that is not told by how the program ended.
func (r *checkResult) failure() error {
	if r.noTrace() {
		return nil
	}
	return r.err
}

// check checks the trace that comes out of the FIFO. Whatever happens it reads
// to the end, so that the program never waits for a reader.
func (f *runFlags) check(k *checker, text io.Reader, name string, out io.Writer) (result checkResult) {
	r, err := trace.NewReader(text, trace.Options{Name: name, Wanted: trace.Decodes, Workers: 1})
	if err != nil {
		return checkResult{code: exitFailure, err: err}
	}
	defer r.Close()
	result.code, result.err = k.check(r, name, out)
	for err := error(nil); err == nil; { // after a failed check
		var b *trace.Batch
		if b, err = r.Next(); err == nil {
			b.Release()
		}
	}
	result.ending = r.Ending()
	if result.err == nil && k.format.whole != nil {
		result.err = k.format.whole(out, buildVersion(), k.rules, k.results.inOrder([]string{name}))
	}
	if result.err == nil && f.writeKnown != "" {
		result.code, result.err = exitClean, k.known.seen.WriteFile(f.writeKnown)
	}
	return result
}

// exitCode makes one code of the program's and the check's.
func (f *runFlags) exitCode(end programEnd, r checkResult) int {
	switch {
	case end.code() != 0:
		return end.code()
	case r.err != nil:
		return exitRunFailed
	case r.code == exitFound:
		return f.errorCode
	}
	return exitClean
}

// sayHowItEnded says in plain words what is not a program that ended well and
// left one whole trace.
func (c *cli) sayHowItEnded(program string, end programEnd, r checkResult, left bool) {
	say := func(format string, args ...any) {
		fmt.Fprintf(c.stderr, "outflow: run: %s %s\n", filepath.Base(program), fmt.Sprintf(format, args...))
	}
	if end.words != "" {
		say("%s", end.words)
	}
	if left {
		say("has ended, but a process that it started still holds the trace open; what that one does is not checked")
	}
	switch {
	case r.noTrace():
		say("wrote no trace: it did not use Gallium, or its Mesa has no support for traces, so there was nothing to check")
	case r.err != nil:
	case r.ending.Headers > 1:
		say("began %d traces: it has several screens, drivers or processes", r.ending.Headers)
	case !r.ending.Complete && end.words == "":
		say("did not close its trace: it left by _exit, or a process that it started was killed")
	}
}
