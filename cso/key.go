package cso

import (
	"bytes"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// Key is the content of a state object: its kind, its canonical bytes, and their
// hash. A shader's kind holds its stage. Two keys are the same content when
// Equal says so; equal hashes alone mean nothing.
//
// A Key is made to be reused: each Set method replaces what it held and keeps
// its memory, so a lookup in a loop allocates nothing. The zero value is ready
// to be set.
type Key struct {
	kind  pipe.Kind
	hash  uint64
	bytes []byte
	// sum replaces xxhash where it is set, so that tests can make hashes collide.
	sum func([]byte) uint64
}

// Kind returns the kind of object.
func (k *Key) Kind() pipe.Kind { return k.kind }

// Hash returns the xxhash of the bytes.
func (k *Key) Hash() uint64 { return k.hash }

// Bytes returns the canonical bytes, the kind first. They are valid until the
// key is set again and must not be changed.
func (k *Key) Bytes() []byte { return k.bytes }

// Equal compares the bytes, after the hashes.
func (k *Key) Equal(l *Key) bool { return k.hash == l.hash && bytes.Equal(k.bytes, l.bytes) }

// Clone returns a key that shares no memory with k.
func (k *Key) Clone() Key {
	c := *k
	c.bytes = slices.Clone(k.bytes)
	return c
}

// begin starts the bytes of a kind; end finishes them.
func (k *Key) begin(kind pipe.Kind) []byte {
	k.kind = kind
	return append(k.bytes[:0], byte(kind))
}

func (k *Key) end(b []byte) {
	k.bytes = b
	if k.sum != nil {
		k.hash = k.sum(b)
		return
	}
	k.hash = xxhash.Sum64(b)
}

// maxInfoBytes is the length of the canonical bytes of an info with all outputs.
const maxInfoBytes = 4 + 2*pipe.MaxStreamOutputBuffers + 4*pipe.MaxStreamOutputs

// fewOutputs is how many outputs most infos stay below.
const fewOutputs = 16

// HashStreamOutput returns the xxhash of the canonical bytes of a stream output:
// infos that capture the same have the same hash. It allocates nothing.
func HashStreamOutput(info *pipe.StreamOutputInfo) uint64 {
	if info.NumOutputs <= fewOutputs { // clearing room for all would cost as much as the hash
		var memory [maxInfoBytes - 4*(pipe.MaxStreamOutputs-fewOutputs)]byte
		return xxhash.Sum64(info.AppendCanonical(memory[:0]))
	}
	var memory [maxInfoBytes]byte
	return xxhash.Sum64(info.AppendCanonical(memory[:0]))
}

// SetShader makes k the key of a shader of a graphics stage. Equal text with
// different stream output, and the same state in two stages, are two keys.
func (k *Key) SetShader(stage pipe.Stage, s *pipe.ShaderState) {
	k.end(AppendShader(k.begin(pipe.ShaderKind(stage)), s))
}

// SetCompute makes k the key of a compute shader.
func (k *Key) SetCompute(s *pipe.ComputeState) {
	k.end(AppendCompute(k.begin(pipe.ShaderKind(pipe.Compute)), s))
}

// SetRasterizer makes k the key of a rasterizer state.
func (k *Key) SetRasterizer(s *pipe.RasterizerState) {
	k.end(AppendRasterizer(k.begin(pipe.KindRasterizer), s))
}

// SetDepthStencilAlpha makes k the key of a depth/stencil/alpha state.
func (k *Key) SetDepthStencilAlpha(s *pipe.DepthStencilAlphaState) {
	k.end(AppendDepthStencilAlpha(k.begin(pipe.KindDepthStencilAlpha), s))
}

// SetBlend makes k the key of a blend state.
func (k *Key) SetBlend(s *pipe.BlendState) { k.end(AppendBlend(k.begin(pipe.KindBlend), s)) }

// SetSampler makes k the key of a sampler state.
func (k *Key) SetSampler(s *pipe.SamplerState) { k.end(AppendSampler(k.begin(pipe.KindSampler), s)) }

// SetVertexElements makes k the key of vertex elements.
func (k *Key) SetVertexElements(elements []pipe.VertexElement) {
	k.end(AppendVertexElements(k.begin(pipe.KindVertexElements), elements))
}

// SetCreate makes k the key of what a call creates. It returns false, and leaves
// k alone, when the call does not create a state object of a known stage.
func (k *Key) SetCreate(call pipe.Call) bool {
	switch c := call.(type) {
	case *pipe.CreateShader:
		if c.Stage >= pipe.NumStages {
			return false
		}
		k.SetShader(c.Stage, &c.State)
	case *pipe.CreateCompute:
		k.SetCompute(&c.State)
	case *pipe.CreateRasterizer:
		k.SetRasterizer(&c.State)
	case *pipe.CreateDepthStencilAlpha:
		k.SetDepthStencilAlpha(&c.State)
	case *pipe.CreateBlend:
		k.SetBlend(&c.State)
	case *pipe.CreateSampler:
		k.SetSampler(&c.State)
	case *pipe.CreateVertexElements:
		k.SetVertexElements(c.Elements)
	default:
		return false
	}
	return true
}
