package trace_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/trace"
)

// Two runs of a program, which got other addresses, and in the second of which a
// target is appended to.
func ExampleDiff() {
	run := func(target, offset string) trace.DiffSource {
		text := strings.NewReplacer("TARGET", target, "OFFSET", offset).Replace(`<trace version='0.1'>
	<call no='1' class='pipe_context' method='create_stream_output_target'>
		<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>
		<ret><ptr>TARGET</ptr></ret>
	</call>
	<call no='2' class='pipe_context' method='set_stream_output_targets'>
		<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>
		<arg name='tgs'><array><elem><ptr>TARGET</ptr></elem></array></arg>
		<arg name='offsets'><array><elem><uint>OFFSET</uint></elem></array></arg>
	</call>
</trace>
`)
		return trace.DiffSource{Name: target, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}}
	}
	summary, err := trace.Diff(run("0x00001000", "0"), run("0x00002000", "4294967295"), trace.DiffOptions{
		Report: func(d *trace.Difference) error {
			for _, v := range d.Values {
				fmt.Println(d.Kind, d.A.No, d.A.Method, v.Path, v.From, v.To)
			}
			return nil
		},
	})
	fmt.Println(summary.Equal, summary.Changed, summary.Same(), err)
	// Output:
	// changed 2 set_stream_output_targets offsets[0] 0 4294967295
	// 1 1 false <nil>
}
