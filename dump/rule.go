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
	InTrace   string            `json:"inTrace,omitempty"`
	Drivers   map[string]string `json:"drivers"`
	Only      bool              `json:"onlyDrivers,omitempty"`
	Title     string            `json:"title"`
	Condition string            `json:"condition"`
	Why       string            `json:"why"`
	Fix       string            `json:"fix"`
	Sources   []string          `json:"sources"`
	Example   *RuleExample      `json:"example,omitempty"`
}

// RuleExample is a trace that breaks a rule beside one that does not, each as an
// [Excerpt], and what is said of the first.
type RuleExample struct {
	Severity string `json:"severity"`
	Driver   string `json:"driver,omitempty"` // the one that minds it most, when it is not like the others
	Method   string `json:"method"`
	Message  string `json:"message"`
	Bad      string `json:"bad"`
	Good     string `json:"good"`
}

// RuleJSON writes a rule of the catalog, with the severity that it has for the
// run, as an object of type "rule". The example may be nil.
func RuleJSON(w io.Writer, r *streamout.Rule, s streamout.Severity, example *RuleExample) error {
	drivers := map[string]string{}
	for _, e := range r.Drivers {
		drivers[e.Driver] = e.Severity.String()
	}
	inTrace := ""
	if r.InTrace != streamout.Silent {
		inTrace = r.InTrace.String()
	}
	return WriteJSON(w, ruleJSON{Schema, "rule", r.ID, s.String(), inTrace, drivers, r.OnlyDrivers, r.Title, r.Condition, r.Why, r.Fix,
		r.Sources, example})
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

// DeclarationRuleJSON writes a demand on declarations, which a front end checks,
// as an object of type "declaration-rule".
func DeclarationRuleJSON(w io.Writer, id string, s streamout.Severity, condition string) error {
	return WriteJSON(w, struct {
		Schema    string `json:"schema"`
		Type      string `json:"type"`
		Rule      string `json:"rule"`
		Severity  string `json:"severity"`
		Condition string `json:"condition"`
	}{Schema, "declaration-rule", id, s.String(), condition})
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

// RuleText writes all that a rule says of itself, for a terminal. The example
// may be nil.
func RuleText(w io.Writer, r *streamout.Rule, example *RuleExample) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "severity:  %s\nreported:  %s\nbecause:   %s\nright:     %s\n", severities(r), r.Condition, r.Why, r.Fix)
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "source:    %s\n", s)
	}
	if e := example; e != nil {
		said := e.Severity + ": " + e.Method + ": " + e.Message
		if e.Driver != "" {
			said += " (for " + e.Driver + ")"
		}
		fmt.Fprintf(&b, "\nA trace that breaks it: %s\n\n%s\nThe same, corrected:\n\n%s", said, e.Bad, e.Good)
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
