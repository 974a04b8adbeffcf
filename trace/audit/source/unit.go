package source

import (
	"path"
	"strings"
)

// unit is one source file: its functions and what it declares.
type unit struct {
	path   string // relative to the audited directory, with slashes
	dir    string
	lx     *lexed
	funcs  []*function
	protos []*function // prototypes: no body
	defs   []*structDef
	types  map[string]ctype       // typedefs
	byName map[string][]*function // of its functions, made when asked for
}

// function is a function definition, or a function-like macro read as one.
type function struct {
	name     string
	params   []param
	line     int
	dead     bool
	isMacro  bool
	isStatic bool // and not in a header: seen in its own file alone
	unit     *unit
	body     []token

	parsed bool
	stmts  []*stmt
	vars   scope
}

// param is one parameter.
type param struct {
	name string
	typ  ctype
}

// structDef is a struct, union or class definition.
type structDef struct {
	name   string
	unit   *unit
	line   int
	fields []field
}

// field is a member; an anonymous struct's members are its parent's.
type field struct {
	name  string
	typ   ctype
	array bool
}

func (d *structDef) field(name string) (field, bool) {
	for _, f := range d.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// isHeader tells a file that others include.
func isHeader(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".c", ".cc", ".cpp", ".cxx":
		return false
	}
	return true
}

// statements parses the body on first use.
func (f *function) statements() []*stmt {
	if !f.parsed {
		f.parsed = true
		p := parser{lx: f.unit.lx, toks: f.body}
		f.stmts = p.block()
	}
	return f.stmts
}

// parse reads the structure of one file.
func (r *reader) parse(path, src string) *unit {
	u := &unit{path: path, lx: r.lex(src), types: map[string]ctype{}}
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		u.dir = path[:i]
	}
	s := scanner{u: u, toks: u.lx.toks}
	s.scope(0, len(s.toks), nil)
	for i := range u.lx.macros {
		u.addMacro(&u.lx.macros[i])
	}
	return u
}

// addMacro takes the functions that a macro's body defines, or the macro
// itself when it stands for statements or an expression.
func (u *unit) addMacro(m *macro) {
	before := len(u.funcs)
	s := scanner{u: u, toks: m.body}
	s.scope(0, len(s.toks), nil)
	if len(u.funcs) > before || m.params == nil {
		return
	}
	f := &function{name: m.name, line: m.line, isMacro: true, unit: u, body: m.body}
	for _, name := range m.params {
		f.params = append(f.params, param{name: name})
	}
	u.funcs = append(u.funcs, f)
}

// scanner reads declarations at file, namespace or class level.
type scanner struct {
	u     *unit
	toks  []token
	depth int
}

func (s *scanner) text(i int) string { return s.u.lx.text(s.toks[i]) }

func (s *scanner) isPunct(i int, op uint8) bool {
	return i >= 0 && i < len(s.toks) && s.toks[i].kind == tokPunct && s.toks[i].op == op
}

// scope reads the declarations between lo and hi; def receives members when
// they stand in a struct.
func (s *scanner) scope(lo, hi int, def *structDef) {
	if s.depth++; s.depth > maxNesting {
		s.depth--
		return
	}
	defer func() { s.depth-- }()
	head := lo
	var agg *structDef
	aggEnd := 0
	for i := lo; i < hi; {
		t := s.toks[i]
		switch {
		case t.kind == tokPreproc && head == i:
			head++
			i++
		case t.kind != tokPunct:
			i++
		case t.op == '(' || t.op == '[':
			i = min(matching(s.toks, i), hi)
		case t.op == ';':
			s.declared(head, i, agg, aggEnd, def)
			i++
			head, agg = i, nil
		case t.op == ':' && i == head+1:
			i++ // public:
			head = i
		case t.op == '}':
			i++
			head, agg = i, nil
		case t.op == '{':
			end := min(matching(s.toks, i), hi)
			switch s.classify(head, i) {
			case headScope:
				s.scope(i+1, end-1, def)
				head = end
			case headAggregate:
				agg = s.aggregate(head, i, end)
				aggEnd = end
			case headFunction:
				s.function(head, i, end)
				head, agg = end, nil
			case headInit:
			default:
				head, agg = end, nil
			}
			i = end
		default:
			i++
		}
	}
}

type headKind uint8

