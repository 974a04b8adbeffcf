package main

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// runRules lists the catalog: one line for each rule, or for each demand that
// no rule can check.
func runRules(c *cli, args []string) int {
	fs := flagSet("rules")
	format := fs.String("format", "text", "`form` of the output: text, json, or markdown for the page docs/rules.md")
	driver := fs.String("driver", "", "show the severities for this `driver`")
	uncheckable := fs.Bool("uncheckable", false, "list what no rule can check, and why")
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
	switch {
	case *format == "markdown":
		return c.writeCatalog()
	case *format != "text" && *format != "json":
		return c.fail("rules: format is %q, want text, json or markdown", *format)
	case *uncheckable:
		return c.listUnseen(*format)
	}
	for _, r := range rules.All() {
		if *format == "text" {
			fmt.Fprintf(c.stdout, "%-8s %-36s %s\n", r.For(profile), r.ID, r.Title)
		} else if err := dump.RuleJSON(c.stdout, r, r.For(profile), nil); err != nil {
			return c.fail("%v", err)
		}
	}
	return exitClean
}

func (c *cli) listUnseen(format string) int {
	for _, u := range rules.Uncheckable() {
		if format == "text" {
			fmt.Fprintf(c.stdout, "%-36s %s\n", u.ID, u.Reason)
		} else if err := dump.UnseenJSON(c.stdout, u.ID, u.Reason); err != nil {
			return c.fail("%v", err)
		}
	}
	return exitClean
}

// writeCatalog writes the page of all rules and of what no rule checks.
func (c *cli) writeCatalog() int {
	if err := dump.RulesMarkdown(c.stdout, rules.All()); err != nil {
		return c.fail("%v", err)
	}
	fmt.Fprint(c.stdout, "\n## What no rule can check\n\n| demand | why |\n|---|---|\n")
	for _, u := range rules.Uncheckable() {
		fmt.Fprintf(c.stdout, "| `%s` | %s |\n", u.ID, u.Reason)
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
