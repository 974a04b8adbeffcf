package blocks

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// gzipText is the text of a gzip file's members (RFC 1952). It leaves the checksums
// of long ones to others, as a gzip.Reader cannot: summing takes a tenth of the time
// of unpacking, and unpacking is what others wait for.
type gzipText struct {
	packed  *bufio.Reader
	header  gzip.Reader   // reads what stands before a member's text
	member  io.ReadCloser // the deflated text
	trailer [8]byte       // what stands behind it
	size    uint32        // of the member's text, modulo 2^32
	digest  uint32        // of the member's text, until it is long
	long    bool
	at      int64 // offset in the text of all members
	sums    checksums
	err     error
}

// longMember is how many bytes of a member's text are summed as they are unpacked:
// of short members there can be many.
const longMember = 64 << 10

// reset makes g read packed bytes from their start.
func (g *gzipText) reset(packed *bufio.Reader) error {
	g.packed, g.at = packed, 0
	g.sums.reset()
	g.err = g.next()
	return g.err
}

// next goes to the text of the next member. The error is io.EOF when there is none.
func (g *gzipText) next() error {
	g.size, g.digest, g.long = 0, 0, false
	if err := g.header.Reset(g.packed); err != nil {
		return err
	}
	if g.member == nil {
		g.member = flate.NewReader(g.packed)
		return nil
	}
	return g.member.(flate.Resetter).Reset(g.packed, nil)
}

// Read reads text of one member, before its checksum is compared.
func (g *gzipText) Read(p []byte) (n int, err error) {
	for n == 0 && g.err == nil {
		n, g.err = g.member.Read(p)
		g.note(p[:n])
		if g.err != io.EOF {
			break
		}
		g.err = g.finish()
	}
	return n, g.err
}

// note takes account of text of the member.
func (g *gzipText) note(text []byte) {
	g.size += uint32(len(text))
	g.at += int64(len(text))
	if g.long {
		return
	}
	g.digest = crc32.Update(g.digest, crc32.IEEETable, text)
	if g.size >= longMember {
		g.long = true
		g.sums.begin(g.at, g.digest)
	}
}

// finish reads what stands behind the text of a member, and goes to the next one.
func (g *gzipText) finish() error {
	switch _, err := io.ReadFull(g.packed, g.trailer[:]); {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	}
	checksum, size := binary.LittleEndian.Uint32(g.trailer[:4]), binary.LittleEndian.Uint32(g.trailer[4:])
	switch {
	case size != g.size:
		return gzip.ErrChecksum
	case g.long:
		g.sums.end(g.at, checksum)
	case checksum != g.digest:
		g.sums.fail()
	}
	return g.next()
}

// checksums compares stretches of a text with their checksums. One goroutine tells of
// them, in order; another one adds the text.
type checksums struct {
	mu        sync.Mutex
	stretches []stretch // that were not compared yet
	wrong     bool

	at     int64  // offset of the text that is added next
	digest uint32 // of the stretch that at is in
}

// stretch is the rest of a member's text.
type stretch struct {
	from, to int64  // offsets in the text; to is -1 until the member ends
	before   uint32 // the digest of what the member has before it
	checksum uint32 // of the member
}

func (s *checksums) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stretches, s.wrong = s.stretches[:0], false
	s.at, s.digest = 0, 0
}

// begin tells of a stretch before any of its text can be added.
func (s *checksums) begin(from int64, before uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stretches = append(s.stretches, stretch{from: from, to: -1, before: before})
}

// end tells where the last stretch ends before any text behind it can be added.
func (s *checksums) end(to int64, checksum uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := &s.stretches[len(s.stretches)-1]
	last.to, last.checksum = to, checksum
}

// fail tells that a checksum was wrong.
func (s *checksums) fail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = true
}

// first returns the stretch that is compared next.
func (s *checksums) first() (next stretch, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stretches) == 0 {
		return stretch{}, false
	}
	return s.stretches[0], true
}

// compare ends the first stretch, which is summed.
func (s *checksums) compare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = s.wrong || s.digest != s.stretches[0].checksum
	s.stretches = slices.Delete(s.stretches, 0, 1)
}

// add sums the text that comes next.
func (s *checksums) add(text []byte) {
	end := s.at + int64(len(text))
	for {
		next, ok := s.first()
		if !ok || next.from > end {
			s.at = end
			return
		}
		if s.at <= next.from {
			text, s.at, s.digest = text[next.from-s.at:], next.from, next.before
		}
		to := end
		if next.to >= 0 {
			to = min(to, next.to)
		}
		s.digest = crc32.Update(s.digest, crc32.IEEETable, text[:to-s.at])
		text, s.at = text[to-s.at:], to
		if s.at != next.to {
			return // it goes on
		}
		s.compare()
	}
}

// err tells whether a checksum was wrong. All text was added.
func (s *checksums) err() error {
	s.add(nil) // the end of a stretch may have been told after its text was added
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong {
		return gzip.ErrChecksum
	}
	return nil
}
