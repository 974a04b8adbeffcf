package main

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// answerLines answers the JSON cases of standard input, one line each, and
// returns the exit code: an impossible case is a finding. Members that no case
// has are named at the end: a slip of the pen may be among them.
func (c *cli) answerLines(verb string, answer jsonlines.Answer) int {
	report, err := jsonlines.Run(c.stdin, c.whileRead(), answer)
	if len(report.PassedOver) > 0 {
		fmt.Fprintf(c.stderr, "outflow: %s: warning: no case has these members, so they were passed over: %s\n", verb, strings.Join(report.PassedOver, ", "))
	}
	switch {
	case quietly(err) != nil:
		return c.fail("%s: %v", verb, err)
	case report.Impossible > 0:
		return exitFound
	}
	return exitClean
}
