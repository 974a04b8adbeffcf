package frontend

// Limits are what a device can capture. DefaultLimits has the smallest that the
// specification of OpenGL allows, with as many streams as Gallium has.
type Limits struct {
	Buffers               int `json:"buffers"`               // buffers, and so varyings of separate mode
	SeparateComponents    int `json:"separateComponents"`    // dwords of a varying in separate mode
	InterleavedComponents int `json:"interleavedComponents"` // dwords of a vertex in a buffer
	Streams               int `json:"streams"`               // vertex streams
}

// DefaultLimits returns the limits that hold where none are given.
func DefaultLimits() Limits {
	return Limits{Buffers: 4, SeparateComponents: 4, InterleavedComponents: 64, Streams: 4}
}
