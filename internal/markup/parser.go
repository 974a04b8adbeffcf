package markup

import (
	"bytes"
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
)

// Tag is what the opening tag of a call says.
type Tag struct {
	No     uint64
	HasNo  bool
	Twice  bool   // more than one no stands there; the last counts
	Class  []byte // as written, aliases the text
	Method []byte
	Body   int // offset of what follows the tag, in the whole text
}

// Fault is the place where a call stops being one, and why.
type Fault struct {
	At     int // offset in the whole text
	Reason Reason
	Word   string // the element or character concerned, may be empty
}

// Reason says why a call is malformed.
type Reason uint8

// The reasons.
const (
	NoFault    Reason = iota
	EndOfText         // the text ends inside the call
	BadTag            // a tag is not one
	WrongClose        // a closing tag does not fit what is open
	StrayText         // text where only elements may stand
	TooDeep           // more than MaxDepth values within values
	StrayCall         // a call within a call
	BadSection        // a CDATA section without its end
)

var reasonWords = [...]string{
	NoFault:    "nothing",
	EndOfText:  "the text ends inside the call",
	BadTag:     "not a tag",
	WrongClose: "another closing tag was expected",
	StrayText:  "an element was expected, not text",
	TooDeep:    "values are nested more than 200 deep",
	StrayCall:  "</call> was expected before the next call",
	BadSection: "the CDATA section has no ]]></string>",
}

// String says the fault in words.
func (f Fault) String() string {
	words := "unknown fault"
	if int(f.Reason) < len(reasonWords) {
		words = reasonWords[f.Reason]
	}
	if f.Word == "" {
		return words
	}
	return fmt.Sprintf("%s (at %q)", words, f.Word)
}

// Parser turns calls into tapes. It keeps nothing between calls but scratch.
type Parser struct {
	b     []byte
	i     int
	nodes []pipe.Node
	base  int // of this call's nodes
	fault Fault
}

// OpenTag reads the opening tag of the call at offset at. The fault's reason is
// NoFault when it is one.
func (p *Parser) OpenTag(b []byte, at int) (t Tag, f Fault) {
	p.b, p.i, p.fault = b, min(at+len("<call"), len(b)), Fault{}
	numbered := false
	for {
		name, value, ok := p.attr()
		if !ok {
			break
		}
		switch string(name) {
		case "no":
			t.No, t.HasNo = decimal(value)
			t.Twice, numbered = numbered, true
		case "class":
			t.Class = value
		case "method":
			t.Method = value
		}
	}
	if p.fault.Reason == NoFault && p.b[p.i-2] == '/' {
		p.fail(BadTag)
	}
	t.Body = p.i
	return t, p.fault
}

// Body reads what follows a call's opening tag up to its </call>, appends the
// values to nodes, and returns where the call ends. On a fault the values up to
// there are kept, those that break off are marked open, and the end is not known.
func (p *Parser) Body(b []byte, at int, nodes []pipe.Node) (out []pipe.Node, end int, f Fault) {
	p.b, p.i, p.nodes, p.base, p.fault = b, at, nodes, len(nodes), Fault{}
	for p.child() {
	}
	nodes, p.nodes, p.b = p.nodes, nil, nil
	return nodes, p.i, p.fault
}

// String reads a <string> that stands outside any call, from its start.
func (p *Parser) String(b []byte, at int, nodes []pipe.Node) ([]pipe.Node, Fault) {
	p.b, p.i, p.nodes, p.base, p.fault = b, at, nodes, len(nodes), Fault{}
	p.value(spot{role: pipe.BareRole}, 0)
	nodes, p.nodes, p.b = p.nodes, nil, nil
	return nodes, p.fault
}

// spot is where a value stands: its role, and the span of its name.
type spot struct {
	role      pipe.Role
	off, size uint32
}

// child reads one child of the call. It is false after </call> or a fault.
func (p *Parser) child() bool {
	b, i := p.b, p.i
	for i < len(b) && b[i] != '<' { // white space, or what a driver printed
		i++
	}
	p.i = i
	switch {
	case at(b, i, "<arg name='"):
		return p.holder(pipe.ArgRole, 0)
	case at(b, i, "<ret>"):
		return p.holder(pipe.RetRole, 0)
	case at(b, i, "<time>"):
		return p.holder(pipe.TimeRole, 0)
	case at(b, i, "</call"):
		p.closeTag("call")
		return false
	case opens(b[i:], "<arg"):
		return p.holder(pipe.ArgRole, 0)
	case opens(b[i:], "<ret"):
		return p.holder(pipe.RetRole, 0)
	case opens(b[i:], "<time"):
		return p.holder(pipe.TimeRole, 0)
	case at(b, i, "<!--"), at(b, i, "<?"):
		return p.skipAside()
	}
	return p.value(spot{}, 0)
}

