package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// generator fills calls at random, with values that traces can hold.
type generator struct {
	*rand.Rand
	dialect Dialect
}

// op makes a random operation of a call.
func (g *generator) op(t *testing.T, c pipe.Call) *pipe.Op {
	v := reflect.New(reflect.TypeOf(c).Elem())
	g.fill(t, v.Elem())
	op := &pipe.Op{Call: v.Interface().(pipe.Call)}
	g.legal(op)
	class, _ := op.Call.Name()
	switch {
	case class == pipe.ClassScreen:
		op.Screen = g.handle()
	case class == pipe.ClassContext && op.Context == 0:
		op.Context = g.handle()
	}
	g.result(op)
	return op
}

func (g *generator) handle() pipe.Handle { return pipe.Handle(g.Uint64() >> g.IntN(40)) }

// result makes a call return what it can.
func (g *generator) result(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.GetName:
		op.Ret = pipe.Result{Known: true, Text: g.text()}
	case *pipe.GetParam:
		op.Ret = pipe.Result{Known: true, Value: g.Uint64()}
	case *pipe.Flush:
		if op.Ret.Handle = g.handle(); g.IntN(2) == 0 {
			op.Ret.Handle = 0
		}
		op.Ret.Known = op.Ret.Handle != 0
	case *pipe.Map:
		op.Ret = pipe.Result{Known: true, Handle: g.handle()}
	case *pipe.GetQueryResult:
		op.Ret = pipe.Result{Known: true, Value: g.Uint64N(2)}
		if op.Ret.Value != 0 {
			op.Ret.Query = pipe.QueryValue{Known: true, Value: g.Uint64()}
		}
	case *pipe.Other:
		x := c.Values.Ret()
		op.Ret.Known = true
		op.Ret.Handle, _ = x.Handle()
	default:
		if pipe.Creates(op.Call) {
			op.Ret = pipe.Result{Known: true, Handle: g.handle() * pipe.Handle(g.IntN(2))}
		}
	}
}

// text is bytes of any kind, as labels of shaders hold.
func (g *generator) text() string {
	b := make([]byte, g.IntN(40))
	for i := range b {
		b[i] = byte(g.IntN(256))
		if g.IntN(3) == 0 {
			b[i] = "\n<>&'\"]]>\t x"[g.IntN(12)]
		}
	}
	return string(b)
}

// float is one that six digits are enough for.
func (g *generator) float() float64 {
	switch g.IntN(8) {
	case 0:
		return math.Inf(1)
	case 1:
		return math.Inf(-1)
	case 2:
		return math.Copysign(0, -1)
	}
	return float64(g.IntN(2000)-1000) / 8
}

// fill makes every field random, whatever its type.
func (g *generator) fill(t *testing.T, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *pipe.Format:
		*x = pipe.Format([]string{"PIPE_FORMAT_NONE", "PIPE_FORMAT_R8_UNORM", "PIPE_FORMAT_???", "17"}[g.IntN(4)])
		return
	case *pipe.Stage:
		*x = pipe.Stage(g.IntN(pipe.NumStages))
		return
	case *pipe.Kind:
		*x = pipe.Kind(g.IntN(int(pipe.KindVertexElements) + 1))
		return
	case *pipe.Handle:
		*x = g.handle() * pipe.Handle(g.IntN(4))
		return
	case *pipe.Blob:
		*x = pipe.BytesBlob([]byte(g.text()))
		return
	case *pipe.StreamOutputInfo:
		g.streamOutput(x)
		return
	case **pipe.Values:
		*x = g.values()
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			g.fill(t, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(t, v.Index(i))
		}
	case reflect.Slice:
		g.slice(t, v)
	case reflect.Pointer:
		if g.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(t, v.Elem())
		}
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.Uint64() >> (64 - v.Type().Bits()) >> g.IntN(v.Type().Bits()))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(g.Uint64()) >> (64 - v.Type().Bits()) >> g.IntN(v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float())
	case reflect.String:
		v.SetString("PIPE_CAP_" + fmt.Sprint(g.IntN(100)))
	case reflect.Interface:
		// BindState.Inline, of which legal makes one.
		require.Equal(t, "interface {}", v.Type().String(), "a field of a type that is not filled")
	default:
		t.Fatalf("no random %s", v.Type())
	}
}

func (g *generator) slice(t *testing.T, v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		if g.IntN(4) > 0 {
			v.SetBytes([]byte(g.text()))
		}
		return
	}
	n := g.IntN(6) - 1
	if n < 0 {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		g.fill(t, v.Index(i))
	}
}

