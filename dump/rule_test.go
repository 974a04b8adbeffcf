package dump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/streamout"
)

func TestRuleText(t *testing.T) {
	r := &streamout.Rule{ID: "so-x", Title: "a title", Severity: streamout.Warning, OnlyDrivers: true,
		Drivers:   []streamout.Escalation{{Driver: "nv50", Severity: streamout.Error}, {Driver: "r600", Severity: streamout.Note}, {Driver: "nvc0", Severity: streamout.Error}},
		Condition: "a condition", Why: "a reason", Fix: "a cure", Sources: []string{"a.c: f", "b.c"}}
	var b strings.Builder
	require.NoError(t, dump.RuleText(&b, r, nil))
	require.Equal(t, `so-x: a title

severity:  warning; error for nv50, nvc0; note for r600; silent for other drivers
reported:  a condition
because:   a reason
right:     a cure
source:    a.c: f
source:    b.c
`, b.String())
}

const twoCalls = `<trace version='0.1'>
	<call no='1' class='' method='pipe_screen_create'>
		<ret><ptr>0x1</ptr></ret>
	</call>
	<call no='2' class='pipe_context' method='create_vs_state'>
		<arg name='state'><struct name='pipe_shader_state'><member name='stream_output'><struct name='pipe_stream_output_info'><member name='num_outputs'><uint>0</uint></member></struct></member></struct></arg>
		<time><int>0</int></time>
	</call>
	<call no='3' class='pipe_context' method='draw_vbo'>
	</call>
</trace>
`

func TestExcerpt(t *testing.T) {
	var b strings.Builder
	require.NoError(t, dump.Excerpt(&b, []byte(twoCalls), nil))
	require.Equal(t, `  <call no='2' class='pipe_context' method='create_vs_state'>
    <arg name='state'><struct name='pipe_shader_state'>
      <member name='stream_output'><struct name='pipe_stream_output_info'>
        <member name='num_outputs'><uint>0</uint></member></struct></member></struct></arg>
  </call>
  <call no='3' class='pipe_context' method='draw_vbo'>
  </call>
`, b.String())

	b.Reset()
	known := strings.Replace(twoCalls, "num_outputs'><uint>0", "num_outputs'><uint>1", 1)
	require.NoError(t, dump.Excerpt(&b, []byte(twoCalls), []byte(known)))
	require.Contains(t, b.String(), "<uint>0</uint>")
	require.NotContains(t, b.String(), "draw_vbo")
	require.Contains(t, b.String(), "(1 call is the same)")

	b.Reset()
	require.NoError(t, dump.Excerpt(&b, []byte(twoCalls), []byte(twoCalls)))
	require.Contains(t, b.String(), "draw_vbo", "where nothing differs all is shown")
}
