package shader

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// Status says how much of a shader's text was there and understood.
type Status uint8

// The states of a text, from nothing to all.
const (
	// Absent: there is no text: null, "...", or the sentence that NIR printing
	// is off.
	Absent Status = iota
	// Unrecognised: there is a text, in no dialect that this package reads.
	Unrecognised
	// Cut: the beginning of a text; its end is missing.
	Cut
	// Parsed: the whole text was read.
	Parsed
)

var statusWords = [...]string{"absent", "unrecognised", "cut", "parsed"}

// String returns a word for people: "parsed".
func (s Status) String() string {
	if int(s) < len(statusWords) {
		return statusWords[s]
	}
	return "invalid"
}

// Dialect is the spelling of a text.
type Dialect uint8

// The dialects.
const (
	// NoDialect: absent or unrecognised.
	NoDialect Dialect = iota
	// TGSI as src/gallium/auxiliary/tgsi/tgsi_dump.c prints it.
	TGSI
	// NIRSSA is NIR up to Mesa 23.1: values are "ssa_1", "intrinsic" comes first.
	NIRSSA
	// NIRPercent is NIR since Mesa 23.2: values are "%1", intrinsics "@name".
	NIRPercent
)

var dialectWords = [...]string{"none", "tgsi", "nir-ssa", "nir-percent"}

// String returns a word for people: "nir-ssa".
func (d Dialect) String() string {
	if int(d) < len(dialectWords) {
		return dialectWords[d]
	}
	return "invalid"
}

// Answer is what a text tells about a question.
type Answer uint8

// The three answers. Unknown is the zero value.
const (
	Unknown Answer = iota
	No
	Yes
)

// String returns "unknown", "no" or "yes".
func (a Answer) String() string {
	switch a {
	case No:
		return "no"
	case Yes:
		return "yes"
	}
	return "unknown"
}

// NoRegister is the register of an output that stream output cannot name.
const NoRegister = -1

// UnknownStream is the stream of a component when the text does not tell it.
const UnknownStream = -1

// Output is one register of one output variable. A variable over several slots
// (an array, a matrix, a dvec4) gives one Output for each; several variables
// may share a register, each with its own components.
type Output struct {
	// Register is what stream output's register_index says for it, or NoRegister.
	Register int
	// DriverLocation is where the driver keeps it: OUT[n] in TGSI,
	// driver_location or base in NIR.
	DriverLocation int
	// Name is the variable's name as printed ("packed:a,b"; "" in TGSI).
	Name string
	// Semantic is the slot as printed: "VARYING_SLOT_VAR0", "GENERIC[0]".
	// Numbers that NIR printed for tessellation stages are turned into names.
	Semantic string
	// Element is which slot of the variable this is, 0 for the first.
	Element int
	// Slots is how many slots the variable has in all.
	Slots int
	// Declared has bit 0 for x to bit 3 for w of the register, in dwords: a
	// double in xy has the value 3.
	Declared uint8
	// Written has the components that some store of the text writes.
	Written uint8
	// MaybeWritten has those that a store may write whose place is only known
	// when the shader runs (an array with a computed index).
	MaybeWritten uint8
	// Width is 64, 32 or 16 bits per component of the variable, 0 if not known
	// (TGSI registers have no type).
	Width int
	// Streams has the vertex stream of each component, or UnknownStream.
	Streams [4]int8
	// Patch is set for outputs per patch of a tessellation control shader.
	Patch bool
}

// Capture is one dword that the text says stream output writes (the io_xfb of a
// store).
type Capture struct {
	Buffer int
	// Offset is the place in the vertex, in dwords.
	Offset         int
	DriverLocation int
	// Component is 0 for x to 3 for w.
	Component int
	// Stream is the vertex stream, or UnknownStream.
	Stream int8
	// Name is the variable's name as printed, "" if it was not.
	Name string
}

