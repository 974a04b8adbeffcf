package trace

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// everyCall is one of each call that package pipe has.
func everyCall() []pipe.Call {
	return []pipe.Call{
		&pipe.Other{}, &pipe.ScreenCreate{}, &pipe.ScreenDestroy{}, &pipe.GetName{}, &pipe.GetParam{}, &pipe.ContextCreate{},
		&pipe.ContextDestroy{}, &pipe.ResourceCreate{}, &pipe.ResourceDestroy{}, &pipe.ResourceRelease{}, &pipe.ReplaceBufferStorage{},
		&pipe.InvalidateResource{}, &pipe.ResourceCopyRegion{}, &pipe.ClearBuffer{}, &pipe.BufferSubdata{}, &pipe.TextureSubdata{},
		&pipe.Map{}, &pipe.FlushRegion{}, &pipe.Unmap{}, &pipe.CreateShader{}, &pipe.CreateCompute{}, &pipe.CreateRasterizer{},
		&pipe.CreateDepthStencilAlpha{}, &pipe.CreateBlend{}, &pipe.CreateSampler{}, &pipe.CreateVertexElements{}, &pipe.BindState{},
		&pipe.DeleteState{}, &pipe.BindSamplers{}, &pipe.CreateStreamOutputTarget{}, &pipe.DestroyStreamOutputTarget{},
		&pipe.SetStreamOutputTargets{}, &pipe.Draw{}, &pipe.DrawVertexState{}, &pipe.LaunchGrid{}, &pipe.Clear{}, &pipe.Flush{},
		&pipe.CreateQuery{}, &pipe.DestroyQuery{}, &pipe.BeginQuery{}, &pipe.EndQuery{}, &pipe.GetQueryResult{},
		&pipe.GetQueryResultResource{}, &pipe.RenderCondition{}, &pipe.SetActiveQueryState{}, &pipe.SetVertexBuffers{},
		&pipe.SetConstantBuffer{}, &pipe.SetShaderBuffers{}, &pipe.SetShaderImages{}, &pipe.CreateSamplerView{},
		&pipe.DestroySamplerView{}, &pipe.SetSamplerViews{}, &pipe.CreateSurface{}, &pipe.DestroySurface{}, &pipe.SetFramebuffer{},
		&pipe.SetTessState{}, &pipe.SetPatchVertices{}, &pipe.SetViewports{}, &pipe.SetScissors{}, &pipe.SetBlendColor{},
		&pipe.SetStencilRef{}, &pipe.SetSampleMask{}, &pipe.SetMinSamples{}, &pipe.MemoryBarrier{}, &pipe.NewWorld{},
	}
}

// TestEveryCallIsWritten holds that everyCall knows each type of package pipe
// with a Name: a call that is added there must be written here.
func TestEveryCallIsWritten(t *testing.T) {
	known := make(map[string]bool)
	for _, c := range everyCall() {
		known[reflect.TypeOf(c).Elem().Name()] = true
	}
	files, err := filepath.Glob(filepath.FromSlash("../pipe/*.go"))
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Name" || f.Type.Results.NumFields() != 2 {
				continue
			}
			star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
			require.True(t, ok, "%s: a call that is no pointer", file)
			found++
			require.True(t, known[star.X.(*ast.Ident).Name], "%s is not among everyCall", star.X)
		}
	}
	require.Equal(t, len(known), found)
}

// TestRandomCalls writes random calls of every type in every dialect and reads
// them again.
func TestRandomCalls(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	for d := range numDialects {
		g := &generator{rand.New(rand.NewPCG(1, uint64(d))), d}
		for _, c := range everyCall() {
			if _, ok := c.(*pipe.NewWorld); ok {
				continue
			}
			for range rounds {
				op := g.op(t, c)
				requireRead(t, d, op)
			}
		}
	}
}

