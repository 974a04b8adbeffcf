package state_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// everyCall is one call of each type.
var everyCall = []pipe.Call{
	&pipe.NewWorld{}, &pipe.Other{}, &pipe.ScreenCreate{}, &pipe.ScreenDestroy{}, &pipe.GetName{}, &pipe.GetParam{},
	&pipe.ContextCreate{}, &pipe.ContextDestroy{}, &pipe.ResourceCreate{}, &pipe.ResourceDestroy{}, &pipe.ResourceRelease{},
	&pipe.ReplaceBufferStorage{}, &pipe.InvalidateResource{}, &pipe.ResourceCopyRegion{}, &pipe.ClearBuffer{},
	&pipe.BufferSubdata{}, &pipe.TextureSubdata{}, &pipe.Map{}, &pipe.FlushRegion{}, &pipe.Unmap{}, &pipe.CreateShader{},
	&pipe.CreateCompute{}, &pipe.CreateRasterizer{}, &pipe.CreateDepthStencilAlpha{}, &pipe.CreateBlend{}, &pipe.CreateSampler{},
	&pipe.CreateVertexElements{}, &pipe.BindState{}, &pipe.DeleteState{}, &pipe.BindSamplers{}, &pipe.CreateStreamOutputTarget{},
	&pipe.DestroyStreamOutputTarget{}, &pipe.SetStreamOutputTargets{}, &pipe.Draw{}, &pipe.DrawVertexState{}, &pipe.LaunchGrid{},
	&pipe.Clear{}, &pipe.Flush{}, &pipe.CreateQuery{}, &pipe.DestroyQuery{}, &pipe.BeginQuery{}, &pipe.EndQuery{},
	&pipe.GetQueryResult{}, &pipe.GetQueryResultResource{}, &pipe.RenderCondition{}, &pipe.SetActiveQueryState{},
	&pipe.SetVertexBuffers{}, &pipe.SetConstantBuffer{}, &pipe.SetShaderBuffers{}, &pipe.SetShaderImages{},
	&pipe.CreateSamplerView{}, &pipe.DestroySamplerView{}, &pipe.SetSamplerViews{}, &pipe.CreateSurface{}, &pipe.DestroySurface{},
	&pipe.SetFramebuffer{}, &pipe.SetTessState{}, &pipe.SetPatchVertices{}, &pipe.SetViewports{}, &pipe.SetScissors{},
	&pipe.SetBlendColor{}, &pipe.SetStencilRef{}, &pipe.SetSampleMask{}, &pipe.SetMinSamples{}, &pipe.MemoryBarrier{},
}

// wildNumber is small half of the time, so that handles meet, and else anything.
func wildNumber(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return r.Uint64()
	case 1:
		return ^uint64(0)
	case 2:
		return 1 << r.IntN(64)
	}
	return uint64(r.IntN(8))
}

// fillWild puts anything into what x points to.
func fillWild(r *rand.Rand, x reflect.Value, depth int) {
	switch x.Kind() {
	case reflect.Bool:
		x.SetBool(r.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		x.SetUint(wildNumber(r) & (1<<(x.Type().Bits()-1)<<1 - 1))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		x.SetInt(int64(wildNumber(r)) >> (64 - x.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		x.SetFloat(float64(int64(wildNumber(r))))
	case reflect.String:
		x.SetString([]string{"", "set_x", "bind_x", "blit", "PIPE_CAP_MAX_VERTEX_STREAMS", "PIPE_FORMAT_R8_UNORM"}[r.IntN(6)])
	case reflect.Slice:
		if n := r.IntN(6); n > 0 && depth < 6 {
			x.Set(reflect.MakeSlice(x.Type(), n-1, n-1))
			for i := range n - 1 {
				fillWild(r, x.Index(i), depth+1)
			}
		}
	case reflect.Array:
		for i := range x.Len() {
			fillWild(r, x.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if f := x.Field(i); f.CanSet() {
				fillWild(r, f, depth+1)
			}
		}
	case reflect.Pointer:
		if x.Type() != reflect.TypeFor[*pipe.Values]() && r.IntN(2) == 0 && depth < 6 {
			x.Set(reflect.New(x.Type().Elem()))
			fillWild(r, x.Elem(), depth+1)
		}
	}
}

func TestNoOperationPanics(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := state.New()
		for i := range 6000 {
			call := everyCall[r.IntN(len(everyCall))]
			if _, ok := call.(*pipe.NewWorld); ok && r.IntN(20) > 0 {
				continue
			}
			made := reflect.New(reflect.TypeOf(call).Elem())
			fillWild(r, made.Elem(), 0)
			op := pipe.Op{Call: made.Interface().(pipe.Call)}
			fillWild(r, reflect.ValueOf(&op.Ret).Elem(), 0)
			op.Screen, op.Context, op.No = pipe.Handle(wildNumber(r)), pipe.Handle(r.IntN(3)), wildNumber(r)
			require.NotPanics(t, func() { step(m, &op) }, "seed %d, operation %d: %T", seed, i, op.Call)
		}
	}
}

// step applies an operation and asks all that a rule may ask.
func step(m *state.Machine, op *pipe.Op) {
	if c := m.Before(op); c != nil {
		c.LastVertexStage()
		c.Capturing()
		c.RasterizerState()
		c.DepthStencilState()
		c.ElementStride(0)
		c.CapturedAs(state.DrawMode(op.Call))
		m.DrawPrimitives(c, op.Call)
	}
	m.Apply(op)
	for t := range m.Targets {
		m.Resource(t.Resource)
		state.Fits(t, 16, 12, 3)
	}
	for q := range m.Queries {
		m.Query(q.Handle)
	}
}
