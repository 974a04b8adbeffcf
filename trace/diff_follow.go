package trace

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// DiffFollower goes through two aligned traces once more, so that more than the
// calls themselves can be compared: what is bound when they draw.
type DiffFollower struct {
	// A and B are called with every record of either trace, in its order.
	A, B func(*Record)
	// Draws is called with each two draws that stand for each other, when A and B
	// have had the records before them, not yet the draws.
	Draws func(m *DiffMoment) error
}

// DiffMoment is two draws that stand for each other. It is valid until Draws
// returns.
type DiffMoment struct {
	A, B *DiffCall

	alignment          *alignment
	objectsA, objectsB *objectTable
}

// Same says whether two addresses mean objects that stand for each other at this
// moment, or both none. What both traces never made or used is taken for the same.
func (m *DiffMoment) Same(a, b pipe.Handle) bool {
	x, knownA := m.objectsA.others[a]
	y, knownB := m.objectsB.others[b]
	switch {
	case a == 0 || b == 0:
		return a == b
	case !knownA || !knownB:
		return knownA == knownB
	}
	return m.alignment.partnerOfA[x.id] == y.id
}

// NameA and NameB return what the object at an address of either trace is
// called, the address when it is none.
func (m *DiffMoment) NameA(h pipe.Handle) string { return m.objectsA.nameAt(h) }

// NameB is NameA for the second trace.
func (m *DiffMoment) NameB(h pipe.Handle) string { return m.objectsB.nameAt(h) }

func (o *objectTable) nameAt(h pipe.Handle) string {
	if x, ok := o.others[h]; ok {
		return o.name(x.id)
	}
	return h.String()
}

// follow reads both traces again, as far as draws go.
func (al *alignment) follow(a, b DiffSource, keep Noise, f *DiffFollower) error {
	streamA, err := newRecordStream(a, keep, f.A)
	if err != nil {
		return err
	}
	defer streamA.close()
	streamB, err := newRecordStream(b, keep, f.B)
	if err != nil {
		return err
	}
	defer streamB.close()
	draws := func(x, y int) {
		if err != nil || !strings.HasPrefix(al.a.names[al.a.methods[x]].method, "draw_") {
			return
		}
		var recA, recB *Record
		_, atA := al.a.place(x)
		_, atB := al.b.place(y)
		if recA, err = streamA.until(atA); err != nil {
			return
		}
		if recB, err = streamB.until(atB); err != nil {
			return
		}
		err = f.Draws(&DiffMoment{&DiffCall{Record: recA}, &DiffCall{Record: recB}, al, streamA.objects, streamB.objects})
	}
	a0, b0 := 0, 0
	for i := 0; i <= len(al.runs) && err == nil; i++ {
		end := gap{a0, len(al.a.shapes), b0, len(al.b.shapes)}
		n := 0
		if i < len(al.runs) {
			end.a1, end.b1, n = al.runs[i].A, al.runs[i].B, al.runs[i].Len
		}
		al.pairsIn(end, draws)
		for j := range n {
			draws(end.a1+j, end.b1+j)
		}
		a0, b0 = end.a1+n, end.b1+n
	}
	return err
}

// recordStream reads a trace from the start and follows its objects, in the same
// way as the index did: objects have the same numbers.
type recordStream struct {
	*indexer
	name   string
	file   io.Closer
	reader *Reader
	see    func(*Record)
	batch  *Batch
	next   int
}

func newRecordStream(s DiffSource, keep Noise, see func(*Record)) (*recordStream, error) {
	file, err := s.Open()
	if err != nil {
		return nil, err
	}
	r, err := NewReader(file, Options{Name: s.Name, BlockBytes: diffBlock})
	if err != nil {
		file.Close()
		return nil, err
	}
	return &recordStream{indexer: newIndexer(keep, nil), name: s.Name, file: file, reader: r, see: see}, nil
}

// until goes on to the record at an offset of the text, which it returns and
// takes into account when it goes on.
func (s *recordStream) until(offset int64) (*Record, error) {
	for {
		for s.batch != nil && s.next < len(s.batch.Records) {
			rec := &s.batch.Records[s.next]
			if rec.Pos.Byte == offset {
				return rec, nil
			}
			s.next++
			s.add(rec, rec.Pos.Byte)
			s.forgetCalls()
			s.see(rec)
		}
		s.release()
		b, err := s.reader.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: the trace changed while it was read: %w", s.name, err)
		}
		s.batch, s.next = b, 0
	}
}

// forgetCalls keeps the objects alone.
func (s *recordStream) forgetCalls() {
	x := s.callIndex
	x.shapes, x.methods, x.refs, x.offsets, x.births = x.shapes[:0], x.methods[:0], x.refs[:0], x.offsets[:0], x.births[:0]
	x.refStart = x.refStart[:1]
}

func (s *recordStream) release() {
	if s.batch != nil {
		s.batch.Release()
		s.batch = nil
	}
}

func (s *recordStream) close() {
	s.release()
	s.reader.Close()
	s.file.Close()
}
