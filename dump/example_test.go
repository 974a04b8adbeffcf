package dump_test

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

const example = `<?xml version='1.0' encoding='UTF-8'?>
<trace version='0.1'>
	<call no='1' class='pipe_context' method='create_stream_output_target'>
		<arg name='pipe'><ptr>0x00000010</ptr></arg>
		<arg name='buffer_size'><uint>64</uint></arg>
		<ret><ptr>0x00000020</ptr></ret>
	</call>
	<call no='2' class='pipe_context' method='set_stream_output_targets'>
		<arg name='pipe'><ptr>0x00000010</ptr></arg>
		<arg name='tgs'><array><elem><ptr>0x00000020</ptr></elem></array></arg>
		<arg name='offsets'><array><elem><uint>0</uint></elem></array></arg>
	</call>
</trace>
`

// Calls are printed by name, with the objects called by kind and creation.
func Example() {
	r, err := trace.NewReader(strings.NewReader(example), trace.Options{Name: "app.xml"})
	if err != nil {
		panic(err)
	}
	names := &dump.Names{}
	printer := dump.NewCallText(dump.CallOptions{Names: names})
	for rec, err := range r.Records() {
		if err != nil {
			panic(err)
		}
		names.See(rec)
		fmt.Print(string(printer.Append(nil, rec)))
	}
	// Output:
	// 1 pipe_context::create_stream_output_target(pipe = context#1, buffer_size = 64) = target#1
	// 2 pipe_context::set_stream_output_targets(pipe = context#1, tgs = {target#1}, offsets = {0})
}

// A struct as text has every field, and is read back as it was.
func ExampleAppendText() {
	output, err := pipe.OutputNumbers{RegisterIndex: 1, NumComponents: 3, DstOffset: 2}.Pack()
	if err != nil {
		panic(err)
	}
	info, err := pipe.NewStreamOutputInfo([4]uint16{5}, output)
	if err != nil {
		panic(err)
	}
	text := dump.AppendText(nil, &info)
	fmt.Println(string(text))
	back, err := dump.ParseText[pipe.StreamOutputInfo](text)
	fmt.Println(back.Equal(&info), err)
	// Output:
	// {num_outputs = 1, stride = {5, 0, 0, 0}, output = {{register_index = 1, start_component = 0, num_components = 3, output_buffer = 0, dst_offset = 2, stream = 0}}}
	// true <nil>
}
