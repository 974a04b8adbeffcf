// Unpack reads a gzip file with the standard library's reader and drops the text:
// the least that any reader of a packed trace has to do.
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

func main() {
	size, err := unpack(os.Args[len(os.Args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "unpack:", err)
		os.Exit(2)
	}
	fmt.Println(size)
}

// unpack returns how many bytes a file unpacks to.
func unpack(path string) (size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	text, err := gzip.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, text)
}
