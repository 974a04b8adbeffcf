package baseline_test

import (
	"fmt"
	"os"

	"github.com/outflow-gpu/outflow/dump/baseline"
)

func Example() {
	var known baseline.Baseline
	known.Add("not-zeroed|graw_util.c|state")
	fmt.Println(known.Write(os.Stdout))
	fmt.Println(known.Take("not-zeroed|graw_util.c|state"), known.Take("not-zeroed|other.c|state"))
	// Output:
	// # Findings that are known: one a line. Delete a line to see its finding again.
	// not-zeroed|graw_util.c|state
	// <nil>
	// true false
}
