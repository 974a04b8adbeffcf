package cso

import "github.com/outflow-gpu/outflow/pipe"

// SanitisedDepthStencil is the smallest state found that does what the asked
// one does in its context, and what is known of it.
type SanitisedDepthStencil struct {
	// State has every field of a disabled test zero, so that equal behaviour
	// comes to equal canonical bytes.
	State DepthStencilState
	// WritesDepth and WritesStencil say that stored values can change; exact
	// when the references are known, never false by mistake when they are not.
	WritesDepth, WritesStencil bool
	// KillsAll says that no fragment survives.
	KillsAll bool
	// Reasons holds why anything was changed.
	Reasons Reasons

	why [numFields]Reason
}

// TestsDepth says that a depth test is left.
func (r *SanitisedDepthStencil) TestsDepth() bool { return r.State.DepthEnabled }

// TestsStencil says that a stencil test is left.
func (r *SanitisedDepthStencil) TestsStencil() bool { return r.State.Stencil[0].Enabled }

// FutileWrites says which writes the asked state wants that can never happen: a
// depth write under a depth test, stencil operations within a write mask.
func (r *SanitisedDepthStencil) FutileWrites(asked *DepthStencilState) (depth, stencil bool) {
	depth = asked.DepthEnabled && asked.DepthWriteMask && !r.WritesDepth
	for i := range asked.Stencil {
		f := &asked.Stencil[i]
		wants := f.Enabled && asked.Stencil[0].Enabled && f.WriteMask != 0 && f.FailOp|f.ZPassOp|f.ZFailOp != pipe.StencilKeep
		stencil = stencil || wants && !r.WritesStencil
	}
	return depth, stencil
}

// Change is one field that a sanitised state has changed.
type Change struct {
	Field  string // as in "stencil[0].zpass_op"
	From   string
	To     string // empty when its test is off, where nothing reads the field
	Reason Reason
	// Cleared: a field of a test that is off, zero for that alone.
	Cleared bool
}

// Changes lists the fields in which r differs from asked, the state that it was made of.
func (r *SanitisedDepthStencil) Changes(asked *DepthStencilState) []Change {
	var changes []Change
	for f := range numFields {
		from, to := fieldText(asked, f), fieldText(&r.State, f)
		if from == to {
			continue
		}
		why, enabled := r.why[f], switchOf(f)
		off := f != enabled && fieldText(&r.State, enabled) == "false"
		cleared := off && (why == 0 || why == ReasonTestOff)
		if off {
			to = ""
		}
		if why == 0 {
			why = r.why[enabled]
		}
		if why == 0 {
			why = ReasonTestOff // it was off
		}
		changes = append(changes, Change{fieldNames[f], from, to, why, cleared})
	}
	return changes
}

// SanitiseDepthStencil turns a state into the smallest one that does the same
// for every fragment, stored value and reference that c allows. It is sound and
// idempotent, and what it says of writes is exact when the references are
// known. The error is that of [DepthStencilState.Validate].
//
// The rules grew out of the depth/stencil optimisation that was posted for
// Mesa's Vulkan drivers in 2017, without its fault: the function left over in a
// depth test that is off counts as ALWAYS.
func SanitiseDepthStencil(asked *DepthStencilState, c *DepthStencilContext) (SanitisedDepthStencil, error) {
	if err := asked.Validate(); err != nil {
		return SanitisedDepthStencil{}, err
	}
	r := SanitisedDepthStencil{State: *asked}
	r.dropMissing(c)
	r.dropPassing(c)
	if !r.dropKilled(c) {
		if r.State.Stencil[0].Enabled {
			r.stencil(c)
		}
		r.depth(c)
	}
	r.clearDisabled()
	r.WritesDepth = r.State.DepthEnabled && r.State.DepthWriteMask
	r.WritesStencil = r.State.Stencil[0].WriteMask|r.State.Stencil[1].WriteMask != 0
	return r, nil
}

func (r *SanitisedDepthStencil) note(f dsField, why Reason) {
	r.why[f] = why
	r.Reasons |= 1 << why
}

// off switches a test off.
func (r *SanitisedDepthStencil) off(enabled *bool, f dsField, why Reason) {
	if *enabled {
		*enabled = false
		r.note(f, why)
	}
}

func (r *SanitisedDepthStencil) depthOff(why Reason) {
	r.off(&r.State.DepthEnabled, fieldDepthEnabled, why)
}

func (r *SanitisedDepthStencil) boundsOff(why Reason) {
	r.off(&r.State.Bounds.Test, fieldBoundsTest, why)
}

