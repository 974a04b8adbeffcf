package audit_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit"
	"github.com/outflow-gpu/outflow/trace/audit/trackers"
)

// stacks are the layers that each state tracker is audited on.
func stacks() map[string]func() []pipe.Layer {
	record := func() pipe.Layer { return trace.NewRecorder(new(bytes.Buffer), trace.RecordOptions{}).Layer }
	all := map[string]func() []pipe.Layer{
		"nothing":          func() []pipe.Layer { return nil },
		"dedup":            func() []pipe.Layer { return []pipe.Layer{cso.Dedup} },
		"record":           func() []pipe.Layer { return []pipe.Layer{record()} },
		"dedup and record": func() []pipe.Layer { return []pipe.Layer{cso.Dedup, record()} },
		"all utilities": func() []pipe.Layer {
			return []pipe.Layer{trackers.Blitter().Layer(), trackers.PostProcess().Layer(), trackers.HUD().Layer(), cso.Dedup}
		},
	}
	for _, u := range trackers.Utilities() {
		all[u.Name] = func() []pipe.Layer { return []pipe.Layer{u.Layer()} }
		all[u.Name+" over dedup"] = func() []pipe.Layer { return []pipe.Layer{u.Layer(), cso.Dedup} }
	}
	return all
}

func TestGoodTrackersHaveAnEmptyReport(t *testing.T) {
	for name, layers := range stacks() {
		t.Run(name, func(t *testing.T) {
			r := audit.Run(trackers.Scene, layers()...)
			require.NoError(t, r.Err())
			require.Empty(t, r.Findings)
			require.EqualValues(t, 4*trackers.Frames, r.Captured[audit.Above])
			require.EqualValues(t, 4*trackers.Frames, r.Captured[audit.Below])
		})
	}
}

// requireNamed wants one finding, and that one by the fault's name.
func requireNamed(t *testing.T, f *trackers.Fault, r *audit.Report) {
	t.Helper()
	require.NoError(t, r.GaveUp)
	require.True(t, r.Failed(), "nothing was seen")
	require.Len(t, r.Findings, 1, r)
	require.Equal(t, f.Rule, r.Findings[0].Rule, r)
	require.Equal(t, f.Path, r.Findings[0].Path, r)
}

// TestTwinsBrokenOnTheWay puts each fault between any two layers of a stack.
func TestTwinsBrokenOnTheWay(t *testing.T) {
	for _, f := range slices.Concat(trackers.LossFaults(), trackers.ZeroingFaults()) {
		for _, name := range []string{"dedup and record", "hud over dedup"} {
			layers := stacks()[name]
			for place := range len(layers()) + 1 {
				if name == "hud over dedup" && place != 1 {
					continue // between the two, that is
				}
				t.Run(strings.Join([]string{f.Name, name, string(rune('0' + place))}, "/"), func(t *testing.T) {
					requireNamed(t, f, audit.Run(trackers.Scene, slices.Insert(layers(), place, f.Layer)...))
				})
			}
		}
	}
}

// TestTwinsBrokenInside breaks each utility, alone and with layers around it.
func TestTwinsBrokenInside(t *testing.T) {
	for _, u := range trackers.Utilities() {
		for _, f := range trackers.UtilityFaults() {
			t.Run(u.Name+"/"+f.Name, func(t *testing.T) {
				requireNamed(t, f, audit.Run(trackers.Scene, u.Broken(f)))
				requireNamed(t, f, audit.Run(trackers.Scene, cso.Dedup, u.Broken(f)))
				requireNamed(t, f, audit.Run(trackers.Scene, u.Broken(f), cso.Dedup))
			})
		}
	}
}

// TestTwinsBrokenAbove breaks the state tracker itself: what it does not zero is
// seen above, and told once.
func TestTwinsBrokenAbove(t *testing.T) {
	for _, f := range trackers.ZeroingFaults() {
		t.Run(f.Name, func(t *testing.T) {
			broken := func(d pipe.Driver) error {
				c, err := pipe.NewContext(f.Layer(d))
				require.NoError(t, err)
				return trackers.Scene(c)
			}
			r := audit.Run(broken)
			requireNamed(t, f, r)
			require.Equal(t, audit.Above, r.Findings[0].Side)
			require.Equal(t, trackers.Frames/10-1, r.Findings[0].Repeats)
			if f.Rule == audit.RuleStaleWhenEmpty && f.Path != "stream_output.output[4]" {
				require.Contains(t, r.Findings[0].Message, ", as in create_gs_state, call ", "the create that it came from")
			}
		})
	}
}

func TestSeverities(t *testing.T) {
	word := trackers.Captured().Output[0]
	for _, tc := range []struct {
		name   string
		stage  pipe.Stage
		before bool // a create with outputs comes first
		spoil  func(*pipe.StreamOutputInfo)
		want   streamout.Severity
	}{
		{"zero", pipe.Vertex, true, func(*pipe.StreamOutputInfo) {}, streamout.Silent},
		{"a lone stride, which is legal", pipe.Vertex, false, func(i *pipe.StreamOutputInfo) { i.Stride[0] = 4 }, streamout.Note},
		{"another stride than earlier", pipe.Vertex, true, func(i *pipe.StreamOutputInfo) { i.Stride[0] = 9 }, streamout.Note},
		{"the stride of another buffer earlier", pipe.Vertex, true, func(i *pipe.StreamOutputInfo) { i.Stride[1] = 4 }, streamout.Note},
		{"the stride of an earlier create", pipe.Vertex, true, func(i *pipe.StreamOutputInfo) { i.Stride[0] = 4 }, streamout.Warning},
		{"of a tessellation control shader", pipe.TessCtrl, false, func(i *pipe.StreamOutputInfo) { i.Stride[0] = 5 }, streamout.Warning},
		{"of a fragment shader", pipe.Fragment, false, func(i *pipe.StreamOutputInfo) { i.Stride[3] = 1 }, streamout.Warning},
		{"an output that nobody counts", pipe.Vertex, false, func(i *pipe.StreamOutputInfo) { i.Output[100] = word }, streamout.Warning},
		{"outputs of a vertex shader", pipe.Vertex, false, func(i *pipe.StreamOutputInfo) { *i = trackers.Captured() }, streamout.Silent},
		{"outputs of a fragment shader", pipe.Fragment, false, func(i *pipe.StreamOutputInfo) { *i = trackers.Captured() }, streamout.Error},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := audit.Run(func(c pipe.Context) error {
				if tc.before {
					_, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: trackers.Captured()})
					require.NoError(t, err)
				}
				var s pipe.ShaderState
				tc.spoil(&s.StreamOutput)
				_, err := c.CreateShader(tc.stage, &s)
				return err
			})
			if tc.want == streamout.Silent {
				require.Empty(t, r.Findings)
				return
			}
			require.Len(t, r.Findings, 1)
			require.Equal(t, tc.want, r.Findings[0].Severity, r)
			require.Equal(t, tc.want != streamout.Note, r.Failed())
		})
	}
}
