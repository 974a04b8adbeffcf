// Package vulkan is the front end for Vulkan: the transform feedback
// decorations of SPIR-V outputs, and the commands of VK_EXT_transform_feedback.
//
// [Translate] takes the outputs of an entry point as declarations, [ReadModule]
// reads them from a SPIR-V binary. Captured is what has an Offset, member by
// member, as nir_gather_xfb_info.c walks it: structures and arrays tightly,
// 64-bit values at multiples of 8, each column in slots of its own.
//
// A shader is also a JSON case of outflow translate, with outputs as those of
// package gl, decorated:
//
//	{"id": 1, "api": "vulkan", "stage": "vertex",
//	 "outputs": [{"name": "a", "type": "dvec3", "location": 4, "xfbBuffer": 0, "xfbStride": 64, "offset": 8},
//	             {"name": "c", "type": "float", "array": 5, "builtin": "ClipDistance"}]}
//
// "xfb" false is an entry point without the Xfb execution mode, "topology" what
// a geometry shader puts out, "rasterizationStream" that of the pipeline. A limit
// of data that is not given is as many bytes as "interleavedComponents" are.
//
// [Commands] are the other half: binding, beginning and ending with counter
// buffers, and drawing by a counter, sent to a driver. A counter is the filled
// size that the target keeps.
package vulkan
