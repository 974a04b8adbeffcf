package frontend_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/d3d"
	"github.com/outflow-gpu/outflow/streamout/frontend/gl"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// ruleCase is a line of testdata/rules.jsonl: a case that breaks the rule, and
// one that comes close.
type ruleCase struct {
	Rule, Name string
	Bad, Good  json.RawMessage
}

func readRuleCases(t testing.TB) []ruleCase {
	data, err := os.ReadFile("testdata/rules.jsonl")
	require.NoError(t, err)
	var cases []ruleCase
	for line := range bytes.Lines(data) {
		var c ruleCase
		require.NoError(t, json.Unmarshal(line, &c))
		cases = append(cases, c)
	}
	return cases
}

// translate hands a JSON case to the front end of its API.
func translate(line []byte) (*frontend.Translation, error) {
	var head struct{ API string }
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, err
	}
	switch head.API {
	case "gl":
		p, err := gl.ParseProgram(line)
		if err != nil {
			return nil, err
		}
		return gl.Translate(p)
	case "vulkan":
		s, err := vulkan.ParseShader(line)
		if err != nil {
			return nil, err
		}
		return vulkan.Translate(s)
	}
	c, err := d3d.ParseCase(line)
	if err != nil {
		return nil, err
	}
	return d3d.Translate(c)
}

func TestRules(t *testing.T) {
	for _, c := range readRuleCases(t) {
		t.Run(c.Rule+"/"+c.Name, func(t *testing.T) {
			i := slices.IndexFunc(frontend.Rules(), func(r frontend.Rule) bool { return r.ID == c.Rule })
			require.GreaterOrEqual(t, i, 0)
			severity := frontend.Rules()[i].Severity
			tr, err := translate(c.Bad)
			if severity == streamout.Error {
				var broken *frontend.Error
				require.True(t, errors.As(err, &broken), "%v", err)
				require.Equal(t, c.Rule, broken.Rule, broken.Message)
			} else {
				require.NoError(t, err)
				require.Contains(t, said(tr), c.Rule)
			}
			tr, err = translate(c.Good)
			require.NoError(t, err)
			require.NotContains(t, said(tr), c.Rule)
			require.NoError(t, tr.Check(rules.All()))
		})
	}
}

func said(tr *frontend.Translation) []string {
	ids := []string{}
	for _, d := range tr.Said {
		ids = append(ids, d.Rule)
	}
	return ids
}

// TestRulesAreComplete holds the catalog and the cases against the list of ids,
// in its order.
func TestRulesAreComplete(t *testing.T) {
	list, err := os.ReadFile("testdata/rules.txt")
	require.NoError(t, err)
	want := strings.Fields(string(list))
	var catalog, cases []string
	for _, r := range frontend.Rules() {
		catalog = append(catalog, r.ID)
		require.NotEmpty(t, r.Condition, r.ID)
	}
	for _, c := range readRuleCases(t) {
		cases = append(cases, c.Rule)
	}
	require.Equal(t, want, catalog)
	require.Equal(t, want, slices.Compact(cases))
}

// The first rule in the order of the catalog counts, not the first that is met.
func TestFirstRuleOfSeveral(t *testing.T) {
	_, err := translate([]byte(`{"api":"gl","mode":"separate","varyings":["A","gl_SkipComponents1","a","A"],"outputs":[{"name":"A","type":"dmat4"}]}`))
	var broken *frontend.Error
	require.True(t, errors.As(err, &broken))
	require.Equal(t, "so-gl-unknown-varying", broken.Rule)
}
