//go:build !linux

package main

import "os"

// askWidth asks the terminal, 0 when it does not answer.
func askWidth(*os.File) int { return 0 }
