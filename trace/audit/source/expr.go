package source

// nodeKind is the form of an expression.
type nodeKind uint8

const (
	nodeOther  nodeKind = iota // a constant, or what was not understood
	nodeName                   // text
	nodeMember                 // x.text
	nodeIndex                  // x[y]
	nodeCall                   // x(list)
	nodeUnary                  // op x
	nodeBinary                 // x op y
	nodeAssign                 // x = y; op is '=' or opAssign
	nodeCond                   // x ? y : z
	nodeCast                   // (typ) x
	nodeList                   // {list}, of typ when a compound literal
	nodeField                  // .text = x in a list; list holds further parts
	nodeType                   // a type where a value stands: sizeof's operand, a macro argument
	nodeSizeof                 // sizeof x
	nodeNew                    // new typ(list); op is '(' when it has an initialiser
	nodeBlock                  // a statement expression or lambda: body
)

// node is an expression. A missing operand is nil.
type node struct {
	kind    nodeKind
	op      uint8
	line    int32
	text    string
	x, y, z *node
	list    []*node
	typ     ctype
	body    []*stmt
}

// maxNesting bounds recursion; deeper text is skipped, not understood.
const maxNesting = 120

// parser reads the tokens of one function body.
type parser struct {
	lx    *lexed
	toks  []token
	pos   int
	depth int
}

func (p *parser) at(n int) token {
	if i := p.pos + n; i >= 0 && i < len(p.toks) {
		return p.toks[i]
	}
	return token{kind: tokEOF}
}

func (p *parser) is(op uint8) bool { return p.isAt(0, op) }

func (p *parser) isAt(n int, op uint8) bool {
	t := p.at(n)
	return t.kind == tokPunct && t.op == op
}

func (p *parser) accept(op uint8) bool {
	if p.is(op) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) word(n int) string {
	if t := p.at(n); t.kind == tokIdent {
		return p.lx.text(t)
	}
	return ""
}

// skipPreproc passes directives that stand inside an expression.
func (p *parser) skipPreproc() {
	for p.at(0).kind == tokPreproc {
		p.pos++
	}
}

