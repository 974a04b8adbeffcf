package levels_test

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit/levels"
)

// A target that is smaller below than above.
func ExampleCompare() {
	read := func(name string, size int) *levels.Level {
		text := fmt.Sprintf(capturing, size)
		r, err := trace.NewReader(strings.NewReader(text), trace.Options{Name: name})
		if err != nil {
			panic(err)
		}
		defer r.Close()
		l, err := levels.Read(r, name)
		if err != nil {
			panic(err)
		}
		return l
	}
	report := levels.Compare(read("guest.xml", 96), read("host.xml", 64))
	fmt.Println(report)
	for _, d := range report.Differences {
		fmt.Printf("%s %s: %s above, %s below\n", d.Kind, d.Path, d.AboveValue, d.BelowValue)
	}
	// Output:
	// 1 of 1 captured draws above matched with 1 below, 1 differences
	// changed targets[0].buffer_size: 96 B above, 64 B below
}

// capturing is a trace of one draw that captures into a target of a size.
const capturing = `<trace version='0.1'>
<call no='1' class='' method='pipe_screen_create'><ret><ptr>0x1000</ptr></ret></call>
<call no='2' class='pipe_context' method='create_vs_state'><arg name='pipe'><ptr>0x2000</ptr></arg><arg name='state'><struct name='pipe_shader_state'><member name='type'><uint>2</uint></member><member name='tokens'><null/></member><member name='ir'><null/></member><member name='stream_output'><struct name='pipe_stream_output_info'><member name='num_outputs'><uint>1</uint></member><member name='stride'><array><elem><uint>4</uint></elem><elem><uint>0</uint></elem><elem><uint>0</uint></elem><elem><uint>0</uint></elem></array></member><member name='output'><array><elem><struct name=''><member name='register_index'><uint>0</uint></member><member name='start_component'><uint>0</uint></member><member name='num_components'><uint>4</uint></member><member name='output_buffer'><uint>0</uint></member><member name='dst_offset'><uint>0</uint></member><member name='stream'><uint>0</uint></member></struct></elem></array></member></struct></member></struct></arg><ret><ptr>0x3000</ptr></ret></call>
<call no='3' class='pipe_context' method='bind_vs_state'><arg name='pipe'><ptr>0x2000</ptr></arg><arg name='state'><ptr>0x3000</ptr></arg></call>
<call no='4' class='pipe_context' method='create_stream_output_target'><arg name='pipe'><ptr>0x2000</ptr></arg><arg name='res'><ptr>0x4000</ptr></arg><arg name='buffer_offset'><uint>0</uint></arg><arg name='buffer_size'><uint>%d</uint></arg><ret><ptr>0x5000</ptr></ret></call>
<call no='5' class='pipe_context' method='set_stream_output_targets'><arg name='pipe'><ptr>0x2000</ptr></arg><arg name='num_targets'><uint>1</uint></arg><arg name='tgs'><array><elem><ptr>0x5000</ptr></elem></array></arg><arg name='offsets'><array><elem><uint>0</uint></elem></array></arg></call>
<call no='6' class='pipe_context' method='draw_vbo'><arg name='pipe'><ptr>0x2000</ptr></arg><arg name='info'><struct name='pipe_draw_info'><member name='index_size'><uint>0</uint></member><member name='mode'><uint>4</uint></member><member name='start_instance'><uint>0</uint></member><member name='instance_count'><uint>1</uint></member></struct></arg><arg name='drawid_offset'><int>0</int></arg><arg name='indirect'><null/></arg><arg name='draws'><array><elem><struct name='pipe_draw_start_count_bias'><member name='start'><uint>0</uint></member><member name='count'><uint>3</uint></member><member name='index_bias'><int>0</int></member></struct></elem></array></arg><arg name='num_draws'><uint>1</uint></arg></call>
</trace>
`
