// Package frontend is what the front ends of stream output share: how a
// declaration of an API becomes a pipe_stream_output_info.
//
// The front ends are packages gl, d3d and vulkan. Each reads declarations of its
// API, says which of the API's rules they break, and lays the captured variables
// out as real linkers do, by adding outputs to a [Builder]. A [Translation] is
// the result: the info, the name of each output, and what deserves a warning. A
// declaration that the API refuses is an [*Error] with the id of the first rule
// it breaks, in the order of [Rules].
//
// A variable is a [Output] of a GLSL [Type]. Where its registers are follows
// from all the outputs of the shader together: see [Registers].
package frontend
