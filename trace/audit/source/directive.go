package source

import "slices"

// directive reads one preprocessor line at a '#'.
func (l *lexer) directive() {
	line := l.line
	l.pos++
	if !l.skipBlank(true) || l.src[l.pos] == '\n' {
		return
	}
	if !isIdentStart(l.src[l.pos]) {
		l.skipDirective()
		return
	}
	l.bol = false
	switch word := l.next(); l.out.text(word) {
	case "define":
		l.define(line)
		return
	case "if":
		l.conditional(l.ifOp(), line)
	case "ifdef", "ifndef":
		l.conditional(opIf, line)
	case "elif", "elifdef", "elifndef":
		l.conditional(opElif, line)
	case "else":
		l.conditional(opElse, line)
	case "endif":
		l.conditional(opEndif, line)
	}
	l.skipDirective()
}

func (l *lexer) conditional(op uint8, line int) {
	l.out.toks = append(l.out.toks, token{off: int32(l.pos), line: int32(line), kind: tokPreproc, op: op})
}

// ifOp tells #if 0 and #if 1 from conditions that are not known.
func (l *lexer) ifOp() uint8 {
	if !l.skipBlank(true) || l.src[l.pos] == '\n' {
		return opIf
	}
	t := l.next()
	if more := l.skipBlank(true) && l.src[l.pos] != '\n'; more {
		return opIf
	}
	switch l.out.text(t) {
	case "0", "false":
		return opIfZero
	case "1", "true":
		return opIfOne
	}
	return opIf
}

// skipDirective passes the rest of a preprocessor line, joined lines included.
func (l *lexer) skipDirective() {
	for l.skipBlank(true) && l.src[l.pos] != '\n' {
		if c := l.src[l.pos]; c == '"' {
			l.quoted(c)
		} else {
			l.pos++
		}
	}
}

// define reads a macro's name, parameters and body; joined lines belong to it.
func (l *lexer) define(line int) {
	if !l.skipBlank(true) || !isIdentStart(l.src[l.pos]) {
		l.skipDirective()
		return
	}
	m := macro{name: l.out.text(l.next()), line: line}
	if l.peek(0) == '(' {
		m.params = l.macroParams()
	}
	l.body = l.body[:0]
	block := false
	for l.skipBlank(true) && l.src[l.pos] != '\n' {
		t := l.next()
		block = block || t.kind == tokPunct && t.op == '{'
		l.body = append(l.body, t)
	}
	if len(l.body) >= 3 && (block || m.params != nil) { // else it is a constant or a name
		m.body = slices.Clone(l.body)
		l.out.macros = append(l.out.macros, m)
	}
}

func (l *lexer) macroParams() []string {
	params := []string{}
	for l.pos++; l.skipBlank(true) && l.src[l.pos] != '\n'; {
		t := l.next()
		switch {
		case t.kind == tokIdent:
			params = append(params, l.out.text(t))
		case t.op == ')':
			return params
		}
	}
	return params
}

// group is one #if ... #endif while conditionals are resolved.
type group struct {
	branches []branch
	start    int // index of the #if in the output
}

// branch is one alternative: tokens start to end of the output.
type branch struct {
	start, end   int
	dead         bool
	braces       int
	parens       int // and square brackets
	minBr, minPa int
}

func (b *branch) balanced() bool {
	return b.braces == 0 && b.parens == 0 && b.minBr >= 0 && b.minPa >= 0
}

func (b *branch) count(op uint8) {
	switch op {
	case '{':
		b.braces++
	case '}':
		b.braces--
		b.minBr = min(b.minBr, b.braces)
	case '(', '[':
		b.parens++
	case ')', ']':
		b.parens--
		b.minPa = min(b.minPa, b.parens)
	}
}

// resolveConditionals marks dead tokens and, where the alternatives of an #if
// cannot all stand in one text (their braces differ), keeps the first live one
// alone. Balanced alternatives stay, their directives between them.
//
// The result takes the place of the input.
func resolveConditionals(in []token) []token {
	first := slices.IndexFunc(in, func(t token) bool { return t.kind == tokPreproc })
	if first < 0 {
		return in
	}
	out := in[:first]
	var open []group
	skipped := 0 // groups nested too deeply, whose directives are dropped
	for _, t := range in[first:] {
		if t.kind != tokPreproc {
			if n := len(open); n > 0 && t.kind == tokPunct {
				bs := open[n-1].branches
				bs[len(bs)-1].count(t.op)
			}
			out = append(out, t)
			continue
		}
		isIf := t.op == opIf || t.op == opIfZero || t.op == opIfOne
		if skipped > 0 || isIf && len(open) >= maxNesting {
			if isIf {
				skipped++
			} else if t.op == opEndif {
				skipped--
			}
			continue
		}
		switch t.op {
		case opIf, opIfZero, opIfOne:
			out = append(out, t)
			open = append(open, group{start: len(out) - 1,
				branches: []branch{{start: len(out), dead: t.op == opIfZero}}})
		case opElif, opElse:
			if len(open) == 0 {
				continue
			}
			g := &open[len(open)-1]
			last := &g.branches[len(g.branches)-1]
			last.end = len(out)
			out = append(out, t)
			dead := out[g.start].op == opIfOne
			g.branches = append(g.branches, branch{start: len(out), dead: dead})
		case opEndif:
			if len(open) == 0 {
				continue
			}
			g := open[len(open)-1]
			open = open[:len(open)-1]
			g.branches[len(g.branches)-1].end = len(out)
			out = append(out, t)
			out = g.close(out, open)
		}
	}
	return out
}

// close drops or marks the group's alternatives, and adds what is kept to the
// counts of the enclosing branch.
func (g *group) close(out []token, open []group) []token {
	keepAll, anyDead := true, false
	for i := range g.branches {
		b := &g.branches[i]
		keepAll = keepAll && (b.dead || b.balanced())
		anyDead = anyDead || b.dead
	}
	if keepAll && !anyDead {
		return out
	}
	kept := out[:g.start]
	tail := append([]token(nil), out[g.start:]...)
	base := g.start
	if !keepAll {
		for i := range g.branches {
			if b := &g.branches[i]; !b.dead {
				b.addTo(open)
				return append(kept, tail[b.start-base:b.end-base]...)
			}
		}
		return kept
	}
	for i := range g.branches {
		b := &g.branches[i]
		if b.dead && !b.balanced() {
			continue
		}
		directive := tail[b.start-1-base]
		if len(kept) == base {
			directive.op = opIf
		}
		kept = append(kept, directive)
		for _, t := range tail[b.start-base : b.end-base] {
			if b.dead {
				t.size |= deadBit
			}
			kept = append(kept, t)
		}
	}
	if len(kept) == base {
		return kept
	}
	return append(kept, tail[len(tail)-1])
}

// addTo counts b's brackets in the innermost open group.
func (b *branch) addTo(open []group) {
	if len(open) == 0 {
		return
	}
	bs := open[len(open)-1].branches
	p := &bs[len(bs)-1]
	p.minBr = min(p.minBr, p.braces+b.minBr)
	p.minPa = min(p.minPa, p.parens+b.minPa)
	p.braces += b.braces
	p.parens += b.parens
}
