package main

import "github.com/outflow-gpu/outflow/internal/jsonlines"

// answerLines answers the JSON cases of standard input, one line each, and
// returns the exit code: an impossible case is a finding.
func (c *cli) answerLines(verb string, answer jsonlines.Answer) int {
	impossible, err := jsonlines.Run(c.stdin, c.stdout, answer)
	switch {
	case err != nil:
		return c.fail("%s: %v", verb, err)
	case impossible > 0:
		return exitFound
	}
	return exitClean
}
