package blocks

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
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
	gzip  gzip.Reader
	zstd  *zstd.Decoder
}

// packedAhead is how many packed bytes are read at once.
const packedAhead = 64 << 10

// Open returns the plain text of src, whose compression it finds out. The text of
// the source before is not valid any more. The error is that of reading src; what
// a decompressor objects to comes from reading text.
func (d *Decompressor) Open(src io.Reader) (text io.Reader, how Compression, err error) {
	n, err := io.ReadFull(src, d.head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, Plain, err
	}
	src = &prefixed{head: d.head[:n], rest: src}
	if how = Sniff(d.head[:n]); how == Plain {
		return src, how, nil
	}
	if d.ahead == nil {
		d.ahead = bufio.NewReaderSize(nil, packedAhead)
	}
	d.ahead.Reset(src)
	if text, err = d.unpack(how); err != nil {
		return failed{err}, how, nil
	}
	return text, how, nil
}

// unpack returns what the packed bytes ahead say.
func (d *Decompressor) unpack(how Compression) (io.Reader, error) {
	switch how {
	case Bzip2:
		return bzip2.NewReader(d.ahead), nil
	case Gzip:
		return &d.gzip, d.gzip.Reset(d.ahead)
	}
	if d.zstd != nil {
		return d.zstd, d.zstd.Reset(d.ahead)
	}
	var err error
	d.zstd, err = zstd.NewReader(d.ahead, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	return d.zstd, err
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
