package dump

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// oracleBuffer is a buffer as a list of bytes, -1 for what is not known.
type oracleBuffer [2000]int

func newOracle() *oracleBuffer {
	var o oracleBuffer
	o.forget(0, len(o))
	return &o
}

func (o *oracleBuffer) forget(at, n int) {
	for i := at; i < at+n && i < len(o); i++ {
		o[i] = -1
	}
}

// TestBuffersAgainstOracle runs uploads, copies, clears and mappings against a
// model without pages.
func TestBuffersAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		var b Buffers
		m := state.New()
		want := map[pipe.Handle]*oracleBuffer{0x10: newOracle(), 0x20: newOracle()}
		for range 40 {
			h := pipe.Handle(0x10 + 0x10*r.IntN(2))
			other := 0x30 - h
			at, n := r.IntN(1000), 1+r.IntN(900)
			switch r.IntN(5) {
			case 0, 1:
				data := make([]byte, n-r.IntN(2)) // one byte may be missing
				for i := range data {
					data[i] = byte(r.Uint32())
				}
				b.See(&pipe.Op{Call: &pipe.BufferSubdata{Resource: h, Offset: uint32(at), Size: uint32(n), Data: pipe.BytesBlob(data)}}, m)
				want[h].forget(at, n)
				for i, c := range data {
					want[h][at+i] = int(c)
				}
			case 2:
				b.See(&pipe.Op{Call: &pipe.ClearBuffer{Resource: h, Offset: uint32(at), Size: uint32(n)}}, m)
				want[h].forget(at, n)
			case 3:
				to := r.IntN(1000)
				b.See(&pipe.Op{Call: &pipe.ResourceCopyRegion{Dst: other, DstX: uint32(to), Src: h, SrcBox: pipe.Box{X: int32(at), Width: int32(n)}}}, m)
				from := *want[h]
				copy(want[other][to:], from[at:at+n])
			case 4:
				usage := pipe.MapFlags(1 + r.IntN(2))
				b.See(&pipe.Op{Call: &pipe.Map{Resource: h, Usage: usage, Box: pipe.Box{X: int32(at), Width: int32(n)}}}, m)
				if usage == pipe.MapWrite {
					want[h].forget(at, n)
				}
			}
		}
		for h, o := range want {
			got := newOracle()
			b.Known(h, 0, uint64(len(o)), func(at uint64, data []byte) {
				for i, c := range data {
					got[int(at)+i] = int(c)
				}
			})
			require.Equal(t, o, got)
		}
	}
}

func TestBuffersNotKnown(t *testing.T) {
	upload := &pipe.BufferSubdata{Resource: 0x10, Size: 4, Data: pipe.BytesBlob([]byte{1, 2, 3, 4})}
	for _, test := range []struct {
		name   string
		before pipe.Call
		after  pipe.Call
		known  bool
	}{
		{"an upload", nil, nil, true},
		{"an address that comes back", nil, &pipe.ResourceCreate{}, false},
		{"memory that was imported", &pipe.ResourceCreate{Variant: "_from_handle"}, nil, false},
		{"a mapping for good", &pipe.Map{Resource: 0x10, Usage: pipe.MapWrite | pipe.MapPersistent}, nil, false},
		{"invalidated", nil, &pipe.InvalidateResource{Resource: 0x10}, false},
		{"a query result", nil, &pipe.GetQueryResultResource{Resource: 0x10}, false},
		{"another buffer's result", nil, &pipe.GetQueryResultResource{Resource: 0x20}, true},
		{"a new world", nil, &pipe.NewWorld{}, false},
		{"its storage went elsewhere", nil, &pipe.ReplaceBufferStorage{Dst: 0x20, Src: 0x10}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b Buffers
			for _, call := range []pipe.Call{test.before, upload, test.after} {
				if call != nil {
					b.See(&pipe.Op{Call: call, Ret: pipe.Result{Handle: 0x10}}, state.New())
				}
			}
			_, ok := b.Read(0x10, 0, 4)
			require.Equal(t, test.known, ok)
		})
	}
}

func TestParseVertexFormat(t *testing.T) {
	for _, test := range []struct {
		format pipe.Format
		data   []byte
		want   []any
	}{
		{"PIPE_FORMAT_R32G32_FLOAT", []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf}, []any{Number("1"), Number("-0.5")}},
		{"PIPE_FORMAT_R8G8B8A8_UNORM", []byte{0, 1, 254, 255}, []any{Number("0"), Number("1"), Number("254"), Number("255")}},
		{"PIPE_FORMAT_R16G16_SNORM", []byte{0xff, 0xff, 1, 0}, []any{Number("-1"), Number("1")}},
		{"PIPE_FORMAT_R64_FLOAT", []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, []any{Number("1.5")}},
		{"PIPE_FORMAT_R10G10B10A2_UNORM", nil, nil},
		{"PIPE_FORMAT_R16_FLOAT", nil, nil},
		{"PIPE_FORMAT_Z32_FLOAT", nil, nil},
		{"155", nil, nil},
	} {
		v, ok := parseVertexFormat(test.format)
		require.Equal(t, test.want != nil, ok, test.format)
		if ok {
			require.Equal(t, len(test.data), v.size(), test.format)
			require.Equal(t, test.want, v.numbers(test.data), test.format)
		}
	}
}
