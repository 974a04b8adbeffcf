package source

import "strings"

// summary is what a function does to the tracked struct behind one parameter.
type summary struct {
	sets    bool    // some way sets the member
	partly  bool    // some way clears its count alone, none sets it
	touches bool    // writes another member
	reads   bool    // reads another member
	leak    *escape // first point where it goes on while not set
}

// merge joins what another body of the same name does: what one sets is set.
func (s *summary) merge(o *summary) {
	s.sets = s.sets || o.sets
	s.partly = s.partly || o.partly
	s.touches = s.touches || o.touches
	s.reads = s.reads || o.reads
	if s.leak == nil || s.leak.weak != "" && o.leak != nil {
		s.leak = o.leak
	}
}

type summaryKey struct {
	fn    *function
	param int
	rest  string
	isPtr bool
	tr    *target
}

// maxCallDepth bounds how far a chain of callees is followed.
const maxCallDepth = 12

// summarise learns what f does with the tracked struct that its parameter
// gives, or that lies at the member path rest of what it gives. A call back
// into a function that is being learned counts as doing nothing.
func (a *auditor) summarise(f *function, index int, rest string, isPtr bool, tr *target) *summary {
	if index >= len(f.params) || f.params[index].name == "" {
		return &summary{sets: index >= len(f.params)}
	}
	key := summaryKey{f, index, rest, isPtr, tr}
	if s, ok := a.summaries[key]; ok {
		return s
	}
	s := &summary{}
	a.summaries[key] = s
	if a.callDepth >= maxCallDepth {
		delete(a.summaries, key)
		return &summary{sets: true}
	}
	a.callDepth++
	defer func() { a.callDepth-- }()

	fl := newFlow(a, f, tr)
	fl.summary = s
	name := f.params[index].name
	o := object{key: name, isPtr: isPtr && !f.params[index].typ.ref, heap: true, line: f.line}
	if rest != "" {
		o.key, o.isPtr, o.within = name+"."+rest, false, true
	}
	obj := fl.add(o)
	fl.st.set(obj.id, maybeUnset)
	if rest == "" {
		fl.st.set(obj.id, maybeUnset|maybeTouched)
	}
	fl.run()

	exit := fl.exits.get(obj.id)
	s.sets = exit&maybeSet != 0
	s.partly = !s.sets && exit&maybePartly != 0
	s.touches = obj.written > 0
	for i := range obj.escapes {
		e := obj.escapes[i]
		if s.leak == nil || s.leak.weak != "" && e.weak == "" {
			stage := e.stage
			if s.leak != nil {
				stage |= s.leak.stage
			}
			e.stage = stage
			s.leak = &e
			continue
		}
		s.leak.stage |= e.stage
	}
	if s.leak != nil && s.leak.stage == 0 {
		s.leak.stage = stageOf(f.name)
	}
	return s
}

// allocKind is what an expression allocates.
type allocKind uint8

const (
	allocNone allocKind = iota
	allocRaw            // memory of unknown content
	allocZero           // cleared memory
)

// allocation classifies the right side of an assignment to a pointer.
func (a *auditor) allocation(n *node, u *unit) allocKind {
	if n == nil {
		return allocNone
	}
	if n.kind == nodeNew {
		if n.op == '(' || !a.plain(n.typ, u) {
			return allocZero
		}
		return allocRaw
	}
	if n.kind != nodeCall {
		return allocNone
	}
	name, indirect := calleeName(n)
	if indirect {
		return allocNone
	}
	return a.allocName(name, u, 0)
}

// plain tells a struct that C++ new leaves unset.
func (a *auditor) plain(typ ctype, u *unit) bool {
	for _, tr := range a.opts.Tracked {
		if typ.name == tr.Struct {
			return true
		}
	}
	return false
}

// allocName reads an allocator by its name and, where the tree holds it, by
// its body.
func (a *auditor) allocName(name string, u *unit, depth int) allocKind {
	lower := strings.ToLower(name)
	byName := allocNone
	switch {
	case strings.Contains(lower, "zalloc"), strings.Contains(lower, "calloc"), strings.Contains(lower, "zmalloc"),
		strings.Contains(lower, "alloc") && (strings.HasSuffix(lower, "0") || strings.Contains(lower, "zero")):
		byName = allocZero
	case strings.Contains(lower, "malloc"):
		byName = allocRaw
	default:
		switch lower {
		case "ralloc", "ralloc_size", "ralloc_array", "ralloc_array_size", "linear_alloc", "linear_alloc_child", "vk_alloc", "vk_alloc2",
			"alloca", "g_new", "xmalloc", "operator new", "talloc", "talloc_size", "talloc_array":
			byName = allocRaw
		}
	}
	if byName == allocNone || depth > 4 {
		return byName
	}
	for _, f := range a.tree.functions(name, u) { // a MALLOC that clears
		if f.clearsMemory() {
			return allocZero
		}
	}
	return byName
}

// clearsMemory tells an allocator whose own body clears what it gives.
func (f *function) clearsMemory() bool {
	found := false
	walkStmts(f.statements(), func(*stmt) {}, func(n *node) {
		if n.kind != nodeCall {
			return
		}
		name, _ := calleeName(n)
		lower := strings.ToLower(name)
		if lower == "memset" || strings.Contains(lower, "calloc") || strings.Contains(lower, "zalloc") {
			found = true
		}
	})
	return found
}

var fillWords = map[string]bool{
	"init": true, "initialize": true, "initialise": true, "from": true, "clear": true, "zero": true, "reset": true,
	"setup": true, "fill": true, "get": true, "parse": true, "default": true, "defaults": true, "read": true,
	"load": true, "deserialize": true, "unserialize": true, "populate": true, "make": true, "build": true,
	"prepare": true, "translate": true, "to": true, "copy": true, "decode": true, "unpack": true, "convert": true,
}

// mayFill tells that a function not in the tree may set what it is given: by
// its prototype, else by its name.
func (a *auditor) mayFill(name string, i int, indirect bool, u *unit) bool {
	if !indirect {
		protos := a.tree.protos[name]
		for _, f := range protos {
			if i < len(f.params) {
				return !f.params[i].typ.isConst
			}
		}
		if strings.ToUpper(name) == name {
			return true // a macro that is not in the tree
		}
	}
	for _, w := range splitName(name) {
		if fillWords[w] {
			return true
		}
	}
	return false
}
