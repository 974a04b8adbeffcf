package trace

import (
	"github.com/outflow-gpu/outflow/internal/blocks"
	"github.com/outflow-gpu/outflow/pipe"
)

// found is what a parser found in a block. For a repeat it has all that the Record is
// made of, in a third of the memory: it is often another processor that reads it.
type found struct {
	repeat        *repeat // nil for others
	no            uint64
	at, text, end int // offsets in the block: of the call, behind its number, behind the call
	line          int // of at, from 0
	time          int // bytes of the time's digits
	other         int // index in Batch.others
}

// fill makes rec the record of a repeat, but for its place in the file. It sets field by
// field: to copy a whole Record takes longer.
func (f *found) fill(rec *Record, block *blocks.Block) {
	e := f.repeat
	rec.Kind, rec.Open, rec.Skipped, rec.Problem = CallRecord, false, false, nil
	rec.HasNo, rec.No = true, f.no
	rec.Class, rec.Method = e.class, e.method
	rec.Pos.Byte, rec.End = block.Byte+int64(f.at), block.Byte+int64(f.end)
	rec.Raw = block.Data[f.at:f.end:f.end]
	rec.repeat = e
	text := block.Data[f.text:f.end:f.end]
	if e.tail == "" {
		rec.Values = pipe.MakeValues(text, e.nodes)
	} else {
		rec.Values.Share(text, e.nodes, f.time)
	}
}

// find makes room for what is found next, and returns it to be filled in: all of it for
// a repeat, but for other.
func (b *Batch) find() *found {
	n := len(b.found)
	if n == cap(b.found) {
		b.found = append(b.found, found{})
	}
	b.found = b.found[:n+1]
	return &b.found[n]
}
