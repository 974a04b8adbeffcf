package streamout

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// CapturedDraw is what a draw gave to stream output. Counts are of primitives,
// by vertex stream.
type CapturedDraw struct {
	Op   *pipe.Op
	Mode pipe.PrimitiveType // of the draw
	// Capturing says that targets and outputs were there, or may have been.
	Capturing bool
	// Generated reached stream output, Written found room, Dropped did not.
	Generated, Written, Dropped [pipe.MaxVertexStreams]Count
	// Targets are the slots that outputs go to, in order.
	Targets []CapturedTarget
	// Auto is set for a draw-auto.
	Auto *AutoDraw
	// Why says what makes a count unknown, "" when all are known.
	Why string

	captured [pipe.MaxVertexStreams]bool // the stream has outputs, and a target is bound
}

// CapturedTarget is what a draw wrote to one slot.
type CapturedTarget struct {
	Slot   int
	Stream int
	// Target is nil when no create of it was seen, and when the slot is empty:
	// then Handle is NULL.
	Target *state.Target
	Handle pipe.Handle
	// First and End are bytes of the resource: the first that was written, and the
	// one behind the last. They are equal when nothing was. When they are not
	// Known, what was written lies between them.
	First, End uint64
	Known      bool
	// Before and Filled are how far the target was filled and is, in bytes from
	// its start.
	Before, Filled Count
}

// AutoDraw is where a draw-auto gets its vertices from.
type AutoDraw struct {
	Target      pipe.Handle
	StrideBytes Count // of a vertex that is read
	Vertices    Count
}

// Resume is a set_stream_output_targets that goes on where targets stopped.
type Resume struct {
	Op      *pipe.Op
	Targets []FilledTarget
}

// FilledTarget is how far a target is filled, in bytes from its start.
type FilledTarget struct {
	Slot   int
	Target *state.Target
	Filled Count
}

// QueryPrediction is what a query's result must be.
type QueryPrediction struct {
	Op    *pipe.Op
	Query *state.Query
	// Value is the number, or 0 and 1 for a predicate; Needed is the other half of
	// SO_STATISTICS.
	Value, Needed Count
	// Recorded is what the run got; it is not Known when a live query asks.
	Recorded pipe.QueryValue
}

// Differs says whether what was recorded cannot be right.
func (p *QueryPrediction) Differs() bool {
	if !p.Recorded.Known || p.Recorded.Composite {
		return false
	}
	return !p.Value.Has(p.Recorded.Value) ||
		p.Query.Type == pipe.QueryStreamOutputStatistics && !p.Needed.Has(p.Recorded.Needed)
}

// Readback is a read by the CPU of a buffer that was captured into.
type Readback struct {
	Op           *pipe.Op
	Resource     *state.Resource
	Offset, Size uint64 // bytes
	// Bytes are what is read, nil when not all are known.
	Bytes []byte
	// Unknown says why, "" when all are known.
	Unknown string
}

// readback reports a map for reading.
func (c *Capture) readback(op *pipe.Op, call *pipe.Map) {
	x := c.contents.find(call.Resource)
	if c.options.Readback == nil || call.Texture || call.Usage&pipe.MapRead == 0 || x == nil || !x.captured ||
		call.Box.X < 0 || call.Box.Width <= 0 {
		return
	}
	r := Readback{Op: op, Resource: c.machine.Resource(call.Resource), Offset: uint64(call.Box.X), Size: uint64(call.Box.Width)}
	if at := x.firstUnknown(r.Offset, r.Size); at < r.Offset+r.Size {
		r.Unknown = fmt.Sprintf("byte %d of the buffer is not known", at)
	} else {
		r.Bytes = make([]byte, r.Size)
		x.read(r.Offset, r.Bytes)
	}
	c.options.Readback(&r)
}
