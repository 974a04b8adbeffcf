package trace

import (
	"io"
	"sync"
	"time"

	"github.com/outflow-gpu/outflow/pipe"
)

// RecordOptions say how a Recorder writes. The zero value is right for most.
type RecordOptions struct {
	// Dialect is the form that calls are written in.
	Dialect Dialect
	// Clock tells the time, time.Now when nil. Only differences count.
	Clock func() time.Time
}

// Recorder writes the trace of what goes through its layers. One Recorder may
// have layers in several stacks, whose contexts may run in parallel: as in Mesa
// one lock is held from before a call until its record is written, across the
// call below, so that the order of the file is the order in which the driver
// was called. A driver must therefore not call back into a recorded stack, and a
// stack has at most one layer of a Recorder.
//
// Each call is written out before Do returns: a process that is killed loses at
// most the call it was in. The arguments of draws and launches are written out
// before the driver runs, so that the file of a program that crashes in a draw
// ends with that draw, open. Where the underlying writer has a Flush method, as
// bufio.Writer has, it is called each time.
type Recorder struct {
	lock    sync.Mutex
	w       *Writer
	flusher flusher
	clock   func() time.Time
}

type flusher interface{ Flush() error }

// NewRecorder returns a Recorder that writes to dst. Close ends the trace.
func NewRecorder(dst io.Writer, o RecordOptions) *Recorder {
	r := &Recorder{w: NewWriter(dst, o.Dialect), clock: o.Clock}
	if r.clock == nil {
		r.clock = time.Now
	}
	r.flusher, _ = dst.(flusher)
	return r
}

// Layer is a pipe.Layer that records what it hands on to d, and what d returns.
// An operation that d fails to carry out is recorded too. The error of Do is
// that of d, or else that of the underlying writer.
func (r *Recorder) Layer(d pipe.Driver) pipe.Driver {
	return &recordLayer{recorder: r, below: d}
}

// Close ends the trace with its closing tag. It does not close the underlying
// writer.
func (r *Recorder) Close() error {
	r.lock.Lock()
	defer r.lock.Unlock()
	if err := r.w.Close(); err != nil {
		return err
	}
	return r.flush()
}

func (r *Recorder) flush() error {
	if r.flusher == nil {
		return nil
	}
	return r.flusher.Flush()
}

type recordLayer struct {
	recorder *Recorder
	below    pipe.Driver
}

// Do records the operation around handing it on.
func (l *recordLayer) Do(op *pipe.Op) error {
	r := l.recorder
	r.lock.Lock()
	defer r.lock.Unlock()
	start := r.clock()
	failed := r.w.begin(op)
	if failed == nil && flushesArguments(op.Call) {
		if failed = r.w.flush(); failed == nil {
			failed = r.flush()
		}
	}
	if err := l.below.Do(op); err != nil {
		r.end(op, start)
		return err
	}
	if err := r.end(op, start); failed == nil {
		failed = err
	}
	return failed
}

func (r *Recorder) end(op *pipe.Op, start time.Time) error {
	if err := r.w.end(op, r.clock().Sub(start)); err != nil {
		return err
	}
	return r.flush()
}
