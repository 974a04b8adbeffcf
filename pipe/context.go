package pipe

import "fmt"

// Context is the typed face of a driver for a state tracker: one method for
// each call, each of which sends one Op. It keeps no state and is a value.
// Methods return the error of the driver; a create that the driver refused
// returns NULL without an error.
type Context struct {
	Driver Driver
	Screen Handle
	Handle Handle // of the context
}

// NewContext makes a screen and a context on d.
func NewContext(d Driver) (Context, error) {
	screen, err := Context{Driver: d}.create(&ScreenCreate{})
	if err != nil {
		return Context{}, err
	}
	op := Op{Call: &ContextCreate{}, Screen: screen}
	if err := d.Do(&op); err != nil {
		return Context{}, fmt.Errorf("context_create: %w", err)
	}
	return Context{Driver: d, Screen: screen, Handle: op.Ret.Handle}, nil
}

// Do sends any call of the context and returns its result.
func (c Context) Do(call Call) (Result, error) {
	op := Op{Call: call, Screen: c.Screen, Context: c.Handle}
	err := c.Driver.Do(&op)
	return op.Ret, err
}

func (c Context) create(call Call) (Handle, error) {
	ret, err := c.Do(call)
	return ret.Handle, err
}

func (c Context) send(call Call) error {
	_, err := c.Do(call)
	return err
}

// CreateResource makes a resource on the context's screen.
func (c Context) CreateResource(t *ResourceTemplate) (Handle, error) {
	op := Op{Call: &ResourceCreate{Template: *t}, Screen: c.Screen}
	err := c.Driver.Do(&op)
	return op.Ret.Handle, err
}

// CreateBuffer makes a buffer of size bytes that may be bound as bind.
func (c Context) CreateBuffer(size uint32, bind BindFlags) (Handle, error) {
	return c.CreateResource(&ResourceTemplate{Target: Buffer, Format: "PIPE_FORMAT_R8_UNORM",
		Width: size, Height: 1, Depth: 1, ArraySize: 1, Bind: bind})
}

// CreateShader makes a shader of a stage.
func (c Context) CreateShader(stage Stage, s *ShaderState) (Handle, error) {
	return c.create(&CreateShader{Stage: stage, State: *s})
}

// CreateRasterizer makes a rasterizer state.
func (c Context) CreateRasterizer(s *RasterizerState) (Handle, error) {
	return c.create(&CreateRasterizer{State: *s})
}

// CreateDepthStencilAlpha makes a depth/stencil/alpha state.
func (c Context) CreateDepthStencilAlpha(s *DepthStencilAlphaState) (Handle, error) {
	return c.create(&CreateDepthStencilAlpha{State: *s})
}

// CreateBlend makes a blend state.
func (c Context) CreateBlend(s *BlendState) (Handle, error) {
	return c.create(&CreateBlend{State: *s})
}

// CreateSampler makes a sampler state.
func (c Context) CreateSampler(s *SamplerState) (Handle, error) {
	return c.create(&CreateSampler{State: *s})
}

// CreateVertexElements makes a vertex elements state.
func (c Context) CreateVertexElements(elements ...VertexElement) (Handle, error) {
	return c.create(&CreateVertexElements{Elements: elements})
}

// Bind makes a state object current; NULL unbinds.
func (c Context) Bind(kind Kind, state Handle) error {
	return c.send(&BindState{Kind: kind, State: state})
}

// BindShader makes a shader current in its stage; NULL unbinds.
func (c Context) BindShader(stage Stage, shader Handle) error {
	return c.Bind(ShaderKind(stage), shader)
}

// Delete ends a state object.
func (c Context) Delete(kind Kind, state Handle) error {
	return c.send(&DeleteState{Kind: kind, State: state})
}

// DeleteShader ends a shader.
func (c Context) DeleteShader(stage Stage, shader Handle) error {
	return c.Delete(ShaderKind(stage), shader)
}

