package trace_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// hotOps are the operations that a frame is made of.
func hotOps() []*pipe.Op {
	info, err := pipe.NewStreamOutputInfo([4]uint16{4}, pipe.StreamOutput(0))
	if err != nil {
		panic(err)
	}
	calls := []pipe.Call{
		&pipe.BindState{Kind: pipe.KindRasterizer, State: 0x55a5ebf1f000},
		&pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{0x55a5ebf1f100, 0}, Offsets: []uint32{0, pipe.AppendOffset}},
		&pipe.SetVertexBuffers{Count: 1, Buffers: []pipe.VertexBuffer{{Stride: 16, Resource: 0x55a5ebf1f200}}},
		&pipe.SetConstantBuffer{Buffer: &pipe.ConstantBuffer{Size: 64, Resource: 0x55a5ebf1f300}},
		&pipe.BufferSubdata{Resource: 0x55a5ebf1f300, Usage: pipe.MapWrite, Size: 4, Data: pipe.BytesBlob([]byte{1, 2, 3, 0xaf})},
		&pipe.SetViewports{Count: 1, Viewports: []pipe.Viewport{{Scale: [3]float32{80, -80, 0.5}}}},
		&pipe.SetSamplerViews{Count: 1, Views: []pipe.Handle{0x55a5ebf1f400}},
		&pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 160, Height: 160, Cbufs: []pipe.SurfaceRef{{Handle: 0x55a5ebf1f500}}}},
		&pipe.Clear{Buffers: 4, Color: &[4]uint32{0, 0, 0, 1065353216}, Depth: 1},
		&pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1, MaxIndex: 1<<32 - 1}, Draws: []pipe.DrawRange{{Count: 3}}, NumDraws: 1},
		&pipe.Map{Resource: 0x55a5ebf1f300, Usage: pipe.MapRead, Box: pipe.Box{Width: 96, Height: 1, Depth: 1}, Transfer: 0x55a5ebf1f600},
		&pipe.Unmap{Transfer: 0x55a5ebf1f600},
		&pipe.BeginQuery{Query: 0x55a5ebf1f700},
		&pipe.EndQuery{Query: 0x55a5ebf1f700},
		&pipe.GetQueryResult{Query: 0x55a5ebf1f700, Wait: true},
		&pipe.CreateStreamOutputTarget{Resource: 0x55a5ebf1f300, BufferSize: 96},
		&pipe.CreateShader{Stage: pipe.Vertex, State: pipe.ShaderState{Type: 2, NIR: []byte("shader: MESA_SHADER_VERTEX\n"), StreamOutput: info}},
		&pipe.Flush{},
	}
	ops := make([]*pipe.Op, len(calls))
	for i, c := range calls {
		ops[i] = &pipe.Op{Context: 0x55a5ebf1e0f0, Call: c}
	}
	return ops
}

// readBack reads what was recorded: whole calls and the open one.
func readBack(t testing.TB, text []byte) (calls []string, open *trace.Record, end trace.Ending) {
	r, err := trace.NewReader(bytes.NewReader(text), trace.Options{Name: "recorded.xml"})
	require.NoError(t, err)
	defer r.Close()
	for rec, err := range r.Records() {
		require.NoError(t, err)
		switch {
		case rec.Kind == trace.MalformedRecord && !rec.Open:
			require.NoError(t, rec.Problem)
		case rec.Open:
			c := *rec
			c.Values = *rec.Values.Clone()
			open = &c
		case rec.Kind == trace.CallRecord:
			calls = append(calls, rec.Method)
			require.Equal(t, uint64(len(calls)), rec.No)
		}
	}
	return calls, open, r.Ending()
}

// recordInto is the environment variable that makes the test a program which
// records into the file that it names, until it is killed.
const recordInto = "OUTFLOW_TEST_RECORD_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(recordInto); path != "" {
		recordForever(path)
		return
	}
	os.Exit(m.Run())
}

// recordForever records hot operations, and writes a byte to standard output for
// each that is done.
func recordForever(path string) {
	f, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	driver := pipe.DriverFunc(func(op *pipe.Op) error {
		if op.Call == pipe.Call(deadly) {
			self.Kill()
			select {}
		}
		op.Ret = pipe.Result{Known: true, Handle: 0x55a5ebf10000}
		return nil
	})
	d := trace.NewRecorder(f, trace.RecordOptions{}).Layer(driver)
	for {
		for _, op := range hotOps() {
			if err := d.Do(op); err != nil {
				panic(err)
			}
			os.Stdout.Write([]byte{'.'})
		}
		if os.Getenv(recordInto+"_DIE") != "" {
			d.Do(&pipe.Op{Context: 0x55a5ebf1e0f0, Call: deadly})
		}
	}
}

