package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
)

// Vertex is what the last vertex stage put out for one vertex: four dwords for
// each register, register r from Words[4*r] on. What is behind the end of Words
// is not known.
type Vertex struct {
	Words []uint32
	// Unknown has a bit for each dword of Words that is not known, dword 0 in bit
	// 0 of the first; nil when all are.
	Unknown []uint64
}

// allKnown says whether n dwords from the first are known.
func (v *Vertex) allKnown(first, n int) bool {
	if first+n > len(v.Words) {
		return false
	}
	if v.Unknown == nil {
		return true
	}
	for i := first; i < first+n; i++ {
		if !v.knows(i) {
			return false
		}
	}
	return true
}

func (v *Vertex) knows(i int) bool {
	return i < len(v.Words) && (i>>6 >= len(v.Unknown) || v.Unknown[i>>6]>>(i&63)&1 == 0)
}

// move copies n dwords of a vertex, from dword from of its registers to dword
// to of the vertex in the buffer.
type move struct{ from, to, n int }

// slotPlan is what a stream does to the vertices of one buffer.
type slotPlan struct {
	slot           int
	stride, extent uint64 // bytes
	start          uint64 // byte of a vertex that the first output lies at
	moves          []move
}

// streamPlan is what one stream writes, by slot.
type streamPlan []slotPlan

// planOf makes the plans of all streams.
func planOf(info *pipe.StreamOutputInfo) *[pipe.MaxVertexStreams]streamPlan {
	var plans [pipe.MaxVertexStreams]streamPlan
	for stream := range plans {
		for slot := range pipe.MaxStreamOutputBuffers {
			if p, ok := planSlot(info, stream, slot); ok {
				plans[stream] = append(plans[stream], p)
			}
		}
	}
	return &plans
}

func planSlot(info *pipe.StreamOutputInfo, stream, slot int) (slotPlan, bool) {
	p := slotPlan{slot: slot, stride: uint64(info.Stride[slot]) * 4, start: 1 << 32}
	for _, o := range info.Outputs() {
		if o.Stream() != stream || o.Buffer() != slot {
			continue
		}
		p.extent = max(p.extent, uint64(o.End())*4)
		p.start = min(p.start, uint64(o.DstOffset())*4)
		to := o.DstOffset()
		for component := range 4 {
			if o.Mask()>>component&1 != 0 {
				p.add(move{4*o.Register() + component, to, 1})
				to++
			}
		}
	}
	return p, p.start != 1<<32
}

// add appends a move, joined with the last one where it goes on.
func (p *slotPlan) add(m move) {
	if k := len(p.moves) - 1; k >= 0 {
		if last := &p.moves[k]; last.from+last.n == m.from && last.to+last.n == m.to {
			last.n += m.n
			return
		}
	}
	p.moves = append(p.moves, m)
}

// write puts vertices one behind the other from byte at of a buffer on.
func (p *slotPlan) write(m *memory, at uint64, vertices []Vertex) {
	for len(vertices) > 0 {
		n := p.writeRow(m, at, vertices)
		if n == 0 {
			p.writeOne(m, at, &vertices[0])
			n = 1
		}
		at += uint64(n) * p.stride
		vertices = vertices[n:]
	}
}

// writeRow is for vertices that are known and leave no gap: it writes those that
// lie in one page, and returns how many.
func (p *slotPlan) writeRow(m *memory, at uint64, vertices []Vertex) int {
	in := int(at & (pageSize - 1))
	if len(p.moves) != 1 || in&3 != 0 {
		return 0
	}
	r, size := p.moves[0], 4*p.moves[0].n
	if r.to != 0 || uint64(size) != p.stride {
		return 0
	}
	n := min(len(vertices), (pageSize-in)/size)
	if n == 0 {
		return 0
	}
	to := m.page(at >> pageShift)
	words := to.words[in>>2:]
	for i := range vertices[:n] {
		v := &vertices[i]
		if !v.allKnown(r.from, r.n) {
			n = i
			break
		}
		copy(words, v.Words[r.from:r.from+r.n])
		words = words[r.n:]
	}
	to.set(in, n*size, true)
	return n
}

func (p *slotPlan) writeOne(m *memory, at uint64, v *Vertex) {
	for _, r := range p.moves {
		to := at + 4*uint64(r.to)
		if v.allKnown(r.from, r.n) {
			m.writeWords(to, v.Words[r.from:r.from+r.n])
			continue
		}
		for i := range r.n {
			if v.knows(r.from + i) {
				m.writeWords(to+4*uint64(i), v.Words[r.from+i:r.from+i+1])
			} else {
				m.forget(to+4*uint64(i), 4)
			}
		}
	}
}

// forget makes the outputs of n vertices unknown that lie from byte at of a
// buffer on; what the vertices skip stays as it is.
func (p *slotPlan) forget(m *memory, at, n uint64) {
	if n == 0 || len(m.pages) == 0 {
		return
	}
	if p.stride == 0 {
		n = 1
	}
	// The vertices of a page that is there, and no others, need a visit.
	size := add(multiply(n-1, p.stride), p.extent)
	m.each(at, size, func(no uint64, _ *page, in, count int) {
		first, last := uint64(0), n-1
		if low := no<<pageShift + uint64(in) - at; p.stride != 0 {
			// Outputs may reach behind the stride, so that a vertex begins well before.
			first = over(low, p.extent) / p.stride
			last = min(last, (low+uint64(count)-1)/p.stride)
		}
		for k := first; k <= last; k++ {
			for _, r := range p.moves {
				m.forget(at+k*p.stride+4*uint64(r.to), 4*uint64(r.n))
			}
		}
	})
}

// span returns where n vertices from byte at on begin and end, the bytes that
// outputs lie at alone.
func (p *slotPlan) span(at, n uint64) (first, end uint64) {
	if n == 0 {
		return at, at
	}
	return add(at, p.start), add(at, add(multiply(n-1, p.stride), p.extent))
}

// fits returns how many primitives of v vertices have room, by a rule.
func (p *slotPlan) fits(room, v uint64, rule OverflowRule) uint64 {
	if v == 0 || room < p.extent {
		return 0
	}
	if p.stride == 0 {
		return 1<<64 - 1
	}
	vertices := 1 + (room-p.extent)/p.stride
	if rule == OverflowStride {
		vertices = min(vertices, room/p.stride)
	}
	return vertices / v
}
