package markup

import "bytes"

// LastCallEnd returns where the last call of b that is whole and plain to see
// ends, or 0. The start of b is outside any call. It looks at little more than
// the sections, and gives up on all that is unusual: then Scanner must cut.
func LastCallEnd(b []byte) int {
	end, inCall := 0, false
	var no number
	for pos := 0; ; {
		mark := bytes.IndexByte(b[pos:], '!')
		for mark > 0 && b[pos+mark-1] != '<' {
			next := bytes.IndexByte(b[pos+mark+1:], '!')
			if next < 0 {
				mark = -1
				break
			}
			mark += 1 + next
		}
		until := len(b)
		if mark > 0 {
			until = pos + mark - 1
		}
		segment := b[pos:until]
		closing := bytes.LastIndex(segment, callEnd)
		if closing >= 0 {
			end = pos + closing + len(callEnd)
			inCall = false
		}
		if mark < 0 {
			return end
		}
		if opening := bytes.LastIndex(segment[max(0, closing):], callOpen); opening >= 0 {
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

var (
	callEnd  = []byte("</call>")
	callOpen = []byte("<call ")
)
