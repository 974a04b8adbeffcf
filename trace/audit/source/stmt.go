package source

// stmtKind is the form of a statement.
type stmtKind uint8

const (
	stmtExpr stmtKind = iota
	stmtDecl
	stmtBlock
	stmtIf     // cond, body, els
	stmtLoop   // cond, body: for, while, do, and macros with a block after them
	stmtSwitch // cond, body
	stmtReturn
	stmtGoto  // text
	stmtBreak // break
	stmtContinue
	stmtLabel // text
	stmtCase
	stmtAlternatives // alts: the branches of an #if
)

// stmt is one statement of a body.
type stmt struct {
	kind   stmtKind
	dead   bool // inside #if 0
	always bool // alternatives that end in #else; a loop whose body runs at least once
	line   int32
	text   string
	exprs  []*node
	decls  []*decl
	cond   []*stmt
	body   []*stmt
	els    []*stmt
	alts   [][]*stmt
}

// decl is one declared variable.
type decl struct {
	name  string
	typ   ctype
	array bool
	line  int32
	init  *node
}

// block reads statements up to the end of the tokens.
func (p *parser) block() []*stmt {
	var list []*stmt
	for p.pos < len(p.toks) {
		before := p.pos
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
		if p.pos == before {
			p.pos++
		}
	}
	return list
}

// statement reads one statement; nil for an empty one, or at a directive that
// ends an alternative, which is left in place.
func (p *parser) statement() *stmt {
	if p.depth++; p.depth > maxNesting {
		p.depth--
		p.pos = max(p.pos+1, matching(p.toks, p.pos))
		return nil
	}
	defer func() { p.depth-- }()
	t := p.at(0)
	s := p.statementAt(t)
	if s != nil {
		s.line, s.dead = t.line, t.dead()
	}
	return s
}

func (p *parser) statementAt(t token) *stmt {
	switch {
	case t.kind == tokPreproc:
		if t.op == opIf || t.op == opIfZero || t.op == opIfOne {
			return p.alternatives()
		}
		return nil
	case p.is('{'):
		end := matching(p.toks, p.pos)
		s := &stmt{kind: stmtBlock, body: p.sub(p.pos+1, end-1)}
		p.pos = end
		return s
	case p.is(';'):
		p.pos++
		return nil
	case t.kind == tokIdent:
		if s, ok := p.keyword(p.lx.text(t)); ok {
			return s
		}
		if p.isAt(1, ':') {
			s := &stmt{kind: stmtLabel, text: p.lx.text(t)}
			p.pos += 2
			return s
		}
		if s := p.declaration(); s != nil {
			return s
		}
	}
	return p.exprStatement()
}

// alternatives reads the branches of an #if.
func (p *parser) alternatives() *stmt {
	s := &stmt{kind: stmtAlternatives}
	p.pos++
	var branch []*stmt
	for p.pos < len(p.toks) {
		if t := p.at(0); t.kind == tokPreproc && (t.op == opElif || t.op == opElse || t.op == opEndif) {
			p.pos++
			s.alts = append(s.alts, branch)
			branch = nil
			if t.op == opEndif {
				return s
			}
			s.always = s.always || t.op == opElse
			continue
		}
		before := p.pos
		if b := p.statement(); b != nil {
			branch = append(branch, b)
		}
		if p.pos == before {
			p.pos++
		}
	}
	s.alts = append(s.alts, branch)
	return s
}

