package cso

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// content makes a state whose identity is n alone: garbage lies where nothing
// looks. So what must be one object is known without canonical bytes.
func content(kind pipe.Kind, n int, garbage uint8) pipe.Call {
	stage, isShader := kind.Stage()
	switch {
	case isShader && stage == pipe.Compute:
		return &pipe.CreateCompute{State: pipe.ComputeState{StaticSharedMem: uint32(n)}}
	case isShader:
		s := pipe.ShaderState{Tokens: fmt.Appendf(nil, "VERT\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[%d]\n", n/3), StreamOutput: outputs(n%3, 8)}
		for i := n % 3; i < 4; i++ {
			s.StreamOutput.Output[i] = pipe.StreamOutput(garbage)
		}
		if n%3 == 0 {
			s.StreamOutput.Stride[2] = uint16(garbage)
		}
		return &pipe.CreateShader{Stage: stage, State: s}
	}
	switch kind {
	case pipe.KindRasterizer:
		return &pipe.CreateRasterizer{State: pipe.RasterizerState{LineWidth: float32(n), LineStippleFactor: garbage, OffsetScale: float32(garbage)}}
	case pipe.KindDepthStencilAlpha:
		return &pipe.CreateDepthStencilAlpha{State: pipe.DepthStencilAlphaState{DepthEnabled: true, DepthFunc: pipe.CompareFunc(n),
			AlphaRef: float32(garbage), Stencil: [2]pipe.StencilState{{ValueMask: garbage}, {WriteMask: garbage}}}}
	case pipe.KindBlend:
		return &pipe.CreateBlend{State: pipe.BlendState{MaxRT: uint8(n), LogicOp: pipe.LogicOp(garbage), RT: [8]pipe.RTBlendState{{RGBSrc: pipe.BlendFactor(garbage)}, {Enable: garbage&1 != 0}}}}
	case pipe.KindSampler:
		return &pipe.CreateSampler{State: pipe.SamplerState{MaxLod: float32(n), CompareFunc: pipe.CompareFunc(garbage)}}
	}
	return &pipe.CreateVertexElements{Elements: slices.Repeat([]pipe.VertexElement{{SrcStride: uint32(garbage)}}, n)}
}

// follow is a layer that applies what passes to a state machine.
func follow(m *state.Machine) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			m.Before(op)
			err := below.Do(op)
			m.Apply(op)
			return err
		})
	}
}

// thing is a live object of the random state tracker.
type thing struct {
	kind    pipe.Kind
	context int
	content int
	handle  pipe.Handle
}

// tracker is a random state tracker that keeps to the rules: what is bound is
// not deleted.
type tracker struct {
	r            *rand.Rand
	contexts     []pipe.Context
	things       []thing
	targets      [][]pipe.Handle
	bound        []map[pipe.Kind]pipe.Handle
	samplers     [][pipe.NumStages][4]pipe.Handle
	above, below *state.Machine
	alive        map[[2]pipe.Handle]bool // of the driver, by kind and handle
}

func newTracker(seed uint64) *tracker {
	tr := &tracker{r: rand.New(rand.NewPCG(seed, 0)), above: state.New(), below: state.New(), alive: map[[2]pipe.Handle]bool{}}
	count := func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			err := below.Do(op)
			if kind, ok := pipe.Created(op.Call); ok && kind.IsState() {
				tr.alive[[2]pipe.Handle{pipe.Handle(kind), op.Ret.Handle}] = true
			}
			if d, ok := op.Call.(*pipe.DeleteState); ok {
				delete(tr.alive, [2]pipe.Handle{pipe.Handle(d.Kind), d.State})
			}
			return err
		})
	}
	d := pipe.Stack(&pipe.Null{}, follow(tr.above), Dedup, follow(tr.below), count)
	for range 2 {
		c, err := pipe.NewContext(d)
		if err != nil {
			panic(err)
		}
		buffer, _ := c.CreateBuffer(1<<16, pipe.BindStreamOutput)
		var targets []pipe.Handle
		for range 3 {
			h, _ := c.CreateStreamOutputTarget(buffer, 0, 1<<16)
			targets = append(targets, h)
		}
		tr.contexts = append(tr.contexts, c)
		tr.targets = append(tr.targets, targets)
		tr.bound = append(tr.bound, map[pipe.Kind]pipe.Handle{})
		tr.samplers = append(tr.samplers, [pipe.NumStages][4]pipe.Handle{})
	}
	return tr
}

// anyOf returns the handle of a live object, or NULL.
func (tr *tracker) anyOf(kind pipe.Kind, context int) pipe.Handle {
	var handles []pipe.Handle
	for _, x := range tr.things {
		if x.kind == kind && x.context == context {
			handles = append(handles, x.handle)
		}
	}
	if i := tr.r.IntN(len(handles) + 1); i < len(handles) {
		return handles[i]
	}
	return 0
}

func (tr *tracker) isBound(x thing) bool {
	if tr.bound[x.context][x.kind] == x.handle {
		return true
	}
	for _, slots := range tr.samplers[x.context] {
		if x.kind == pipe.KindSampler && slices.Contains(slots[:], x.handle) {
			return true
		}
	}
	return false
}

