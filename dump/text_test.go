package dump

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// fill gives every field of a value something, as any trace could.
func fill(r *rand.Rand, v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *pipe.StreamOutputInfo:
		fillInfo(r, p)
		return
	case *pipe.Format:
		*p = []pipe.Format{"", "PIPE_FORMAT_NONE", "PIPE_FORMAT_R32G32_FLOAT", "155"}[r.IntN(4)]
		return
	case *[]byte:
		*p = [][]byte{nil, {}, []byte("VERT\n  0: END\n"), []byte("a \"quoted\" \\ \x01 \xff\t text")}[r.IntN(4)]
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n-1))
		}
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.String:
		v.SetString([]string{"", "nir", "two words"}[r.IntN(3)])
	case reflect.Float32:
		v.SetFloat(float64([]float32{0, 1, -0.5, 0.1, 1e-20, 3.4e38, 123456.79}[r.IntN(7)]))
	case reflect.Int32:
		v.SetInt(int64(int32(r.Uint32())))
	default:
		v.SetUint(r.Uint64() >> r.IntN(64) & (1<<v.Type().Bits() - 1))
	}
}

func fillInfo(r *rand.Rand, info *pipe.StreamOutputInfo) {
	info.NumOutputs = uint32(r.IntN(5))
	for i := range info.Stride {
		info.Stride[i] = uint16(r.Uint32())
	}
	for i := range info.NumOutputs {
		info.Output[i] = pipe.StreamOutput(r.Uint32())
	}
}

// eachStruct calls a check with random values of every type that has a text.
func eachStruct(t *testing.T, times int) {
	roundTrip[pipe.ShaderState](t, times)
	roundTrip[pipe.ComputeState](t, times)
	roundTrip[pipe.StreamOutputInfo](t, times)
	roundTrip[pipe.CreateStreamOutputTarget](t, times)
	roundTrip[pipe.DrawInfo](t, times)
	roundTrip[pipe.DrawIndirect](t, times)
	roundTrip[pipe.DrawRange](t, times)
	roundTrip[pipe.GridInfo](t, times)
	roundTrip[pipe.RasterizerState](t, times)
	roundTrip[pipe.DepthStencilAlphaState](t, times)
	roundTrip[pipe.StencilState](t, times)
	roundTrip[pipe.BlendState](t, times)
	roundTrip[pipe.RTBlendState](t, times)
	roundTrip[pipe.SamplerState](t, times)
	roundTrip[pipe.SamplerView](t, times)
	roundTrip[pipe.VertexElement](t, times)
	roundTrip[pipe.VertexBuffer](t, times)
	roundTrip[pipe.ConstantBuffer](t, times)
	roundTrip[pipe.ShaderBuffer](t, times)
	roundTrip[pipe.ImageView](t, times)
	roundTrip[pipe.Surface](t, times)
	roundTrip[pipe.SurfaceRef](t, times)
	roundTrip[pipe.FramebufferState](t, times)
	roundTrip[pipe.Viewport](t, times)
	roundTrip[pipe.Scissor](t, times)
	roundTrip[pipe.Box](t, times)
	roundTrip[pipe.ResourceTemplate](t, times)
}

// roundTrip demands that a value is read back as it was, that its text says
// every field, and that Mesa's form of it is stable.
func roundTrip[T Struct](t *testing.T, times int) {
	t.Helper()
	name := reflect.TypeFor[T]().Name()
	t.Run(name, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for range times {
			v := new(T)
			fill(r, reflect.ValueOf(v).Elem())
			text := AppendText(nil, v)
			back, err := ParseText[T](text)
			require.NoError(t, err, "%s", text)
			require.Equal(t, v, &back, "%s", text)

			util := AppendUtilText(nil, v)
			less, err := ParseUtilText[T](util)
			require.NoError(t, err, "%s", util)
			require.Equal(t, string(util), string(AppendUtilText(nil, &less)))
		}
	})
}

func TestTextRoundTrip(t *testing.T) { eachStruct(t, 200) }

