package cso

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

var exhaustive = flag.Bool("exhaustive", false, "simulate 400,000 random states and the whole grid of one-sided ones")

// trials is how many random states a property is tried on.
func trials(usual int) int {
	switch {
	case *exhaustive:
		return 20 * usual
	case testing.Short():
		return usual / 5
	}
	return usual
}

// refsToTry are the references that c stands for: a sample when it knows none.
func refsToTry(r *rand.Rand, c *DepthStencilContext) [][2]uint8 {
	if c.Ref.Known {
		return [][2]uint8{c.Ref.Value}
	}
	return [][2]uint8{{uint8(r.Uint32()), uint8(r.Uint32())}, {pick[uint8](r, 0, 1, 255), pick[uint8](r, 0, 1, 255)}}
}

// checkSound simulates s before and after in all that c allows.
func checkSound(t *testing.T, r *rand.Rand, s DepthStencilState, c DepthStencilContext) {
	t.Helper()
	got, err := SanitiseDepthStencil(&s, &c)
	require.NoError(t, err)
	var seen observed
	real := c // a context with certain aspects that c allows
	if c.AnyAspects {
		real.Aspects &= Aspects(r.IntN(4))
	}
	for _, ref := range refsToTry(r, &c) {
		everyFragment(&s, &real, func(f fragment) bool {
			before, after := simulate(&s, &real, ref, f), simulate(&got.State, &real, ref, f)
			if !before.same(after) {
				t.Fatalf("fragment %+v, reference %v: %+v became %+v\nasked %+v\n  got %+v\n   in %+v", f, ref, before, after, s, got.State, real)
			}
			seen.add(f, before)
			return true
		})
	}
	claim := observed{got.WritesDepth, got.WritesStencil, !got.KillsAll}
	if seen.writesDepth && !claim.writesDepth || seen.writesStencil && !claim.writesStencil || seen.survives && !claim.survives {
		t.Fatalf("does %+v, claimed %+v\nasked %+v\n  got %+v\n   in %+v", seen, claim, s, got.State, c)
	}
	// Limits that pin the stored depth to an end of its range are not looked into.
	if c.Ref.Known && !c.AnyAspects && !got.State.Bounds.Test && !got.State.AlphaEnabled {
		require.Equal(t, seen, claim, "exact with known references\nasked %+v\n  got %+v\n   in %+v", s, got.State, c)
	}
}

func TestSanitiseIsSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range trials(20_000) {
		checkSound(t, r, randomDepthStencil(r), randomContext(r))
	}
}

// The claim about unknown references is about all of them, so a few states are
// tried with every one of the front.
func TestSanitiseIsSoundForAllRefs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range trials(25) {
		s, c := randomDepthStencil(r), AnyDepthStencilContext()
		c.AnyAspects = false
		s.AlphaEnabled, s.Bounds.Test = false, false
		got, err := SanitiseDepthStencil(&s, &c)
		require.NoError(t, err)
		var seen observed
		for ref := range 256 {
			for v := range 256 {
				for _, z := range [][2]float64{{0, 0.5}, {0.5, 0}, {0.5, 0.5}} {
					for _, back := range []bool{false, true} {
						f := fragment{z[0], z[1], 1, uint8(v), back}
						refs := [2]uint8{uint8(ref), uint8(ref*7 + 3)}
						before := simulate(&s, &c, refs, f)
						if before != simulate(&got.State, &c, refs, f) {
							t.Fatalf("fragment %+v, references %v\nasked %+v\n  got %+v", f, refs, s, got.State)
						}
						seen.add(f, before)
					}
				}
			}
		}
		require.Equal(t, seen, observed{got.WritesDepth, got.WritesStencil, !got.KillsAll}, "asked %+v", s)
	}
}

