package dump

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// odd is a trace of what printers have to bear: calls without number, values
// without name, names that come twice, text that is no text, and a cut.
const odd = `<?xml version='1.0' encoding='UTF-8'?>
<trace version='0.1'>
	<call no='1' class='' method='pipe_screen_create'>
		<ret><ptr>0x00000010</ptr></ret>
		<time><int>7</int></time>
	</call>
	<call class='pipe_screen' method='never_taught'>
		<arg name='screen'><ptr>0x00000010</ptr></arg>
		<arg name='box'><struct name='pipe_box'><member name='x'><int>-1</int></member></struct></arg>
		<arg name='box'><null/></arg>
		<null/>
		<arg name='he-&gt;data'><bytes>00FF10</bytes></arg>
		<ret><uint>18446744073709551615</uint></ret>
		<ret><ptr>0x00000020</ptr></ret>
	</call>
<string>leaked text</string>
program output
	<call no='3' class='pipe_context' method='set_label'>
		<arg name='pipe'><ptr>0x00000030</ptr></arg>
		<arg name='text'><string>a &quot;b&quot; &#7;&#255;</string></arg>
		<arg name='lines'><string>one&#10;two &#27;[31m&#10;</string></arg>
		<arg name='f'><float>nan</float></arg>
		<arg name='odd'><quux><uint>1</uint></quux></arg>
		<arg name='blob'><bytes>0G</bytes></arg>
	</call>
	<call no='4' class='pipe_context' method='draw_vbo'>
		<arg name='pipe'><ptr>0x00000030</ptr></arg>
		<arg name='info'><struct name='pipe_draw_info'><member name='mode'><uint>4</uint></member>`

func printed(t *testing.T, text string, names *Names, p interface {
	Append([]byte, *trace.Record) []byte
}) string {
	t.Helper()
	r, err := trace.NewReader(strings.NewReader(text), trace.Options{Name: "odd.xml"})
	require.NoError(t, err)
	var b []byte
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if names != nil {
			names.See(rec)
		}
		b = p.Append(b, rec)
	}
	return string(b)
}

func TestCallText(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(printed(t, odd, nil, NewCallText(CallOptions{})))
	b.WriteString("== narrow\n" + printed(t, odd, nil, NewCallText(CallOptions{Width: 40, Hex: true, HashTexts: true})))
	names := &Names{}
	b.WriteString("== names\n" + printed(t, odd, names, NewCallText(CallOptions{Names: names})))
	b.WriteString("== colours\n" + printed(t, odd, nil, NewCallText(CallOptions{Palette: Palette{Enabled: true}})))
	goldenFile(t, "calls.txt", b.Bytes())
}

// TestCallTextLines holds that the lines of a call can be told from others.
func TestCallTextLines(t *testing.T) {
	for _, width := range []int{0, 20, 80} {
		calls := 0
		for line := range strings.Lines(printed(t, odd, nil, NewCallText(CallOptions{Width: width}))) {
			if strings.IndexByte("0123456789-", line[0]) >= 0 {
				calls++
			} else {
				require.Contains(t, " #", line[:1])
			}
		}
		require.Equal(t, 4, calls)
	}
}

// TestCallTextWidth holds that colours take no room: the lines are the same.
func TestCallTextWidth(t *testing.T) {
	for _, width := range []int{30, 60, 100} {
		plain := printed(t, odd, nil, NewCallText(CallOptions{Width: width}))
		colours := printed(t, odd, nil, NewCallText(CallOptions{Width: width, Palette: Palette{Enabled: true}}))
		require.Equal(t, plain, withoutColour(colours))
	}
}

func TestCallJSON(t *testing.T) {
	names := &Names{}
	text := printed(t, odd, nil, NewCallJSON("odd.xml", CallOptions{})) +
		printed(t, odd, names, NewCallJSON("odd.xml", CallOptions{Names: names, Hex: true, HashTexts: true}))
	for line := range strings.Lines(text) {
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &v), line)
		require.Equal(t, Schema, v["schema"])
	}
	goldenFile(t, "calls.jsonl", []byte(text))
}

