package main

import (
	"bytes"
	"fmt"
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
	operands, code, done := c.parse(flagSet("explain"), args)
	if done {
		return code
	}
	if len(operands) != 1 {
		return c.fail("explain takes one rule; `outflow rules` lists them")
	}
	id := operands[0]
	r, ok := rules.ByID(id)
	if !ok {
		return c.explainOther(id)
	}
	if err := dump.RuleText(c.stdout, r); err != nil {
		return c.fail("%v", err)
	}
	if r.Bad == nil || r.Good == nil {
		return exitClean
	}
	if err := c.explainByTrace(r); err != nil {
		return c.fail("explain: %v", err)
	}
	return exitClean
}

// explainOther tells of an id that no rule of the catalog has: a demand that
// cannot be checked, or one on declarations, which translate makes.
func (c *cli) explainOther(id string) int {
	for _, u := range rules.Uncheckable() {
		if u.ID == id {
			fmt.Fprintf(c.stdout, "%s: no rule can check this\n\nbecause:   %s\n", u.ID, u.Reason)
			return exitClean
		}
	}
	for _, r := range frontend.Rules() {
		if r.ID == id {
			fmt.Fprintf(c.stdout, "%s: a demand on declarations, checked by `outflow translate`\n\nseverity:  %s\nreported:  %s\n", r.ID, r.Severity, r.Condition)
			return exitClean
		}
	}
	return c.fail("%s: no such rule; `outflow rules` lists them", id)
}

// explainByTrace prints the traces of a rule's cases, and what is found in the
// first.
func (c *cli) explainByTrace(r *streamout.Rule) error {
	said, err := findingOf(r)
	if err != nil {
		return err
	}
	bad, err := recordCase(r.Bad)
	if err != nil {
		return err
	}
	good, err := recordCase(r.Good)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "\nA trace that breaks it: %s\n\n", said)
	if err := dump.Excerpt(c.stdout, bad, nil); err != nil {
		return err
	}
	fmt.Fprint(c.stdout, "\nThe same, corrected:\n\n")
	return dump.Excerpt(c.stdout, good, bad)
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
func findingOf(r *streamout.Rule) (string, error) {
	said := ""
	opts := streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		if f.Rule.ID == r.ID && said == "" {
			said = fmt.Sprintf("%s: %s: %s", f.Severity, f.Method, f.Message)
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
		return "", err
	}
	if err := r.Bad(ctx); err != nil {
		return "", err
	}
	if opts.Profile != nil {
		said += " (for " + opts.Profile.Name + ")"
	}
	return said, nil
}
