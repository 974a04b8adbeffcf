package state

import "github.com/outflow-gpu/outflow/pipe"

// targetTable has the targets by handle, and at hand those that were looked up
// last: rules ask for the same few over and over.
type targetTable struct {
	all    map[pipe.Handle]*Target
	looked [1 << lookedBits]*Target
}

const lookedBits = 6

func newTargetTable() targetTable { return targetTable{all: make(map[pipe.Handle]*Target)} }

func (t *targetTable) get(h pipe.Handle) *Target {
	last := &t.looked[uint64(h)*0x9e3779b97f4a7c15>>(64-lookedBits)]
	if *last == nil || (*last).Handle != h {
		*last = t.all[h]
	}
	return *last
}

func (t *targetTable) put(target *Target) {
	t.all[target.Handle] = target
	t.looked = [1 << lookedBits]*Target{}
}

func (t *targetTable) drop(g grave) {
	drop(t.all, g)
	t.looked = [1 << lookedBits]*Target{}
}
