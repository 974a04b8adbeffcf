// Package rules is the catalog: what Outflow demands of stream output, one
// literal of [streamout.Rule] for each demand, with its words, its sources, a
// case that breaks it and one that nearly does.
//
// The list of [All] is explicit and its order matters: rules are asked in it,
// and a later rule may keep silent because an earlier one has said what is
// wrong ([streamout.View.Reported]). One fault is to give one finding.
//
// A file holds the rules about one object: info (the numbers of a
// stream output info alone), shader (the info and its shader), target, binding
// (set_stream_output_targets), draw, lifetime, query, zeroing, trace.
package rules
