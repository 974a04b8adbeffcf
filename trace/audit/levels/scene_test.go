package levels_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit/levels"
)

// bind is a set_stream_output_targets of the scene: what is bound, and where it
// goes on. Ranges are bytes of two buffers.
type bind struct {
	ranges [][2]uint32 // offset and size, one for each slot; a size of 0 is NULL
	given  []uint32
	draws  []pipe.Draw // with it; then the targets are unbound
}

// scene is a run that captures: a pause, and on by append.
type scene struct {
	outputs []pipe.OutputNumbers
	stride  [4]uint16
	binds   []bind
	cut     bool // the trace has no closing tag
}

func triangles(vertices ...uint32) pipe.Draw {
	d := pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1}, NumDraws: uint32(len(vertices))}
	start := uint32(0)
	for _, n := range vertices {
		d.Draws = append(d.Draws, pipe.DrawRange{Start: start, Count: n})
		start += n
	}
	return d
}

func output(register, start, num, buffer, offset uint64) pipe.OutputNumbers {
	return pipe.OutputNumbers{RegisterIndex: register, StartComponent: start, NumComponents: num, OutputBuffer: buffer, DstOffset: offset}
}

// above is the scene as it is sent: 24 bytes a vertex into buffer 0, 4 into buffer 1.
func above() *scene {
	whole := [][2]uint32{{0, 1024}, {64, 512}}
	return &scene{
		outputs: []pipe.OutputNumbers{output(1, 0, 4, 0, 0), output(2, 0, 2, 0, 4), output(2, 2, 1, 1, 0)},
		stride:  [4]uint16{6, 1},
		binds: []bind{
			{whole, []uint32{0, 0}, []pipe.Draw{triangles(6)}},
			{whole, []uint32{pipe.AppendOffset, pipe.AppendOffset}, []pipe.Draw{triangles(3), triangles(9)}},
		},
	}
}

// level records the scene and reads it back.
func (s *scene) level(t *testing.T, name string) *levels.Level {
	t.Helper()
	var text bytes.Buffer
	recorder := trace.NewRecorder(&text, trace.RecordOptions{})
	c, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, recorder.Layer))
	require.NoError(t, err)
	info := pipe.StreamOutputInfo{NumOutputs: uint32(len(s.outputs)), Stride: s.stride}
	for i, o := range s.outputs {
		info.Output[i], err = o.Pack()
		require.NoError(t, err)
	}
	vs, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	require.NoError(t, err)
	require.NoError(t, c.BindShader(pipe.Vertex, vs))
	s.draw(t, c)
	require.NoError(t, recorder.Close())
	if s.cut {
		text.Truncate(text.Len() - len("</trace>\n"))
	}
	return readLevel(t, name, &text)
}

func (s *scene) draw(t *testing.T, c pipe.Context) {
	var buffers [2]pipe.Handle
	for i := range buffers {
		var err error
		buffers[i], err = c.CreateBuffer(4096, 0)
		require.NoError(t, err)
	}
	targets := map[[3]uint32]pipe.Handle{}
	for _, b := range s.binds {
		var bound []pipe.Handle
		for slot, r := range b.ranges {
			key := [3]uint32{uint32(slot), r[0], r[1]}
			if targets[key] == 0 && r[1] != 0 {
				h, err := c.CreateStreamOutputTarget(buffers[slot], r[0], r[1])
				require.NoError(t, err)
				targets[key] = h
			}
			bound = append(bound, targets[key])
		}
		require.NoError(t, c.SetStreamOutputTargets(bound, b.given))
		for i := range b.draws {
			_, err := c.Do(&b.draws[i])
			require.NoError(t, err)
		}
		require.NoError(t, c.SetStreamOutputTargets(nil, nil))
	}
}

