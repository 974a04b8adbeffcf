package markup

import "bytes"

// Limits of what is held in memory at once, in bytes, and of nesting. They
// guard against damaged input; the longest call seen in real traces has 33 MB.
const (
	MaxCall    = 512 << 20 // a whole call
	MaxSection = 64 << 20  // a CDATA section
	MaxLine    = 64 << 10  // a line of noise, a comment, a processing instruction
	MaxDepth   = 200       // values within values
)

// Kind tells what a piece of a trace is.
type Kind uint8

// The kinds of pieces.
const (
	Blank    Kind = iota // white space, comments, processing instructions
	Call                 // <call> up to </call>
	Header               // <?xml?> up to <trace>: what follows is a new trace
	Footer               // </trace>
	Stray                // <string> outside any call: shader text of trigger traces
	Noise                // text outside any call, at most a line
	Fragment             // the rest of a call whose start was damaged
)

// Flaw tells what is wrong with a piece.
type Flaw uint8

// The flaws.
const (
	Sound       Flaw = iota
	Unclosed         // something else begins before </call>
	LostSection      // a CDATA section has lost its end
	TooLong          // a limit was reached
	Cut              // the text ends inside
	Headless         // the start of the call is missing
)

var flawWords = [...]string{
	Sound:       "sound",
	Unclosed:    "the call has no </call> before the next one begins",
	LostSection: "the CDATA section has lost its end, ]]></string>",
	TooLong:     "the call is longer than 512 MiB, or its CDATA section longer than 64 MiB",
	Cut:         "the text ends inside the call",
	Headless:    "<call> was expected before the parts of a call",
}

// String says the flaw in words.
func (f Flaw) String() string {
	if int(f) < len(flawWords) {
		return flawWords[f]
	}
	return "unknown flaw"
}

// Piece is one piece of a trace. It begins where the one before ended.
type Piece struct {
	Kind Kind
	Flaw Flaw
	End  int // one past its last byte, from its start
}

// Scanner cuts text into pieces. It remembers how far it looked into a piece
// that the text at hand does not hold whole, so that text can arrive in blocks
// of any size without being searched twice. The zero Scanner is ready.
type Scanner struct {
	kind    Kind // Call or Fragment once that is known, else Blank
	pos     int  // nothing that ends the piece lies before this offset
	section int  // offset of the CDATA section that is open at pos, or 0
}

// Next returns the piece at the start of b. It is not ok when more text is
// needed: call again with the same text and more behind it. With eof, nothing is
// behind b, and Next is ok for all but empty text.
func (s *Scanner) Next(b []byte, eof bool) (p Piece, ok bool) {
	if len(b) == 0 {
		return Piece{}, false
	}
	if s.kind == Blank {
		kind, known := begins(b, eof)
		if !known {
			return Piece{}, false
		}
		if kind != Call && kind != Fragment {
			return outside(b, kind, eof)
		}
		s.kind, s.pos = kind, 0
		if kind == Call {
			s.pos = 1
		}
	}
	p, ok = s.call(b, eof)
	if ok {
		*s = Scanner{}
	} else if len(b) >= MaxCall {
		*s = Scanner{}
		return Piece{Kind: p.Kind, Flaw: TooLong, End: MaxCall}, true
	}
	return p, ok
}

// call finds the end of the call or fragment at the start of b.
func (s *Scanner) call(b []byte, eof bool) (p Piece, ok bool) {
	p.Kind = s.kind
	if s.kind == Fragment {
		p.Flaw = Headless
	}
	for {
		if s.section != 0 {
			end, flaw, ok := sectionEnd(b, s.section, s.pos, callNumber(b), eof)
			if !ok {
				s.pos = end
				return p, false
			}
			if flaw != Sound {
				p.End, p.Flaw = end, flaw
				return p, true
			}
			s.section, s.pos = 0, end
		}
		at, what := nextStop(b, s.pos, eof)
		switch what {
		case stopNeed:
			s.pos = at
			return p, false
		case stopSection:
			s.section, s.pos = at, at
		case stopSkip:
			s.pos = at
		case stopEnd:
			p.End = at
			return p, true
		case stopOther:
			p.End, p.Flaw = at, Unclosed
			return p, true
		case stopCut:
			p.End, p.Flaw = len(b), Cut
			return p, true
		}
	}
}

// A stop is a place inside a call where plain searching has to halt.
type stop uint8

const (
	stopNeed    stop = iota // more text is needed, everything before is looked at
	stopEnd                 // one past </call>
	stopOther               // what must not stand in a call
	stopSection             // <![CDATA[
	stopSkip                // one past a comment, or past a "<!" that begins nothing
	stopCut                 // the text ends
)

// nextStop finds the first stop at or behind pos.
func nextStop(b []byte, pos int, eof bool) (int, stop) {
	for i := pos; ; i++ {
		j := bytes.IndexByte(b[i:], '<')
		if j < 0 {
			break
		}
		i += j
		rest := b[i:]
		if len(rest) >= 2 {
			switch rest[1] {
			case '/', 'c', '!', '?', 't':
			default:
				continue
			}
		}
		at, what := stopAt(rest, eof)
		switch {
		case what == stopNeed && at == 0:
			return i, stopNeed
		case what == stopNeed: // no stop here
			continue
		}
		return i + at, what
	}
	if eof {
		return len(b), stopCut
	}
	return len(b), stopNeed
}

// stopAt tells which stop the markup at the start of rest is: stopNeed with 0
// when more text is needed, stopNeed with 1 when it is none.
func stopAt(rest []byte, eof bool) (int, stop) {
	if len(rest) < longestTag && !eof && mayGrow(rest) {
		return 0, stopNeed
	}
	switch {
	case hasPrefix(rest, "</call"):
		end := bytes.IndexByte(rest[:min(len(rest), 32)], '>')
		switch {
		case end >= 0 && len(bytes.TrimSpace(rest[len("</call"):end])) == 0:
			return end + 1, stopEnd
		case end < 0 && len(rest) < 32 && !eof:
			return 0, stopNeed
		}
	case hasPrefix(rest, "<![CDATA["):
		return 0, stopSection
	case hasPrefix(rest, "<!--"):
		return commentEnd(rest, eof)
	case opens(rest, "<call"), opens(rest, "<?xml"), opens(rest, "<trace"), opens(rest, "</trace"):
		return 0, stopOther
	}
	return 1, stopNeed
}

func commentEnd(rest []byte, eof bool) (int, stop) {
	const open = len("<!--")
	if end := bytes.Index(rest[open:min(len(rest), MaxLine)], []byte("-->")); end >= 0 {
		return open + end + len("-->"), stopSkip
	}
	if len(rest) < MaxLine && !eof {
		return 0, stopNeed
	}
	return open, stopSkip
}
