// Package source audits C and C++ sources for the faults that follow when a
// struct gains a member: objects that leave a function with the member never
// set, copies that drop it, and dumpers that omit it. It was made for
// pipe_shader_state.stream_output and follows any struct and member given.
//
// The sources are read as they lie in the tree: not preprocessed, without
// headers, whole or in part. A file becomes tokens (lex), its conditional
// sections are kept as alternatives, the tokens become functions, struct
// definitions and macro bodies, and one struct is followed through one
// function. What a callee does to the struct is learned from its own body,
// when the tree holds it. What cannot be known is not reported, or is a note.
package source
