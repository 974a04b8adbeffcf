package cso

import (
	"math"
	"math/rand/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// fragment is one fragment and what is stored under it.
type fragment struct {
	z, storedZ float64
	alpha      float32
	stencil    uint8
	back       bool
}

// outcome is what is left after it.
type outcome struct {
	survives bool
	z        float64
	stencil  uint8
}

// same compares outcomes as numbers, NaN equal to itself.
func (o outcome) same(p outcome) bool {
	return o.survives == p.survives && o.stencil == p.stencil && (o.z == p.z || o.z != o.z && p.z != p.z)
}

// simulate runs one fragment through the tests in the order of the OpenGL and
// Vulkan specifications, the slow and plain way.
func simulate(s *DepthStencilState, c *DepthStencilContext, ref [2]uint8, f fragment) outcome {
	o := outcome{false, f.storedZ, f.stencil}
	hasDepth, hasStencil := c.Aspects&AspectDepth != 0, c.Aspects&AspectStencil != 0
	if c.RasterizerDiscard {
		return o
	}
	if s.Bounds.Test && hasDepth && !(f.storedZ >= s.Bounds.Min && f.storedZ <= s.Bounds.Max) {
		return o
	}
	if s.AlphaEnabled && !compare(s.AlphaFunc, f.alpha, s.AlphaRef) {
		return o
	}
	side := 0
	if f.back && s.Stencil[1].Enabled {
		side = 1
	}
	st, stencilOn := &s.Stencil[side], s.Stencil[0].Enabled && hasStencil
	if stencilOn && !compare(st.Func, ref[side]&st.ValueMask, f.stencil&st.ValueMask) {
		o.stencil = operate(st.FailOp, f.stencil, ref[side], st.WriteMask)
		return o
	}
	depthOn := s.DepthEnabled && hasDepth
	o.survives = !depthOn || compare(s.DepthFunc, f.z, f.storedZ)
	if o.survives && depthOn && s.DepthWriteMask {
		o.z = f.z
	}
	if stencilOn {
		op := st.ZFailOp
		if o.survives {
			op = st.ZPassOp
		}
		o.stencil = operate(op, f.stencil, ref[side], st.WriteMask)
	}
	return o
}

func compare[T uint8 | float32 | float64](f pipe.CompareFunc, a, b T) bool {
	switch f {
	case pipe.CompareLess:
		return a < b
	case pipe.CompareEqual:
		return a == b
	case pipe.CompareLEqual:
		return a <= b
	case pipe.CompareGreater:
		return a > b
	case pipe.CompareNotEqual:
		return a != b
	case pipe.CompareGEqual:
		return a >= b
	}
	return f == pipe.CompareAlways
}

func operate(op pipe.StencilOp, stored, ref, mask uint8) uint8 {
	v := int(stored)
	switch op {
	case pipe.StencilZero:
		v = 0
	case pipe.StencilReplace:
		v = int(ref)
	case pipe.StencilIncr:
		v = min(v+1, 255)
	case pipe.StencilDecr:
		v = max(v-1, 0)
	case pipe.StencilIncrWrap:
		v++
	case pipe.StencilDecrWrap:
		v--
	case pipe.StencilInvert:
		v = ^v
	}
	return stored&^mask | uint8(v)&mask
}

// depthPairs are (fragment, stored) depths: every order, the ends, and NaN where
// a format can hold it.
func depthPairs(kind DepthFormat) [][2]float64 {
	pairs := [][2]float64{{0, 0}, {0, 0.5}, {0.5, 0}, {0.5, 0.5}, {0.5, 1}, {1, 0.5}, {1, 1}, {0.25, 0.75}, {0, 1}}
	if kind == DepthFloat {
		nan := math.NaN()
		pairs = append(pairs[:6:6], [][2]float64{{nan, 0.5}, {0.5, nan}, {nan, nan}, {2, -1}}...)
	}
	return pairs
}

// everyFragment calls do for all fragments that can occur in c until it returns false.
func everyFragment(s *DepthStencilState, c *DepthStencilContext, do func(fragment) bool) {
	alphas := []float32{1}
	if s.AlphaEnabled {
		alphas = []float32{0, 0.25, 1}
	}
	for _, back := range []bool{false, true} {
		if back && c.Facings&FacingBack == 0 || !back && c.Facings&FacingFront == 0 {
			continue
		}
		for _, z := range depthPairs(c.DepthFormat) {
			for _, a := range alphas {
				for v := range 256 {
					if !do(fragment{z[0], z[1], a, uint8(v), back}) {
						return
					}
				}
			}
		}
	}
}

// observed is what simulation sees a state do.
type observed struct {
	writesDepth, writesStencil, survives bool
}

func (seen *observed) add(f fragment, o outcome) {
	seen.writesDepth = seen.writesDepth || !(o.z == f.storedZ || o.z != o.z && f.storedZ != f.storedZ)
	seen.writesStencil = seen.writesStencil || o.stencil != f.stencil
	seen.survives = seen.survives || o.survives
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func randomFace(r *rand.Rand) pipe.StencilState {
	masks := []uint8{0, 1, 0x0f, 0xf0, 0x80, 0xff, uint8(r.Uint32()), uint8(r.Uint32())}
	op := func() pipe.StencilOp {
		if r.IntN(3) == 0 {
			return pipe.StencilKeep
		}
		return pipe.StencilOp(r.IntN(8))
	}
	return pipe.StencilState{Enabled: r.IntN(4) != 0, Func: pipe.CompareFunc(r.IntN(8)), FailOp: op(), ZPassOp: op(), ZFailOp: op(),
		ValueMask: pick(r, masks...), WriteMask: pick(r, masks...)}
}

func randomDepthStencil(r *rand.Rand) DepthStencilState {
	var s DepthStencilState
	s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = r.IntN(3) != 0, r.IntN(3) != 0, pipe.CompareFunc(r.IntN(8))
	s.Stencil = [2]pipe.StencilState{randomFace(r), randomFace(r)}
	if r.IntN(8) == 0 {
		s.Stencil[1] = s.Stencil[0]
	}
	s.AlphaEnabled, s.AlphaFunc, s.AlphaRef = r.IntN(8) == 0, pipe.CompareFunc(r.IntN(8)), 0.25
	s.Bounds = DepthBounds{r.IntN(6) == 0, pick(r, 0, 0.25, 0.5, 1, math.NaN()), pick(r, 0, 0.5, 0.75, 1, math.Inf(1))}
	return s
}

func randomContext(r *rand.Rand) DepthStencilContext {
	c := DepthStencilContext{
		Aspects:           pick(r, AspectDepth|AspectStencil, AspectDepth|AspectStencil, AspectDepth, AspectStencil, 0),
		Facings:           pick(r, FacingFront|FacingBack, FacingFront|FacingBack, FacingFront, FacingBack, 0),
		DepthFormat:       pick(r, DepthFloat, DepthUnorm),
		RasterizerDiscard: r.IntN(16) == 0,
	}
	if r.IntN(8) == 0 {
		c.AnyAspects = true
	}
	if r.IntN(3) != 0 {
		one := pick(r, 0, 1, 0x0f, 0xff, uint8(r.Uint32()))
		c.Ref = StencilRef{true, [2]uint8{one, pick(r, one, 0, 1, 0xf0, uint8(r.Uint32()))}}
	}
	return c
}
