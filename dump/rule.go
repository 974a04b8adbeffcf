package dump

import (
	"io"

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
