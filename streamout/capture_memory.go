package streamout

import (
	"encoding/binary"
	"math/bits"
)

const (
	pageShift = 12
	pageSize  = 1 << pageShift
)

// page is a piece of a buffer, in dwords of little-endian order because nearly
// all that is written is dwords. A byte that is not known has a clear bit.
type page struct {
	words [pageSize / 4]uint32
	known [pageSize / 64]uint64
}

// put writes bytes from byte in on.
func (p *page) put(in int, data []byte) {
	for i := 0; i < len(data); {
		at := in + i
		if at&3 == 0 && len(data)-i >= 4 {
			p.words[at>>2] = binary.LittleEndian.Uint32(data[i:])
			i += 4
			continue
		}
		shift := at & 3 * 8
		p.words[at>>2] = p.words[at>>2]&^(0xFF<<shift) | uint32(data[i])<<shift
		i++
	}
}

// get reads bytes from byte in on.
func (p *page) get(in int, data []byte) {
	for i := range data {
		at := in + i
		data[i] = byte(p.words[at>>2] >> (at & 3 * 8))
	}
}

// memory is what is known of the bytes of a buffer. Bytes that were never
// written cost nothing. The zero memory knows nothing.
type memory struct {
	pages map[uint64]*page
	last  *page // page number at, the one that was written last
	at    uint64
}

// page returns page no, made when it is not there.
func (m *memory) page(no uint64) *page {
	if m.last != nil && m.at == no {
		return m.last
	}
	p := m.pages[no]
	if p == nil {
		if m.pages == nil {
			m.pages = make(map[uint64]*page)
		}
		p = new(page)
		m.pages[no] = p
	}
	m.last, m.at = p, no
	return p
}

// writeWords writes dwords in little-endian order.
func (m *memory) writeWords(offset uint64, words []uint32) {
	in := int(offset & (pageSize - 1))
	if in&3 != 0 || in+4*len(words) > pageSize {
		for i, w := range words {
			var b [4]byte
			binary.LittleEndian.PutUint32(b[:], w)
			m.write(offset+4*uint64(i), b[:])
		}
		return
	}
	p := m.page(offset >> pageShift)
	copy(p.words[in>>2:], words)
	p.set(in, 4*len(words), true)
}

// write writes bytes.
func (m *memory) write(offset uint64, data []byte) {
	for len(data) > 0 {
		p, in := m.page(offset>>pageShift), int(offset&(pageSize-1))
		n := min(len(data), pageSize-in)
		p.put(in, data[:n])
		p.set(in, n, true)
		data, offset = data[n:], offset+uint64(n)
	}
}

// set makes n bytes of the page known or not.
func (p *page) set(from, n int, known bool) {
	if known && from&63 == 0 {
		full := p.known[from>>6:][:n>>6]
		for i := range full {
			full[i] = ^uint64(0)
		}
		from, n = from+n&^63, n&63
	}
	for n > 0 {
		bit := from & 63
		count := min(64-bit, n)
		mask := ^uint64(0) >> (64 - count) << bit
		if known {
			p.known[from>>6] |= mask
		} else {
			p.known[from>>6] &^= mask
		}
		from, n = from+count, n-count
	}
}

// firstUnknown returns the first of n bytes that is not known, n when all are.
func (p *page) firstUnknown(from, n int) int {
	for done := 0; done < n; {
		bit := (from + done) & 63
		run := bits.TrailingZeros64(^(p.known[(from+done)>>6] >> bit))
		run = min(run, 64-bit)
		if run < 64-bit {
			return min(done+run, n)
		}
		done += run
	}
	return n
}

// forget makes a range unknown.
func (m *memory) forget(offset, size uint64) {
	m.each(offset, size, func(_ uint64, p *page, from, n int) { p.set(from, n, false) })
}

// each calls f for every page that is there and has part of a range: n bytes
// from byte from of page no on. What f is called for is bounded by the pages.
func (m *memory) each(offset, size uint64, f func(no uint64, p *page, from, n int)) {
	if size == 0 || len(m.pages) == 0 {
		return
	}
	end := add(offset, size)
	first, last := offset>>pageShift, (end-1)>>pageShift
	visit := func(no uint64, p *page) {
		low, high := max(offset, no<<pageShift), min(end, (no+1)<<pageShift)
		f(no, p, int(low&(pageSize-1)), int(high-low))
	}
	if last-first >= uint64(len(m.pages)) {
		for no, p := range m.pages {
			if first <= no && no <= last {
				visit(no, p)
			}
		}
		return
	}
	for no := first; no <= last; no++ {
		if p := m.pages[no]; p != nil {
			visit(no, p)
		}
	}
}

// firstUnknown returns the first byte of a range that is not known; it is the
// range's end when all are.
func (m *memory) firstUnknown(offset, size uint64) uint64 {
	end := add(offset, size)
	for offset < end {
		p := m.pages[offset>>pageShift]
		if p == nil {
			return offset
		}
		in := int(offset & (pageSize - 1))
		n := int(min(end-offset, pageSize-uint64(in)))
		if k := p.firstUnknown(in, n); k < n {
			return offset + uint64(k)
		}
		offset += uint64(n)
	}
	return end
}

// read fills b with the bytes at the offset and says whether all are known.
func (m *memory) read(offset uint64, b []byte) bool {
	for len(b) > 0 {
		p := m.pages[offset>>pageShift]
		if p == nil {
			return false
		}
		in := int(offset & (pageSize - 1))
		n := min(len(b), pageSize-in)
		if p.firstUnknown(in, n) < n {
			return false
		}
		p.get(in, b[:n])
		b, offset = b[n:], offset+uint64(n)
	}
	return true
}

// copyFrom makes a range what another range is, as far as that is known. The
// two may be of one memory.
func (m *memory) copyFrom(offset uint64, from *memory, source, size uint64) {
	type piece struct {
		at   uint64
		data []byte
	}
	var pieces []piece
	from.each(source, size, func(no uint64, p *page, in, n int) {
		for n > 0 {
			k := p.firstUnknown(in, n)
			if k > 0 {
				at := no<<pageShift + uint64(in) - source
				data := make([]byte, k)
				p.get(in, data)
				pieces = append(pieces, piece{at, data})
			}
			in, n = in+k+1, n-k-1
		}
	})
	m.forget(offset, size)
	for _, p := range pieces {
		m.write(offset+p.at, p.data)
	}
}
