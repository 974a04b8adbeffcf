package pipe

// Limits of the interface (src/gallium/include/pipe/p_state.h).
const (
	// MaxStreamOutputBuffers is the number of target slots (PIPE_MAX_SO_BUFFERS).
	MaxStreamOutputBuffers = 4
	// MaxStreamOutputs is the number of outputs of a stream output info
	// (PIPE_MAX_SO_OUTPUTS: 128 since Mesa 23.3, 64 from 9.2 on).
	MaxStreamOutputs = 128
	// MaxVertexStreams is the number of vertex streams of a geometry shader.
	MaxVertexStreams = 4
	// MaxShaderOutputs is the number of outputs of a shader (PIPE_MAX_SHADER_OUTPUTS).
	MaxShaderOutputs = 80
	// MaxVertexBuffers is the number of vertex buffer slots (PIPE_MAX_ATTRIBS).
	MaxVertexBuffers = 32
)

// AppendOffset is the offset of set_stream_output_targets that goes on where
// the target stopped, instead of setting its fill position.
const AppendOffset = 0xFFFFFFFF
