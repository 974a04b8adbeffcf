package source

import "strings"

// object is one instance of the tracked struct in one function: a variable, or
// a member of one.
type object struct {
	id      int
	key     string // of its lvalue: root.field.field
	isPtr   bool   // the root alone is its address
	within  bool   // a member of a containing struct
	heap    bool
	line    int // the declaration
	written int // first write of another member
	escapes []escape
}

// escape is a point where the object leaves the function.
type escape struct {
	line   int
	how    string // "passed to create_vs_state", "returned"
	stage  stage
	bits   bits
	weak   string // why it may be harmless; empty when it is not
	callee string
}

// flow follows the objects of one function through its statements.
type flow struct {
	a       *auditor
	fn      *function
	tr      *target
	summary *summary // when the function is read to learn what it does
	objs    []*object
	bound   map[string][]*object // by root variable
	holder  map[string][]*object // struct variable: objects whose address it keeps
	st      state
	exits   state
	gotos   map[string]*state
	loops   []*jumpTarget
	deep    int
}

// jumpTarget collects the states at break and continue.
type jumpTarget struct {
	breaks, continues state
	isSwitch          bool
}

func newFlow(a *auditor, fn *function, tr *target) *flow {
	fl := &flow{
		a: a, fn: fn, tr: tr, bound: map[string][]*object{},
		holder: map[string][]*object{}, gotos: map[string]*state{},
	}
	fl.exits.dead = true
	return fl
}

// run follows the whole body.
func (fl *flow) run() {
	fl.stmts(fl.fn.statements())
	fl.exits.join(fl.st)
}

func (fl *flow) add(o object) *object {
	o.id = len(fl.objs)
	fl.objs = append(fl.objs, &o)
	root := firstPart(o.key)
	fl.bound[root] = append(fl.bound[root], &o)
	return &o
}

func (fl *flow) stmts(list []*stmt) {
	for _, s := range list {
		fl.stmt(s)
	}
}

func (fl *flow) stmt(s *stmt) {
	if s.dead && !fl.fn.dead {
		return
	}
	switch s.kind {
	case stmtExpr:
		fl.exprs(s.exprs)
	case stmtDecl:
		for _, d := range s.decls {
			fl.declare(d)
		}
	case stmtBlock:
		fl.block(s.body)
	case stmtIf:
		fl.branch(s)
	case stmtLoop:
		fl.loop(s)
	case stmtSwitch:
		fl.switchOn(s)
	case stmtReturn:
		fl.exprs(s.exprs)
		for _, e := range s.exprs {
			fl.returned(e)
		}
		fl.leave(&fl.exits)
	case stmtGoto:
		to := fl.gotos[s.text]
		if to == nil {
			to = &state{dead: true}
			fl.gotos[s.text] = to
		}
		fl.leave(to)
	case stmtBreak, stmtContinue:
		fl.jump(s.kind)
	case stmtLabel:
		if from := fl.gotos[s.text]; from != nil {
			fl.st.join(*from)
		}
	case stmtAlternatives:
		fl.alternatives(s)
	}
}

// leave ends the way that reached this point; it goes on at to.
func (fl *flow) leave(to *state) {
	to.join(fl.st)
	fl.st.dead = true
}

// block gives the names that its declarations hide back at its end.
func (fl *flow) block(list []*stmt) {
	var saved map[string][]*object
	for _, s := range list {
		for _, d := range s.decls {
			if saved == nil {
				saved = map[string][]*object{}
			}
			if _, ok := saved[d.name]; !ok {
				saved[d.name] = fl.bound[d.name]
			}
		}
	}
	fl.stmts(list)
	for name, objs := range saved {
		fl.bound[name] = objs
	}
}

func (fl *flow) branch(s *stmt) {
	fl.stmts(s.cond)
	before := fl.st.clone()
	if constant, ok := constantCond(s.cond); ok && !constant {
		fl.st.dead = true
	}
	if !fl.st.dead {
		fl.stmts(s.body)
	}
	after := fl.st
	fl.st = before
	fl.stmts(s.els)
	fl.st.join(after)
}

// constantCond reads a condition that is 0 or 1 as written.
func constantCond(cond []*stmt) (value, ok bool) {
	if len(cond) != 1 || len(cond[0].exprs) != 1 {
		return false, false
	}
	switch e := cond[0].exprs[0]; {
	case e.kind == nodeOther && e.text == "0" || e.kind == nodeName && e.text == "false":
		return false, true
	case e.kind == nodeOther && e.text == "1" || e.kind == nodeName && e.text == "true":
		return true, true
	}
	return false, false
}

func (fl *flow) loop(s *stmt) {
	fl.stmts(s.cond)
	before := fl.st.clone()
	j := &jumpTarget{breaks: state{dead: true}, continues: state{dead: true}}
	fl.loops = append(fl.loops, j)
	fl.block(s.body)
	fl.loops = fl.loops[:len(fl.loops)-1]
	fl.st.join(j.continues)
	fl.stmts(s.els)
	if !s.always {
		fl.st.join(before)
	}
	fl.st.join(j.breaks)
}

func (fl *flow) switchOn(s *stmt) {
	fl.stmts(s.cond)
	before := fl.st.clone()
	j := &jumpTarget{breaks: state{dead: true}, isSwitch: true}
	fl.loops = append(fl.loops, j)
	for _, b := range s.body {
		list := b.body
		if b.kind != stmtBlock {
			list = []*stmt{b}
		}
		for _, inner := range list {
			if inner.kind == stmtCase {
				fl.st.join(before)
				continue
			}
			fl.stmt(inner)
		}
	}
	fl.loops = fl.loops[:len(fl.loops)-1]
	fl.st.join(before)
	fl.st.join(j.breaks)
}

