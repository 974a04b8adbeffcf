package pipe

import "sync/atomic"

// Null is the driver that accepts everything and does nothing. What a replay
// preset as the result of an operation stays; a create without a preset result
// gets a handle of its own, never the same twice. Its zero value is ready, and
// contexts may use it in parallel.
type Null struct {
	last atomic.Uint64
}

// nullBase and nullStep make Null's handles look like addresses of objects, so
// that a trace of them reads as one.
const (
	nullBase Handle = 0x10000000
	nullStep Handle = 0x10
)

// Do gives the operation a result if it lacks one. It never fails.
func (n *Null) Do(op *Op) error {
	if op.Ret.Known || op.Ret.Handle != 0 {
		return nil
	}
	op.Ret.Known = true
	if Creates(op.Call) {
		op.Ret.Handle = nullBase + nullStep*Handle(n.last.Add(1))
	}
	return nil
}

// Creates says whether the call makes an object whose handle it returns.
func Creates(c Call) bool {
	_, ok := Created(c)
	return ok
}

// Created returns the kind of object that the call makes.
func Created(c Call) (Kind, bool) {
	switch c := c.(type) {
	case *CreateShader:
		return ShaderKind(c.Stage), true
	case *CreateCompute:
		return ShaderKind(Compute), true
	case *CreateRasterizer:
		return KindRasterizer, true
	case *CreateDepthStencilAlpha:
		return KindDepthStencilAlpha, true
	case *CreateBlend:
		return KindBlend, true
	case *CreateSampler:
		return KindSampler, true
	case *CreateVertexElements:
		return KindVertexElements, true
	case *ScreenCreate:
		return KindScreen, true
	case *ContextCreate:
		return KindContext, true
	case *ResourceCreate:
		return KindResource, true
	case *CreateStreamOutputTarget:
		return KindTarget, true
	case *CreateQuery:
		return KindQuery, true
	case *CreateSamplerView:
		return KindSamplerView, true
	case *CreateSurface:
		return KindSurface, true
	}
	return 0, false
}
