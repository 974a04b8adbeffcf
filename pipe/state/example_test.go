package state_test

import (
	"fmt"
	"log"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// A layer that asks, at each draw, what stream output finds bound.
func Example() {
	m := state.New()
	follow := func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			c := m.Before(op)
			if _, draws := op.Call.(*pipe.Draw); draws {
				t := c.Targets[0].Object
				fmt.Printf("%v#%d holds %d of %d bytes, captured with %v#%d\n", t.Kind, t.Ordinal, t.Fill.Bytes, t.Size,
					c.Capturing().Kind, c.Capturing().Ordinal)
			}
			err := below.Do(op)
			m.Apply(op)
			return err
		})
	}
	ctx, err := pipe.NewContext(pipe.Stack(new(pipe.Null), follow))
	if err != nil {
		log.Fatal(err)
	}
	position, err := pipe.OutputNumbers{NumComponents: 4}.Pack()
	if err != nil {
		log.Fatal(err)
	}
	info, err := pipe.NewStreamOutputInfo([4]uint16{4}, position)
	if err != nil {
		log.Fatal(err)
	}
	vs, _ := ctx.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	buffer, _ := ctx.CreateBuffer(96, pipe.BindStreamOutput)
	target, _ := ctx.CreateStreamOutputTarget(buffer, 0, 96)
	_ = ctx.BindShader(pipe.Vertex, vs)
	_ = ctx.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0})
	for range 3 {
		_ = ctx.Draw(&pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1}, pipe.DrawRange{Count: 3})
	}
	// Output:
	// target#1 holds 0 of 96 bytes, captured with vs#1
	// target#1 holds 48 of 96 bytes, captured with vs#1
	// target#1 holds 96 of 96 bytes, captured with vs#1
}
