package streamout_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// A Capture is a driver: what is drawn with it lands in the bytes of buffers,
// as far as it is told what the shaders put out.
func ExampleCapture() {
	capture := streamout.NewCapture(streamout.CaptureOptions{
		Model: streamout.ReferenceModel(),
		Vertices: streamout.VertexFunc(func(_ *state.Context, id streamout.VertexID) streamout.Vertex {
			return streamout.Vertex{Words: []uint32{id.Vertex}}
		}),
		Draw: func(d *streamout.CapturedDraw) {
			t := d.Targets[0]
			fmt.Printf("generated %d, written %d: bytes %d..%d\n", d.Generated[0].Low, d.Written[0].Low, t.First, t.End-1)
		},
	})
	c, err := pipe.NewContext(capture)
	if err != nil {
		fmt.Println(err)
		return
	}
	output, _ := pipe.OutputNumbers{NumComponents: 1}.Pack()
	info, _ := pipe.NewStreamOutputInfo([4]uint16{1}, output)
	shader, _ := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	rasterizer, _ := c.CreateRasterizer(&pipe.RasterizerState{})
	buffer, _ := c.CreateBuffer(64, pipe.BindStreamOutput)
	target, _ := c.CreateStreamOutputTarget(buffer, 0, 32)
	_ = c.BindShader(pipe.Vertex, shader)
	_ = c.Bind(pipe.KindRasterizer, rasterizer)
	_ = c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0})
	_ = c.Draw(&pipe.DrawInfo{Mode: pipe.TriangleStrip, InstanceCount: 1}, pipe.DrawRange{Count: 5})

	bytes := make([]byte, 64)
	fmt.Println("known:", capture.Read(buffer, 0, bytes))
	for i := 0; i < 24; i += 4 {
		fmt.Print(bytes[i], " ")
	}
	fmt.Println()
	// Output:
	// generated 3, written 2: bytes 0..23
	// known: 24
	// 0 1 2 2 1 3
}
