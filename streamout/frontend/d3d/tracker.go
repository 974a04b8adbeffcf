package d3d

import (
	"errors"
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// ErrInvalidCall is what calls that the runtime refuses return, wrapped.
var ErrInvalidCall = errors.New("E_INVALIDARG")

func refuse(call, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrInvalidCall, call, fmt.Sprintf(format, args...))
}

// Buffer is a buffer that can be an output and a source of vertices.
type Buffer struct {
	handle pipe.Handle
	size   uint32 // bytes
	target pipe.Handle
	offset uint32 // bytes, of the target
}

// Shader is a vertex, domain or geometry shader, made from its NIR text and its
// signature.
type Shader struct {
	stage     pipe.Stage
	nir       []byte
	signature []SignatureElement
	plain     pipe.Handle // without stream output
	// captures is a geometry shader's declarations; pass says that it has no code
	// of its own, and captures what the stage before puts out.
	captures *Case
	pass     bool
	variants map[*Shader]variant // of the stage before, by geometry shader
}

// variant is a shader with the stream output of a geometry shader without code.
type variant struct {
	handle pipe.Handle
	info   pipe.StreamOutputInfo
}

// Device is an immediate context of Direct3D 10 or 11, as far as stream output
// needs one. It is used from one goroutine. Calls that the runtime refuses
// return ErrInvalidCall, wrapped; they change nothing.
type Device struct {
	ctx pipe.Context
	// Warn is told what the runtime changed by itself: an input that is nulled as
	// its buffer becomes an output. It may be nil.
	Warn func(message string)

	stages  [int(pipe.Geometry) + 1]*Shader
	bound   [int(pipe.Geometry) + 1]pipe.Handle
	outputs []*Buffer
	vertex  *Buffer
	stride  uint32 // bytes
}

// NewDevice returns a device over a context.
func NewDevice(ctx pipe.Context) *Device { return &Device{ctx: ctx} }

func (d *Device) warn(format string, args ...any) {
	if d.Warn != nil {
		d.Warn(fmt.Sprintf(format, args...))
	}
}

// CreateBuffer makes a buffer of size bytes.
func (d *Device) CreateBuffer(size uint32) (*Buffer, error) {
	if size == 0 {
		return nil, refuse("CreateBuffer", "size is 0")
	}
	h, err := d.ctx.CreateBuffer(size, pipe.BindStreamOutput|pipe.BindVertexBuffer)
	return &Buffer{handle: h, size: size}, err
}

// CreateShader makes a shader that captures nothing by itself.
func (d *Device) CreateShader(stage pipe.Stage, nir []byte, signature []SignatureElement) (*Shader, error) {
	s := &Shader{stage: stage, nir: nir, signature: signature, variants: map[*Shader]variant{}}
	var err error
	s.plain, err = d.ctx.CreateShader(stage, &pipe.ShaderState{NIR: nir})
	return s, err
}

// CreateGeometryShaderWithStreamOutput makes a geometry shader that captures.
// With a source of another stage it has no code: it passes through what the
// vertex or domain shader puts out, and captures that. The case's signature is
// that of the source.
func (d *Device) CreateGeometryShaderWithStreamOutput(nir []byte, c *Case) (*Shader, error) {
	tr, err := Translate(c)
	if err != nil {
		return nil, refuse("CreateGeometryShaderWithStreamOutput", "%v", err)
	}
	s := &Shader{stage: pipe.Geometry, nir: nir, signature: c.Signature, captures: c, pass: c.stage() != pipe.Geometry}
	if s.pass {
		return s, nil
	}
	s.plain, err = d.ctx.CreateShader(pipe.Geometry, &pipe.ShaderState{NIR: nir, StreamOutput: tr.Info})
	return s, err
}

// SetShader makes a shader current in a stage; nil unbinds. The stages are
// resolved at the next draw.
func (d *Device) SetShader(stage pipe.Stage, s *Shader) error {
	if int(stage) >= len(d.stages) || stage == pipe.TessCtrl || s != nil && s.stage != stage {
		return refuse("SetShader", "no %s shader", stage)
	}
	d.stages[stage] = s
	return nil
}

// resolve binds the shaders of Gallium that the stages come to. A geometry
// shader without code is none: the stage before captures in its place.
func (d *Device) resolve() error {
	var want [len(d.bound)]pipe.Handle
	last := pipe.Vertex
	for _, stage := range []pipe.Stage{pipe.Vertex, pipe.TessEval} {
		if s := d.stages[stage]; s != nil {
			want[stage], last = s.plain, stage
		}
	}
	if gs := d.stages[pipe.Geometry]; gs != nil && gs.pass {
		s := d.stages[last]
		if s == nil {
			return refuse("Draw", "no vertex shader is set")
		}
		v, err := d.variant(s, gs)
		if err != nil {
			return err
		}
		want[last] = v.handle
	} else if gs != nil {
		want[pipe.Geometry] = gs.plain
	}
	for stage, h := range want {
		if h != d.bound[stage] {
			if err := d.ctx.BindShader(pipe.Stage(stage), h); err != nil {
				return err
			}
			d.bound[stage] = h
		}
	}
	return nil
}

