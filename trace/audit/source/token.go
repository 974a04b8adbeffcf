package source

import (
	"slices"
	"strings"
)

// tokenKind is the lexical class of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokIdent
	tokNumber
	tokString
	tokChar
	tokPunct
	tokPreproc // #if, #elif, #else, #endif; op tells which
)

// Operators of more than one character have their own codes, below the
// printable characters, which stand for themselves.
const (
	opArrow    = 1 + iota // ->
	opScope               // ::
	opAssign              // += and its kin, but not =
	opCompare             // == != <= >=
	opLogic               // && ||
	opIncDec              // ++ --
	opShift               // << >>
	opEllipsis            // ...
	opPaste               // ##
	opIf                  // #if, #ifdef, #ifndef
	opElif                // #elif and its kin
	opElse                // #else
	opEndif               // #endif
	opIfZero              // #if 0
	opIfOne               // #if 1
	lastOpCode            // none above
)

// token is one lexical token. It is small: a tree has millions.
type token struct {
	off  int32
	line int32
	size uint16 // of its text in bytes, at most maxSize, and deadBit
	kind tokenKind
	op   uint8
}

const (
	deadBit = 1 << 15 // inside #if 0
	maxSize = deadBit - 1
)

func (t token) dead() bool { return t.size&deadBit != 0 }

// macro is a function-like or object-like #define.
type macro struct {
	name   string
	params []string // nil for an object-like macro
	body   []token
	line   int
}

// lexed is what one file holds, before structure.
type lexed struct {
	src    string
	toks   []token
	macros []macro
}

// text is the token's text; of a longer one than maxSize, its beginning.
func (l *lexed) text(t token) string { return l.src[t.off : t.off+int32(t.size&maxSize)] }

// lexer reads one file; it accepts any bytes.
type lexer struct {
	src  string
	pos  int
	line int
	bol  bool // only blanks since the line's start
	out  *lexed
	body []token // of the macro being read; reused
}

// maxSource bounds a file so that offsets fit a token.
const maxSource = 1 << 30

// lex reads src as C or C++ tokens, conditional sections resolved. It never fails: a byte that starts no
// token becomes a punctuation token of its own.
func (r *reader) lex(src string) *lexed {
	if len(src) > maxSource {
		src = src[:maxSource]
	}
	l := lexer{src: src, line: 1, bol: true, out: &lexed{src: src, toks: r.toks[:0]}}
	for l.skipBlank(false) {
		if l.bol && l.src[l.pos] == '#' {
			l.directive()
			continue
		}
		l.bol = false
		l.out.toks = append(l.out.toks, l.next())
	}
	r.toks = l.out.toks
	l.out.toks = slices.Clone(resolveConditionals(r.toks))
	return l.out
}

// skipBlank passes blanks and comments. With oneLine it stops at a newline
// that no backslash joins. It reports false at the end of the input.
func (l *lexer) skipBlank(oneLine bool) bool {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c > '/' && c != '\\':
			return true
		case c == ' ':
			l.pos++
		case c == '\n':
			if oneLine {
				return true
			}
			l.line++
			l.pos++
			l.bol = true
		case c <= ' ':
			l.pos++
		case c == '\\' && l.joinedNewline() > 0:
			l.pos += l.joinedNewline()
			l.line++
		case c == '/' && l.peek(1) == '/':
			l.skipLineComment()
		case c == '/' && l.peek(1) == '*':
			l.skipBlockComment()
		default:
			return true
		}
	}
	return false
}

// joinedNewline is the length of a backslash, blanks and newline at pos, or 0.
func (l *lexer) joinedNewline() int {
	i := l.pos + 1
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t' || l.src[i] == '\r') {
		i++
	}
	if i < len(l.src) && l.src[i] == '\n' {
		return i + 1 - l.pos
	}
	return 0
}

func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *lexer) skipLineComment() {
	for {
		n := strings.IndexByte(l.src[l.pos:], '\n')
		if n < 0 {
			l.pos = len(l.src)
			return
		}
		text := strings.TrimRight(l.src[l.pos:l.pos+n], " \t\r")
		l.pos += n
		if !strings.HasSuffix(text, "\\") {
			return
		}
		l.pos++
		l.line++
	}
}

