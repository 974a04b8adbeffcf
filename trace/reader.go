package trace

import (
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/outflow-gpu/outflow/internal/blocks"
)

// Options say how a trace is read. The zero value is right for most.
type Options struct {
	// Name stands for the file in positions. Open fills it in.
	Name string
	// BlockBytes is how much text is read at once, 512 KiB when 0. The records do
	// not depend on it.
	BlockBytes int
	// Wanted tells whether the values of a method's calls are needed; nil means
	// all. Calls that are not wanted are records too, but Skipped, and what is
	// malformed within them goes unseen. It must give the same answer each time,
	// and several goroutines may call it.
	Wanted func(class, method string) bool
	// Workers is how many goroutines share the work, at most 8: as many as there are
	// processors when 0. With 1 all is done by Next. The records do not depend on it.
	Workers int
}

const defaultBlock = 512 << 10

func (o Options) blockBytes() int {
	if o.BlockBytes <= 0 {
		return defaultBlock
	}
	return o.BlockBytes
}

// Reader reads a trace. Its methods are for one goroutine, but batches may be
// released by any.
type Reader struct {
	options  Options
	workers  int
	source   watched
	unpacker blocks.Decompressor
	how      blocks.Compression
	blocks   *blocks.Reader
	file     *os.File
	parsers  []*blockParser // by number: 0 is Next's, 1 that of the goroutine that cuts
	lead     int            // blocks that Next parsed itself
	pipeline *pipeline      // once the workers run
	free     chan *Batch
	long     longNodes
	decoder  Decoder
	line     int // of the first byte of the next batch, from 1
	ending   Ending
	done     error
	closed   bool
}

// outside is how many batches are neither ahead nor with a worker: one is being cut,
// one is with the consumer, one is to spare.
const outside = 3

// leadBlocks is how many blocks of a trace are read before workers are started:
// most traces are short, and done by then.
const leadBlocks = 8

