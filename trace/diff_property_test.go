package trace_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// reusing are traces whose addresses come back for other objects.
var reusing = []string{"lifetimes.llvmpipe.xml.gz", "contexts.softpipe.xml.zst", "pause.llvmpipe.xml.gz", "queries.llvmpipe.xml.gz", "restart.softpipe-tgsi.xml.zst"}

// callTexts returns the calls of a trace as they were written.
func callTexts(t testing.TB, name string) []string {
	if !filepath.IsAbs(name) {
		name = filepath.Join("..", "testdata", "traces", name)
	}
	r, err := trace.Open(name, trace.Options{})
	require.NoError(t, err)
	defer r.Close()
	var list []string
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if rec.Kind == trace.CallRecord {
			list = append(list, "\t"+string(bytes.TrimSpace(rec.Raw))+"\n")
		}
	}
	return list
}

var numberText = regexp.MustCompile(`<u?int>(\d+)</u?int></(elem|member|arg)>`)

// randomEdits removes, doubles, moves and changes calls.
func randomEdits(r *rand.Rand, calls []string, edits int) []string {
	calls = slices.Clone(calls)
	for range edits {
		i, j := r.IntN(len(calls)), r.IntN(len(calls))
		switch r.IntN(4) {
		case 0:
			calls = slices.Delete(calls, i, i+1)
		case 1:
			calls = slices.Insert(calls, i, calls[j])
		case 2:
			c := calls[i]
			calls = slices.Delete(calls, i, i+1)
			calls = slices.Insert(calls, min(j, len(calls)), c)
		default:
			if at := numberText.FindStringSubmatchIndex(calls[i]); at != nil {
				calls[i] = calls[i][:at[2]] + fmt.Sprint(r.IntN(1000)) + calls[i][at[3]:]
			}
		}
	}
	return calls
}

// applyDiff makes the calls of b of those of a and the differences.
func applyDiff(t testing.TB, a, b []string) []string {
	textA, textB := diffTrace(a...), diffTrace(b...)
	startsA, startsB := starts(textA, a), starts(textB, b)
	var made []string
	atA, atB := 0, 0
	keep := func(n int) {
		require.GreaterOrEqual(t, n, 0)
		made = append(made, a[atA:atA+n]...)
		atA, atB = atA+n, atB+n
	}
	_, err := trace.Diff(textSource("a.xml", textA, true), textSource("b.xml", textB, true), trace.DiffOptions{
		Keep: trace.AllNoise,
		Report: func(d *trace.Difference) error {
			if d.A != nil {
				keep(startsA[d.A.Pos.Byte] - atA)
				atA++
			} else {
				keep(startsB[d.B.Pos.Byte] - atB)
			}
			if d.B != nil {
				require.Equal(t, startsB[d.B.Pos.Byte], atB)
				require.Equal(t, 1+strings.Count(textB[:d.B.Pos.Byte], "\n"), d.B.Pos.Line)
				made = append(made, "\t"+strings.TrimSpace(string(d.B.Raw))+"\n")
				atB++
			}
			return nil
		},
	})
	require.NoError(t, err)
	keep(len(a) - atA)
	return made
}

// starts returns which call begins at a byte of the text.
func starts(text string, calls []string) map[int64]int {
	list := make(map[int64]int, len(calls))
	at := strings.Index(text, "<trace version='0.1'>\n") + len("<trace version='0.1'>\n")
	for i, c := range calls {
		list[int64(at+1)] = i
		at += len(c)
	}
	return list
}

// TestDiffEditsApply holds that the differences applied to the first trace give
// the second one, byte for byte.
func TestDiffEditsApply(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, name := range reusing {
		all := callTexts(t, name)
		all = all[max(0, len(all)-600):]
		for _, edits := range []int{0, 1, 3, 20, 200} {
			b := randomEdits(r, all, edits)
			made := applyDiff(t, all, b)
			require.Len(t, made, len(b))
			for i := range b {
				require.Equal(t, plainCall(b[i]), plainCall(made[i]), "%s, %d edits, call %d", name, edits, i)
			}
		}
	}
}

