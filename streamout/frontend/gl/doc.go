// Package gl is the front end for OpenGL: what glTransformFeedbackVaryings, or
// the xfb_ layout qualifiers of GLSL, capture, and the transform feedback
// objects that capture it.
//
// [Translate] does the linker's work as Mesa does it (gl_nir_link_varyings.c):
// list mode in order, with gl_NextBuffer and gl_SkipComponents, or the
// qualifiers by buffer and offset. Variables with a location keep a slot for
// each column of each element; packed ones fill slots without a gap.
package gl