// deadly is a draw in which the driver dies.
var deadly = &pipe.Draw{Info: pipe.DrawInfo{Mode: pipe.Patches, InstanceCount: 7}, Draws: []pipe.DrawRange{{Start: 1, Count: 2}}, NumDraws: 1}

// child starts a program that records, and returns what it says when it is done
// with a call.
func child(t *testing.T, path string, env ...string) (*exec.Cmd, io.Reader) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), recordInto+"="+path), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, out
}

// TestRecorderKilled kills a program that records at random moments: its file
// reads, and lacks at most the call that it was in.
func TestRecorderKilled(t *testing.T) {
	times := 200
	if testing.Short() {
		times = 20
	}
	r := rand.New(rand.NewPCG(3, 4))
	inside := 0
	for range times {
		path := filepath.Join(t.TempDir(), "killed.xml")
		cmd, out := child(t, path)
		first := 1 + r.IntN(2000)
		_, err := io.CopyN(io.Discard, out, int64(first))
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Kill())
		rest, err := io.ReadAll(out)
		require.NoError(t, err)
		require.Error(t, cmd.Wait())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		calls, open, end := readBack(t, text)
		done := first + len(rest)
		require.Contains(t, []int{done, done + 1}, len(calls))
		require.False(t, end.Complete)
		if open != nil {
			inside++
			require.Len(t, calls, done, "the open call is the one in flight")
		}
	}
	t.Logf("%d of %d left their last call open", inside, times)
}

// TestRecorderDiesInDraw wants the draw in which the driver dies to be the open
// last call of the file, with all that it was given.
func TestRecorderDiesInDraw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "died.xml")
	cmd, out := child(t, path, recordInto+"_DIE=1")
	done, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	calls, open, end := readBack(t, text)
	require.Len(t, calls, len(done))
	require.Equal(t, trace.InsideCall, end.Kind)
	require.NotNil(t, open)
	var d trace.Decoder
	var op pipe.Op
	require.True(t, d.Decode(open, &op))
	require.True(t, op.Raw.Cut)
	c := op.Call.(*pipe.Draw)
	require.Equal(t, deadly.Info, c.Info)
	require.Equal(t, deadly.NumDraws, c.NumDraws)
}

