package cso

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// keyOf returns the key of a pointer to a state struct, or of vertex elements.
func keyOf(state any) Key {
	var k Key
	switch s := state.(type) {
	case *pipe.ShaderState:
		k.SetShader(pipe.Vertex, s)
	case *pipe.ComputeState:
		k.SetCompute(s)
	case *pipe.RasterizerState:
		k.SetRasterizer(s)
	case *pipe.DepthStencilAlphaState:
		k.SetDepthStencilAlpha(s)
	case *pipe.BlendState:
		k.SetBlend(s)
	case *pipe.SamplerState:
		k.SetSampler(s)
	case *[]pipe.VertexElement:
		k.SetVertexElements(*s)
	default:
		panic(fmt.Sprintf("no state: %T", state))
	}
	return k
}

func requireSame(t *testing.T, same bool, a, b Key) {
	t.Helper()
	require.Equal(t, same, a.Equal(&b), "bytes %x and %x", a.Bytes(), b.Bytes())
	require.Equal(t, same, a.Hash() == b.Hash())
}

// outputs returns an info of vec4s of registers 0, 1, ... one behind the other.
func outputs(n int, stride uint16) pipe.StreamOutputInfo {
	info := pipe.StreamOutputInfo{NumOutputs: uint32(n), Stride: [4]uint16{stride}}
	for i := range n {
		info.Output[i], _ = pipe.PackMask(uint64(i), 15, 0, uint64(4*i), 0)
	}
	return info
}

// full returns one state of each kind in which every member counts.
func full() []any {
	face := pipe.StencilState{Enabled: true, ValueMask: 0xff, WriteMask: 0xff}
	blend := &pipe.BlendState{IndependentBlend: true, LogicOpEnable: true, AlphaToCoverage: true, MaxRT: 7}
	for i := range blend.RT {
		blend.RT[i].Enable = true
	}
	return []any{
		&pipe.ShaderState{Tokens: []byte("VERT"), NIR: []byte("shader: MESA_SHADER_VERTEX"), StreamOutput: outputs(pipe.MaxStreamOutputs, 512)},
		&pipe.ComputeState{IRType: "PIPE_SHADER_IR_NIR", Program: []byte("shader: MESA_SHADER_COMPUTE")},
		&pipe.RasterizerState{LineStippleEnable: true, OffsetTri: true},
		&pipe.DepthStencilAlphaState{DepthEnabled: true, AlphaEnabled: true, Stencil: [2]pipe.StencilState{face, face}},
		blend,
		&pipe.SamplerState{CompareMode: 1},
		&[]pipe.VertexElement{{HasSrcStride: true}, {HasSrcStride: true}},
	}
}

// leaves calls f for each settable scalar or string inside v, with its path.
func leaves(v reflect.Value, path string, f func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		leaves(v.Elem(), path, f)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				leaves(v.Field(i), path+"."+v.Type().Field(i).Name, f)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	default:
		f(path, v)
	}
}

// mutate changes v in the way that differs least.
func mutate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32:
		v.SetFloat(math.Copysign(0, -1))
	case reflect.String:
		v.SetString(v.String() + "\x00")
	default:
		if v.Uint() > 0 {
			v.SetUint(v.Uint() - 1)
		} else {
			v.SetUint(1)
		}
	}
}

// TestKeyMissesNoSwitch is the fault of keys that leave a member out.
func TestKeyMissesNoSwitch(t *testing.T) {
	for _, state := range full() {
		name := reflect.TypeOf(state).Elem().String()
		want := keyOf(state)
		n := 0
		leaves(reflect.ValueOf(state), name, func(path string, v reflect.Value) {
			n++
			old := reflect.New(v.Type()).Elem()
			old.Set(v)
			mutate(v)
			got := keyOf(state)
			require.False(t, want.Equal(&got), "%s is not part of the key", path)
			require.NotEqual(t, want.Hash(), got.Hash(), path)
			v.Set(old)
		})
		require.Greater(t, n, 3, name)
		again := keyOf(state)
		requireSame(t, true, want, again)
	}
}

