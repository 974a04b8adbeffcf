package randomops

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// context is one context of a Generator and what it has.
type context struct {
	pipe.Context
	*Generator

	shaders [pipe.NumStages][]*shader
	bound   [pipe.NumStages]*shader
	states  map[pipe.Kind][]pipe.Handle
	current map[pipe.Kind]pipe.Handle
	targets []*target
	slots   []*target // bound
	session *session  // of the bound targets, nil when none are

	vertices, indices, constants, storage, indirect pipe.Handle
	texture, picture                                pipe.Handle

	samplers         []pipe.Handle
	spare            []pipe.Handle // buffers that nothing uses
	queries          []*query
	elements         pipe.Handle // that read vertices
	elementsByStride map[int]pipe.Handle
}

// target is a stream output target with what the generator knows of it.
type target struct {
	handle, buffer pipe.Handle
	filled         int  // bytes, an upper bound
	stride, stream int  // of the last vertices captured, the stride in bytes
	drawn          bool // something was captured since it was begun
}

// session is what was begun when targets were bound.
type session struct {
	shader *shader
	mode   pipe.PrimitiveType
}

// query is a query that has ended and was not read.
type query struct {
	handle pipe.Handle
	typ    pipe.QueryType
}

// targetSize is how large targets are, in bytes, and sessionBytes the most that
// the draws between two binds write.
const (
	targetSize   = 1 << 18
	sessionBytes = 1 << 16
)

func newContext(g *Generator, c pipe.Context) *context {
	x := &context{Context: c, Generator: g, states: map[pipe.Kind][]pipe.Handle{}, current: map[pipe.Kind]pipe.Handle{},
		elementsByStride: map[int]pipe.Handle{}}
	x.vertices = x.buffer(1<<16, pipe.BindVertexBuffer)
	x.indices = x.buffer(1<<12, pipe.BindIndexBuffer)
	x.constants = x.buffer(1<<12, pipe.BindConstantBuffer)
	x.storage = x.buffer(1<<12, pipe.BindShaderBuffer)
	x.indirect = x.buffer(1<<12, 1<<20)
	x.texture = x.image(pipe.BindSamplerView)
	x.picture = x.image(pipe.BindRenderTarget)
	for range 6 {
		x.newTarget()
	}
	for stage := range pipe.Stage(pipe.Compute) {
		x.newShader(stage)
	}
	x.elements = x.stridedElements(16)
	x.newStates()
	x.bindDrawing(x.pick(pipe.Vertex), nil, nil)
	x.note(x.BindShader(pipe.Fragment, x.pick(pipe.Fragment).handle))
	x.bound[pipe.Fragment] = x.shaders[pipe.Fragment][0]
	x.note(x.SetFramebuffer(&pipe.FramebufferState{Width: 64, Height: 64}))
	return x
}

func (x *context) made(h pipe.Handle, err error) pipe.Handle {
	x.note(err)
	return h
}

func (x *context) call(c pipe.Call) pipe.Result {
	ret, err := x.Do(c)
	x.note(err)
	return ret
}

func (x *context) buffer(size uint32, bind pipe.BindFlags) pipe.Handle {
	return x.made(x.CreateBuffer(size, bind))
}

func (x *context) image(bind pipe.BindFlags) pipe.Handle {
	return x.made(x.CreateResource(&pipe.ResourceTemplate{Target: pipe.Texture2D, Format: "PIPE_FORMAT_R8G8B8A8_UNORM",
		Width: 64, Height: 64, Depth: 1, ArraySize: 1, Bind: bind}))
}

func (x *context) newTarget() {
	t := &target{buffer: x.buffer(targetSize, pipe.BindStreamOutput|pipe.BindVertexBuffer)}
	t.handle = x.made(x.CreateStreamOutputTarget(t.buffer, 0, targetSize))
	x.targets = append(x.targets, t)
}

func (x *context) stridedElements(stride int) pipe.Handle {
	if h := x.elementsByStride[stride]; h != 0 {
		return h
	}
	h := x.made(x.CreateVertexElements(pipe.VertexElement{SrcFormat: "PIPE_FORMAT_R32_FLOAT", SrcStride: uint32(stride), HasSrcStride: true}))
	x.elementsByStride[stride] = h
	return h
}

// pick returns one of the shaders of a stage.
func (x *context) pick(stage pipe.Stage) *shader {
	return oneOf(x.r, x.shaders[stage]...)
}

// step does one thing.
func (x *context) step() {
	if x.session != nil {
		x.stepCapturing()
		return
	}
	things := []func(){
		x.begin, x.begin, x.begin, x.begin,
		x.drawSomething, x.drawSomething, x.drawCaptured,
		func() { x.newShader(pipe.Stage(x.r.IntN(int(pipe.Compute)))) },
		x.dropShader, x.newStates, x.dropState, x.changeTargets, func() { x.bindRandom() },
		x.harmless, x.harmless, x.harmless, x.bindInputs, x.compute, x.readQuery, x.resources, x.sampled,
	}
	oneOf(x.r, things...)()
}

