package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// runExplain prints everything about one rule, with the trace of a program that
// breaks it and of one that does not.
func runExplain(c *cli, args []string) int {
	fs := flagSet("explain")
	format := fs.String("format", "text", "`form` of the output: text or json")
	operands, code, done := c.parse(fs, args)
	switch {
	case done:
		return code
	case len(operands) != 1:
		return c.fail("explain takes one rule; `outflow rules` lists them")
	case *format != "text" && *format != "json":
		return c.fail("explain: format is %q, want text or json", *format)
	}
	found, err := c.explain(operands[0], *format == "json")
	switch {
	case err != nil:
		return c.fail("explain: %v", err)
	case !found:
		return c.fail("%s: no such rule; `outflow rules` lists them", operands[0])
	}
	return exitClean
}

// explain looks an id up: it is that of a rule, of a demand that cannot be
// checked, or of one on declarations, which translate makes.
func (c *cli) explain(id string, json bool) (found bool, err error) {
	if r, ok := rules.ByID(id); ok {
		example, err := exampleOf(r)
		switch {
		case err != nil:
			return true, err
		case json:
			return true, dump.RuleJSON(c.stdout, r, r.For(nil), example)
		}
		return true, dump.RuleText(c.stdout, r, example)
	}
	for _, u := range rules.Uncheckable() {
		if u.ID != id {
			continue
		}
		if json {
			return true, dump.UnseenJSON(c.stdout, u.ID, u.Reason)
		}
		_, err := fmt.Fprintf(c.stdout, "%s: no rule can check this\n\nbecause:   %s\n", u.ID, u.Reason)
		return true, err
	}
	for _, r := range frontend.Rules() {
		if r.ID != id {
			continue
		}
		if json {
			return true, dump.DeclarationRuleJSON(c.stdout, r.ID, r.Severity, r.Condition)
		}
		_, err := fmt.Fprintf(c.stdout, "%s: a demand on declarations, checked by `outflow translate`\n\nseverity:  %s\nreported:  %s\n", r.ID, r.Severity, r.Condition)
		return true, err
	}
	return false, nil
}

// exampleOf returns the traces of a rule's cases, and what is found in the
// first; nil when it has none.
func exampleOf(r *streamout.Rule) (*dump.RuleExample, error) {
	if r.Bad == nil || r.Good == nil {
		return nil, nil
	}
	example, err := findingOf(r)
	if err != nil {
		return nil, err
	}
	bad, err := recordCase(r.Bad)
	if err != nil {
		return nil, err
	}
	good, err := recordCase(r.Good)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	err = dump.Excerpt(&text, bad, nil)
	example.Bad = text.String()
	text.Reset()
	if err == nil {
		err = dump.Excerpt(&text, good, bad)
	}
	example.Good = text.String()
	return example, err
}

// recordCase returns the trace of a case, as Mesa would have written it.
func recordCase(play streamout.Case) ([]byte, error) {
	var text bytes.Buffer
	recorder := trace.NewRecorder(&text, trace.RecordOptions{Dialect: trace.Mesa25_0, Clock: func() time.Time { return time.Time{} }})
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, recorder.Layer))
	if err != nil {
		return nil, err
	}
	if err := play(ctx); err != nil {
		return nil, err
	}
	err = recorder.Close()
	return text.Bytes(), err
}

// findingOf returns what is reported about the rule's bad case, for the driver
// that minds it most.
func findingOf(r *streamout.Rule) (*dump.RuleExample, error) {
	var found *dump.RuleExample
	opts := streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		if f.Rule.ID == r.ID && found == nil {
			found = &dump.RuleExample{Severity: f.Severity.String(), Method: f.Method, Message: f.Message}
		}
	}}
	top := r.Severity
	for _, e := range r.Drivers {
		if p, ok := pipe.ProfileByName(e.Driver); ok && e.Severity > top {
			top, opts.Profile = e.Severity, &p
		}
	}
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, streamout.NewTrack(opts).Layer))
	if err != nil {
		return nil, err
	}
	if err := r.Bad(ctx); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("the bad case of %s does not break it", r.ID)
	}
	if opts.Profile != nil {
		found.Driver = opts.Profile.Name
	}
	return found, nil
}
