package source

import "strings"

// tree is everything read, indexed by name.
type tree struct {
	units      []*unit
	funcs      map[string][]*function
	protos     map[string][]*function
	defs       map[string][]*structDef
	types      map[string]ctype
	containers map[containerKey][]string
}

// scope gives the types of a function's variables; an array counts as one
// pointer more.
type scope map[string]ctype

type containerKey struct {
	def     *structDef
	tracked string
}

func newTree(units []*unit) *tree {
	t := &tree{
		units: units, funcs: map[string][]*function{}, protos: map[string][]*function{},
		defs: map[string][]*structDef{}, types: map[string]ctype{},
		containers: map[containerKey][]string{},
	}
	for _, u := range units {
		for _, f := range u.funcs {
			if !f.isStatic {
				t.funcs[f.name] = append(t.funcs[f.name], f)
			}
		}
		for _, f := range u.protos {
			t.protos[f.name] = append(t.protos[f.name], f)
		}
		for _, d := range u.defs {
			t.defs[d.name] = append(t.defs[d.name], d)
		}
		for name, typ := range u.types {
			if _, ok := t.types[name]; !ok {
				t.types[name] = typ
			}
		}
	}
	return t
}

// structOf finds the definition of a struct as seen from u: its own, its
// folder's, or any.
func (t *tree) structOf(name string, u *unit) *structDef {
	defs := t.defs[name]
	if len(defs) == 0 {
		return nil
	}
	for _, d := range defs {
		if d.unit == u {
			return d
		}
	}
	for _, d := range defs {
		if d.unit.dir == u.dir {
			return d
		}
	}
	return defs[0]
}

// resolve follows typedefs.
func (t *tree) resolve(typ ctype, u *unit) ctype {
	for range 8 {
		next, ok := u.types[typ.name]
		if !ok {
			next, ok = t.types[typ.name]
		}
		if !ok || next.name == typ.name {
			return typ
		}
		typ.name = next.name
		typ.ptr += next.ptr
	}
	return typ
}

// functions finds the bodies that a call by name from u may reach: those of
// its own file, else all.
func (t *tree) functions(name string, u *unit) []*function {
	if u.byName == nil {
		u.byName = map[string][]*function{}
		for _, f := range u.funcs {
			u.byName[f.name] = append(u.byName[f.name], f)
		}
	}
	if own := u.byName[name]; own != nil {
		return own
	}
	return t.funcs[name]
}

// scopeOf collects the variables of f.
func (t *tree) scopeOf(f *function) scope {
	if f.vars != nil {
		return f.vars
	}
	s := scope{}
	for _, p := range f.params {
		if p.name != "" {
			s[p.name] = t.resolve(p.typ, f.unit)
		}
	}
	walkStmts(f.statements(), func(st *stmt) {
		for _, d := range st.decls {
			typ := t.resolve(d.typ, f.unit)
			if d.array {
				typ.ptr++
			}
			if old, ok := s[d.name]; !ok || t.structOf(old.name, f.unit) == nil {
				s[d.name] = typ
			}
		}
	}, nil)
	f.vars = s
	return s
}

// typeOf gives the type of the path with this key; & and * are not counted.
func (t *tree) typeOf(f *function, key string) (ctype, bool) {
	name, rest, more := strings.Cut(key, ".")
	typ, ok := t.scopeOf(f)[name]
	if !ok {
		return ctype{}, false
	}
	for more {
		name, rest, more = strings.Cut(rest, ".")
		def := t.structOf(typ.name, f.unit)
		if def == nil {
			return ctype{}, false
		}
		fld, ok := def.field(name)
		if !ok {
			return ctype{}, false
		}
		typ = t.resolve(fld.typ, def.unit)
		if fld.array {
			typ.ptr++
		}
	}
	return typ, true
}

// maxContained bounds the members followed in one containing struct.
const maxContained = 8

// contained lists the members of the struct def, as paths, that are of the
// tracked type by value.
func (t *tree) contained(def *structDef, tracked string) []string {
	if def == nil {
		return nil
	}
	key := containerKey{def, tracked}
	if list, ok := t.containers[key]; ok {
		return list
	}
	t.containers[key] = nil // a struct that seems to hold itself
	var list []string
	for _, fld := range def.fields {
		typ := t.resolve(fld.typ, def.unit)
		if typ.ptr > 0 || len(list) >= maxContained {
			continue
		}
		if typ.name == tracked {
			list = append(list, fld.name)
			continue
		}
		if typ.name == def.name {
			continue
		}
		for _, sub := range t.contained(t.structOf(typ.name, def.unit), tracked) {
			list = append(list, fld.name+"."+sub)
		}
	}
	t.containers[key] = list
	return list
}

// names lists the tracked struct, its typedefs and every struct that holds one.
func (t *tree) names(tracked string) *nameSet {
	set := map[string]bool{tracked: true}
	for name, defs := range t.defs {
		for _, d := range defs {
			if len(t.contained(d, tracked)) > 0 {
				set[name] = true
			}
		}
	}
	for _, u := range t.units {
		for alias, typ := range u.types {
			if set[typ.name] {
				set[alias] = true
			}
		}
	}
	return newNameSet(set)
}

// nameSet is a set of names that most words are seen not to be in at once.
type nameSet struct {
	words  map[string]bool
	filter [1 << 12]bool // by length, first and last byte
}

func newNameSet(words map[string]bool) *nameSet {
	s := &nameSet{words: map[string]bool{}}
	s.add(words)
	return s
}

func (s *nameSet) add(words map[string]bool) {
	for w := range words {
		if w != "" {
			s.words[w] = true
			s.filter[filterIndex(w)] = true
		}
	}
}

// filterIndex mixes the length, first and last byte of w, which is not empty.
func filterIndex(w string) int {
	return (len(w)<<7 ^ int(w[0])<<5 ^ int(w[len(w)-1])) & (1<<12 - 1)
}

func (s *nameSet) has(w string) bool {
	return w != "" && s.filter[filterIndex(w)] && s.words[w]
}

// walkStmts visits every statement and, with visit, every expression in it.
func walkStmts(list []*stmt, each func(*stmt), visit func(*node)) {
	for _, s := range list {
		each(s)
		if visit != nil {
			for _, e := range s.exprs {
				walkNode(e, each, visit)
			}
			for _, d := range s.decls {
				walkNode(d.init, each, visit)
			}
		}
		walkStmts(s.cond, each, visit)
		walkStmts(s.body, each, visit)
		walkStmts(s.els, each, visit)
		for _, alt := range s.alts {
			walkStmts(alt, each, visit)
		}
	}
}

func walkNode(n *node, each func(*stmt), visit func(*node)) {
	if n == nil {
		return
	}
	visit(n)
	walkNode(n.x, each, visit)
	walkNode(n.y, each, visit)
	walkNode(n.z, each, visit)
	for _, c := range n.list {
		walkNode(c, each, visit)
	}
	walkStmts(n.body, each, visit)
}