// TestKeyIgnoresWhatIsOff turns a switch off and changes all that it governs.
func TestKeyIgnoresWhatIsOff(t *testing.T) {
	garbage := pipe.StencilState{Func: 3, FailOp: 4, ZPassOp: 5, ZFailOp: 6, ValueMask: 7, WriteMask: 8}
	factors := pipe.RTBlendState{RGBFunc: 1, RGBSrc: 2, RGBDst: 3, AlphaFunc: 4, AlphaSrc: 5, AlphaDst: 6, ColorMask: 0xf}
	stale := outputs(1, 4)
	stale.Output[1] = 0xdeadbeef
	strides := pipe.StreamOutputInfo{Stride: [4]uint16{7, 0, 0, 9}}
	for _, c := range []struct {
		name string
		a, b any
		same bool
	}{
		{"outputs behind num_outputs", &pipe.ShaderState{StreamOutput: outputs(1, 4)}, &pipe.ShaderState{StreamOutput: stale}, true},
		{"strides without outputs", &pipe.ShaderState{}, &pipe.ShaderState{StreamOutput: strides}, true},
		{"strides with outputs", &pipe.ShaderState{StreamOutput: outputs(1, 4)}, &pipe.ShaderState{StreamOutput: outputs(1, 5)}, false},
		{"depth function and write mask of a test that is off",
			&pipe.DepthStencilAlphaState{}, &pipe.DepthStencilAlphaState{DepthFunc: pipe.CompareLess, DepthWriteMask: true}, true},
		{"alpha function and reference of a test that is off",
			&pipe.DepthStencilAlphaState{}, &pipe.DepthStencilAlphaState{AlphaFunc: pipe.CompareGreater, AlphaRef: 0.5}, true},
		{"both facings of a stencil test that is off",
			&pipe.DepthStencilAlphaState{}, &pipe.DepthStencilAlphaState{Stencil: [2]pipe.StencilState{garbage, garbage}}, true},
		{"a back facing that is on alone is no nothing",
			&pipe.DepthStencilAlphaState{}, &pipe.DepthStencilAlphaState{Stencil: [2]pipe.StencilState{{}, {Enabled: true}}}, false},
		{"stipple that is off", &pipe.RasterizerState{}, &pipe.RasterizerState{LineStippleFactor: 3, LineStipplePattern: 0x5555}, true},
		{"polygon stipple has no pattern here", &pipe.RasterizerState{}, &pipe.RasterizerState{PolyStippleEnable: true}, false},
		{"offset that is off", &pipe.RasterizerState{}, &pipe.RasterizerState{OffsetUnits: 1, OffsetScale: 2, OffsetClamp: 3}, true},
		{"offset of points is enough", &pipe.RasterizerState{OffsetPoint: true}, &pipe.RasterizerState{OffsetPoint: true, OffsetUnits: 1}, false},
		{"offset of lines is enough", &pipe.RasterizerState{OffsetLine: true}, &pipe.RasterizerState{OffsetLine: true, OffsetClamp: 1}, false},
		{"point size with sizes per vertex is the fallback",
			&pipe.RasterizerState{PointSizePerVertex: true}, &pipe.RasterizerState{PointSizePerVertex: true, PointSize: 1}, false},
		{"sprite mode without sprites turns gl_PointCoord", &pipe.RasterizerState{}, &pipe.RasterizerState{SpriteCoordMode: 1}, false},
		{"discard leaves the rest in force",
			&pipe.RasterizerState{RasterizerDiscard: true}, &pipe.RasterizerState{RasterizerDiscard: true, FlatshadeFirst: true}, false},
		{"targets behind the first without independent blend",
			&pipe.BlendState{}, &pipe.BlendState{RT: [8]pipe.RTBlendState{1: {Enable: true, ColorMask: 3}, 7: {RGBSrc: 1}}}, true},
		{"targets behind the first with independent blend, past max_rt",
			&pipe.BlendState{IndependentBlend: true}, &pipe.BlendState{IndependentBlend: true, RT: [8]pipe.RTBlendState{7: {ColorMask: 3}}}, false},
		{"factors without blending",
			&pipe.BlendState{RT: [8]pipe.RTBlendState{{ColorMask: 0xf}}}, &pipe.BlendState{RT: [8]pipe.RTBlendState{factors}}, true},
		{"colour mask without blending", &pipe.BlendState{}, &pipe.BlendState{RT: [8]pipe.RTBlendState{{ColorMask: 1}}}, false},
		{"factors under advanced blending",
			&pipe.BlendState{AdvancedBlendFunc: 1, RT: [8]pipe.RTBlendState{{ColorMask: 0xf}}},
			&pipe.BlendState{AdvancedBlendFunc: 1, RT: [8]pipe.RTBlendState{factors}}, false},
		{"logic operation that is off", &pipe.BlendState{}, &pipe.BlendState{LogicOp: 5}, true},
		{"blending under a logic operation: float targets have none",
			&pipe.BlendState{LogicOpEnable: true}, &pipe.BlendState{LogicOpEnable: true, RT: [8]pipe.RTBlendState{{Enable: true}}}, false},
		{"dither of a coverage that is off", &pipe.BlendState{}, &pipe.BlendState{AlphaToCoverageDither: true}, true},
		{"comparison that is off", &pipe.SamplerState{}, &pipe.SamplerState{CompareFunc: pipe.CompareLess}, true},
		{"border colour whatever the wrap modes", &pipe.SamplerState{}, &pipe.SamplerState{BorderColor: [4]float32{3: 1}}, false},
		{"stride that another struct holds", &[]pipe.VertexElement{{}}, &[]pipe.VertexElement{{SrcStride: 16}}, true},
	} {
		t.Run(c.name, func(t *testing.T) { requireSame(t, c.same, keyOf(c.a), keyOf(c.b)) })
	}
}

