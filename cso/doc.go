// Package cso keeps constant state objects: the canonical bytes of each state,
// their hash, a Cache that makes one object per content (hashes find, bytes
// decide) and Dedup, the layer that puts the cache into a stack.
//
// Two states that behave alike should be one object. For depth and stencil that
// is more than comparing fields: [SanitiseDepthStencil] turns a state into the
// smallest one that does the same, says what it can write and kill, and why
// each field was changed.
package cso