const (
	headUnknown headKind = iota
	headScope
	headAggregate
	headFunction
	headInit
)

// classify tells what the block after the tokens from lo to hi is.
func (s *scanner) classify(lo, hi int) headKind {
	tagged, call := false, false
	for i := lo; i < hi; i++ {
		t := s.toks[i]
		switch {
		case t.kind == tokIdent:
			switch w := s.text(i); {
			case w == "namespace":
				return headScope
			case w == "extern" && i+1 < hi && s.toks[i+1].kind == tokString && i+2 == hi:
				return headScope
			case w == "__attribute__" || w == "alignas":
				if i+1 < hi {
					i = min(matching(s.toks, i+1), hi) - 1
				}
			case classOf(w) == tag:
				tagged = true
			}
		case s.isPunct(i, '='):
			if i > lo && s.toks[i-1].kind == tokIdent && s.text(i-1) == "operator" {
				continue
			}
			return headInit
		case s.isPunct(i, '('):
			call = true
			i = min(matching(s.toks, i), hi) - 1
		}
	}
	switch {
	case call:
		return headFunction
	case tagged:
		return headAggregate
	}
	return headUnknown
}

// aggregate reads a struct's members; the block is open to end.
func (s *scanner) aggregate(head, open, end int) *structDef {
	def := &structDef{unit: s.u, line: int(s.toks[open].line)}
	tagged := false
	for i := head; i < open; i++ {
		if s.isPunct(i, ':') {
			break
		}
		if s.toks[i].kind != tokIdent {
			continue
		}
		switch w := s.text(i); {
		case w == "enum":
			return nil
		case classOf(w) == tag:
			tagged = true
		case w == "__attribute__":
			i = min(matching(s.toks, i+1), open) - 1
		case tagged:
			def.name = w
		}
	}
	s.scope(open+1, end-1, def)
	if def.name != "" {
		s.u.defs = append(s.u.defs, def)
	}
	return def
}

// declared takes what the tokens from lo to hi, before a semicolon, declare.
func (s *scanner) declared(lo, hi int, agg *structDef, aggEnd int, def *structDef) {
	for lo < hi && s.toks[lo].kind == tokPreproc {
		lo++
	}
	if lo >= hi {
		return
	}
	isTypedef := s.toks[lo].kind == tokIdent && s.text(lo) == "typedef"
	if agg == nil {
		if !isTypedef && (s.prototype(lo, hi) || def == nil) {
			return // a variable of the file says nothing
		}
		p := parser{lx: s.u.lx, toks: s.toks[lo : hi+1]}
		if isTypedef {
			p.pos++
		}
		if d := p.declaration(); d != nil {
			s.addDecls(d.decls, isTypedef, def)
		}
		return
	}
	s.trailing(aggEnd, hi, agg, isTypedef, def)
}

func (s *scanner) addDecls(decls []*decl, isTypedef bool, def *structDef) {
	for _, d := range decls {
		switch {
		case isTypedef:
			if d.init == nil && !d.array {
				s.u.types[d.name] = d.typ
			}
		case def != nil:
			def.fields = append(def.fields, field{name: d.name, typ: d.typ, array: d.array})
		}
	}
}

// trailing reads the names after a struct's closing brace.
func (s *scanner) trailing(lo, hi int, agg *structDef, isTypedef bool, def *structDef) {
	ptr, named := 0, false
	for i := lo; i < hi; i++ {
		switch {
		case s.isPunct(i, '*'):
			ptr++
		case s.isPunct(i, ','):
			ptr = 0
		case s.isPunct(i, '='):
			return
		case s.isPunct(i, '[') || s.isPunct(i, '('):
			i = matching(s.toks, i) - 1
		case s.toks[i].kind == tokIdent && classOf(s.text(i)) != qualifier && s.text(i) != "__attribute__":
			if i+1 < hi && s.isPunct(i+1, '(') {
				continue
			}
			named = true
			name := s.text(i)
			if agg.name == "" {
				agg.name = s.anonymousName(name, isTypedef, def)
				s.u.defs = append(s.u.defs, agg)
			}
			d := &decl{name: name, typ: ctype{name: agg.name, ptr: ptr, tagged: true}, array: s.isPunct(i+1, '[')}
			s.addDecls([]*decl{d}, isTypedef, def)
		}
	}
	if !named && agg.name == "" && def != nil {
		def.fields = append(def.fields, agg.fields...)
	}
}