// TestWhatMayChange holds that a stack below may do what leaves the bytes alone.
func TestWhatMayChange(t *testing.T) {
	for name, change := range map[string]func(*scene){
		"nothing": func(*scene) {},
		"registers are renumbered": func(s *scene) {
			s.outputs[0].RegisterIndex, s.outputs[1].RegisterIndex, s.outputs[2].RegisterIndex = 7, 5, 6
		},
		"outputs are reordered": func(s *scene) { slices.Reverse(s.outputs) },
		"an output is split over two registers": func(s *scene) {
			s.outputs = []pipe.OutputNumbers{output(1, 3, 1, 0, 0), output(3, 0, 3, 0, 1), output(2, 0, 2, 0, 4), output(2, 2, 1, 1, 0)}
		},
		"one value is captured from copies": func(s *scene) { s.outputs[2] = output(9, 0, 1, 1, 0) },
		"append becomes a number":           func(s *scene) { s.binds[1].given = []uint32{144, 24} },
		"append becomes targets of the rest": func(s *scene) {
			s.binds[1].ranges, s.binds[1].given = [][2]uint32{{144, 880}, {88, 488}}, []uint32{0, 0}
		},
		"a draw is split":                        func(s *scene) { s.binds[0].draws = []pipe.Draw{triangles(3), triangles(3)} },
		"draws are merged":                       func(s *scene) { s.binds[1].draws = []pipe.Draw{triangles(12)} },
		"draws become ranges of one":             func(s *scene) { s.binds[1].draws = []pipe.Draw{mergedRanges()} },
		"a draw of nothing is added":             func(s *scene) { s.binds[0].draws = append(s.binds[0].draws, triangles(0)) },
		"a draw without targets is added":        func(s *scene) { s.binds = append(s.binds, bind{draws: []pipe.Draw{triangles(6)}}) },
		"a stride of an unused buffer gets lost": func(s *scene) { s.stride[2] = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := above(), above()
			a.stride[2], b.stride[2] = 4, 4
			change(b)
			r := levels.Compare(a.level(t, "above"), b.level(t, "below"))
			require.Empty(t, r.Differences)
			require.True(t, r.Survived())
			require.Equal(t, r.Above.Captured, r.Matched)
			require.Zero(t, r.Unsure)
		})
	}
}

// mergedRanges are the two draws after the pause as one call.
func mergedRanges() pipe.Draw {
	d := triangles(3, 9)
	d.Draws[1].Start = 0
	return d
}

