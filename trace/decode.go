package trace

import "github.com/outflow-gpu/outflow/pipe"

// Decoder turns records into operations: it is where the forms that traces had
// from Mesa 7.12 (December 2011) to 26 become one. Its zero value is ready. It
// owns the memory of the operations that it makes, so an operation is valid
// until the next Decode, and while the record's Batch is. It is for one
// goroutine.
//
// Traces do not say which Mesa wrote them, and a few numbers mean different
// things in different versions (stages of shaders). A Decoder learns from what
// it sees, so it is best given all records of a trace in order; what it cannot
// tell it leaves as pipe.Other rather than guess.
type Decoder struct {
	// Lend lets a call that came before be one and the same Call each time, not a copy:
	// for those who do not change what it holds, as a driver may.
	Lend bool

	values   *pipe.Values
	raw      pipe.Raw
	doubtful bool // something in the call cannot be read
	problem  string
	dialect  dialect
	names    map[string]string
	calls    calls
	scratch  scratch
}

// scratch is the memory of what calls refer to.
type scratch struct {
	handles   []pipe.Handle
	offsets   []uint32
	ranges    []pipe.DrawRange
	indirect  pipe.DrawIndirect
	buffers   []pipe.VertexBuffer
	elements  []pipe.VertexElement
	constants pipe.ConstantBuffer
	storage   []pipe.ShaderBuffer
	images    []pipe.ImageView
	surfaces  []pipe.SurfaceRef
	viewports []pipe.Viewport
	scissors  []pipe.Scissor
	scissor   pipe.Scissor
	color     [4]uint32
	path      []byte
	element   fields
	tokens    []byte
	nir       []byte
	numbers   pipe.StreamOutputNumbers
	blend     pipe.BlendState
	raster    pipe.RasterizerState
	depth     pipe.DepthStencilAlphaState
}

// Decode makes op the operation of a record and reports whether it has one: a
// call that was read, whole or open, or a header, which is a pipe.NewWorld. A
// call that has no struct in package pipe, or that cannot be told for sure, is
// a pipe.Other. Nothing of op remains from before.
//
// What is not in the record is zero, and Ret.Known is false without a returned
// value. Members that mean nothing for a call are kept as they were written:
// index fields of draws that are not indexed are often uninitialised memory.
func (d *Decoder) Decode(rec *Record, op *pipe.Op) bool {
	*op = pipe.Op{}
	op.No, op.Pos, op.Raw = rec.No, rec.Pos, &d.raw
	d.values = &rec.Values
	d.raw.Values, d.raw.StreamOutput, d.raw.Misfits, d.raw.Cut = d.values, nil, d.raw.Misfits[:0], rec.Open
	d.problem = ""
	switch {
	case rec.Kind == HeaderRecord:
		d.dialect = dialect{}
		op.Call = &d.calls.newWorld
		return true
	case rec.Kind != CallRecord || rec.Skipped:
		return false
	case d.recall(rec, op):
		return true
	}
	before := d.dialect.learned()
	f := fields{d: d, first: d.values.First(), role: pipe.ArgRole, index: -1}
	f.at = f.first
	f.object(rec.Class, op)
	d.result(op)
	d.doubtful = false
	if decode := decoder(rec.Class, rec.Method); decode == nil || !decode(f, rec.Method, op) || d.doubtful {
		d.dialect.watch(rec, d)
		d.raw.Misfits = d.raw.Misfits[:0]
		d.raw.StreamOutput = nil
		d.calls.other = pipe.Other{Class: rec.Class, Method: rec.Method, Values: d.values}
		op.Call = &d.calls.other
	}
	d.remember(rec, op, before)
	return true
}

// Problem says why the last call, of a method that has a struct in package pipe,
// became a pipe.Other. It is empty when it did not, or when nothing can be said.
func (d *Decoder) Problem() string { return d.problem }

// object takes the first argument, which is always the object of the call.
func (f *fields) object(class string, op *pipe.Op) {
	for f.at.Exists() && f.at.Role() != pipe.ArgRole {
		f.at = f.at.Next()
	}
	x := f.at
	h, ok := x.Handle()
	if !ok {
		return
	}
	f.at = x.Next()
	switch {
	case string(x.RawName()) == "screen":
		op.Screen = h
	case string(x.RawName()) == "pipe", string(x.RawName()) == "context", class == pipe.ClassContext:
		op.Context = h
	case class == pipe.ClassScreen:
		op.Screen = h
	}
}

// result presets what the call returned.
func (d *Decoder) result(op *pipe.Op) {
	x := d.values.Ret()
	op.Ret.Known = x.Exists()
	switch x.Kind() {
	case pipe.PtrValue:
		op.Ret.Handle, _ = x.Handle()
	case pipe.BoolValue, pipe.UintValue, pipe.IntValue:
		op.Ret.Value, op.Ret.Known = anyNumber(x)
	}
}

// intern returns a name, unescaped, the same string each time. It keeps a
// bounded number of names.
func (d *Decoder) intern(raw []byte) string {
	if s, ok := d.names[string(raw)]; ok {
		return s
	}
	if d.names == nil {
		d.names = make(map[string]string)
	}
	s := string(pipe.AppendUnescaped(nil, raw))
	if len(d.names) < maxNames {
		d.names[string(raw)] = s
	}
	return s
}

// reset returns c with nothing in it.
func reset[T any](c *T) *T {
	var zero T
	*c = zero
	return c
}
