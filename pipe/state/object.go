package state

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// At is a place in the run: a call's number and position. It is zero for "never".
type At struct {
	No  uint64
	Pos pipe.Pos
}

func at(op *pipe.Op) At { return At{op.No, op.Pos} }

// mark makes a the place of an operation. It is at without a copy: to read whole what
// was just written in parts makes a processor wait.
func (a *At) mark(op *pipe.Op) { a.No, a.Pos = op.No, op.Pos }

// Object is what all objects have in common.
type Object struct {
	Kind    pipe.Kind
	Handle  pipe.Handle
	Context pipe.Handle // the context that made it, NULL for those of a screen
	// Serial tells objects apart: no two of a Machine have the same, and later
	// ones have higher ones.
	Serial uint64
	// Ordinal counts the objects of a kind from 1: vs#1, target#2.
	Ordinal int
	Created At
	// Ended is where the last reference was given up, or the context or screen
	// went away, zero while alive.
	Ended At
	// Dead is true from then on. An object whose address a create returned again
	// is Replaced as well: no call ended it, none may have been traced.
	Dead, Replaced bool
	// Creates counts the creates that returned the object less the deletes:
	// some drivers return one shader for equal creates.
	Creates int
}

// Resource is a buffer or texture.
type Resource struct {
	Object
	Template pipe.ResourceTemplate
	Targeted bool // a target was made of it
}

// Shader is a shader of a graphics stage.
type Shader struct {
	Object
	Stage pipe.Stage
	// Info is what it captures, packed.
	Info pipe.StreamOutputInfo
	// Buffers are the slots that its outputs write, slot 0 in bit 0, and Extents where
	// what they write of a vertex in a slot ends, in dwords.
	Buffers uint8
	Extents [pipe.MaxStreamOutputBuffers]int
	// Exact is false when the create held numbers that Info cannot.
	Exact bool
	// Outputs is what its text says it can put out; never nil.
	Outputs *shader.Outputs
	// TextHash is the xxhash of the text, 0 without one.
	TextHash uint64

	writes [pipe.MaxVertexStreams]uint8 // Buffers of each stream
}

// Target is a stream output target: a range of a buffer and how far it is filled.
type Target struct {
	Object
	Resource       pipe.Handle
	Buffer         *Resource // nil when unknown
	Offset, Size   uint32    // bytes; Offset within the buffer
	Fill           Fill
	Set            At   // the last bind that gave an offset other than append
	WasSet         bool // there was such a bind
	Captured       At   // the last draw that may have written it
	CapturedStride int  // of the shader that did, in dwords
	CapturedSlot   int  // of that draw
	CapturedInto   bool // an output of that shader used the slot
	CapturedStream int  // of that output
	Bypassed       At   // the last draw that captured, but not into the target's slot
	WasBypassed    bool // there was such a draw
}

// Fill is how many bytes of a target are filled, from its start.
type Fill struct {
	Bytes uint64
	Known bool
}

// Query is a query object.
type Query struct {
	Object
	Type   pipe.QueryType
	Index  uint32
	Active bool
	Begun  At
	Done   At // the last end
	Ends   int
	Counts QueryCounts
	// Result is the last that was read since the begin.
	Result pipe.QueryValue
}

// CSO is a state object other than a shader; State is a pointer to its struct
// of package pipe, *pipe.RasterizerState and so on, or []pipe.VertexElement.
type CSO struct {
	Object
	State any
}

// View is a sampler view or a surface.
type View struct {
	Object
	Resource pipe.Handle
	Texture  *Resource // nil when unknown
	Sampler  pipe.SamplerView
	Surface  pipe.Surface
}

// Transfer is a mapped range.
type Transfer struct {
	Object
	Resource pipe.Handle
	Texture  *Resource // nil when unknown
	Usage    pipe.MapFlags
	Box      pipe.Box
}