// TestWhatMustNotChange holds that each change is told once, and nothing else.
func TestWhatMustNotChange(t *testing.T) {
	for name, c := range map[string]struct {
		change              func(*scene)
		kind                levels.Kind
		path, above, below  string
		repeats             int
		lost, added, differ int // draws
	}{
		"stride":         {func(s *scene) { s.stride[0] = 8 }, levels.Changed, "stream_output.stride[0]", "6 dw (24 B)", "8 dw (32 B)", 2, 0, 0, 3},
		"stride of none": {func(s *scene) { s.stride[3] = 1 }, levels.Changed, "stream_output.stride[3]", "0 dw (0 B)", "1 dw (4 B)", 2, 0, 0, 3},
		"dst_offset":     {func(s *scene) { s.outputs[1].DstOffset = 3 }, levels.Changed, "stream_output.output[1].dst_offset", "4 dw (16 B)", "3 dw (12 B)", 2, 0, 0, 3},
		"num_components": {func(s *scene) { s.outputs[0].NumComponents = 3 }, levels.Changed, "stream_output.output[0].num_components", "4", "3", 2, 0, 0, 3},
		"stream":         {func(s *scene) { s.outputs[2].Stream = 1 }, levels.Changed, "stream_output.output[2].stream", "0", "1", 2, 0, 0, 3},
		"output_buffer":  {func(s *scene) { s.outputs[2].OutputBuffer = 2 }, levels.Changed, "stream_output.output[2].output_buffer", "1", "2", 2, 0, 0, 3},
		"an output is lost": {func(s *scene) { s.outputs = s.outputs[:2] }, levels.Lost, "stream_output.output[2]",
			"1 dw from register 2.z at 0 dw (0 B) of buffer 1, stream 0", "", 2, 0, 0, 3},
		"an output is added": {func(s *scene) { s.outputs = append(s.outputs, output(3, 0, 1, 1, 1)) }, levels.Added, "stream_output.output[3]",
			"", "1 dw from register 3.x at 1 dw (4 B) of buffer 1, stream 0", 2, 0, 0, 3},
		"two registers become one": {func(s *scene) { s.outputs[1].RegisterIndex = 1 }, levels.Changed, "stream_output.output[1].register_index",
			"registers 1.x and 2.x", "register 1.x for both, in outputs 0 and 1", 2, 0, 0, 3},
		"target offset":    {func(s *scene) { move(s, 1, 4, 0) }, levels.Changed, "targets[1].buffer_offset", "64 B", "68 B", 2, 0, 0, 3},
		"target size":      {func(s *scene) { move(s, 0, 0, 4) }, levels.Changed, "targets[0].buffer_size", "1024 B", "1028 B", 2, 0, 0, 3},
		"a target is lost": {func(s *scene) { s.binds[0].ranges = [][2]uint32{{0, 1024}, {64, 0}} }, levels.Changed, "targets[1]", "512 B from 64 B on", "NULL", 0, 0, 0, 1},
		"offset":           {func(s *scene) { s.binds[0].given = []uint32{0, 8} }, levels.Changed, "offsets[1]", "0 B", "8 B", 0, 0, 0, 1},
		"append is lost":   {func(s *scene) { s.binds[1].given = []uint32{0, pipe.AppendOffset} }, levels.Changed, "offsets[0]", "append, at 144 B", "0 B", 0, 0, 0, 1},
		"append goes on elsewhere": {func(s *scene) { s.binds[1].given = []uint32{pipe.AppendOffset, 28} }, levels.Changed, "offsets[1]",
			"append, at 24 B", "28 B", 0, 0, 0, 1},
		"append is added": {func(s *scene) { s.binds[0].given = []uint32{0, pipe.AppendOffset} }, levels.Changed, "offsets[1]", "0 B", "append, to a target that never began", 0, 0, 0, 1},
		"a draw is lost":  {func(s *scene) { s.binds[1].draws = s.binds[1].draws[:1] }, levels.Lost, "draw", "9 vertices of triangles captured", "", 0, 1, 0, 0},
		"a draw is added": {func(s *scene) { s.binds[0].draws = append(s.binds[0].draws, triangles(12)) }, levels.Added, "draw",
			"", "12 vertices of triangles captured", 0, 0, 1, 0},
		"nothing is bound": {func(s *scene) { s.binds[0].ranges, s.binds[0].given = nil, nil }, levels.Lost, "num_targets",
			"a target in slot 0, 1", "no target", 0, 1, 0, 0},
		"no outputs":     {func(s *scene) { s.outputs = nil }, levels.Lost, "stream_output.num_outputs", "3", "0", 2, 3, 0, 0},
		"fewer vertices": {func(s *scene) { s.binds[0].draws[0] = triangles(3) }, levels.Changed, "draws[0].count", "6", "3", 0, 0, 0, 1},
		"instances":      {func(s *scene) { s.binds[0].draws[0].Info.InstanceCount = 2 }, levels.Changed, "info.instance_count", "1", "2", 0, 0, 0, 1},
		"mode":           {func(s *scene) { s.binds[0].draws[0].Info.Mode = pipe.Lines }, levels.Changed, "info.mode", "triangles", "lines", 0, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := above(), above()
			c.change(b)
			r := levels.Compare(a.level(t, "above"), b.level(t, "below"))
			require.Len(t, r.Differences, 1, "%+v", r.Differences)
			d := r.Differences[0]
			require.Equal(t, []any{c.kind, c.path, c.above, c.below, c.repeats}, []any{d.Kind, d.Path, d.AboveValue, d.BelowValue, d.Repeats})
			require.Equal(t, []int{c.lost, c.added, c.differ}, []int{r.LostDraws, r.AddedDraws, r.Changed})
		})
	}
}

// move changes the range of a slot everywhere.
func move(s *scene, slot, offset, size int) {
	for i := range s.binds {
		ranges := slices.Clone(s.binds[i].ranges)
		ranges[slot] = [2]uint32{uint32(int(ranges[slot][0]) + offset), uint32(int(ranges[slot][1]) + size)}
		s.binds[i].ranges = ranges
	}
}

