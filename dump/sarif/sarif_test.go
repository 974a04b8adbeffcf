package sarif_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump/sarif"
)

func write(t *testing.T, l *sarif.Log) map[string]any {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, sarif.Write(&b, l))
	var doc map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	require.Equal(t, "2.1.0", doc["version"])
	return doc["runs"].([]any)[0].(map[string]any)
}

func TestNoResultsIsAnEmptyListNotNull(t *testing.T) {
	run := write(t, &sarif.Log{Tool: "outflow"})
	require.Equal(t, []any{}, run["results"])
	require.Equal(t, []any{}, run["tool"].(map[string]any)["driver"].(map[string]any)["rules"])
}

func TestResult(t *testing.T) {
	run := write(t, &sarif.Log{
		Tool:  "outflow",
		Rules: []sarif.Rule{{ID: "a"}, {ID: "b", Level: sarif.LevelError, Help: "more"}},
		Results: []sarif.Result{{
			RuleID: "b", Level: sarif.LevelNote, Message: "m", Identity: "x",
			Place:   sarif.Place{File: "dir/a b%.c", Line: 7},
			Related: []sarif.Place{{File: "o.c", Line: 1, Message: "r"}},
			Steps:   []sarif.Place{{File: "s.c", Line: 2, Message: "first"}, {File: "s.c", Line: 3, Message: "then"}},
		}},
	})
	res := run["results"].([]any)[0].(map[string]any)
	require.EqualValues(t, 1, res["ruleIndex"])
	require.Equal(t, "note", res["level"])
	loc := res["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
	require.Equal(t, "dir/a%20b%25.c", loc["artifactLocation"].(map[string]any)["uri"])
	require.EqualValues(t, 7, loc["region"].(map[string]any)["startLine"])
	require.Len(t, res["relatedLocations"], 1)
	flow := res["codeFlows"].([]any)[0].(map[string]any)["threadFlows"].([]any)[0].(map[string]any)
	require.Len(t, flow["locations"], 2)
	require.Len(t, res["partialFingerprints"], 1)
}

func TestFingerprintIgnoresTheLine(t *testing.T) {
	mark := func(line int, id string) any {
		run := write(t, &sarif.Log{Results: []sarif.Result{{RuleID: "r", Identity: id, Place: sarif.Place{File: "f", Line: line}}}})
		return run["results"].([]any)[0].(map[string]any)["partialFingerprints"]
	}
	require.Equal(t, mark(1, "same"), mark(99, "same"))
	require.NotEqual(t, mark(1, "one"), mark(1, "other"))
}

func TestUnknownRuleHasNoIndex(t *testing.T) {
	run := write(t, &sarif.Log{Results: []sarif.Result{{RuleID: "r"}}})
	require.NotContains(t, run["results"].([]any)[0], "ruleIndex")
}
