// Package dump turns what Outflow knows into bytes: findings and summaries,
// layouts, states, values and differences, as text for people and as JSON for
// programs. It decides nothing: what is printed was found elsewhere.
//
// Calls are printed from the values of a record, so a method that nobody taught
// this module is printed like any other: CallText, CallJSON, CallGo, chosen by a
// Filter and with objects called by Names. StateOf is everything that is bound
// at a call. AppendText spells Gallium's structs with every field and ParseText
// reads them back; AppendUtilText and ParseUtilText do so in the form of Mesa's
// own util_dump, ParseDebug for a whole file of GALLIUM_DDEBUG. Go spells any Go
// value.
//
// The JSON is one object per line. Every object has "schema", "type" and, where
// there is one, the trace as its operand was given. Fields may be added in
// later versions and are never changed. Integers above 2^53-1 are decimal
// strings, addresses are hexadecimal strings.
package dump
