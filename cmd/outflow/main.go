package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Exit codes of every verb.
const (
	exitClean   = 0 // nothing found, equal, done
	exitFound   = 1 // findings, a difference, an impossible case
	exitFailure = 2 // it could not be done: bad usage, unreadable input
)

// verb is one thing that the command can do.
type verb struct {
	name string
	args string // operands for the usage line
	what string // one line
	run  func(c *cli, args []string) int
}

// verbs lists them in the order of the help.
func verbs() []verb {
	return []verb{
		{"check", "TRACE...", "validate the stream output of traces", runCheck},
		{"run", "[--] CMD [ARGS]", "run a program under GALLIUM_TRACE and check its trace as it comes", runRun},
		{"preserve", "ABOVE BELOW", "two traces of two levels of one run: did stream output survive", runPreserve},
		{"layout", "TRACE...", "the byte map of every stream-output shader's buffers", runLayout},
		{"state", "TRACE", "everything that is bound at one call", runState},
		{"dump", "TRACE...", "the calls of traces, readable, filtered", runDump},
		{"diff", "A B", "what differs between two traces, whatever the addresses", runDiff},
		{"translate", "[CASE|MODULE.spv]", "declarations of GL, D3D or Vulkan to the pipe_stream_output_info that a linker makes of them", runTranslate},
		{"capture", "TRACE...", "what each draw captures: counts, bytes of the buffers, overflow, query results", runCapture},
		{"audit", "DIR|FILE.c", "C sources: is stream_output zeroed, preserved and dumped by every user of pipe_shader_state", runAudit},
		{"tess", "", "what the tessellator makes of a patch, and how a draw is cut into threadgroups", runTess},
		{"depthstencil", "[TRACE...]", "what a depth/stencil state can do at all, and the smallest state that does the same", runDepthStencil},
		{"cmask", "decode FILE", "decode Cmask: which tiles and sub-tiles rendering touched", runCmask},
		{"rules", "", "list the catalog of rules", runRules},
		{"explain", "RULE", "what a rule demands and why", runExplain},
		{"version", "", "print the version", runVersion},
		{"help", "[VERB]", "say how a verb is used", runHelp},
	}
}

// cli is where a verb reads and writes.
type cli struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	findsDamage    bool // the verb says in a finding that a file is damaged
}

func main() {
	noticePipes()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command as a function: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &cli{stdin: stdin, stdout: stdout, stderr: stderr}
	if isTerminal(stdout) || len(args) > 0 && args[0] == "run" { // run hands the stream itself to its program
		return c.dispatch(args)
	}
	o := &output{Writer: stdout}
	c.stdout = o
	code := c.dispatch(args)
	if err := o.fault(); err != nil {
		return c.fail("standard output: %v", err)
	}
	return code
}

// dispatch runs the verb that the arguments name.
func (c *cli) dispatch(args []string) int {
	if len(args) == 0 {
		c.printVerbs(c.stderr)
		return exitFailure
	}
	switch args[0] {
	case "-h", "-help", "--help":
		return runHelp(c, args[1:])
	case "-V", "--version":
		return runVersion(c, nil)
	}
	v, ok := findVerb(args[0])
	if !ok {
		return c.fail("%s: no such verb; `outflow help` lists them", args[0])
	}
	return v.run(c, args[1:])
}

func findVerb(name string) (verb, bool) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i < 0 {
		return verb{}, false
	}
	return all[i], true
}

// fail prints what could not be done and returns the exit code for it. An error
// about a file begins with the file.
func (c *cli) fail(format string, args ...any) int {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = fileFirst(err)
		}
	}
	fmt.Fprintf(c.stderr, "outflow: "+format+"\n", args...)
	return exitFailure
}

// fileFirst words an error as the other messages are: "file: no such file", not
// "open file: no such file".
func fileFirst(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err.Error()
	}
	return strings.Replace(err.Error(), path.Error(), path.Path+": "+path.Err.Error(), 1)
}

// flagSet returns the flags of a verb, which print nothing by themselves.
func flagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads the flags of a verb, which may stand before and behind its
// operands; "--" ends them. When done is true the verb is over, with the exit
// code given: bad usage, or help that was asked for.
func (c *cli) parse(fs *flag.FlagSet, args []string) (operands []string, code int, done bool) {
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				c.printUsage(c.stdout, fs)
				return nil, exitClean, true
			}
			return nil, c.fail("%s: %s; see `outflow help %s`", fs.Name(), flagFault(fs, err), fs.Name()), true
		}
		rest := fs.Args()
		ended := len(args) > len(rest) && args[len(args)-len(rest)-1] == "--"
		if ended || len(rest) == 0 {
			operands = append(operands, rest...)
			if slices.Contains(operands, "") {
				return nil, c.fail(`%s: an operand is ""`, fs.Name()), true
			}
			return operands, exitClean, false
		}
		// flag stops at the first operand, a lone "-" among them.
		operands = append(operands, rest[0])
		args = rest[1:]
	}
}

// printUsage prints how the verb of the flags is used.
func (c *cli) printUsage(w io.Writer, fs *flag.FlagSet) {
	v, _ := findVerb(fs.Name())
	line := "usage: outflow " + fs.Name()
	hasFlags := false
	fs.VisitAll(func(*flag.Flag) { hasFlags = true })
	if hasFlags {
		line += " [flags]"
	}
	if v.args != "" {
		line += " " + v.args
	}
	fmt.Fprintf(w, "%s\n\n%s\n", line, v.what)
	if !hasFlags {
		return
	}
	fmt.Fprintln(w)
	fs.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		name := flagName(f.Name)
		if value != "" {
			name += " " + strings.ToUpper(value)
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			text += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  %-26s %s\n", name, text)
	})
	fmt.Fprint(w, furtherHelp(fs.Name()))
}

// printVerbs prints the table of verbs.
func (c *cli) printVerbs(w io.Writer) {
	fmt.Fprintln(w, "usage: outflow VERB [flags] [operands]")
	fmt.Fprintln(w)
	for _, v := range verbs() {
		fmt.Fprintf(w, "  %-30s %s\n", strings.TrimSpace(v.name+" "+v.args), v.what)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "TRACE is a file that Mesa wrote under GALLIUM_TRACE, plain or compressed, or - for standard input.")
	fmt.Fprintln(w, "Exit status: 0 clean or equal, 1 found or different, 2 could not do it; `outflow help run` tells those of run.")
}