// TestTextNames holds that every field has a name, and no two the same.
func TestTextNames(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[pipe.ShaderState](), reflect.TypeFor[pipe.ComputeState](), reflect.TypeFor[pipe.CreateStreamOutputTarget](),
		reflect.TypeFor[pipe.DrawInfo](), reflect.TypeFor[pipe.DrawIndirect](), reflect.TypeFor[pipe.DrawRange](), reflect.TypeFor[pipe.GridInfo](),
		reflect.TypeFor[pipe.RasterizerState](), reflect.TypeFor[pipe.DepthStencilAlphaState](), reflect.TypeFor[pipe.StencilState](),
		reflect.TypeFor[pipe.BlendState](), reflect.TypeFor[pipe.RTBlendState](), reflect.TypeFor[pipe.SamplerState](), reflect.TypeFor[pipe.SamplerView](),
		reflect.TypeFor[pipe.VertexElement](), reflect.TypeFor[pipe.VertexBuffer](), reflect.TypeFor[pipe.ConstantBuffer](), reflect.TypeFor[pipe.ShaderBuffer](),
		reflect.TypeFor[pipe.ImageView](), reflect.TypeFor[pipe.Surface](), reflect.TypeFor[pipe.SurfaceRef](), reflect.TypeFor[pipe.FramebufferState](),
		reflect.TypeFor[pipe.Viewport](), reflect.TypeFor[pipe.Scissor](), reflect.TypeFor[pipe.Box](), reflect.TypeFor[pipe.ResourceTemplate](),
	} {
		names := strings.Fields(fieldNames(typ))
		require.Len(t, names, typ.NumField(), typ.Name())
		seen := map[string]bool{}
		for _, n := range names {
			require.False(t, seen[n], "%s: %s", typ.Name(), n)
			seen[n] = true
		}
	}
}

func TestTextOfStreamOutput(t *testing.T) {
	whole, err := pipe.OutputNumbers{RegisterIndex: 32, StartComponent: 1, NumComponents: 3, OutputBuffer: 2, DstOffset: 7, Stream: 3}.Pack()
	require.NoError(t, err)
	holed, err := pipe.PackMask(5, 0b0101, 0, 4, 0)
	require.NoError(t, err)
	info, err := pipe.NewStreamOutputInfo([4]uint16{3, 0, 10, 0}, whole, holed)
	require.NoError(t, err)
	require.Equal(t, "{num_outputs = 2, stride = {3, 0, 10, 0}, output = {"+
		"{register_index = 32, start_component = 1, num_components = 3, output_buffer = 2, dst_offset = 7, stream = 3}, "+
		"{register_index = 5, register_mask = 0x5, output_buffer = 0, dst_offset = 4, stream = 0}}}", string(AppendText(nil, &info)))
	require.Equal(t, "{num_outputs = 3, {3, 0, 10, 0, }{"+
		"{register_index = 32, start_component = 1, num_components = 3, output_buffer = 2, }, "+
		"{register_index = 5, start_component = 0, num_components = 1, output_buffer = 0, }, "+
		"{register_index = 5, start_component = 2, num_components = 1, output_buffer = 0, }, }}", string(AppendUtilText(nil, &info)))
}

func TestUtilText(t *testing.T) {
	draw := pipe.DrawInfo{IndexSize: 2, Mode: pipe.TriangleStrip, InstanceCount: 1, MaxIndex: 5, PrimitiveRestart: true, RestartIndex: 65535, Index: 0x5590}
	require.Equal(t, "{index_size = 2, has_user_indices = 0, mode = triangle_strip, start_instance = 0, instance_count = 1, "+
		"min_index = 0, max_index = 5, primitive_restart = 1, restart_index = 65535, index.resource = 0x5590, }", string(AppendUtilText(nil, &draw)))
	target := pipe.CreateStreamOutputTarget{Resource: 0x10, BufferOffset: 16, BufferSize: 64}
	require.Equal(t, "{buffer = 0x10, buffer_offset = 16, buffer_size = 64, }", string(AppendUtilText(nil, &target)))
	depth := pipe.DepthStencilAlphaState{DepthEnabled: true, DepthFunc: pipe.CompareLEqual}
	require.Equal(t, "{depth_enabled = 1, depth_writemask = 0, depth_func = less_equal, stencil = {{enabled = 0, }, {enabled = 0, }, }, alpha_enabled = 0, }",
		string(AppendUtilText(nil, &depth)))
	shader := pipe.ShaderState{Tokens: []byte("VERT\n  0: END\n")}
	text := AppendUtilText(nil, &shader)
	require.Equal(t, "{tokens = \"\nVERT\n  0: END\n\", }", string(text))
	back, err := ParseUtilText[pipe.ShaderState](text)
	require.NoError(t, err)
	require.Equal(t, shader, back)
}

