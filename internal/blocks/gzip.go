package blocks

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// gzipText is the text of a gzip file's members (RFC 1952). It leaves their
// checksums to others, as a gzip.Reader cannot: summing takes a tenth of the time of
// unpacking, and unpacking is what others wait for.
type gzipText struct {
	packed *bufio.Reader
	header gzip.Reader   // reads what stands before a member's text
	member io.ReadCloser // the deflated text
	size   uint32        // of the member's text, modulo 2^32
	at     int64         // offset in the text of all members
	sums   checksums
	err    error
}

// reset makes g read packed bytes from their start.
func (g *gzipText) reset(packed *bufio.Reader) error {
	g.packed, g.at = packed, 0
	g.sums.reset()
	g.err = g.next()
	return g.err
}

// next goes to the text of the next member. The error is io.EOF when there is none.
func (g *gzipText) next() error {
	g.size = 0
	if err := g.header.Reset(g.packed); err != nil {
		return err
	}
	if g.member == nil {
		g.member = flate.NewReader(g.packed)
		return nil
	}
	return g.member.(flate.Resetter).Reset(g.packed, nil)
}

// Read reads text of one member. It may be wrong until its checksum is compared.
func (g *gzipText) Read(p []byte) (n int, err error) {
	for n == 0 && g.err == nil {
		n, g.err = g.member.Read(p)
		g.size += uint32(n)
		g.at += int64(n)
		if g.err != io.EOF {
			break
		}
		g.err = g.finish()
	}
	return n, g.err
}

// finish reads what stands behind the text of a member, and goes to the next one.
func (g *gzipText) finish() error {
	var trailer [8]byte
	switch _, err := io.ReadFull(g.packed, trailer[:]); {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	}
	if binary.LittleEndian.Uint32(trailer[4:]) != g.size {
		return gzip.ErrChecksum
	}
	g.sums.expect(g.at, binary.LittleEndian.Uint32(trailer[:]))
	return g.next()
}

// checksums compares a text with the checksums of its parts.
type checksums struct {
	mu     sync.Mutex
	parts  []part // whose ends are ahead
	at     int64  // what is before was summed
	digest uint32 // of the part that at is in
	wrong  bool
}

// part is a part of the text: where it ends, and its checksum.
type part struct {
	end int64
	crc uint32
}

func (s *checksums) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts, s.at, s.digest, s.wrong = s.parts[:0], 0, 0, false
}

// expect notes the next part. It is told before any text behind it is added.
func (s *checksums) expect(end int64, crc uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = append(s.parts, part{end, crc})
}

// add sums the text that comes next.
func (s *checksums) add(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.parts) > 0 {
		within := s.parts[0].end - s.at
		if within > int64(len(text)) {
			break
		}
		s.sum(text[:within])
		s.compare()
		text = text[within:]
	}
	s.sum(text)
}

func (s *checksums) sum(text []byte) {
	s.digest = crc32.Update(s.digest, crc32.IEEETable, text)
	s.at += int64(len(text))
}

// compare looks at the first part, which is summed.
func (s *checksums) compare() {
	s.wrong = s.wrong || s.digest != s.parts[0].crc
	s.parts = s.parts[1:]
	s.digest = 0
}

// err tells whether a part was wrong. All text was added.
func (s *checksums) err() error {
	s.add(nil) // the last part may have been told after its text
	if s.wrong {
		return gzip.ErrChecksum
	}
	return nil
}
