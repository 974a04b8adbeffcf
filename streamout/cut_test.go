package streamout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestCutInfoIsNotChecked: a create that a trace ends in is checked as soon as
// its stream output is whole.
func TestCutInfoIsNotChecked(t *testing.T) {
	const text = "statestream_output"
	// values is a create whose state and info break off or do not.
	values := func(hasInfo, stateOpen, infoOpen bool) *pipe.Values {
		nodes := []pipe.Node{{Kind: pipe.StructValue, Role: pipe.ArgRole, Open: stateOpen, NameLen: 5, Next: 1}}
		if hasInfo {
			nodes[0].Next = 2
			nodes = append(nodes, pipe.Node{Kind: pipe.StructValue, Role: pipe.MemberRole, Open: infoOpen, NameOff: 5, NameLen: 13, Next: 2})
		}
		v := pipe.MakeValues([]byte(text), nodes)
		return &v
	}
	for _, c := range []struct {
		name  string
		raw   *pipe.Raw
		asked bool
	}{
		{"live", nil, true},
		{"a whole call", &pipe.Raw{Values: values(true, false, false)}, true},
		{"before the stream output", &pipe.Raw{Cut: true, Values: values(false, true, false)}, false},
		{"inside the stream output", &pipe.Raw{Cut: true, Values: values(true, true, true)}, false},
		{"behind the stream output", &pipe.Raw{Cut: true, Values: values(true, true, false)}, true},
		{"behind the state", &pipe.Raw{Cut: true, Values: values(true, false, false)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := false
			track := NewTrack(Options{Rules: []*Rule{{ID: "r", Severity: Error, On: OnCreateShader, Check: func(*View) { asked = true }}}})
			track.Check(&pipe.Op{Call: &pipe.CreateShader{}, Context: 1, No: 1, Raw: c.raw})
			require.Equal(t, c.asked, asked)
		})
	}
}