func TestKeyFloatsByBits(t *testing.T) {
	nan, negative := float32(math.NaN()), float32(math.Copysign(0, -1))
	other := math.Float32frombits(math.Float32bits(nan) ^ 1)
	requireSame(t, true, keyOf(&pipe.SamplerState{LodBias: nan}), keyOf(&pipe.SamplerState{LodBias: nan}))
	requireSame(t, false, keyOf(&pipe.SamplerState{LodBias: nan}), keyOf(&pipe.SamplerState{LodBias: other}))
	requireSame(t, false, keyOf(&pipe.SamplerState{LodBias: negative}), keyOf(&pipe.SamplerState{}))
}

// TestKeyWithoutStreamOutput is the fault of keys over the tokens alone.
func TestKeyWithoutStreamOutput(t *testing.T) {
	text := []byte("VERT\nDCL OUT[0], POSITION\n")
	a := pipe.ShaderState{Tokens: text, StreamOutput: outputs(1, 4)}
	b := a
	b.StreamOutput.Output[0], _ = pipe.PackMask(0, 15, 0, 4, 0)
	b.StreamOutput.Stride[0] = 8
	requireSame(t, false, keyOf(&a), keyOf(&b))
	none := pipe.ShaderState{Tokens: text}
	requireSame(t, false, keyOf(&a), keyOf(&none))
}

// TestKeyOfContentNotAddress is the fault of keys over a pointer.
func TestKeyOfContentNotAddress(t *testing.T) {
	a := pipe.ShaderState{Tokens: []byte("VERT"), StreamOutput: outputs(2, 8)}
	b := pipe.ShaderState{Tokens: slices.Clone(a.Tokens), StreamOutput: outputs(2, 8)}
	requireSame(t, true, keyOf(&a), keyOf(&b))
	b.Tokens[0] = 'F'
	requireSame(t, false, keyOf(&a), keyOf(&b))
}

// TestKeyWithoutPadding fills the memory of structs, padding included, with ones
// before their fields are set.
func TestKeyWithoutPadding(t *testing.T) {
	e := pipe.VertexElement{SrcOffset: 4, VertexBufferIndex: 1, SrcFormat: "PIPE_FORMAT_R32_FLOAT"}
	var dirty pipe.VertexElement
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&dirty)), unsafe.Offsetof(dirty.SrcFormat))
	for i := range memory {
		memory[i] = 0xff
	}
	dirty.SrcOffset, dirty.VertexBufferIndex, dirty.InstanceDivisor, dirty.DualSlot = e.SrcOffset, e.VertexBufferIndex, 0, false
	dirty.SrcFormat, dirty.SrcStride, dirty.HasSrcStride = e.SrcFormat, 0, false
	requireSame(t, true, keyOf(&[]pipe.VertexElement{e}), keyOf(&[]pipe.VertexElement{dirty}))
}

// TestKeyWithoutCount is the fault of keys that leave the count out.
func TestKeyWithoutCount(t *testing.T) {
	x, y := pipe.VertexElement{SrcOffset: 1}, pipe.VertexElement{SrcOffset: 2}
	requireSame(t, false, keyOf(&[]pipe.VertexElement{x}), keyOf(&[]pipe.VertexElement{x, y}))
	requireSame(t, false, keyOf(&[]pipe.VertexElement{}), keyOf(&[]pipe.VertexElement{{}}))
	one, two := outputs(1, 8), outputs(2, 8)
	requireSame(t, false, keyOf(&pipe.ShaderState{StreamOutput: one}), keyOf(&pipe.ShaderState{StreamOutput: two}))
}

