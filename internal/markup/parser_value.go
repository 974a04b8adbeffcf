package markup

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// value reads one value.
func (p *Parser) value(where spot, depth int) bool {
	b, i := p.b, p.i
	switch {
	case at(b, i, "<uint>"):
		return p.scalar(pipe.UintValue, "uint", where)
	case at(b, i, "<ptr>"):
		return p.scalar(pipe.PtrValue, "ptr", where)
	case at(b, i, "<int>"):
		return p.scalar(pipe.IntValue, "int", where)
	case at(b, i, "<bool>"):
		return p.scalar(pipe.BoolValue, "bool", where)
	case at(b, i, "<enum>"):
		return p.scalar(pipe.EnumValue, "enum", where)
	case at(b, i, "<float>"):
		return p.scalar(pipe.FloatValue, "float", where)
	case at(b, i, "<null/>"):
		p.i += len("<null/>")
		p.node(pipe.NullValue, where)
		return true
	case at(b, i, "<struct name='"):
		p.i += len("<struct")
		return p.structure(where, depth)
	case at(b, i, "<array>"):
		p.i += len("<array>")
		return p.array(where, depth)
	case at(b, i, "<bytes>"):
		return p.scalar(pipe.BytesValue, "bytes", where)
	case at(b, i, "<string>"):
		return p.str(where)
	}
	return p.anyElement(where, depth)
}

// scalar reads the text and the closing tag of a scalar whose opening tag stands
// at the present place. A text that breaks off is left out: part of a number is
// another number.
func (p *Parser) scalar(kind pipe.ValueKind, element string, where spot) bool {
	p.i += len(element) + len("<>")
	return p.scalarText(kind, element, where)
}

func (p *Parser) scalarText(kind pipe.ValueKind, element string, where spot) bool {
	start := p.i
	if !p.text() || !p.closeTag(element) {
		return false
	}
	end := p.i - len("</>") - len(element)
	if p.b[end] != '<' { // white space within the closing tag
		end = start + bytes.IndexByte(p.b[start:], '<')
	}
	p.nodes = append(p.nodes, pipe.Node{
		Kind: kind, Role: where.role,
		NameOff: where.off, NameLen: where.size,
		TextOff: uint32(start), TextLen: uint32(end - start),
		Next: p.next() + 1,
	})
	return true
}

// text goes on to the next '<'.
func (p *Parser) text() bool {
	b, i := p.b, p.i
	for limit := min(len(b), i+32); i < limit; i++ {
		if b[i] == '<' {
			p.i = i
			return true
		}
	}
	n := bytes.IndexByte(b[i:], '<')
	if n < 0 {
		p.i = len(b)
		return p.fail(EndOfText)
	}
	p.i = i + n
	return true
}

// str reads a <string>, whose text is escaped or one CDATA section.
func (p *Parser) str(where spot) bool {
	p.i += len("<string>")
	return p.strText(where)
}

func (p *Parser) strText(where spot) bool {
	n := len(p.nodes)
	p.node(pipe.StringValue, where)
	node := &p.nodes[n]
	node.Open = true
	start := p.i
	if !at(p.b, p.i, "<![CDATA[") {
		ok := p.text()
		node.TextOff, node.TextLen = uint32(start), uint32(p.i-start)
		if !ok || !p.closeTag("string") {
			return false
		}
		node.Open = false
		return true
	}
	node.Literal = true
	end, flaw, _ := sectionEnd(p.b, start, start, settled, true)
	start += len("<![CDATA[")
	node.TextOff, node.TextLen = uint32(start), uint32(max(end, start)-start)
	p.i = end
	if flaw != Sound {
		return p.fail(BadSection)
	}
	node.TextLen = uint32(max(end-len("]]>"), start) - start)
	node.Open = false
	return p.closeTag("string")
}

// array reads the elements and the end of an array behind its opening tag.
func (p *Parser) array(where spot, depth int) bool {
	n := len(p.nodes)
	p.node(pipe.ArrayValue, where)
	return p.content(n, "array", depth)
}

// structure reads a struct behind "<struct".
func (p *Parser) structure(where spot, depth int) bool {
	n := len(p.nodes)
	p.node(pipe.StructValue, where)
	p.nodes[n].Open = true
	for {
		name, value, more := p.attr()
		if !more {
			break
		}
		if string(name) == "name" {
			p.nodes[n].TextOff, p.nodes[n].TextLen = uint32(p.i-1-len(value)), uint32(len(value))
		}
	}
	if p.fault.Reason != NoFault {
		return false
	}
	if p.b[p.i-2] == '/' {
		p.nodes[n].Open = false
		return true
	}
	return p.content(n, "struct", depth)
}

