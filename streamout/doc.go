// Package streamout watches stream output. [Track] is a layer that follows the
// state of a stack, runs rules over every operation and reports what is wrong;
// [LayoutOf] tells which variable lies where in the vertex of each buffer;
// [Capture] is the driver that says what must be captured, to the byte.
//
// A rule is a value of type [Rule]: its words, its severity, when it is asked
// ([Trigger], [Premise]), and a function that looks at a [View] and reports. The
// rules themselves are the business of package rules, which this one does not
// know: a Track is given the ones it shall run. Rules see numbers as they were
// written, before packing, and the state that the operation sees, before it acts.
//
// A finding never stops the stack and never is an error of it.
package streamout
