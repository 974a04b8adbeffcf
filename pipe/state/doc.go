// Package state follows what is alive and what is bound: the one state machine
// of the module. A [Machine] takes operations one after another with Apply and
// answers what the next one will see.
//
// It judges nothing. Unknown handles, objects used after their end and contexts
// that nobody created are all followed as far as they go: an address that no
// create returned is bound as a handle without an object, and reads of it say
// that nothing is known.
//
// Objects are told apart by world, kind, address and generation. An address
// that a create returns again is a new object; the pointers kept in bindings
// still mean the old one.
package state
