package streamout_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// oracleLine is the end or a pause of a capture, with the bytes that the driver
// left in each bound buffer's range.
type oracleLine struct {
	Event   string
	Buffers []struct {
		Start, Size int
		Hex         string
	}
}

// oracleCheck replays a trace and holds what Capture knows at each end of a
// capture against what the run itself read back there.
type oracleCheck struct {
	t        *testing.T
	capture  *streamout.Capture
	lines    []oracleLine
	buffer   int  // of the line that is being read
	expects  bool // targets were just unbound
	bound    bool
	known    int // bytes that were predicted
	unknown  int
	buffers  int
	unasked  int // reads of the line that did not come
	recorded int // query results that were predicted
	vague    int
	differ   []streamout.QueryPrediction
}

func (o *oracleCheck) Do(op *pipe.Op) error {
	switch call := op.Call.(type) {
	case *pipe.SetStreamOutputTargets:
		o.expects, o.bound = o.bound && call.NumTargets == 0, call.NumTargets != 0
		o.buffer = 0
	case *pipe.Map:
		if o.expects && call.Usage&pipe.MapRead != 0 && len(o.lines) > 0 {
			o.read(call)
		}
	}
	return o.capture.Do(op)
}

func (o *oracleCheck) read(call *pipe.Map) {
	line := &o.lines[0]
	for o.buffer < len(line.Buffers) && line.Buffers[o.buffer].Size == 0 {
		o.buffer++
	}
	if o.buffer == len(line.Buffers) {
		return
	}
	want := line.Buffers[o.buffer]
	if int(call.Box.X) != want.Start || int(call.Box.Width) != want.Size {
		o.unasked++
		o.expects = false
		return
	}
	data, err := hex.DecodeString(want.Hex)
	require.NoError(o.t, err)
	o.buffers++
	for i, b := range data {
		var got [1]byte
		if o.capture.Read(call.Resource, uint64(want.Start+i), got[:]) == 0 {
			o.unknown++
			continue
		}
		require.Equal(o.t, b, got[0], "byte %d of buffer %d", want.Start+i, o.buffer)
		o.known++
	}
	if o.buffer++; o.buffer == len(line.Buffers) {
		o.lines, o.expects = o.lines[1:], false
	}
}

func (o *oracleCheck) query(q *streamout.QueryPrediction) {
	switch {
	case !q.Recorded.Known || q.Recorded.Composite:
	case q.Differs():
		kept := *q
		kept.Op = &pipe.Op{No: q.Op.No}
		o.differ = append(o.differ, kept)
	case q.Value.Known():
		o.recorded++
	default:
		o.vague++
	}
}

// corpus returns the folder of recorded traces.
func corpus(t *testing.T) string {
	dir := os.Getenv("OUTFLOW_CORPUS")
	if dir == "" {
		t.Skip("OUTFLOW_CORPUS does not name a folder of traces")
	}
	return dir
}

func TestCorpusBytes(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus(t), "*", "*.oracle.jsonl.gz"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skip("no trace comes with the bytes that its driver wrote")
	}
	if testing.Short() {
		paths = paths[:min(len(paths), 40)]
	}
	var known, unknown, buffers, lines, left, recorded, vague, unasked int
	for _, path := range paths {
		o := &oracleCheck{t: t, lines: readJSONLines[oracleLine](t, path)}
		lines += len(o.lines)
		o.capture = streamout.NewCapture(streamout.CaptureOptions{Model: modelOfFile(path), Query: o.query})
		name := strings.TrimSuffix(path, ".oracle.jsonl.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			o.t = t
			replayInto(t, name+".xml.gz", o)
			require.Empty(t, o.differ)
		})
		known, unknown, buffers, left = known+o.known, unknown+o.unknown, buffers+o.buffers, left+len(o.lines)
		recorded, vague, unasked = recorded+o.recorded, vague+o.vague, unasked+o.unasked
		if len(o.lines) > 0 {
			t.Logf("%s: %d lines not found in the trace", filepath.Base(name), len(o.lines))
		}
	}
	t.Logf("%d traces, %d of %d lines, %d buffers: %d bytes equal, %d not known", len(paths), lines-left, lines, buffers, known, unknown)
	t.Logf("%d query results equal, %d within bounds, %d other reads", recorded, vague, unasked)
	require.Less(t, left, lines/20)
}

// modelOfFile takes the driver from a trace's name: test.llvmpipe.xml.gz.
func modelOfFile(path string) streamout.CaptureModel {
	for _, driver := range []string{"llvmpipe", "softpipe"} {
		if strings.Contains(filepath.Base(path), "."+driver) {
			return streamout.ModelOfDriver(driver)
		}
	}
	return streamout.CaptureModel{}
}

// TestCorpusQueries holds every query result of all traces against the
// prediction. softpipe counts no primitives without targets, which fails the
// tests that ask for it.
func TestCorpusQueries(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus(t), "*", "*.xml*"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	if testing.Short() {
		paths = paths[:min(len(paths), 40)]
	}
	var recorded, vague, faults int
	for _, path := range paths {
		o := &oracleCheck{t: t}
		o.capture = streamout.NewCapture(streamout.CaptureOptions{Model: modelOfFile(path), Query: o.query})
		replayInto(t, path, o)
		recorded, vague, faults = recorded+o.recorded, vague+o.vague, faults+len(o.differ)
		for _, q := range o.differ {
			require.Contains(t, path, "softpipe", "call %d: %v", q.Op.No, q)
			require.Equal(t, pipe.QueryPrimitivesGenerated, q.Query.Type, "%s: call %d", path, q.Op.No)
			require.Less(t, q.Recorded.Value, q.Value.Low, "%s: call %d", path, q.Op.No)
		}
	}
	t.Logf("%d traces: %d results equal, %d within bounds, %d that softpipe gets wrong", len(paths), recorded, vague, faults)
}
