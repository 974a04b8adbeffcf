package streamout

import (
	"math/bits"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Premise is what a rule takes for granted of an operation. Premises may be combined:
// then all of them hold. What several rules ask of nearly every operation is found
// out once, and most rules need not be asked at all.
//
// A premise about some operations is granted for all others.
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
	// IfTight: IfExact, and a target that is captured into may lack the room for all that
	// the draw captures, or for one primitive.
	IfTight
	// IfTail: IfExact, and less is written of a vertex than the stride of a slot.
	IfTail
	// IfUnmatched: IfExact, and the slots that hold targets are not those that outputs
	// go to.
	IfUnmatched
	// IfNothing: IfCapturing, but no primitive is captured as far as is known.
	IfNothing
	// IfNoTarget: surely no target is bound.
	IfNoTarget
	// IfNoOutputs: a target is bound, and the last vertex stage is a shader without
	// outputs, which is not broken.
	IfNoOutputs
	// IfFirst: no draw has captured since the targets were set, as far as is known.
	IfFirst
	// IfNotFirst: one has, or may have.
	IfNotFirst
	// IfNoVertexShader: no vertex shader is bound, as far as is known.
	IfNoVertexShader
	// IfLaterStage: a shader is bound for tessellation or geometry.
	IfLaterStage
	// IfPatches: the mode is patches.
	IfPatches
	// IfAdjacency: the mode has vertices beside those of the primitives.
	IfAdjacency
	// IfQuads: the mode is one of more than three corners: quads, a strip of them, or a
	// polygon.
	IfQuads
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
	// IfDead: a target is not alive, or the shader that a draw captures with.
	IfDead
	// IfSeveral: several slots hold targets.
	IfSeveral

	// The premises of set_stream_output_targets.

	// IfMiscounted: an array is shorter than num_targets, or the slots may be too few.
	IfMiscounted
	// IfHole: a target below num_targets is NULL, whether or not there is a slot for it.
	IfHole
	// IfSameResource: two of the targets lie in one resource, or are one.
	IfSameResource
	// IfQueries: a query runs in the context.
	IfQueries

	// IfContexts, of binds of shaders and set_stream_output_targets: the world has
	// seen more than one context.
	IfContexts
	// IfEnds, of operations on queries: it is an end_query.
	IfEnds

	premisesEnd
)

// The premises by the operations that they are about.
const (
	ofAll     = IfProfile | IfCapturing
	ofDraws   = IfAppends - IfExact
	ofTargets = IfMiscounted - IfAppends
	ofSets    = IfContexts - IfMiscounted
)

// prepare finds out what several rules ask of the operation, and returns all premises
// that hold of it.
func (v *View) prepare() Premise {
	v.Binds, v.SaneBinds = v.Binds[:0], v.SaneBinds[:0]
	about, p := ofAll, Premise(0)
	switch call := v.Op.Call.(type) {
	case *pipe.CreateShader:
		v.Info = &v.track.info
		v.Info.read(v.Op, call, v.State.PendingOutputs(v.Op.Context))
	case *pipe.BindState:
		about |= IfContexts
		p |= v.contextPremise()
	case *pipe.SetStreamOutputTargets:
		about |= ofTargets | ofSets | IfContexts
		v.resolve(call)
		p |= v.setPremises(call) | v.contextPremise()
	case *pipe.Draw:
		about |= ofDraws | ofTargets
		p |= v.drawPremises(call.Info.Mode)
		if call.Info.IndexSize != 0 {
			p |= IfIndexed
		}
		if call.Indirect != nil {
			p |= IfIndirect
		}
		if call.NumDraws > 1 {
			p |= IfSeveralDraws
		}
	case *pipe.DrawVertexState:
		about |= ofDraws | ofTargets
		p |= v.drawPremises(call.Mode)
	case *pipe.BeginQuery, *pipe.DestroyQuery:
		about |= IfEnds
	case *pipe.EndQuery:
		p |= IfEnds
	}
	if v.Profile != nil {
		p |= IfProfile
	}
	if v.Capturing != nil {
		p |= IfCapturing
	}
	return p | (premisesEnd-1)&^about
}

func (v *View) contextPremise() Premise {
	if v.State.Contexts() > 1 {
		return IfContexts
	}
	return 0
}

