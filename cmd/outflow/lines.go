package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// answerLines answers the JSON cases of standard input, one line each, and
// returns the exit code: an impossible case is a finding.
func (c *cli) answerLines(fs *flag.FlagSet, answer jsonlines.Answer) int {
	verb := fs.Name()
	if other := firstSet(fs, func(name string) bool { return name != "jsonl" && name != "format" }); other != "" {
		return c.fail("%s: --jsonl takes everything from its cases, so %s says nothing", verb, flagName(other))
	}
	report, err := jsonlines.Run(c.stdin, c.whileRead(), answer)
	c.tellPassedOver(verb, report.PassedOver)
	switch {
	case quietly(err) != nil:
		return c.fail("%s: %v", verb, err)
	case report.Impossible > 0:
		return exitFound
	}
	return exitClean
}

// tellPassedOver names the members that nothing read: a slip of the pen may be
// among them.
func (c *cli) tellPassedOver(verb string, names []string) {
	if len(names) > 0 {
		fmt.Fprintf(c.stderr, "outflow: %s: warning: members of the cases that nothing reads were passed over: %s\n", verb, strings.Join(names, ", "))
	}
}
