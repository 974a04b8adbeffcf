// Package dump turns what Outflow knows into bytes: findings and summaries,
// layouts, states, values and differences, as text for people and as JSON for
// programs. It decides nothing: what is printed was found elsewhere.
//
// The JSON is one object per line. Every object has "schema", "type" and, where
// there is one, the trace as its operand was given. Fields may be added in
// later versions and are never changed. Integers above 2^53-1 are decimal
// strings, addresses are hexadecimal strings.
package dump
