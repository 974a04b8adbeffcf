// Package golden compares what a test made with a file that holds what it
// should be, and writes the file anew when it is asked to. Values are compared
// in a form that shows every field, so that a mismatch says which one differs.
package golden
