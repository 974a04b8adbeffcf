package source

import "strings"

func (fl *flow) exprs(list []*node) {
	for _, e := range list {
		fl.expr(e)
	}
}

// expr follows the effects of one expression, in order of evaluation.
func (fl *flow) expr(n *node) {
	if n == nil || fl.st.dead {
		return
	}
	if fl.deep++; fl.deep > 4*maxNesting {
		fl.deep--
		return
	}
	defer func() { fl.deep-- }()
	switch n.kind {
	case nodeSizeof, nodeType, nodeOther, nodeNew:
	case nodeBlock:
		fl.block(n.body)
	case nodeAssign:
		fl.assign(n)
	case nodeCall:
		fl.call(n)
	case nodeMember, nodeName:
		fl.read(n)
		fl.expr(n.x)
	case nodeCond:
		fl.expr(n.x)
		before := fl.st.clone()
		fl.expr(n.y)
		after := fl.st
		fl.st = before
		fl.expr(n.z)
		fl.st.join(after)
	default:
		if n.kind == nodeUnary && n.op == '*' {
			fl.readWhole(n)
		}
		if _, ok := pathOf(n.x); ok && n.kind == nodeUnary && n.op == '&' {
			fl.indexes(n.x) // an address is not a read
			return
		}
		fl.expr(n.x)
		fl.expr(n.y)
		fl.exprs(n.list)
	}
}

// read notes, in a function that is learned, that a member is read.
func (fl *flow) read(n *node) {
	if fl.summary == nil {
		return
	}
	p, ok := pathOf(n)
	if !ok {
		return
	}
	key := fl.subst(p.key)
	for _, o := range fl.bound[firstPart(key)] {
		rest, ok := below(key, o.key)
		if !ok {
			continue
		}
		fl.summary.reads = true
		if fl.isMember(rest) && fl.st.get(o.id).unset() {
			fl.escape(o, escape{line: int(n.line), how: "read"})
		}
	}
}

// readWhole notes, in a function that is learned, that *p is copied.
func (fl *flow) readWhole(n *node) {
	if fl.summary == nil {
		return
	}
	if o := fl.wholeObject(n); o != nil {
		fl.summary.reads = true
		fl.escape(o, escape{line: int(n.line), how: "copied whole"})
	}
}

// isMember tells whether the path rest, inside the tracked struct, lies in the
// tracked member.
func (fl *flow) isMember(rest string) bool {
	return fl.tr.Member == "" || firstPart(rest) == fl.tr.Member
}

func (fl *flow) assign(n *node) {
	fl.expr(n.y)
	if n.x != nil {
		fl.indexes(n.x)
	}
	p, ok := pathOf(n.x)
	if !ok {
		fl.expr(n.x)
		return
	}
	fl.stored(n, p)
	if p.bare() && fl.isPointer(p.key) {
		fl.point(p.key, n.y)
		return
	}
	if n.op == opAssign {
		return
	}
	if fl.a.allocation(stripCasts(n.y), fl.fn.unit) == allocRaw {
		return // a pointer member: the object it makes is not followed
	}
	fl.write(p, n.y, int(n.line))
}

// indexes follows the index expressions of an lvalue.
func (fl *flow) indexes(n *node) {
	for n != nil {
		if n.kind == nodeIndex {
			fl.expr(n.y)
		}
		n = n.x
	}
}

func (fl *flow) isPointer(name string) bool {
	typ, ok := fl.a.tree.scopeOf(fl.fn)[name]
	return ok && (typ.ptr > 0 || typ.name == "auto")
}

// stored follows a value kept elsewhere: an address, or a whole copy.
func (fl *flow) stored(n *node, p access) {
	rhs := stripCasts(n.y)
	if o, _ := fl.addressed(rhs); o != nil && !(p.bare() && fl.isPointer(p.key)) {
		switch {
		case !fl.isPointer(p.root()) && strings.Contains(p.key, "."):
			fl.holder[p.root()] = append(fl.holder[p.root()], o)
		case o.heap && !o.within:
			fl.escape(o, escape{line: int(n.line), how: "stored in " + render(n.x)})
		}
		return
	}
	if o := fl.wholeObject(rhs); o != nil {
		if fl.objectAt(fl.subst(p.key)) == nil {
			fl.escape(o, escape{line: int(n.line), how: "copied whole to " + render(n.x), stage: stageOf(render(n.x))})
		}
		return
	}
	if src, ok := pathOf(rhs); ok && src.bare() {
		fl.containerLeaves(src.key, escape{line: int(n.line), how: "stored in " + render(n.x)}, !p.bare())
	}
}

