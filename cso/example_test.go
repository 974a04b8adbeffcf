package cso_test

import (
	"errors"
	"fmt"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
)

// creations counts what reaches the driver.
func creations(n *int) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if _, ok := op.Call.(*pipe.CreateShader); ok {
				*n++
			}
			return below.Do(op)
		})
	}
}

// Two shaders of one text are one driver object when they capture the same, and
// two when they do not.
func ExampleDedup() {
	var made int
	driver := pipe.Stack(&pipe.Null{}, cso.Dedup, creations(&made))
	context, err := pipe.NewContext(driver)
	if err != nil {
		panic(err)
	}
	position, _ := pipe.OutputNumbers{NumComponents: 4}.Pack()
	shader := pipe.ShaderState{Tokens: []byte("VERT\nDCL OUT[0], POSITION\n  0: END\n")}
	for _, stride := range []uint16{4, 4, 8} {
		shader.StreamOutput, _ = pipe.NewStreamOutputInfo([4]uint16{stride}, position)
		if _, err := context.CreateShader(pipe.Vertex, &shader); err != nil {
			panic(err)
		}
		fmt.Printf("stride %d dw: %d driver objects\n", stride, made)
	}
	// Output:
	// stride 4 dw: 1 driver objects
	// stride 4 dw: 1 driver objects
	// stride 8 dw: 2 driver objects
}

// A pass in the middle of a capture saves the stream output, draws with none,
// and lets the capture go on where it stopped.
func ExampleContext_Restore() {
	print := pipe.DriverFunc(func(op *pipe.Op) error {
		if set, ok := op.Call.(*pipe.SetStreamOutputTargets); ok {
			fmt.Printf("targets %v, offsets %#x\n", set.Targets, set.Offsets)
		}
		return nil
	})
	c := cso.NewContext(pipe.Context{Driver: print}, cso.DefaultLimit)
	err := c.SetStreamOutputTargets([]pipe.Handle{0x5500}, []uint32{0})
	c.Save(cso.SaveStreamOutput)
	err = errors.Join(err, c.SetStreamOutputTargets(nil, nil))
	err = errors.Join(err, c.Restore())
	if err != nil {
		panic(err)
	}
	// Output:
	// targets [0x00005500], offsets [0x0]
	// targets [], offsets []
	// targets [0x00005500], offsets [0xffffffff]
}

// The content of a state is what counts of it.
func ExampleKey() {
	var a, b cso.Key
	a.SetBlend(&pipe.BlendState{})
	b.SetBlend(&pipe.BlendState{LogicOp: 3})
	fmt.Println("without logic operations:", a.Equal(&b))
	a.SetBlend(&pipe.BlendState{LogicOpEnable: true})
	b.SetBlend(&pipe.BlendState{LogicOpEnable: true, LogicOp: 3})
	fmt.Println("with them:", a.Equal(&b))
	// Output:
	// without logic operations: true
	// with them: false
}
