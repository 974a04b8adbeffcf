package streamout_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// A Track is a layer like any other: it sits in a stack, and what it finds goes
// to a function.
func Example() {
	track := streamout.NewTrack(streamout.Options{
		Rules:  rules.All(),
		Report: func(f *streamout.Finding) { fmt.Printf("%s: %s [%s]\n", f.Severity, f.Message, f.Rule.ID) },
	})
	c, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	if err != nil {
		fmt.Println(err)
		return
	}
	// A vec3 and a vec3 behind it need 6 dwords, not 3.
	first, _ := pipe.OutputNumbers{RegisterIndex: 0, NumComponents: 3}.Pack()
	second, _ := pipe.OutputNumbers{RegisterIndex: 1, NumComponents: 3, DstOffset: 3}.Pack()
	info, err := pipe.NewStreamOutputInfo([4]uint16{3}, first, second)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info}); err != nil {
		fmt.Println(err)
	}
	fmt.Println("errors:", track.Summary().Errors)
	// Output:
	// error: stride[0] is 3 dw (12 B), output 1 ends at 6 dw (24 B) [so-stride-smaller-than-extent]
	// errors: 1
}
