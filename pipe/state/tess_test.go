package state_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// evaluation is a TES of quads with equal spacing that captures a vec4.
func evaluation(text string) *pipe.CreateShader {
	n := pipe.StreamOutputNumbers{NumOutputs: 1, Stride: []uint64{4}, Output: []pipe.OutputNumbers{{NumComponents: 4}}}
	c := &pipe.CreateShader{Stage: pipe.TessEval, State: pipe.ShaderState{Tokens: []byte(text)}}
	n.Pack(&c.State.StreamOutput)
	return c
}

const quadsText = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 1\nPROPERTY TES_POINT_MODE 0\n  0: END\n"

func TestTessellatedDraws(t *testing.T) {
	patches := func(n uint32) *pipe.Draw {
		d := points(n)
		d.Info.Mode = pipe.Patches
		d.Info.InstanceCount = 2
		return d
	}
	factors := &pipe.SetTessState{Outer: [4]float32{2, 2, 2, 2}, Inner: [2]float32{2, 2}}
	triangle := points(3)
	triangle.Info.Mode = pipe.Triangles
	size := &pipe.SetPatchVertices{Vertices: 4}
	known := func(n uint64) state.Primitives { return state.Primitives{Count: n, Known: true} }
	most := uint64(2 * 64 * 64)
	for _, c := range []struct {
		name      string
		text      string
		calls     []pipe.Call
		draw      *pipe.Draw
		prims     state.Primitives
		low, high uint64
	}{
		{"constant factors", quadsText, []pipe.Call{factors, size}, patches(9), known(32), 8, 8},
		{"a culled patch", quadsText, []pipe.Call{&pipe.SetTessState{Inner: [2]float32{2, 2}}, size}, patches(9), known(0), 0, 0},
		{"factors that were never set", quadsText, []pipe.Call{size}, patches(9), state.Primitives{}, 0, most},
		{"a control shader writes them", quadsText, []pipe.Call{factors, size, &pipe.CreateShader{Stage: pipe.TessCtrl},
			&pipe.BindState{Kind: pipe.ShaderKind(pipe.TessCtrl), State: 0x102}}, patches(9), state.Primitives{}, 0, most},
		{"a control shader nobody saw made", quadsText, []pipe.Call{factors, size,
			&pipe.BindState{Kind: pipe.ShaderKind(pipe.TessCtrl), State: 0x999}}, patches(9), state.Primitives{}, 0, most},
		{"no text", "", []pipe.Call{factors, size}, patches(9), state.Primitives{}, 0, math.MaxUint64},
		{"no patch size", quadsText, []pipe.Call{factors}, patches(9), state.Primitives{}, 8, 8},
		{"not patches", quadsText, []pipe.Call{factors, size}, triangle, state.Primitives{}, 8, 8},
		{"a factor that some drivers take for zero", quadsText, []pipe.Call{&pipe.SetTessState{
			Outer: [4]float32{2, 2, 0x1p-130, 2}, Inner: [2]float32{2, 2}}, size}, patches(9), state.Primitives{}, 0, most},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := run(append([]pipe.Call{evaluation(c.text), vertexShader(),
				&pipe.BindState{Kind: pipe.ShaderKind(pipe.TessEval), State: 0x100},
				&pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: 0x101}}, c.calls...)...)
			ctx := m.Context(2)
			require.Equal(t, c.prims, m.DrawPrimitives(ctx, c.draw))
			low, high := ctx.PatchPrimitives()
			require.Equal(t, [2]uint64{c.low, c.high}, [2]uint64{low, high})
		})
	}
}

// TestTessellatedFill: what a tessellated draw captures moves its target.
func TestTessellatedFill(t *testing.T) {
	draw := points(4)
	draw.Info.Mode = pipe.Patches
	m := run(evaluation(quadsText), &pipe.BindState{Kind: pipe.ShaderKind(pipe.TessEval), State: 0x100},
		&pipe.SetTessState{Outer: [4]float32{1, 1, 1, 1}, Inner: [2]float32{1, 1}}, &pipe.SetPatchVertices{Vertices: 4},
		&pipe.CreateStreamOutputTarget{Resource: 9, BufferSize: 160},
		&pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{0x101}, Offsets: []uint32{0}}, draw, draw)
	require.Equal(t, state.Fill{Bytes: 144, Known: true}, m.Target(0x101).Fill, "three of four triangles of 48 B fit")
}
