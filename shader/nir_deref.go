package shader

import "bytes"

// nirDeref is a pointer to an output or to memory.
type nirDeref struct {
	variable int // index of a variable, or one of the constants below
	typ      nirType
	// slot is the slot in the variable, the first of span that it may be.
	slot, span int
	// component is the dword (compact) or component chosen, -1 for all.
	component int
	direct    bool // slot and component are sure
	inVertex  bool // the vertex of a control shader's output was chosen
}

const (
	derefUnknownOutput = -1 - iota
	derefStorage       // a storage buffer, global memory
	derefConstant      // a uniform block, a uniform
	derefTemporary
)

// deref reads "deref_var &name (mode type)" and its kin.
func (r *nirReader) deref(lhs, rhs []byte) {
	var d nirDeref
	if bytes.Contains(rhs, []byte("shader_out")) {
		d = r.outputDeref(rhs)
	} else if d.variable = memoryDeref(rhs); d.variable == derefTemporary {
		return
	}
	if id, ok := valueID(lastWord(lhs)); ok {
		r.derefs[id] = d
		return
	}
	r.maybeAny, r.memoryUnknown = true, true
}

// memoryDeref tells pointers to memory by their mode.
func memoryDeref(rhs []byte) int {
	has := func(mode string) bool { return bytes.Contains(rhs, []byte(mode)) }
	switch {
	case has("ssbo ") || has("ssbo|") || has("(global ") || has("global|") || has("|global "):
		return derefStorage
	case has("(ubo ") || has("|ubo ") || has("ubo|") || has("(uniform "):
		return derefConstant
	}
	return derefTemporary
}

// derefLoad notes a read through a pointer: the text does not tell the slot of a
// block that is reached so.
func (r *nirReader) derefLoad(source []byte) {
	id, ok := valueID(source)
	if !ok {
		r.o.Resources.ConstantBuffers.open, r.o.Resources.StorageBuffers.open = true, true
		return
	}
	switch d := r.derefs[id]; d.variable {
	case derefConstant:
		r.o.Resources.ConstantBuffers.open = true
	case derefStorage:
		r.o.Resources.StorageBuffers.open = true
	}
}

func (r *nirReader) outputDeref(rhs []byte) nirDeref {
	unknown := nirDeref{variable: derefUnknownOutput}
	kind, rest, ok := bytes.Cut(rhs, []byte(" &"))
	if !ok {
		return unknown
	}
	switch string(kind) {
	case "deref_var":
		at := bytes.LastIndex(rest, []byte(" (shader_out "))
		if at < 0 {
			// Names may look like a mode: a variable of another mode.
			if bytes.Contains(rest, []byte("|")) {
				return unknown
			}
			return nirDeref{variable: memoryDeref(rhs)}
		}
		i, ok := r.byName[string(rest[:at])]
		if !ok || i < 0 {
			return unknown
		}
		v := &r.vars[i]
		return nirDeref{variable: i, typ: v.typ, span: 1, component: -1, direct: true}
	case "deref_array":
		return r.arrayDeref(rest)
	case "deref_array_wildcard":
		if parent, _, ok := r.parent(rest); ok {
			parent.direct = false
			return parent.whole(r)
		}
	case "deref_struct":
		if id, ok := valueID(rest); ok {
			if p, ok := r.derefs[id]; ok {
				return p.whole(r)
			}
		}
		if i := bytes.Index(rest, []byte("->")); i > 0 {
			if id, ok := valueID(rest[:i]); ok {
				if p, ok := r.derefs[id]; ok {
					return p.whole(r)
				}
			}
		}
	}
	return unknown
}

// whole forgets where in the variable the pointer points.
func (d nirDeref) whole(r *nirReader) nirDeref {
	if d.variable < 0 {
		return d
	}
	d.direct, d.slot, d.span, d.component = false, 0, r.vars[d.variable].n, -1
	d.typ = nirType{}
	return d
}

