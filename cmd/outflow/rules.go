package main

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// runRules lists the catalog: one line for each rule.
func runRules(c *cli, args []string) int {
	fs := flagSet("rules")
	format := fs.String("format", "text", "`text` or json")
	driver := fs.String("driver", "", "show the severities for this `driver`")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if len(operands) > 0 {
		return c.fail("rules takes no operands; `outflow explain RULE` tells of one")
	}
	profile, err := profileNamed(*driver)
	if err != nil {
		return c.fail("rules: %v", err)
	}
	switch *format {
	case "text":
		for _, r := range rules.All() {
			fmt.Fprintf(c.stdout, "%-8s %-36s %s\n", r.For(profile), r.ID, r.Title)
		}
	case "json":
		for _, r := range rules.All() {
			if err := dump.RuleJSON(c.stdout, r, r.For(profile)); err != nil {
				return c.fail("%v", err)
			}
		}
	default:
		return c.fail("rules: format is %q, want text or json", *format)
	}
	return exitClean
}

// profileNamed returns the profile of a --driver flag, nil for none.
func profileNamed(name string) (*pipe.Profile, error) {
	if name == "" || name == "none" {
		return nil, nil
	}
	p, ok := pipe.ProfileByName(name)
	if !ok {
		var names []string
		for _, p := range pipe.Profiles() {
			names = append(names, p.Name)
		}
		return nil, fmt.Errorf("driver is %q, want one of %s", name, strings.Join(names, ", "))
	}
	return &p, nil
}

// runExplain prints everything about one rule.
func runExplain(c *cli, args []string) int {
	operands, code, done := c.parse(flagSet("explain"), args)
	if done {
		return code
	}
	if len(operands) != 1 {
		return c.fail("explain takes one rule; `outflow rules` lists them")
	}
	r, ok := rules.ByID(operands[0])
	if !ok {
		return c.fail("%s: no such rule; `outflow rules` lists them", operands[0])
	}
	return c.explain(r)
}

func (c *cli) explain(r *streamout.Rule) int {
	fmt.Fprintf(c.stdout, "%s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(c.stdout, "severity:  %s", r.Severity)
	if r.InTrace != streamout.Silent {
		fmt.Fprintf(c.stdout, ", in a trace %s", r.InTrace)
	}
	for _, e := range r.Drivers {
		fmt.Fprintf(c.stdout, ", for %s %s", e.Driver, e.Severity)
	}
	fmt.Fprintf(c.stdout, "\nreported:  %s\nbecause:   %s\nright:     %s\n", r.Condition, r.Why, r.Fix)
	for _, s := range r.Sources {
		fmt.Fprintf(c.stdout, "source:    %s\n", s)
	}
	return exitClean
}
