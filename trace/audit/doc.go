// Package audit proves that stream output is zeroed and preserved: zeroed by
// whoever fills a shader's state, preserved by whatever stands between a state
// tracker and a driver.
//
// [Taps] are two layers, one above and one below the stack in question. Each
// follows the state on its side. At every draw and every
// set_stream_output_targets the two sides are held against each other: what the
// last vertex stage captures, the targets, where they go on, and the draw. What
// a layer may do on the way is not counted against it: objects have other
// handles below, creates are merged, put off or added, and a layer may draw for
// itself as long as it captures nothing and puts back what it found.
//
// [Run] puts a state tracker on a stack with taps and returns a [Report] for a
// test:
//
//	if r := audit.Run(drawScene, cso.Dedup, recorder.Layer); r.Failed() {
//		t.Error(r)
//	}
//
// Package trackers has state trackers to run, broken ones too.
package audit
