package blocks

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Compression is how the bytes of a source are packed.
type Compression uint8

// The compressions that are known by their first bytes.
const (
	Plain Compression = iota
	Gzip
	Bzip2
	Zstd
)

var compressionNames = [...]string{"plain", "gzip", "bzip2", "zstd"}

// String returns the common name.
func (c Compression) String() string { return compressionNames[c] }

// Sniff tells the compression by the first bytes of a source (RFC 1952; bzip2's
// BZh1 to BZh9; RFC 8878 with its skippable frames).
func Sniff(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case len(head) >= 4 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9':
		return Bzip2
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstd
	case len(head) >= 4 && head[0]&0xf0 == 0x50 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18:
		return Zstd
	}
	return Plain
}

// maxWindow is the largest zstd window that is accepted, that of zstd --long=27.
const maxWindow = 128 << 20

// Decompressor unpacks one source after another, with the same memory. Its zero
// value is ready.
type Decompressor struct {
	head  [4]byte
	ahead *bufio.Reader // of packed bytes
	how   Compression
	gzip  gzipText
	zstd  *zstd.Decoder
}

// packedAhead is how many packed bytes are read at once.
const packedAhead = 64 << 10

// Open returns the plain text of src, whose compression it finds out. The text of
// the source before is not valid any more. The error is that of reading src; what
// a decompressor objects to comes from reading text, but a wrong checksum may come
// from SumErr alone.
func (d *Decompressor) Open(src io.Reader) (text io.Reader, how Compression, err error) {
	n, err := io.ReadFull(src, d.head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, Plain, err
	}
	src = &prefixed{head: d.head[:n], rest: src}
	d.how = Sniff(d.head[:n])
	if d.how == Plain {
		return src, Plain, nil
	}
	if d.ahead == nil {
		d.ahead = bufio.NewReaderSize(nil, packedAhead)
	}
	d.ahead.Reset(src)
	if text, err = d.unpack(); err != nil {
		return failed{err}, d.how, nil
	}
	return text, d.how, nil
}

// unpack returns what the packed bytes ahead say.
func (d *Decompressor) unpack() (io.Reader, error) {
	switch d.how {
	case Bzip2:
		return bzip2.NewReader(d.ahead), nil
	case Gzip:
		return &d.gzip, d.gzip.reset(d.ahead)
	}
	if d.zstd != nil {
		return d.zstd, d.zstd.Reset(d.ahead)
	}
	var err error
	d.zstd, err = zstd.NewReader(d.ahead, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	return d.zstd, err
}

// Sum is to be given all text that was unpacked, in order: it compares it with the
// checksums that unpacking leaves aside. It need not be the goroutine that unpacks.
func (d *Decompressor) Sum(text []byte) {
	if d.how == Gzip {
		d.gzip.sums.add(text)
	}
}

// SumErr tells, after the last call of Sum, whether a checksum was wrong.
func (d *Decompressor) SumErr() error {
	if d.how == Gzip {
		return d.gzip.sums.err()
	}
	return nil
}

// Close frees what is held. The sources are left alone.
func (d *Decompressor) Close() {
	if d.zstd != nil {
		d.zstd.Close()
	}
	*d = Decompressor{}
}

// prefixed reads bytes that were read already, and the rest along with them: so
// few are no use by themselves.
type prefixed struct {
	head []byte
	rest io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	n := copy(b, p.head)
	if p.head = p.head[n:]; n == len(b) {
		return n, nil
	}
	m, err := p.rest.Read(b[n:])
	return n + m, err
}

// failed is a text that could not be decompressed from its start.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