func (r *SanitisedDepthStencil) alphaOff(why Reason) {
	r.off(&r.State.AlphaEnabled, fieldAlphaEnabled, why)
}

func (r *SanitisedDepthStencil) stencilOff(why Reason) {
	for i := range r.State.Stencil {
		r.off(&r.State.Stencil[i].Enabled, fieldStencil+dsField(i)*stencilFields, why)
	}
}

// dropMissing switches off the tests of aspects that the surface does not hold.
func (r *SanitisedDepthStencil) dropMissing(c *DepthStencilContext) {
	if c.Aspects&AspectDepth == 0 {
		r.depthOff(ReasonAspectMissing)
		r.boundsOff(ReasonAspectMissing)
	}
	switch {
	case c.Aspects&AspectStencil == 0:
		r.stencilOff(ReasonAspectMissing)
	case !r.State.Stencil[0].Enabled:
		r.stencilOff(ReasonTestOff) // stencil[1] alone is nothing
	}
}

// dropPassing switches off the alpha and bounds tests that pass everything.
func (r *SanitisedDepthStencil) dropPassing(c *DepthStencilContext) {
	if r.State.AlphaFunc == pipe.CompareAlways {
		r.alphaOff(ReasonAlphaAlways)
	}
	// A float format may store what no bounds hold: NaN.
	if b := r.State.Bounds; c.DepthFormat == DepthUnorm && b.Min <= 0 && b.Max >= 1 {
		r.boundsOff(ReasonBoundsFull)
	}
}

// dropKilled reports that nothing reaches stencil and depth, keeping only the
// test that kills.
func (r *SanitisedDepthStencil) dropKilled(c *DepthStencilContext) bool {
	s := &r.State
	var why Reason
	switch {
	case c.RasterizerDiscard:
		why = ReasonDiscard
	case c.Facings&(FacingFront|FacingBack) == 0:
		why = ReasonFacing
	case s.AlphaEnabled && s.AlphaFunc == pipe.CompareNever:
		why = ReasonAlphaNever
	case s.Bounds.Test && s.Bounds.empty() && !c.AnyAspects:
		why = ReasonBoundsEmpty
	default:
		return false
	}
	if why != ReasonAlphaNever {
		r.alphaOff(why)
	}
	if why != ReasonBoundsEmpty {
		r.boundsOff(why)
	}
	r.stencilOff(why)
	r.depthOff(why)
	r.KillsAll = true
	return true
}

// depth drops what a depth test does not need.
func (r *SanitisedDepthStencil) depth(c *DepthStencilContext) {
	s := &r.State
	if !s.DepthEnabled {
		return
	}
	var why Reason
	switch s.DepthFunc {
	case pipe.CompareNever:
		why = ReasonNever
		r.KillsAll = r.KillsAll || !c.AnyAspects
	case pipe.CompareEqual:
		if !(c.StrictBits && c.DepthFormat == DepthFloat) {
			why = ReasonEqual
		}
	case pipe.CompareAlways:
		if !s.DepthWriteMask {
			r.depthOff(ReasonTestOff)
		}
	}
	if why != 0 && s.DepthWriteMask {
		s.DepthWriteMask = false
		r.note(fieldDepthWriteMask, why)
	}
}

// clearDisabled zeroes the fields of tests that are off. What an asked state
// left over in a test that was off already is a change of its own.
func (r *SanitisedDepthStencil) clearDisabled() {
	s := &r.State
	if !s.DepthEnabled {
		r.clearing(fieldDepthEnabled, s.DepthWriteMask || s.DepthFunc != 0)
		s.DepthWriteMask, s.DepthFunc = false, 0
	}
	if !s.Bounds.Test {
		r.clearing(fieldBoundsTest, s.Bounds != DepthBounds{})
		s.Bounds = DepthBounds{}
	}
	if !s.AlphaEnabled {
		r.clearing(fieldAlphaEnabled, s.AlphaFunc != 0 || s.AlphaRef != 0)
		s.AlphaFunc, s.AlphaRef = 0, 0
	}
	for i := range s.Stencil {
		if f := &s.Stencil[i]; !f.Enabled {
			r.clearing(fieldStencil+dsField(i)*stencilFields, *f != pipe.StencilState{})
			*f = pipe.StencilState{}
		}
	}
}

func (r *SanitisedDepthStencil) clearing(enabled dsField, changes bool) {
	if changes && r.why[enabled] == 0 {
		r.Reasons |= 1 << ReasonTestOff
	}
}
