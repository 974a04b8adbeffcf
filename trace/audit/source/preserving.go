package source

import (
	"fmt"
	"slices"
	"strings"
)

// preserving reports objects that f fills from a source object without the
// member.
func (a *auditor) preserving(f *function, t *target) {
	if !a.hasSource(f, t) {
		return
	}
	c := copying{a: a, f: f, t: t, fresh: map[string]bool{}, whole: map[string]bool{}, sources: map[string]bool{}, alias: map[string]string{}}
	c.collect()
	if t.Member == "" {
		c.inPart()
		return
	}
	if c.mentioned || len(c.writes) == 0 {
		return
	}
	c.report()
}

// hasSource tells that f is given, or reaches, an object of the type.
func (a *auditor) hasSource(f *function, t *target) bool {
	for _, typ := range a.tree.scopeOf(f) {
		if t.names.has(typ.name) {
			return true
		}
	}
	return false
}

// copying is what one function does with objects of the tracked type.
type copying struct {
	a         *auditor
	f         *function
	t         *target
	mentioned bool              // the member is named
	fresh     map[string]bool   // variables that hold new objects
	whole     map[string]bool   // objects assigned whole, or by a callee that sets the member
	sources   map[string]bool   // objects that come from outside, by key
	alias     map[string]string // pointer variable: key of what it points to
	outside   *origin           // for an object that is no source itself
	writes    []fieldWrite
	assigns   []*node
	calls     []*node
}

// fieldWrite is a write of one member of an object.
type fieldWrite struct {
	dest    string // key of the object
	display string
	field   string
	line    int
	rhs     *node
	private bool // the object is not of the tracked type
	unseen  bool // its type is not in the tree
}

func (c *copying) collect() {
	var tested map[*node]bool
	if c.f.names(c.t.Member) {
		tested = tests(c.f)
	}
	visitLive(c.f, func(s *stmt) {
		for _, d := range s.decls {
			c.declared(d)
		}
	}, func(n *node) {
		switch n.kind {
		case nodeMember, nodeField:
			c.mentioned = c.mentioned || n.text == c.t.Member && !tested[n]
			c.source(n)
		case nodeName:
			c.source(n)
		case nodeAssign:
			c.assigns = append(c.assigns, n)
			c.assigned(n)
		case nodeCall:
			c.calls = append(c.calls, n)
		}
	})
	for _, n := range c.calls {
		c.called(n)
	}
	for _, n := range c.assigns {
		c.made(n)
	}
	c.unalias()
}

// names tells that word stands in the body.
func (f *function) names(word string) bool {
	return slices.ContainsFunc(f.body, func(t token) bool { return t.kind == tokIdent && f.unit.lx.text(t) == word })
}

// tests collects what the conditions of f look at, other than to hand it to a
// callee: a member that is only tested goes nowhere.
func tests(f *function) map[*node]bool {
	set := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || n.kind == nodeCall || n.kind == nodeAssign || n.kind == nodeBlock {
			return
		}
		set[n] = true
		walk(n.x)
		walk(n.y)
		walk(n.z)
	}
	walkStmts(f.statements(), func(s *stmt) {
		for _, c := range s.cond {
			for _, e := range c.exprs {
				walk(e)
			}
		}
	}, func(*node) {})
	return set
}

// visitLive walks the statements that are not dead, unless f is.
func visitLive(f *function, each func(*stmt), visit func(*node)) {
	var walk func(list []*stmt)
	walk = func(list []*stmt) {
		for _, s := range list {
			if s.dead && !f.dead {
				continue
			}
			each(s)
			for _, e := range s.exprs {
				walkNode(e, each, visit)
			}
			for _, d := range s.decls {
				walkNode(d.init, each, visit)
			}
			walk(s.cond)
			walk(s.body)
			walk(s.els)
			for _, alt := range s.alts {
				walk(alt)
			}
		}
	}
	walk(f.statements())
}

func (c *copying) declared(d *decl) {
	typ := c.a.tree.resolve(d.typ, c.f.unit)
	if typ.ptr == 0 && !typ.ref {
		c.fresh[d.name] = true
	}
	if typ.ptr > 0 && c.a.allocation(stripCasts(d.init), c.f.unit) != allocNone {
		c.fresh[d.name] = true
	}
	if d.init == nil {
		return
	}
	if typ.ptr > 0 || typ.ref {
		c.points(d.name, d.init)
	}
	if typ.name == c.t.Struct && typ.ptr == 0 && !typ.ref {
		c.initialised(d.name, d.name, d.init)
	}
	init := &node{kind: nodeAssign, op: '=', line: d.line, x: &node{kind: nodeName, text: d.name}, y: d.init}
	c.assigns = append(c.assigns, init)
}

// initialised takes a whole value given to an object: a list writes members.
func (c *copying) initialised(key, display string, rhs *node) {
	rhs = stripCasts(rhs)
	if rhs == nil {
		return
	}
	if rhs.kind != nodeList {
		c.whole[key] = true
		return
	}
	for i, e := range rhs.list {
		w := fieldWrite{dest: key, display: display, line: int(e.line), rhs: e}
		if e.kind == nodeField {
			w.field, w.rhs = e.text, e.x
		} else if i == 0 && isZero(e) {
			continue
		}
		if w.line == 0 {
			w.line = int(rhs.line)
		}
		c.writes = append(c.writes, w)
	}
}

// source notes n when it is an object of the type from outside.
func (c *copying) source(n *node) {
	p, ok := pathOf(n)
	if !ok {
		return
	}
	typ, ok := c.a.tree.typeOf(c.f, p.key)
	if ok && typ.name == c.t.Struct && typ.ptr <= 1 {
		c.sources[p.key] = true
	}
}