func (l *lexer) skipBlockComment() {
	start := l.pos + 2
	if n := strings.Index(l.src[start:], "*/"); n >= 0 {
		l.pos = start + n + 2
	} else {
		l.pos = len(l.src)
	}
	l.line += strings.Count(l.src[start:l.pos], "\n")
}

func isIdentStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// inIdent tells the bytes that may stand within an identifier.
var inIdent = func() (table [256]bool) {
	for c := range table {
		table[c] = isIdentStart(byte(c)) || isDigit(byte(c))
	}
	return table
}()

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// next reads one token at pos, which is not blank.
func (l *lexer) next() token {
	start, line := l.pos, l.line
	kind, op := tokPunct, uint8(0)
	switch c := l.src[l.pos]; {
	case isIdentStart(c):
		end := start + 1
		for end < len(l.src) && inIdent[l.src[end]] {
			end++
		}
		l.pos = end
		kind = tokIdent
		if l.peek(0) == '"' && l.pos-start <= 3 && l.src[l.pos-1] == 'R' {
			l.rawString()
			kind = tokString
		}
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		l.number()
		kind = tokNumber
	case c == '"':
		l.quoted('"')
		kind = tokString
	case c == '\'':
		l.quoted('\'')
		kind = tokChar
	default:
		var n int
		op, n = operator(l.src[l.pos:])
		l.pos += n
	}
	return token{off: int32(start), line: int32(line), size: uint16(min(l.pos-start, maxSize)), kind: kind, op: op}
}

func (l *lexer) number() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case (c == '+' || c == '-') && (l.src[l.pos-1]|0x20 == 'e' || l.src[l.pos-1]|0x20 == 'p'):
		case isDigit(c) || isIdentStart(c) || c == '.':
		case c == '\'' && isDigit(l.peek(1)): // C++14 separator
		default:
			return
		}
		l.pos++
	}
}

// quoted reads a string or character constant; it ends at a bare newline.
func (l *lexer) quoted(q byte) {
	l.pos++
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case q:
			l.pos++
			return
		case '\n':
			return
		case '\\':
			if n := l.joinedNewline(); n > 0 {
				l.pos += n
				l.line++
				continue
			}
			l.pos++
			if l.pos < len(l.src) && l.src[l.pos] == '\n' {
				return
			}
		}
		if l.pos < len(l.src) {
			l.pos++
		}
	}
}

// rawString reads a C++ raw string whose quote is at pos.
func (l *lexer) rawString() {
	l.pos++
	open := l.pos
	for l.pos < len(l.src) && l.pos-open <= 16 && l.src[l.pos] != '(' {
		l.pos++
	}
	if l.peek(0) != '(' {
		return
	}
	closing := ")" + l.src[open:l.pos] + `"`
	for l.pos < len(l.src) {
		if l.src[l.pos] == '\n' {
			l.line++
		}
		if l.src[l.pos] == ')' && l.pos+len(closing) <= len(l.src) && l.src[l.pos:l.pos+len(closing)] == closing {
			l.pos += len(closing)
			return
		}
		l.pos++
	}
}

// operator gives the code and length of the punctuation at the start of s.
func operator(s string) (uint8, int) {
	c := s[0]
	switch c {
	case '(', ')', ',', ';', '{', '}', '[', ']':
		return c, 1
	}
	var d byte
	if len(s) > 1 {
		d = s[1]
	}
	switch {
	case c == '-' && d == '>':
		return opArrow, 2
	case c == ':' && d == ':':
		return opScope, 2
	case c == '.' && d == '.' && len(s) > 2 && s[2] == '.':
		return opEllipsis, 3
	case c == '#' && d == '#':
		return opPaste, 2
	case (c == '<' || c == '>') && c == d:
		if len(s) > 2 && s[2] == '=' {
			return opAssign, 3
		}
		return opShift, 2
	case (c == '+' || c == '-') && c == d:
		return opIncDec, 2
	case (c == '&' || c == '|') && c == d:
		return opLogic, 2
	case d == '=':
		switch c {
		case '=', '!', '<', '>':
			return opCompare, 2
		case '+', '-', '*', '/', '%', '&', '|', '^':
			return opAssign, 2
		}
	}
	if c < lastOpCode {
		c = '?' // control bytes must not read as an operator code
	}
	return c, 1
}
