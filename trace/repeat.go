package trace

import (
	"bytes"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// A program draws one frame like the other, so nearly all calls of a long trace
// stood in it before, equal but for their number and their time. A repeater
// knows such calls by their text and what was read from it then: to read one
// again is to compare its bytes.
//
// Calls with a '!' in them are left out: what a CDATA section is can depend on
// the text behind the call. All else that a sound call says depends on its own
// bytes alone. Calls that are not laid out in lines as Mesa does are left out too.
type repeater struct {
	slots [repeatSlots]*repeat
	// once has what was seen once, by hash: only what comes twice is kept.
	once  [repeatSlots * 4]uint32
	bytes int // of the texts and nodes that slots hold
	// recent has the slots of the last calls, a ring: 0 for those that are in none. The
	// next one will stand at now, and is expected to be the same as the one at expect.
	recent      [1 << 16]uint16
	now, expect uint16
	// placed has where in recent the call of each slot stood last, but for the call before,
	// of slot last: of that the time before.
	placed  [repeatSlots]uint16
	last    uint16
	touched byte   // what touch read: what nobody wants is not read
	hash    uint64 // of the call that was looked for last and not found, 0 when there is nothing to learn
	score   int    // sinks with each call that is new
	rest    int    // calls to go until it is worth looking again
}

const (
	repeatBits  = 14
	repeatSlots = 1 << repeatBits
	maxRepeat   = 4 << 10 // bytes of a call
	maxRepeats  = 2 << 20 // bytes of all that a parser keeps
	maxScore    = 256
	restCalls   = 3 * maxScore // then a trace of new calls costs little more than without
)

// repeat is a call that was read before. What is looked at for each call stands first
// and fits a line of the processor's cache; of that line other processors want decoded,
// so it is written to only when it changes.
type repeat struct {
	text    string                   // from behind the number to the time, or to the end
	tail    string                   // behind the time; "" when there is none
	decoded atomic.Pointer[recalled] // what the Decoder that saw the call last made of it
	hash    uint64
	lines   int32 // ends of lines in text and tail
	slot    uint16
	came    bool // since a call that found both its places taken wanted one

	_      uint64 // the allocator aligns a size of 120 so, not one of 112
	class  string
	method string
	nodes  []pipe.Node // over text; the last is the time if there is a tail
}

// numberStart is what calls begin with.
const numberStart = "<call no='"

var (
	callEnd   = []byte("\t</call>")
	timeStart = []byte("\t\t<time><int>")
	timeEnd   = []byte("</int></time>\n")
)

// find returns the repeat whose call b continues behind its number, and where
// that call's time and the call itself end.
func (m *repeater) find(b []byte) (e *repeat, timeEnd, end int) {
	m.hash = 0
	if m.rest > 0 {
		m.rest--
		return nil, 0, 0
	}
	if e := m.slots[m.recent[m.expect]]; e != nil {
		if timeEnd, end := e.fits(b); end > 0 {
			m.found(e)
			m.touch()
			return e, timeEnd, end
		}
	}
	return m.stray(b)
}

// stray is find for a call that is not the expected one.
func (m *repeater) stray(b []byte) (e *repeat, timeEnd, end int) {
	behind := m.placed[m.last] + 1
	if e := m.slots[m.recent[behind]]; e != nil {
		if timeEnd, end := e.fits(b); end > 0 {
			m.expect = behind
			m.found(e)
			return e, timeEnd, end
		}
	}
	if e, timeEnd, end = m.search(b); e != nil {
		m.found(e)
	}
	return e, timeEnd, end
}

// touch reads a little of the calls that are expected behind the next one, so that they
// are in the processor's cache by then.
func (m *repeater) touch() {
	if e := m.slots[m.recent[m.expect+2]]; e != nil {
		m.touched += byte(len(e.text))
	}
	if e := m.slots[m.recent[m.expect+1]]; e != nil && e.text != "" {
		m.touched += e.text[0]
	}
}

// search is find by the hash of the text.
func (m *repeater) search(b []byte) (e *repeat, timeEnd, end int) {
	key := repeatKey(b)
	if key == 0 {
		return nil, 0, 0
	}
	m.hash = xxhash.Sum64(b[:key])
	for _, slot := range slotsOf(m.hash) {
		e := m.slots[slot]
		if e == nil || e.hash != m.hash {
			continue
		}
		if timeEnd, end := e.fits(b); end > 0 {
			return e, timeEnd, end
		}
	}
	if m.score--; m.score < 0 {
		m.score, m.rest = maxScore, restCalls
	}
	return nil, 0, 0
}

func (m *repeater) found(e *repeat) {
	if !e.came {
		e.came = true
	}
	m.follow(e.slot)
	m.score = min(m.score+2, maxScore)
}

// follow notes which call came, 0 for one without a slot. One that was not expected is
// taken to stand in the place of the one that was.
func (m *repeater) follow(slot uint16) {
	m.placed[m.last], m.last = m.now-1, slot
	m.recent[m.now] = slot
	m.now++
	m.expect++
}

// slotsOf returns the two places where a call of that hash can be kept, never 0.
func slotsOf(hash uint64) [2]uint16 {
	slot := uint16(max(hash%repeatSlots, 2))
	return [2]uint16{slot, slot ^ 1}
}

// room returns where a call of that hash is to be kept, 0 when other calls that come
// again hold both places.
func (m *repeater) room(hash uint64) uint16 {
	slots := slotsOf(hash)
	for _, slot := range slots {
		if m.slots[slot] == nil {
			return slot
		}
	}
	for _, slot := range slots {
		if !m.slots[slot].came {
			return slot
		}
	}
	for _, slot := range slots {
		m.slots[slot].came = false // or they would never give way
	}
	return 0
}

// repeatKey returns how much of b, which begins behind a call's number, is the
// same each time the call is made. It is 0 when that cannot be said.
func repeatKey(b []byte) int {
	b = b[:min(len(b), maxRepeat)]
	line, next := 0, 0 // where the line at hand and the one behind it begin
	for {
		size := bytes.IndexByte(b[next:], '\n') + 1
		if size == 0 {
			return 0
		}
		line, next = next, next+size
		if bytes.HasPrefix(b[next:], callEnd) {
			break
		}
	}
	if last := b[line:next]; bytes.HasPrefix(last, timeStart) && bytes.HasSuffix(last, timeEnd) {
		return line + len(timeStart)
	}
	return next + len(callEnd)
}

// fits returns where the call's time and the call itself end when b goes on as
// the call does. The end is 0 when it does not.
func (e *repeat) fits(b []byte) (timeEnd, end int) {
	n := len(e.text)
	if len(b) < n || string(b[:n]) != e.text {
		return 0, 0
	}
	if e.tail == "" {
		return n, n
	}
	i := n
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	end = i + len(e.tail)
	if i == n || len(b) < end || string(b[i:end]) != e.tail {
		return 0, 0
	}
	return i, end
}

// learn keeps a call that was looked for, not found, and then read: its text
// behind the number, and its nodes, whose offsets count from base on. It returns
// nil for a call that is not worth it.
func (m *repeater) learn(text []byte, class, method string, nodes []pipe.Node, base int) *repeat {
	hash := m.hash
	m.hash = 0
	slot := uint16(0)
	if m.again(hash) && bytes.IndexByte(text, '!') < 0 {
		slot = m.room(hash)
	}
	m.follow(slot)
	if slot == 0 {
		return nil
	}
	if m.bytes > maxRepeats {
		clear(m.slots[:])
		m.bytes = 0
	}
	e := &repeat{class: class, method: method, hash: hash, slot: slot, lines: int32(bytes.Count(text, []byte{'\n'}))}
	e.keep(text, nodes, base)
	if old := m.slots[slot]; old != nil {
		m.bytes -= old.size()
	}
	m.bytes += e.size()
	m.slots[slot] = e
	return e
}

// again says whether a call of that hash came before, as far as is remembered.
func (m *repeater) again(hash uint64) bool {
	if hash == 0 {
		return false
	}
	seen := &m.once[hash>>16%uint64(len(m.once))]
	mark := uint32(hash>>32) | 1
	before := *seen
	*seen = mark
	return before == mark
}

// keep copies the text and the nodes.
func (e *repeat) keep(text []byte, nodes []pipe.Node, base int) {
	all := string(text)
	e.text, e.nodes = all, append([]pipe.Node(nil), nodes...)
	for i := range e.nodes {
		n := &e.nodes[i]
		n.NameOff, n.TextOff = shift(n.NameOff, n.NameLen, base), shift(n.TextOff, n.TextLen, base)
	}
	if len(nodes) == 0 {
		return
	}
	t := &e.nodes[len(nodes)-1]
	if t.Role != pipe.TimeRole || t.Kind != pipe.IntValue || t.TextLen == 0 {
		return
	}
	from, to := t.TextOff, t.TextOff+t.TextLen
	for _, c := range text[from:to] {
		if !isDigit(c) {
			return
		}
	}
	e.text, e.tail = all[:from], all[to:]
}

// shift makes an offset count from base on, that of nothing from 0.
func shift(offset, size uint32, base int) uint32 {
	if size == 0 {
		return 0
	}
	return offset - uint32(base)
}

const nodeBytes = 24 // of a pipe.Node

func (e *repeat) size() int { return len(e.text) + len(e.tail) + nodeBytes*len(e.nodes) }

func isDigit(c byte) bool { return c-'0' <= 9 }

// repeated reads the call at offset at, whose number ends at behind, when it stood in
// the trace before, and returns its end, else 0.
func (p *blockParser) repeated(b *Batch, at int, no uint64, behind int) int {
	if p.repeats == nil {
		p.repeats = &repeater{score: maxScore}
	}
	e, timeEnd, size := p.repeats.find(b.block.Data[behind:])
	if e == nil {
		return 0
	}
	end := behind + size
	f := b.find()
	f.repeat, f.no, f.at, f.text, f.end, f.line, f.time = e, no, at, behind, end, p.line, timeEnd-len(e.text)
	p.line, p.counted = p.line+int(e.lines), end
	return end
}

// tagNumber returns the number of the call at offset at and where its digits
// end; 0 when the tag is not spelled as Mesa does.
func tagNumber(data []byte, at int) (no uint64, end int) {
	start := at + len(numberStart)
	if len(data) < start || string(data[at:start]) != numberStart {
		return 0, 0
	}
	for end = start; end < len(data) && isDigit(data[end]); end++ {
		no = no*10 + uint64(data[end]-'0')
	}
	if n := end - start; n == 0 || n > 18 || end == len(data) || data[end] != '\'' {
		return 0, 0
	}
	return no, end
}
