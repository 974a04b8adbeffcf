package pipe

import "strconv"

// Handle is the address that stands for an object, as a trace prints it. Zero
// is NULL. An address alone does not identify an object: addresses are reused.
type Handle uint64

// String returns the address in hexadecimal, or "NULL".
func (h Handle) String() string {
	if h == 0 {
		return "NULL"
	}
	return string(h.Append(nil))
}

// Append appends the address in Mesa's spelling: 0x and at least eight
// lower-case hexadecimal digits.
func (h Handle) Append(b []byte) []byte {
	b = append(b, "0x"...)
	for limit := Handle(1) << 28; limit > h && limit > 1; limit >>= 4 {
		b = append(b, '0')
	}
	return strconv.AppendUint(b, uint64(h), 16)
}

// Pos is the place in a trace that an operation was read from. It is zero for
// an operation that never was in a file.
type Pos struct {
	File string // the name the trace was opened by
	Line int    // line of the call's opening tag, from 1
	Byte int64  // offset of that tag in the decompressed text, from 0
}

// Op is one operation on its way through a stack of drivers. The sender owns
// it and may reuse it, and the memory of its Call, once Do has returned: a
// driver or layer copies what it keeps.
type Op struct {
	Call    Call
	Screen  Handle // the screen of the operation, or NULL when only the context is known
	Context Handle // the context, NULL for operations of the screen
	No      uint64 // call number in the trace, 0 when live
	Pos     Pos
	Ret     Result
	Raw     *Raw // the values as they were read, nil when live
}

// Result is what an operation returns. A driver sets it; a replay presets it
// with what was recorded.
type Result struct {
	Handle Handle     // the object made or returned, 0 for NULL
	Value  uint64     // a number or a boolean
	Text   string     // of GetName
	Query  QueryValue // of GetQueryResult
	Known  bool       // false when a trace does not tell what was returned
}

// QueryValue is the result of a query. Which fields count depends on the
// query's type (union pipe_query_result, p_defines.h).
type QueryValue struct {
	Known     bool   // false when the result was not available or not recorded
	Value     uint64 // counters and predicates; primitives written for SO_STATISTICS
	Needed    uint64 // SO_STATISTICS: primitives that storage would have been needed for
	Composite bool   // the result is a structure other than SO_STATISTICS, not kept here
}

// Raw is what a trace literally said, where the typed call cannot hold it.
type Raw struct {
	// Values is the whole call as it was written.
	Values *Values
	// StreamOutput is the stream output of a shader create as plain numbers, when
	// the packed info cannot hold them all; nil when it says the same.
	StreamOutput *StreamOutputNumbers
	// Misfits are the numbers that their field cannot hold.
	Misfits []Misfit
	// Cut is true for the open last call of a trace that ends inside it.
	Cut bool
}

// Misfit is a number of a trace that is wider than the field it belongs to.
// The typed call holds zero there.
type Misfit struct {
	Path  string // "buffer_size", "offsets[2]"
	Value uint64
	Bits  int // width of the field
}

// Driver takes operations. Do carries one out and sets its Ret. An error means
// that the operation could not be carried out at all (unknown handle, I/O); a
// create that the driver refuses is no error but a NULL handle in Ret.
//
// Operations of one context come from one goroutine at a time; contexts may
// run in parallel.
type Driver interface {
	Do(*Op) error
}

// DriverFunc is a function as a Driver.
type DriverFunc func(*Op) error

// Do calls f.
func (f DriverFunc) Do(op *Op) error { return f(op) }

// Layer makes a driver that does its own work around the one it wraps.
type Layer func(Driver) Driver

// Stack wraps d in layers. The first layer is the outermost: it sees each
// operation first.
func Stack(d Driver, layers ...Layer) Driver {
	for i := len(layers) - 1; i >= 0; i-- {
		d = layers[i](d)
	}
	return d
}
