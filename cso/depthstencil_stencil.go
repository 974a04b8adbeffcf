package cso

import "github.com/outflow-gpu/outflow/pipe"

// face is one stencil state being reduced, with the reference that it compares
// with and, per field, why it was changed.
type face struct {
	pipe.StencilState
	ref stencilRef
	why [stencilFields]Reason
}

// stencil reduces a stencil test that is on.
func (r *SanitisedDepthStencil) stencil(c *DepthStencilContext) {
	var faces [2]face
	n, from := r.facesInUse(c, &faces)
	live := faces[:n]

	never, always, writes := true, true, false
	for i := range live {
		live[i].fold()
		never = never && live[i].Func == pipe.CompareNever
		always = always && live[i].Func == pipe.CompareAlways
	}
	if never && !c.AnyAspects {
		r.depthOff(ReasonNever)
		r.KillsAll = true
	}
	depthFails, depthPasses := r.depthResults(c)
	for i := range live {
		live[i].dropOps(depthFails, depthPasses)
		writes = writes || live[i].WriteMask != 0
		for f, why := range live[i].why {
			if why != 0 {
				r.note(fieldStencil+dsField(from+i)*stencilFields+dsField(f), why)
			}
		}
	}
	switch {
	case !writes && always:
		r.stencilOff(ReasonTestOff)
	case !writes && !depthPasses:
		r.stencilOff(ReasonNever)
	default:
		r.putFaces(c, live, from)
	}
}

// depthResults says how the depth test after the stencil test can end. A test
// that is off passes, whatever function is left over in it.
func (r *SanitisedDepthStencil) depthResults(c *DepthStencilContext) (fails, passes bool) {
	s := &r.State
	fails = s.DepthEnabled && s.DepthFunc != pipe.CompareAlways
	passes = !s.DepthEnabled || s.DepthFunc != pipe.CompareNever || c.AnyAspects
	return fails, passes
}

// facesInUse fills the faces that fragments can meet, one or two, and tells the
// index of the first.
func (r *SanitisedDepthStencil) facesInUse(c *DepthStencilContext, faces *[2]face) (n, from int) {
	n, from = 1, 0
	if r.State.Stencil[1].Enabled {
		switch c.Facings & (FacingFront | FacingBack) {
		case FacingBack:
			from = 1
		case FacingFront | FacingBack:
			n = 2
		}
	}
	for i := range n {
		faces[i].StencilState = r.State.Stencil[from+i]
		faces[i].ref = stencilRef{c.Ref.Known, c.Ref.Value[from+i]}
	}
	return n, from
}

// fold replaces a function that can give only one result by that result.
func (f *face) fold() {
	folded := foldFunc(f.Func, f.ValueMask, f.ref)
	why := ReasonTestOff // a constant reads no mask
	if folded != f.Func {
		if why = ReasonRefFold; f.ValueMask == 0 {
			why = ReasonValueMaskZero
		}
		f.Func = folded
		f.why[stencilFunc] = why
	}
	if (folded == pipe.CompareNever || folded == pipe.CompareAlways) && f.ValueMask != 0 {
		f.ValueMask = 0
		f.why[stencilValueMask] = why
	}
}

// dropOps makes KEEP of the operations that no fragment reaches or that change
// nothing.
func (f *face) dropOps(depthFails, depthPasses bool) {
	const complement = pipe.CompareAlways // XOR gives the relations under which a function fails
	never := f.Func == pipe.CompareNever
	f.dropOp(&f.FailOp, stencilFailOp, f.Func == pipe.CompareAlways, f.Func^complement)
	f.dropOp(&f.ZPassOp, stencilZPassOp, never || !depthPasses, f.Func)
	f.dropOp(&f.ZFailOp, stencilZFailOp, never || !depthFails, f.Func)
	if f.FailOp|f.ZPassOp|f.ZFailOp == pipe.StencilKeep && f.WriteMask != 0 {
		f.WriteMask = 0
		f.why[stencilWriteMask] = ReasonOpIdentity
	}
}

func (f *face) dropOp(op *pipe.StencilOp, field dsField, unreachable bool, rel pipe.CompareFunc) {
	switch {
	case *op == pipe.StencilKeep:
		return
	case unreachable:
		f.why[field] = ReasonUnreachableOp
	case f.WriteMask == 0:
		f.why[field] = ReasonMaskZero
	case idle(*op, rel, f.ValueMask, f.WriteMask, f.ref):
		f.why[field] = ReasonOpIdentity
	default:
		return
	}
	*op = pipe.StencilKeep
}

// usesRef says that what f does depends on its reference.
func (f *face) usesRef() bool {
	return f.Func != pipe.CompareNever && f.Func != pipe.CompareAlways ||
		f.WriteMask != 0 && (f.FailOp == pipe.StencilReplace || f.ZPassOp == pipe.StencilReplace || f.ZFailOp == pipe.StencilReplace)
}

// putFaces writes the reduced faces back, two-sided only if it makes a difference.
func (r *SanitisedDepthStencil) putFaces(c *DepthStencilContext, live []face, from int) {
	s := &r.State
	s.Stencil[from] = live[0].StencilState
	switch {
	case from == 1:
		// Back faces read the back reference, which only a two-sided state gives them.
		if s.Stencil[0] != s.Stencil[1] {
			s.Stencil[0] = s.Stencil[1]
			r.noteFace(0, ReasonFacing)
		}
	case len(live) == 2:
		s.Stencil[1] = live[1].StencilState
		sameRef := c.Ref.Known && c.Ref.Value[0] == c.Ref.Value[1]
		if s.Stencil[0] == s.Stencil[1] && (sameRef || !live[0].usesRef()) {
			r.off(&s.Stencil[1].Enabled, fieldStencil+stencilFields, ReasonOneSided)
			r.noteFace(1, ReasonOneSided)
		}
	default:
		r.off(&s.Stencil[1].Enabled, fieldStencil+stencilFields, ReasonFacing)
	}
}

// noteFace gives all fields of face i one reason: it is no longer itself.
func (r *SanitisedDepthStencil) noteFace(i int, why Reason) {
	for f := range stencilFields {
		r.note(fieldStencil+dsField(i)*stencilFields+f, why)
	}
}
