package trace_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

const replayHead = "<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n<trace version='0.1'>\n"

const replayCalls = `	<call no='1' class='pipe_screen' method='resource_create'>
		<arg name='screen'><ptr>0x00000001</ptr></arg>
		<arg name='templat'><struct name='pipe_resource'><member name='target'><enum>PIPE_BUFFER</enum></member></struct></arg>
		<ret><ptr>0x000000a0</ptr></ret>
	</call>
	<call no='2' class='pipe_context' method='create_stream_output_target'>
		<arg name='pipe'><ptr>0x00000002</ptr></arg>
		<arg name='res'><ptr>0x000000a0</ptr></arg>
		<arg name='buffer_offset'><uint>0</uint></arg>
		<arg name='buffer_size'><uint>64</uint></arg>
		<ret><ptr>0x000000a0</ptr></ret>
	</call>
	<call no='3' class='pipe_context' method='set_stream_output_targets'>
		<arg name='pipe'><ptr>0x00000002</ptr></arg>
		<arg name='num_targets'><uint>2</uint></arg>
		<arg name='tgs'><array><elem><ptr>0x000000a0</ptr></elem><elem><ptr>0x000000b0</ptr></elem></array></arg>
		<arg name='offsets'><array><elem><uint>0</uint></elem><elem><uint>0</uint></elem></array></arg>
	</call>
`

func replayText(t testing.TB, text string, d pipe.Driver, o trace.ReplayOptions) error {
	r, err := trace.NewReader(strings.NewReader(text), trace.Options{Name: "app.xml"})
	require.NoError(t, err)
	defer r.Close()
	return trace.Replay(r, d, o)
}

// log is a driver that writes down what it gets, and returns handles of its own
// when it renames.
type log struct {
	lines  []string
	rename pipe.Handle
}

func (l *log) Do(op *pipe.Op) error {
	_, method := op.Call.Name()
	line := method
	switch c := op.Call.(type) {
	case *pipe.NewWorld:
		line = "new world"
	case *pipe.CreateStreamOutputTarget:
		line += " " + c.Resource.String()
	case *pipe.SetStreamOutputTargets:
		line += fmt.Sprint(" ", c.Targets)
	case *pipe.Draw:
		if c.Indirect != nil {
			line += " " + c.Indirect.CountFromStreamOutput.String()
		}
	}
	l.lines = append(l.lines, line)
	if l.rename != 0 && pipe.Creates(op.Call) {
		l.rename++
		op.Ret.Handle = l.rename
	}
	return nil
}

func TestReplay(t *testing.T) {
	for _, test := range []struct {
		name, text string
		rename     pipe.Handle
		want       []string
	}{
		{"a driver that keeps what was recorded", replayHead + replayCalls + "</trace>\n", 0,
			[]string{"resource_create", "create_stream_output_target 0x000000a0", "set_stream_output_targets [0x000000a0 0x000000b0]"}},
		{"a driver with handles of its own: one address of two kinds is two", replayHead + replayCalls, 0x100,
			[]string{"resource_create", "create_stream_output_target 0x00000101", "set_stream_output_targets [0x00000102 0x000000b0]"}},
		{"a second trace in the file is a new world", replayHead + replayCalls + "</trace>\n" + replayHead + replayCalls, 0x100,
			[]string{"resource_create", "create_stream_output_target 0x00000101", "set_stream_output_targets [0x00000102 0x000000b0]", "new world",
				"resource_create", "create_stream_output_target 0x00000103", "set_stream_output_targets [0x00000104 0x000000b0]"}},
		{"handles of an old world are not known in the new", replayHead + replayCalls + "</trace>\n" + replayHead + replayCalls[strings.Index(replayCalls, "\t<call no='3'"):], 0x100,
			[]string{"resource_create", "create_stream_output_target 0x00000101", "set_stream_output_targets [0x00000102 0x000000b0]", "new world",
				"set_stream_output_targets [0x000000a0 0x000000b0]"}},
		{"headers alone are no world", replayHead + "</trace>\n" + replayHead, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := log{rename: test.rename}
			require.NoError(t, replayText(t, test.text, &d, trace.ReplayOptions{}))
			require.Equal(t, test.want, d.lines)
		})
	}
}

func TestReplayRest(t *testing.T) {
	text := "noise\n" + replayHead + "<string>leaked</string>\n" + replayCalls + "\t<call no='4' class='pipe_context' method='flush'>\n\t\t<arg name='pipe'></call>\n" +
		"\t<call no='5' class='pipe_context' method='draw_vbo'>\n\t\t<arg name='pipe'><ptr>0x00000002</ptr></arg>\n"
	var kinds, rest, open []string
	var d log
	require.NoError(t, replayText(t, text, &d, trace.ReplayOptions{
		Record: func(rec *trace.Record) error { kinds = append(kinds, rec.Kind.String()); return nil },
		Rest:   func(rec *trace.Record) error { rest = append(rest, rec.Kind.String()); return nil },
		Open: func(op *pipe.Op) error {
			_, method := op.Call.Name()
			require.True(t, op.Raw.Cut)
			open = append(open, method)
			return nil
		},
	}))
	require.Equal(t, []string{"noise", "header", "stray", "call", "call", "call", "malformed", "call"}, kinds)
	require.Equal(t, []string{"noise", "stray", "malformed"}, rest)
	require.Equal(t, []string{"draw_vbo"}, open)
	require.Len(t, d.lines, 3, "the open call is not carried out")
}