var roleElements = [...]string{pipe.BareRole: "", pipe.ArgRole: "arg", pipe.RetRole: "ret", pipe.TimeRole: "time", pipe.ElemRole: "elem", pipe.MemberRole: "member"}

// holder reads an arg, ret, time, elem or member with the value in it.
func (p *Parser) holder(role pipe.Role, depth int) bool {
	element := roleElements[role]
	p.i += 1 + len(element)
	where := spot{role: role}
	if at(p.b, p.i, ">") {
		p.i++
	} else if p.name(&where) {
		// as Mesa writes it
	} else if closed, ok := p.holderTag(&where); !ok || closed {
		if closed {
			p.node(pipe.UnknownValue, where)
		}
		return ok
	}
	first := len(p.nodes)
	if !p.held(where, depth) {
		return false
	}
	if at(p.b, p.i, "</") {
		return p.closeTag(element)
	}
	return p.several(where, first, depth) && p.closeTag(element)
}

// name reads the rest of a holder's tag, spelled as Mesa does: one attribute,
// and nothing else.
func (p *Parser) name(where *spot) bool {
	const before = len(" name='")
	if !at(p.b, p.i, " name='") {
		return false
	}
	start := p.i + before
	for i, c := range p.b[start:] {
		if c == '\'' {
			end := start + i
			if !at(p.b, end, "'>") {
				return false
			}
			where.off, where.size = uint32(start), uint32(i)
			p.i = end + 2
			return true
		}
		if c == '<' || c == '\n' {
			return false
		}
	}
	return false
}

// holderTag reads the attributes of a holder; closed is true for <arg/>.
func (p *Parser) holderTag(where *spot) (closed, ok bool) {
	for {
		name, value, more := p.attr()
		if !more {
			return p.fault.Reason == NoFault && p.b[p.i-2] == '/', p.fault.Reason == NoFault
		}
		if string(name) == "name" {
			where.off, where.size = uint32(p.i-1-len(value)), uint32(len(value))
		}
	}
}

// held reads the first value in a holder, which takes the holder's name. A
// holder without any value yields an unknown without a name.
func (p *Parser) held(where spot, depth int) bool {
	p.skipSpace()
	switch {
	case at(p.b, p.i, "</"):
		p.node(pipe.UnknownValue, where)
		return true
	case opens(p.b[p.i:], "<arg"):
		// Mesa 19.1 to 21.0 wrote set_shader_buffers with an arg in an arg. The
		// value is that of both; the outer name counts.
		n := len(p.nodes)
		if depth > MaxDepth {
			return p.fail(TooDeep)
		}
		if !p.holder(pipe.ArgRole, depth+1) {
			return false
		}
		p.nodes[n].Role, p.nodes[n].NameOff, p.nodes[n].NameLen = where.role, where.off, where.size
	default:
		if !p.value(where, depth) {
			return false
		}
	}
	p.skipSpace()
	return true
}

// several reads the further values of a holder that has more than one: all
// become the content of an unknown without a name.
func (p *Parser) several(where spot, first, depth int) bool {
	p.nodes = append(p.nodes, pipe.Node{})
	copy(p.nodes[first+1:], p.nodes[first:])
	p.nodes[first] = pipe.Node{Kind: pipe.UnknownValue, Role: where.role, NameOff: where.off, NameLen: where.size, Open: true}
	for n := first + 1; n < len(p.nodes); n++ {
		p.nodes[n].Next++
	}
	p.nodes[first+1].Role, p.nodes[first+1].NameOff, p.nodes[first+1].NameLen = pipe.BareRole, 0, 0
	ok := true
	for ok && !at(p.b, p.i, "</") {
		ok = p.held(spot{}, depth)
	}
	p.nodes[first].Open = !ok
	p.nodes[first].Next = p.next()
	return ok
}