// CreateStreamOutputTarget makes a target of size bytes of a buffer at offset bytes.
func (c Context) CreateStreamOutputTarget(buffer Handle, offset, size uint32) (Handle, error) {
	return c.create(&CreateStreamOutputTarget{Resource: buffer, BufferOffset: offset, BufferSize: size})
}

// DestroyStreamOutputTarget ends a target.
func (c Context) DestroyStreamOutputTarget(target Handle) error {
	return c.send(&DestroyStreamOutputTarget{Target: target})
}

// SetStreamOutputTargets binds targets with an offset in bytes, or
// AppendOffset, for each, and unbinds the slots behind them.
func (c Context) SetStreamOutputTargets(targets []Handle, offsets []uint32) error {
	return c.send(&SetStreamOutputTargets{NumTargets: uint32(len(targets)), Targets: targets,
		Offsets: offsets, OutputPrim: PrimitiveUnknown})
}

// SetVertexBuffers binds vertex buffers to the first slots and unbinds the others.
func (c Context) SetVertexBuffers(buffers ...VertexBuffer) error {
	return c.send(&SetVertexBuffers{All: true, Count: uint32(len(buffers)), Buffers: buffers})
}

// SetConstantBuffer binds a constant buffer; nil unbinds.
func (c Context) SetConstantBuffer(stage Stage, index uint32, b *ConstantBuffer) error {
	return c.send(&SetConstantBuffer{Stage: stage, Index: index, Buffer: b})
}

// SetFramebuffer binds the framebuffer.
func (c Context) SetFramebuffer(f *FramebufferState) error {
	return c.send(&SetFramebuffer{State: *f})
}

// SetPatchVertices sets the control points of an input patch.
func (c Context) SetPatchVertices(n uint32) error {
	return c.send(&SetPatchVertices{Vertices: n})
}

// Draw draws the ranges given.
func (c Context) Draw(info *DrawInfo, ranges ...DrawRange) error {
	return c.send(&Draw{Info: *info, Draws: ranges, NumDraws: uint32(len(ranges))})
}

// DrawAuto draws as many vertices as stream output wrote to target, in
// primitives of the mode given.
func (c Context) DrawAuto(mode PrimitiveType, instances uint32, target Handle) error {
	return c.send(&Draw{
		Info:     DrawInfo{Mode: mode, InstanceCount: instances, MaxIndex: 1<<32 - 1},
		Indirect: &DrawIndirect{CountFromStreamOutput: target},
		Draws:    []DrawRange{{}}, NumDraws: 1,
	})
}

// Clear clears attachments of the framebuffer.
func (c Context) Clear(clear *Clear) error { return c.send(clear) }

// CreateQuery makes a query; index is the vertex stream of those that have one.
func (c Context) CreateQuery(t QueryType, index uint32) (Handle, error) {
	return c.create(&CreateQuery{Type: t, Index: index})
}

// BeginQuery starts a query.
func (c Context) BeginQuery(q Handle) error { return c.send(&BeginQuery{Query: q}) }

// EndQuery stops a query.
func (c Context) EndQuery(q Handle) error { return c.send(&EndQuery{Query: q}) }

// QueryResult reads a query's result, waiting for it when wait is set. The
// value is unknown when the driver did not have it.
func (c Context) QueryResult(q Handle, wait bool) (QueryValue, error) {
	ret, err := c.Do(&GetQueryResult{Query: q, Wait: wait})
	return ret.Query, err
}

// DestroyQuery ends a query.
func (c Context) DestroyQuery(q Handle) error { return c.send(&DestroyQuery{Query: q}) }

// BufferSubdata writes data to a buffer at offset, in bytes.
func (c Context) BufferSubdata(buffer Handle, offset uint32, data []byte) error {
	return c.send(&BufferSubdata{Resource: buffer, Usage: MapWrite, Offset: offset,
		Size: uint32(len(data)), Data: BytesBlob(data)})
}

// Flush submits what was recorded.
func (c Context) Flush(flags uint32) error { return c.send(&Flush{Flags: flags}) }

// Destroy ends the context.
func (c Context) Destroy() error { return c.send(&ContextDestroy{}) }
