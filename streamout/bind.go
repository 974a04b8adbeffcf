package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Bound is a slot that a set_stream_output_targets fills with a target.
type Bound struct {
	Slot   int
	Handle pipe.Handle
	Target *state.Target // nil when no create of it was seen
	// Offset is as given, in bytes or pipe.AppendOffset; HasOffset says whether one
	// was.
	Offset    uint32
	HasOffset bool
	Sound     bool // Target is Sane
}

// Appends says whether the slot goes on where its target stopped.
func (b *Bound) Appends() bool { return b.HasOffset && b.Offset == pipe.AppendOffset }

// resolve finds the targets of a set_stream_output_targets, once for all its rules.
func (v *View) resolve(call *pipe.SetStreamOutputTargets) {
	for i, h := range call.Targets[:min(call.NumTargets, uint32(len(call.Targets)), pipe.MaxStreamOutputBuffers)] {
		if h == 0 {
			continue
		}
		b := Bound{Slot: i, Handle: h, Target: v.State.Target(h)}
		if i < len(call.Offsets) {
			b.Offset, b.HasOffset = call.Offsets[i], true
		}
		b.Sound = v.Sane(b.Target)
		v.Bound = append(v.Bound, b)
		if b.Sound {
			v.Sound = append(v.Sound, b)
		}
	}
}
