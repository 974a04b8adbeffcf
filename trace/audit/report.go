package audit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// The rules that the taps report by. The first three are of the catalog of
// package rules, looked at where the numbers are still in memory: a trace does
// not show what lies behind the last output.
const (
	// RuleStaleWhenEmpty: an info without outputs is not zero.
	RuleStaleWhenEmpty = "so-stale-when-empty"
	// RuleTailNotZero: an output behind the last is not zero.
	RuleTailNotZero = "so-tail-not-zero"
	// RuleWrongStage: a shader has outputs whose stage never streams out.
	RuleWrongStage = "so-wrong-stage"
	// RuleInfoLost: the last vertex stage captures something else below.
	RuleInfoLost = "so-info-lost"
	// RuleTargetsLost: other targets are bound below, or they go on elsewhere.
	RuleTargetsLost = "so-targets-lost"
	// RuleDrawLost: a draw is another below, or never comes.
	RuleDrawLost = "so-draw-lost"
	// RuleDrawAdded: a layer drew for itself and captured, or would have.
	RuleDrawAdded = "so-draw-added"
	// RuleCreateUnused: what was created above never came, and no draw missed it.
	RuleCreateUnused = "so-create-unused"
)

// Side is a side of the stack.
type Side uint8

// The sides.
const (
	Above Side = iota // what the state tracker sends
	Below             // what reaches the driver
)

// String returns "above" or "below".
func (s Side) String() string {
	if s == Below {
		return "below"
	}
	return "above"
}

// Finding is one thing that the taps saw.
type Finding struct {
	Rule     string
	Severity streamout.Severity
	// Side is where Call was counted.
	Side Side
	// Call is the number of the call, from 1: that of the trace when it has one,
	// else the count of calls that the tap has seen.
	Call   uint64
	Method string
	// Path is the first member that is wrong, as "stream_output.stride[0]".
	Path    string
	Message string
	// Repeats counts the later calls with the same fault: their values may differ.
	Repeats int
}

// String returns the finding in one line.
func (f *Finding) String() string {
	s := fmt.Sprintf("%s: call %d %s %s: %s: %s [%s]", f.Severity, f.Call, f.Side, f.Method, f.Path, f.Message, f.Rule)
	if f.Repeats > 0 {
		s += fmt.Sprintf(" (and %d times more)", f.Repeats)
	}
	return s
}

// Report is what the taps saw of a run.
type Report struct {
	Findings []*Finding
	// Calls, Draws and Captured count by side: all calls, draws, and draws with a
	// target bound and outputs to capture.
	Calls, Draws, Captured [2]uint64
	// GaveUp is what the state tracker returned, nil when it went through.
	GaveUp error

	seen map[findingKey]*Finding
}

// findingKey tells faults apart: a member that is wrong is one fault wherever it
// shows.
type findingKey struct {
	rule, path string
	severity   streamout.Severity
}

// Failed says whether anything is wrong: notes are not.
func (r *Report) Failed() bool { return r.GaveUp != nil || r.count(streamout.Warning) > 0 }

// count returns how many findings weigh at least so much.
func (r *Report) count(least streamout.Severity) (n int) {
	for _, f := range r.Findings {
		if f.Severity >= least {
			n++
		}
	}
	return n
}

// Err returns what failed as an error, nil when nothing did.
func (r *Report) Err() error {
	if !r.Failed() {
		return nil
	}
	return errors.New(r.String())
}

// String returns the findings line by line, the notes too, or what was audited
// when there is none.
func (r *Report) String() string {
	var lines []string
	if r.GaveUp != nil {
		lines = append(lines, "the state tracker gave up: "+r.GaveUp.Error())
	}
	for _, f := range r.Findings {
		lines = append(lines, f.String())
	}
	if lines == nil {
		return fmt.Sprintf("stream output is zeroed and preserved: %d calls and %d draws (%d captured) above, %d and %d (%d) below",
			r.Calls[Above], r.Draws[Above], r.Captured[Above], r.Calls[Below], r.Draws[Below], r.Captured[Below])
	}
	return strings.Join(lines, "\n")
}

// add takes a finding, or counts it with the first one of the same fault.
func (r *Report) add(f Finding) {
	key := findingKey{f.Rule, f.Path, f.Severity}
	if first := r.seen[key]; first != nil {
		first.Repeats++
		return
	}
	if r.seen == nil {
		r.seen = make(map[findingKey]*Finding)
	}
	r.seen[key] = &f
	r.Findings = append(r.Findings, &f)
}
