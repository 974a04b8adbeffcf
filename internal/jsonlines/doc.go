// Package jsonlines answers cases that come one JSON object per line.
//
// The verbs translate, tess, depthstencil and cmask share this form: each case gets exactly one line of
// answer, in order, with the case's "id" copied. A case that is impossible, not JSON or too long is
// answered with {"id":..,"error":".."} and the run goes on, so that one bad line never hides the rest.
//
// A case is read by encoding/json; [Case.Take] adds to its errors the path of the wrong value. A member that
// nothing reads is an error inside a nested object. At the top it is passed over, and named at the end: a case
// may be the row of a table, with more in it than the question.
package jsonlines
