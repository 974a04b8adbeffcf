package main

import (
	"os"
	"strconv"
)

// terminalWidth returns how many columns a terminal has, 0 for what is none.
func terminalWidth(w any) int {
	if !isTerminal(w) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _ := askWidth(w.(*os.File)); n > 0 {
		return n
	}
	return 80
}
