package main

import (
	"flag"
	"fmt"
	"path"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/dump/baseline"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
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
	known          string
	writeKnown     string
}

func newCheckFlags() *checkFlags {
	f := &checkFlags{set: flagSet("check")}
	s := f.set
	s.StringVar(&f.format, "format", "text", "`form` of the output: text, json, sarif, junit or codequality (GitLab)")
	s.StringVar(&f.driver, "driver", "none", "check for this `driver`, none or auto, which takes it from the trace; a name that is not there lists them")
	s.StringVar(&f.rules, "rules", "", "run only these `rules`: ids and patterns like so-draw-*, comma-separated, or none")
	s.StringVar(&f.disable, "disable", "", "do not run these `rules`")
	s.StringVar(&f.severity, "severity", "", "severities of one's own: `rule=level`, comma-separated, level error, warning, note or silent")
	s.StringVar(&f.minSeverity, "min-severity", "warning", "show findings from this `level` on; the summary counts all")
	s.StringVar(&f.color, "color", "auto", "auto, always or never `colour` text")
	s.BoolVar(&f.strict, "strict", false, "warnings set the exit status as errors do")
	s.IntVar(&f.jobs, "jobs", 0, "check `n` traces at once, 0 for one per processor")
	s.IntVar(&f.most, "max", 0, "show at most `n` findings of a trace, 0 for all")
	s.StringVar(&f.known, "baseline", "", "leave out the warnings and errors that this `file` knows")
	s.StringVar(&f.writeKnown, "write-baseline", "", "write the warnings and errors to this `file` as known, and exit 0")
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
	format      checkFormat
	palette     dump.Palette
	known       knownFindings
	results     traceResults // of a form that prints at the end
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
	c.findsDamage = true
	code = c.eachTrace(operands, f.jobs, k.check)
	if k.format.whole != nil {
		if err := k.format.whole(c.stdout, buildVersion(), k.rules, k.results.inOrder(operands)); err != nil {
			return c.fail("check: %v", err)
		}
	}
	if f.writeKnown != "" && code != exitFailure {
		if err := k.known.seen.WriteFile(f.writeKnown); err != nil {
			return c.fail("check: %v", err)
		}
		return exitClean
	}
	return code
}

// checker makes sense of the flags.
func (f *checkFlags) checker(c *cli) (*checker, error) {
	k := &checker{most: f.most, strict: f.strict}
	for _, n := range []struct {
		name  string
		value int
	}{{"jobs", f.jobs}, {"max", f.most}} {
		if n.value < 0 {
			return nil, fmt.Errorf("%s is %d, want 0 or more", n.name, n.value)
		}
	}
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
	if k.palette, err = c.palette(f.color); err != nil {
		return nil, err
	}
	if k.format, err = checkFormatNamed(f.format); err != nil {
		return nil, err
	}
	if f.known != "" {
		if k.known.old, err = baseline.ReadFile(f.known); err != nil {
			return nil, err
		}
	}
	if f.writeKnown != "" {
		k.known.seen = &baseline.Baseline{}
	}
	return k, nil
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
