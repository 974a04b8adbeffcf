package dump

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// BenchmarkCalls prints the calls of a recorded trace in each form.
func BenchmarkCalls(b *testing.B) {
	r, err := trace.Open(filepath.Join("..", "testdata", "traces", "lifetimes.llvmpipe.xml.gz"), trace.Options{Workers: 1})
	require.NoError(b, err)
	defer r.Close()
	batch, err := r.Next() // as much as one batch holds
	require.NoError(b, err)
	size := int64(0)
	for i := range batch.Records {
		size += int64(len(batch.Records[i].Raw))
	}
	names := &Names{}
	for _, form := range []struct {
		name    string
		printer interface {
			Append([]byte, *trace.Record) []byte
		}
		names *Names
	}{
		{"text", NewCallText(CallOptions{}), nil},
		{"narrow", NewCallText(CallOptions{Width: 80}), nil},
		{"colours", NewCallText(CallOptions{Palette: Palette{Enabled: true}}), nil},
		{"names", NewCallText(CallOptions{Names: names}), names},
		{"json", NewCallJSON("a.xml", CallOptions{}), nil},
	} {
		b.Run(form.name, func(b *testing.B) {
			b.SetBytes(size)
			var out []byte
			for b.Loop() {
				out = out[:0]
				for i := range batch.Records {
					if form.names != nil {
						form.names.See(&batch.Records[i])
					}
					out = form.printer.Append(out, &batch.Records[i])
				}
			}
		})
	}
}

// TestPrintingAllocatesNothing holds for the calls that traces are full of.
func TestPrintingAllocatesNothing(t *testing.T) {
	p := NewCallText(CallOptions{})
	j := NewCallJSON("a.xml", CallOptions{})
	var out []byte
	eachRecord(t, "interleaved.llvmpipe.xml.gz", func(rec *trace.Record) {
		if rec.Method != "draw_vbo" && rec.Method != "set_stream_output_targets" {
			return
		}
		out = j.Append(p.Append(out[:0], rec), rec)
		require.Zero(t, testing.AllocsPerRun(10, func() { out = j.Append(p.Append(out[:0], rec), rec) }), rec.Method)
	})
}
