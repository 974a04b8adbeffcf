package trace

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/outflow-gpu/outflow/pipe"
)

// Writer writes operations as the trace that Mesa would have made of them, byte
// for byte: a reader of Mesa's traces, Mesa's own tools among them, cannot tell
// the difference. It is for one goroutine; Recorder is for many.
//
// Calls are written from their typed form. Where an operation was read from a
// trace and Mesa writes something that the type does not hold (the modifiers of
// resource_create_with_modifiers, the statistics of a pipeline query), that is
// taken from op.Raw; live it is 0 or NULL. A pipe.Other is written from its
// Values. So is a call with numbers that its type cannot hold, with the handles
// that were read. A layer that changes an operation must therefore clear its Raw.
//
// It differs from Mesa where what Mesa writes cannot be read: a clear without
// colour names the argument that is NULL, and shader text that would end its
// CDATA section is escaped.
type Writer struct {
	dst     io.Writer
	enc     encoder
	no      uint64 // number of the last call
	begun   bool   // the header is written
	late    bool   // the arguments of the open call are still to be written
	open    bool   // a call was begun and not ended
	err     error
	queries map[pipe.Handle]pipe.QueryType
}

// NewWriter returns a Writer that writes to dst, each call with one Write.
// Nothing is written before the first call or Close.
func NewWriter(dst io.Writer, d Dialect) *Writer {
	return &Writer{dst: dst, enc: encoder{dialect: d}, queries: make(map[pipe.Handle]pipe.QueryType)}
}

const (
	header = "<?xml version='1.0' encoding='UTF-8'?>\n" +
		"<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n" +
		"<trace version='0.1'>\n"
	footer = "</trace>\n"
)

// Write writes a whole call with its result and how long it took, which traces
// hold in microseconds. Calls are numbered from 1 in the order they are written,
// whatever op.No. A pipe.NewWorld ends the trace and begins another in the same
// file, numbered from 1 again.
//
// After an error of the underlying writer every call returns that error.
func (w *Writer) Write(op *pipe.Op, took time.Duration) error {
	if err := w.begin(op); err != nil {
		return err
	}
	return w.end(op, took)
}

// Close ends the trace with its closing tag. It does not close the underlying
// writer. A call that is written all the same begins another trace.
func (w *Writer) Close() error {
	w.start()
	w.finish()
	return w.flush()
}

// finish ends the trace that was begun.
func (w *Writer) finish() {
	w.finishOpen()
	w.enc.raw(footer)
	w.begun, w.no = false, 0
	clear(w.queries)
}

// begin starts the record of an operation with all that is known before it is
// carried out.
func (w *Writer) begin(op *pipe.Op) error {
	if w.err != nil {
		return w.err
	}
	if _, ok := op.Call.(*pipe.NewWorld); ok {
		return w.newWorld()
	}
	w.start()
	w.finishOpen()
	w.no++
	w.open = true
	class, method := op.Call.Name()
	w.enc.openCall(w.no, class, method)
	if w.late = knownLate(op.Call); !w.late {
		w.enc.args(op)
	}
	return nil
}

// end writes what an operation returned, and hands the record over.
func (w *Writer) end(op *pipe.Op, took time.Duration) error {
	if !w.open {
		return w.err
	}
	if w.late {
		w.enc.lateArgs(op, w.queries)
	}
	w.watch(op)
	w.enc.result(op)
	w.enc.closeCall(took.Microseconds())
	w.open = false
	return w.flush()
}

// flush hands the text to the underlying writer.
func (w *Writer) flush() error {
	if w.err != nil {
		return w.err
	}
	if _, err := w.dst.Write(w.enc.text); err != nil {
		w.err = fmt.Errorf("trace: call %d: %w", w.no, err)
	}
	w.enc.reset()
	return w.err
}

// start writes the header before the first call.
func (w *Writer) start() {
	if !w.begun {
		w.enc.raw(header)
		w.begun = true
	}
}

// newWorld begins another trace in the same file.
func (w *Writer) newWorld() error {
	if w.begun {
		w.finish()
	}
	w.start()
	return w.flush()
}

// finishOpen closes a call that was begun and never ended, because a driver
// panicked and somebody went on.
func (w *Writer) finishOpen() {
	if w.open {
		w.enc.raw("\t</call>\n")
		w.open = false
	}
}

// watch keeps the types of queries, which decide how their results are written.
func (w *Writer) watch(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.CreateQuery:
		if op.Ret.Handle != 0 {
			w.queries[op.Ret.Handle] = c.Type
		}
	case *pipe.DestroyQuery:
		delete(w.queries, c.Query)
	}
}

// flushesArguments says whether Mesa writes the arguments out before the driver
// runs, so that a crash in it leaves the call open in the file.
func flushesArguments(c pipe.Call) bool {
	switch c.(type) {
	case *pipe.Draw, *pipe.DrawVertexState, *pipe.LaunchGrid:
		return true
	}
	return false
}

// knownLate says whether arguments are known only once the call returned.
func knownLate(c pipe.Call) bool {
	switch c.(type) {
	case *pipe.Map, *pipe.GetQueryResult:
		return true
	}
	return false
}

// openCall writes the opening tag.
func (e *encoder) openCall(no uint64, class, method string) {
	e.raw("\t<call no='")
	e.text = strconv.AppendUint(e.text, no, 10)
	e.raw("' class='")
	e.escape(class)
	e.raw("' method='")
	e.escape(method)
	e.raw("'>\n")
}

// closeCall writes the time and the closing tag.
func (e *encoder) closeCall(microseconds int64) {
	e.raw("\t\t<time>")
	e.int(microseconds)
	e.raw("</time>\n\t</call>\n")
}
