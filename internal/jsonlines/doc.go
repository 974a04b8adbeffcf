// Package jsonlines answers cases that come one JSON object per line.
//
// The verbs translate, tess, depthstencil and cmask share this form: each case gets exactly one line of
// answer, in order, with the case's "id" copied. A case that is impossible, not JSON or too long is
// answered with {"id":..,"error":".."} and the run goes on, so that one bad line never hides the rest.
//
// [Decode] reads a case: a member that is not known or has the wrong type is an error that names its path.
package jsonlines
