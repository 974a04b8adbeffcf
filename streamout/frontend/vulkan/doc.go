// Package vulkan is the front end for Vulkan: the transform feedback
// decorations of SPIR-V outputs, and the commands of VK_EXT_transform_feedback.
//
// [Translate] takes the outputs of an entry point as declarations, [ReadModule]
// reads them from a SPIR-V binary. Captured is what has an Offset, member by
// member, as nir_gather_xfb_info.c walks it: structures and arrays tightly,
// 64-bit values at multiples of 8, each column in slots of its own.
package vulkan
