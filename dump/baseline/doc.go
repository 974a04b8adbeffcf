// Package baseline keeps the findings that are known and accepted, so that a
// run reports the new ones alone.
//
// A baseline file is text: one finding a line, as its identity, preceded by
// how often it occurs when that is more than once. Lines are sorted, so that a
// change to it reads well in review. Blank lines and lines that begin with #
// are comments.
package baseline
