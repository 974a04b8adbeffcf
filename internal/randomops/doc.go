// Package randomops makes legal operations at random, for tests of layers and
// rules: whoever follows a run of it has nothing to complain of.
//
// A [Generator] is a state tracker with several contexts. It remembers what it
// made and bound, and does at each step one of the things that state trackers do:
// it makes shaders, captures with them, pauses and resumes, draws what it
// captured, queries, copies, maps, computes, and lets go of what nothing uses.
// What is legal it knows by itself; it shares no code with the rules, nor with
// the state machine that they read.
package randomops