// variant returns the shader with the stream output of gs, resolved against its
// own signature.
func (d *Device) variant(s, gs *Shader) (variant, error) {
	if v, ok := s.variants[gs]; ok {
		return v, nil
	}
	c := *gs.captures
	c.Signature, c.Source = s.signature, frontend.StageOf(s.stage)
	tr, err := Translate(&c)
	if err != nil {
		return variant{}, refuse("Draw", "the geometry shader captures what the %s shader does not put out: %v", s.stage, err)
	}
	h, err := d.ctx.CreateShader(s.stage, &pipe.ShaderState{NIR: s.nir, StreamOutput: tr.Info})
	v := variant{h, tr.Info}
	if err == nil {
		s.variants[gs] = v
	}
	return v, err
}

// Append is the offset of SOSetTargets that goes on where the buffer stopped.
const Append = 0xFFFFFFFF

// SOSetTargets binds buffers to the slots from 0 on; nil is none. Offsets are in
// bytes, or Append.
func (d *Device) SOSetTargets(buffers []*Buffer, offsets []uint32) error {
	const call = "SOSetTargets"
	if len(buffers) > pipe.MaxStreamOutputBuffers || len(offsets) != len(buffers) {
		return refuse(call, "%d buffers and %d offsets, at most %d", len(buffers), len(offsets), pipe.MaxStreamOutputBuffers)
	}
	for i, b := range buffers {
		for _, other := range buffers[:i] {
			if b != nil && other == b {
				return refuse(call, "one buffer is in two slots")
			}
		}
		if b != nil && offsets[i] != Append && (offsets[i]%4 != 0 || offsets[i] >= b.size) {
			return refuse(call, "offset %d of slot %d is no multiple of 4, or beyond the buffer of %d bytes", offsets[i], i, b.size)
		}
	}
	if err := d.nullInput(buffers); err != nil {
		return err
	}
	targets, starts := make([]pipe.Handle, len(buffers)), make([]uint32, len(buffers))
	for i, b := range buffers {
		if b == nil {
			continue
		}
		var err error
		if starts[i], err = d.target(b, offsets[i]); err != nil {
			return err
		}
		targets[i] = b.target
	}
	d.outputs = append(d.outputs[:0], buffers...)
	return d.ctx.SetStreamOutputTargets(targets, starts)
}

// nullInput unbinds the vertex buffer when it becomes an output.
func (d *Device) nullInput(outputs []*Buffer) error {
	for _, b := range outputs {
		if b != nil && b == d.vertex {
			d.warn("SOSetTargets: the buffer is bound as vertex buffer, which is set to NULL")
			d.vertex = nil
			return d.ctx.SetVertexBuffers()
		}
	}
	return nil
}

// target gives the buffer a target that begins at the offset, and returns the
// offset for Gallium. Offsets other than 0 differ between drivers, so that the
// target begins there instead.
func (d *Device) target(b *Buffer, offset uint32) (start uint32, err error) {
	if offset == Append {
		if b.target != 0 {
			return pipe.AppendOffset, nil
		}
		offset = 0
	}
	if b.target != 0 && b.offset == offset {
		return 0, nil
	}
	b.target, err = d.ctx.CreateStreamOutputTarget(b.handle, offset, (b.size-offset)&^3)
	b.offset = offset
	return 0, err
}

// SetVertexBuffer binds a buffer to input slot 0; nil unbinds. A vertex is
// floats, stride bytes apart.
func (d *Device) SetVertexBuffer(b *Buffer, stride, offset uint32) error {
	d.vertex, d.stride = b, stride
	if b == nil {
		return d.ctx.SetVertexBuffers()
	}
	for i, o := range d.outputs {
		if o == b {
			d.warn("IASetVertexBuffers: the buffer is bound as output %d, and the input is set to NULL", i)
			d.vertex = nil
			return d.ctx.SetVertexBuffers()
		}
	}
	return frontend.BindVertices(d.ctx, b.handle, offset, stride)
}

// Draw draws count vertices.
func (d *Device) Draw(mode pipe.PrimitiveType, count, start uint32) error {
	if err := d.resolve(); err != nil || count == 0 {
		return err
	}
	return d.ctx.Draw(&pipe.DrawInfo{Mode: mode, InstanceCount: 1, MinIndex: start, MaxIndex: start + count - 1},
		pipe.DrawRange{Start: start, Count: count})
}

// DrawAuto draws what stream output wrote to the vertex buffer.
func (d *Device) DrawAuto(mode pipe.PrimitiveType) error {
	const call = "DrawAuto"
	switch {
	case d.vertex == nil:
		return refuse(call, "no vertex buffer is set")
	case d.stride == 0:
		return refuse(call, "the stride of the vertex buffer is 0")
	case d.vertex.target == 0:
		return d.resolve() // nothing was ever written: nothing is drawn
	}
	if err := d.resolve(); err != nil {
		return err
	}
	return d.ctx.DrawAuto(mode, 1, d.vertex.target)
}
