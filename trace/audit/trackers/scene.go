package trackers

import (
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// Frames is how many frames a Scene draws.
const Frames = 100

// framesPerShader is how often a Scene makes its shaders anew.
const framesPerShader = 10

// scene is what a Scene works with.
type scene struct {
	pipe.Context
	vs, plain, gs, fs pipe.Handle
	rasterizer        pipe.Handle
	targets           [pipe.MaxStreamOutputBuffers]pipe.Handle
	front, back       pipe.Handle
}

// Scene draws Frames frames on a context. Each captures four attributes into four
// buffers, goes on after a texture copy and after a flush without binding the
// targets again, pauses, resumes, and draws what is seen without capture. In odd
// frames a geometry shader captures.
func Scene(c pipe.Context) error {
	s := &scene{Context: c}
	if err := s.setUp(); err != nil {
		return err
	}
	for i := range Frames {
		if err := s.frame(i); err != nil {
			return fmt.Errorf("frame %d: %w", i, err)
		}
	}
	return nil
}

// Captured returns the info that a Scene captures with: two components of each
// of registers 1 to 4 into a buffer each, at 1 dword or 0 in vertices of 4 to 7
// dwords.
func Captured() pipe.StreamOutputInfo {
	var info pipe.StreamOutputInfo
	info.NumOutputs = pipe.MaxStreamOutputBuffers
	for i := range info.NumOutputs {
		info.Stride[i] = 4 + uint16(i)
		n := pipe.OutputNumbers{RegisterIndex: uint64(i) + 1, NumComponents: 2, OutputBuffer: uint64(i), DstOffset: uint64(i+1) % 2}
		info.Output[i], _ = n.Pack()
	}
	return info
}

const (
	sceneVS = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n" +
		"DCL OUT[3], GENERIC[2]\nDCL OUT[4], GENERIC[3]\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n" +
		"  2: MOV OUT[2], IN[0]\n  3: MOV OUT[3], IN[0]\n  4: MOV OUT[4], IN[0]\n  5: END\n"
	sceneGS = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\n" +
		"DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n" +
		"DCL OUT[3], GENERIC[2]\nDCL OUT[4], GENERIC[3]\nIMM[0] UINT32 {0, 0, 0, 0}\n  0: MOV OUT[0], IN[0][0]\n  1: MOV OUT[1], IN[0][0]\n" +
		"  2: MOV OUT[2], IN[0][0]\n  3: MOV OUT[3], IN[0][0]\n  4: MOV OUT[4], IN[0][0]\n  5: EMIT IMM[0].xxxx\n  6: END\n"
	plainVS = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n"
	plainFS = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n  0: MOV OUT[0], IMM[0]\n  1: END\n"
)

func (s *scene) setUp() error {
	var f first
	texture := pipe.ResourceTemplate{Target: pipe.Texture2D, Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Width: 64, Height: 64,
		Depth: 1, ArraySize: 1, Bind: pipe.BindRenderTarget | pipe.BindSamplerView}
	s.front = f.handle(s.CreateResource(&texture))
	s.back = f.handle(s.CreateResource(&texture))
	for i := range s.targets {
		size := 4096 - 256*uint32(i)
		buffer := f.handle(s.CreateBuffer(size, pipe.BindStreamOutput|pipe.BindVertexBuffer))
		s.targets[i] = f.handle(s.CreateStreamOutputTarget(buffer, 0, size))
	}
	vertices := f.handle(s.CreateBuffer(1024, pipe.BindVertexBuffer))
	elements := f.handle(s.CreateVertexElements(pipe.VertexElement{SrcFormat: "PIPE_FORMAT_R32G32B32A32_FLOAT", SrcStride: 16, HasSrcStride: true}))
	f.note(s.Bind(pipe.KindVertexElements, elements))
	f.note(s.SetVertexBuffers(pipe.VertexBuffer{Resource: vertices}))
	s.rasterizer = f.handle(s.CreateRasterizer(&pipe.RasterizerState{HalfPixelCenter: true, LineWidth: 1, PointSize: 1}))
	f.note(s.Bind(pipe.KindRasterizer, s.rasterizer))
	f.note(s.SetFramebuffer(&pipe.FramebufferState{Width: 64, Height: 64}))
	return f.err
}

// first keeps the first error of a sequence of calls.
type first struct{ err error }

func (f *first) note(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *first) handle(h pipe.Handle, err error) pipe.Handle {
	f.note(err)
	return h
}

func (s *scene) makeShaders(f *first) {
	old := []struct {
		stage pipe.Stage
		h     pipe.Handle
	}{{pipe.Vertex, s.vs}, {pipe.Vertex, s.plain}, {pipe.Geometry, s.gs}, {pipe.Fragment, s.fs}}
	s.vs = f.handle(s.CreateShader(pipe.Vertex, &pipe.ShaderState{Tokens: []byte(sceneVS), StreamOutput: Captured()}))
	s.gs = f.handle(s.CreateShader(pipe.Geometry, &pipe.ShaderState{Tokens: []byte(sceneGS), StreamOutput: Captured()}))
	s.plain = f.handle(s.CreateShader(pipe.Vertex, &pipe.ShaderState{Tokens: []byte(plainVS)}))
	s.fs = f.handle(s.CreateShader(pipe.Fragment, &pipe.ShaderState{Tokens: []byte(plainFS)}))
	f.note(s.BindShader(pipe.Vertex, s.vs))
	f.note(s.BindShader(pipe.Geometry, 0))
	f.note(s.BindShader(pipe.Fragment, s.fs))
	for _, o := range old {
		if o.h != 0 {
			f.note(s.DeleteShader(o.stage, o.h))
		}
	}
}

func (s *scene) frame(i int) error {
	var f first
	if i%framesPerShader == 0 {
		s.makeShaders(&f)
	}
	f.note(s.BindShader(pipe.Vertex, s.vs))
	if i%2 == 1 {
		f.note(s.BindShader(pipe.Geometry, s.gs))
	}
	f.note(s.SetStreamOutputTargets(s.targets[:], make([]uint32, len(s.targets))))
	f.note(s.triangles(3))
	_, err := s.Do(&pipe.ResourceCopyRegion{Dst: s.back, Src: s.front, SrcBox: pipe.Box{Width: 64, Height: 64, Depth: 1}})
	f.note(err)
	f.note(s.triangles(6))
	f.note(s.Flush(0))
	f.note(s.triangles(3))
	f.note(s.SetStreamOutputTargets(nil, nil))
	f.note(s.triangles(3))
	f.note(s.SetStreamOutputTargets(s.targets[:], slices.Repeat([]uint32{pipe.AppendOffset}, len(s.targets))))
	f.note(s.triangles(9))
	f.note(s.SetStreamOutputTargets(nil, nil))
	f.note(s.BindShader(pipe.Geometry, 0))
	f.note(s.BindShader(pipe.Vertex, s.plain))
	f.note(s.triangles(3))
	f.note(s.Flush(0))
	return f.err
}

func (s *scene) triangles(vertices uint32) error {
	return s.Draw(&pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1}, pipe.DrawRange{Count: vertices})
}
