package source

// ctype is a C type as far as it matters here: the struct or typedef name and
// how many pointers lie before it.
type ctype struct {
	name    string
	ptr     int
	ref     bool // C++ reference
	isConst bool
	tagged  bool // written with struct, union or enum, or a builtin word
	static  bool
}

// wordClass says what a word may be in a declaration.
type wordClass uint8

const (
	plainWord wordClass = iota // a name
	qualifier
	tag
	builtin
	keyword // begins a statement or expression, never a type
)

func classOf(w string) wordClass {
	switch w {
	case "const", "volatile", "restrict", "__restrict", "__restrict__", "static", "extern", "inline", "__inline",
		"__inline__", "register", "typename", "constexpr", "thread_local", "_Thread_local", "__thread", "mutable",
		"virtual", "explicit", "friend", "auto", "typedef":
		return qualifier
	case "struct", "union", "enum", "class":
		return tag
	case "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool":
		return builtin
	case "return", "goto", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
		"sizeof", "new", "delete", "throw", "using", "operator", "try", "catch":
		return keyword
	}
	return plainWord
}

// parseType reads a whole type: words, stars, nothing else. ok is false when
// other tokens stand among them.
func parseType(lx *lexed, toks []token) (t ctype, ok bool) {
	for i := 0; i < len(toks); i++ {
		tok := toks[i]
		switch {
		case tok.kind == tokPreproc:
		case tok.kind == tokIdent:
			t.addWord(lx.text(tok))
		case tok.kind == tokPunct && tok.op == '*' && t.name != "":
			t.ptr++
		case tok.kind == tokPunct && tok.op == '&' && t.name != "":
			t.ref = true
		case tok.kind == tokPunct && tok.op == opScope:
		default:
			return t, false
		}
	}
	return t, t.name != ""
}

func (t *ctype) addWord(w string) {
	switch classOf(w) {
	case tag:
		t.tagged = true
	case builtin:
		t.tagged = true
		t.name = w
	case qualifier:
		switch w {
		case "const":
			t.isConst = true
		case "auto":
			t.name = w
		case "static", "thread_local":
			t.static = true
		}
	default:
		t.name = w
	}
}

// isName tells a word that may name a type or variable.
func isName(w string) bool {
	c := classOf(w)
	return c == plainWord || c == keyword
}

// castType reads the inside of parentheses as a type. A bare name counts: what
// follows it decides.
func castType(lx *lexed, toks []token) (ctype, bool) {
	if len(toks) == 0 || len(toks) > 12 || toks[0].kind != tokIdent || classOf(lx.text(toks[0])) == keyword {
		return ctype{}, false
	}
	t, ok := parseType(lx, toks)
	if !ok {
		return t, false
	}
	names := 0
	for i, tok := range toks {
		if tok.kind == tokPunct && (tok.op == '*' || tok.op == '&') && i+1 < len(toks) && toks[i+1].kind == tokIdent &&
			classOf(lx.text(toks[i+1])) != qualifier {
			return t, false // a product, not a pointer
		}
		if tok.kind == tokIdent && isName(lx.text(tok)) {
			names++
		}
	}
	return t, names <= 1
}
