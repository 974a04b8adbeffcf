package streamout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// TestContents: what other operations do to the bytes of a buffer.
func TestContents(t *testing.T) {
	const a, b = 0x10, 0x11
	box := func(x, width int32) pipe.Box { return pipe.Box{X: x, Width: width, Height: 1, Depth: 1} }
	upload := func(to pipe.Handle, offset uint32, data ...byte) *pipe.BufferSubdata {
		return &pipe.BufferSubdata{Resource: to, Offset: offset, Size: uint32(len(data)), Data: pipe.BytesBlob(data)}
	}
	synthetic := upload(a, 2, 9, 9)
	synthetic.Synthetic = true
	for _, test := range []struct {
		name  string
		calls []pipe.Call
		want  string // of the first 8 bytes, . for unknown
	}{
		{"an upload that is not aligned", []pipe.Call{upload(a, 1, 1, 2, 3, 4, 5)}, ".12345.."},
		{"a part of it written over", []pipe.Call{upload(a, 0, 1, 2, 3, 4), upload(a, 1, 8, 8)}, "1884...."},
		{"cleared with a value that is not recorded", []pipe.Call{upload(a, 0, 1, 2, 3, 4, 5, 6, 7, 8),
			&pipe.ClearBuffer{Resource: a, Offset: 2, Size: 3}}, "12...678"},
		{"invalidated", []pipe.Call{upload(a, 0, 1, 2), &pipe.InvalidateResource{Resource: a}}, "........"},
		{"copied, with what is not known of the source", []pipe.Call{upload(a, 0, 1, 1, 1, 1, 1, 1, 1, 1), upload(b, 4, 5, 6),
			&pipe.ResourceCopyRegion{Dst: a, DstX: 1, Src: b, SrcBox: box(3, 4)}}, "1.56.111"},
		{"copied within itself", []pipe.Call{upload(a, 0, 1, 2, 3, 4),
			&pipe.ResourceCopyRegion{Dst: a, DstX: 2, Src: a, SrcBox: box(0, 4)}}, "121234.."},
		{"another's storage", []pipe.Call{upload(a, 0, 1, 2), upload(b, 1, 7), &pipe.ReplaceBufferStorage{Dst: a, Src: b}}, ".7......"},
		{"mapped for writing", []pipe.Call{upload(a, 0, 1, 2, 3, 4, 5),
			&pipe.Map{Resource: a, Usage: pipe.MapWrite, Box: box(1, 3)}}, "1...5..."},
		{"and told at its end", []pipe.Call{upload(a, 0, 1, 2, 3, 4, 5),
			&pipe.Map{Resource: a, Usage: pipe.MapWrite, Box: box(2, 2)}, synthetic}, "12995..."},
		{"of which not all need be written", []pipe.Call{upload(a, 0, 1, 2, 3, 4, 5),
			&pipe.Map{Resource: a, Usage: pipe.MapWrite | pipe.MapFlushExplicit, Box: box(2, 2)}, synthetic}, "12..5..."},
		{"mapped for good", []pipe.Call{&pipe.Map{Resource: a, Usage: pipe.MapWrite | pipe.MapPersistent, Box: box(0, 8)},
			upload(a, 0, 1, 2)}, "........"},
		{"mapped for reading", []pipe.Call{upload(a, 0, 1, 2), &pipe.Map{Resource: a, Usage: pipe.MapRead, Box: box(0, 8)}}, "12......"},
		{"a query's result", []pipe.Call{upload(a, 0, 1, 2, 3, 4), &pipe.GetQueryResultResource{Resource: a, Offset: 3}}, "123....."},
		{"a kernel that may write it", []pipe.Call{upload(a, 0, 1, 2, 3, 4),
			&pipe.SetShaderBuffers{Stage: pipe.Compute, Buffers: []pipe.ShaderBuffer{{Resource: a, Offset: 1, Size: 2}}, WritableMask: 1},
			&pipe.LaunchGrid{}}, "1..4...."},
		{"one that only reads it", []pipe.Call{upload(a, 0, 1, 2, 3, 4),
			&pipe.SetShaderBuffers{Stage: pipe.Compute, Buffers: []pipe.ShaderBuffer{{Resource: a, Offset: 1, Size: 2}}},
			&pipe.LaunchGrid{}}, "1234...."},
		{"one that has addresses", []pipe.Call{upload(a, 0, 1, 2, 3, 4),
			&pipe.Other{Class: pipe.ClassContext, Method: "set_global_binding"}, &pipe.LaunchGrid{}}, "........"},
		{"a new buffer at the same address", []pipe.Call{upload(a, 0, 1, 2), &pipe.ResourceCreate{}}, "........"},
		{"an upload whose bytes are missing", []pipe.Call{upload(a, 0, 1, 2, 3), &pipe.BufferSubdata{Resource: a, Size: 2}}, "..3....."},
	} {
		t.Run(test.name, func(t *testing.T) {
			capture := streamout.NewCapture(streamout.CaptureOptions{})
			do := func(call pipe.Call, h pipe.Handle) {
				require.NoError(t, capture.Do(&pipe.Op{Call: call, Screen: 1, Context: 2, Ret: pipe.Result{Handle: h}}))
			}
			do(&pipe.ResourceCreate{}, a)
			do(&pipe.ResourceCreate{}, b)
			for _, call := range test.calls {
				h := pipe.Handle(0)
				if pipe.Creates(call) {
					h = a
				}
				do(call, h)
			}
			got := ""
			for i := range uint64(8) {
				var x [1]byte
				if capture.Read(a, i, x[:]) == 0 {
					got += "."
					continue
				}
				got += string('0' + rune(x[0]))
			}
			require.Equal(t, test.want, got)
		})
	}
}
