package trace

import (
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/outflow-gpu/outflow/internal/blocks"
)

// Options say how a trace is read. The zero value is right for most.
type Options struct {
	// Name stands for the file in positions. Open fills it in.
	Name string
	// BlockBytes is how much text is read at once, 1 MiB when 0. The records do
	// not depend on it.
	BlockBytes int
	// Wanted tells whether the values of a method's calls are needed; nil means
	// all. Calls that are not wanted are records too, but Skipped, and what is
	// malformed within them goes unseen. It must give the same answer each time,
	// and several goroutines may call it.
	Wanted func(class, method string) bool
}

const defaultBlock = 1 << 20

// Reader reads a trace. Its methods are for one goroutine.
type Reader struct {
	blocks *blocks.Reader
	parser blockParser
	free   []*Batch
	ending Ending
	source *watched
	how    blocks.Compression
	close  []func()
	done   error
}

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
	r.close = append(r.close, func() { f.Close() })
	return r, nil
}

// NewReader reads the trace that src yields, compressed or not. The error is
// that of reading the first bytes of src.
func NewReader(src io.Reader, o Options) (*Reader, error) {
	source := &watched{src: src}
	text, how, closer, err := blocks.Decompress(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	size := o.BlockBytes
	if size <= 0 {
		size = defaultBlock
	}
	return &Reader{
		blocks: blocks.NewReader(text, size, how != blocks.Plain),
		parser: blockParser{file: o.Name, wanted: o.Wanted, names: map[string]string{}},
		source: source,
		how:    how,
		close:  []func(){closer},
	}, nil
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
	for r.done == nil {
		b := r.batch()
		if !r.blocks.Next(&b.block) {
			r.finish()
			break
		}
		r.parser.parse(b)
		r.ending.Byte = b.block.Byte + int64(len(b.block.Data))
		for i := range b.Records {
			r.ending.see(&b.Records[i])
		}
		if len(b.Records) > 0 {
			return b, nil
		}
		b.Release()
	}
	return nil, r.done
}

// finish notes how the source ended.
func (r *Reader) finish() {
	r.done = io.EOF
	if r.ending.Headers == 0 && r.ending.Calls == 0 && r.ending.Kind == Closed {
		r.ending.Kind = BetweenCalls
	}
	switch {
	case r.source.err != nil:
		r.done = fmt.Errorf("%s: %w", r.parser.file, r.source.err)
	case r.blocks.Err() != nil:
		r.ending.Damage = r.blocks.Err()
	}
}

// Records yields every record in order. A record is valid until the loop goes
// on. An error, other than the end, is the last thing that it yields.
func (r *Reader) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			b, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range b.Records {
				if !yield(&b.Records[i], nil) {
					b.Release()
					return
				}
			}
			b.Release()
		}
	}
}

// Ending tells how the trace ended. It is complete once Next has returned an
// error.
func (r *Reader) Ending() Ending { return r.ending }

// Close frees what the reader holds, and closes the file that Open opened.
func (r *Reader) Close() error {
	for _, f := range r.close {
		f()
	}
	r.close = nil
	if r.done == nil {
		r.done = os.ErrClosed
	}
	return nil
}

// batch returns an empty batch, used before if there is one.
func (r *Reader) batch() *Batch {
	if last := len(r.free) - 1; last >= 0 {
		b := r.free[last]
		r.free = r.free[:last]
		b.reader = r
		return b
	}
	return &Batch{reader: r}
}

// recycle takes back a batch, unless an uncommon call made it large.
func (r *Reader) recycle(b *Batch) {
	b.reader = nil
	if cap(b.block.Data) <= 8*defaultBlock {
		r.free = append(r.free, b)
	}
}
