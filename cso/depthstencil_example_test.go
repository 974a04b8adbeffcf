package cso_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
)

func ExampleSanitiseDepthStencil() {
	var s cso.DepthStencilState
	s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = true, true, pipe.CompareNever
	c := cso.AnyDepthStencilContext()
	r, err := cso.SanitiseDepthStencil(&s, &c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("writes depth:", r.WritesDepth)
	for _, change := range r.Changes(&s) {
		fmt.Printf("%s: %s to %s (%v)\n", change.Field, change.From, change.To, change.Reason)
	}
	// Output:
	// writes depth: false
	// depth_writemask: true to false (never)
}
