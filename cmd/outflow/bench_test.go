package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/workload"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// benchmarkTraces are made by seed, or that which OUTFLOW_BENCH names.
func benchmarkTraces(b *testing.B) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if path := os.Getenv("OUTFLOW_BENCH"); path != "" {
			text, err := os.ReadFile(path)
			require.NoError(b, err)
			yield("file", text)
			return
		}
		for _, kind := range []workload.Kind{workload.Gears, workload.Captures} {
			var text bytes.Buffer
			require.NoError(b, workload.Write(&text, kind, 1, 16<<20))
			if !yield(string(kind), text.Bytes()) {
				return
			}
		}
	}
}

// benchmarkStages runs a stage over traces.
func benchmarkStages(b *testing.B, stage func(b *testing.B, text []byte)) {
	for name, text := range benchmarkTraces(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				stage(b, text)
			}
		})
	}
}

// eachOp decodes a trace and hands each operation on.
func eachOp(b *testing.B, text []byte, each func(*pipe.Op)) {
	r, err := trace.NewReader(bytes.NewReader(text), trace.Options{Workers: 1})
	require.NoError(b, err)
	defer r.Close()
	var d trace.Decoder
	var op pipe.Op
	for rec, err := range r.Records() {
		require.NoError(b, err)
		if d.Decode(rec, &op) {
			each(&op)
		}
	}
}

// Each of these does all that the one before does, and one thing more.

func BenchmarkRead(b *testing.B) {
	benchmarkStages(b, func(b *testing.B, text []byte) {
		r, err := trace.NewReader(bytes.NewReader(text), trace.Options{Workers: 1})
		require.NoError(b, err)
		for _, err := range r.Records() {
			require.NoError(b, err)
		}
		require.NoError(b, r.Close())
	})
}

func BenchmarkDecode(b *testing.B) {
	benchmarkStages(b, func(b *testing.B, text []byte) { eachOp(b, text, func(*pipe.Op) {}) })
}

func BenchmarkState(b *testing.B) {
	benchmarkStages(b, func(b *testing.B, text []byte) {
		m := state.New()
		eachOp(b, text, func(op *pipe.Op) {
			m.Before(op)
			m.Apply(op)
		})
	})
}

func BenchmarkRules(b *testing.B) {
	benchmarkStages(b, func(b *testing.B, text []byte) {
		track := streamout.NewTrack(streamout.Options{Rules: rules.All()})
		eachOp(b, text, func(op *pipe.Op) {
			track.Check(op)
			track.Record(op)
		})
	})
}

// BenchmarkCheck is the whole verb, on as many processors as there are.
func BenchmarkCheck(b *testing.B) { benchmarkStages(b, benchmarkCheck) }

func benchmarkCheck(b *testing.B, text []byte) {
	c := &cli{stdin: bytes.NewReader(text), stdout: io.Discard, stderr: io.Discard}
	require.LessOrEqual(b, runCheck(c, []string{"-"}), exitFound)
}

// BenchmarkPacked is BenchmarkCheck over traces that are packed with gzip; its bytes are
// those of the text.
func BenchmarkPacked(b *testing.B) {
	for name, text := range benchmarkTraces(b) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(text)
		require.NoError(b, err)
		require.NoError(b, w.Close())
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				benchmarkCheck(b, packed.Bytes())
			}
		})
	}
}

// BenchmarkManyTraces is the whole verb over files of 1 MB, each of other calls.
func BenchmarkManyTraces(b *testing.B) {
	args := []string{}
	size := 0
	for seed := range uint64(32) {
		var text bytes.Buffer
		require.NoError(b, workload.Write(&text, workload.Captures, seed, 1<<20))
		path := filepath.Join(b.TempDir(), "trace.xml")
		require.NoError(b, os.WriteFile(path, text.Bytes(), 0o600))
		args, size = append(args, path), size+text.Len()
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		c := &cli{stdin: bytes.NewReader(nil), stdout: io.Discard, stderr: io.Discard}
		require.LessOrEqual(b, runCheck(c, args), exitFound)
	}
}
