// Package seqdiff aligns two long sequences of numbers, each of which stands for
// something that is compared as a whole: a call, a line.
//
// The idea: what is the same at both ends is set aside; a few edits are found
// exactly by Myers' search from both ends, in memory linear in the edits; where
// there are many, stretches that occur once on both sides are anchors that cut
// the problem into small ones; and where nothing occurs once, the search goes on
// greedily from the furthest point that it reached.
//
// Up to [Options.MaxEdits] edits between two anchors the result is as short as
// can be. Beyond, it is still right (the edits applied to one sequence give the
// other), but may be longer than needed. The time is at most proportional to the
// length times MaxEdits, which two sequences reach that have nothing unique in
// common; the memory is proportional to the length.
package seqdiff
