package trace

import (
	"fmt"
	"io"

	"github.com/outflow-gpu/outflow/pipe"
)

// fetcher reads single calls of a trace again, in order.
type fetcher struct {
	source DiffSource
	index  *callIndex
	walker *walker

	file   io.ReadCloser
	reader *Reader
	start  mark // where reading began
	batch  *Batch
	next   int // record of the batch
}

// fetchBlock is how much is read at once: calls that differ are few.
const fetchBlock = 1 << 18

// farBytes is how far a call lies ahead when it is worth seeking to it.
const farBytes = 1 << 20

func newFetcher(s DiffSource, x *callIndex, keep Noise) *fetcher {
	w := newWalker(keep, x.objects)
	w.again, w.listing = true, true
	return &fetcher{source: s, index: x, walker: w}
}

// call returns a call, which must not lie before the last one asked for. It is
// valid until the next one is. The walker has been over it.
func (f *fetcher) call(i int) (*DiffCall, error) {
	at, offset := f.index.place(i)
	rec, err := f.record(at, offset)
	if err != nil {
		return nil, err
	}
	w := f.walker
	w.known = f.index.refsOf(i)
	w.walk(rec)
	c := &DiffCall{Record: rec, names: make(map[pipe.Value]string, len(w.refs))}
	for _, l := range w.leaves {
		if l.ref != noObject {
			c.names[l.value] = f.name(w.known, l.ref)
		}
	}
	return c, nil
}

// name returns what the object of a reference is called.
func (f *fetcher) name(known []int32, ref int32) string {
	if ref == noObject || known[ref] == noObject {
		return ""
	}
	return f.index.objects.name(known[ref])
}

// record returns the record at an offset of the text.
func (f *fetcher) record(at mark, offset int64) (*Record, error) {
	if err := f.seek(at); err != nil {
		return nil, err
	}
	for {
		if f.batch == nil || f.next == len(f.batch.Records) {
			f.release()
			b, err := f.reader.Next()
			if err != nil {
				return nil, fmt.Errorf("%s: the trace changed while it was read: %w", f.source.Name, err)
			}
			f.batch, f.next = b, 0
		}
		rec := &f.batch.Records[f.next]
		f.next++
		if f.start.byte+rec.Pos.Byte == offset {
			rec.Pos.Byte, rec.Pos.Line = offset, rec.Pos.Line+f.start.line
			return rec, nil
		}
	}
}

// seek opens the trace so that a record behind the mark can be read.
func (f *fetcher) seek(at mark) error {
	if f.reader != nil {
		seekable := f.reader.Compression() == "plain"
		if _, ok := f.file.(io.Seeker); !ok {
			seekable = false
		}
		if !seekable || f.batch != nil && f.start.byte+f.batch.Records[0].Pos.Byte+farBytes > at.byte {
			return nil
		}
	}
	f.close()
	file, err := f.source.Open()
	if err != nil {
		return err
	}
	f.file, f.start = file, mark{}
	if err := f.open(); err != nil {
		return err
	}
	if _, ok := file.(io.Seeker); !ok || f.reader.Compression() != "plain" || at.byte == 0 {
		return nil
	}
	f.reader.Close()
	if _, err := file.(io.Seeker).Seek(at.byte, io.SeekStart); err != nil {
		return err
	}
	f.start = at
	f.start.line-- // positions of the reader count lines from 1
	return f.open()
}

func (f *fetcher) open() error {
	r, err := NewReader(f.file, Options{Name: f.source.Name, BlockBytes: fetchBlock, Workers: 1})
	f.reader = r
	return err
}

func (f *fetcher) release() {
	if f.batch != nil {
		f.batch.Release()
		f.batch = nil
	}
}

func (f *fetcher) close() {
	f.release()
	if f.reader != nil {
		f.reader.Close()
		f.reader = nil
	}
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}
