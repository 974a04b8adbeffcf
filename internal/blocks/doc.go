// Package blocks reads a trace of any size as blocks that end where a piece of
// the trace ends, decompressing on the way. Memory stays flat: a block is as
// long as was asked for, or as the longest call.
package blocks
