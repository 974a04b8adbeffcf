package audit_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace/audit"
)

// A layer that takes a shader's state for its key, but hands on a copy without
// the strides.
func Example() {
	forgetful := func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if create, ok := op.Call.(*pipe.CreateShader); ok {
				create.State.StreamOutput.Stride = [4]uint16{}
			}
			return below.Do(op)
		})
	}
	report := audit.Run(func(c pipe.Context) error {
		position, err := pipe.OutputNumbers{NumComponents: 4}.Pack()
		if err != nil {
			return err
		}
		info, err := pipe.NewStreamOutputInfo([4]uint16{6}, position)
		if err != nil {
			return err
		}
		vs, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
		if err != nil {
			return err
		}
		if err := c.BindShader(pipe.Vertex, vs); err != nil {
			return err
		}
		return c.Draw(&pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, pipe.DrawRange{Count: 1})
	}, forgetful)
	fmt.Println(report)
	// Output:
	// error: call 5 above draw_vbo: stream_output.stride[0]: 6 dw (24 B) above, 0 dw (0 B) below [so-info-lost]
}
