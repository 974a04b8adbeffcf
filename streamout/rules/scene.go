package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// scene makes the calls of a case. It keeps the first error, so that a case
// reads as the calls it makes.
type scene struct {
	c   pipe.Context
	err error
}

// play makes a case of a function over a scene.
func play(f func(s *scene)) streamout.Case {
	return func(c pipe.Context) error {
		s := &scene{c: c}
		f(s)
		return s.err
	}
}

// fault keeps an error that did not come from a call.
func (s *scene) fault(err error) {
	if err != nil && s.err == nil {
		s.err = err
	}
}

func (s *scene) do(call pipe.Call) pipe.Handle { return s.send(&pipe.Op{Call: call}) }

func (s *scene) send(op *pipe.Op) pipe.Handle {
	op.Screen, op.Context = s.c.Screen, s.c.Handle
	s.fault(s.c.Driver.Do(op))
	return op.Ret.Handle
}

// out is an output in the order of Gallium's struct: register, first
// component, components, buffer, dst_offset in dwords, stream.
func out(register, start, num, buffer, dst, stream uint64) pipe.OutputNumbers {
	return pipe.OutputNumbers{RegisterIndex: register, StartComponent: start, NumComponents: num,
		OutputBuffer: buffer, DstOffset: dst, Stream: stream}
}

// strides are the strides of the four buffers, in dwords.
type strides [pipe.MaxStreamOutputBuffers]uint64

// info puts outputs together.
func info(stride strides, outputs ...pipe.OutputNumbers) pipe.StreamOutputNumbers {
	return pipe.StreamOutputNumbers{NumOutputs: uint64(len(outputs)), Stride: stride[:], Output: outputs}
}

// shader makes and binds a shader without text. Numbers that cannot be packed
// travel beside it, as they do from a trace.
func (s *scene) shader(stage pipe.Stage, n pipe.StreamOutputNumbers) pipe.Handle {
	return s.shaderText(stage, "", n)
}

// shaderText is shader with a TGSI text.
func (s *scene) shaderText(stage pipe.Stage, text string, n pipe.StreamOutputNumbers) pipe.Handle {
	create := &pipe.CreateShader{Stage: stage}
	if text != "" {
		create.State.Tokens = []byte(text)
	}
	op := &pipe.Op{Call: create}
	if problems := n.Pack(&create.State.StreamOutput); problems != nil {
		op.Raw = &pipe.Raw{StreamOutput: &n}
	}
	h := s.send(op)
	s.bind(stage, h)
	return h
}

// vs makes and binds a vertex shader without text.
func (s *scene) vs(stride strides, outputs ...pipe.OutputNumbers) pipe.Handle {
	return s.shader(pipe.Vertex, info(stride, outputs...))
}

func (s *scene) bind(stage pipe.Stage, h pipe.Handle) {
	s.do(&pipe.BindState{Kind: pipe.ShaderKind(stage), State: h})
}

// buffer makes a buffer that may be a target and a vertex buffer.
func (s *scene) buffer(bytes uint32) pipe.Handle {
	return s.resource(pipe.ResourceTemplate{Target: pipe.Buffer, Format: "PIPE_FORMAT_R8_UNORM", Width: bytes,
		Height: 1, Depth: 1, ArraySize: 1, Bind: pipe.BindStreamOutput | pipe.BindVertexBuffer})
}

func (s *scene) resource(t pipe.ResourceTemplate) pipe.Handle {
	op := &pipe.Op{Call: &pipe.ResourceCreate{Template: t}, Screen: s.c.Screen}
	s.fault(s.c.Driver.Do(op))
	return op.Ret.Handle
}

// target makes a target of a range of a buffer, in bytes.
func (s *scene) target(buffer pipe.Handle, offset, size uint32) pipe.Handle {
	return s.do(&pipe.CreateStreamOutputTarget{Resource: buffer, BufferOffset: offset, BufferSize: size})
}

// fresh makes a target of a buffer of its own, of that many bytes.
func (s *scene) fresh(size uint32) pipe.Handle { return s.target(s.buffer(size), 0, size) }

// set binds targets, all with the same offset: 0, bytes or pipe.AppendOffset.
func (s *scene) set(offset uint32, targets ...pipe.Handle) {
	offsets := make([]uint32, len(targets))
	for i := range offsets {
		offsets[i] = offset
	}
	s.setEach(targets, offsets)
}

func (s *scene) setEach(targets []pipe.Handle, offsets []uint32) {
	s.do(&pipe.SetStreamOutputTargets{NumTargets: uint32(len(targets)), Targets: targets, Offsets: offsets,
		OutputPrim: pipe.PrimitiveUnknown})
}

// unbind unbinds all targets.
func (s *scene) unbind() { s.do(&pipe.SetStreamOutputTargets{OutputPrim: pipe.PrimitiveUnknown}) }

// draw draws count vertices, not indexed, one instance.
func (s *scene) draw(mode pipe.PrimitiveType, count uint32) {
	s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: mode, InstanceCount: 1, MaxIndex: count},
		Draws: []pipe.DrawRange{{Count: count}}, NumDraws: 1})
}

// drawAuto draws what stream output wrote to the target.
func (s *scene) drawAuto(mode pipe.PrimitiveType, target pipe.Handle) {
	s.do(&pipe.Draw{Info: pipe.DrawInfo{Mode: mode, InstanceCount: 1, MaxIndex: 1<<32 - 1},
		Indirect: &pipe.DrawIndirect{CountFromStreamOutput: target}, Draws: []pipe.DrawRange{{}}, NumDraws: 1})
}

// vertices binds a vertex buffer and the elements that read one vec4 of it,
// stride bytes apart.
func (s *scene) vertices(buffer pipe.Handle, offset, stride uint32) {
	elements := s.do(&pipe.CreateVertexElements{Elements: []pipe.VertexElement{
		{SrcFormat: "PIPE_FORMAT_R32G32B32A32_FLOAT", SrcStride: stride, HasSrcStride: true}}})
	s.do(&pipe.BindState{Kind: pipe.KindVertexElements, State: elements})
	s.do(&pipe.SetVertexBuffers{All: true, Count: 1, Buffers: []pipe.VertexBuffer{{Offset: offset, Resource: buffer}}})
}
