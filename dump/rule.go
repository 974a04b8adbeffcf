package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

type ruleJSON struct {
	Schema    string            `json:"schema"`
	Type      string            `json:"type"`
	Rule      string            `json:"rule"`
	Severity  string            `json:"severity"`
	Drivers   map[string]string `json:"drivers"`
	Title     string            `json:"title"`
	Condition string            `json:"condition"`
	Why       string            `json:"why"`
	Fix       string            `json:"fix"`
	Sources   []string          `json:"sources"`
}

// RuleJSON writes a rule of the catalog, with the severity that it has for the
// run, as an object of type "rule".
func RuleJSON(w io.Writer, r *streamout.Rule, s streamout.Severity) error {
	drivers := map[string]string{}
	for _, e := range r.Drivers {
		drivers[e.Driver] = e.Severity.String()
	}
	return WriteJSON(w, ruleJSON{Schema, "rule", r.ID, s.String(), drivers, r.Title, r.Condition, r.Why, r.Fix, r.Sources})
}

// UnseenJSON writes a demand that no rule can check as an object of type
// "uncheckable".
func UnseenJSON(w io.Writer, id, reason string) error {
	return WriteJSON(w, struct {
		Schema string `json:"schema"`
		Type   string `json:"type"`
		Rule   string `json:"rule"`
		Reason string `json:"reason"`
	}{Schema, "uncheckable", id, reason})
}

// severities spells how much a rule weighs where: "warning, in a trace note; error
// for nv50, nvc0".
func severities(r *streamout.Rule) string {
	var b strings.Builder
	switch {
	case r.Severity == streamout.Silent:
		b.WriteString("silent without a driver")
	default:
		b.WriteString(r.Severity.String())
	}
	if r.InTrace != streamout.Silent {
		fmt.Fprintf(&b, ", in a trace %s", r.InTrace)
	}
	for s := streamout.Error; s > streamout.Silent; s-- {
		var drivers []string
		for _, e := range r.Drivers {
			if e.Severity == s {
				drivers = append(drivers, e.Driver)
			}
		}
		if drivers != nil {
			fmt.Fprintf(&b, "; %s for %s", s, strings.Join(drivers, ", "))
		}
	}
	if r.OnlyDrivers {
		b.WriteString("; silent for other drivers")
	}
	return b.String()
}

// RuleText writes all that a rule says of itself, for a terminal.
func RuleText(w io.Writer, r *streamout.Rule) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "severity:  %s\nreported:  %s\nbecause:   %s\nright:     %s\n", severities(r), r.Condition, r.Why, r.Fix)
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "source:    %s\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// RulesMarkdown writes rules as a page: a table of all, then each one's words.
func RulesMarkdown(w io.Writer, rules []*streamout.Rule) error {
	var b strings.Builder
	b.WriteString("# The rules of `outflow check`\n\n" +
		"Written by `outflow rules --format markdown` from the rules themselves. `outflow explain RULE` adds the trace of a\n" +
		"program that breaks a rule, and of one that does not. A severity for a driver holds under `--driver`.\n\n" +
		"| rule | severity | what |\n|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", r.ID, r.ID, severities(r), r.Title)
	}
	for _, r := range rules {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", r.ID, r.Title)
		fmt.Fprintf(&b, "- severity: %s\n- reported when %s\n- because %s\n- right: %s\n", severities(r), r.Condition, r.Why, r.Fix)
		fmt.Fprintf(&b, "- sources: %s\n", strings.Join(r.Sources, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
