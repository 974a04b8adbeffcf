package rules_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// A Track with the whole catalog, in a stack over a driver that accepts
// everything. Two outputs write the same dword of a vertex.
func Example() {
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		fmt.Printf("%s: %s\n\t%s [%s]\n", f.Severity, f.Path, f.Message, f.Rule.ID)
	}})
	ctx, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	if err != nil {
		fmt.Println(err)
		return
	}
	var info pipe.StreamOutputInfo
	n := pipe.StreamOutputNumbers{NumOutputs: 2, Stride: []uint64{7}, Output: []pipe.OutputNumbers{
		{RegisterIndex: 0, NumComponents: 4},
		{RegisterIndex: 1, NumComponents: 4, DstOffset: 3},
	}}
	if problems := n.Pack(&info); problems != nil {
		fmt.Println(problems)
		return
	}
	if _, err := ctx.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// error: state.stream_output.output[1].dst_offset
	// 	output 1 writes dw 3..6 of buffer 0, output 0 writes dw 0..3 [so-overlap]
}
