// Package jsonlines answers cases that come one JSON object per line.
//
// The verbs translate, tess, depthstencil and cmask share this form: each case gets exactly one line of
// answer, in order, with the case's "id" copied. A case that is impossible, not JSON or too long is
// answered with {"id":..,"error":".."} and the run goes on, so that one bad line never hides the rest.
//
// A case is read by encoding/json. [Case.Take] adds where a value is wrong, and that a member further in which
// nothing reads is an error. At the top a case may be the row of a table: what nothing reads there is passed
// over, and told at the end.
package jsonlines
