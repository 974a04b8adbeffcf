package dump

import (
	"fmt"
	"strings"
)

// maxBraces is how deep braces may nest: no struct of Gallium comes close.
const maxBraces = 16

// braces is a value as text has it: an atom, a text in quotes, or values in
// braces.
type braces struct {
	name   string
	atom   string
	quoted bool
	list   []braces
	isList bool
}

// member returns the member of that name.
func (n *braces) member(name string) (braces, bool) {
	for _, m := range n.list {
		if m.name == name {
			return m, true
		}
	}
	return braces{}, false
}

// parseBraces reads a value, which the text is all of. Commas are not needed:
// Mesa leaves out some and writes others twice. With util texts in quotes have
// no escapes.
func parseBraces(text []byte, util bool) (braces, error) {
	p := braceParser{text: string(text), util: util}
	p.skip(" \t\r\n")
	n, err := p.value(0)
	if err == nil {
		if p.skip(" \t\r\n,"); p.at < len(p.text) {
			err = p.fault("nothing more")
		}
	}
	return n, err
}

type braceParser struct {
	text string
	at   int
	util bool
}

func (p *braceParser) skip(set string) {
	for p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *braceParser) fault(want string) error {
	found := "the end"
	if p.at < len(p.text) {
		found = fmt.Sprintf("%q", p.text[p.at:min(p.at+12, len(p.text))])
	}
	return fmt.Errorf("at byte %d: found %s, want %s", p.at, found, want)
}

func (p *braceParser) value(depth int) (n braces, err error) {
	switch {
	case p.at == len(p.text):
		return n, p.fault("a value")
	case p.text[p.at] == '"':
		n.quoted = true
		n.atom, err = p.quoted()
		return n, err
	case p.text[p.at] != '{':
		n.atom = p.word()
		if n.atom == "" {
			return n, p.fault("a value")
		}
		return n, nil
	case depth == maxBraces:
		return n, p.fault("fewer braces")
	}
	p.at++
	n.isList = true
	for {
		if p.skip(" \t\r\n,"); p.at < len(p.text) && p.text[p.at] == '}' {
			p.at++
			return n, nil
		}
		m, err := p.named(depth + 1)
		if err != nil {
			return n, err
		}
		n.list = append(n.list, m)
	}
}

// named reads NAME = VALUE, or a value.
func (p *braceParser) named(depth int) (braces, error) {
	start := p.at
	name := p.word()
	if p.skip(" \t\r\n"); name != "" && p.at < len(p.text) && p.text[p.at] == '=' {
		p.at++
		p.skip(" \t\r\n")
		m, err := p.value(depth)
		m.name = name
		return m, err
	}
	p.at = start
	return p.value(depth)
}

// word reads up to what ends a name or number.
func (p *braceParser) word() string {
	end := strings.IndexAny(p.text[p.at:], " \t\r\n,={}\"")
	if end < 0 {
		end = len(p.text) - p.at
	}
	w := p.text[p.at : p.at+end]
	p.at += end
	return w
}

// raw reads a text in quotes as it stands. A quote that nothing but a comma or
// brace follows is the closing one.
func (p *braceParser) raw() (string, error) {
	start := p.at + 1
	for p.at++; p.at < len(p.text); p.at++ {
		if p.text[p.at] != '"' {
			continue
		}
		if rest := strings.TrimLeft(p.text[p.at+1:], " \t\r\n"); rest == "" || rest[0] == ',' || rest[0] == '}' {
			p.at++
			return p.text[start : p.at-1], nil
		}
	}
	return "", p.fault(`a closing quote`)
}

// quoted reads a text in quotes, its escapes resolved.
func (p *braceParser) quoted() (string, error) {
	if p.util {
		return p.raw()
	}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return b.String(), nil
		case '\\':
			if err := p.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fault(`a closing quote`)
}

func (p *braceParser) escape(b *strings.Builder) error {
	rest := p.text[p.at+1:]
	if len(rest) >= 3 && rest[0] == 'x' {
		high, low := strings.IndexByte(hexDigits, rest[1]), strings.IndexByte(hexDigits, rest[2])
		if high < 0 || low < 0 {
			return p.fault("two hexadecimal digits")
		}
		b.WriteByte(byte(high<<4 | low))
		p.at += 3
		return nil
	}
	if rest == "" || rest[0] != '"' && rest[0] != '\\' {
		return p.fault(`\", \\ or \xNN`)
	}
	b.WriteByte(rest[0])
	p.at++
	return nil
}

const hexDigits = "0123456789abcdef"