func (g *generator) streamOutput(i *pipe.StreamOutputInfo) {
	for b := range i.Stride {
		i.Stride[b] = uint16(g.Uint32() >> g.IntN(32))
	}
	i.NumOutputs = uint32(g.IntN(pipe.MaxStreamOutputs+1) >> g.IntN(8))
	for k := range i.NumOutputs {
		start := g.Uint64N(4)
		word, err := pipe.OutputNumbers{RegisterIndex: g.Uint64N(256), StartComponent: start, NumComponents: 1 + g.Uint64N(4-start),
			OutputBuffer: g.Uint64N(4), DstOffset: g.Uint64N(1 << 16), Stream: g.Uint64N(4)}.Pack()
		if err != nil {
			panic(err)
		}
		i.Output[k] = word
	}
}

// values are the arguments of a method that has no type.
func (g *generator) values() *pipe.Values {
	var b pipe.Builder
	b.Arg("pipe").Ptr(g.handle() | 1)
	b.Arg("a&b->c").Str(g.text()).Arg("list").Array().Elem().Uint(g.Uint64()).Elem().Null().Elem().Float(g.float()).End()
	b.Arg("info").Struct("pipe_x_info").Member("n").Int(int64(g.Uint64())).Member("e").Enum("A<B").Member("d").Bytes([]byte(g.text())).End()
	b.Null()
	if g.IntN(2) == 0 {
		b.Ret().Uint(g.Uint64())
	}
	b.Ret().Ptr(g.handle() | 1)
	b.Time(0)
	v := b.Values()
	return &v
}

// legal makes a random call one that there can be: what each dialect has no
// place for, as the documentation of Dialect lists, is what is read instead.
func (g *generator) legal(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.Other:
		c.Class, c.Method = pipe.ClassContext, "no_such_method"
		h, _ := c.Values.ArgAt(0).Handle()
		op.Context = h
	case *pipe.ResourceCreate:
		c.Variant = []string{"", "_drawable", "_unbacked", "_with_modifiers"}[g.IntN(4)]
		if c.Variant != "_drawable" {
			c.LoaderData = 0
		}
		g.target(&c.Template.Target)
	case *pipe.BufferSubdata:
		g.mapping(&c.Usage)
		if !c.Synthetic {
			c.Stride, c.LayerStride = 0, 0
		}
	case *pipe.TextureSubdata:
		g.mapping(&c.Usage)
	case *pipe.Map:
		g.mapping(&c.Usage)
	case *pipe.CreateShader:
		if c.Stage == pipe.Compute {
			c.Stage = pipe.Geometry // its creates are CreateCompute
		}
		if c.State.NIR != nil {
			c.State.Type = 2
			if g.dialect == Mesa26_2 {
				c.State.Type = 1
			}
		}
	case *pipe.CreateCompute:
		c.State.IRType = fmt.Sprint(g.IntN(4))
		if g.dialect == Mesa26_2 {
			c.State.ReqInputMem = 0
		}
	case *pipe.CreateRasterizer:
		c.State.SpriteCoordMode &= 1
	case *pipe.CreateBlend:
		g.blend(&c.State)
	case *pipe.CreateVertexElements:
		for i := range c.Elements {
			e := &c.Elements[i]
			if e.HasSrcStride = g.dialect != Mesa22_3; !e.HasSrcStride {
				e.SrcStride = 0
			}
		}
	case *pipe.BindState:
		g.bind(c)
	case *pipe.Clear:
		if g.dialect != Mesa26_2 {
			c.ColorClearMask, c.StencilClearMask = 0, 0
		}
	case *pipe.CreateQuery:
		c.Type = pipe.QueryType(g.IntN(14))
		if g.IntN(8) == 0 {
			c.Type = pipe.QueryInvalid
		}
	case *pipe.GetQueryResultResource:
		c.Flags %= 14
	default:
		g.legalDraw(op.Call)
		g.legalBinding(op.Call)
	}
}

func (g *generator) legalDraw(c pipe.Call) {
	var ranges []pipe.DrawRange
	switch c := c.(type) {
	case *pipe.Draw:
		ranges = c.Draws
	case *pipe.DrawVertexState:
		ranges = c.Draws
	case *pipe.LaunchGrid:
		if g.dialect == Mesa22_3 {
			c.Info.VariableSharedMem = 0
		}
	}
	for i := range ranges {
		ranges[i].HasIndexBias = ranges[i].HasIndexBias || g.dialect != Mesa26_2
		if !ranges[i].HasIndexBias {
			ranges[i].IndexBias = 0
		}
	}
}

