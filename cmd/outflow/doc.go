// Command outflow tracks and validates stream output (transform feedback) in
// Gallium: it reads the traces that Mesa writes under GALLIUM_TRACE, and says
// what is wrong, what changed and what will be written where.
//
// Each verb is a file of this package and a line of its table. A verb parses
// its flags and prints; what it knows is in the packages of the module.
package main
