package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// keptTrace is the file that a live trace is kept in; nil keeps nothing. The
// first error is remembered and told in the end: a full disk stops neither the
// program nor the check.
type keptTrace struct {
	file   *os.File
	buffer *bufio.Writer
	pack   io.WriteCloser // nil for plain text
	failed error
}

// keepTrace creates the file, "" for none.
func keepTrace(path string) (*keptTrace, error) {
	if path == "" {
		return nil, nil
	}
	suffix := filepath.Ext(path)
	if suffix == ".bz2" || suffix == ".xz" {
		return nil, fmt.Errorf("%s: traces are kept plain, as .gz or as .zst", path)
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	k := &keptTrace{file: file, buffer: bufio.NewWriterSize(file, 256<<10)}
	switch suffix {
	case ".gz":
		k.pack, err = gzip.NewWriterLevel(k.buffer, gzip.BestSpeed)
	case ".zst":
		k.pack, err = zstd.NewWriter(k.buffer, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return k, nil
}

// tee returns a reader of src that keeps what is read.
func (k *keptTrace) tee(src io.Reader) io.Reader {
	if k == nil {
		return src
	}
	return io.TeeReader(src, k)
}

// Write keeps b. It reports no error, see close.
func (k *keptTrace) Write(b []byte) (int, error) {
	if k.failed == nil {
		if k.pack != nil {
			_, k.failed = k.pack.Write(b)
		} else {
			_, k.failed = k.buffer.Write(b)
		}
	}
	return len(b), nil
}

// close ends the file and returns the first error of keeping it.
func (k *keptTrace) close() error {
	if k == nil {
		return nil
	}
	var packed error
	if k.pack != nil {
		packed = k.pack.Close()
	}
	return errors.Join(firstOf(k.failed, packed, k.buffer.Flush()), k.file.Close())
}

// firstOf returns the first error that is one: the others follow from it.
func firstOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}
