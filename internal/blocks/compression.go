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

// Decompress returns the plain text of src, whose compression it finds out. The
// closer frees what the decompressor holds and leaves src alone. The error is that
// of reading src; what a decompressor objects to comes from reading text.
func Decompress(src io.Reader) (text io.Reader, how Compression, closer func(), err error) {
	var head [4]byte
	n, err := io.ReadFull(src, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, Plain, nil, err
	}
	src = &prefixed{head: head[:n], rest: src}
	none := func() {}
	switch how = Sniff(head[:n]); how {
	case Gzip:
		z, err := gzip.NewReader(bufio.NewReaderSize(src, 256<<10))
		if err != nil {
			return failed{err}, how, none, nil
		}
		return z, how, none, nil
	case Bzip2:
		return bzip2.NewReader(bufio.NewReaderSize(src, 256<<10)), how, none, nil
	case Zstd:
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return failed{err}, how, none, nil
		}
		return z, how, z.Close, nil
	}
	return src, how, none, nil
}

// prefixed reads bytes that were read already, then the rest.
type prefixed struct {
	head []byte
	rest io.Reader
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) == 0 {
		return p.rest.Read(b)
	}
	n := copy(b, p.head)
	p.head = p.head[n:]
	return n, nil
}

// failed is a text that could not be decompressed from its start.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
