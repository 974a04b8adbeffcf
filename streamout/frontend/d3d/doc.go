// Package d3d is the front end for Direct3D 10, 11 and 12: stream-output
// declarations over the output signature of a shader, and the stages and
// targets that capture with them.
//
// [Translate] checks declarations as the runtime does and lays them out as a
// state tracker must: slots are filled in the order of the declarations, gaps
// included, and each stream has registers of its own, since Gallium numbers the
// registers of all streams together.
package d3d
