package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/dump/baseline"
	"github.com/outflow-gpu/outflow/dump/sarif"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// auditFlags are the flags of outflow audit.
type auditFlags struct {
	set                  *flag.FlagSet
	format, minSeverity  string
	structName, member   string
	known, writeKnown    string
	color                string
	explain, strictExits bool
}

func newAuditFlags() *auditFlags {
	f := &auditFlags{set: flagSet("audit")}
	s := f.set
	s.StringVar(&f.format, "format", "text", "`form` of the output: text, json or sarif")
	s.StringVar(&f.minSeverity, "min-severity", "warning", "show findings from this `level` on; the summary counts all")
	s.StringVar(&f.structName, "struct", "", "audit for this `struct` instead of pipe_shader_state")
	s.StringVar(&f.member, "member", "", "the `member` of the struct that must be set, kept and dumped")
	s.StringVar(&f.known, "baseline", "", "leave out the findings that this `file` knows")
	s.StringVar(&f.writeKnown, "write-baseline", "", "write the findings to this `file` as known, and exit 0")
	s.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	s.BoolVar(&f.explain, "explain", false, "print the way to each fault: declared, written, escapes")
	s.BoolVar(&f.strictExits, "strict", false, "warnings set the exit status as errors do")
	return f
}

// runAudit audits C and C++ sources.
func runAudit(c *cli, args []string) int {
	f := newAuditFlags()
	operands, code, done := c.parse(f.set, args)
	if done {
		return code
	}
	if len(operands) != 1 {
		return c.fail("audit takes one directory or file of C sources; see `outflow help audit`")
	}
	a, err := f.audit(c, operands[0])
	if err != nil {
		return c.fail("audit: %v", err)
	}
	if err := a.read(); err != nil {
		return c.fail("%v", err)
	}
	return a.finish(c, f)
}

// sourceAudit is one run of the verb.
type sourceAudit struct {
	dir     string
	opts    source.Options
	report  *source.Report
	least   source.Severity
	palette dump.Palette
	old     *baseline.Baseline // nil for none
	known   int                // findings that the baseline left out
	gone    int                // findings of the baseline that are no more
}

// audit makes sense of the flags.
func (f *auditFlags) audit(c *cli, dir string) (*sourceAudit, error) {
	a := &sourceAudit{dir: dir}
	switch {
	case f.structName != "":
		a.opts.Tracked = []source.Tracked{{Struct: f.structName, Member: f.member}}
	case f.member != "":
		return nil, errors.New("--member needs --struct")
	}
	if !slices.Contains([]string{"text", "json", "sarif"}, f.format) {
		return nil, fmt.Errorf("format is %q, want text, json or sarif", f.format)
	}
	var err error
	if a.least, err = source.ParseSeverity(f.minSeverity); err != nil {
		return nil, fmt.Errorf("min-severity is %q, want note, warning or error", f.minSeverity)
	}
	if a.palette, err = c.palette(f.color); err != nil {
		return nil, err
	}
	if f.known != "" {
		a.old, err = baseline.ReadFile(f.known)
	}
	return a, err
}

// read audits the sources, less what the baseline knows.
func (a *sourceAudit) read() error {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // a tree is read once and kept: collecting finds little
	var err error
	if a.report, err = readSources(a.dir, a.opts); err != nil {
		return err
	}
	all := len(a.report.Findings)
	a.report.Findings = slices.DeleteFunc(a.report.Findings, func(g source.Finding) bool { return a.old.Take(g.Key()) })
	a.known, a.gone = all-len(a.report.Findings), a.old.Left()
	return nil
}

// readSources audits a directory, or one file, whatever its name.
func readSources(dir string, opts source.Options) (*source.Report, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		text, err := os.ReadFile(dir)
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil, fmt.Errorf("%s: no C or C++ source: it has bytes of 0", dir)
		}
		return source.File(filepath.Base(dir), string(text), opts), nil
	}
	if opts.Root, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	opts.Root = filepath.ToSlash(opts.Root)
	return source.Directory(os.DirFS(dir), opts)
}

// finish prints the report and returns the exit code.
func (a *sourceAudit) finish(c *cli, f *auditFlags) int {
	for _, s := range a.report.Skipped {
		fmt.Fprintf(c.stderr, "outflow: %s: not read: %s\n", a.dir, s)
	}
	if a.report.Files == 0 {
		return c.fail("%s: no C or C++ source", a.dir)
	}
	if f.writeKnown != "" {
		var b baseline.Baseline
		for i := range a.report.Findings {
			b.Add(a.report.Findings[i].Key())
		}
		if err := b.WriteFile(f.writeKnown); err != nil {
			return c.fail("audit: %v", err)
		}
		fmt.Fprintf(c.stderr, "outflow: %s written to %s\n", plural(len(a.report.Findings), "finding"), f.writeKnown)
		return exitClean
	}
	if err := a.print(c.stdout, f); err != nil {
		return c.fail("audit: %v", err)
	}
	if a.count(source.Error) > 0 || f.strictExits && a.count(source.Warning) > 0 {
		return exitFound
	}
	return exitClean
}