func TestCallGo(t *testing.T) {
	goldenFile(t, "calls.go.txt", []byte(printed(t, odd, nil, &CallGo{})))
}

// lives is a trace in which addresses are used again.
const lives = `<trace version='0.1'>
	<call no='1' class='pipe_screen' method='resource_create'><arg name='screen'><ptr>0x10</ptr></arg><arg name='templat'><struct name='pipe_resource'><member name='target'><enum>PIPE_BUFFER</enum></member></struct></arg><ret><ptr>0x20</ptr></ret></call>
	<call no='2' class='pipe_context' method='create_query'><arg name='pipe'><ptr>0x30</ptr></arg><ret><ptr>0x20</ptr></ret></call>
	<call no='3' class='pipe_context' method='begin_query'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='query'><ptr>0x20</ptr></arg></call>
	<call no='4' class='pipe_context' method='create_stream_output_target'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='res'><ptr>0x20</ptr></arg><ret><ptr>0x40</ptr></ret></call>
	<call no='5' class='pipe_context' method='create_vs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><uint>1</uint></arg><ret><ptr>0x50</ptr></ret></call>
	<call no='6' class='pipe_context' method='create_vs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><uint>1</uint></arg><ret><ptr>0x50</ptr></ret></call>
	<call no='7' class='pipe_context' method='create_vs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><uint>2</uint></arg><ret><ptr>0x50</ptr></ret></call>
	<call no='8' class='pipe_context' method='bind_vs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><ptr>0x50</ptr></arg></call>
	<call no='9' class='pipe_screen' method='resource_create'><arg name='screen'><ptr>0x10</ptr></arg><arg name='templat'><struct name='pipe_resource'><member name='target'><enum>PIPE_TEXTURE_2D</enum></member></struct></arg><ret><ptr>0x20</ptr></ret></call>
	<call no='10' class='pipe_context' method='bind_fs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><ptr>0x50</ptr></arg></call>
	<call no='11' class='pipe_context' method='set_stream_output_targets'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='tgs'><array><elem><ptr>0x40</ptr></elem><elem><null/></elem></array></arg></call>
	<call no='12' class='pipe_context' method='set_constant_buffer'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='constant_buffer'><struct name='pipe_constant_buffer'><member name='buffer'><ptr>0x20</ptr></member></struct></arg></call>
</trace>
<?xml version='1.0'?>
<trace version='0.1'>
	<call no='1' class='pipe_context' method='bind_vs_state'><arg name='pipe'><ptr>0x30</ptr></arg><arg name='state'><ptr>0x50</ptr></arg></call>
</trace>
`

func TestNames(t *testing.T) {
	names := &Names{}
	require.Equal(t, `1 pipe_screen::resource_create(screen = screen#1, templat = {target = PIPE_BUFFER}) = buffer#1
2 pipe_context::create_query(pipe = context#1) = query#1
3 pipe_context::begin_query(pipe = context#1, query = query#1)
4 pipe_context::create_stream_output_target(pipe = context#1, res = buffer#1) = target#1
5 pipe_context::create_vs_state(pipe = context#1, state = 1) = vs#1
6 pipe_context::create_vs_state(pipe = context#1, state = 1) = vs#1
7 pipe_context::create_vs_state(pipe = context#1, state = 2) = vs#2
8 pipe_context::bind_vs_state(pipe = context#1, state = vs#2)
9 pipe_screen::resource_create(screen = screen#1, templat = {target = PIPE_TEXTURE_2D}) = texture#1
10 pipe_context::bind_fs_state(pipe = context#1, state = 0x50)
11 pipe_context::set_stream_output_targets(pipe = context#1, tgs = {target#1, NULL})
12 pipe_context::set_constant_buffer(pipe = context#1, constant_buffer = {buffer = texture#1})
1 pipe_context::bind_vs_state(pipe = context#2, state = 0x50)
`, printed(t, lives, names, NewCallText(CallOptions{Names: names})))
}