// TestCutTraces holds that what lies behind the end of a trace that was cut is
// counted, and no loss; behind that of a whole one it is.
func TestCutTraces(t *testing.T) {
	short, long := above(), above()
	short.binds = short.binds[:1]
	r := levels.Compare(short.level(t, "above"), long.level(t, "below"))
	require.Equal(t, 2, r.AddedDraws)
	require.False(t, r.Survived())

	short.cut = true
	r = levels.Compare(short.level(t, "above"), long.level(t, "below"))
	require.True(t, r.Survived())
	require.Equal(t, []int{1, 0, 2}, []int{r.Matched, r.BeyondAbove, r.BeyondBelow})
	r = levels.Compare(long.level(t, "above"), short.level(t, "below"))
	require.True(t, r.Survived())
	require.Equal(t, []int{1, 2, 0}, []int{r.Matched, r.BeyondAbove, r.BeyondBelow})
}

// TestLongRuns aligns more draws than one window holds, with one lost on the way.
func TestLongRuns(t *testing.T) {
	a, b := above(), above()
	for i := range 3000 {
		d := triangles(uint32(3 + 3*(i%7)))
		a.binds[1].draws = append(a.binds[1].draws, d)
		if i != 1703 {
			b.binds[1].draws = append(b.binds[1].draws, d)
		}
	}
	r := levels.Compare(a.level(t, "above"), b.level(t, "below"))
	require.Equal(t, []int{3002, 1, 0, 0}, []int{r.Matched, r.LostDraws, r.AddedDraws, r.Changed})
	require.Len(t, r.Differences, 1)
}

// TestLayoutsApart holds that layouts with nothing in common are told of, in time.
func TestLayoutsApart(t *testing.T) {
	a, b := above(), above()
	a.outputs, b.outputs = nil, nil
	for i := range uint64(pipe.MaxStreamOutputs) {
		a.outputs = append(a.outputs, output(i%64, 0, 4, 0, 8*i))
		b.outputs = append(b.outputs, output(i%64, 0, 3, 0, 8*i+4))
	}
	r := levels.Compare(a.level(t, "above"), b.level(t, "below"))
	require.Len(t, r.Differences, 2*pipe.MaxStreamOutputs)
}

// FuzzNumbers compares layouts of any numbers with themselves and with others: it
// must not panic, and what is equal is no difference.
func FuzzNumbers(f *testing.F) {
	f.Add(uint64(1), uint64(0), uint64(4), uint64(0), uint64(0), uint64(0), uint64(1))
	f.Add(uint64(300), uint64(3), uint64(1<<63), uint64(5), ^uint64(0), uint64(9), uint64(3203391149))
	f.Fuzz(func(t *testing.T, register, start, num, buffer, offset, stream, outputs uint64) {
		text := func(r, s, n, b, o, st uint64) string {
			info := fmt.Sprintf("<member name='num_outputs'><uint>%d</uint></member>", outputs)
			member := fmt.Sprintf("<member name='register_index'><uint>%d</uint></member><member name='start_component'><uint>%d</uint></member><member name='num_components'><uint>%d</uint></member>"+
				"<member name='output_buffer'><uint>%d</uint></member><member name='dst_offset'><uint>%d</uint></member><member name='stream'><uint>%d</uint></member>", r, s, n, b, o, st)
			return strings.Replace(strings.Replace(fmt.Sprintf(capturing, 96), "<member name='num_outputs'><uint>1</uint></member>", info, 1),
				capturing[strings.Index(capturing, "<member name='register_index'>"):strings.Index(capturing, "</struct></elem></array></member></struct></member>")], member, 1)
		}
		one := text(register, start, num, buffer, offset, stream)
		a := readLevel(t, "above", strings.NewReader(one))
		require.Empty(t, levels.Compare(a, readLevel(t, "below", strings.NewReader(one))).Differences)
		other := text(start, num, register, offset, buffer, stream)
		_ = levels.Compare(a, readLevel(t, "below", strings.NewReader(other))).String()
	})
}