// containerLeaves handles the objects within what name points to, once it is
// kept by others.
func (fl *flow) containerLeaves(name string, e escape, leaves bool) {
	for _, o := range fl.bound[name] {
		if o.within && o.heap && leaves && fl.st.get(o.id)&maybeTouched != 0 {
			fl.escape(o, e)
		}
	}
}

// write follows a write through the path p.
func (fl *flow) write(p access, rhs *node, line int) {
	key := fl.subst(p.key)
	for _, o := range fl.bound[firstPart(key)] {
		b := fl.st.get(o.id)
		rest, inside := below(key, o.key)
		switch {
		case inside:
			fl.st.set(o.id, fl.writeMember(o, b, rest, rhs, line))
		case key == o.key:
			set := bits(maybeSet)
			if src := fl.wholeObject(stripCasts(rhs)); src != nil {
				set = fl.st.get(src.id) &^ maybeTouched
			}
			fl.st.set(o.id, set|b&maybeTouched)
		case strings.HasPrefix(o.key, key+"."):
			fl.st.set(o.id, maybeSet|b&maybeTouched)
		}
	}
}

// writeMember gives the bits after a write of the member path rest.
func (fl *flow) writeMember(o *object, b bits, rest string, rhs *node, line int) bits {
	sub := rest
	if fl.tr.Member != "" {
		if firstPart(rest) != fl.tr.Member {
			if o.written == 0 {
				o.written = line
			}
			return b | maybeTouched
		}
		if rest == fl.tr.Member {
			return maybeSet | b&maybeTouched
		}
		sub = rest[len(fl.tr.Member)+1:]
	}
	switch {
	case sub == fl.tr.count && fl.tr.count != "":
		if isZero(rhs) {
			if b&maybeSet != 0 && b&(maybeUnset|maybePartly) == 0 {
				return b
			}
			if o.written == 0 {
				o.written = line
			}
			return b&^maybeUnset | maybePartly | maybeTouched
		}
		return maybeSet | b&maybeTouched
	case fl.tr.count == "":
		return maybeSet | b&maybeTouched
	}
	if o.written == 0 {
		o.written = line
	}
	return b | maybeTouched
}

func isZero(n *node) bool {
	n = stripCasts(n)
	return n != nil && n.kind == nodeOther && (n.text == "0" || n.text == "0u" || n.text == "0x0" || n.text == "0U")
}

func (fl *flow) escape(o *object, e escape) {
	b := fl.st.get(o.id)
	if fl.st.dead || !b.unset() {
		return
	}
	if e.bits == 0 {
		e.bits = b
	}
	o.escapes = append(o.escapes, e)
}

// returned follows the value of a return statement.
func (fl *flow) returned(n *node) {
	n = stripCasts(n)
	if n == nil {
		return
	}
	if n.kind == nodeCond {
		fl.returned(n.y)
		fl.returned(n.z)
		return
	}
	e := escape{line: int(n.line), how: "returned"}
	if fl.summary != nil {
		return // the caller has it already
	}
	if o, _ := fl.addressed(n); o != nil && o.heap {
		if fl.st.get(o.id)&maybeTouched == 0 {
			e.weak = "no member is written before: the caller may fill it"
		}
		fl.escape(o, e)
		return
	}
	if o := fl.wholeObject(n); o != nil {
		fl.escape(o, e)
		return
	}
	if p, ok := pathOf(n); ok && !p.deref {
		if p.bare() {
			fl.containerLeaves(fl.subst(p.key), e, true)
		} else if p.addr {
			fl.containerLeaves(p.root(), e, true)
		}
	}
}
