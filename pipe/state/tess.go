package state

import (
	"math"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/shader/tess"
)

// PatchPrimitives returns how many primitives the tessellator makes of one
// patch: the fewest and the most. They are equal where no control shader
// writes the factors, so that those of set_tess_state hold, and the text of the
// evaluation shader says how they are used. high is math.MaxUint64 where
// nothing bounds it.
func (c *Context) PatchPrimitives() (low, high uint64) {
	s := c.Shaders[pipe.TessEval].Object
	if s == nil || s.Outputs == nil {
		return 0, math.MaxUint64
	}
	t := &s.Outputs.Tess
	domain, ok := tessDomain(t.Domain)
	if !ok || t.PointMode == shader.Unknown {
		return 0, math.MaxUint64
	}
	spacing, ok := tessSpacing(t.Spacing)
	control := &c.Shaders[pipe.TessCtrl]
	if ok && control.Handle == 0 && control.known(c.Whole) && c.TessSet && !c.subnormalFactor() {
		n := patchCount(domain, spacing, t.PointMode, tess.Factors{Outer: c.TessOuter, Inner: c.TessInner})
		return n, n
	}
	return 0, patchCount(domain, tess.Equal, t.PointMode, tess.Uniform(64))
}

// subnormalFactor says whether a factor is so small that drivers disagree on
// whether it culls the patch.
func (c *Context) subnormalFactor() bool {
	const smallestNormal = 0x1p-126
	for _, f := range c.TessOuter {
		if f > 0 && f < smallestNormal {
			return true
		}
	}
	return false
}

func patchCount(d tess.Domain, s tess.Spacing, points shader.Answer, f tess.Factors) uint64 {
	// The winding does not change how many there are.
	z, err := tess.NewGallium(d, s, false, points == shader.Yes)
	if err != nil {
		return 0
	}
	return uint64(z.Count(f).Primitives)
}

func tessDomain(d shader.Domain) (tess.Domain, bool) {
	switch d {
	case shader.DomainTriangles:
		return tess.Triangles, true
	case shader.DomainQuads:
		return tess.Quads, true
	case shader.DomainIsolines:
		return tess.Isolines, true
	}
	return 0, false
}

func tessSpacing(s shader.Spacing) (tess.Spacing, bool) {
	switch s {
	case shader.SpacingEqual:
		return tess.Equal, true
	case shader.SpacingFractionalOdd:
		return tess.FractionalOdd, true
	case shader.SpacingFractionalEven:
		return tess.FractionalEven, true
	}
	return 0, false
}

// patches returns how many primitives so many vertices make when they are taken
// patch by patch.
func (c *Context) patches(n uint64) Primitives {
	low, high := c.PatchPrimitives()
	if low != high || c.PatchVertices == 0 {
		return Primitives{}
	}
	return Primitives{saturate(n/uint64(c.PatchVertices), low), true}
}
