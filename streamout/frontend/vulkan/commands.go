package vulkan

import (
	"errors"
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// ErrInvalidUsage is what commands return, wrapped with the VUID, that break
// the valid usage of Vulkan.
var ErrInvalidUsage = errors.New("invalid usage")

func refuse(vuid, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrInvalidUsage, vuid, fmt.Sprintf(format, args...))
}

// WholeSize is the size of a binding that reaches to the end of its buffer.
const WholeSize = ^uint64(0)

// Buffer is a buffer for transform feedback, for counters or for vertices.
type Buffer struct {
	handle   pipe.Handle
	size     uint32             // bytes
	counters map[uint32]counter // by offset in bytes
}

// counter is what End stored: how far the target of a binding got.
type counter struct{ of binding }

// Pipeline is a graphics pipeline, as far as stream output needs one.
type Pipeline struct {
	*frontend.Translation
	shaders []bound
	xfb     bool
}

type bound struct {
	stage  pipe.Stage
	handle pipe.Handle
}

// binding is a range for captured vertices, and its target once there is one.
type binding struct {
	buffer       *Buffer
	offset, size uint32 // bytes
	target       pipe.Handle
}

// Commands executes commands as they are recorded. It is used from one
// goroutine. Commands that break valid usage return ErrInvalidUsage, wrapped,
// and do nothing.
type Commands struct {
	ctx      pipe.Context
	limits   Limits
	pipeline *Pipeline
	stages   []bound
	bindings [pipe.MaxStreamOutputBuffers]binding
	active   bool
	vertex   *Buffer
	stride   uint32 // bytes
}

// NewCommands returns commands over a context, of the default limits.
func NewCommands(ctx pipe.Context) *Commands {
	return &Commands{ctx: ctx, limits: NewShader().Limits}
}

// CreateBuffer makes a buffer of size bytes.
func (c *Commands) CreateBuffer(size uint32) (*Buffer, error) {
	h, err := c.ctx.CreateBuffer(size, pipe.BindStreamOutput|pipe.BindVertexBuffer)
	return &Buffer{handle: h, size: size, counters: map[uint32]counter{}}, err
}

// CreatePipeline makes a pipeline whose last stage before rasterization is the
// shader, with its text, which may be nil.
func (c *Commands) CreatePipeline(s *Shader, nir []byte) (*Pipeline, error) {
	tr, err := Translate(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidUsage, err)
	}
	p := &Pipeline{Translation: tr, xfb: s.Xfb == nil || *s.Xfb}
	if tr.Stage != pipe.Vertex {
		h, err := c.ctx.CreateShader(pipe.Vertex, &pipe.ShaderState{})
		if err != nil {
			return nil, err
		}
		p.shaders = append(p.shaders, bound{pipe.Vertex, h})
	}
	h, err := c.ctx.CreateShader(tr.Stage, &pipe.ShaderState{NIR: nir, StreamOutput: tr.Info})
	p.shaders = append(p.shaders, bound{tr.Stage, h})
	return p, err
}

// BindPipeline is vkCmdBindPipeline.
func (c *Commands) BindPipeline(p *Pipeline) error {
	if c.active {
		return refuse("VUID-vkCmdBindPipeline-None-02323", "transform feedback is active")
	}
	for _, old := range c.stages {
		if err := c.ctx.BindShader(old.stage, 0); err != nil {
			return err
		}
	}
	for _, s := range p.shaders {
		if err := c.ctx.BindShader(s.stage, s.handle); err != nil {
			return err
		}
	}
	c.pipeline, c.stages = p, p.shaders
	return nil
}

// BindTransformFeedbackBuffer is vkCmdBindTransformFeedbackBuffersEXT for one
// binding.
func (c *Commands) BindTransformFeedbackBuffer(index int, b *Buffer, offset, size uint64) error {
	const vuid = "VUID-vkCmdBindTransformFeedbackBuffersEXT-"
	switch {
	case c.active:
		return refuse(vuid+"None-02365", "transform feedback is active")
	case index < 0 || index >= min(c.limits.Buffers, len(c.bindings)):
		return refuse(vuid+"firstBinding-02356", "binding %d, at most %d", index, c.limits.Buffers-1)
	case offset >= uint64(b.size):
		return refuse(vuid+"pOffsets-02358", "offset %d, and the buffer has %d bytes", offset, b.size)
	case offset%4 != 0:
		return refuse(vuid+"pOffsets-02359", "offset %d is no multiple of 4", offset)
	}
	if size == WholeSize {
		size = uint64(b.size) - offset
	}
	if size > uint64(b.size)-offset {
		return refuse(vuid+"pSizes-02363", "offset %d and size %d, and the buffer has %d bytes", offset, size, b.size)
	}
	c.bindings[index] = binding{buffer: b, offset: uint32(offset), size: uint32(size)}
	return nil
}

// Counter is the place of a byte counter in a buffer; a nil Buffer is none.
type Counter struct {
	Buffer *Buffer
	Offset uint32 // bytes
}

// check finds what makes a counter none; a nil buffer is legal.
func (k *Counter) check(call string) error {
	switch {
	case k.Buffer == nil:
		return nil
	case k.Offset%4 != 0:
		return refuse("VUID-"+call+"-pCounterBufferOffsets", "counter offset %d is no multiple of 4", k.Offset)
	case k.Buffer.size < 4 || k.Offset > k.Buffer.size-4:
		return refuse("VUID-"+call+"-pCounterBufferOffsets-02370", "counter offset %d, and the buffer has %d bytes", k.Offset, k.Buffer.size)
	}
	return nil
}