// parent reads "(*%1)" and returns what %1 points to.
func (r *nirReader) parent(b []byte) (d nirDeref, rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte("(*"))
	if !ok {
		return d, nil, false
	}
	inside, rest, ok := bytes.Cut(b, []byte(")"))
	if !ok {
		return d, nil, false
	}
	id, ok := valueID(inside)
	if !ok {
		return d, nil, false
	}
	d, ok = r.derefs[id]
	return d, rest, ok
}

// arrayDeref reads "(*%1)[2]": an element of an array, a column of a matrix or a
// component of a vector.
func (r *nirReader) arrayDeref(b []byte) nirDeref {
	d, rest, ok := r.parent(b)
	if !ok || d.variable < 0 {
		return nirDeref{variable: min(d.variable, derefUnknownOutput)}
	}
	index, known := 0, false
	if len(rest) > 2 && rest[0] == '[' {
		inside, _, _ := bytes.Cut(rest[1:], []byte("]"))
		if index, known = smallNumber(inside, 1<<16); !known {
			index, known = r.constantArgument(inside)
		}
	}
	v := &r.vars[d.variable]
	if !d.typ.known || v.n == 0 {
		return d.whole(r)
	}
	if v.perVertex && !d.inVertex {
		d.inVertex = true
		d.typ = d.typ.element()
		return d // which vertex does not matter
	}
	switch {
	case len(d.typ.dims) > 0 && v.compact:
		d.typ = d.typ.element()
		d.step(v, index, known && len(d.typ.dims) == 0, 1)
	case len(d.typ.dims) > 0:
		d.typ = d.typ.element()
		d.step(v, index, known, d.typ.slots())
	case d.typ.columns > 1:
		d.typ.columns = 1
		d.step(v, index, known, d.typ.columnSlots())
	default:
		if known && index < d.typ.components {
			d.component = index
		} else {
			d.direct = false
		}
		d.typ.components = 1
	}
	return d
}

// step moves the pointer by index elements of size slots; for a compact array
// size is in components.
func (d *nirDeref) step(v *nirVar, index int, known bool, size int) {
	switch {
	case !known || !d.direct:
		d.direct, d.slot, d.span = false, 0, v.n
	case v.compact:
		d.component = index
	case d.slot+index*size < v.n:
		d.slot += index * size
	default: // out of bounds: nothing is written there
		d.direct, d.slot, d.span = false, 0, v.n
	}
}

// derefStore notes a store through a pointer with the parameters p.
func (r *nirReader) derefStore(target, p []byte, copies bool) {
	id, ok := valueID(target)
	if !ok {
		r.maybeAny, r.memoryUnknown = true, true
		return
	}
	d, ok := r.derefs[id]
	if !ok {
		return // a temporary
	}
	switch d.variable {
	case derefStorage:
		r.o.SideEffects = Yes
		r.o.Resources.StorageBuffers.open = true
		return
	case derefUnknownOutput:
		r.maybeAny = true
		return
	}
	if d.variable < 0 {
		return
	}
	mask, ok := maskParameter(p)
	if copies || !ok {
		mask, d = 0xf, d.whole(r)
	}
	r.storeThrough(d, mask)
}

func (r *nirReader) storeThrough(d nirDeref, mask uint32) {
	v := &r.vars[d.variable]
	list := r.o.List[v.first : v.first+v.n]
	if !d.direct {
		for i := range list {
			list[i].mark(list[i].Declared, false)
		}
		return
	}
	if v.compact {
		dword := v.frac + max(d.component, 0)
		if slot := dword / 4; slot < v.n {
			list[slot].mark(1<<(dword%4), true)
		}
		return
	}
	if d.component >= 0 {
		mask = 1 << d.component
	}
	dwords := dwordMask(mask, v.frac, v.typ.width)
	for part := range 2 {
		if m := uint8(dwords >> (4 * part) & AllComponents); m != 0 && d.slot+part < v.n {
			list[d.slot+part].mark(m&list[d.slot+part].Declared, true)
		}
	}
}
