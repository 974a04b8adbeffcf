package pipe

import "strconv"

// Cap is one capability of a driver: a number, or not known. The zero value is
// not known, and nothing follows from it.
type Cap struct {
	Value uint32
	Known bool
}

// KnownCap returns the capability v.
func KnownCap(v uint32) Cap { return Cap{Value: v, Known: true} }

// String returns the number, or "unknown".
func (c Cap) String() string {
	if !c.Known {
		return "unknown"
	}
	return strconv.FormatUint(uint64(c.Value), 10)
}

// Or returns c when it is known, else d.
func (c Cap) Or(d Cap) Cap {
	if c.Known {
		return c
	}
	return d
}

// Below says whether the capability is known and less than v.
func (c Cap) Below(v uint64) bool { return c.Known && uint64(c.Value) < v }

// IsFalse says whether the capability is known and 0: the driver says that it
// cannot do it.
func (c Cap) IsFalse() bool { return c.Known && c.Value == 0 }

// Caps are the capabilities of a driver that stream output depends on (enum
// pipe_cap, p_defines.h). The zero value knows nothing.
type Caps struct {
	// Buffers is how many targets may be bound; 0 is no stream output at all
	// (PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS).
	Buffers Cap
	// SeparateComponents is how many components, and so dwords, one varying may
	// have that goes to a buffer of its own
	// (PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS).
	SeparateComponents Cap
	// InterleavedComponents is how many components a vertex of one buffer may
	// have (PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS).
	InterleavedComponents Cap
	// VertexStreams is how many streams a geometry shader has; 0 is as good as 1
	// (PIPE_CAP_MAX_VERTEX_STREAMS).
	VertexStreams Cap
	// PauseResume is whether AppendOffset and draw-auto work
	// (PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME).
	PauseResume Cap
	// InterleaveBuffers is whether a buffer may hold several varyings when there
	// are several buffers (PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS).
	InterleaveBuffers Cap
	// ShareableShaders is whether a shader may be bound on another context than
	// the one that made it (PIPE_CAP_SHAREABLE_SHADERS).
	ShareableShaders Cap
	// QueryOverflow is whether there are queries of the overflow of stream
	// output (PIPE_CAP_QUERY_SO_OVERFLOW).
	QueryOverflow Cap
	// Outputs is how many entries the driver takes in a stream output info. No
	// PIPE_CAP tells it; profiles do.
	Outputs Cap
}

// capPrefix is what the names of enum pipe_cap begin with.
const capPrefix = "PIPE_CAP_"

// capField is a capability by its name without the prefix.
type capField struct {
	name  string
	field func(*Caps) *Cap
}

// capFields are the capabilities that have a name, in the order of Caps.
// capNumberTable lists their numbers in this order.
var capFields = [...]capField{
	{"MAX_STREAM_OUTPUT_BUFFERS", func(c *Caps) *Cap { return &c.Buffers }},
	{"MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", func(c *Caps) *Cap { return &c.SeparateComponents }},
	{"MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", func(c *Caps) *Cap { return &c.InterleavedComponents }},
	{"MAX_VERTEX_STREAMS", func(c *Caps) *Cap { return &c.VertexStreams }},
	{"STREAM_OUTPUT_PAUSE_RESUME", func(c *Caps) *Cap { return &c.PauseResume }},
	{"STREAM_OUTPUT_INTERLEAVE_BUFFERS", func(c *Caps) *Cap { return &c.InterleaveBuffers }},
	{"SHAREABLE_SHADERS", func(c *Caps) *Cap { return &c.ShareableShaders }},
	{"QUERY_SO_OVERFLOW", func(c *Caps) *Cap { return &c.QueryOverflow }},
}

// Set stores the value that get_param returned for a capability by its name,
// "PIPE_CAP_MAX_VERTEX_STREAMS". It reports whether stream output depends on
// that capability and the value can be one; a negative one, which is what
// drivers answer that do not know the capability, leaves it as it was. Digits
// are no name: see CapName.
func (c *Caps) Set(param string, value uint64) bool {
	if len(param) < len(capPrefix) || param[:len(capPrefix)] != capPrefix || value > 1<<31-1 {
		return false
	}
	for _, f := range capFields {
		if f.name == param[len(capPrefix):] {
			*f.field(c) = KnownCap(uint32(value))
			return true
		}
	}
	return false
}

// Or returns c with what it does not know taken from d: the capabilities that a
// trace recorded, say, before those of a profile.
func (c Caps) Or(d Caps) Caps {
	for _, f := range capFields {
		*f.field(&c) = f.field(&c).Or(*f.field(&d))
	}
	c.Outputs = c.Outputs.Or(d.Outputs)
	return c
}
