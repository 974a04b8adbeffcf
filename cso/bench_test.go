package cso

import (
	"bytes"
	"hash/crc32"
	"testing"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// memory is the whole struct as C code would hash it.
func memory(info *pipe.StreamOutputInfo) []byte {
	const size = 4 + 2*pipe.MaxStreamOutputBuffers + 4*pipe.MaxStreamOutputs
	return unsafe.Slice((*byte)(unsafe.Pointer(&info.NumOutputs)), size)
}

// sink keeps results alive.
var sink uint64

func BenchmarkInfoHash(b *testing.B) {
	info := outputs(4, 16)
	for _, way := range []struct {
		name string
		hash func() uint64
	}{
		{"used part", func() uint64 { return HashStreamOutput(&info) }},
		{"whole struct", func() uint64 { return xxhash.Sum64(memory(&info)) }},
		{"whole struct crc32", func() uint64 { return uint64(crc32.ChecksumIEEE(memory(&info))) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink += way.hash()
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	text := bytes.Repeat([]byte("  0: MOV OUT[0], IN[0]\n"), 90) // 2 KiB, a middling shader
	shader := &pipe.ShaderState{Tokens: text, StreamOutput: outputs(4, 16)}
	var k Key
	b.Run("shader of 2 KiB", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			k.SetShader(pipe.Vertex, shader)
		}
	})
	b.Run("blend", func(b *testing.B) {
		b.ReportAllocs()
		state := &pipe.BlendState{}
		for b.Loop() {
			k.SetBlend(state)
		}
	})
	b.Run("rasterizer", func(b *testing.B) {
		b.ReportAllocs()
		state := &pipe.RasterizerState{}
		for b.Loop() {
			k.SetRasterizer(state)
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	c := NewCache(DefaultLimit)
	fill(c, 0, 1000)
	b.Run("hit", func(b *testing.B) {
		b.ReportAllocs()
		k := numbered(500)
		for b.Loop() {
			c.Release(c.Hold(&k))
		}
	})
	b.Run("miss", func(b *testing.B) {
		b.ReportAllocs()
		k := numbered(5000)
		for b.Loop() {
			if c.Hold(&k) != nil {
				b.Fatal("hit")
			}
		}
	})
}

func BenchmarkDedup(b *testing.B) {
	create := &pipe.CreateShader{State: pipe.ShaderState{Tokens: bytes.Repeat([]byte("x"), 2048), StreamOutput: outputs(4, 16)}}
	del := &pipe.DeleteState{}
	d := Dedup(&pipe.Null{})
	op := pipe.Op{Call: create, Context: 2}
	require.NoError(b, d.Do(&op))
	b.Run("create and delete of what is there", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			op = pipe.Op{Call: create, Context: 2}
			_ = d.Do(&op)
			del.State = op.Ret.Handle
			op = pipe.Op{Call: del, Context: 2}
			_ = d.Do(&op)
		}
	})
	b.Run("draw passing through", func(b *testing.B) {
		b.ReportAllocs()
		draw := &pipe.Draw{}
		for b.Loop() {
			op = pipe.Op{Call: draw, Context: 2}
			_ = d.Do(&op)
		}
	})
}

func TestHashStreamOutput(t *testing.T) {
	info, stale := outputs(4, 16), outputs(5, 16)
	stale.NumOutputs = 4
	require.Equal(t, HashStreamOutput(&info), HashStreamOutput(&stale))
	swapped := info
	swapped.Output[0], swapped.Output[1] = info.Output[1], info.Output[0]
	require.NotEqual(t, HashStreamOutput(&info), HashStreamOutput(&swapped))
	for _, n := range []int{0, 1, fewOutputs, fewOutputs + 1, pipe.MaxStreamOutputs} {
		info := outputs(n, 512)
		require.Equal(t, xxhash.Sum64(info.AppendCanonical(nil)), HashStreamOutput(&info))
		require.Zero(t, testing.AllocsPerRun(10, func() { sink += HashStreamOutput(&info) }))
	}
	require.Len(t, memory(&info), maxInfoBytes)
}