// anonymousName names a struct without a tag after its typedef or member.
func (s *scanner) anonymousName(name string, isTypedef bool, def *structDef) string {
	if isTypedef || def == nil {
		return name
	}
	return def.name + "." + name
}

// prototype records a function declaration.
func (s *scanner) prototype(lo, hi int) bool {
	open := s.paramsOpen(lo, hi)
	if open < 0 {
		return false
	}
	f := s.newFunction(lo, open)
	if f.name == "" {
		return false
	}
	s.u.protos = append(s.u.protos, f)
	return true
}

// paramsOpen is the index of the parenthesis that opens the parameters of the
// function whose head is lo to hi, or -1.
func (s *scanner) paramsOpen(lo, hi int) int {
	open := -1
	for i := lo; i < hi; i++ {
		switch {
		case s.isPunct(i, ':') && open >= 0:
			return open // C++ member initialisers
		case s.isPunct(i, '='):
			return open
		case s.isPunct(i, '('):
			end := min(matching(s.toks, i), hi)
			trailing := open >= 0 && s.isPunct(i-2, ')') // f(int a) SOME_ATTRIBUTE(x)
			if i > lo && s.toks[i-1].kind == tokIdent && !isAttribute(s.text(i-1)) && !trailing {
				open = i
			}
			i = end - 1
		}
	}
	return open
}

func isAttribute(w string) bool {
	switch w {
	case "__attribute__", "__declspec", "noexcept", "throw", "alignas", "DEPRECATED", "decltype":
		return true
	}
	return strings.HasPrefix(w, "ATTRIBUTE") || strings.HasPrefix(w, "PRINTFLIKE") || strings.HasPrefix(w, "_Printf")
}

func (s *scanner) function(lo, brace, end int) {
	open := s.paramsOpen(lo, brace)
	if open < 0 {
		return
	}
	f := s.newFunction(lo, open)
	if f.name == "" || classOf(f.name) == keyword {
		return
	}
	f.body = s.toks[brace+1 : max(brace+1, end-1)]
	s.u.funcs = append(s.u.funcs, f)
}

// newFunction reads the name before the parenthesis at open, and the
// parameters after it.
func (s *scanner) newFunction(lo, open int) *function {
	i := open - 1
	f := &function{line: int(s.toks[i].line), dead: s.toks[i].dead(), unit: s.u, name: s.text(i)}
	for i-2 >= lo && s.isPunct(i-1, opPaste) {
		i -= 2
		f.name = s.text(i) + f.name
	}
	for j := lo; j < i; j++ {
		if s.toks[j].kind == tokIdent && s.text(j) == "static" {
			f.isStatic = !isHeader(s.u.path)
		}
	}
	end := matching(s.toks, open)
	start := open + 1
	for j := start; j < end; j++ {
		if s.isPunct(j, '(') || s.isPunct(j, '[') || s.isPunct(j, '{') {
			j = matching(s.toks, j) - 1
			continue
		}
		if s.isPunct(j, ',') || j == end-1 {
			if j > start {
				f.params = append(f.params, s.param(start, j))
			}
			start = j + 1
		}
	}
	return f
}

// param reads one parameter's type and name.
func (s *scanner) param(lo, hi int) param {
	var p param
	last := ""
	for i := lo; i < hi; i++ {
		t := s.toks[i]
		switch {
		case t.kind == tokIdent:
			if last != "" {
				p.typ.addWord(last)
			}
			last = s.text(i)
		case s.isPunct(i, '*') || s.isPunct(i, '&') || s.isPunct(i, opLogic):
			if last != "" {
				p.typ.addWord(last)
				last = ""
			}
			if t.op == '*' {
				p.typ.ptr++
			} else {
				p.typ.ref = true
			}
		case s.isPunct(i, opScope):
			last = ""
		case s.isPunct(i, '['):
			p.typ.ptr++
			i = matching(s.toks, i) - 1
		case s.isPunct(i, '('):
			i = matching(s.toks, i) - 1
		case s.isPunct(i, '='):
			i = hi
		}
	}
	if p.typ.name == "" { // unnamed: the only word is the type
		p.typ.addWord(last)
		last = ""
	}
	if !isName(last) {
		last = ""
	}
	p.name = last
	return p
}