// keyword reads a statement that begins with one.
func (p *parser) keyword(word string) (*stmt, bool) {
	switch word {
	case "if":
		p.pos++
		if p.word(0) == "constexpr" {
			p.pos++
		}
		s := &stmt{kind: stmtIf, cond: p.parenthesised(), body: p.substatement()}
		if p.word(0) == "else" {
			p.pos++
			s.els = p.substatement()
		}
		return s, true
	case "for", "while":
		p.pos++
		return &stmt{kind: stmtLoop, cond: p.parenthesised(), body: p.substatement()}, true
	case "do":
		p.pos++
		s := &stmt{kind: stmtLoop, always: true, body: p.substatement()}
		if p.word(0) == "while" {
			p.pos++
			s.els = p.parenthesised()
		}
		return s, true
	case "switch":
		p.pos++
		return &stmt{kind: stmtSwitch, cond: p.parenthesised(), body: p.substatement()}, true
	case "return", "co_return":
		p.pos++
		s := p.exprStatement()
		s.kind = stmtReturn
		return s, true
	case "goto":
		s := &stmt{kind: stmtGoto, text: p.word(1)}
		p.pos += 2
		return s, true
	case "break", "continue":
		p.pos++
		if word == "break" {
			return &stmt{kind: stmtBreak}, true
		}
		return &stmt{kind: stmtContinue}, true
	case "case", "default":
		return p.caseLabel(), true
	case "else", "try":
		p.pos++
		return nil, true
	case "catch":
		p.pos++
		p.parenthesised()
		return &stmt{kind: stmtIf, body: p.substatement()}, true
	case "asm", "__asm__", "using":
		for p.pos < len(p.toks) && !p.accept(';') {
			p.pos++
		}
		return nil, true
	}
	return nil, false
}

func (p *parser) caseLabel() *stmt {
	for p.pos < len(p.toks) {
		if p.accept(':') {
			break
		}
		if p.is(';') || p.is('}') {
			break
		}
		if p.is('(') || p.is('{') {
			p.pos = matching(p.toks, p.pos)
			continue
		}
		p.pos++
	}
	return &stmt{kind: stmtCase}
}

// parenthesised reads ( ... ) as statements: a condition, or a for's three.
func (p *parser) parenthesised() []*stmt {
	p.skipPreproc()
	for p.at(0).kind == tokIdent && p.isAt(1, '(') { // while MACRO(x)
		p.pos++
	}
	if !p.is('(') {
		return nil
	}
	end := matching(p.toks, p.pos)
	list := p.sub(p.pos+1, end-1)
	p.pos = end
	return list
}

func (p *parser) substatement() []*stmt {
	if s := p.statement(); s != nil {
		return []*stmt{s}
	}
	return nil
}

// exprStatement reads expressions up to a semicolon. Expressions that follow
// one another (a macro before a statement) are kept in order; a call followed
// by a block is a loop made by a macro.
func (p *parser) exprStatement() *stmt {
	s := &stmt{kind: stmtExpr}
	for p.pos < len(p.toks) {
		if p.accept(';') || p.is('}') {
			return s
		}
		if p.accept(',') {
			continue
		}
		if n := len(s.exprs); p.is('{') && n > 0 && s.exprs[n-1].kind == nodeCall {
			end := matching(p.toks, p.pos)
			loop := &stmt{kind: stmtLoop, body: p.sub(p.pos+1, end-1), cond: []*stmt{{kind: stmtExpr, exprs: s.exprs}}}
			p.pos = end
			return loop
		}
		before := p.pos
		if e := p.expr(); e != nil {
			s.exprs = append(s.exprs, e)
		}
		if t := p.at(0); t.kind == tokIdent && len(s.exprs) > 0 && classOf(p.lx.text(t)) == keyword {
			return s // MACRO(x) return y;
		}
		if p.pos == before {
			p.pos++
		}
	}
	return s
}

// declaration reads variable declarations, or returns nil with nothing read.
func (p *parser) declaration() *stmt {
	start := p.pos
	typ, ok := p.declSpecifiers()
	if !ok {
		p.pos = start
		return nil
	}
	s := &stmt{kind: stmtDecl}
	base := typ
	base.ptr, base.ref = 0, false
	for {
		d := &decl{name: p.word(0), typ: typ, line: p.at(0).line}
		p.pos++
		p.declSuffix(d)
		s.decls = append(s.decls, d)
		if d.init == nil && p.accept(':') { // a bit-field's width, or a range
			if w := p.expr(); w != nil && w.kind != nodeOther {
				d.init = w
			}
		}
		if !p.accept(',') {
			break
		}
		typ = base
		for p.is('*') || p.is('&') || classOf(p.word(0)) == qualifier {
			if p.is('*') {
				typ.ptr++
			}
			p.pos++
		}
		if p.at(0).kind != tokIdent {
			break
		}
	}
	for p.pos < len(p.toks) && !p.accept(';') {
		if p.is('(') || p.is('{') || p.is('[') {
			p.pos = matching(p.toks, p.pos)
			continue
		}
		if p.is('}') || p.at(0).kind == tokPreproc {
			break
		}
		p.pos++
	}
	return s
}

