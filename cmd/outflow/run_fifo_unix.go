//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// pollEvery is how often an empty FIFO is looked at. A program writes it a call
// at a time: a reader that slept in read would be woken for every one of them,
// at the program's cost.
const pollEvery = 2 * time.Millisecond

// traceFIFO is a FIFO in a directory of its own that a program writes its trace
// into, and the reader of it. Outflow holds the other end open too, so that the
// program may close and open it as often as it likes; the text ends when finish
// has let go of that end and no other writer is left.
type traceFIFO struct {
	path string
	read int // not blocking

	mu    sync.Mutex
	write int // outflow's own end, -1 once let go

	cut   atomic.Bool  // the text ended although somebody holds the FIFO open
	limit atomic.Int64 // when to cut, in nanoseconds of the Unix clock; 0 for never
	last  time.Time    // when text was last read
	full  bool         // the last read found as much as there was room for
}

// newTraceFIFO makes a FIFO that only the user can open.
func newTraceFIFO() (*traceFIFO, error) {
	dir, err := os.MkdirTemp("", "outflow-run-")
	if err != nil {
		return nil, err
	}
	f := &traceFIFO{path: filepath.Join(dir, "trace.xml"), read: -1, write: -1}
	if err := f.open(); err != nil {
		f.remove()
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return f, nil
}

func (f *traceFIFO) open() (err error) {
	if err := syscall.Mkfifo(f.path, 0o600); err != nil {
		return err
	}
	const flags = syscall.O_NONBLOCK | syscall.O_CLOEXEC
	if f.read, err = syscall.Open(f.path, syscall.O_RDONLY|flags, 0); err != nil {
		return err
	}
	if f.write, err = syscall.Open(f.path, syscall.O_WRONLY|flags, 0); err != nil {
		return err
	}
	enlargeFIFO(f.read)
	return nil
}

// Read reads what is there, waiting for more where that is little.
func (f *traceFIFO) Read(b []byte) (int, error) {
	if wait := pollEvery - time.Since(f.last); wait > 0 && !f.full {
		time.Sleep(wait)
	}
	for len(b) > 0 {
		n, err := syscall.Read(f.read, b)
		switch {
		case n > 0:
			f.last, f.full = time.Now(), n == len(b)
			return n, nil
		case err == nil:
			return 0, io.EOF
		case errors.Is(err, syscall.EINTR):
			continue
		case !errors.Is(err, syscall.EAGAIN):
			return 0, os.NewSyscallError("read", err)
		case f.overdue():
			f.cut.Store(true)
			return 0, io.EOF
		}
		time.Sleep(pollEvery)
	}
	return 0, nil
}

func (f *traceFIFO) overdue() bool {
	limit := f.limit.Load()
	return limit != 0 && time.Now().UnixNano() >= limit
}

// finish ends the text once nobody writes any more, or nothing has come when the
// grace is over.
func (f *traceFIFO) finish(grace time.Duration) {
	f.limit.Store(time.Now().Add(max(grace, 0)).UnixNano())
	f.letGo()
}

// letGo closes outflow's own writing end.
func (f *traceFIFO) letGo() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.write >= 0 {
		syscall.Close(f.write)
		f.write = -1
	}
}

// remove removes the FIFO and its directory. Nothing may read it any more.
func (f *traceFIFO) remove() {
	f.letGo()
	if f.read >= 0 {
		syscall.Close(f.read)
		f.read = -1
	}
	os.RemoveAll(filepath.Dir(f.path))
}

// runSignals are those that would end outflow. SIGPIPE is among them so that
// writing to a closed standard error is an error like any other.
var runSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE}

// forwarded says whether a signal to outflow is meant for the program.
func forwarded(s os.Signal) bool { return s != syscall.SIGPIPE }

// killedBy returns the signal that ended a process, 0 when none did.
func killedBy(state *os.ProcessState) (number int, name string) {
	if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return int(w.Signal()), w.Signal().String()
	}
	return 0, ""
}
