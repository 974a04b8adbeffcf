package shader

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// Parse reads the text of a shader of the given stage. The result keeps nothing
// of the text. It is never nil.
func Parse(stage pipe.Stage, text []byte) *Outputs { return parse(stage, text, false) }

// ParseCut reads a text that is known to go on after its last byte, as in the
// open call of a cut trace: its Status is at most Cut.
func ParseCut(stage pipe.Stage, text []byte) *Outputs { return parse(stage, text, true) }

func parse(stage pipe.Stage, text []byte, cut bool) *Outputs {
	o := &Outputs{Stage: stage, vague: -1}
	o.Geometry.Input, o.Geometry.Output = pipe.PrimitiveUnknown, pipe.PrimitiveUnknown
	switch {
	case missing(text):
		o.Reason = "the trace holds no text of this shader"
	case bytes.HasPrefix(text, []byte("shader: ")):
		parseNIR(o, text, cut)
	case tgsiStage(text) != noStage:
		parseTGSI(o, text, cut)
	default:
		o.Status = Unrecognised
		o.Reason = "the text is neither TGSI nor NIR"
	}
	return o
}

// missing says whether the text is one of the stand-ins that Mesa prints for a
// shader it does not print.
func missing(text []byte) bool {
	t := bytes.TrimSpace(text)
	return len(t) == 0 || string(t) == "..." || bytes.HasPrefix(t, []byte("Set GALLIUM_TRACE_NIR "))
}

// nextLine cuts the first line off text, without its line end.
func nextLine(text []byte) (line, rest []byte) {
	line = text
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		line, rest = text[:i], text[i+1:]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' { // traces of Windows
		line = line[:n-1]
	}
	return line, rest
}

// number reads decimal digits at the front of b. ok is false when there are
// none or the value does not fit.
func number(b []byte) (v uint32, rest []byte, ok bool) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		if v > (1<<32-1-9)/10 {
			return 0, b, false
		}
		v = v*10 + uint32(b[i]-'0')
		i++
	}
	return v, b[i:], i > 0
}

// smallNumber is number for a value that must be below limit and end the text.
func smallNumber(b []byte, limit uint32) (int, bool) {
	v, rest, ok := number(b)
	return int(v), ok && len(rest) == 0 && v < limit
}

// hexNumber reads "0x" and hex digits at the front of b.
func hexNumber(b []byte) (v uint64, rest []byte, ok bool) {
	if len(b) < 3 || b[0] != '0' || b[1] != 'x' {
		return 0, b, false
	}
	i := 2
	for ; i < len(b) && i < 18; i++ {
		c := b[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return v, b[i:], i > 2
		}
		v = v<<4 | uint64(c)
	}
	return v, b[i:], i > 2
}

// add puts a slot into the set; one that does not fit keeps it incomplete.
func (s *Slots) add(slot int) {
	if slot < 0 || slot >= 128 {
		s.open = true
		return
	}
	s.mask[slot>>6] |= 1 << (slot & 63)
}

// addRange puts n slots from first on into the set.
func (s *Slots) addRange(first, n int) {
	for i := first; i < first+n; i++ {
		if s.add(i); i >= 128 {
			return
		}
	}
}