// requireRead writes an operation and reads it again. Before it stands a call
// that tells how stages are numbered.
func requireRead(t *testing.T, d Dialect, op *pipe.Op) {
	var out bytes.Buffer
	w := NewWriter(&out, d)
	require.NoError(t, w.Write(&pipe.Op{Context: 1, Call: &pipe.SetConstantBuffer{}}, 0))
	require.NoError(t, w.Write(op, 0))
	require.NoError(t, w.Close())
	list := records(t, out.String())
	var calls []Record
	for _, rec := range list {
		if rec.Kind == CallRecord {
			calls = append(calls, rec)
		}
	}
	require.Len(t, calls, 2, "%s", out.Bytes())
	var decoder Decoder
	var got pipe.Op
	require.True(t, decoder.Decode(&calls[0], &got))
	require.True(t, decoder.Decode(&calls[1], &got))
	require.Empty(t, got.Raw.Misfits, "%s", out.Bytes())
	requireEqualCalls(t, d, op, &got, out.String())
}

func requireEqualCalls(t *testing.T, d Dialect, want, got *pipe.Op, text string) {
	require.Equal(t, want.Ret, got.Ret, "%s: %s", d, text)
	require.Equal(t, [2]pipe.Handle{want.Screen, want.Context}, [2]pipe.Handle{got.Screen, got.Context}, text)
	if c, ok := want.Call.(*pipe.Other); ok {
		require.True(t, sameButTime(c.Values, got.Call.(*pipe.Other).Values), text)
		return
	}
	a, b := bareBlobs(t, want.Call), bareBlobs(t, got.Call)
	if !reflect.DeepEqual(a, b) {
		require.Equal(t, plain.Sdump(a), plain.Sdump(b), "%s: %s", d, text)
	}
}

// bareBlobs gives a call bytes in place of digits.
func bareBlobs(t *testing.T, c pipe.Call) pipe.Call {
	plain := func(b pipe.Blob) pipe.Blob {
		data, err := b.Append([]byte{})
		require.NoError(t, err)
		return pipe.BytesBlob(data)
	}
	switch c := c.(type) {
	case *pipe.BufferSubdata:
		copied := *c
		copied.Data = plain(c.Data)
		return &copied
	case *pipe.TextureSubdata:
		copied := *c
		copied.Data = plain(c.Data)
		return &copied
	}
	return c
}

// FuzzRewrite writes what is decoded of any text: it reads back whole, call for
// call, and what it says is written the same a second time.
func FuzzRewrite(f *testing.F) {
	f.Add(head + call("1", "draw_vbo", argPipe, arg("info", object("pipe_draw_info", numbers("mode 4 start 0 count 3")))))
	f.Add(head + call("1", "set_stream_output_targets", argPipe, arg("num_targets", number10("1")), arg("tgs", array(pointer("a"))), arg("offsets", uints("18446744073709551615"))))
	f.Add(shaderState(infoOf(numbers("num_outputs 99999999999"), member("stride", uints("1")), member("output", array(object("", numbers("register_index 300")))))))
	f.Add(call("1", "set_shader_buffers", argContext, arg("shader", number10("4")), "<arg name='buffers'>"+array()+arg("writable_bitmask", number10("1"))+"</arg>"))
	f.Add(call("1", "no_such", arg("a&apos;b", "<string><![CDATA[a\n]]>b]]></string>"), arg("c", "<struct name=\"d'e\"><member name=\"f'g\"><enum>h</enum></member></struct>"), "<null/>"))
	f.Add(call("1", "create_blend_state", argPipe, arg("state", object("", member("rt", array("<null/>"))))))
	f.Fuzz(func(t *testing.T, text string) {
		for d := range numDialects {
			once, n := rewrite(t, records(t, text), d)
			twice, m := rewrite(t, records(t, once), d)
			require.Equal(t, n, m, "%s", once)
			if once != twice {
				thrice, _ := rewrite(t, records(t, twice), d)
				require.Equal(t, twice, thrice)
			}
		}
	})
}

// rewrite writes the whole calls among some records.
func rewrite(t *testing.T, list []Record, d Dialect) (text string, calls int) {
	var out bytes.Buffer
	w := NewWriter(&out, d)
	var decoder Decoder
	var op pipe.Op
	for i := range list {
		if list[i].Kind == CallRecord && !list[i].Open && decoder.Decode(&list[i], &op) {
			calls++
			require.NoError(t, w.Write(&op, 0))
		}
	}
	require.NoError(t, w.Close())
	return out.String(), calls
}
