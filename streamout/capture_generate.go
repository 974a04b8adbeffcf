package streamout

import (
	"math"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// generate finds how many primitives reach stream output.
func (c *Capture) generate(ctx *state.Context, s *state.Shader, in *drawing, d *CapturedDraw) {
	switch s.Stage {
	case pipe.Geometry, pipe.TessEval:
		if c.runs && c.countEmitted(ctx, in, d) {
			return
		}
	}
	switch s.Stage {
	case pipe.Geometry:
		c.boundGeometry(ctx, s, in, d)
		return
	case pipe.TessEval:
		d.Generated[0] = c.patches(ctx, in)
		if !d.Generated[0].Known() && d.Why == "" {
			d.Why = "the tessellation factors are not known"
		}
		return
	}
	if in.mode.Vertices() == 0 {
		d.Generated[0], d.Why = unbounded, "the primitive type has no meaning without tessellation"
		return
	}
	d.Generated[0] = in.sum(func(n uint64) Count { return Exactly(in.mode.Primitives(n)) })
	if d.Capturing && c.model.Overflow != OverflowUnknown {
		return
	}
	whole := in.sum(func(n uint64) Count { return Exactly(wholePrimitives(in.mode, n)) })
	switch {
	case c.model.WholeUncaptured && !d.Capturing:
		d.Generated[0] = whole
	case whole.Low != d.Generated[0].Low:
		d.Generated[0].Low = whole.Low
		d.Why = "drivers count quads and polygons whole, or as the triangles that they are cut into"
	}
}

// countEmitted counts what the vertex source emits, and returns false when it
// does not know.
func (c *Capture) countEmitted(ctx *state.Context, in *drawing, d *CapturedDraw) bool {
	var n [pipe.MaxVertexStreams]uint64
	in.emitted = c.vertices.Primitives(ctx, d.Op.Call, func(stream int, vertices []Vertex) bool {
		n[stream&3]++
		in.each = uint64(len(vertices))
		return true
	})
	if in.emitted {
		d.Why = ""
		for s := range n {
			d.Generated[s] = Exactly(n[s])
		}
	}
	return in.emitted
}

// patches counts what the tessellator makes of a draw.
func (c *Capture) patches(ctx *state.Context, in *drawing) Count {
	low, high := ctx.PatchPrimitives()
	if in.mode != pipe.Patches {
		return unbounded
	}
	if ctx.PatchVertices == 0 {
		return Count{0, math.MaxUint64}
	}
	return in.sum(func(n uint64) Count {
		patches := n / uint64(ctx.PatchVertices)
		return Count{multiply(patches, low), multiply(patches, high)}
	})
}

// boundGeometry bounds what a geometry shader makes of a draw by what its text
// declares.
func (c *Capture) boundGeometry(ctx *state.Context, s *state.Shader, in *drawing, d *CapturedDraw) {
	g := &s.Outputs.Geometry
	if d.Why == "" {
		d.Why = "a geometry shader decides how many primitives there are"
	}
	most := unbounded
	switch tes := ctx.Shaders[pipe.TessEval]; {
	case !g.Known || g.Output == pipe.PrimitiveUnknown || g.Invocations <= 0:
	case tes.Object != nil:
		most = c.patches(ctx, in)
	case tes.Handle == 0 && in.mode.Vertices() != 0:
		most = in.sum(func(n uint64) Count { return Exactly(in.mode.Primitives(n)) })
	}
	if most.Bounded() {
		each := g.Output.Primitives(uint64(max(g.VerticesOut, 0)))
		most = most.times(uint64(g.Invocations)).times(each)
	}
	for stream := range d.Generated {
		if streams := s.Outputs.Geometry.ActiveStreams; streams == 0 || streams>>stream&1 != 0 {
			d.Generated[stream] = most.maybe()
		}
	}
}
