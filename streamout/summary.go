package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
)

// Summary counts what a run held and what was found in it. Calls that a trace
// ends inside of are not counted.
type Summary struct {
	Calls    uint64
	Contexts int
	// Shaders counts creates of shaders, of every stage.
	Shaders int
	// StreamOutputShaders are those with outputs, ShadersWithoutText those whose
	// text is missing.
	StreamOutputShaders, ShadersWithoutText int
	Targets                                 int
	// Draws counts draw calls; CapturedDraws those that stream output captured:
	// with a target bound and outputs in the last vertex stage.
	Draws, CapturedDraws    uint64
	Errors, Warnings, Notes int
	// Repeats counts findings that equal an earlier one but for the call. They
	// are not in the counts above.
	Repeats int
}

func (s *Summary) add(sev Severity) {
	switch sev {
	case Error:
		s.Errors++
	case Warning:
		s.Warnings++
	case Note:
		s.Notes++
	}
}

// Summary returns the counts so far.
func (t *Track) Summary() Summary {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.summary
}

// count counts an operation before it is recorded; c is its context, nil for none.
func (t *Track) count(op *pipe.Op, c *state.Context) {
	if _, ok := op.Call.(*pipe.NewWorld); ok {
		return
	}
	if op.Raw != nil && op.Raw.Cut {
		return
	}
	t.summary.Calls++
	if c != nil && c.Draws == 0 {
		if f := t.factsOf(c); !f.counted {
			f.counted = true
			t.summary.Contexts++
		}
	}
	switch call := op.Call.(type) {
	case *pipe.CreateShader:
		t.summary.Shaders++
		if text := t.state.PendingOutputs(op.Context); text != nil && text.Status == shader.Absent {
			t.summary.ShadersWithoutText++
		}
		if call.State.StreamOutput.NumOutputs != 0 || op.Raw != nil && op.Raw.StreamOutput != nil && op.Raw.StreamOutput.NumOutputs != 0 {
			t.summary.StreamOutputShaders++
		}
	case *pipe.CreateCompute:
		t.summary.Shaders++
		if call.State.Program == nil {
			t.summary.ShadersWithoutText++
		}
	case *pipe.CreateStreamOutputTarget:
		t.summary.Targets++
	case *pipe.Draw, *pipe.DrawVertexState:
		t.summary.Draws++
		if c != nil && c.Capturing() != nil {
			t.summary.CapturedDraws++
		}
	}
}

// Skip counts a call of a trace that a reader passed over because nothing here
// looks at its values.
func (t *Track) Skip(no uint64, pos pipe.Pos) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.summary.Calls++
	t.order(no, pos)
}
