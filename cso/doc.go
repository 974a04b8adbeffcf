// Package cso keeps constant state objects: the canonical bytes of each state,
// their hash, a Cache that makes one object per content (hashes find, bytes
// decide) and Dedup, the layer that puts that into a stack.
//
// A [Key] is the content of a state. Only what counts is in it: the outputs a
// shader uses, the members whose switch is on; never padding, never an address.
// A shader's key is its IR, its stage and its stream output, so two shaders of
// one text that capture differently are two. Where it is in doubt whether a
// driver could tell two states apart, they stay two.
//
// A [Cache] finds the driver's object for a key and never evicts what is held.
// [Context] is its use on a state tracker's side, as Gallium's cso_context:
// states are set by content, and what is bound, stream output with it, is saved
// and restored. [Dedup] is its use between a state tracker and a driver, where
// objects are made, bound and deleted by handle.
//
// Two states that behave alike should be one object. For depth and stencil that
// is more than comparing fields: [SanitiseDepthStencil] turns a state into the
// smallest one that does the same, says what it can write and kill, and why
// each field was changed.
package cso