func TestUtilTextOfOtherMesas(t *testing.T) {
	t.Run("offsets that Mesa leaves out follow each other", func(t *testing.T) {
		info, err := ParseUtilText[pipe.StreamOutputInfo]([]byte("{num_outputs = 2, {7, 0, 0, 0, }{{register_index = 1, start_component = 0, num_components = 4, output_buffer = 0, }, {register_index = 2, start_component = 0, num_components = 3, output_buffer = 0, }, }}"))
		require.NoError(t, err)
		require.Equal(t, 0, info.Output[0].DstOffset())
		require.Equal(t, 4, info.Output[1].DstOffset())
	})
	t.Run("a member that is not known is passed over", func(t *testing.T) {
		v, err := ParseUtilText[pipe.Scissor]([]byte("{minx = 1, later_member = {1, 2, }, maxy = 9, }"))
		require.NoError(t, err)
		require.Equal(t, pipe.Scissor{MinX: 1, MaxY: 9}, v)
	})
	t.Run("an invalid name is no value", func(t *testing.T) {
		v, err := ParseUtilText[pipe.StencilState]([]byte("{enabled = 1, func = <invalid>, }"))
		require.NoError(t, err)
		require.Equal(t, pipe.CompareFunc(255), v.Func)
	})
}

func TestParseTextErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "at byte 0: found the end, want a value"},
		{"no end", "{minx = 1", "at byte 9: found the end, want a value"},
		{"more behind", "{minx = 1} {", `at byte 11: found "{", want nothing more`},
		{"unknown member", "{left = 1}", `no member is called "left"`},
		{"too wide", "{minx = 65536}", "minx: 65536 is no uint16"},
		{"no number", "{minx = {1}}", "minx: braces stand for a number"},
		{"deep", strings.Repeat("{", 40), "at byte 16: found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseText[pipe.Scissor]([]byte(test.text))
			require.ErrorContains(t, err, test.want)
		})
	}
	for _, test := range []struct{ name, text, want string }{
		{"register that the word cannot hold", "{num_outputs = 1, stride = {0, 0, 0, 0}, output = {{register_index = 300, start_component = 0, num_components = 1}}}", "register_index is 300"},
		{"count that is not true", "{num_outputs = 3203391149, stride = {0, 0, 0, 0}, output = {}}", "num_outputs is"},
		{"strides", "{num_outputs = 0, stride = {0, 0, 0}, output = {}}", "stride: 3 elements, want 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseText[pipe.StreamOutputInfo]([]byte(test.text))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func FuzzParseText(f *testing.F) {
	f.Add([]byte("{num_outputs = 1, stride = {3, 0, 0, 0}, output = {{register_index = 1, register_mask = 0x5}}}"))
	f.Add([]byte(`{type = 0, tokens = "VERT\x00", ir = NULL, stream_output = {num_outputs = 0, stride = {0, 0, 0, 0}, output = {}}}`))
	f.Add([]byte("{num_outputs = 1, {7, 0, 0, 0, }{{register_index = 1, start_component = 0, num_components = 4, output_buffer = 0, }, }}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if v, err := ParseText[pipe.ShaderState](text); err == nil {
			again, err := ParseText[pipe.ShaderState](AppendText(nil, &v))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(v.Type, v.StreamOutput.Stride, v.StreamOutput.Outputs()), fmt.Sprint(again.Type, again.StreamOutput.Stride, again.StreamOutput.Outputs()))
		}
		if v, err := ParseUtilText[pipe.StreamOutputInfo](text); err == nil {
			_, err := ParseUtilText[pipe.StreamOutputInfo](AppendUtilText(nil, &v))
			require.NoError(t, err)
		}
	})
}
