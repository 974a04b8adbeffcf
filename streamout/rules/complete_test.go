package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/rules"
)

// TestCatalogComplete holds the rules against the list of all demands on stream
// output: each is a rule, or listed with the reason why it cannot be one.
func TestCatalogComplete(t *testing.T) {
	list, err := os.ReadFile("testdata/catalog.txt")
	require.NoError(t, err)
	demands := strings.Fields(string(list))
	require.NotEmpty(t, demands)
	reasons := map[string]string{}
	for _, u := range rules.Uncheckable() {
		require.NotContains(t, reasons, u.ID, "listed twice")
		require.Contains(t, demands, u.ID, "no such demand")
		require.NotEmpty(t, u.Reason)
		require.False(t, strings.HasSuffix(u.Reason, "."), "%s ends with a full stop", u.ID)
		reasons[u.ID] = u.Reason
	}
	for _, id := range demands {
		_, implemented := rules.ByID(id)
		_, listed := reasons[id]
		require.True(t, implemented || listed, "%s is neither a rule nor listed as uncheckable", id)
		require.False(t, implemented && listed, "%s is a rule and listed as uncheckable", id)
	}
	for _, r := range rules.All() {
		if strings.HasPrefix(r.ID, "so-") {
			require.Contains(t, demands, r.ID, "the rule is not in the catalog")
		}
	}
}
