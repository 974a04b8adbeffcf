package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// progressEvery is how often a progress line is drawn anew. Work that is over
// before the first one shows none.
const progressEvery = 300 * time.Millisecond

// counted counts the bytes that are read through it.
type counted struct {
	io.Reader
	bytes atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

// showProgress draws how much of a trace has been read, on a terminal, until the
// function that it returns is called. Size is that of the file, 0 if unknown.
func showProgress(w io.Writer, name string, read *counted, size int64) (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		drawn := false
		for {
			select {
			case <-tick.C:
				drawn = true
				fmt.Fprintf(w, "\r%s: %s\x1b[K", name, progressOf(read.bytes.Load(), size))
			case <-done:
				if drawn {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}

func progressOf(read, size int64) string {
	if size > 0 {
		return fmt.Sprintf("%d%% of %d MB", read*100/size, size>>20)
	}
	return fmt.Sprintf("%d MB", read>>20)
}

// fileSize returns the size of a regular file, 0 for anything else.
func fileSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
