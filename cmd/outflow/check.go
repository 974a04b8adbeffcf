package main

import (
	"flag"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// checkFlags are the flags of outflow check.
type checkFlags struct {
	set            *flag.FlagSet
	format, driver string
	rules, disable string
	severity       string
	minSeverity    string
	color          string
	strict         bool
	jobs, most     int
}

func newCheckFlags() *checkFlags {
	f := &checkFlags{set: flagSet("check")}
	s := f.set
	s.StringVar(&f.format, "format", "text", "`form` of the output: text or json")
	s.StringVar(&f.driver, "driver", "none", "check for this `driver`; auto takes it from the trace")
	s.StringVar(&f.rules, "rules", "", "run only these `rules`: ids and patterns like so-draw-*, comma-separated, or none")
	s.StringVar(&f.disable, "disable", "", "do not run these `rules`")
	s.StringVar(&f.severity, "severity", "", "severities of one's own: `rule=level`, comma-separated, level error, warning, note or silent")
	s.StringVar(&f.minSeverity, "min-severity", "warning", "show findings from this `level` on; the summary counts all")
	s.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	s.BoolVar(&f.strict, "strict", false, "warnings set the exit status as errors do")
	s.IntVar(&f.jobs, "jobs", 0, "check `n` traces at once, 0 for one per processor")
	s.IntVar(&f.most, "max", 0, "show at most `n` findings of a trace, 0 for all")
	return f
}

// checker is what the flags of a check ask for.
type checker struct {
	rules       []*streamout.Rule
	severities  map[string]streamout.Severity
	profile     *pipe.Profile
	autoProfile bool
	least       streamout.Severity
	most        int
	strict      bool
	printer     findingPrinter
}

// findingPrinter prints findings and summaries in one of the forms.
type findingPrinter struct {
	finding func(w io.Writer, traceName string, f *streamout.Finding) error
	summary func(w io.Writer, traceName string, s *streamout.Summary, e *trace.Ending) error
}

// runCheck validates traces: the main job.
func runCheck(c *cli, args []string) int {
	f := newCheckFlags()
	operands, code, done := c.parse(f.set, args)
	if done {
		return code
	}
	if len(operands) == 0 {
		return c.fail("check needs a trace; see `outflow help check`")
	}
	k, err := f.checker(c)
	if err != nil {
		return c.fail("check: %v", err)
	}
	return c.eachTrace(operands, f.jobs, k.check)
}

// checker makes sense of the flags.
func (f *checkFlags) checker(c *cli) (*checker, error) {
	k := &checker{most: f.most, strict: f.strict}
	var err error
	if k.rules, err = chooseRules(f.rules, f.disable); err != nil {
		return nil, err
	}
	if k.severities, err = parseSeverities(f.severity); err != nil {
		return nil, err
	}
	var ok bool
	if k.least, ok = streamout.ParseSeverity(f.minSeverity); !ok {
		return nil, fmt.Errorf("min-severity is %q, want note, warning or error", f.minSeverity)
	}
	if k.autoProfile = f.driver == "auto"; !k.autoProfile {
		if k.profile, err = profileNamed(f.driver); err != nil {
			return nil, err
		}
	}
	palette, err := c.palette(f.color)
	if err != nil {
		return nil, err
	}
	k.printer, err = printerOf(f.format, palette)
	return k, err
}

func printerOf(format string, p dump.Palette) (findingPrinter, error) {
	switch format {
	case "text":
		return findingPrinter{
			func(w io.Writer, name string, f *streamout.Finding) error { return dump.FindingText(w, name, f, p) },
			func(w io.Writer, name string, s *streamout.Summary, e *trace.Ending) error {
				return dump.SummaryText(w, name, s, e, p)
			},
		}, nil
	case "json":
		return findingPrinter{dump.FindingJSON, dump.SummaryJSON}, nil
	}
	return findingPrinter{}, fmt.Errorf("format is %q, want text or json", format)
}

// chooseRules returns the rules of the catalog that only names, less those that
// not names. Each is a list of ids and patterns; an empty only is all, "none" is
// none.
func chooseRules(only, not string) ([]*streamout.Rule, error) {
	if only == "none" {
		return nil, nil
	}
	chosen, err := matchRules(only)
	if err != nil {
		return nil, err
	}
	left, err := matchRules(not)
	if err != nil {
		return nil, err
	}
	var list []*streamout.Rule
	for _, r := range rules.All() {
		if (only == "" || chosen[r.ID]) && !left[r.ID] {
			list = append(list, r)
		}
	}
	return list, nil
}

// matchRules returns the ids that a list of ids and patterns names. A pattern
// that names none is a mistake.
func matchRules(list string) (map[string]bool, error) {
	ids := map[string]bool{}
	for _, pattern := range splitList(list) {
		found := false
		for _, r := range rules.All() {
			ok, err := path.Match(pattern, r.ID)
			if err != nil {
				return nil, fmt.Errorf("rule pattern %q: %v", pattern, err)
			}
			if ok {
				ids[r.ID], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("no rule is called %s; `outflow rules` lists them", pattern)
		}
	}
	return ids, nil
}

// parseSeverities reads a list of rule=level.
func parseSeverities(list string) (map[string]streamout.Severity, error) {
	severities := map[string]streamout.Severity{}
	for _, item := range splitList(list) {
		id, word, _ := strings.Cut(item, "=")
		level, ok := streamout.ParseSeverity(word)
		if !ok {
			return nil, fmt.Errorf("severity is %q, want RULE=error, warning, note or silent", item)
		}
		ids, err := matchRules(id)
		if err != nil {
			return nil, err
		}
		for id := range ids {
			severities[id] = level
		}
	}
	return severities, nil
}

func splitList(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