func (v *View) setPremises(call *pipe.SetStreamOutputTargets) Premise {
	p := Premise(0)
	for i, b := range v.Binds {
		if b.HasOffset {
			p |= seekPremise(b.Offset)
		}
		for _, a := range v.Binds[:i] {
			if a.Handle == b.Handle || a.Target != nil && b.Target != nil && a.Target.Resource == b.Target.Resource {
				p |= IfSameResource
			}
		}
		if b.Target != nil && b.Target.Dead {
			p |= IfDead
		}
	}
	if len(v.Binds) > 1 {
		p |= IfSeveral
	}
	if slices.Contains(call.Targets[:min(uint64(call.NumTargets), uint64(len(call.Targets)))], 0) {
		p |= IfHole
	}
	if n := uint64(call.NumTargets); n > pipe.MaxStreamOutputBuffers || n > uint64(len(call.Targets)) || n > uint64(len(call.Offsets)) ||
		v.Caps().Buffers.Below(n) {
		p |= IfMiscounted
	}
	if v.Context != nil && len(v.Context.ActiveQueries) > 0 {
		p |= IfQueries
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

// modePremises are those about the mode of a draw.
var modePremises = [...]Premise{
	pipe.Quads: IfQuads, pipe.QuadStrip: IfQuads, pipe.Polygon: IfQuads,
	pipe.LinesAdjacency: IfAdjacency, pipe.LineStripAdjacency: IfAdjacency,
	pipe.TrianglesAdjacency: IfAdjacency, pipe.TriangleStripAdjacency: IfAdjacency,
	pipe.Patches: IfPatches,
}

func (v *View) drawPremises(mode pipe.PrimitiveType) Premise {
	c := v.Context
	if c == nil {
		return 0
	}
	p := Premise(0)
	if int(mode) < len(modePremises) {
		p = modePremises[mode]
	}
	p |= stagePremises(c)
	if c.Session.Draws == 0 {
		p |= IfFirst
	} else {
		p |= IfNotFirst
	}
	bound, targets := targetPremises(c)
	p |= targets
	switch {
	case v.Capturing != nil:
		p |= v.capturePremises(v.Capturing, bound, mode)
	case bound != 0:
		if s, _ := c.LastVertexStage(); s != nil && v.CleanShader(s) {
			p |= IfNoOutputs
		}
	case c.Whole || c.TargetsSet != state.At{}:
		p |= IfNoTarget
	}
	return p
}

func stagePremises(c *state.Context) Premise {
	p := Premise(0)
	if c.Shaders[pipe.Vertex].Handle == 0 {
		p |= IfNoVertexShader
	}
	if c.Shaders[pipe.Geometry].Object != nil || c.Shaders[pipe.TessEval].Object != nil || c.Shaders[pipe.TessCtrl].Object != nil {
		p |= IfLaterStage
	}
	return p
}

// targetPremises returns which slots hold targets, slot 0 in bit 0, and what holds of
// them.
func targetPremises(c *state.Context) (bound uint8, p Premise) {
	for i := range c.Targets {
		slot := &c.Targets[i]
		if slot.Handle == 0 {
			continue
		}
		bound |= 1 << i
		p |= seekPremise(slot.Offset)
		if slot.Object != nil && slot.Object.Dead {
			p |= IfDead
		}
	}
	if bound&(bound-1) != 0 {
		p |= IfSeveral
	}
	return bound, p
}

// capturePremises are those of a draw that captures with s into the targets bound.
func (v *View) capturePremises(s *state.Shader, bound uint8, mode pipe.PrimitiveType) Premise {
	p := Premise(0)
	if s.Dead {
		p |= IfDead
	}
	prims := v.State.DrawPrimitives(v.Context, v.Op.Call).Count
	if prims == 0 {
		p |= IfNothing
	}
	if !s.Exact || !v.CleanShader(s) {
		return p
	}
	p |= IfExact
	if bound != s.Buffers {
		p |= IfUnmatched
	}
	perPrim := uint64(v.Context.CapturedAs(mode).Vertices())
	for used := s.Buffers; used != 0; used &= used - 1 {
		b := bits.TrailingZeros8(used)
		stride, extent := uint64(s.Info.Stride[b])*4, uint64(s.Extents[b])*4
		if stride > extent {
			p |= IfTail
		}
		if t := v.Context.Targets[b].Object; t != nil && t.Fill.Known {
			if _, fit := state.Fits(t, stride, extent, perPrim); fit < max(prims, 1) {
				p |= IfTight
			}
		}
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
