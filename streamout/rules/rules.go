package rules

import (
	"slices"

	"github.com/outflow-gpu/outflow/streamout"
)

// All returns the catalog in the order in which rules are asked. The literals
// are made anew: a caller may change its own.
func All() []*streamout.Rule {
	return slices.Concat(
		traceRules(),
		infoRanges(),
		infoLayout(),
		infoLimits(),
		infoCaps(),
		infoWide(),
		shaderRules(),
		shaderTextRules(),
		shaderStreamRules(),
		infoGaps(),
		zeroingRules(),
		binding(),
		lifetime(),
		bindingAtDraw(),
		targetRules(),
		drawChanges(),
		patches(),
		draws(),
		drawNotes(),
		drawAutos(),
		hazards(),
		queries(),
		queryResults(),
		depthStencil(),
	)
}

// ByID returns the rule of that id.
func ByID(id string) (*streamout.Rule, bool) {
	for _, r := range All() {
		if r.ID == id {
			return r, true
		}
	}
	return nil, false
}