func (a *sourceAudit) count(s source.Severity) int {
	n := 0
	for i := range a.report.Findings {
		if a.report.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// summary writes the last line of the text.
func (a *sourceAudit) summary(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s: %s, %s, %s", a.dir, plural(a.report.Files, "file"), plural(a.report.Functions, "function"),
		plural(a.count(source.Error), "error"), plural(a.count(source.Warning), "warning"), plural(a.count(source.Note), "note"))
	if a.known > 0 {
		fmt.Fprintf(&b, "; %d known", a.known)
	}
	if a.gone > 0 {
		fmt.Fprintf(&b, "; %d of the baseline are gone", a.gone)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// plural says how many there are of what.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shown lists the findings at and above the least severity.
func (a *sourceAudit) shown() []source.Finding {
	var list []source.Finding
	for _, g := range a.report.Findings {
		if g.Severity >= a.least {
			list = append(list, g)
		}
	}
	return list
}

func (a *sourceAudit) print(w io.Writer, f *auditFlags) error {
	switch f.format {
	case "json":
		return a.json(w, f.explain)
	case "sarif":
		return sarif.Write(w, a.sarif())
	}
	for _, g := range a.shown() {
		severity, _ := streamout.ParseSeverity(g.Severity.String())
		_, err := fmt.Fprintf(w, "%s:%d: %s: %s: %s: %s: %s\n", g.File, g.Line, a.palette.Severity(severity),
			g.Verdict, g.Function, g.Variable, g.Reason)
		if err != nil {
			return err
		}
		if !f.explain {
			continue
		}
		for _, s := range g.Path {
			if _, err := fmt.Fprintf(w, "    %s:%d: %s\n", g.File, s.Line, s.What); err != nil {
				return err
			}
		}
	}
	return a.summary(w)
}

// auditJSON is a finding in the house's JSON.
type auditJSON struct {
	Schema   string        `json:"schema"`
	Type     string        `json:"type"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Function string        `json:"function"`
	Variable string        `json:"variable"`
	Verdict  string        `json:"verdict"`
	Severity string        `json:"severity"`
	Reason   string        `json:"reason"`
	How      string        `json:"how"`
	Stage    string        `json:"stage,omitempty"`
	Struct   string        `json:"struct"`
	Identity string        `json:"identity"`
	Path     []source.Step `json:"path,omitempty"`
}

type auditSummaryJSON struct {
	Schema    string `json:"schema"`
	Type      string `json:"type"`
	Directory string `json:"directory"`
	Files     int    `json:"files"`
	Functions int    `json:"functions"`
	Errors    int    `json:"errors"`
	Warnings  int    `json:"warnings"`
	Notes     int    `json:"notes"`
	Known     int    `json:"known"`
}

func (a *sourceAudit) json(w io.Writer, explain bool) error {
	for _, g := range a.shown() {
		j := auditJSON{
			Schema: dump.Schema, Type: "audit", File: g.File, Line: g.Line, Function: g.Function, Variable: g.Variable,
			Verdict: string(g.Verdict), Severity: g.Severity.String(), Reason: g.Reason, How: g.How, Stage: g.Stage,
			Struct: g.Struct, Identity: g.Key(),
		}
		if explain {
			j.Path = g.Path
		}
		if err := dump.WriteJSON(w, j); err != nil {
			return err
		}
	}
	return dump.WriteJSON(w, auditSummaryJSON{
		Schema: dump.Schema, Type: "summary", Directory: a.dir, Files: a.report.Files, Functions: a.report.Functions,
		Errors: a.count(source.Error), Warnings: a.count(source.Warning), Notes: a.count(source.Note), Known: a.known,
	})
}

func (a *sourceAudit) sarif() *sarif.Log {
	l := &sarif.Log{Tool: "outflow audit"}
	for _, v := range source.Verdicts() {
		level := sarif.LevelWarning
		if v == source.NotZeroed {
			level = sarif.LevelError
		}
		l.Rules = append(l.Rules, sarif.Rule{ID: string(v), Title: v.Describe(), Level: level})
	}
	for _, g := range a.shown() {
		r := sarif.Result{
			RuleID: string(g.Verdict), Level: sarif.Level(g.Severity.String()), Identity: g.Key(),
			Message: fmt.Sprintf("%s: %s: %s", g.Function, g.Variable, g.Reason),
			Place:   sarif.Place{File: g.File, Line: g.Line},
		}
		for _, s := range g.Path {
			r.Steps = append(r.Steps, sarif.Place{File: g.File, Line: s.Line, Message: s.What})
		}
		l.Results = append(l.Results, r)
	}
	return l
}
