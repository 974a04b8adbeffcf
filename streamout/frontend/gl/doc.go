// Package gl is the front end for OpenGL: what glTransformFeedbackVaryings, or
// the xfb_ layout qualifiers of GLSL, capture, and the transform feedback
// objects that capture it.
//
// [Translate] does the linker's work as Mesa does it (gl_nir_link_varyings.c):
// list mode in order, with gl_NextBuffer and gl_SkipComponents, or the
// qualifiers by buffer and offset. Variables with a location keep a slot for
// each column of each element; packed ones fill slots without a gap.
//
// A program is also a JSON case of outflow translate. All but name and type may
// be left out:
//
//	{"id": 1, "api": "gl", "mode": "interleaved", "stage": "geometry", "topology": "points",
//	 "varyings": ["A", "gl_SkipComponents2", "gl_NextBuffer", "m[1]", "blk.f"],
//	 "outputs": [{"name": "A", "type": "vec4", "array": 0, "location": 3, "component": 0, "stream": 0, "written": true,
//	              "register": 2, "xfbBuffer": 0, "xfbOffset": 16, "xfbStride": 32}],
//	 "limits": {"buffers": 4, "separateComponents": 4, "interleavedComponents": 64, "streams": 4}}
//
// An output with a location has registers of its own for each column; one
// without is packed, and its register must be given, since only the linker knows
// it. A block or structure has one output for each member, "blk.f" or "s[1].a".
// An array whose size is not declared has the type "float[]".
//
// A [Tracker] is the other half: a context with programs, buffers and transform
// feedback objects, which refuses what OpenGL refuses and sends the rest to a
// driver as st/mesa does.
package gl
