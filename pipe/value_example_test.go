package pipe_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
)

func ExampleBuilder() {
	var b pipe.Builder
	b.Arg("pipe").Ptr(0x7f2b6d909010)
	b.Arg("num_targets").Uint(1)
	b.Arg("tgs").Array().Elem().Ptr(0x55a5ebf1e0f0).End()
	b.Arg("offsets").Array().Elem().Uint(pipe.AppendOffset).End()
	values := b.Values()

	for arg := range values.Args() {
		fmt.Println(arg.Name(), arg)
	}
	offset, _ := values.Arg("offsets").Index(0).Uint()
	fmt.Println(offset == pipe.AppendOffset)
	// Output:
	// pipe 0x7f2b6d909010
	// num_targets 1
	// tgs {0x55a5ebf1e0f0}
	// offsets {4294967295}
	// true
}