func (c *copying) assigned(n *node) {
	p, ok := pathOf(n.x)
	if !ok || n.op != '=' {
		return
	}
	if p.bare() && c.a.allocation(stripCasts(n.y), c.f.unit) != allocNone {
		c.fresh[p.key] = true
		return
	}
	if p.bare() {
		c.points(p.key, n.y)
	}
	if typ, ok := c.a.tree.typeOf(c.f, p.key); ok && typ.name == c.t.Struct && !p.addr {
		if typ.ptr == 0 || p.deref {
			c.initialised(p.key, render(n.x), n.y)
		}
		return
	}
	if typ, ok := c.a.tree.typeOf(c.f, p.key); ok && c.t.names.has(typ.name) && (typ.ptr == 0 || p.deref) && !p.addr {
		c.whole[p.key] = true // what holds the object is assigned
		return
	}
	c.member(n, p)
}

// member takes a write below an object.
func (c *copying) member(n *node, p access) {
	for key := p.key; ; {
		i := strings.LastIndexByte(key, '.')
		if i < 0 {
			break
		}
		key = key[:i]
		if typ, ok := c.a.tree.typeOf(c.f, key); ok && typ.name == c.t.Struct {
			rest, _ := below(p.key, key)
			c.writes = append(c.writes, fieldWrite{
				dest: key, display: prefixOf(n.x, strings.Count(rest, ".")+1), field: firstPart(rest), line: int(n.line), rhs: n.y})
			return
		}
	}
	c.private(n, p)
}

// prefixOf renders n without its last parts.
func prefixOf(n *node, parts int) string {
	for n != nil && parts > 0 {
		switch n.kind {
		case nodeMember:
			parts--
			n = n.x
		case nodeIndex, nodeCast:
			n = n.x
		default:
			parts = 0
		}
	}
	return strings.TrimPrefix(render(n), "*")
}

// private takes a write of a shader's text into an object of another type.
func (c *copying) private(n *node, p access) {
	i := strings.LastIndexByte(p.key, '.')
	if i < 0 || p.addr {
		return
	}
	field := p.key[i+1:]
	if !c.t.own[field] && field != "nir" || field == "type" {
		return
	}
	root := p.root()
	rootType, ok := c.a.tree.scopeOf(c.f)[root]
	if !ok {
		return
	}
	def := c.a.tree.structOf(rootType.name, c.f.unit)
	if def != nil && c.a.keeps(def, c.t, 0) {
		return
	}
	c.writes = append(c.writes, fieldWrite{
		dest: root, display: prefixOf(n.x, 1), field: field, line: int(n.line), rhs: n.y, private: true, unseen: def == nil})
}

// keeps tells that a struct has a place for the member.
func (a *auditor) keeps(def *structDef, t *target, depth int) bool {
	for _, f := range def.fields {
		typ := a.tree.resolve(f.typ, def.unit)
		if typ.name == t.Struct || typ.name == t.info || f.name == t.Member {
			return true
		}
		if depth < 4 && typ.ptr == 0 {
			if sub := a.tree.structOf(typ.name, def.unit); sub != nil && sub != def && a.keeps(sub, t, depth+1) {
				return true
			}
		}
	}
	return false
}

func (c *copying) isObject(key string) bool {
	typ, ok := c.a.tree.typeOf(c.f, key)
	return ok && typ.name == c.t.Struct
}

func (c *copying) isPointer(key string) bool {
	typ, ok := c.a.tree.typeOf(c.f, key)
	return ok && typ.ptr > 0
}

// report gives one finding for each object that keeps a part of a source.
func (c *copying) report() {
	done := map[string]bool{}
	for pass := range 2 {
		for _, w := range c.writes {
			if pass == 0 && w.field == "type" || done[w.dest] || c.isWhole(w.dest) {
				continue // the line of the text before that of the type
			}
			src := c.from(w)
			if src == "" {
				continue
			}
			done[w.dest] = true
			c.finding(w, src)
		}
	}
}

// isWhole tells that the object, or one that holds it, is assigned whole.
func (c *copying) isWhole(dest string) bool {
	for key := range c.whole {
		if _, inside := below(dest, key); key == dest || inside {
			return true
		}
	}
	return false
}

func (c *copying) finding(w fieldWrite, src string) {
	f := Finding{
		File: c.f.unit.path, Line: w.line, Function: c.f.name, Variable: w.display, Struct: c.t.Struct,
		Verdict: NotPreserved, Severity: Warning, How: "struct-to-struct",
		Reason: fmt.Sprintf("takes %s from %s at line %d, and %s is neither copied nor cleared", w.field, src, w.line, c.t.Member),
	}
	if w.field == "" {
		f.Reason = fmt.Sprintf("is filled from %s at line %d, and %s is not copied", src, w.line, c.t.Member)
	}
	st := stageOf(c.f.name)
	if st == 0 {
		st = stageOf(w.display)
	}
	f.Stage = st.String()
	f.Path = []Step{{c.f.line, src + " comes in here"}, {w.line, w.display + " takes a part of it here"}}
	c.a.mildened(&f, c.f, c.t, st)
	if w.private {
		f.Severity, f.How = Note, "private"
		f.Reason += "; the object has no place for it"
		if w.unseen {
			f.Reason = strings.TrimSuffix(f.Reason, "the object has no place for it") + "the object's type is not in the tree"
		}
	}
	c.a.findings = append(c.a.findings, f)
}