// TestRecorderOrder runs contexts in parallel through two stacks over one
// recorder: the order of the file is that in which the driver was called.
func TestRecorderOrder(t *testing.T) {
	var out bytes.Buffer
	r := trace.NewRecorder(&out, trace.RecordOptions{})
	var called []uint32 // the recorder's lock guards it
	driver := pipe.DriverFunc(func(op *pipe.Op) error {
		called = append(called, op.Call.(*pipe.SetSampleMask).Mask)
		return nil
	})
	stacks := []pipe.Driver{pipe.Stack(driver, r.Layer), pipe.Stack(driver, r.Layer)}
	const contexts, each = 8, 200
	var all sync.WaitGroup
	for c := range contexts {
		all.Go(func() {
			for i := range each {
				op := pipe.Op{Context: pipe.Handle(0x1000 * (c + 1)), Call: &pipe.SetSampleMask{Mask: uint32(c*each + i)}}
				if err := stacks[c%2].Do(&op); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.NoError(t, r.Close())
	require.Len(t, called, contexts*each)
	reader, err := trace.NewReader(&out, trace.Options{})
	require.NoError(t, err)
	defer reader.Close()
	i := 0
	require.NoError(t, trace.Replay(reader, pipe.DriverFunc(func(op *pipe.Op) error {
		c := op.Call.(*pipe.SetSampleMask)
		if c.Mask != called[i] || op.No != uint64(i+1) || op.Context != pipe.Handle(0x1000*(c.Mask/each+1)) {
			return fmt.Errorf("call %d is %d", op.No, c.Mask)
		}
		i++
		return nil
	}), trace.ReplayOptions{}))
	require.Equal(t, len(called), i)
}

// TestRecorderTimes records what the clock says, in microseconds.
func TestRecorderTimes(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1, 0)
	r := trace.NewRecorder(&out, trace.RecordOptions{Clock: func() time.Time { return now }})
	d := r.Layer(pipe.DriverFunc(func(*pipe.Op) error {
		now = now.Add(1234567 * time.Nanosecond)
		return nil
	}))
	require.NoError(t, d.Do(&pipe.Op{Context: 16, Call: &pipe.Flush{}}))
	require.Contains(t, out.String(), "<time><int>1234</int></time>")
}

// TestRecorderPanic goes on after a driver panicked in a draw: the draw has no
// time, and the next call is whole.
func TestRecorderPanic(t *testing.T) {
	var out bytes.Buffer
	r := trace.NewRecorder(&out, trace.RecordOptions{})
	d := r.Layer(pipe.DriverFunc(func(op *pipe.Op) error {
		if _, ok := op.Call.(*pipe.Draw); ok {
			panic("driver")
		}
		return nil
	}))
	require.Panics(t, func() { d.Do(&pipe.Op{Context: 16, Call: deadly}) })
	require.NoError(t, d.Do(&pipe.Op{Context: 16, Call: &pipe.Flush{}}))
	require.NoError(t, r.Close())
	calls, open, end := readBack(t, out.Bytes())
	require.Equal(t, []string{"draw_vbo", "flush"}, calls)
	require.Nil(t, open)
	require.True(t, end.Complete)
}

// TestRecorderErrors hands on the error of the driver, with the call recorded,
// and that of the writer, with the call carried out.
func TestRecorderErrors(t *testing.T) {
	var out bytes.Buffer
	refused := errors.New("unknown handle")
	r := trace.NewRecorder(&out, trace.RecordOptions{})
	d := r.Layer(pipe.DriverFunc(func(*pipe.Op) error { return refused }))
	require.Equal(t, refused, d.Do(&pipe.Op{Context: 16, Call: &pipe.Flush{}}))
	calls, _, _ := readBack(t, out.Bytes())
	require.Equal(t, []string{"flush"}, calls)

	called := 0
	d = trace.NewRecorder(full{}, trace.RecordOptions{}).Layer(pipe.DriverFunc(func(*pipe.Op) error {
		called++
		return nil
	}))
	for _, op := range hotOps() {
		require.ErrorIs(t, d.Do(op), errFull)
	}
	require.Equal(t, len(hotOps()), called)
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestRecorderFlushes a buffered writer, so that nothing stays behind in it.
func TestRecorderFlushes(t *testing.T) {
	var out bytes.Buffer
	r := trace.NewRecorder(bufio.NewWriterSize(&out, 1<<16), trace.RecordOptions{})
	drawn := 0
	d := r.Layer(pipe.DriverFunc(func(op *pipe.Op) error {
		if _, ok := op.Call.(*pipe.Draw); ok {
			drawn = out.Len()
		}
		return nil
	}))
	require.NoError(t, d.Do(&pipe.Op{Context: 16, Call: &pipe.Flush{}}))
	require.True(t, bytes.HasSuffix(out.Bytes(), []byte("</call>\n")))
	before := out.Len()
	require.NoError(t, d.Do(&pipe.Op{Context: 16, Call: deadly}))
	require.Greater(t, drawn, before, "the arguments are out while the driver draws")
	require.NoError(t, r.Close())
	require.True(t, bytes.HasSuffix(out.Bytes(), []byte("</trace>\n")))
}

// TestRecorderWorlds writes a whole trace for each world.
func TestRecorderWorlds(t *testing.T) {
	var out bytes.Buffer
	r := trace.NewRecorder(&out, trace.RecordOptions{})
	d := r.Layer(&pipe.Null{})
	for range 2 {
		require.NoError(t, d.Do(&pipe.Op{Call: &pipe.ScreenCreate{}}))
		require.NoError(t, d.Do(&pipe.Op{Call: &pipe.NewWorld{}}))
	}
	require.NoError(t, r.Close())
	reader, err := trace.NewReader(&out, trace.Options{})
	require.NoError(t, err)
	defer reader.Close()
	var got []string
	for rec, err := range reader.Records() {
		require.NoError(t, err)
		got = append(got, fmt.Sprint(rec.Kind, rec.No))
	}
	world := []string{"header 0", "call 1", "footer 0"}
	require.Equal(t, append(append(world, world...), "header 0", "footer 0"), got)
}

// TestRecorderAllocates nothing for what a frame is made of.
func TestRecorderAllocates(t *testing.T) {
	for d := trace.Mesa22_3; d <= trace.Mesa26_2; d++ {
		layer := trace.NewRecorder(io.Discard, trace.RecordOptions{Dialect: d}).Layer(&pipe.Null{})
		for _, op := range hotOps() {
			_, method := op.Call.Name()
			require.NoError(t, layer.Do(op))
			require.Zero(t, testing.AllocsPerRun(10, func() { layer.Do(op) }), "%s %s", d, method)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	layer := trace.NewRecorder(io.Discard, trace.RecordOptions{}).Layer(&pipe.Null{})
	ops := hotOps()
	var size counter
	sized := trace.NewRecorder(&size, trace.RecordOptions{}).Layer(&pipe.Null{})
	for _, op := range ops {
		sized.Do(op)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, op := range ops {
			layer.Do(op)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ops)), "ns/call")
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
