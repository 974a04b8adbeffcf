package cso

// FragmentShader is what decides, of a fragment shader, when depth and stencil
// may be tested. A driver that does the alpha test in the shader has a shader
// that discards.
type FragmentShader struct {
	Discards    bool
	WritesDepth bool
}

// EarlyZ says whether depth and stencil may be tested before the fragment shader.
type EarlyZ uint8

// Answers.
const (
	// EarlyLate: only after the shader is it known what is to be written.
	EarlyLate EarlyZ = iota
	// EarlyNoWrites: the shader discards, but as neither depth nor stencil is
	// written, rejecting before it changes nothing.
	EarlyNoWrites
	// EarlyAlways: the shader neither discards nor writes depth.
	EarlyAlways
)

// String returns "late", "no-writes" or "always".
func (e EarlyZ) String() string {
	switch e {
	case EarlyAlways:
		return "always"
	case EarlyNoWrites:
		return "no-writes"
	}
	return "late"
}

// Early says when depth and stencil may be tested with shader fs.
func (r *SanitisedDepthStencil) Early(fs FragmentShader) EarlyZ {
	switch {
	case !fs.Discards && !fs.WritesDepth:
		return EarlyAlways
	case !fs.WritesDepth && !r.WritesDepth && !r.WritesStencil:
		return EarlyNoWrites
	}
	return EarlyLate
}
