package blocks

import (
	"io"
	"slices"

	"github.com/outflow-gpu/outflow/internal/markup"
)

// Piece is a piece of a trace, within its block.
type Piece struct {
	Kind       markup.Kind
	Flaw       markup.Flaw
	Start, End int
}

// Block is a run of whole pieces.
type Block struct {
	Data []byte
	// Pieces are those of the block. When Uncut, they were not looked for: none
	// of them has a lost section or is too long, and markup.Scanner finds them.
	Pieces []Piece
	Uncut  bool
	Byte   int64 // offset of the first byte in the trace's text, from 0
}

// Reader cuts a text into blocks.
type Reader struct {
	src   io.Reader
	size  int
	fill  bool // read whole blocks, not what is there
	carry []byte
	scan  markup.Scanner
	at    int64
	end   error // how src ended
	long  longBuffer
	// outgrown has buffers that blocks have outgrown, none of them large.
	outgrown [][]byte
}

// NewReader reads src in blocks of size bytes, more where a call is longer. With
// fill it waits until a block is full; without, as for a pipe that a program is
// writing to, it takes what is there.
func NewReader(src io.Reader, size int, fill bool) *Reader {
	return &Reader{src: src, size: max(size, 1), fill: fill, long: newLongBuffer()}
}

// Reset makes r read src from the start, with the memory that it has. Blocks of
// the source before stay valid.
func (r *Reader) Reset(src io.Reader, fill bool) {
	r.src, r.fill, r.end = src, fill, nil
	r.at, r.carry = 0, r.carry[:0]
}

// Err returns how the source ended: nil for its regular end.
func (r *Reader) Err() error {
	if r.end == io.EOF {
		return nil
	}
	return r.end
}

// Offset returns how many bytes of text were cut into blocks.
func (r *Reader) Offset() int64 { return r.at }

// Next reads the next block into b, whose memory it reuses. It is false at the
// end, also when the source ended in an error: see Err.
func (r *Reader) Next(b *Block) bool {
	b.Data = append(b.Data[:0], r.carry...)
	b.Pieces = b.Pieces[:0]
	r.carry = r.carry[:0]
	b.Byte = r.at
	if r.end == nil {
		b.Data = r.read(b.Data)
	}
	cut := markup.LastCallEnd(b.Data)
	b.Uncut = cut > 0
	for r.scan = (markup.Scanner{}); cut == 0; {
		cut = r.cut(b)
		switch {
		case cut > 0:
		case r.end != nil:
			return false
		default:
			b.Data = r.read(b.Data)
		}
	}
	r.carry = append(r.carry, b.Data[cut:]...)
	b.Data = b.Data[:cut]
	r.at += int64(cut)
	return true
}

// cut finds the whole pieces of b and returns where the last one ends.
func (r *Reader) cut(b *Block) int {
	cut := 0
	for {
		p, ok := r.scan.Next(b.Data[cut:], r.end != nil)
		if !ok {
			return cut
		}
		if p.Kind != markup.Blank {
			b.Pieces = append(b.Pieces, Piece{Kind: p.Kind, Flaw: p.Flaw, Start: cut, End: cut + p.End})
		}
		cut += p.End
	}
}

// read appends text to data: what is missing to a block's size, or as much again
// for a call that is longer.
func (r *Reader) read(data []byte) []byte {
	start := len(data)
	size := r.size - start
	if size <= 0 {
		size = r.size
	}
	if cap(data)-start < size {
		outgrown := data
		data = append(r.buffer(start+size, cap(data)), data...)
		r.keep(outgrown)
	}
	into := data[start : start+size]
	n := 0
	for n < len(into) && r.end == nil {
		var m int
		m, r.end = r.src.Read(into[n:])
		n += m
		if !r.fill && m > 0 {
			break
		}
	}
	return data[:start+n]
}

// buffer returns an empty buffer with room for size bytes, and for more of a call
// that has proved long, instead of one of held bytes.
func (r *Reader) buffer(size, held int) []byte {
	if size > r.size && held <= large { // who holds a large one has what there was to lend
		if b := r.long.take(size); b != nil {
			return b
		}
	}
	room := max(size, 2*(size-r.size))
	if size <= large {
		room = min(room, large)
	}
	for i, b := range r.outgrown {
		if cap(b) >= size && cap(b) <= room {
			r.outgrown = slices.Delete(r.outgrown, i, i+1)
			return b
		}
	}
	return r.long.make(room)
}

// keep keeps a buffer that a block has outgrown, one of each size, for another that
// grows. It is only worth it where several blocks are in use at once.
func (r *Reader) keep(b []byte) {
	if cap(b) == 0 || cap(b) > large || r.long.wait == nil {
		return
	}
	held := cap(b)
	for _, o := range r.outgrown {
		if cap(o) == cap(b) {
			return
		}
		held += cap(o)
	}
	if held <= 3*large { // enough for each size on the way to a large one
		r.outgrown = append(r.outgrown, b[:0])
	}
}

// Recycle makes b ready for the next block. A large buffer is taken from it, for
// another block that needs one. Any goroutine may call it.
func (r *Reader) Recycle(b *Block) {
	if cap(b.Data) <= large {
		return
	}
	r.long.put(b.Data)
	b.Data = nil
}
