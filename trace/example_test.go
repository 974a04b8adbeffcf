package trace_test

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/trace"
)

func ExampleReader_Records() {
	const text = `<?xml version='1.0' encoding='UTF-8'?>
<trace version='0.1'>
	<call no='1' class='pipe_context' method='set_stream_output_targets'>
		<arg name='pipe'><ptr>0x7f2b6d909010</ptr></arg>
		<arg name='num_targets'><uint>0</uint></arg>
		<arg name='tgs'><null/></arg>
		<time><int>1</int></time>
	</call>
	<call no='2' class='pipe_context' method='draw_vbo'>
		<arg name='pipe'><ptr>0x7f2b6d909010</ptr></arg>
`
	r, err := trace.NewReader(strings.NewReader(text), trace.Options{Name: "app.xml"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for rec, err := range r.Records() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if rec.Kind == trace.CallRecord {
			fmt.Println(rec.Pos.Line, rec.No, rec.Method, rec.Values.Arg("pipe"), "open:", rec.Open)
		}
	}
	fmt.Println(r.Ending().Kind, r.Ending().Calls)
	// Output:
	// 3 1 set_stream_output_targets 0x7f2b6d909010 open: false
	// 9 2 draw_vbo 0x7f2b6d909010 open: true
	// inside-call 1
}