// declSpecifiers reads a type that a declarator follows, and stops at its name.
func (p *parser) declSpecifiers() (ctype, bool) {
	var t ctype
	last, words := -1, 0
	i := p.pos
scan:
	for ; i < len(p.toks) && i < p.pos+40; i++ {
		tok := p.toks[i]
		switch {
		case tok.kind == tokPreproc:
		case tok.kind == tokIdent:
			w := p.lx.text(tok)
			class := classOf(w)
			if class == keyword {
				return t, false
			}
			if w == "__attribute__" || w == "alignas" {
				if i+1 < len(p.toks) {
					i = matching(p.toks, i+1) - 1
				}
				continue
			}
			if last >= 0 {
				t.addWord(p.lx.text(p.toks[last]))
			}
			last = i
			if class != qualifier && class != tag {
				words++
			}
		case tok.kind != tokPunct:
			return t, false
		case (tok.op == '*' || tok.op == '&' || tok.op == opLogic) && last >= 0:
			t.addWord(p.lx.text(p.toks[last]))
			last = -1
			if t.name == "" {
				return t, false
			}
			if tok.op == '*' {
				t.ptr++
			} else {
				t.ref = true
			}
		case tok.op == '*' && t.ptr > 0:
			t.ptr++
		case tok.op == opScope:
			if last >= 0 { // only the last part of a qualified name counts
				last = -1
				words = max(0, words-1)
			}
		case tok.op == '<' && last >= 0:
			end := templateEnd(p.toks, i)
			if end < 0 {
				return t, false
			}
			i = end
		case tok.op == '{' && last >= 0 && (t.tagged || classOf(p.lx.text(p.toks[last])) == tag):
			i = matching(p.toks, i) - 1
			t.addWord(p.lx.text(p.toks[last]))
			if t.name == "" {
				t.name = "(anonymous)"
				words++
			}
			last = -1
		default:
			break scan
		}
	}
	if i >= len(p.toks) || last < 0 || t.name == "" && !(t.isConst || t.static) || words < 2 {
		return t, false
	}
	if next := p.toks[last+1]; i != last+1 && next.kind == tokPunct {
		return t, false // something stands between the name and what ends it
	}
	switch p.toks[i].op {
	case '=', ';', ',', '[', '(', '{', ':':
	default:
		return t, false
	}
	p.pos = last
	return t, t.name != ""
}

// templateEnd is the index of the '>' that closes a template's arguments.
func templateEnd(toks []token, i int) int {
	depth := 0
	for j := i; j < len(toks) && j < i+32; j++ {
		t := toks[j]
		if t.kind == tokIdent || t.kind == tokNumber {
			continue
		}
		switch t.op {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return j
			}
		case opShift:
			if depth -= 2; depth <= 0 {
				return j
			}
		case ',', '*', '&', opScope, '(', ')':
		default:
			return -1
		}
	}
	return -1
}

// declSuffix reads arrays, attributes and the initialiser after a name.
func (p *parser) declSuffix(d *decl) {
	for p.pos < len(p.toks) {
		switch {
		case p.is('['):
			d.array = true
			p.pos = matching(p.toks, p.pos)
		case p.word(0) == "__attribute__" || p.word(0) != "" && p.isAt(1, '('):
			p.pos++
			if p.is('(') {
				p.pos = matching(p.toks, p.pos)
			}
		case p.is('='):
			p.pos++
			d.init = p.expr()
			return
		case p.is('{'):
			d.init = p.list(ctype{})
			return
		case p.is('('):
			d.init = &node{kind: nodeCall, line: p.at(0).line, list: p.args(')')}
			return
		case p.at(0).kind == tokIdent:
			p.pos++ // an attribute macro
		default:
			return
		}
	}
}
