package cso

import "github.com/outflow-gpu/outflow/pipe"

// face is one stencil state being reduced, with the reference that it compares
// with and, per field, why it was changed.
type face struct {
	pipe.StencilState
	ref stencilRef
	why [stencilFields]Reason
}

// stencil reduces a stencil test that is on. depth is what the depth test comes
// to, ALWAYS when it is off; so is the result, seen after the stencil test.
func (r *SanitisedDepthStencil) stencil(c *DepthStencilContext, depth pipe.CompareFunc) pipe.CompareFunc {
	var faces [2]face
	n, from := r.facesInUse(c, &faces)
	live := faces[:n]

	never, always, writes := true, true, false
	for i := range live {
		live[i].fold()
		never = never && live[i].Func == pipe.CompareNever
		always = always && live[i].Func == pipe.CompareAlways
	}
	if never {
		r.depthOff(ReasonNever)
		depth = pipe.CompareAlways
		r.KillsAll = true
	}
	for i := range live {
		live[i].dropOps(depth)
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
	case !writes && depth == pipe.CompareNever:
		r.stencilOff(ReasonNever)
	default:
		r.putFaces(c, live, from)
	}
	return depth
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
func (f *face) dropOps(depth pipe.CompareFunc) {
	const fails = pipe.CompareAlways // XOR gives the relations under which a function fails
	never := f.Func == pipe.CompareNever
	f.dropOp(&f.FailOp, stencilFailOp, f.Func == pipe.CompareAlways, f.Func^fails)
	f.dropOp(&f.ZPassOp, stencilZPassOp, never || depth == pipe.CompareNever, f.Func)
	f.dropOp(&f.ZFailOp, stencilZFailOp, never || depth == pipe.CompareAlways, f.Func)
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