func (fl *flow) jump(kind stmtKind) {
	for i := len(fl.loops) - 1; i >= 0; i-- {
		j := fl.loops[i]
		if kind == stmtBreak {
			fl.leave(&j.breaks)
			return
		}
		if !j.isSwitch {
			fl.leave(&j.continues)
			return
		}
	}
	if kind == stmtContinue || len(fl.loops) == 0 {
		fl.st.dead = true
	}
}

func (fl *flow) alternatives(s *stmt) {
	before := fl.st.clone()
	after := state{dead: true}
	if !s.always {
		after = before.clone()
	}
	for _, alt := range s.alts {
		fl.st = before.clone()
		fl.stmts(alt)
		after.join(fl.st)
	}
	fl.st = after
}

// declare starts the objects of a variable.
func (fl *flow) declare(d *decl) {
	if d.init != nil {
		fl.expr(d.init)
	}
	fl.st.point(d.name, "")
	delete(fl.holder, d.name)
	fl.bound[d.name] = nil
	typ := fl.a.tree.resolve(d.typ, fl.fn.unit)
	if typ.ref && d.init != nil {
		if p, ok := pathOf(d.init); ok {
			fl.st.point(d.name, fl.subst(p.key))
		}
		return
	}
	first := bits(maybeUnset)
	if d.init != nil || typ.static {
		first = maybeSet
	}
	switch {
	case typ.ptr == 0:
		fl.declareObjects(d, typ, d.array, first)
	case typ.ptr == 1 && !d.array:
		fl.declareObjects(d, typ, true, maybeSet)
	}
	if d.array {
		return
	}
	if typ.ptr > 0 || typ.name == "auto" {
		fl.point(d.name, d.init)
		return
	}
	fl.hold(d.name, d.init)
	if src := fl.wholeObject(d.init); src != nil && typ.name == fl.tr.Struct {
		if o := fl.objectAt(d.name); o != nil {
			fl.st.set(o.id, fl.st.get(src.id)&^maybeTouched)
		}
	}
}

func (fl *flow) declareObjects(d *decl, typ ctype, isPtr bool, first bits) {
	heap := isPtr && !d.array
	if typ.name == fl.tr.Struct {
		o := fl.add(object{key: d.name, isPtr: isPtr, heap: heap, line: int(d.line)})
		fl.st.set(o.id, first)
		return
	}
	for _, m := range fl.a.tree.contained(fl.a.tree.structOf(typ.name, fl.fn.unit), fl.tr.Struct) {
		o := fl.add(object{key: d.name + "." + m, within: true, heap: heap, line: int(d.line)})
		fl.st.set(o.id, first)
	}
}

// point follows an assignment to a pointer variable.
func (fl *flow) point(name string, rhs *node) {
	if rhs == nil {
		return
	}
	rhs = stripCasts(rhs)
	for rhs != nil && rhs.kind == nodeAssign {
		rhs = stripCasts(rhs.y) // a = b = value
	}
	if rhs == nil {
		return
	}
	o, p := fl.addressed(rhs)
	fl.st.point(name, "")
	if o != nil && p.key != name {
		fl.st.point(name, o.key)
		return
	}
	set := bits(maybeSet)
	switch fl.a.allocation(rhs, fl.fn.unit) {
	case allocRaw:
		set = maybeUnset
	case allocNone:
		if fl.isNull(rhs) {
			set = 0
		}
	}
	for _, o := range fl.bound[name] {
		if o.key == name || strings.HasPrefix(o.key, name+".") {
			fl.st.set(o.id, set)
		}
	}
}

func (fl *flow) isNull(n *node) bool {
	return n != nil && (n.kind == nodeOther && n.text == "0" || n.kind == nodeName && (n.text == "NULL" || n.text == "nullptr"))
}

// hold notes the objects whose address an initialiser keeps in name.
func (fl *flow) hold(name string, init *node) {
	if init == nil || init.kind != nodeList {
		return
	}
	walkNode(init, func(*stmt) {}, func(n *node) {
		v := n
		if n.kind == nodeField {
			v = stripCasts(n.x)
		}
		if o, _ := fl.addressed(v); o != nil {
			fl.holder[name] = append(fl.holder[name], o)
		}
	})
}

// subst replaces an alias at the root of key.
func (fl *flow) subst(key string) string {
	for range 4 {
		root, rest, more := strings.Cut(key, ".")
		to, ok := fl.st.alias[root]
		if !ok {
			return key
		}
		key = to
		if more {
			key += "." + rest
		}
	}
	return key
}

// objectAt is the object whose lvalue has this key.
func (fl *flow) objectAt(key string) *object {
	for _, o := range fl.bound[firstPart(key)] {
		if o.key == key {
			return o
		}
	}
	return nil
}

// addressed is the object whose address n is.
func (fl *flow) addressed(n *node) (*object, access) {
	p, ok := pathOf(n)
	if !ok || p.deref {
		return nil, p
	}
	aliased := fl.subst(p.key) != p.key
	o := fl.objectAt(fl.subst(p.key))
	switch {
	case o == nil:
	case aliased && p.bare():
		return o, p
	case o.isPtr != p.addr:
		return o, p
	}
	return nil, p
}

// wholeObject is the object that n copies by value.
func (fl *flow) wholeObject(n *node) *object {
	p, ok := pathOf(n)
	if !ok || p.addr {
		return nil
	}
	aliased := fl.subst(p.key) != p.key
	o := fl.objectAt(fl.subst(p.key))
	if o != nil && (o.isPtr || aliased && !strings.Contains(p.key, ".")) == p.deref {
		return o
	}
	return nil
}
