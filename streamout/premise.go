package streamout

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Premise is what a rule takes for granted of an operation. Premises may be combined:
// then all of them hold. What several rules ask of nearly every operation is found
// out once, and most rules need not be asked at all.
type Premise uint32

// The premises of any operation.
const (
	// IfProfile: View.Profile is set.
	IfProfile Premise = 1 << iota
	// IfCapturing: View.Capturing is set.
	IfCapturing

	// The premises of draws.

	// IfExact: IfCapturing, the numbers of the shader's stream output are known, and no
	// error was found in them that a draw would only repeat.
	IfExact
	// IfNoTarget: surely no target is bound.
	IfNoTarget
	// IfNoOutputs: a target is bound, and the last vertex stage is a shader without
	// outputs, which is not broken.
	IfNoOutputs
	// IfFirst: no draw has captured since the targets were set, as far as is known.
	IfFirst
	// IfNotFirst: one has, or may have.
	IfNotFirst
	// IfLaterStage: a shader is bound for tessellation or geometry.
	IfLaterStage
	// IfPatches: the mode is patches.
	IfPatches
	// IfIndexed: there are indices.
	IfIndexed
	// IfIndirect: counts come from a buffer or a target.
	IfIndirect
	// IfSeveralDraws: num_draws is above 1.
	IfSeveralDraws

	// The premises of draws, about the targets that are bound, and of
	// set_stream_output_targets, about those that are to be.

	// IfAppends: a target goes on where it stopped.
	IfAppends
	// IfSeeks: a target has an offset, neither 0 nor the one that appends.
	IfSeeks
	// IfDead: a target is not alive.
	IfDead
	// IfSeveral: several slots hold targets.
	IfSeveral

	// IfSameResource, of set_stream_output_targets alone: two of the targets lie in one
	// resource, or are one.
	IfSameResource
	// IfContexts, of binds of shaders and set_stream_output_targets: the world has
	// seen more than one context.
	IfContexts
)

// premises returns all that hold of the operation.
func (v *View) premises() Premise {
	p := Premise(0)
	if v.Profile != nil {
		p |= IfProfile
	}
	if v.Capturing != nil {
		p |= IfCapturing
	}
	switch call := v.Op.Call.(type) {
	case *pipe.BindState:
		if v.State.Contexts() > 1 {
			p |= IfContexts
		}
	case *pipe.SetStreamOutputTargets:
		p |= v.bindPremises()
	case *pipe.Draw:
		if call.Info.IndexSize != 0 {
			p |= IfIndexed
		}
		if call.Indirect != nil {
			p |= IfIndirect
		}
		if call.NumDraws > 1 {
			p |= IfSeveralDraws
		}
		p |= v.drawPremises()
	case *pipe.DrawVertexState:
		p |= v.drawPremises()
	}
	return p
}

func (v *View) bindPremises() Premise {
	p := Premise(0)
	for i, b := range v.Binds {
		if b.HasOffset {
			p |= seekPremise(b.Offset)
		}
		if b.Target == nil {
			continue
		}
		if b.Target.Dead {
			p |= IfDead
		}
		for _, a := range v.Binds[:i] {
			if a.Target != nil && a.Target.Resource == b.Target.Resource {
				p |= IfSameResource
			}
		}
	}
	if len(v.Binds) > 1 {
		p |= IfSeveral
	}
	if v.State.Contexts() > 1 {
		p |= IfContexts
	}
	return p
}

func seekPremise(offset uint32) Premise {
	switch offset {
	case 0:
		return 0
	case pipe.AppendOffset:
		return IfAppends
	}
	return IfSeeks
}

func (v *View) drawPremises() Premise {
	c := v.Context
	if c == nil {
		return 0
	}
	p := targetPremises(c)
	if state.DrawMode(v.Op.Call) == pipe.Patches {
		p |= IfPatches
	}
	if c.Shaders[pipe.Geometry].Object != nil || c.Shaders[pipe.TessEval].Object != nil || c.Shaders[pipe.TessCtrl].Object != nil {
		p |= IfLaterStage
	}
	if c.Session.Draws == 0 {
		p |= IfFirst
	} else {
		p |= IfNotFirst
	}
	switch {
	case v.Capturing != nil:
		if v.Capturing.Exact && v.CleanShader(v.Capturing) {
			p |= IfExact
		}
	case c.TargetBound():
		if s, _ := c.LastVertexStage(); s != nil && v.CleanShader(s) {
			p |= IfNoOutputs
		}
	case c.Whole || c.TargetsSet != state.At{}:
		p |= IfNoTarget
	}
	return p
}

func targetPremises(c *state.Context) Premise {
	p, filled := Premise(0), 0
	for i := range c.Targets {
		slot := &c.Targets[i]
		if slot.Handle == 0 {
			continue
		}
		filled++
		p |= seekPremise(slot.Offset)
		if slot.Object != nil && slot.Object.Dead {
			p |= IfDead
		}
	}
	if filled > 1 {
		p |= IfSeveral
	}
	return p
}

// situation is what decides which rules are asked, and what their findings weigh.
type situation struct {
	triggers Trigger
	premises Premise
	live     bool
}

// asked is a rule that is asked in a situation.
type asked struct {
	*Rule
	severity Severity // of its findings
}

// latestRules has the rules of some of the situations that came last. A trace has few.
type latestRules [1 << 6]struct {
	of    situation
	rules []asked // nil before the first
}

// rulesFor returns the rules to ask, in the order of their triggers, then of the
// options.
func (t *Track) rulesFor(s situation) []asked {
	n := uint64(s.triggers)<<32 | uint64(s.premises)
	last := &t.latest[n*0x9e3779b97f4a7c15>>(64-6)]
	if last.of == s && last.rules != nil {
		return last.rules
	}
	list := last.rules[:0]
	if list == nil {
		most := 0
		for on := s.triggers; on != 0; on &= on - 1 {
			most += len(t.byEvent[bits.TrailingZeros32(uint32(on))])
		}
		list = make([]asked, 0, most)
	}
	for on := s.triggers; on != 0; on &= on - 1 {
		for _, r := range t.byEvent[bits.TrailingZeros32(uint32(on))] {
			if r.If&^s.premises == 0 {
				list = append(list, asked{r, t.severity(r, s.live)})
			}
		}
	}
	last.of, last.rules = s, list
	return list
}