var pointerText = regexp.MustCompile(`<ptr>0x[0-9a-f]+</ptr>`)

// plainCall is a call without its addresses: equal calls may have others where a
// create in between was removed or added.
func plainCall(s string) string { return pointerText.ReplaceAllString(s, "<ptr/>") }

// TestDiffRenamedAddresses gives every address another, the same each time.
func TestDiffRenamedAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, name := range reusing {
		calls := callTexts(t, name)
		renamed := map[string]string{}
		other := pointerText.ReplaceAllStringFunc(diffTrace(calls...), func(p string) string {
			if renamed[p] == "" {
				renamed[p] = fmt.Sprintf("<ptr>0x%012x</ptr>", 0x7f0000000000+r.Uint64N(1<<20)*4096+uint64(len(renamed)))
			}
			return renamed[p]
		})
		require.Empty(t, diffed(t, diffTrace(calls...), other, 0), name)
	}
}

var (
	methodText = regexp.MustCompile(`method='([a-z_]+)'`)
	createText = regexp.MustCompile(`^(create_|resource_create|context_create|pipe_screen_create)`)
)

// TestDiffRenamedLives gives every life of an address an address of its own, so
// that one trace reuses addresses and the other never does.
func TestDiffRenamedLives(t *testing.T) {
	names := slices.Clone(reusing)
	if corpus := os.Getenv("OUTFLOW_CORPUS"); corpus != "" {
		churn, err := filepath.Glob(filepath.Join(corpus, "apps", "xfbapp_churn*.xml.gz"))
		require.NoError(t, err)
		names = append(names, churn...)
	}
	all := 0
	for _, name := range names {
		calls := callTexts(t, name)
		now, reused, next := map[string]string{}, 0, 0
		fresh := func(p string) string {
			next++
			now[p] = fmt.Sprintf("<ptr>0x%012x</ptr>", uint64(0x600000000000)+uint64(next)*64)
			return now[p]
		}
		use := func(p string) string {
			if now[p] == "" {
				return fresh(p)
			}
			return now[p]
		}
		var other []string
		for _, c := range calls {
			args, ret, _ := strings.Cut(c, "<ret>")
			args = pointerText.ReplaceAllStringFunc(args, use)
			makes := createText.MatchString(methodText.FindStringSubmatch(c)[1])
			ret = pointerText.ReplaceAllStringFunc(ret, func(p string) string {
				if !makes {
					return use(p)
				}
				if now[p] != "" {
					reused++
				}
				return fresh(p)
			})
			if strings.Contains(c, "<ret>") {
				args += "<ret>"
			}
			other = append(other, args+ret)
		}
		require.Empty(t, diffed(t, diffTrace(calls...), diffTrace(other...), 0), name)
		require.Empty(t, diffed(t, diffTrace(other...), diffTrace(calls...), 0), name)
		all += reused
	}
	require.NotZero(t, all, "addresses came back")
}

// TestDiffSelf compares every trace with itself, compressed as it is.
func TestDiffSelf(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "traces", "*.xml.*"))
	require.NoError(t, err)
	if corpus := os.Getenv("OUTFLOW_CORPUS"); corpus != "" && !testing.Short() {
		for _, dir := range []string{"odd", "cut", "apps", "mesa-20.3.5"} {
			more, err := filepath.Glob(filepath.Join(corpus, dir, "*.xml.gz"))
			require.NoError(t, err)
			names = append(names, more...)
		}
	}
	require.NotEmpty(t, names)
	for _, name := range names {
		source := fileSource(name)
		s, err := trace.Diff(source, source, trace.DiffOptions{Keep: trace.AllNoise})
		require.NoError(t, err)
		require.True(t, s.Same(), name)
		require.Equal(t, s.EndingA, s.EndingB)
	}
}
