package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/outflow-gpu/outflow/pipe"
)

// ReplayOptions say what a replay does with what is not a whole call. Each
// function may be nil; an error of one stops the replay and is returned as it
// is. Records and operations are valid until the function returns.
type ReplayOptions struct {
	// Record sees every record first, of whatever kind.
	Record func(*Record) error
	// Open takes the open last call of a trace that ends inside it: what it says
	// is true, but the program died before it returned. Without Open it is
	// dropped.
	Open func(*pipe.Op) error
	// Rest takes the records that are no operation: calls that are malformed or
	// were skipped, strays, footers and noise.
	Rest func(*Record) error
}

// ErrStop, returned by a driver or a function of ReplayOptions, ends a replay
// before the end of the trace without being an error of the replay.
var ErrStop = errors.New("stop")

// Replay reads a trace to its end and sends each call to d, with the recorded
// result preset. Where d returns another handle than was recorded, the
// operations that follow name that one. Where a trace begins anew, d gets a
// pipe.NewWorld; the first beginning needs none.
//
// An error of d stops the replay; it is returned with the place of the call.
// Otherwise the error is one of reading. r.Ending tells how the trace ended.
func Replay(r *Reader, d pipe.Driver, o ReplayOptions) error {
	p := replay{driver: d, options: o}
	for {
		b, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = p.batch(b)
		b.Release()
		if errors.Is(err, ErrStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type replay struct {
	driver  pipe.Driver
	options ReplayOptions
	decoder Decoder
	handles handleMap
	op      pipe.Op
	begun   bool // the world that goes on has had an operation
}

func (p *replay) batch(b *Batch) error {
	for i := range b.Records {
		if err := p.record(&b.Records[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *replay) record(rec *Record) error {
	if p.options.Record != nil {
		if err := p.options.Record(rec); err != nil {
			return err
		}
	}
	switch {
	case !p.decoder.Decode(rec, &p.op):
		if p.options.Rest != nil {
			return p.options.Rest(rec)
		}
		return nil
	case rec.Kind == HeaderRecord:
		return p.header(rec)
	}
	p.begun = true
	p.handles.translate(&p.op)
	if rec.Open {
		if p.options.Open != nil {
			return p.options.Open(&p.op)
		}
		return nil
	}
	return p.call(rec)
}

// header begins a world, unless nothing has happened in the last one.
func (p *replay) header(rec *Record) error {
	p.handles = handleMap{}
	if !p.begun {
		return nil
	}
	p.begun = false
	return p.do(rec, "a new trace")
}

// call sends a call, and learns which handle it returned.
func (p *replay) call(rec *Record) error {
	recorded := p.op.Ret.Handle
	if err := p.do(rec, rec.Method); err != nil {
		return err
	}
	p.handles.learn(&p.op, recorded)
	return nil
}

func (p *replay) do(rec *Record, what string) error {
	err := p.driver.Do(&p.op)
	if err == nil || errors.Is(err, ErrStop) {
		return err
	}
	return fmt.Errorf("%s:%d: %s: %w", rec.Pos.File, rec.Pos.Line, what, err)
}
