package levels

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// rangeChange returns what differs in the target of a slot, nil when the same
// bytes can be written.
func rangeChange(i int, s, t *slot) *change {
	path := fmt.Sprintf("targets[%d]", i)
	switch {
	case s.bound != t.bound:
		return &change{Changed, path, s.String(), t.String()}
	case s.target == 0 || t.target == 0, s.offset == t.offset && s.size == t.size:
		return nil
	case resumed(s, t):
		return nil
	case s.offset != t.offset:
		return &change{Changed, path + ".buffer_offset", bytes(uint64(s.offset)), bytes(uint64(t.offset))}
	}
	return &change{Changed, path + ".buffer_size", bytes(uint64(s.size)), bytes(uint64(t.size))}
}

// resumed says whether two targets begin and end at the same byte of their
// buffer, although their ranges differ: a level below may go on by a target of
// the rest.
func resumed(s, t *slot) bool {
	p, knownP := s.begin()
	q, knownQ := t.begin()
	return knownP && knownQ && uint64(s.offset)+p == uint64(t.offset)+q &&
		uint64(s.offset)+uint64(s.size) == uint64(t.offset)+uint64(t.size)
}

// String says what is in a slot.
func (s *slot) String() string {
	switch {
	case !s.bound:
		return "NULL"
	case s.target == 0:
		return "a target that was never seen"
	}
	return fmt.Sprintf("%d B from %d B on", s.size, s.offset)
}

func (p *piece) numOutputs() string {
	if p.idle == noOutputs {
		return "0"
	}
	return fmt.Sprint(p.layout.numbers.NumOutputs)
}

// targets says which slots have a target.
func (p *piece) targets() string {
	var list []string
	for i := range p.slots {
		if p.slots[i].bound {
			list = append(list, fmt.Sprint(i))
		}
	}
	if list == nil {
		return "no target"
	}
	return "a target in slot " + strings.Join(list, ", ")
}

// String says what is captured.
func (p *piece) String() string {
	if p.idle != captures {
		return "not captured"
	}
	if p.draw.auto || p.draw.indirect {
		return fmt.Sprintf("%v captured", p.draw.mode)
	}
	return fmt.Sprintf("%d vertices of %v captured", p.draw.count, p.draw.mode)
}

func bytes(n uint64) string { return fmt.Sprintf("%d B", n) }

// drawChange returns what differs in what two draws send to stream output.
// Vertices and indices may be rearranged on the way down as long as as many
// primitives of the same kind are captured.
func drawChange(d, e *drawn) *change {
	known := pipe.PrimitiveUnknown
	switch {
	case d.class != e.class && d.class != known && e.class != known:
		return &change{Changed, "info.mode", d.mode.String(), e.mode.String()}
	case d.mode != e.mode && d.counted && e.counted && d.primitives != e.primitives:
		return &change{Changed, "info.mode", d.shape(), e.shape()}
	case d.mode != e.mode && !(d.counted && e.counted):
		return &change{Changed, "info.mode", d.mode.String(), e.mode.String()}
	case d.instances != e.instances && !d.indirect && !e.indirect:
		return &change{Changed, "info.instance_count", fmt.Sprint(d.instances), fmt.Sprint(e.instances)}
	case d.first != e.first && !d.indirect && !e.indirect:
		return &change{Changed, "info.start_instance", fmt.Sprint(d.first), fmt.Sprint(e.first)}
	case d.patch != e.patch:
		return &change{Changed, "patch_vertices", fmt.Sprint(d.patch), fmt.Sprint(e.patch)}
	case d.mode != e.mode:
		return nil
	}
	return countChange(d, e)
}

// countChange compares the vertices of two draws of one mode.
func countChange(d, e *drawn) *change {
	if d.auto || d.indirect || e.auto || e.indirect {
		if d.counted && e.counted && d.primitives != e.primitives {
			return &change{Changed, "draws[0].count", d.shape(), e.shape()}
		}
		return nil
	}
	switch {
	case d.count != e.count:
		return &change{Changed, "draws[0].count", fmt.Sprint(d.count), fmt.Sprint(e.count)}
	case !d.indexed && !e.indexed && d.start != e.start:
		return &change{Changed, "draws[0].start", fmt.Sprint(d.start), fmt.Sprint(e.start)}
	}
	return nil
}

func (d *drawn) shape() string { return fmt.Sprintf("%v, %d primitives", d.mode, d.primitives) }

// doubt are the slots whose filling is no longer told by either trace, because
// something differed before. It ends where both levels begin anew.
type doubt [pipe.MaxStreamOutputBuffers]bool

// beginChange returns how two draws differ in where they begin in their targets.
// sure is false when append above became a number below, and nobody knows
// whether it is the right one.
func beginChange(i int, s, t *slot, doubtful bool) (c *change, sure bool) {
	if !s.fresh && !t.fresh {
		return nil, true
	}
	path := fmt.Sprintf("offsets[%d]", i)
	switch {
	case s.appends() && t.appends():
		return nil, true
	case !s.appends() && !t.appends():
		if s.given == t.given || resumed(s, t) {
			return nil, true
		}
		return &change{Changed, path, bytes(uint64(s.given)), bytes(uint64(t.given))}, true
	case s.appends():
		at, known := s.begin()
		if !known || doubtful {
			return nil, false
		}
		if at == uint64(t.given) || resumed(s, t) {
			return nil, true
		}
		return &change{Changed, path, fmt.Sprintf("append, at %s", bytes(at)), bytes(uint64(t.given))}, true
	}
	at, known := t.begin()
	switch {
	case !t.begun:
		return &change{Changed, path, bytes(uint64(s.given)), "append, to a target that never began"}, true
	case known && !doubtful && (at == uint64(s.given) || resumed(s, t)):
		return nil, true
	case known && !doubtful:
		return &change{Changed, path, bytes(uint64(s.given)), fmt.Sprintf("append, at %s", bytes(at))}, true
	}
	return &change{Changed, path, bytes(uint64(s.given)), "append"}, true
}
