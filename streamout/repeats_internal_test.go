package streamout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// changing is spelled as what it holds when somebody asks.
type changing struct{ n *int }

func (c changing) String() string { return fmt.Sprint(*c.n) }

// TestRepeatsAreEqualWords draws findings at random and compares with a list of
// all that was said: arguments that differ may be spelled alike, and the same
// argument may be spelled differently later.
func TestRepeatsAreEqualWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	n := 0
	of := changing{&n}
	values := []any{1, uint8(1), "1", 1.0, of, 0, 0.0, math.Copysign(0, -1), Note, "note", nil, "12", 12}
	rules := []*Rule{{ID: "a"}, {ID: "b"}}
	said := map[string]*Finding{}
	subjects := []uint64{0, sameSlot(0), 5}
	r := newRepeats()
	repeated := 0
	for range 20000 {
		n = random.IntN(2)
		d := &Draft{rule: rules[random.IntN(2)], subject: subjects[random.IntN(3)], path: []string{"", "x[1]", "y[1]"}[random.IntN(3)]}
		d.words = phrase{[]string{"%v then %v", "%v%v"}[random.IntN(2)], []any{values[random.IntN(len(values))], values[random.IntN(len(values))]}}
		words := fmt.Sprint(d.rule.ID, d.subject, d.path, "|", string(d.words.append(nil)))
		d.first = r.recall(d, d.words.format, d.words.args)
		first := r.find(d)
		require.Same(t, said[words], first, words)
		if first == nil {
			said[words] = &Finding{Message: words}
			r.learn(d, said[words])
		} else {
			repeated++
		}
	}
	require.Greater(t, repeated, 10000)
}

// sameSlot returns another subject whose drafts belong to the same place as those of s.
func sameSlot(s uint64) uint64 {
	other := s + 1
	for slotOf(&Draft{subject: other}, "") != slotOf(&Draft{subject: s}, "") {
		other++
	}
	return other
}

// TestRepeatsForgetTogether: what is forgotten is reported again, however often
// it was looked for.
func TestRepeatsForgetTogether(t *testing.T) {
	r := newRepeats()
	rule := &Rule{ID: "r"}
	of := func(i int) *Draft {
		d := &Draft{rule: rule, words: phrase{"number %d", []any{i}}}
		d.first = r.recall(d, d.words.format, d.words.args)
		return d
	}
	for i := range 4 * maxRecent {
		if d := of(i); r.find(d) == nil {
			r.learn(d, &Finding{})
		}
		if i < 2*maxRecent {
			require.NotNil(t, r.find(of(0)))
		}
		if i == 2*maxRecent {
			require.Nil(t, r.find(of(0)))
		}
	}
}

// told is spelled alike for ever, and counts how often.
type told struct{ times *int }

func (told) Fixed()           {}
func (w told) String() string { *w.times++; return "told" }

// TestFixedArgumentsAreNotSpelledAgain holds that a finding is known by them before
// it is put into words.
func TestFixedArgumentsAreNotSpelledAgain(t *testing.T) {
	r, times := newRepeats(), 0
	d := &Draft{rule: &Rule{ID: "r"}, words: phrase{"%s", []any{told{&times}}}}
	require.Nil(t, r.find(d))
	f := &Finding{}
	r.learn(d, f)
	require.Same(t, f, r.find(d))
	spelled := times
	require.Same(t, f, r.recall(d, d.words.format, d.words.args))
	require.Equal(t, spelled, times)
}
