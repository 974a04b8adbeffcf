package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Bind is a slot that a set_stream_output_targets fills with a target.
type Bind struct {
	Slot   int // from 0
	Handle pipe.Handle
	Target *state.Target // nil when no create of it was seen
	// Offset is as given, in bytes or pipe.AppendOffset; HasOffset says whether one
	// was.
	Offset    uint32
	HasOffset bool
	Sane      bool // what View.Sane says of Target
}

// Appends says whether the slot goes on where its target stopped.
func (b *Bind) Appends() bool { return b.HasOffset && b.Offset == pipe.AppendOffset }

// resolve finds the targets of a set_stream_output_targets, once for all its rules.
func (v *View) resolve(call *pipe.SetStreamOutputTargets) {
	for i, h := range call.Filled() {
		if h == 0 {
			continue
		}
		b := &v.binds[i]
		b.Slot, b.Handle, b.Target = i, h, v.State.Target(h)
		b.Offset, b.HasOffset = 0, i < len(call.Offsets)
		if b.HasOffset {
			b.Offset = call.Offsets[i]
		}
		b.Sane = v.Sane(b.Target)
		v.Binds = append(v.Binds, b)
		if b.Sane {
			v.SaneBinds = append(v.SaneBinds, b)
		}
	}
}