// matching is the index after the bracket that closes the one at i.
func matching(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		if toks[i].kind != tokPunct {
			continue
		}
		switch toks[i].op {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(toks)
}

// expr reads one expression without top-level commas. It always moves on
// unless at a closing bracket, comma, semicolon or the end.
func (p *parser) expr() *node {
	if p.depth++; p.depth > maxNesting {
		p.depth--
		p.pos = matching(p.toks, p.pos)
		return &node{}
	}
	defer func() { p.depth-- }()
	x := p.unary()
	for {
		p.skipPreproc()
		t := p.at(0)
		if t.kind != tokPunct {
			return x
		}
		switch t.op {
		case '=', opAssign:
			p.pos++
			return &node{kind: nodeAssign, op: t.op, line: t.line, x: x, y: p.expr()}
		case '?':
			p.pos++
			n := &node{kind: nodeCond, line: t.line, x: x}
			if !p.is(':') {
				n.y = p.expr()
			}
			if p.accept(':') {
				n.z = p.expr()
			}
			return n
		case '+', '-', '*', '/', '%', '&', '|', '^', '<', '>', opCompare, opLogic, opShift, opPaste:
			p.pos++
			x = &node{kind: nodeBinary, op: t.op, line: t.line, x: x, y: p.unary()}
		default:
			return x
		}
	}
}

// unary reads a prefix expression with its postfix parts.
func (p *parser) unary() *node {
	if p.depth++; p.depth > maxNesting {
		p.depth--
		p.pos = min(matching(p.toks, p.pos), len(p.toks))
		return &node{}
	}
	defer func() { p.depth-- }()
	p.skipPreproc()
	t := p.at(0)
	switch t.kind {
	case tokEOF:
		return nil
	case tokNumber, tokString, tokChar:
		p.pos++
		for p.at(0).kind == tokString {
			p.pos++
		}
		return p.postfix(&node{kind: nodeOther, line: t.line, text: p.lx.text(t)})
	case tokIdent:
		return p.postfix(p.name())
	}
	switch t.op {
	case ')', ']', '}', ',', ';', ':':
		return nil
	case '(':
		return p.paren()
	case '{':
		return p.list(ctype{})
	case '[':
		return p.lambda()
	case opScope:
		p.pos++
		return p.unary()
	default:
		p.pos++
		return &node{kind: nodeUnary, op: t.op, line: t.line, x: p.unary()}
	}
}

// paren reads a cast, a compound literal, a statement expression or a group.
func (p *parser) paren() *node {
	t := p.at(0)
	if p.isAt(1, '{') {
		end := matching(p.toks, p.pos+1)
		n := &node{kind: nodeBlock, line: t.line, body: p.sub(p.pos+2, end-1)}
		p.pos = end
		p.accept(')')
		return p.postfix(n)
	}
	end := matching(p.toks, p.pos)
	if typ, ok := castType(p.lx, p.toks[p.pos+1:max(p.pos+1, end-1)]); ok && p.startsOperand(end, typ) {
		p.pos = end
		if p.is('{') {
			return p.postfix(p.list(typ))
		}
		return &node{kind: nodeCast, line: t.line, typ: typ, x: p.unary()}
	}
	p.pos++
	x := p.expr()
	for p.accept(',') {
		x = &node{kind: nodeBinary, op: ',', line: t.line, x: x, y: p.expr()}
	}
	if !p.accept(')') {
		p.pos = max(p.pos, end)
	}
	return p.postfix(x)
}

// startsOperand tells whether the token at i can follow a cast to typ.
func (p *parser) startsOperand(i int, typ ctype) bool {
	if i >= len(p.toks) {
		return false
	}
	t := p.toks[i]
	switch t.kind {
	case tokIdent, tokNumber, tokString, tokChar:
		return true
	case tokPunct:
		switch t.op {
		case '(', '{', '~', '!':
			return true
		case '&', '*', '-', '+', opIncDec:
			return typ.ptr > 0 || typ.tagged
		}
	}
	return false
}

// sub parses the tokens from start to end as statements.
func (p *parser) sub(start, end int) []*stmt {
	if end < start {
		return nil
	}
	q := parser{lx: p.lx, toks: p.toks[start:end], depth: p.depth}
	return q.block()
}

// name reads an identifier, or a form that begins with a keyword.
func (p *parser) name() *node {
	t := p.at(0)
	word := p.lx.text(t)
	switch word {
	case "sizeof", "alignof", "_Alignof", "typeof", "__typeof__", "__typeof":
		p.pos++
		return p.sizeof(t, word)
	case "struct", "union", "enum", "const", "unsigned", "signed", "volatile":
		start := p.pos
		for p.at(0).kind == tokIdent || p.is('*') {
			p.pos++
		}
		typ, _ := parseType(p.lx, p.toks[start:p.pos])
		return &node{kind: nodeType, line: t.line, typ: typ}
	case "new":
		p.pos++
		return p.newExpr(t)
	case "delete", "throw", "co_await":
		p.pos++
		if p.is('[') {
			p.pos = matching(p.toks, p.pos)
		}
		return &node{kind: nodeUnary, line: t.line, text: word, x: p.unary()}
	case "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast":
		if n := p.namedCast(t); n != nil {
			return n
		}
	}
	p.pos++
	for p.is(opScope) && p.at(1).kind == tokIdent || p.is(opPaste) && p.at(1).kind == tokIdent {
		word = p.word(1)
		p.pos += 2
	}
	return &node{kind: nodeName, line: t.line, text: word}
}

func (p *parser) sizeof(t token, word string) *node {
	n := &node{kind: nodeSizeof, line: t.line, text: word}
	if !p.is('(') {
		n.x = p.unary()
		return n
	}
	end := matching(p.toks, p.pos)
	inner := p.toks[p.pos+1 : max(p.pos+1, end-1)]
	if typ, ok := parseType(p.lx, inner); ok && (typ.tagged || typ.ptr > 0) {
		n.x = &node{kind: nodeType, line: t.line, typ: typ}
		p.pos = end
		return n
	}
	n.x = p.unary()
	return n
}

// newExpr reads what follows C++ new.
func (p *parser) newExpr(t token) *node {
	if p.is('(') {
		p.pos = matching(p.toks, p.pos)
	}
	start := p.pos
	for p.at(0).kind == tokIdent || p.is('*') || p.is(opScope) {
		p.pos++
	}
	n := &node{kind: nodeNew, line: t.line}
	n.typ, _ = parseType(p.lx, p.toks[start:p.pos])
	if p.is('[') {
		p.pos = matching(p.toks, p.pos)
	}
	if p.is('(') || p.is('{') {
		n.op = '('
		p.pos = matching(p.toks, p.pos)
	}
	return n
}

func (p *parser) namedCast(t token) *node {
	if !p.isAt(1, '<') {
		return nil
	}
	i := p.pos + 2
	for i < len(p.toks) && !(p.toks[i].kind == tokPunct && p.toks[i].op == '>') {
		i++
	}
	typ, _ := parseType(p.lx, p.toks[p.pos+2:i])
	p.pos = min(i+1, len(p.toks))
	return &node{kind: nodeCast, line: t.line, typ: typ, x: p.unary()}
}

// postfix reads member accesses, indexes and calls after x.
func (p *parser) postfix(x *node) *node {
	for parts := 0; ; parts++ {
		if parts > maxNesting {
			x = &node{}
			parts = 0
		}
		p.skipPreproc()
		t := p.at(0)
		if t.kind != tokPunct {
			return x
		}
		switch t.op {
		case '.', opArrow:
			p.pos++
			if p.is('*') || p.is('~') {
				p.pos++
			}
			if p.at(0).kind != tokIdent {
				return x
			}
			x = &node{kind: nodeMember, op: t.op, line: t.line, text: p.word(0), x: x}
			p.pos++
		case '[':
			p.pos++
			x = &node{kind: nodeIndex, line: t.line, x: x, y: p.expr()}
			p.closeBracket(']')
		case '(':
			x = &node{kind: nodeCall, line: t.line, x: x, list: p.args(')')}
		case opIncDec:
			p.pos++
		default:
			return x
		}
	}
}

// closeBracket passes what was not understood up to the bracket that closes.
func (p *parser) closeBracket(op uint8) {
	for p.pos < len(p.toks) {
		if p.accept(op) {
			return
		}
		t := p.at(0)
		if t.kind == tokPunct && (t.op == '(' || t.op == '[' || t.op == '{') {
			p.pos = matching(p.toks, p.pos)
			continue
		}
		if t.kind == tokPunct && (t.op == ')' || t.op == ']' || t.op == '}') {
			return
		}
		p.pos++
	}
}

// args reads a bracketed list of expressions, the opening bracket included.
func (p *parser) args(closing uint8) []*node {
	p.pos++
	var list []*node
	for p.pos < len(p.toks) {
		p.skipPreproc()
		if p.accept(closing) {
			return list
		}
		if p.accept(',') {
			continue
		}
		if p.is(')') || p.is(']') || p.is('}') {
			return list
		}
		before := p.pos
		if n := p.expr(); n != nil {
			list = append(list, n)
		}
		if p.pos == before {
			p.pos++
		}
	}
	return list
}

// list reads an initialiser list; designators become nodeField.
func (p *parser) list(typ ctype) *node {
	n := &node{kind: nodeList, line: p.at(0).line, typ: typ}
	if p.depth++; p.depth > maxNesting {
		p.depth--
		p.pos = matching(p.toks, p.pos)
		return n
	}
	defer func() { p.depth-- }()
	p.pos++
	for p.pos < len(p.toks) {
		p.skipPreproc()
		switch {
		case p.accept('}'):
			return n
		case p.is(')') || p.is(']'):
			return n
		case p.accept(','):
		case p.is('.') && p.at(1).kind == tokIdent, p.is('['):
			n.list = append(n.list, p.designated())
		default:
			before := p.pos
			if e := p.expr(); e != nil {
				n.list = append(n.list, e)
			}
			if p.pos == before {
				p.pos++
			}
		}
	}
	return n
}

// designated reads .a.b[1] = value.
func (p *parser) designated() *node {
	n := &node{kind: nodeField, line: p.at(0).line}
	for {
		switch {
		case p.is('.') && p.at(1).kind == tokIdent:
			if n.text == "" {
				n.text = p.word(1)
			} else {
				n.list = append(n.list, &node{kind: nodeName, text: p.word(1)})
			}
			p.pos += 2
		case p.is('['):
			p.pos = matching(p.toks, p.pos)
		default:
			if p.accept('=') || p.is('{') {
				n.x = p.expr()
			}
			return n
		}
	}
}

// lambda reads a C++ lambda, or passes a bracket that is none.
func (p *parser) lambda() *node {
	n := &node{kind: nodeBlock, line: p.at(0).line}
	p.pos = matching(p.toks, p.pos)
	if p.is('(') {
		p.pos = matching(p.toks, p.pos)
	}
	for i := 0; i < 8 && !p.is('{') && (p.at(0).kind == tokIdent || p.is(opArrow) || p.is('*') || p.is('&')); i++ {
		p.pos++
	}
	if p.is('{') {
		end := matching(p.toks, p.pos)
		n.body = p.sub(p.pos+1, end-1)
		p.pos = end
	}
	return p.postfix(n)
}
