// Package trackers has state trackers that draw through a pipe.Context, to run
// on a stack that is to be audited.
//
// [Scene] captures with a vertex shader and with a geometry shader, pauses and
// resumes. Three utilities draw for themselves in the middle of it, as Gallium's
// own do: [Blitter] copies textures by drawing, [PostProcess] filters a picture
// at each flush, [HUD] writes text over it. Each saves what is bound, binds its
// own, draws, and binds again what was there. All are layers, so that what goes
// in and what comes out of them can be compared.
//
// A [Fault] breaks one thing in one place: the broken twins of a good stack are
// made by a loop over the faults. What a fault is called by the taps stands with it.
package trackers