// TestIdle compares the sets of values with a walk over all of them.
func TestIdle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	masks := func() uint8 { return pick(r, 0, 1, 2, 0x0f, 0xf0, 0x80, 0xff, 1<<r.IntN(8), uint8(r.Uint32())) }
	for range trials(3_000) {
		f, op := pipe.CompareFunc(r.IntN(8)), pipe.StencilOp(r.IntN(8))
		vm, wm, known := masks(), masks(), r.IntN(4) != 0
		ref := stencilRef{known, masks()}
		pass := r.IntN(2) == 0
		rel := f
		if !pass {
			rel ^= 7
		}
		lo, hi := 0, 255
		if known {
			lo, hi = int(ref.value), int(ref.value)
		}
		want, never, always := true, true, true
		for q := lo; q <= hi; q++ {
			for v := range 256 {
				passes := compare(f, uint8(q)&vm, uint8(v)&vm)
				never, always = never && !passes, always && passes
				if passes == pass && operate(op, uint8(v), uint8(q), wm) != uint8(v) {
					want = false
				}
			}
		}
		wantFunc := f
		switch {
		case never:
			wantFunc = pipe.CompareNever
		case always:
			wantFunc = pipe.CompareAlways
		}
		require.Equal(t, wantFunc, foldFunc(f, vm, ref), "%v valuemask %#x ref %+v", f, vm, ref)
		if vm == 0 && wantFunc != f {
			continue // idle is asked about folded functions
		}
		require.Equal(t, want, idle(op, rel, vm, wm, ref), "%v of %v, pass %v, valuemask %#x writemask %#x ref %+v", op, f, pass, vm, wm, ref)
	}
}

// TestGridIsSound walks all one-sided states over a few masks and references:
// 37,748,736 of them.
func TestGridIsSound(t *testing.T) {
	if !*exhaustive {
		t.Skip("minutes of work: asked for with -exhaustive")
	}
	var states atomic.Int64
	t.Cleanup(func() {
		require.Equal(t, int64(37_748_736), states.Load())
	})
	for i, c := range gridContexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			gridStates(func(s *DepthStencilState) {
				checkGridState(t, s, &c)
				states.Add(1)
			})
		})
	}
}

func gridContexts() []DepthStencilContext {
	var contexts []DepthStencilContext
	for aspects := range Aspects(4) {
		for _, ref := range []uint8{0, 1, 0x0f, 0xff} {
			contexts = append(contexts, DepthStencilContext{Aspects: aspects, Facings: FacingFront | FacingBack, DepthFormat: DepthUnorm,
				Ref: StencilRef{true, [2]uint8{ref, ref}}})
		}
	}
	return contexts
}

func gridStates(do func(*DepthStencilState)) {
	masks := []uint8{0, 0x0f, 0xff}
	for depth := range 32 {
		for stencil := range 2 * 8 * 512 {
			for _, vm := range masks {
				for _, wm := range masks {
					var s DepthStencilState
					s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = depth&1 != 0, depth&2 != 0, pipe.CompareFunc(depth>>2)
					s.Stencil[0] = pipe.StencilState{Enabled: stencil&1 != 0, Func: pipe.CompareFunc(stencil >> 1 & 7),
						FailOp: pipe.StencilOp(stencil >> 4 & 7), ZPassOp: pipe.StencilOp(stencil >> 7 & 7), ZFailOp: pipe.StencilOp(stencil >> 10 & 7),
						ValueMask: vm, WriteMask: wm}
					do(&s)
				}
			}
		}
	}
}

func checkGridState(t *testing.T, s *DepthStencilState, c *DepthStencilContext) {
	got, err := SanitiseDepthStencil(s, c)
	if err != nil {
		t.Fatal(err)
	}
	// What no test looks at need not be walked through.
	stored, depths := 256, [][2]float64{{0, 0.5}, {0.5, 0}, {0.5, 0.5}}
	if !s.Stencil[0].Enabled || c.Aspects&AspectStencil == 0 {
		stored = 2
	}
	if c.Aspects&AspectDepth == 0 {
		depths = depths[:1]
	}
	var seen observed
	for _, z := range depths {
		for v := range stored {
			f := fragment{z[0], z[1], 1, uint8(v), false}
			before := simulate(s, c, c.Ref.Value, f)
			if before != simulate(&got.State, c, c.Ref.Value, f) {
				t.Fatalf("fragment %+v\nasked %+v\n  got %+v\n   in %+v", f, s, got.State, c)
			}
			seen.add(f, before)
		}
	}
	if seen != (observed{got.WritesDepth, got.WritesStencil, !got.KillsAll}) {
		t.Fatalf("does %+v, claimed %+v\nasked %+v\n   in %+v", seen, got, s, c)
	}
}
