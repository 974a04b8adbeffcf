package markup

import "bytes"

// longestTag is the length of the longest tag start that is looked for.
const longestTag = len("<![CDATA[")

// starts are the tags that mean something outside calls. A name counts only
// when white space, '/' or '>' follows it.
var starts = [...]struct {
	tag  string
	kind Kind
}{
	{"<call", Call},
	{"<?xml", Header},
	{"<trace", Header},
	{"</trace", Footer},
	{"<string", Stray},
	{"<arg", Fragment},
	{"<ret", Fragment},
	{"<time", Fragment},
	{"</call", Fragment},
	{"</arg", Fragment},
	{"</ret", Fragment},
	{"</time", Fragment},
}

// begins tells what kind of piece the start of b is. It is not known when b
// ends too early to tell.
func begins(b []byte, eof bool) (kind Kind, known bool) {
	switch {
	case isSpace(b[0]):
		return Blank, true
	case b[0] != '<':
		return Noise, true
	case len(b) < longestTag && !eof && mayGrow(b):
		return Noise, false
	case len(b) > 1 && hasPrefix("<call", string(b[:min(len(b), 6)])):
		return Call, true // cut off within its first word
	case hasPrefix(b, "<!--"), hasPrefix(b, "<?") && !opens(b, "<?xml"):
		return Blank, true
	}
	for _, s := range &starts {
		if opens(b, s.tag) {
			return s.kind, true
		}
	}
	return Noise, true
}

// mayGrow is true when b, shorter than longestTag, may become one of the tags
// that are looked for.
func mayGrow(b []byte) bool {
	for _, s := range &starts {
		if len(b) <= len(s.tag) && s.tag[:len(b)] == string(b) {
			return true
		}
	}
	n := min(len(b), longestTag)
	return "<![CDATA["[:n] == string(b[:n]) || hasPrefix("<!--", string(b[:min(n, 4)])) && n < 4 || string(b) == "<?"
}

// outside returns the piece of that kind, none of a call's, at the start of b.
func outside(b []byte, kind Kind, eof bool) (p Piece, ok bool) {
	switch kind {
	case Blank:
		if isSpace(b[0]) {
			n := 1
			for n < len(b) && isSpace(b[n]) {
				n++
			}
			return Piece{Kind: Blank, End: n}, true
		}
		if b[1] == '?' {
			return delimited(b, Blank, "?>", eof)
		}
		return comment(b, eof)
	case Footer:
		return delimited(b, Footer, ">", eof)
	case Header:
		return header(b, eof)
	case Stray:
		return stray(b, eof)
	}
	return noise(b, eof)
}

// comment returns the comment at the start of b, or noise.
func comment(b []byte, eof bool) (Piece, bool) {
	end, what := commentEnd(b, eof)
	switch {
	case what == stopNeed:
		return Piece{}, false
	case end == len("<!--"): // it has no end
		return noise(b, eof)
	}
	return Piece{Kind: Blank, End: end}, true
}

// delimited returns the tag that goes from the start of b to end, or noise when
// that is not in reach, or behind another tag.
func delimited(b []byte, kind Kind, end string, eof bool) (Piece, bool) {
	reach := min(len(b), MaxLine)
	other := bytes.IndexByte(b[1:reach], '<')
	if other >= 0 {
		reach = 1 + other
	}
	if n := bytes.Index(b[:reach], []byte(end)); n >= 0 {
		return Piece{Kind: kind, End: n + len(end)}, true
	}
	if len(b) < MaxLine && other < 0 && !eof {
		return Piece{}, false
	}
	return noise(b, eof)
}

// header returns a header with the processing instructions and the opening
// <trace> that belong to it.
func header(b []byte, eof bool) (Piece, bool) {
	end := ">"
	if b[1] == '?' {
		end = "?>"
	}
	p, ok := delimited(b, Header, end, eof)
	if !ok || p.Kind != Header || b[1] != '?' {
		return p, ok
	}
	for {
		i := p.End
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		rest := b[i:]
		switch {
		case i-p.End > MaxLine:
			return p, true
		case len(rest) < longestTag && !eof && (len(rest) == 0 || mayGrow(rest)):
			return Piece{}, false
		case opens(rest, "<trace"):
			tag, ok := delimited(rest, Header, ">", eof)
			if ok && tag.Kind == Header {
				p.End = i + tag.End
			}
			return p, ok
		case hasPrefix(rest, "<?") && !opens(rest, "<?xml"):
			pi, ok := delimited(rest, Header, "?>", eof)
			if !ok || pi.Kind != Header {
				return p, ok
			}
			p.End = i + pi.End
		default:
			return p, true
		}
	}
}

// stray returns the string that stands outside any call at the start of b.
func stray(b []byte, eof bool) (Piece, bool) {
	open := 1 + bytes.IndexAny(b[1:min(len(b), MaxLine)], "<>")
	switch {
	case open < 1 && len(b) < MaxLine && !eof:
		return Piece{}, false
	case open < 1, b[open] == '<': // it has no end
		return noise(b, eof)
	}
	open++
	rest := b[open:]
	if len(rest) < longestTag && !eof && (len(rest) == 0 || mayGrow(rest)) {
		return Piece{}, false
	}
	if hasPrefix(rest, "<![CDATA[") {
		end, flaw, ok := sectionEnd(b, open, open, number{}, eof)
		if !ok {
			return Piece{}, false
		}
		return Piece{Kind: Stray, Flaw: flaw, End: end + stringTail(b[end:], flaw)}, true
	}
	end := bytes.IndexByte(rest, '<')
	switch {
	case end < 0 && eof:
		return Piece{Kind: Stray, Flaw: Cut, End: len(b)}, true
	case end < 0 && len(b) < MaxSection, end >= 0 && len(rest)-end < len("</string>") && !eof:
		return Piece{}, false
	case end >= 0 && hasPrefix(rest[end:], "</string>"):
		return Piece{Kind: Stray, End: open + end + len("</string>")}, true
	}
	return noise(b, eof)
}

// stringTail is the length of </string> behind a sound section.
func stringTail(b []byte, flaw Flaw) int {
	if flaw == Sound && hasPrefix(b, "</string>") {
		return len("</string>")
	}
	return 0
}

// noise returns the text at the start of b up to the end of its line, or to the
// next tag that begins something.
func noise(b []byte, eof bool) (Piece, bool) {
	for i := 1; i < min(len(b), MaxLine); i++ {
		if b[i-1] == '\n' {
			return Piece{Kind: Noise, End: i}, true
		}
		if b[i] != '<' {
			continue
		}
		kind, known := begins(b[i:], eof)
		if !known {
			return Piece{}, false
		}
		if kind != Noise {
			return Piece{Kind: Noise, End: i}, true
		}
	}
	if len(b) < MaxLine && !eof && b[len(b)-1] != '\n' {
		return Piece{}, false
	}
	return Piece{Kind: Noise, End: min(len(b), MaxLine)}, true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func hasPrefix[T string | []byte](b T, s string) bool {
	return len(b) >= len(s) && string(b[:len(s)]) == s
}

// opens is true when b starts with the tag and the tag's name ends there.
func opens(b []byte, tag string) bool {
	if !hasPrefix(b, tag) {
		return false
	}
	return len(b) == len(tag) || isSpace(b[len(tag)]) || b[len(tag)] == '>' || b[len(tag)] == '/'
}