func (g *generator) legalBinding(c pipe.Call) {
	switch c := c.(type) {
	case *pipe.SetStreamOutputTargets:
		if g.dialect == Mesa22_3 {
			c.OutputPrim = pipe.PrimitiveUnknown
		}
	case *pipe.SetVertexBuffers:
		if c.All = g.dialect != Mesa22_3; c.All {
			c.Start, c.UnbindTrailing, c.TakeOwnership = 0, 0, false
		}
		for i := range c.Buffers {
			if c.Buffers[i].HasStride = g.dialect == Mesa22_3; !c.Buffers[i].HasStride {
				c.Buffers[i].Stride = 0
			}
		}
	case *pipe.SetConstantBuffer:
		c.TakeOwnership = c.TakeOwnership && g.dialect != Mesa26_2
	case *pipe.SetShaderImages:
		for i := range c.Images {
			g.image(&c.Images[i])
		}
	case *pipe.CreateSamplerView:
		g.target(&c.View.Target)
		if c.View.IsBuffer {
			c.View.FirstLayer, c.View.LastLayer, c.View.FirstLevel, c.View.LastLevel = 0, 0, 0, 0
		} else {
			c.View.Offset, c.View.Size = 0, 0
		}
	case *pipe.SetSamplerViews:
		if g.dialect == Mesa26_2 {
			c.Count, c.TakeOwnership = uint32(len(c.Views)), false
		}
	case *pipe.CreateSurface:
		g.surface(&c.Surface)
	case *pipe.SetFramebuffer:
		c.State.PLSEnabled = c.State.PLSEnabled && g.dialect == Mesa26_2
		if c.State.Cbufs == nil {
			c.State.Cbufs = []pipe.SurfaceRef{}
		}
		for i := range c.State.Cbufs {
			g.attachment(&c.State.Cbufs[i])
		}
		g.attachment(&c.State.Zsbuf)
	case *pipe.SetViewports:
		c.Viewports = c.Viewports[:min(len(c.Viewports), 1)]
		if len(c.Viewports) == 0 {
			c.Viewports = nil
		}
	case *pipe.SetScissors:
		c.Scissors = c.Scissors[:min(len(c.Scissors), 1)]
		if len(c.Scissors) == 0 {
			c.Scissors = nil
		}
	}
}

func (g *generator) target(t *pipe.TextureTarget) { *t = pipe.TextureTarget(g.IntN(9)) }

func (g *generator) mapping(f *pipe.MapFlags) {
	if g.dialect != Mesa22_3 {
		*f = []pipe.MapFlags{0, pipe.MapRead, pipe.MapWrite, pipe.MapCoherent, pipe.MapUnknown}[g.IntN(5)]
	}
}

// bind is of a kind that has a bind of its own, by handle or whole.
func (g *generator) bind(c *pipe.BindState) {
	if c.Kind == pipe.KindSampler {
		c.Kind = pipe.KindRasterizer
	}
	if g.IntN(2) == 0 {
		return
	}
	switch c.Kind {
	case pipe.KindRasterizer:
		c.Inline, c.State = &pipe.RasterizerState{CullFace: uint8(g.IntN(4)), RasterizerDiscard: true, LineWidth: float32(g.float())}, 0
	case pipe.KindBlend:
		s := &pipe.BlendState{Dither: true}
		g.blend(s)
		c.Inline, c.State = s, 0
	case pipe.KindDepthStencilAlpha:
		c.Inline, c.State = &pipe.DepthStencilAlphaState{DepthEnabled: true, AlphaRef: 0.5, DepthFunc: pipe.CompareFunc(g.IntN(8))}, 0
	}
}

func (g *generator) blend(s *pipe.BlendState) {
	s.LogicOp %= 16
	s.MaxRT %= 8
	for i := range s.RT {
		r := &s.RT[i]
		if i > 0 && (!s.IndependentBlend || i > int(s.MaxRT)) {
			*r = pipe.RTBlendState{}
		}
		r.RGBFunc, r.AlphaFunc = r.RGBFunc%5, r.AlphaFunc%5
		r.RGBSrc, r.RGBDst, r.AlphaSrc, r.AlphaDst = r.RGBSrc%11, r.RGBDst%11, r.AlphaSrc%11, r.AlphaDst%11
	}
}

func (g *generator) image(v *pipe.ImageView) {
	switch {
	case v.Resource == 0:
		*v = pipe.ImageView{}
	case v.IsBuffer:
		v.Level, v.FirstLayer, v.LastLayer = 0, 0, 0
	default:
		v.Offset, v.Size = 0, 0
	}
}

func (g *generator) surface(s *pipe.Surface) {
	g.target(&s.Target)
	if g.dialect == Mesa26_2 {
		s.IsBuffer, s.Width, s.Height = false, 0, 0
	}
	if s.IsBuffer {
		s.Level, s.FirstLayer, s.LastLayer = 0, 0, 0
	} else {
		s.FirstElement, s.LastElement = 0, 0
	}
}

func (g *generator) attachment(r *pipe.SurfaceRef) {
	if r.Embedded = r.Embedded || g.dialect == Mesa26_2 && r.Handle == 0; r.Embedded {
		r.Handle = 0
		g.surface(&r.Surface)
	} else {
		r.Surface = pipe.Surface{}
	}
}
