package markup_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/markup"
	"github.com/outflow-gpu/outflow/internal/workload"
	"github.com/outflow-gpu/outflow/pipe"
)

// calls makes a trace by seed and returns where its calls begin.
func calls(b *testing.B) (text []byte, starts []int) {
	var room bytes.Buffer
	require.NoError(b, workload.Write(&room, workload.Captures, 1, 4<<20))
	text = room.Bytes()
	for at := 0; ; {
		next := bytes.Index(text[at:], []byte("<call "))
		if next < 0 {
			return text, starts
		}
		starts = append(starts, at+next)
		at += next + 1
	}
}

// BenchmarkParser reads every value of every call.
func BenchmarkParser(b *testing.B) {
	text, starts := calls(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var p markup.Parser
	var nodes []pipe.Node
	for b.Loop() {
		for _, at := range starts {
			tag, fault := p.OpenTag(text, at)
			if fault.Reason == markup.NoFault {
				nodes, _, fault = p.Body(text, tag.Body, nodes[:0])
			}
			if fault.Reason != markup.NoFault {
				b.Fatal(fault)
			}
		}
	}
}

// BenchmarkScanner only looks for where calls end.
func BenchmarkScanner(b *testing.B) {
	text, _ := calls(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for at := 0; at < len(text); {
			var s markup.Scanner
			piece, ok := s.Next(text[at:], true)
			if !ok {
				break
			}
			at += piece.End
		}
	}
}

// BenchmarkLastCallEnd is what is done to cut a text into blocks.
func BenchmarkLastCallEnd(b *testing.B) {
	text, _ := calls(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if markup.LastCallEnd(text) == 0 {
			b.Fatal("no call")
		}
	}
}