func (tr *tracker) step() error {
	i := tr.r.IntN(len(tr.contexts))
	c := tr.contexts[i]
	kind := pipe.Kind(tr.r.IntN(numStateKinds))
	switch tr.r.IntN(6) {
	case 0:
		n := tr.r.IntN(6)
		ret, err := c.Do(content(kind, n, uint8(tr.r.Uint32())))
		tr.things = append(tr.things, thing{kind, i, n, ret.Handle})
		return err
	case 1:
		if len(tr.things) == 0 {
			return nil
		}
		k := tr.r.IntN(len(tr.things))
		x := tr.things[k]
		if tr.isBound(x) {
			return nil
		}
		tr.things = slices.Delete(tr.things, k, k+1)
		return tr.contexts[x.context].Delete(x.kind, x.handle)
	case 2:
		if kind == pipe.KindSampler {
			break
		}
		h := tr.anyOf(kind, i)
		tr.bound[i][kind] = h
		return c.Bind(kind, h)
	case 3:
		stage, start := tr.r.IntN(pipe.NumStages), tr.r.IntN(3)
		states := make([]pipe.Handle, 1+tr.r.IntN(4-start))
		for k := range states {
			states[k] = tr.anyOf(pipe.KindSampler, i)
			tr.samplers[i][stage][start+k] = states[k]
		}
		_, err := c.Do(&pipe.BindSamplers{Stage: pipe.Stage(stage), Start: uint32(start), States: states})
		return err
	case 4:
		n := tr.r.IntN(4)
		offsets := make([]uint32, n)
		for k := range offsets {
			offsets[k] = [...]uint32{0, 64, pipe.AppendOffset}[tr.r.IntN(3)]
		}
		return c.SetStreamOutputTargets(tr.targets[i][:n], offsets)
	}
	return c.Draw(&pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, pipe.DrawRange{Count: uint32(tr.r.IntN(9))})
}

// seen is what a machine says of a context, without identities and what lies
// in members that are off.
type seen struct {
	Bound      map[string]string
	Targets    []pipe.Handle
	Offsets    []uint32
	Fills      []state.Fill
	NumTargets int
	Draws      uint64
	Revision   uint64
}

func look(m *state.Machine, h pipe.Handle) seen {
	c := m.Context(h)
	s := seen{Bound: map[string]string{}, NumTargets: c.NumTargets, Draws: c.Draws, Revision: c.Revision}
	object := func(name string, kind pipe.Kind, h pipe.Handle) {
		cso := m.CSO(kind, h)
		if h == 0 || cso == nil {
			s.Bound[name] = h.String()
			return
		}
		st := cso.State
		if elements, ok := st.([]pipe.VertexElement); ok {
			st = &elements
		}
		k := keyOf(st)
		s.Bound[name] = fmt.Sprintf("%x dead %v", k.Bytes(), cso.Dead)
	}
	for stage := range c.Shaders {
		if b := c.Shaders[stage]; b.Object != nil {
			s.Bound[pipe.Stage(stage).String()] = fmt.Sprintf("%x %v dead %v", b.Object.TextHash, b.Object.Info.Numbers().Output, b.Object.Dead)
		} else {
			object(pipe.Stage(stage).String(), pipe.Kind(stage), b.Handle)
		}
		for slot, h := range c.Samplers[stage] {
			object(fmt.Sprint(stage, slot), pipe.KindSampler, h)
		}
	}
	object("rasterizer", pipe.KindRasterizer, c.Rasterizer.Handle)
	object("dsa", pipe.KindDepthStencilAlpha, c.DepthStencil.Handle)
	object("blend", pipe.KindBlend, c.Blend.Handle)
	object("velems", pipe.KindVertexElements, c.VertexElements.Handle)
	for _, slot := range c.Targets {
		s.Targets, s.Offsets = append(s.Targets, slot.Handle), append(s.Offsets, slot.Offset)
		if slot.Object != nil {
			s.Fills = append(s.Fills, slot.Object.Fill)
		}
	}
	return s
}

// TestDedupRandom drives random calls through the layer: the state below is the
// state above but for who is who, and the driver has one object for each content
// that is alive above.
func TestDedupRandom(t *testing.T) {
	steps := 20000
	if testing.Short() {
		steps = 2000
	}
	tr := newTracker(7)
	captured := false
	for n := range steps {
		require.NoError(t, tr.step())
		if n%8 != 0 {
			continue
		}
		for _, c := range tr.contexts {
			above := look(tr.above, c.Handle)
			require.Equal(t, above, look(tr.below, c.Handle), "step %d", n)
			captured = captured || slices.ContainsFunc(above.Fills, func(f state.Fill) bool { return f.Known && f.Bytes > 64 })
		}
		alive := map[thing]bool{}
		for _, x := range tr.things {
			x.handle = 0
			alive[x] = true
		}
		require.Len(t, tr.alive, len(alive), "step %d", n)
	}
	require.True(t, captured, "some draws must have captured")
}
