package source

import "strings"

// call follows a call: its arguments first, then what the callee does.
func (fl *flow) call(n *node) {
	name, indirect := calleeName(n)
	if n.x != nil && n.x.kind != nodeName {
		fl.expr(n.x)
	}
	if !indirect && fl.memory(name, n) {
		return
	}
	for _, arg := range n.list {
		if fl.wholeObject(stripCasts(arg)) == nil || stripCasts(arg).kind == nodeCall {
			fl.expr(arg)
		}
	}
	if !indirect && neutral(name) {
		return
	}
	for i, arg := range n.list {
		fl.argument(n, name, indirect, i, stripCasts(arg))
	}
}

// neutral names functions to which an address may go without being used.
func neutral(name string) bool {
	switch name {
	case "free", "FREE", "assert", "ralloc_free", "ralloc_steal", "ralloc_set_destructor", "printf", "fprintf",
		"debug_printf", "likely", "unlikely", "ARRAY_SIZE", "Elements", "UNUSED", "os_free", "align_free", "vk_free",
		"vk_free2", "unreachable", "offsetof", "defined", "CLEANUP", "FREE_CB", "__builtin_expect", "MAX2", "MIN2":
		return true
	}
	return false
}

// memory handles memset, memcpy and their kin.
func (fl *flow) memory(name string, n *node) bool {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "std::"), "__builtin_")
	switch base {
	case "memset", "bzero", "ZeroMemory", "RtlZeroMemory", "SecureZeroMemory", "explicit_bzero", "memset_s":
		if len(n.list) > 0 {
			fl.exprs(n.list[1:])
			fl.fill(n.list[0], n.list[len(n.list)-1], int(n.line), nil, n.list[1:])
		}
		return true
	case "memcpy", "memmove", "mempcpy", "CopyMemory", "RtlCopyMemory", "typed_memcpy", "memcpy_s":
		if len(n.list) < 2 {
			return true
		}
		fl.exprs(n.list[1:])
		src := n.list[1]
		fl.readAt(src, int(n.line))
		if base == "memcpy_s" && len(n.list) > 2 {
			src = n.list[2]
		}
		from, _ := fl.addressed(stripCasts(src))
		dst, _ := pathOf(n.list[0])
		if from != nil && fl.objectAt(fl.subst(dst.key)) == nil {
			fl.escape(from, escape{line: int(n.line), how: "copied whole to " + render(n.list[0])})
		}
		fl.fill(n.list[0], n.list[len(n.list)-1], int(n.line), from, nil)
		return true
	}
	return false
}

// fill follows a write of size bytes at the address dst. They come from the
// object from, when it is one, or are all the first of value.
func (fl *flow) fill(dst, size *node, line int, from *object, value []*node) {
	p, ok := pathOf(dst)
	if !ok || fl.shortFill(dst, size) {
		return
	}
	key := fl.subst(p.key)
	for _, o := range fl.bound[firstPart(key)] {
		b := fl.st.get(o.id)
		rest, inside := below(key, o.key)
		switch {
		case inside:
			var byte0 *node
			if len(value) > 1 {
				byte0 = value[0]
			}
			fl.st.set(o.id, fl.writeMember(o, b, rest, byte0, line))
		case key == o.key || strings.HasPrefix(o.key, key+"."):
			set := bits(maybeSet)
			if from != nil {
				set = fl.st.get(from.id) &^ maybeTouched
			}
			fl.st.set(o.id, set|b&maybeTouched)
		}
	}
}

// shortFill tells a size that does not reach the member: that of a pointer or
// of one member, or up to the member.
func (fl *flow) shortFill(dst, size *node) bool {
	if size == nil {
		return false
	}
	if size.kind == nodeCall {
		if name, _ := calleeName(size); name == "offsetof" && len(size.list) == 2 {
			return render(size.list[1]) == fl.tr.Member && fl.tr.Member != ""
		}
	}
	if size.kind != nodeSizeof {
		return false
	}
	if size.x != nil && size.x.kind == nodeType {
		return size.x.typ.ptr > 0
	}
	d, ok1 := pathOf(dst)
	s, ok2 := pathOf(size.x)
	if _, part := below(s.key, d.key); ok1 && ok2 && part && fl.objectAt(fl.subst(d.key)) != nil {
		return true // of another member
	}
	if !ok1 || !ok2 || !d.bare() || !s.bare() || d.key != s.key {
		return false
	}
	o := fl.objectAt(d.key)
	typ := fl.a.tree.scopeOf(fl.fn)[d.key]
	return o != nil && o.heap && typ.ptr == 1
}

// argument follows one argument of a call.
func (fl *flow) argument(n *node, name string, indirect bool, i int, arg *node) {
	if arg == nil {
		return
	}
	if arg.kind == nodeCond {
		fl.argument(n, name, indirect, i, stripCasts(arg.y))
		fl.argument(n, name, indirect, i, stripCasts(arg.z))
		return
	}
	if list := compound(arg); list != nil {
		for _, e := range list.list {
			v := e
			if e.kind == nodeField {
				v = e.x
			}
			if o, _ := fl.addressed(stripCasts(v)); o != nil {
				fl.escape(o, escape{line: int(n.line), how: "passed to " + name, stage: stageOf(name), callee: name})
			}
		}
		return
	}
	p, ok := pathOf(arg)
	if !ok {
		return
	}
	if o, _ := fl.addressed(arg); o != nil {
		fl.passed(n, name, indirect, i, o, p, "")
		return
	}
	if o := fl.wholeObject(arg); o != nil {
		fl.byValue(n, name, indirect, i, o)
		return
	}
	for _, o := range fl.holder[p.root()] {
		fl.escape(o, escape{line: int(n.line), how: "passed to " + name + " in " + p.root(), stage: stageOf(name), callee: name})
	}
	fl.partial(n, name, indirect, i, p)
}