// stepCapturing does one thing that is legal while targets are bound.
func (x *context) stepCapturing() {
	things := []func(){
		x.drawCapturing, x.drawCapturing, x.drawCapturing, x.harmless, x.bindInputs, x.queried, x.pause, x.unbindTargets,
		func() { x.bindFragment() },
	}
	oneOf(x.r, things...)()
}

func (x *context) bindFragment() {
	s := x.pick(pipe.Fragment)
	x.bound[pipe.Fragment] = s
	x.note(x.BindShader(pipe.Fragment, s.handle))
}

// bindDrawing binds the stages that make vertices; nil unbinds.
func (x *context) bindDrawing(vs, tes, gs *shader) {
	bind := func(stage pipe.Stage, s *shader) {
		var h pipe.Handle
		if s != nil {
			h = s.handle
		}
		x.bound[stage] = s
		x.note(x.BindShader(stage, h))
	}
	var tcs *shader
	if tes != nil {
		tcs = x.pick(pipe.TessCtrl)
		x.note(x.SetPatchVertices(3))
	}
	bind(pipe.Vertex, vs)
	bind(pipe.TessCtrl, tcs)
	bind(pipe.TessEval, tes)
	bind(pipe.Geometry, gs)
	x.bindVertices()
}

// bindVertices binds the buffer that the vertex shader reads, and how.
func (x *context) bindVertices() {
	x.note(x.Bind(pipe.KindVertexElements, x.elements))
	x.note(x.SetVertexBuffers(pipe.VertexBuffer{Resource: x.vertices}))
}

// bindRandom binds any pipeline and returns its last vertex stage.
func (x *context) bindRandom() *shader {
	vs := x.pick(pipe.Vertex)
	switch x.r.IntN(5) {
	case 0:
		gs := x.pick(pipe.Geometry)
		x.bindDrawing(vs, nil, gs)
		return gs
	case 1:
		tes := x.pick(pipe.TessEval)
		x.bindDrawing(vs, tes, nil)
		return tes
	}
	x.bindDrawing(vs, nil, nil)
	return vs
}

// mode returns a primitive type that the bound stages can take.
func (x *context) mode() pipe.PrimitiveType {
	switch {
	case x.bound[pipe.TessEval] != nil:
		return pipe.Patches
	case x.bound[pipe.Geometry] != nil:
		return pipe.Triangles
	}
	return oneOf(x.r, pipe.Points, pipe.Lines, pipe.LineStrip, pipe.Triangles, pipe.TriangleStrip, pipe.TriangleFan)
}

// begin binds a pipeline that captures, and targets for all its buffers.
func (x *context) begin() {
	s := x.bindRandom()
	if s.buffers == 0 {
		return
	}
	x.session = &session{shader: s, mode: x.mode()}
	free := slices.Clone(x.targets)
	x.r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	x.slots = nil
	for b := range pipe.MaxStreamOutputBuffers {
		if s.buffers>>b == 0 {
			break
		}
		var t *target
		if s.buffers>>b&1 != 0 {
			t, free = free[0], free[1:]
		}
		x.slots = append(x.slots, t)
	}
	offset := uint32(0)
	if x.goesOn() && x.r.IntN(2) == 0 {
		offset = pipe.AppendOffset
	}
	x.setTargets(offset)
}

// goesOn says whether all targets in the slots hold vertices of the session's
// shader and have room for more.
func (x *context) goesOn() bool {
	s := x.session.shader
	for b, t := range x.slots {
		if t != nil && (!t.drawn || t.stride != s.stride[b] || t.stream != s.stream[b] || t.filled+sessionBytes > targetSize) {
			return false
		}
	}
	return true
}

// setTargets binds the targets in the slots, all with the offset given.
func (x *context) setTargets(offset uint32) {
	handles := make([]pipe.Handle, len(x.slots))
	offsets := make([]uint32, len(x.slots))
	for b, t := range x.slots {
		if t == nil {
			continue
		}
		handles[b], offsets[b] = t.handle, offset
		if offset != pipe.AppendOffset {
			t.filled, t.drawn = 0, false
		}
	}
	x.note(x.SetStreamOutputTargets(handles, offsets))
}

func (x *context) unbindTargets() {
	if x.session == nil {
		return
	}
	x.session, x.slots = nil, nil
	x.note(x.SetStreamOutputTargets(nil, nil))
}

// pause unbinds the targets, draws something else, and goes on.
func (x *context) pause() {
	if !x.goesOn() {
		x.unbindTargets()
		return
	}
	x.note(x.SetStreamOutputTargets(nil, nil))
	x.draw(x.session.mode)
	x.harmless()
	x.setTargets(pipe.AppendOffset)
}
