//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"time"
)

// traceFIFO stands for what this system does not have.
type traceFIFO struct {
	path string
	cut  atomic.Bool
}

func newTraceFIFO() (*traceFIFO, error) {
	return nil, errors.New("there are no FIFOs on " + runtime.GOOS + ": run the program with GALLIUM_TRACE=FILE and check the file")
}

func (*traceFIFO) Read([]byte) (int, error) { return 0, io.EOF }
func (*traceFIFO) finish(time.Duration)     {}
func (*traceFIFO) remove()                  {}

var runSignals = []os.Signal{os.Interrupt}

func forwarded(os.Signal) bool { return true }

func killedBy(*os.ProcessState) (int, string) { return 0, "" }
