package main

import "syscall"

// largestFIFO is what Linux lets any user have (fs.pipe-max-size).
const largestFIFO = 1 << 20

// setPipeSize is F_SETPIPE_SZ (fcntl(2)).
const setPipeSize = 1031

// enlargeFIFO makes room in a FIFO, so that the program waits for its reader
// less often. Where that is denied the FIFO stays as it is.
func enlargeFIFO(fd int) {
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), setPipeSize, largestFIFO)
}