// Outputs is what is known of one shader. The zero value knows nothing.
type Outputs struct {
	// Stage is the stage that was asked for.
	Stage   pipe.Stage
	Status  Status
	Dialect Dialect
	// Reason says why Status is not Parsed, or what makes some answers Unknown
	// although it is; "" otherwise.
	Reason string
	// Name is the text's own name for the shader ("GLSL3"), "" if it has none.
	Name string
	// List has the outputs in the order of DriverLocation.
	List []Output

	Geometry  Geometry
	Tess      Tessellation
	Resources Resources

	// Captures is the stream output that the NIR text itself carries on its
	// stores (seen from Mesa 25.0 on above drivers that lower outputs, such as
	// zink), ordered by buffer and offset. The compiler moves varyings after
	// register_index was worked out, and such drivers look at this instead: in
	// real traces the two name different registers for the same dword. So with
	// Captures no question about a register gets another answer than Unknown;
	// CapturedAt tells what lies where.
	Captures []Capture

	// EmittedStreams has a bit for each vertex stream that an emit of the text
	// names (a geometry shader).
	EmittedStreams uint8

	// Discards says whether the fragment shader can drop a fragment.
	Discards Answer
	// WritesDepth says whether the fragment shader writes depth.
	WritesDepth Answer
	// SideEffects says whether the shader writes memory other than its outputs:
	// storage buffers, images, atomics.
	SideEffects Answer

	// declared: every output that the text can declare is in List.
	declared bool
	// stores: every store is accounted for.
	stores bool
	// numbered: Register is sure for every output.
	numbered bool
	// emits: every emit is accounted for.
	emits bool
	// vague has driver locations from which on a variable of unknown extent
	// lies; -1 for none.
	vague int
}

// Geometry is what a geometry shader's text says of its primitives.
type Geometry struct {
	// Known says that the fields below were in the text.
	Known bool
	// Input is the primitive type that comes in, PrimitiveUnknown if not told.
	Input pipe.PrimitiveType
	// Output is points, line_strip or triangle_strip, PrimitiveUnknown if not told.
	Output pipe.PrimitiveType
	// VerticesOut is the largest number of vertices one invocation emits.
	VerticesOut int
	// Invocations is the number of invocations per primitive, 0 if not told.
	Invocations int
	// ActiveStreams has a bit for each stream that the shader emits to, as the
	// text's header tells it; 0 if it does not.
	ActiveStreams uint8
}

// Domain is the shape that the tessellator cuts.
type Domain uint8

// The domains (enum tess_primitive_mode).
const (
	DomainUnknown Domain = iota
	DomainTriangles
	DomainQuads
	DomainIsolines
)

// String returns "triangles", "quads", "isolines" or "unknown".
func (d Domain) String() string {
	return [...]string{"unknown", "triangles", "quads", "isolines"}[d&3]
}

// Spacing is how the tessellator rounds a factor.
type Spacing uint8

// The spacings (enum gl_tess_spacing).
const (
	SpacingUnknown Spacing = iota
	SpacingEqual
	SpacingFractionalOdd
	SpacingFractionalEven
)

// String returns "equal", "fractional_odd", "fractional_even" or "unknown".
func (s Spacing) String() string {
	return [...]string{"unknown", "equal", "fractional_odd", "fractional_even"}[s&3]
}

// Tessellation is what the text of a tessellation stage says. In NIR it is
// printed since Mesa 23.0.
type Tessellation struct {
	Domain  Domain
	Spacing Spacing
	// CounterClockwise and PointMode are Unknown unless the text has the domain.
	CounterClockwise Answer
	PointMode        Answer
	// VerticesOut is the size of the control shader's output patch, 0 if not told.
	VerticesOut int
}

// Slots is a set of resource slots, 0 to 127.
type Slots struct {
	mask     [2]uint64
	complete bool
	// open: the text uses slots that it does not name.
	open bool
}

// Has says whether the shader uses the slot. Slots beyond 127 are Unknown
// unless the set is complete.
func (s Slots) Has(slot int) Answer {
	if slot >= 0 && slot < 128 && s.mask[slot>>6]&(1<<(slot&63)) != 0 {
		return Yes
	}
	if s.complete {
		return No
	}
	return Unknown
}

// Complete says whether slots outside the set are surely not used.
func (s Slots) Complete() bool { return s.complete }

// Len returns how many slots are surely used.
func (s Slots) Len() int { return bits.OnesCount64(s.mask[0]) + bits.OnesCount64(s.mask[1]) }

// Resources are the slots that a shader reads or writes, each in the numbering
// of its set call.
type Resources struct {
	// ConstantBuffers are those of set_constant_buffer.
	ConstantBuffers Slots
	// StorageBuffers are those of set_shader_buffers.
	StorageBuffers Slots
	// Images are those of set_shader_images.
	Images Slots
	// SamplerViews are those of set_sampler_views.
	SamplerViews Slots
	// VertexInputs are the vertex elements a vertex shader reads; empty and
	// complete for other stages.
	VertexInputs Slots
}
