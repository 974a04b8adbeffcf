package markup

import "bytes"

// LastCallEnd returns where the last call of b that is whole and plain to see
// ends, or 0. The start of b is outside any call. It looks at little more than
// the sections, and gives up on all that is unusual: then Scanner must cut.
func LastCallEnd(b []byte) int {
	end, inCall := 0, false
	var no number
	for pos := 0; ; {
		until := nextMark(b, pos)
		segment := b[pos:until]
		closing := lastIndex(segment, callEnd)
		if closing >= 0 {
			end = pos + closing + len(callEnd)
			inCall = false
		}
		if until == len(b) {
			return end
		}
		if opening := lastIndex(segment[max(0, closing):], callOpen); opening >= 0 {
			inCall = true
			no = callNumber(segment[max(0, closing)+opening:])
		}
		if !inCall || !hasPrefix(b[until:], "<![CDATA[") {
			return end
		}
		sectionEnd, flaw, ok := sectionEnd(b, until, until, no, false)
		if !ok || flaw != Sound {
			return end
		}
		pos = sectionEnd
	}
}

// nextMark returns where the first "<!" at or behind pos is, or the length of b.
// There are few '!' to look at.
func nextMark(b []byte, pos int) int {
	for i := pos; ; i++ {
		j := bytes.IndexByte(b[i:], '!')
		if j < 0 {
			return len(b)
		}
		i += j
		if i > pos && b[i-1] == '<' {
			return i - 1
		}
	}
}

// lastIndex is bytes.LastIndex for long texts: searching forwards is many times
// faster, so it looks that way into one window after the other, from the end.
func lastIndex(b, what []byte) int {
	const window = 16 << 10
	for end := len(b); end > 0; {
		start := max(0, end-window)
		in := b[start:min(len(b), end+len(what)-1)]
		if bytes.Contains(in, what) {
			return start + bytes.LastIndex(in, what)
		}
		end = start
	}
	return -1
}

var (
	callEnd  = []byte("</call>")
	callOpen = []byte("<call ")
)
