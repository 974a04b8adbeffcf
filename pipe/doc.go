// Package pipe is the vocabulary of Gallium as Outflow speaks it: limits,
// enumerations, the packed stream output of a shader, the state structs, and
// the operations that carry them from a state tracker to a driver.
//
// Everything that happens is an [Op]; everything that takes operations is a
// [Driver]. A [Layer] wraps a driver in another, [Stack] piles layers up as
// Gallium does, and [Null] is the driver that accepts everything. A trace that
// is replayed and a state tracker written in Go send the same operations, so a
// tool that understands one understands the other.
//
// The package holds data: no rules, no I/O, and no other package of the module.
// Units are in the names or the docs. Gallium mixes dwords (strides and
// dst_offset of stream output) and bytes (targets, buffers, vertex strides).
package pipe
