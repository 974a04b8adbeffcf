package audit

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// noteCreate remembers an object above that has to do with stream output.
func (t *Taps) noteCreate(op *pipe.Op) {
	if op.Ret.Handle == 0 {
		return
	}
	c := created{call: t.report.Calls[Above]}
	if op.No != 0 {
		c.call = op.No
	}
	m := t.sides[Above].machine
	switch call := op.Call.(type) {
	case *pipe.CreateShader:
		c.shader = m.Shader(call.Stage, op.Ret.Handle)
		if c.shader == nil || c.shader.Info.NumOutputs == 0 || !call.Stage.CanStreamOut() {
			return
		}
	case *pipe.CreateStreamOutputTarget:
		if c.target = m.Target(op.Ret.Handle); c.target == nil {
			return
		}
	default:
		return
	}
	_, c.method = op.Call.Name()
	t.creates = append(t.creates, c)
}

// createKey is what a create is about, whatever its handle.
type createKey struct {
	stage        pipe.Stage
	info         string // of a shader
	offset, size uint32 // of a target
}

func shaderKey(stage pipe.Stage, info *pipe.StreamOutputInfo) createKey {
	return createKey{stage: stage, info: string(info.AppendCanonical(nil))}
}

func (c *created) key() createKey {
	if c.shader != nil {
		return shaderKey(c.shader.Stage, &c.shader.Info)
	}
	return createKey{offset: c.target.Offset, size: c.target.Size}
}

func (t *Taps) seeShader(call *pipe.CreateShader) {
	if call.State.StreamOutput.NumOutputs > 0 {
		t.arrived[shaderKey(call.Stage, &call.State.StreamOutput)] = true
	}
}

func (t *Taps) seeTarget(call *pipe.CreateStreamOutputTarget) {
	t.arrived[createKey{offset: call.BufferOffset, size: call.BufferSize}] = true
}

// use marks what a draw needs.
func (t *Taps) use(p *event) {
	if p.draw == nil {
		return
	}
	if p.shader != nil {
		t.used[p.shader.Serial] = true
	}
	for i := range p.slots {
		if target := p.slots[i].target; target != nil {
			t.used[target.Serial] = true
		}
	}
}

// unusedCreates notes what was created above, never arrived, and was not missed.
func (t *Taps) unusedCreates() {
	for _, c := range t.creates {
		if t.arrived[c.key()] {
			continue
		}
		f := Finding{Rule: RuleCreateUnused, Severity: streamout.Note, Side: Above, Call: c.call, Method: c.method, Path: c.method}
		switch {
		case c.shader != nil && !t.used[c.shader.Serial]:
			f.Message = fmt.Sprintf("a %v shader with %d outputs never arrives below, and no draw uses it", c.shader.Stage, c.shader.Info.NumOutputs)
		case c.target != nil && !t.used[c.target.Serial]:
			f.Message = fmt.Sprintf("a target of %d B never arrives below, and no draw uses it", c.target.Size)
		default:
			continue
		}
		t.report.add(f)
	}
	t.creates = nil
}
