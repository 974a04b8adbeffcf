package dump

import (
	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// streamOutput returns what the next draw captures with, and where to.
func (s *stateBuilder) streamOutput() Object {
	o := Object{}
	last, known := s.c.LastVertexStage()
	switch {
	case last != nil:
		o.add("stage", last.Stage.String())
		o.add("shader", Address(last.Handle))
		o.add("info", s.info(last))
	default:
		o.add("stage", nil)
		o.add("shader", nil)
		o.add("info", nil)
	}
	o.add("stageKnown", known)
	o.add("numTargets", Uint(s.c.NumTargets))
	o.add("set", callOf(s.c.TargetsSet))
	targets := []any{}
	for slot := range s.c.Targets {
		if t := &s.c.Targets[slot]; t.Handle != 0 {
			targets = append(targets, targetObject(slot, t))
		}
	}
	o.add("targets", targets)
	if s.c.OutputPrim != pipe.PrimitiveUnknown && s.c.TargetsSet != (state.At{}) {
		o.add("outputPrim", s.c.OutputPrim.String())
	}
	o.add("draws", Uint(s.c.Session.Draws))
	o.add("firstDraw", callOf(s.c.Session.First))
	o.add("lastDraw", callOf(s.c.Session.Last))
	return o
}

func (s *stateBuilder) info(of *state.Shader) any {
	return s.trees.of(&of.Object, func() any { return infoObject(of) })
}

// infoObject returns what a shader captures, by the plain numbers of Gallium.
func infoObject(s *state.Shader) Object {
	n := s.Info.Numbers()
	strides := []any{}
	for _, v := range s.Info.Stride {
		strides = append(strides, Uint(v))
	}
	outputs := []any{}
	for _, v := range n.Output {
		o := objectOf(v).(Object)
		if name := variableOf(s, v); name != "" {
			o.add("name", name)
		}
		outputs = append(outputs, o)
	}
	o := Object{{"numOutputs", Uint(n.NumOutputs)}, {"stride", strides}, {"output", outputs}}
	if !s.Exact {
		o.add("exact", false) // the create held numbers that no driver can be given
	}
	return o
}

// variableOf returns the name of what an output captures, "" when it is not known.
func variableOf(s *state.Shader, n pipe.OutputNumbers) string {
	mask := uint8((1<<n.NumComponents - 1) << n.StartComponent)
	if v := s.Outputs.Find(int(n.RegisterIndex), mask); v != nil {
		return v.Name
	}
	return ""
}

func targetObject(slot int, t *state.TargetSlot) Object {
	o := Object{{"slot", Uint(slot)}, {"handle", Address(t.Handle)}}
	of := t.Object
	if of == nil {
		return append(o, Object{{"created", nil}, {"resource", nil}, {"offsetBytes", nil}, {"sizeBytes", nil}, {"filledBytes", nil},
			{"append", t.Offset == pipe.AppendOffset}}...)
	}
	o.life(&of.Object)
	o.add("resource", Address(of.Resource))
	o.add("offsetBytes", Uint(of.Offset))
	o.add("sizeBytes", Uint(of.Size))
	var filled any
	if of.Fill.Known {
		filled = Uint(of.Fill.Bytes)
	}
	o.add("filledBytes", filled)
	o.add("append", t.Offset == pipe.AppendOffset)
	if t.Offset != pipe.AppendOffset {
		o.add("startBytes", Uint(t.Offset))
	}
	if of.CapturedInto {
		o.add("lastCapture", callOf(of.Captured))
	}
	return o
}

// shaders returns each stage that has anything bound.
func (s *stateBuilder) shaders() Object {
	o := Object{}
	for stage := range pipe.Stage(pipe.NumStages) {
		if of := s.stage(stage); of != nil {
			o.add(stage.String(), of)
		}
	}
	return o
}

func (s *stateBuilder) stage(stage pipe.Stage) Object {
	var o Object
	add := func(name string, v any) {
		if list, ok := v.([]any); v != nil && (!ok || len(list) > 0) {
			o.add(name, v)
		}
	}
	add("shader", s.shader(stage))
	add("constantBuffers", slots(s.c.ConstantBuffers[stage], func(b pipe.ConstantBuffer) any {
		return whenBound(b != pipe.ConstantBuffer{}, b)
	}))
	writable := s.c.ShaderBuffersWritable[stage]
	add("shaderBuffers", slotsAt(s.c.ShaderBuffers[stage], func(i int, b pipe.ShaderBuffer) any {
		if b == (pipe.ShaderBuffer{}) {
			return nil
		}
		return append(objectOf(b).(Object), Member{"writable", i < 64 && writable>>i&1 != 0})
	}))
	add("images", slots(s.c.Images[stage], func(v pipe.ImageView) any { return whenBound(v != pipe.ImageView{}, v) }))
	add("samplers", slots(s.c.Samplers[stage], s.sampler))
	add("samplerViews", slots(s.c.SamplerViews[stage], s.samplerView))
	return o
}

// slots returns the bound slots with their numbers.
func slots[T any](list []T, each func(T) any) any {
	return slotsAt(list, func(_ int, v T) any { return each(v) })
}

func slotsAt[T any](list []T, each func(int, T) any) any {
	all := []any{}
	for i, v := range list {
		if o, ok := each(i, v).(Object); ok {
			all = append(all, append(Object{{"slot", Uint(i)}}, o...))
		}
	}
	return all
}

func whenBound(is bool, v any) any {
	if !is {
		return nil
	}
	return objectOf(v)
}

func (s *stateBuilder) shader(stage pipe.Stage) any {
	b := &s.c.Shaders[stage]
	o, _ := bound(b.Handle, b.Set, s.c.Whole)
	if b.Handle == 0 {
		return orNil(o)
	}
	if stage == pipe.Compute {
		if of := s.Machine.CSO(pipe.ShaderKind(stage), b.Handle); of != nil {
			o.life(&of.Object)
			o.add("state", s.made(of))
		}
		return o
	}
	of := b.Object
	if of == nil {
		o.life(nil)
		return o
	}
	o.life(&of.Object)
	if of.TextHash != 0 {
		o.add("textHash", string(appendHex64(nil, of.TextHash)))
	}
	o.add("streamOutput", s.info(of))
	if s.Text != nil {
		if text := s.Text(of); text != nil {
			o.add("text", textOf(text))
		}
	}
	return o
}

func (s *stateBuilder) sampler(h pipe.Handle) any {
	if h == 0 {
		return nil
	}
	o := Object{{"handle", Address(h)}}
	if of := s.Machine.CSO(pipe.KindSampler, h); of != nil {
		o.life(&of.Object)
		o.add("state", s.made(of))
	}
	return o
}

func (s *stateBuilder) samplerView(b state.Binding[state.View]) any {
	if b.Handle == 0 {
		return nil
	}
	o := Object{{"handle", Address(b.Handle)}}
	if b.Object != nil {
		o.life(&b.Object.Object)
		o.add("resource", s.resource(b.Object.Resource, b.Object.Texture))
		o.add("view", s.trees.of(&b.Object.Object, func() any { return objectOf(b.Object.Sampler) }))
	}
	return o
}

// resource returns a resource and what it was made from, if that is known.
func (s *stateBuilder) resource(h pipe.Handle, r *state.Resource) any {
	if h == 0 {
		return nil
	}
	o := Object{{"handle", Address(h)}}
	if r != nil {
		o.add("created", callOf(r.Created))
		o.add("template", s.trees.of(&r.Object, func() any { return objectOf(r.Template) }))
	}
	return o
}

func (s *stateBuilder) vertexBuffers() any {
	return slots(s.c.VertexBuffers, func(b pipe.VertexBuffer) any {
		if b == (pipe.VertexBuffer{}) || b.Resource == 0 && !b.IsUserBuffer {
			return nil
		}
		o := objectOf(b).(Object)
		if r := s.Machine.Resource(b.Resource); r != nil && !b.IsUserBuffer {
			o.add("sizeBytes", Uint(r.Template.Width))
		}
		return o
	})
}

func (s *stateBuilder) framebuffer() any {
	if s.c.FramebufferSet == (state.At{}) {
		return nil
	}
	f := &s.c.Framebuffer
	cbufs := []any{}
	for i := range f.Cbufs {
		cbufs = append(cbufs, s.surface(&f.Cbufs[i]))
	}
	return Object{{"set", callOf(s.c.FramebufferSet)}, {"width", Uint(f.Width)}, {"height", Uint(f.Height)},
		{"samples", Uint(f.Samples)}, {"layers", Uint(f.Layers)}, {"plsEnabled", f.PLSEnabled},
		{"cbufs", cbufs}, {"zsbuf", s.surface(&f.Zsbuf)}}
}

// surface returns an attachment, nil for none.
func (s *stateBuilder) surface(r *pipe.SurfaceRef) any {
	switch {
	case r.Embedded:
		if r.Surface.Texture == 0 {
			return nil
		}
		return Object{{"surface", objectOf(r.Surface)}, {"resource", s.resource(r.Surface.Texture, s.Machine.Resource(r.Surface.Texture))}}
	case r.Handle == 0:
		return nil
	}
	o := Object{{"handle", Address(r.Handle)}}
	if v := s.Machine.Surface(r.Handle); v != nil {
		o.life(&v.Object)
		o.add("surface", s.trees.of(&v.Object, func() any { return objectOf(v.Surface) }))
		o.add("resource", s.resource(v.Resource, v.Texture))
	}
	return o
}

// depthStencil returns the bound state as it was asked for, and the smallest
// one that does the same here.
func (s *stateBuilder) depthStencil() any {
	b := &s.c.DepthStencil
	o, handled := bound(b.Handle, b.Set, s.c.Whole)
	asked := s.c.DepthStencilState()
	if asked == nil {
		return orNil(o)
	}
	if handled {
		o.life(&b.Object.Object)
	}
	o.add("asked", s.made(b.Object))
	in := cso.DepthStencilState{DepthStencilAlphaState: *asked}
	around := s.aroundDepthStencil()
	r, err := cso.SanitiseDepthStencil(&in, &around)
	if err != nil {
		o.add("effective", nil)
		o.add("invalid", err.Error())
		return o
	}
	reasons := []any{}
	for why := range r.Reasons.All() {
		reasons = append(reasons, why.String())
	}
	o.add("effective", objectOf(r.State.DepthStencilAlphaState))
	o.add("writesDepth", r.WritesDepth)
	o.add("writesStencil", r.WritesStencil)
	o.add("killsAll", r.KillsAll)
	o.add("reasons", reasons)
	return o
}

// aroundDepthStencil is what is known around the state: the surface, and
// whether anything is rasterised. References are not taken for known, as a
// shader may replace them.
func (s *stateBuilder) aroundDepthStencil() cso.DepthStencilContext {
	around := cso.AnyDepthStencilContext()
	if raster := s.c.RasterizerState(); raster != nil {
		around.RasterizerDiscard = raster.RasterizerDiscard
	}
	if s.c.FramebufferSet == (state.At{}) {
		return around
	}
	var format pipe.Format
	switch z := &s.c.Framebuffer.Zsbuf; {
	case z.Embedded:
		format = z.Surface.Format
	case z.Handle != 0:
		v := s.Machine.Surface(z.Handle)
		if v == nil || v.Surface.Format == "" {
			return around
		}
		format = v.Surface.Format
	}
	known := around
	if known.SetSurface(format, false, false) != nil {
		return around
	}
	return known
}

func (s *stateBuilder) queries() Object {
	active := []any{}
	for _, q := range s.c.ActiveQueries {
		o := Object{{"handle", Address(q.Handle)}, {"type", q.Type.String()}, {"index", Uint(q.Index)}}
		o.life(&q.Object)
		o.add("begun", callOf(q.Begun))
		o.add("written", primitives(q.Counts.Written))
		o.add("generated", primitives(q.Counts.Generated))
		active = append(active, o)
	}
	return Object{{"active", active}, {"paused", s.c.QueriesPaused}}
}

func primitives(p state.Primitives) any {
	if !p.Known {
		return nil
	}
	return Uint(p.Count)
}

func (s *stateBuilder) condition() any {
	b := &s.c.Condition
	o, handled := bound(b.Handle, b.Set, s.c.Whole)
	if !handled {
		return orNil(o)
	}
	o.add("condition", s.c.ConditionInvert)
	o.add("set", callOf(b.Set))
	if b.Object != nil {
		o.add("type", b.Object.Type.String())
	}
	return o
}
