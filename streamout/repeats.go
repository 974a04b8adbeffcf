package streamout

import (
	"hash/maphash"
	"reflect"
	"slices"
)

// repeats knows the findings that were reported, to tell those that equal one but
// for the call: nearly all of a long run.
type repeats struct {
	seen  recent[repeatKey, *Finding]
	seeds [2]maphash.Seed // of the words in repeatKey
	words []byte          // room for a message
	key   repeatKey       // of the finding that was looked for last
	// latest spares the spelling: it has some of the findings that were looked for
	// last, as they were before they were put into words.
	latest [1 << 6]unspelled
}

// repeatKey tells equal findings: all but the call that they are about.
type repeatKey struct {
	rule    *Rule
	subject uint64
	path    string
	words   [2]uint64 // hashes of the message
}

// unspelled is a finding before it is put into words, and the equal one that was
// reported.
type unspelled struct {
	rule    *Rule
	subject uint64
	path    string
	format  string
	args    []any
	first   *Finding
}

func newRepeats() repeats {
	return repeats{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
}

// recall returns the finding that was reported and equals a draft of these words, nil
// when it is not among the latest.
func (r *repeats) recall(d *Draft, format string, args []any) *Finding {
	last := &r.latest[slotOf(d, format)]
	if last.first != nil && last.rule == d.rule && last.subject == d.subject && last.path == d.path &&
		last.format == format && slices.Equal(last.args, args) {
		return last.first
	}
	return nil
}

// find returns the equal finding that was reported, or nil: then learn may follow.
func (r *repeats) find(d *Draft) *Finding {
	if d.first != nil {
		return d.first
	}
	r.words = d.words.append(r.words[:0])
	r.key = repeatKey{d.rule, d.subject, d.path, [2]uint64{maphash.Bytes(r.seeds[0], r.words), maphash.Bytes(r.seeds[1], r.words)}}
	first, ok := r.seen.get(r.key)
	if ok && constant(d.words.args) {
		last := &r.latest[slotOf(d, d.words.format)]
		*last = unspelled{d.rule, d.subject, d.path, d.words.format, append(last.args[:0], d.words.args...), first}
	}
	return first
}

// learn keeps a draft that find did not find, as it is reported.
func (r *repeats) learn(d *Draft, reported *Finding) {
	if r.seen.put(r.key, reported) {
		clear(r.latest[:]) // some of these are forgotten now
	}
}

// slotOf returns where in latest a draft belongs.
func slotOf(d *Draft, format string) int {
	n := d.subject*0x9e3779b97f4a7c15>>32 + uint64(len(format))*7 + uint64(len(d.path))
	if i := len(d.path) - len("0]"); i >= 0 {
		n += uint64(d.path[i]) * 31 // the index, in most
	}
	return int(n % (1 << 6))
}

// Fixed marks an argument of View.Report whose spelling never changes, so that equal
// ones are spelled alike; it must be comparable. Numbers, booleans and strings need
// no mark. Findings of such arguments are known as repeats before they are spelled.
type Fixed interface{ Fixed() }

// constant says whether equal arguments are always spelled alike.
func constant(args []any) bool {
	for _, a := range args {
		if _, fixed := a.(Fixed); fixed || a == nil {
			continue
		}
		if k := reflect.TypeOf(a).Kind(); k > reflect.Uintptr && k != reflect.String {
			return false
		}
	}
	return true
}