// content reads what stands in the array, struct or unknown of node n, and its
// closing tag.
func (p *Parser) content(n int, element string, depth int) bool {
	ok := depth < MaxDepth || p.fail(TooDeep)
	for more := ok; more; {
		more, ok = p.item(element, depth+1)
	}
	p.nodes[n].Next = p.next()
	p.nodes[n].Open = !ok
	return ok
}

// item reads one elem, member or bare value, or the closing tag of the element
// that holds them. more is false after the last.
func (p *Parser) item(element string, depth int) (more, ok bool) {
	if p.i < len(p.b) && p.b[p.i] != '<' {
		p.skipSpace()
		if p.i < len(p.b) && p.b[p.i] != '<' {
			return false, p.fail(StrayText)
		}
	}
	b, i := p.b, p.i
	switch {
	case at(b, i, "<elem>"):
		ok = p.holder(pipe.ElemRole, depth)
		return ok, ok
	case at(b, i, "<member name='"):
		ok = p.holder(pipe.MemberRole, depth)
		return ok, ok
	case at(b, i, "</"):
		return false, p.closeTag(element)
	case opens(b[i:], "<elem"):
		ok = p.holder(pipe.ElemRole, depth)
	case opens(b[i:], "<member"):
		ok = p.holder(pipe.MemberRole, depth)
	case at(b, i, "<!--"), at(b, i, "<?"):
		ok = p.skipAside()
	default:
		ok = p.value(spot{}, depth)
	}
	return ok, ok
}

var scalarKinds = map[string]pipe.ValueKind{
	"uint": pipe.UintValue, "int": pipe.IntValue, "bool": pipe.BoolValue, "float": pipe.FloatValue,
	"enum": pipe.EnumValue, "ptr": pipe.PtrValue, "bytes": pipe.BytesValue,
}

// anyElement reads a value whose opening tag is not spelled as Mesa spells it,
// or is of an element that is not known.
func (p *Parser) anyElement(where spot, depth int) bool {
	b, start := p.b, p.i
	if start >= len(b) || b[start] != '<' {
		return p.fail(StrayText)
	}
	i := start + 1
	for i < len(b) && isNameByte(b[i]) {
		i++
	}
	name := string(b[start+1 : i])
	if name == "call" || name == "trace" {
		return p.fail(StrayCall)
	}
	if i == len(b) {
		p.i = i
	}
	if name == "" || i == len(b) {
		return p.fail(BadTag)
	}
	if name == "struct" {
		p.i = i
		return p.structure(where, depth)
	}
	p.i = i
	for {
		if _, _, more := p.attr(); !more {
			break
		}
	}
	if p.fault.Reason != NoFault {
		return false
	}
	closed := b[p.i-2] == '/'
	return p.anyContent(name, closed, where, depth, start)
}

// anyContent reads the content of the element of that name, which is closed by
// its own opening tag at start, or open.
func (p *Parser) anyContent(name string, closed bool, where spot, depth, start int) bool {
	kind, scalar := scalarKinds[name]
	switch {
	case name == "null":
		kind = pipe.NullValue
	case name == "array":
		kind = pipe.ArrayValue
	case name == "string":
		kind = pipe.StringValue
	case !scalar:
		kind = pipe.UnknownValue
	}
	n := len(p.nodes)
	switch {
	case closed:
		p.node(kind, where)
	case scalar:
		return p.scalarText(kind, name, where)
	case kind == pipe.StringValue:
		return p.strText(where)
	case kind == pipe.NullValue:
		p.node(kind, where)
		p.skipSpace()
		return p.closeTag(name)
	default:
		p.node(kind, where)
	}
	if kind == pipe.UnknownValue {
		p.nodes[n].TextOff, p.nodes[n].TextLen = uint32(start+1), uint32(len(name))
	}
	if closed {
		return true
	}
	if kind == pipe.UnknownValue && !at(p.b, p.i, "<") {
		return p.unknownText(n, name, depth)
	}
	return p.content(n, name, depth)
}

// unknownText reads an unknown element that starts with text: a string in it.
func (p *Parser) unknownText(n int, name string, depth int) bool {
	start := p.i
	p.nodes[n].Open = true
	if !p.text() {
		return false
	}
	if text := p.b[start:p.i]; len(bytes.TrimSpace(text)) > 0 {
		p.node(pipe.StringValue, spot{})
		last := &p.nodes[len(p.nodes)-1]
		last.TextOff, last.TextLen = uint32(start), uint32(len(text))
	}
	return p.content(n, name, depth)
}
