package audit

import "github.com/outflow-gpu/outflow/pipe"

// Tracker is a state tracker: what drives a driver, or one context of it.
type Tracker interface {
	func(pipe.Driver) error | func(pipe.Context) error
}

// Run runs a state tracker on layers over a driver that accepts everything, with
// taps above and below the layers, and returns what they saw. Without layers it
// is the tracker alone that is audited.
func Run[T Tracker](tracker T, layers ...pipe.Layer) *Report {
	return RunOn(new(pipe.Null), tracker, layers...)
}

// RunOn is Run over a driver of your own.
func RunOn[T Tracker](driver pipe.Driver, tracker T, layers ...pipe.Layer) *Report {
	taps := NewTaps()
	d := taps.Above(pipe.Stack(taps.Below(driver), layers...))
	var err error
	switch run := any(tracker).(type) {
	case func(pipe.Driver) error:
		err = run(d)
	case func(pipe.Context) error:
		var c pipe.Context
		if c, err = pipe.NewContext(d); err == nil {
			err = run(c)
		}
	}
	r := taps.Report()
	r.GaveUp = err
	return r
}