// TestKeyOrder is the fault of a hash that is the XOR of words: it is the same
// for [X, Y] and [Y, X], and for [X, X] and [Z, Z].
func TestKeyOrder(t *testing.T) {
	info := func(words ...pipe.StreamOutput) *pipe.ShaderState {
		i, err := pipe.NewStreamOutputInfo([4]uint16{8}, words...)
		require.NoError(t, err)
		return &pipe.ShaderState{StreamOutput: i}
	}
	three := outputs(3, 8)
	x, y, z := three.Output[0], three.Output[1], three.Output[2]
	requireSame(t, false, keyOf(info(x, y)), keyOf(info(y, x)))
	requireSame(t, false, keyOf(info(x, x)), keyOf(info(z, z)))
	a, b := pipe.VertexElement{SrcOffset: 1}, pipe.VertexElement{SrcOffset: 2}
	requireSame(t, false, keyOf(&[]pipe.VertexElement{a, b}), keyOf(&[]pipe.VertexElement{b, a}))
}

// TestKeyOfKind: what differs in its kind, stage or IR alone is another content.
func TestKeyOfKind(t *testing.T) {
	seen := map[uint64]string{}
	add := func(name string, k Key) {
		require.Empty(t, seen[k.Hash()], name)
		seen[k.Hash()] = name
	}
	s := &pipe.ShaderState{Tokens: []byte("x")}
	for stage := range pipe.Stage(pipe.NumStages) {
		var k Key
		k.SetShader(stage, s)
		require.Equal(t, pipe.ShaderKind(stage), k.Kind())
		add(stage.String(), k)
	}
	add("NIR text", keyOf(&pipe.ShaderState{NIR: []byte("x")}))
	add("both texts", keyOf(&pipe.ShaderState{Tokens: []byte("x"), NIR: []byte{}}))
	add("split otherwise", keyOf(&pipe.ShaderState{Tokens: []byte{}, NIR: []byte("x")}))
	add("another IR", keyOf(&pipe.ShaderState{Type: 1, Tokens: []byte("x")}))
	add("no text", keyOf(&pipe.ShaderState{}))
	add("empty text", keyOf(&pipe.ShaderState{Tokens: []byte{}}))
	add("compute state", keyOf(&pipe.ComputeState{Program: []byte("x")}))
	add("compute type", keyOf(&pipe.ComputeState{IRType: "x"}))
	add("rasterizer", keyOf(&pipe.RasterizerState{}))
	add("depth/stencil/alpha", keyOf(&pipe.DepthStencilAlphaState{}))
	add("blend", keyOf(&pipe.BlendState{}))
	add("sampler", keyOf(&pipe.SamplerState{}))
	add("vertex elements", keyOf(&[]pipe.VertexElement{}))
}

func TestSetCreate(t *testing.T) {
	for _, call := range []pipe.Call{&pipe.CreateShader{Stage: pipe.Fragment}, &pipe.CreateCompute{}, &pipe.CreateRasterizer{},
		&pipe.CreateDepthStencilAlpha{}, &pipe.CreateBlend{}, &pipe.CreateSampler{}, &pipe.CreateVertexElements{}} {
		var k Key
		require.True(t, k.SetCreate(call))
		kind, _ := pipe.Created(call)
		require.Equal(t, kind, k.Kind())
	}
	k := keyOf(&pipe.BlendState{})
	was := k.Clone()
	for _, call := range []pipe.Call{&pipe.CreateStreamOutputTarget{}, &pipe.Flush{}, &pipe.CreateShader{Stage: pipe.NumStages}} {
		require.False(t, k.SetCreate(call))
		require.True(t, k.Equal(&was), "left alone")
	}
}

func TestKeyReuseKeepsClones(t *testing.T) {
	k := keyOf(&pipe.ShaderState{Tokens: []byte("first")})
	kept := k.Clone()
	k.SetShader(pipe.Vertex, &pipe.ShaderState{Tokens: []byte("other")})
	require.False(t, k.Equal(&kept))
	requireSame(t, true, kept, keyOf(&pipe.ShaderState{Tokens: []byte("first")}))
}
