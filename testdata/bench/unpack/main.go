// Unpack reads a gzip file and drops the text: the least that any reader of a packed
// trace has to do. It reads with what outflow reads with, or with the standard library.
//
//	unpack [-std] FILE
package main

import (
	"bufio"
	stdgzip "compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

func main() {
	std := flag.Bool("std", false, "read with the standard library")
	flag.Parse()
	size, err := unpack(flag.Arg(0), *std)
	if err != nil {
		fmt.Fprintln(os.Stderr, "unpack:", err)
		os.Exit(2)
	}
	fmt.Println(size)
}

// unpack returns how many bytes a file unpacks to.
func unpack(path string, std bool) (size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	packed := bufio.NewReaderSize(f, 64<<10)
	var text io.Reader
	if std {
		text, err = stdgzip.NewReader(packed)
	} else {
		text, err = gzip.NewReader(packed)
	}
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, text)
}
