package trace_test

import (
	"os"
	"time"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// A recorder writes what a state tracker in Go does as the trace that Mesa would
// have made of it.
func ExampleRecorder() {
	recorder := trace.NewRecorder(os.Stdout, trace.RecordOptions{
		Dialect: trace.Mesa25_0,
		Clock:   func() time.Time { return time.Time{} },
	})
	defer recorder.Close()
	driver := pipe.Stack(&pipe.Null{}, recorder.Layer)

	op := pipe.Op{Context: 0x55a5ebf1e0f0, Call: &pipe.CreateStreamOutputTarget{Resource: 0x55a5ebf1f000, BufferSize: 96}}
	if err := driver.Do(&op); err != nil {
		panic(err)
	}
	// Output:
	// <?xml version='1.0' encoding='UTF-8'?>
	// <?xml-stylesheet type='text/xsl' href='trace.xsl'?>
	// <trace version='0.1'>
	// 	<call no='1' class='pipe_context' method='create_stream_output_target'>
	// 		<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>
	// 		<arg name='res'><ptr>0x55a5ebf1f000</ptr></arg>
	// 		<arg name='buffer_offset'><uint>0</uint></arg>
	// 		<arg name='buffer_size'><uint>96</uint></arg>
	// 		<ret><ptr>0x10000010</ptr></ret>
	// 		<time><int>0</int></time>
	// 	</call>
	// </trace>
}
