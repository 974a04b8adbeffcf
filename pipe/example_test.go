package pipe_test

import (
	"fmt"
	"log"

	"github.com/outflow-gpu/outflow/pipe"
)

// A state tracker that captures the points of one draw, on a driver that
// accepts everything, with a layer on top that says what passes.
func Example() {
	say := func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			_, method := op.Call.Name()
			err := below.Do(op)
			fmt.Println(method, op.Ret.Handle)
			return err
		})
	}
	ctx, err := pipe.NewContext(pipe.Stack(new(pipe.Null), say))
	if err != nil {
		log.Fatal(err)
	}

	position, err := pipe.OutputNumbers{RegisterIndex: 0, NumComponents: 4}.Pack()
	if err != nil {
		log.Fatal(err)
	}
	info, err := pipe.NewStreamOutputInfo([4]uint16{4}, position)
	if err != nil {
		log.Fatal(err)
	}
	vs, _ := ctx.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	buffer, _ := ctx.CreateBuffer(64, pipe.BindStreamOutput)
	target, _ := ctx.CreateStreamOutputTarget(buffer, 0, 64)
	_ = ctx.BindShader(pipe.Vertex, vs)
	_ = ctx.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0})
	_ = ctx.Draw(&pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, pipe.DrawRange{Count: 4})
	// Output:
	// pipe_screen_create 0x10000010
	// context_create 0x10000020
	// create_vs_state 0x10000030
	// resource_create 0x10000040
	// create_stream_output_target 0x10000050
	// bind_vs_state NULL
	// set_stream_output_targets NULL
	// draw_vbo NULL
}

// A number that the word cannot hold is refused, not cut off.
func ExampleOutputNumbers_Pack() {
	_, err := pipe.OutputNumbers{RegisterIndex: 300, NumComponents: 4}.Pack()
	fmt.Println(err)
	// Output: register_index is 300, at most 255
}

// A mask with a hole is written densely, and takes two entries in Gallium.
func ExampleStreamOutput_Runs() {
	xz, err := pipe.PackMask(5, 0b0101, 0, 4, 0)
	if err != nil {
		log.Fatal(err)
	}
	for n := range xz.Runs() {
		fmt.Println("component", n.StartComponent, "count", n.NumComponents, "at dword", n.DstOffset)
	}
	// Output:
	// component 0 count 1 at dword 4
	// component 2 count 1 at dword 5
}

// The bytes that a debugger shows of a struct of Mesa 23.3.
func ExampleABI_Read() {
	dump := make([]byte, pipe.ABI202308.Size(1))
	copy(dump, []byte{1, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x03, 0x01, 0x00})
	info, _, err := pipe.ABI202308.Read(dump)
	if err != nil {
		log.Fatal(err)
	}
	o := info.Outputs()[0]
	fmt.Println("register", o.Register(), "dwords", o.DstOffset(), "to", o.End(), "stride", info.Stride[0])
	// Output: register 5 dwords 4 to 7 stride 12
}

// What a trace recorded comes before what the driver's profile says.
func ExampleCaps_Or() {
	profile, _ := pipe.ProfileFromScreenName("llvmpipe (LLVM 15.0.6, 256 bits)")
	var recorded pipe.Caps
	recorded.Set("PIPE_CAP_MAX_VERTEX_STREAMS", 1)
	caps := recorded.Or(profile.Caps)
	fmt.Println(profile.Name, caps.VertexStreams, caps.Buffers, caps.Outputs)
	// Output: llvmpipe 1 4 unknown
}
