package main

import (
	"os"
	"syscall"
	"unsafe"
)

// askWidth asks for the columns, 0 when they are not known; only a terminal
// answers.
func askWidth(f *os.File) (columns int, ok bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
