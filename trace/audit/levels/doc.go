// Package levels compares two traces of one run, taken at two levels of a stack:
// a virtual GPU's guest and its host, zink and the driver below Vulkan, above and
// below a threaded context. It says whether stream output survived the way down.
//
// [Read] keeps of a trace what was captured: a [Level] is its captured draws in
// order, each with the layout of its vertices, its targets and where they go on.
// [Compare] matches the draws of two levels by content and order. On the way down
// a stack may renumber registers, reorder, split and merge outputs, make targets
// anew, say where a target goes on instead of append, and split or merge draws;
// the bytes that are written, and where, must stay what they were.
package levels