// Open opens the trace at path, "-" for standard input. Files compressed with
// gzip, bzip2 or zstd are recognised by their first bytes, whatever their name.
// Close the reader when done.
func Open(path string, o Options) (*Reader, error) {
	if o.Name == "" {
		o.Name = path
	}
	if path == "-" {
		return NewReader(os.Stdin, o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

// NewReader reads the trace that src yields, compressed or not. The error is
// that of reading the first bytes of src.
func NewReader(src io.Reader, o Options) (*Reader, error) {
	workers := o.workers()
	r := &Reader{
		options: o,
		workers: workers,
		blocks:  blocks.NewReader(nil, o.blockBytes(), false),
		free:    make(chan *Batch, workers+ahead+outside),
		long:    make(longNodes, 1),
	}
	if err := r.Reset(src, o.Name); err != nil {
		return nil, err
	}
	return r, nil
}

// Reset makes r read another trace from its start, one that is called name, as a
// new Reader would, but with the memory of this one. All batches must have been
// released, and r not be closed. The error is as that of NewReader; r can be Reset
// after it, too.
func (r *Reader) Reset(src io.Reader, name string) error {
	if r.pipeline != nil {
		r.pipeline.halt()
		r.pipeline.running.Wait()
		r.pipeline = nil
		r.blocks.WaitForLarge(nil)
	}
	if err := r.closeFile(); err != nil {
		return err
	}
	r.options.Name, r.source = name, watched{src: src}
	text, how, err := r.unpacker.Open(&r.source)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.how, r.lead, r.line, r.ending, r.done = how, 0, 1, Ending{}, nil
	r.blocks.Reset(text, how != blocks.Plain)
	r.decoder.dialect = dialect{}
	return nil
}

// watched remembers the error of the source itself, so that it is not taken for
// one of the decompressor.
type watched struct {
	src io.Reader
	err error
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.src.Read(b)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// Compression returns plain, gzip, bzip2 or zstd.
func (r *Reader) Compression() string { return r.how.String() }

// Next returns the next batch, which holds at least one record. It is the
// caller's until Release. The error is io.EOF at the end of the trace, which
// Ending describes, also when the trace is cut or its compression damaged; it is
// another one when reading failed.
func (r *Reader) Next() (*Batch, error) {
	b := r.next()
	if b == nil {
		return nil, r.done
	}
	b.Records = slices.Grow(b.Records[:0], len(b.found))[:len(b.found)]
	for i := range b.Records {
		b.Records[i] = *r.read(b, i)
	}
	return b, nil
}

// next returns the next batch in which something was found, nil at the end.
func (r *Reader) next() *Batch {
	for r.done == nil {
		b := r.take()
		if b == nil {
			r.finish()
			break
		}
		r.unpacker.Sum(b.block.Data)
		b.reader, b.line = r, r.line
		r.line += b.lines
		r.ending.Byte = b.block.Byte + int64(len(b.block.Data))
		if len(b.found) > 0 {
			return b
		}
		b.Release()
	}
	return nil
}

// read returns record i of a batch, which is valid until the next one is read. It is
// called once for each, in order.
func (r *Reader) read(b *Batch, i int) *Record {
	rec := &b.repeat
	if f := &b.found[i]; f.repeat == nil {
		rec = &b.others[f.other]
		rec.Pos.Line += b.line
		if rec.Problem != nil {
			rec.Problem.Pos.Line += b.line
		}
	} else {
		f.fill(rec, &b.block)
		rec.Pos.File = r.options.Name
		rec.Pos.Line = b.line + f.line
	}
	r.ending.see(rec)
	return rec
}

// take returns the next block, parsed, or nil at the end.
func (r *Reader) take() *Batch {
	if r.workers > 1 && r.lead >= leadBlocks {
		if r.pipeline == nil {
			r.pipeline = r.startPipeline()
		}
		return r.pipeline.next()
	}
	b := r.batch()
	if !r.blocks.Next(&b.block) {
		r.recycle(b)
		return nil
	}
	r.lead++
	r.parser(0).parse(b)
	return b
}

// finish notes how the source ended.
func (r *Reader) finish() {
	r.done = io.EOF
	if !r.ending.Complete && r.ending.Kind == Closed { // nothing was read
		r.ending.Kind = BetweenCalls
	}
	r.ending.Damage = r.unpacker.SumErr()
	switch {
	case r.source.err != nil:
		r.done = fmt.Errorf("%s: %w", r.options.Name, r.source.err)
	case r.ending.Damage == nil:
		r.ending.Damage = r.blocks.Err()
	}
}

// Records yields every record in order. A record is valid until the loop goes
// on. An error, other than the end, is the last thing that it yields.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for b := r.next(); b != nil; b = r.next() {
			more := true
			for i := range b.found {
				rec := r.read(b, i) // those behind the last that is wanted count too
				more = more && yield(rec, nil)
			}
			b.Release()
			if !more {
				return
			}
		}
		if r.done != io.EOF {
			yield(nil, r.done)
		}
	}
}

// Decoder returns a decoder for the records of this trace. It is one and the
// same until Reset, which lets it forget the trace but keep its memory.
func (r *Reader) Decoder() *Decoder { return &r.decoder }

// Ending tells how the trace ended. It is complete once Next has returned an
// error.
func (r *Reader) Ending() Ending { return r.ending }

// Close frees what the reader holds, and closes the file that Open opened.
// Batches stay valid until they are released. A second Close does nothing.
func (r *Reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	if r.done == nil || r.done == io.EOF {
		r.done = os.ErrClosed
	}
	if p := r.pipeline; p != nil {
		p.halt()
		go func() {
			p.running.Wait() // only then does nobody read from the unpacker any more
			r.unpacker.Close()
		}()
	} else {
		r.unpacker.Close()
	}
	return r.closeFile()
}

func (r *Reader) closeFile() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

// batch returns an empty batch, used before if there is one.
func (r *Reader) batch() *Batch {
	select {
	case b := <-r.free:
		return b
	default:
		return &Batch{ready: make(chan struct{}, 1)}
	}
}

// parser returns the parser of worker i, which keeps what it learned of earlier
// traces.
func (r *Reader) parser(i int) *blockParser {
	for len(r.parsers) <= i {
		r.parsers = append(r.parsers, newBlockParser(r.options, r.long))
	}
	p := r.parsers[i]
	p.file = r.options.Name
	return p
}

// recycle takes back a batch.
func (r *Reader) recycle(b *Batch) {
	b.reader = nil
	b.nodes = r.long.put(b.nodes)
	r.blocks.Recycle(&b.block)
	select {
	case r.free <- b:
	default:
	}
}
