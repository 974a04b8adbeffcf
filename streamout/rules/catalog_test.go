package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// findings runs a case through a Track with all rules, for a driver or "".
func findings(t *testing.T, c streamout.Case, driver string) []streamout.Finding {
	t.Helper()
	var found []streamout.Finding
	opts := streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) { found = append(found, *f) }}
	opts.Profile = profile(t, driver)
	track := streamout.NewTrack(opts)
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	require.NoError(t, err)
	require.NoError(t, c(ctx))
	return found
}

// profile returns the profile of that name, nil for "".
func profile(t *testing.T, name string) *pipe.Profile {
	t.Helper()
	if name == "" {
		return nil
	}
	p, ok := pipe.ProfileByName(name)
	require.True(t, ok, "no profile %s", name)
	return &p
}

// loudest is the driver for which the rule's bad case is run: the one that makes
// it heaviest, "" when that is none.
func loudest(r *streamout.Rule) string {
	driver, top := "", r.Severity
	for _, e := range r.Drivers {
		if e.Severity > top {
			driver, top = e.Driver, e.Severity
		}
	}
	return driver
}

// aboutFile says whether the rule is about a trace as a file, which no calls can
// show: the scripts of the command do.
func aboutFile(r *streamout.Rule) bool {
	return r.On&(streamout.OnMalformed|streamout.OnTwoWriters|streamout.OnEnd) == r.On
}

// withCases returns the rules whose cases are calls.
func withCases() []*streamout.Rule {
	return slices.DeleteFunc(rules.All(), aboutFile)
}

func TestBadCases(t *testing.T) {
	for _, r := range withCases() {
		t.Run(r.ID, func(t *testing.T) {
			for _, driver := range []string{"", loudest(r)} {
				if r.For(profile(t, driver)) == streamout.Silent {
					continue
				}
				named := false
				for _, f := range findings(t, r.Bad, driver) {
					if f.Rule.ID == r.ID {
						named = true
						continue
					}
					require.LessOrEqual(t, f.Severity, streamout.Note, "%s also yields %s: %s", driver, f.Rule.ID, f.Message)
				}
				require.True(t, named, "the bad case does not yield the rule for driver %q", driver)
			}
		})
	}
}

func TestGoodCases(t *testing.T) {
	for _, r := range withCases() {
		t.Run(r.ID, func(t *testing.T) {
			for _, f := range findings(t, r.Good, loudest(r)) {
				require.NotEqual(t, r.ID, f.Rule.ID, "the good case yields the rule: %s", f.Message)
				require.Less(t, f.Severity, streamout.Error, "the good case yields %s: %s", f.Rule.ID, f.Message)
			}
		})
	}
}

var idForm = regexp.MustCompile(`^(so|ds|trace)-[a-z0-9]+(-[a-z0-9]+)*$`)

func TestCatalogWords(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All() {
		t.Run(r.ID, func(t *testing.T) {
			require.Regexp(t, idForm, r.ID)
			require.False(t, seen[r.ID], "listed twice")
			seen[r.ID] = true
			require.NotNil(t, r.Check)
			if !aboutFile(r) {
				require.NotNil(t, r.Bad)
				require.NotNil(t, r.Good)
			}
			require.NotZero(t, r.On)
			require.NotEmpty(t, r.Sources)
			for name, words := range map[string]string{"title": r.Title, "condition": r.Condition, "why": r.Why, "fix": r.Fix} {
				phrase(t, name, words)
			}
			for _, e := range r.Drivers {
				_, ok := pipe.ProfileByName(e.Driver)
				require.True(t, ok, "no profile %s", e.Driver)
				require.NotEqual(t, r.Severity, e.Severity, "%s has the severity of the rule", e.Driver)
			}
		})
	}
}

// phrase demands the form of all words that users read: lower case start, no
// full stop.
func phrase(t *testing.T, name, words string) {
	t.Helper()
	require.NotEmpty(t, words, name)
	require.False(t, strings.HasSuffix(words, "."), "%s ends with a full stop: %s", name, words)
	first := []rune(words)[0]
	second := []rune(words)[1]
	require.False(t, unicode.IsUpper(first) && unicode.IsLower(second), "%s starts in upper case: %s", name, words)
}

func TestMessages(t *testing.T) {
	for _, r := range withCases() {
		for _, f := range findings(t, r.Bad, loudest(r)) {
			phrase(t, f.Rule.ID, f.Message)
			require.NotContains(t, f.Message, "%!", f.Rule.ID)
		}
	}
}

// TestCallsWithoutContext takes the context from each call of each case: a damaged
// trace may lack it, and no rule may count on it.
func TestCallsWithoutContext(t *testing.T) {
	for _, r := range withCases() {
		for _, c := range []streamout.Case{r.Bad, r.Good} {
			for taken, k := true, 0; taken; k++ {
				track := streamout.NewTrack(streamout.Options{Rules: rules.All()})
				below, n := track.Layer(&pipe.Null{}), 0
				taken = false
				ctx, err := pipe.NewContext(pipe.DriverFunc(func(op *pipe.Op) error {
					if n++; n == k+1 {
						op.Context, taken = 0, true
					}
					return below.Do(op)
				}))
				require.NoError(t, err)
				require.NotPanics(t, func() { _ = c(ctx) }, "%s, call %d", r.ID, k)
			}
		}
	}
}
