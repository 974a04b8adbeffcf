package source

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// reader reads files one after another, in buffers that serve again.
type reader struct {
	buf  []byte
	toks []token
}

// text reads a file.
func (r *reader) text(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r.buf = r.buf[:0]
	for {
		r.buf = slices.Grow(r.buf, 64<<10)
		n, err := f.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		if err == io.EOF {
			return string(r.buf), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// isSource tells a C or C++ file by its name.
func isSource(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".inc":
		return true
	}
	return false
}
