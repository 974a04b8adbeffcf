package trace

import (
	"bytes"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// Calls that are new are seldom new in form: an offset or an address is another, and
// all between the texts of the scalars stands as before. A form is a call as it was
// read, with holes where those texts are. What has no '<' and stands in a hole cannot
// change how the rest is read, so a call that fits needs no parser.
//
// As with repeats, calls with a '!' in them are left out, and so are those with elements
// that no Mesa writes: whether there is text in such a one decides what it is.
type form struct {
	text   []byte // from behind the number to the end
	class  string
	method string
	nodes  []pipe.Node // over text
	holes  []hole      // in the order of the text
}

// hole is where a scalar's text stands in the text of a form.
type hole struct {
	node     int // that has it
	from, to uint32
}

// forms are those that a parser knows, by the first line of the call: what came last
// stands first.
type forms struct {
	rows  [formRows][formsPerRow]*form
	bytes int    // of the texts and nodes
	sizes []int  // of what fills the holes of the call at hand
	row   uint64 // of the call that was looked for last
	score int    // sinks with each form that is learned, and rises when one fits
	rest  int    // calls to go until it is worth learning again
}

const (
	formRows    = 1 << 7
	formsPerRow = 6
	maxForms    = 1 << 20 // bytes of all
	formScore   = 64
	formRest    = 8 * formScore
)

// formed reads the call at offset at, whose number ends at behind, when a known form
// fits it, and returns its end, else 0.
func (p *blockParser) formed(b *Batch, at int, no uint64, behind int) int {
	if p.forms == nil {
		p.forms = &forms{score: formScore}
	}
	data := b.block.Data
	f, size := p.forms.find(data[behind:])
	if f == nil {
		return 0
	}
	first, end := len(b.nodes), behind+size
	b.nodes = f.fill(b.nodes, p.forms.sizes, uint32(behind))
	rec := p.sound(b, at, end, f.class, f.method, first)
	rec.No, rec.HasNo = no, true
	rec.repeat = p.repeats.learn(data[behind:end], f.class, f.method, b.nodes[first:], behind)
	return end
}

// find returns the form that the call b continues behind its number fits, and where
// the call ends.
func (t *forms) find(b []byte) (f *form, end int) {
	line := bytes.IndexByte(b[:min(len(b), maxRepeat)], '\n')
	if line < 0 {
		line = 0
	}
	t.row = xxhash.Sum64(b[:line]) % formRows
	row := &t.rows[t.row]
	for i, f := range row {
		if f == nil {
			break
		}
		if end := t.fits(f, b); end > 0 {
			copy(row[1:i+1], row[:i])
			row[0] = f
			t.score = min(t.score+1, formScore)
			return f, end
		}
	}
	return nil, 0
}

// fits returns where the call ends when it fits, else 0, and leaves the sizes of what
// stands in the holes.
func (t *forms) fits(f *form, b []byte) int {
	t.sizes = t.sizes[:0]
	at, done := 0, uint32(0) // in b, in the form
	for i := range f.holes {
		h := &f.holes[i]
		if at = continues(b, at, f.text[done:h.from]); at < 0 {
			return 0
		}
		size := toTag(b[at:])
		if size < 0 {
			return 0
		}
		t.sizes = append(t.sizes, size)
		at, done = at+size, h.to
	}
	return max(continues(b, at, f.text[done:]), 0)
}

// continues returns where b goes on behind the text that stands at offset at, -1 when
// another text does.
func continues(b []byte, at int, text []byte) int {
	end := at + len(text)
	if end > len(b) || string(b[at:end]) != string(text) {
		return -1
	}
	return end
}

// toTag returns the offset of the next '<', -1 for none. It is nearly always near.
func toTag(b []byte) int {
	for i := range min(len(b), 24) {
		if b[i] == '<' {
			return i
		}
	}
	return bytes.IndexByte(b, '<')
}

// fill appends the nodes of a call that has texts of these sizes in the holes and
// whose text begins at offset base.
func (f *form) fill(nodes []pipe.Node, sizes []int, base uint32) []pipe.Node {
	first := len(nodes)
	nodes = append(nodes, f.nodes...)
	filled, k := nodes[first:], 0
	for i := range filled {
		n := &filled[i]
		if n.NameLen != 0 {
			n.NameOff += base
		}
		switch {
		case k < len(f.holes) && f.holes[k].node == i:
			n.TextOff += base
			base += uint32(sizes[k]) - n.TextLen
			n.TextLen = uint32(sizes[k])
			k++
		case n.TextLen != 0:
			n.TextOff += base
		}
	}
	return nodes
}

// learn makes a form of a call that fits none: its text behind the number, and its
// nodes, whose offsets count from base on.
func (t *forms) learn(text []byte, class, method string, nodes []pipe.Node, base int) {
	if t.rest > 0 {
		t.rest--
		return
	}
	unknown := func(n pipe.Node) bool { return n.Kind == pipe.UnknownValue }
	if len(text) > maxRepeat || bytes.IndexByte(text, '\n') < 0 || bytes.IndexByte(text, '!') >= 0 || slices.ContainsFunc(nodes, unknown) {
		return
	}
	if t.score--; t.score < 0 {
		t.score, t.rest = 1, formRest
	}
	if t.bytes > maxForms {
		t.rows, t.bytes = [formRows][formsPerRow]*form{}, 0
	}
	f := newForm(text, class, method, nodes, base)
	row := &t.rows[t.row]
	if last := row[formsPerRow-1]; last != nil {
		t.bytes -= last.size()
	}
	copy(row[1:], row[:])
	row[0] = f
	t.bytes += f.size()
}

func (f *form) size() int { return len(f.text) + (nodeBytes+holeBytes)*len(f.nodes) }

const holeBytes = 16 // of a hole

// newForm makes a form of a call. Its nodes stand in the order of the text.
func newForm(text []byte, class, method string, nodes []pipe.Node, base int) *form {
	f := &form{text: bytes.Clone(text), class: class, method: method, nodes: append([]pipe.Node(nil), nodes...)}
	for i := range f.nodes {
		n := &f.nodes[i]
		n.NameOff = shift(n.NameOff, n.NameLen, base)
		if closed := n.TextOff == 0; closed || !scalar(n.Kind) {
			n.TextOff = shift(n.TextOff, n.TextLen, base)
			continue
		}
		n.TextOff -= uint32(base)
		f.holes = append(f.holes, hole{node: i, from: n.TextOff, to: n.TextOff + n.TextLen})
	}
	return f
}

// scalar says whether the text of such a value is all that stands between two tags,
// or within a CDATA section, which has a '!' before it.
func scalar(k pipe.ValueKind) bool {
	switch k {
	case pipe.UintValue, pipe.IntValue, pipe.BoolValue, pipe.FloatValue, pipe.PtrValue, pipe.EnumValue, pipe.BytesValue, pipe.StringValue:
		return true
	}
	return false
}