// compound is the list of a compound literal, or of its address.
func compound(n *node) *node {
	if n.kind == nodeUnary && n.op == '&' && n.x != nil {
		n = n.x
	}
	if n.kind == nodeList {
		return n
	}
	return nil
}

// partial follows an argument that is a part of an object, or holds one.
func (fl *flow) partial(n *node, name string, indirect bool, i int, p access) {
	key := fl.subst(p.key)
	for _, o := range fl.bound[firstPart(key)] {
		b := fl.st.get(o.id)
		if rest, inside := below(key, o.key); inside {
			if p.addr && fl.readOnly(name, indirect, i) {
				fl.readAt(n.list[i], int(n.line))
				continue
			}
			if p.addr {
				fl.st.set(o.id, fl.writeMember(o, b, rest, nil, int(n.line)))
			}
			continue
		}
		rest, holds := below(o.key, key)
		if !holds || p.deref {
			continue
		}
		fl.passed(n, name, indirect, i, o, p, rest)
	}
}

// byValue follows a whole object given by value, by C++ reference, or to a
// macro.
func (fl *flow) byValue(n *node, name string, indirect bool, i int, o *object) {
	for _, f := range fl.candidates(name, indirect) {
		if f.isMacro || i < len(f.params) && f.params[i].typ.ref {
			fl.passed(n, name, indirect, i, o, access{}, "")
			return
		}
	}
	if strings.ToUpper(name) == name || len(fl.candidates(name, indirect)) == 0 {
		fl.st.set(o.id, maybeSet) // a macro or C++ reference not seen
		return
	}
	fl.escape(o, escape{line: int(n.line), how: "passed by value to " + name, stage: stageOf(name), callee: name})
}

func (fl *flow) candidates(name string, indirect bool) []*function {
	if indirect {
		return nil
	}
	return fl.a.tree.functions(name, fl.fn.unit)
}

// passed follows the address of o, or of the struct that holds it at the
// member path rest, into a callee.
func (fl *flow) passed(n *node, name string, indirect bool, i int, o *object, p access, rest string) {
	b := fl.st.get(o.id)
	if !b.unset() {
		return
	}
	e := escape{line: int(n.line), how: "passed to " + name, stage: stageOf(name), callee: name}
	bodies := fl.candidates(name, indirect)
	if len(bodies) == 0 {
		fl.unseen(name, indirect, i, o, p, rest, e)
		return
	}
	var sum summary
	for _, f := range bodies {
		isPtr := rest == "" && (p.addr || o.isPtr || p.key != "")
		sum.merge(fl.a.summarise(f, i, rest, isPtr, fl.tr))
	}
	switch {
	case sum.leak != nil && !(o.within && b&maybeTouched == 0):
		e.how += ", there " + sum.leak.how
		e.stage |= sum.leak.stage
		e.weak = sum.leak.weak
		fl.escape(o, e)
	case sum.leak == nil && !sum.sets && sum.reads && !o.within:
		e.weak = name + " does not use the member"
		fl.escape(o, e)
	}
	switch {
	case sum.sets || o.within && !sum.touches:
		fl.st.set(o.id, maybeSet|b&maybeTouched)
	case sum.partly:
		fl.st.set(o.id, b&^maybeUnset|maybePartly)
	case sum.touches:
		fl.st.set(o.id, b|maybeTouched)
	}
}

// unseen follows an address into a function whose body the tree lacks.
func (fl *flow) unseen(name string, indirect bool, i int, o *object, p access, rest string, e escape) {
	b := fl.st.get(o.id)
	switch {
	case o.within && rest != "":
		fl.st.set(o.id, maybeSet) // what becomes of the container is not known
		return
	case creates(name):
	case b&maybeTouched == 0:
		fl.st.set(o.id, maybeSet) // an out-parameter
		return
	case fl.a.mayFill(name, i, indirect, fl.fn.unit):
		e.weak = name + " may set it: its body is not in the tree"
		fl.escape(o, e)
		fl.st.set(o.id, maybeSet)
		return
	}
	fl.escape(o, e)
}

// creates tells the interface's own entry points, which take a finished state.
func creates(name string) bool {
	if !strings.Contains(name, "create") {
		return false
	}
	words := splitName(name)
	last := words[len(words)-1]
	return last == "state" || last == "shader"
}

// readAt notes, in a function that is learned, that the member is read through
// the address arg.
func (fl *flow) readAt(arg *node, line int) {
	p, ok := pathOf(arg)
	if !ok || fl.summary == nil {
		return
	}
	key := fl.subst(p.key)
	for _, o := range fl.bound[firstPart(key)] {
		if rest, inside := below(key, o.key); inside && fl.isMember(rest) {
			fl.summary.reads = true
			fl.escape(o, escape{line: line, how: "read"})
		}
	}
}

// readOnly tells that the callee is seen to take its parameter i as const.
func (fl *flow) readOnly(name string, indirect bool, i int) bool {
	if indirect {
		return false
	}
	for _, f := range append(fl.a.tree.functions(name, fl.fn.unit), fl.a.tree.protos[name]...) {
		if i < len(f.params) && !f.isMacro {
			return f.params[i].typ.isConst
		}
	}
	return false
}