// skipAside skips a comment or processing instruction, as far as Scanner does.
func (p *Parser) skipAside() bool {
	rest := p.b[p.i:]
	if opens(rest, "<?xml") {
		return p.fail(StrayCall)
	}
	end := 0
	if rest[1] == '!' {
		end, _ = commentEnd(rest, true)
		if end == len("<!--") {
			return p.fail(BadTag)
		}
	} else {
		if next := bytes.IndexByte(rest[1:], '<'); next >= 0 {
			rest = rest[:1+next]
		}
		end = bytes.Index(rest, []byte("?>")) + len("?>")
		if end < len("<??>") {
			return p.fail(BadTag)
		}
	}
	p.i += end
	return true
}

func (p *Parser) skipSpace() {
	for p.i < len(p.b) && p.b[p.i] != '<' {
		if !isSpace(p.b[p.i]) {
			return
		}
		p.i++
	}
	if at(p.b, p.i, "<!--") && p.skipAside() {
		p.skipSpace()
	}
}

// next is the index behind the last node, as the call counts.
func (p *Parser) next() uint32 { return uint32(len(p.nodes) - p.base) }

// node appends a node without text.
func (p *Parser) node(kind pipe.ValueKind, where spot) {
	p.nodes = append(p.nodes, pipe.Node{
		Kind: kind, Role: where.role,
		NameOff: where.off, NameLen: where.size,
		Next: p.next() + 1,
	})
}

// fail notes the fault at the present place. It is always false.
func (p *Parser) fail(r Reason) bool {
	if p.fault.Reason != NoFault {
		return false
	}
	if p.i >= len(p.b) || bytes.IndexByte(p.b[p.i:], '>') < 0 {
		r, p.i = EndOfText, len(p.b) // a tag that breaks off is no wrong tag
	}
	word := p.b[p.i:min(len(p.b), p.i+24)]
	if n := bytes.IndexAny(word, ">\n"); n >= 0 {
		word = word[:n+1]
	}
	p.fault = Fault{At: p.i, Reason: r, Word: string(word)}
	return false
}

// closeTag reads the closing tag of that element.
func (p *Parser) closeTag(element string) bool {
	b, i := p.b, p.i
	end := i + len("</") + len(element)
	if end < len(b) && b[end] == '>' && b[i] == '<' && b[i+1] == '/' && string(b[i+2:end]) == element {
		p.i = end + 1
		return true
	}
	return p.closeTagSlow(element)
}

func (p *Parser) closeTagSlow(element string) bool {
	rest := p.b[p.i:]
	tag := "</" + element
	if !hasPrefix(rest, tag) {
		if len(rest) < len(tag) && hasPrefix(tag, string(rest)) {
			p.i = len(p.b)
		}
		return p.fail(WrongClose)
	}
	i := len(tag)
	for i < len(rest) && isSpace(rest[i]) {
		i++
	}
	if i == len(rest) {
		p.i = len(p.b)
	} else if rest[i] == '>' {
		p.i += i + 1
		return true
	}
	return p.fail(WrongClose)
}

// attr reads the next attribute of a tag. At the tag's end it is false, and the
// place is behind the '>'.
func (p *Parser) attr() (name, value []byte, ok bool) {
	b, i := p.b, p.i
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	switch {
	case at(b, i, ">"):
		p.i = i + 1
		return nil, nil, false
	case at(b, i, "/>"):
		p.i = i + 2
		return nil, nil, false
	}
	start := i
	for i < len(b) && isNameByte(b[i]) {
		i++
	}
	name = b[start:i]
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	p.i = i
	if len(name) == 0 || !at(b, i, "=") {
		return nil, nil, p.fail(BadTag)
	}
	i++
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	p.i = i
	if i >= len(b) || b[i] != '\'' && b[i] != '"' {
		return nil, nil, p.fail(BadTag)
	}
	quote := b[i]
	i++
	start = i
	for i < len(b) && b[i] != quote {
		if b[i] == '<' || b[i] == '\n' {
			p.i = i
			return nil, nil, p.fail(BadTag)
		}
		i++
	}
	p.i = i
	if i >= len(b) {
		return nil, nil, p.fail(BadTag)
	}
	p.i = i + 1
	return name, b[start:i], true
}

func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':'
}

func decimal(b []byte) (n uint64, ok bool) {
	for _, c := range b {
		d := uint64(c - '0')
		if d > 9 || n > (1<<64-1)/10 {
			return 0, false
		}
		n = n*10 + d
		if n < d {
			return 0, false
		}
	}
	return n, len(b) > 0
}

// at is true when s stands at offset i of b.
func at(b []byte, i int, s string) bool {
	return len(b)-i >= len(s) && string(b[i:i+len(s)]) == s
}
