package streamout

import "github.com/outflow-gpu/outflow/pipe/state"

// maxFollowed is how many contexts a Track may know of before it looks which of
// them are gone.
const maxFollowed = 1 << 12

// factsOf returns what is known of a context beside its state.
func (t *Track) factsOf(c *state.Context) *facts {
	if t.lastOf == c && c != nil {
		return t.last
	}
	f := t.followed[c]
	if f == nil {
		if len(t.followed) >= maxFollowed {
			t.unfollow()
		}
		f = &facts{}
		t.followed[c] = f
	}
	t.last, t.lastOf = f, c
	return f
}

// unfollow drops the contexts that are gone.
func (t *Track) unfollow() {
	for c := range t.followed {
		if t.state.Context(c.Handle) != c {
			delete(t.followed, c)
		}
	}
	t.last, t.lastOf = nil, nil
}

// maxRecent is how many entries each half of a recent holds.
const maxRecent = 1 << 13

// recent is a map that forgets what was put longest ago once it holds much: it
// remembers the last maxRecent keys, and up to as many more. Its zero value is
// empty.
type recent[K comparable, V any] struct{ young, old map[K]V }

func (r *recent[K, V]) get(k K) (V, bool) {
	if v, ok := r.young[k]; ok {
		return v, true
	}
	v, ok := r.old[k]
	return v, ok
}

func (r *recent[K, V]) empty() bool { return r.young == nil }

// put says whether it forgot something.
func (r *recent[K, V]) put(k K, v V) (forgot bool) {
	if r.young == nil || len(r.young) >= maxRecent {
		forgot = r.old != nil
		r.young, r.old = make(map[K]V), r.young
	}
	r.young[k] = v
	return forgot
}
