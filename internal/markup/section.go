package markup

import "bytes"

var (
	sectionMark = []byte("]]></string>")
	lineMark    = []byte("\n]]></string>")
	callStart   = []byte("<call no='")
	shaderStart = []byte("<![CDATA[shader: ")
	callLayout  = []byte("\n\t</call>\n\t<call no='")
)

const (
	lookBack   = 96      // what is searched for in a section is shorter than this
	labelReach = 1 << 20 // how far behind an end marker within a line a better one is looked for
)

// number is a call number, when there is one.
type number struct {
	n     uint64
	known bool
}

// settled is the number of no call: whether a section lost its end is decided
// when the text is cut into pieces, and not again when a call is parsed.
var settled = number{n: 1 << 63, known: true}

// sectionEnd finds the end of the CDATA section that starts at open in b, one
// past its "]]>". Nothing of interest lies between open and from. It is not ok
// when more text is needed. A flaw other than Sound means that the section has
// no end of its own, and what it stands in ends with it.
func sectionEnd(b []byte, open, from int, call number, eof bool) (end int, flaw Flaw, ok bool) {
	from = max(from, open)
	reach := min(len(b), open+MaxSection)
	mark := bytes.Index(b[from:reach], sectionMark)
	if mark >= 0 {
		mark += from
	}
	until := mark
	if mark < 0 {
		until = reach
	}
	if lost := lostAt(b[:until], open, from, call); lost > 0 {
		return lost, LostSection, true
	}
	if mark >= 0 {
		return labelled(b, open, mark, eof)
	}
	switch {
	case reach-open >= MaxSection:
		flaw = TooLong
	case eof:
		flaw = Cut
	default:
		return max(from, len(b)-lookBack), Sound, false
	}
	if lost := bytes.Index(b[open:reach], callLayout); lost > 0 {
		return open + lost + len("\n\t</call>"), LostSection, true
	}
	return reach, flaw, true
}

// labelled decides whether the end marker at mark is the section's own or part
// of a label in the shader text.
func labelled(b []byte, open, mark int, eof bool) (end int, flaw Flaw, ok bool) {
	const tail = len("]]>")
	if b[mark-1] == '\n' || !hasPrefix(b[open:], string(shaderStart)) {
		return mark + tail, Sound, true
	}
	rest := b[mark : mark+min(len(b)-mark, labelReach)]
	if next := bytes.Index(rest, callLayout); next >= 0 { // near by, as a rule
		until := next + len(callLayout) - 1 + len(lineMark) // the end of the last mark that could begin before the layout ends
		if !bytes.Contains(rest[:min(len(rest), until)], lineMark) {
			return mark + tail, Sound, true
		}
	}
	better := bytes.Index(rest, lineMark)
	if better < 0 {
		better = len(rest)
	}
	if bytes.Contains(rest[:better], shaderStart) {
		return mark + tail, Sound, true
	}
	switch {
	case better < len(rest):
		return mark + better + 1 + tail, Sound, true
	case len(rest) < labelReach && !eof:
		return mark, Sound, false
	}
	return mark + tail, Sound, true
}

// lostAt looks for the end of a call, followed on a new line by the call that is
// numbered next, in the text of a section. It returns one past </call>, or 0.
// Outside a call, where no number is known, any two calls in a row count.
func lostAt(b []byte, open, from int, call number) int {
	if !call.known {
		from = open // the first of the two may lie before
	}
	for i := from; ; {
		j := bytes.Index(b[i:], callStart)
		if j < 0 {
			return 0
		}
		at := i + j
		i = at + len(callStart)
		next := digits(b[i:])
		if !next.known {
			continue
		}
		if !call.known {
			call = number{next.n, true}
			continue
		}
		if next.n != call.n+1 {
			continue
		}
		before := bytes.TrimRight(b[open:at], " \t\r\n")
		onNewLine := bytes.IndexByte(b[open+len(before):at], '\n') >= 0
		if onNewLine && bytes.HasSuffix(before, callEnd) {
			return open + len(before)
		}
	}
}

// callNumber reads the number of the call at the start of b.
func callNumber(b []byte) number {
	if !hasPrefix(b, string(callStart)) {
		return number{}
	}
	return digits(b[len(callStart):])
}

// digits reads the decimal number at the start of b, up to a quote.
func digits(b []byte) (n number) {
	for i, c := range b {
		if c == '\'' || c == '"' {
			n.known = i > 0
			return n
		}
		if c < '0' || c > '9' || i > 18 {
			return number{}
		}
		n.n = n.n*10 + uint64(c-'0')
	}
	return number{}
}
