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

var qualifiers = map[string]bool{
	"const": true, "volatile": true, "restrict": true, "__restrict": true, "__restrict__": true,
	"static": true, "extern": true, "inline": true, "__inline": true, "__inline__": true, "register": true,
	"typename": true, "constexpr": true, "thread_local": true, "_Thread_local": true, "__thread": true,
	"mutable": true, "virtual": true, "explicit": true, "friend": true, "auto": true, "typedef": true,
}

var tags = map[string]bool{"struct": true, "union": true, "enum": true, "class": true}

var builtins = map[string]bool{
	"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "unsigned": true, "bool": true, "_Bool": true,
}

// notTypes are words that begin a statement or expression, never a type.
var notTypes = map[string]bool{
	"return": true, "goto": true, "if": true, "else": true, "for": true, "while": true, "do": true,
	"switch": true, "case": true, "default": true, "break": true, "continue": true, "sizeof": true,
	"new": true, "delete": true, "throw": true, "using": true, "operator": true, "try": true, "catch": true,
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
	switch {
	case tags[w]:
		t.tagged = true
	case builtins[w]:
		t.tagged = true
		t.name = w
	case w == "const":
		t.isConst = true
	case w == "auto":
		t.name = w
	case w == "static" || w == "thread_local":
		t.static = true
	case qualifiers[w]:
	default:
		t.name = w
	}
}

// castType reads the inside of parentheses as a type. A bare name counts: what
// follows it decides.
func castType(lx *lexed, toks []token) (ctype, bool) {
	if len(toks) == 0 || len(toks) > 12 || toks[0].kind != tokIdent || notTypes[lx.text(toks[0])] {
		return ctype{}, false
	}
	t, ok := parseType(lx, toks)
	if !ok {
		return t, false
	}
	names := 0
	for i, tok := range toks {
		if tok.kind == tokPunct && (tok.op == '*' || tok.op == '&') && i+1 < len(toks) && toks[i+1].kind == tokIdent &&
			!qualifiers[lx.text(toks[i+1])] {
			return t, false // a product, not a pointer
		}
		if tok.kind == tokIdent && !qualifiers[lx.text(tok)] && !tags[lx.text(tok)] && !builtins[lx.text(tok)] {
			names++
		}
	}
	return t, names <= 1
}