// BeginTransformFeedback starts capturing. counters belong to the bindings from
// first on: one with a counter goes on where that stopped, the others begin at
// 0.
func (c *Commands) BeginTransformFeedback(first int, counters ...Counter) error {
	const call = "vkCmdBeginTransformFeedbackEXT"
	switch {
	case c.active:
		return refuse("VUID-"+call+"-None-02367", "transform feedback is active")
	case c.pipeline == nil:
		return refuse("VUID-"+call+"-None-06233", "no pipeline is bound")
	case !c.pipeline.xfb || c.pipeline.Info.NumOutputs == 0:
		return refuse("VUID-"+call+"-None-04128", "the last stage of the pipeline does not capture")
	case first < 0 || first+len(counters) > len(c.bindings):
		return refuse("VUID-"+call+"-firstCounterBuffer-02368", "counters of bindings %d to %d", first, first+len(counters)-1)
	}
	var targets []pipe.Handle
	var offsets []uint32
	for i := range c.bindings {
		b := &c.bindings[i]
		if b.buffer == nil || c.pipeline.Buffers>>i&1 == 0 {
			continue
		}
		k := Counter{}
		if i >= first && i-first < len(counters) {
			k = counters[i-first]
		}
		if err := k.check(call); err != nil {
			return err
		}
		offset, err := c.start(b, k)
		if err != nil {
			return err
		}
		for len(targets) < i {
			targets, offsets = append(targets, 0), append(offsets, offset)
		}
		targets, offsets = append(targets, b.target), append(offsets, offset)
	}
	c.active = true
	return c.ctx.SetStreamOutputTargets(targets, offsets)
}

// start finds the target of a binding, and whether it goes on.
func (c *Commands) start(b *binding, k Counter) (offset uint32, err error) {
	if k.Buffer != nil {
		if stored, ok := k.Buffer.counters[k.Offset]; ok {
			// The target holds the counter in Gallium.
			of := stored.of
			if b.buffer != of.buffer || b.offset != of.offset || b.size != of.size {
				return 0, errors.New("the counter is of another range: Gallium goes on in a target alone")
			}
			b.target = of.target
			return pipe.AppendOffset, nil
		}
	}
	if b.target == 0 {
		b.target, err = c.ctx.CreateStreamOutputTarget(b.buffer.handle, b.offset, b.size&^3)
	}
	return 0, err
}

// EndTransformFeedback stops capturing and stores counters of the bindings from
// first on.
func (c *Commands) EndTransformFeedback(first int, counters ...Counter) error {
	const call = "vkCmdEndTransformFeedbackEXT"
	switch {
	case !c.active:
		return refuse("VUID-"+call+"-None-02375", "transform feedback is not active")
	case first < 0 || first+len(counters) > len(c.bindings):
		return refuse("VUID-"+call+"-firstCounterBuffer-02376", "counters of bindings %d to %d", first, first+len(counters)-1)
	}
	for i := range counters {
		if err := counters[i].check(call); err != nil {
			return err
		}
	}
	for i, k := range counters {
		b := &c.bindings[first+i]
		if k.Buffer != nil && b.target != 0 {
			k.Buffer.counters[k.Offset] = counter{*b}
			// The next Begin without the counter starts a target of its own.
			b.target = 0
		}
	}
	c.active = false
	return c.ctx.SetStreamOutputTargets(nil, nil)
}

// BindVertexBuffer binds a buffer of vertices, floats that are stride bytes
// apart.
func (c *Commands) BindVertexBuffer(b *Buffer, offset, stride uint32) error {
	c.vertex, c.stride = b, stride
	return frontend.BindVertices(c.ctx, b.handle, offset, stride)
}

// Draw is vkCmdDraw.
func (c *Commands) Draw(mode pipe.PrimitiveType, vertices, instances, firstVertex uint32) error {
	if c.pipeline == nil {
		return refuse("VUID-vkCmdDraw-None-08606", "no pipeline is bound")
	}
	if vertices == 0 || instances == 0 {
		return nil
	}
	return c.ctx.Draw(&pipe.DrawInfo{Mode: mode, InstanceCount: instances, MinIndex: firstVertex, MaxIndex: firstVertex + vertices - 1},
		pipe.DrawRange{Start: firstVertex, Count: vertices})
}

// DrawIndirectByteCount draws as many vertices of stride bytes as the counter
// says. Gallium takes the stride from the vertex buffer and knows no offset of
// the counter, so that another stride or an offset is an error here.
func (c *Commands) DrawIndirectByteCount(mode pipe.PrimitiveType, instances uint32, k Counter, counterOffset, stride uint32) error {
	const call = "vkCmdDrawIndirectByteCountEXT"
	switch {
	case c.pipeline == nil:
		return refuse("VUID-"+call+"-None-08606", "no pipeline is bound")
	case stride == 0 || uint64(stride) > 4*uint64(c.limit()):
		return refuse("VUID-"+call+"-vertexStride-02289", "vertexStride is %d, want 1 to %d", stride, 4*c.limit())
	case k.Buffer == nil:
		return refuse("VUID-"+call+"-counterBuffer-parameter", "no counter buffer")
	}
	if err := k.check(call); err != nil {
		return err
	}
	if counterOffset != 0 || c.vertex == nil || c.stride != stride {
		return fmt.Errorf("%s: Gallium counts by the stride of the vertex buffer, %d B, from the counter's beginning, not by %d B from %d B on",
			call, c.stride, stride, counterOffset)
	}
	stored, ok := k.Buffer.counters[k.Offset]
	if !ok || instances == 0 {
		return nil // nothing was stored: the buffer holds 0
	}
	return c.ctx.DrawAuto(mode, instances, stored.of.target)
}

// limit is the longest stride, in dwords.
func (c *Commands) limit() int { return c.limits.dwords(c.limits.BufferDataStride) }
