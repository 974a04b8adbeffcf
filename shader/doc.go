// Package shader says what a shader stage can put out, as far as its text in a
// trace tells it.
//
// A create call of a trace carries the shader as text: TGSI, or NIR in the
// spelling of the Mesa that wrote it. [Parse] reads either into [Outputs]: the
// registers that stream output may name with register_index, each with its
// variable, components, width and stream; the properties of geometry and
// tessellation stages; and which resource slots the shader reads. The text
// itself is not kept.
//
// Texts are often missing (Mesa prints only the first 32 NIR shaders), cut, or
// from a Mesa nobody has seen. So every question has three answers, [Yes],
// [No] and [Unknown], and No is given only when the whole text was read and
// understood. A rule that wants to say "register 3 is not written" asks
// [Outputs.Writes] and speaks when it hears No.
//
// # Registers
//
// register_index counts the output slots that the shader writes, in the order
// of their VARYING_SLOT numbers (st_translate_stream_output_info in
// src/mesa/state_tracker/st_program.c). In TGSI that is the index of OUT[]; in
// NIR it is the driver location of the variable or the base of a store_output.
// One exception is seen in traces of zink: a point size that the GL state
// tracker added (gl_PointSizeMESA) has a driver location but no register, so
// every later register is one less than its driver location.
package shader
