package source

import "strings"

// access is a use of a variable and its members. Indexes, casts and the
// difference of . and -> are gone: key is root.field.field.
type access struct {
	key   string
	addr  bool // & before it
	deref bool // * before it, or an index after it
}

// root is the variable's name.
func (p access) root() string {
	root, _, _ := strings.Cut(p.key, ".")
	return root
}

// bare tells a variable alone: no member, no & and no *.
func (p access) bare() bool { return !p.addr && !p.deref && !strings.Contains(p.key, ".") }

// pathOf reads n as a path. ok is false for other expressions.
func pathOf(n *node) (access, bool) {
	if n == nil {
		return access{}, false
	}
	switch n.kind {
	case nodeName:
		return access{key: n.text}, n.text != ""
	case nodeMember:
		p, ok := pathOf(n.x)
		return access{key: p.key + "." + n.text}, ok
	case nodeIndex:
		p, ok := pathOf(n.x)
		p.deref, p.addr = true, false
		return p, ok
	case nodeCast:
		return pathOf(n.x)
	case nodeUnary:
		p, ok := pathOf(n.x)
		switch {
		case n.op == '&' && p.deref:
			p.deref = false
		case n.op == '&':
			p.addr = true
		case n.op == '*' && p.addr:
			p.addr = false
		case n.op == '*':
			p.deref = true
		default:
			return p, false
		}
		return p, ok
	}
	return access{}, false
}

// below gives the part of key under base; ok is false when it is not there.
func below(key, base string) (rest string, ok bool) {
	if len(key) > len(base) && key[len(base)] == '.' && strings.HasPrefix(key, base) {
		return key[len(base)+1:], true
	}
	return "", false
}

func firstPart(key string) string {
	part, _, _ := strings.Cut(key, ".")
	return part
}

// render writes n as it would stand in the source, for messages.
func render(n *node) string {
	if n == nil {
		return ""
	}
	switch n.kind {
	case nodeName:
		return n.text
	case nodeMember:
		if n.op == opArrow {
			return render(n.x) + "->" + n.text
		}
		return render(n.x) + "." + n.text
	case nodeIndex:
		return render(n.x) + "[]"
	case nodeCast:
		return render(n.x)
	case nodeUnary:
		if n.op == '&' || n.op == '*' {
			return string(rune(n.op)) + render(n.x)
		}
		return render(n.x)
	}
	return ""
}

// stripCasts gives the expression under casts.
func stripCasts(n *node) *node {
	for n != nil && n.kind == nodeCast {
		n = n.x
	}
	return n
}

// calleeName is the name that a call goes to; indirect tells a member call.
func calleeName(n *node) (name string, indirect bool) {
	f := stripCasts(n.x)
	for f != nil && f.kind == nodeUnary && f.op == '*' {
		f = f.x
	}
	if f == nil {
		return "", true
	}
	switch f.kind {
	case nodeName:
		return f.text, false
	case nodeMember:
		return f.text, true
	}
	return "", true
}