func TestReplayStops(t *testing.T) {
	lost := errors.New("device lost")
	failing := func(err error) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if op.No == 2 {
				return err
			}
			require.Less(t, op.No, uint64(2), "nothing comes after an error")
			return nil
		})
	}
	err := replayText(t, replayHead+replayCalls, failing(lost), trace.ReplayOptions{})
	require.ErrorIs(t, err, lost)
	require.EqualError(t, err, "app.xml:9: create_stream_output_target: device lost")
	require.NoError(t, replayText(t, replayHead+replayCalls, failing(trace.ErrStop), trace.ReplayOptions{}))
	require.NoError(t, replayText(t, replayHead+replayCalls, failing(fmt.Errorf("call 2: %w", trace.ErrStop)), trace.ReplayOptions{}))

	err = replayText(t, replayHead+replayCalls, &log{}, trace.ReplayOptions{Record: func(rec *trace.Record) error {
		if rec.No == 3 {
			return lost
		}
		return nil
	}})
	require.Equal(t, lost, err)
}

// TestReplaySkips leaves out what is not wanted, and tells of it.
func TestReplaySkips(t *testing.T) {
	r, err := trace.NewReader(strings.NewReader(replayHead+replayCalls), trace.Options{
		Wanted: func(_, method string) bool { return method != "resource_create" }})
	require.NoError(t, err)
	var d log
	skipped := 0
	require.NoError(t, trace.Replay(r, &d, trace.ReplayOptions{Rest: func(rec *trace.Record) error {
		require.True(t, rec.Skipped)
		skipped++
		return nil
	}}))
	require.Len(t, d.lines, 2)
	require.Equal(t, 1, skipped)
}

// TestReplayDecoded passes over what is not decoded: no other operation changes.
func TestReplayDecoded(t *testing.T) {
	path := filepath.Join("..", "testdata", "traces", "queries.llvmpipe.xml.gz")
	var counts [2]map[string]int
	for i, wanted := range []func(class, method string) bool{nil, trace.Decodes} {
		r, err := trace.Open(path, trace.Options{Wanted: wanted})
		require.NoError(t, err)
		counts[i] = make(map[string]int)
		skipped := 0
		require.NoError(t, trace.Replay(r, pipe.DriverFunc(func(op *pipe.Op) error {
			if _, ok := op.Call.(*pipe.Other); !ok {
				_, method := op.Call.Name()
				counts[i][method]++
			}
			return nil
		}), trace.ReplayOptions{Rest: func(rec *trace.Record) error {
			if rec.Skipped {
				skipped++
			}
			return nil
		}}))
		require.Equal(t, wanted != nil, skipped > 0)
		require.NoError(t, r.Close())
	}
	require.Equal(t, counts[0], counts[1])
}

// TestReplayIdentity replays real traces into a state machine twice, once
// through a driver that renames every object: what is bound has the same shape.
func TestReplayIdentity(t *testing.T) {
	for _, file := range []string{"drawauto.llvmpipe.xml.gz", "contexts.softpipe.xml.zst", "tessellation.llvmpipe.xml.gz", "overflow-queries.llvmpipe.xml.gz"} {
		path := filepath.Join("..", "testdata", "traces", file)
		straight, renamed := bindings(t, path, 0), bindings(t, path, 0xfeed0000)
		require.NotEmpty(t, straight)
		require.Equal(t, straight, renamed, file)
	}
}

// bindings replays a trace and tells at every draw which creates are bound, by
// their call numbers.
func bindings(t *testing.T, path string, rename pipe.Handle) []string {
	r, err := trace.Open(path, trace.Options{})
	require.NoError(t, err)
	defer r.Close()
	m := state.New()
	var lines []string
	require.NoError(t, trace.Replay(r, pipe.DriverFunc(func(op *pipe.Op) error {
		if rename != 0 && pipe.Creates(op.Call) && op.Ret.Handle != 0 {
			rename += 0x10
			op.Ret.Handle = rename
		}
		c := m.Before(op)
		if _, ok := op.Call.(*pipe.Draw); ok {
			line := fmt.Sprint(op.No)
			for i := range c.Shaders {
				if s := c.Shaders[i].Object; s != nil {
					line += fmt.Sprintf(" %s %d", pipe.Stage(i), s.Created.No)
				}
			}
			for _, slot := range c.Targets[:c.NumTargets] {
				if slot.Object != nil && slot.Object.Buffer != nil {
					line += fmt.Sprintf(" target %d of %d", slot.Object.Created.No, slot.Object.Buffer.Created.No)
				}
			}
			lines = append(lines, line)
		}
		m.Apply(op)
		return nil
	}), trace.ReplayOptions{}))
	return lines
}

func ExampleReplay() {
	r, err := trace.Open(filepath.FromSlash("../testdata/traces/separate.llvmpipe.xml.gz"), trace.Options{Name: "separate.xml"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	targets := pipe.DriverFunc(func(op *pipe.Op) error {
		if set, ok := op.Call.(*pipe.SetStreamOutputTargets); ok && set.NumTargets > 0 {
			fmt.Println(set.NumTargets, "targets from", set.Offsets)
		}
		return nil
	})
	if err := trace.Replay(r, targets, trace.ReplayOptions{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Ending().Kind)
	// Output:
	// 3 targets from [0 0 0]
	// closed
}

func BenchmarkReplay(b *testing.B) {
	path := filepath.FromSlash("../testdata/traces/modes.llvmpipe.xml.gz")
	var null pipe.Null
	b.ReportAllocs()
	for b.Loop() {
		r, err := trace.Open(path, trace.Options{})
		require.NoError(b, err)
		require.NoError(b, trace.Replay(r, &null, trace.ReplayOptions{}))
		b.SetBytes(r.Ending().Byte)
		r.Close()
	}
}
