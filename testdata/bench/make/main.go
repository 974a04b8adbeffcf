// Make writes a trace for the comparison of readers: make gears|captures SEED BYTES.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/outflow-gpu/outflow/internal/workload"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("want gears|captures SEED BYTES")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return err
	}
	size, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	return workload.Write(os.Stdout, workload.Kind(args[0]), seed, size)
}
