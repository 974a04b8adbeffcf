package audit_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// content is what a context has bound, without handles: objects that layers may
// merge by what they are, the others by the order in which they were made.
type content struct {
	Shaders     [pipe.NumStages]string
	States      [4]any
	Samplers    [pipe.NumStages][]any
	Targets     [pipe.MaxStreamOutputBuffers]string
	NumTargets  int
	Session     string
	Vertices    []pipe.VertexBuffer
	Constants   [pipe.NumStages][]pipe.ConstantBuffer
	Buffers     [pipe.NumStages][]pipe.ShaderBuffer
	Framebuffer pipe.FramebufferState
	Queries     []string
	Numbers     string
	Viewports   []pipe.Viewport
	Scissors    []pipe.Scissor
	AllTargets  []string
}

// contents returns the contents of the open contexts, in the order of their making.
func contents(m *state.Machine) []content {
	contexts := slices.SortedFunc(m.OpenContexts, func(a, b *state.Context) int { return a.Ordinal - b.Ordinal })
	all := make([]content, 0, len(contexts))
	for _, c := range contexts {
		all = append(all, describe(m, c))
	}
	return all
}

func describe(m *state.Machine, c *state.Context) content {
	resource := func(h pipe.Handle) pipe.Handle {
		if r := m.Resource(h); r != nil {
			return pipe.Handle(r.Ordinal)
		}
		return 0
	}
	d := content{NumTargets: c.NumTargets, Viewports: c.Viewports, Scissors: c.Scissors, Framebuffer: c.Framebuffer}
	for stage, b := range c.Shaders {
		if s := b.Object; s != nil {
			d.Shaders[stage] = fmt.Sprintf("%v %x %x", s.Stage, s.TextHash, s.Info.AppendCanonical(nil))
		}
		for _, h := range c.Samplers[stage] {
			d.Samplers[stage] = append(d.Samplers[stage], stateOf(m.CSO(pipe.KindSampler, h)))
		}
		for _, b := range c.ConstantBuffers[stage] {
			d.Constants[stage] = append(d.Constants[stage], pipe.ConstantBuffer{Resource: resource(b.Resource), Offset: b.Offset, Size: b.Size})
		}
		for _, b := range c.ShaderBuffers[stage] {
			d.Buffers[stage] = append(d.Buffers[stage], pipe.ShaderBuffer{Resource: resource(b.Resource), Offset: b.Offset, Size: b.Size})
		}
	}
	d.States = [4]any{stateOf(c.Rasterizer.Object), stateOf(c.DepthStencil.Object), stateOf(c.Blend.Object), stateOf(c.VertexElements.Object)}
	for i, s := range c.Targets {
		if s.Object != nil {
			d.Targets[i] = fmt.Sprintf("%d at %d, %s", s.Object.Ordinal, s.Offset, target(s.Object))
		}
	}
	d.Session = fmt.Sprint(c.Session.Draws, c.Session.Primitive)
	for _, b := range c.VertexBuffers {
		b.Resource = resource(b.Resource)
		d.Vertices = append(d.Vertices, b)
	}
	d.Framebuffer.Cbufs = slices.Clone(c.Framebuffer.Cbufs)
	for i := range d.Framebuffer.Cbufs {
		d.Framebuffer.Cbufs[i].Surface.Texture = resource(d.Framebuffer.Cbufs[i].Surface.Texture)
	}
	for q := range m.Queries {
		if q.Context == c.Handle && !q.Dead { // the dead are forgotten sooner or later
			d.Queries = append(d.Queries, fmt.Sprintf("%d %v %v %d %+v", q.Ordinal, q.Type, q.Active, q.Ends, q.Counts))
		}
	}
	for t := range m.Targets {
		if t.Context == c.Handle && !t.Dead {
			d.AllTargets = append(d.AllTargets, fmt.Sprintf("%d %s", t.Ordinal, target(t)))
		}
	}
	slices.Sort(d.Queries)
	slices.Sort(d.AllTargets)
	d.Numbers = fmt.Sprint(c.Draws, c.PatchVertices, c.TessOuter, c.TessInner, c.BlendColor, c.StencilRef, c.SampleMask, c.MinSamples, c.QueriesPaused)
	return d
}

// stateOf returns what counts of a state object: the rest may be that of another,
// which Dedup took for equal.
func stateOf(c *state.CSO) any {
	if c == nil {
		return nil
	}
	switch s := c.State.(type) {
	case *pipe.RasterizerState:
		return cso.AppendRasterizer(nil, s)
	case *pipe.DepthStencilAlphaState:
		return cso.AppendDepthStencilAlpha(nil, s)
	case *pipe.BlendState:
		return cso.AppendBlend(nil, s)
	case *pipe.SamplerState:
		return cso.AppendSampler(nil, s)
	}
	return c.State
}

func target(t *state.Target) string {
	return fmt.Sprint(t.Buffer.Ordinal, t.Offset, t.Size, t.Fill, t.CapturedStride, t.CapturedSlot, t.CapturedStream)
}

// requireSameState wants two machines to hold the same, handles apart.
func requireSameState(t *testing.T, want, got *state.Machine) {
	t.Helper()
	a, b := contents(want), contents(got)
	require.NotEmpty(t, a)
	require.Equal(t, a, b)
}
