package trackers

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// Utility draws for itself in the middle of what others draw. Layer puts it into
// a stack.
type Utility struct {
	Name string
	// trigger says which call it draws at, and whether instead of it.
	trigger func(pipe.Call) (draws, instead bool)
	paint   func(*painter) error
}

// Utilities are those that the package has.
func Utilities() []*Utility { return []*Utility{Blitter(), PostProcess(), HUD()} }

// Layer returns the utility as a layer.
func (u *Utility) Layer() pipe.Layer { return u.layer(conduct{}) }

// Broken returns the utility with a fault. A fault of the way, not of
// the utility, changes nothing here: see Fault.Layer.
func (u *Utility) Broken(f *Fault) pipe.Layer { return u.layer(f.conduct) }

func (u *Utility) layer(how conduct) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		painters := map[pipe.Handle]*painter{}
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if op.Context == 0 {
				return below.Do(op)
			}
			p := painters[op.Context]
			if p == nil {
				p = &painter{Context: pipe.Context{Driver: below, Screen: op.Screen, Handle: op.Context}, conduct: how}
				painters[op.Context] = p
			}
			draws, instead := u.trigger(op.Call)
			if draws {
				if err := p.run(u.paint); err != nil || instead {
					return err
				}
			}
			p.watch(op.Call)
			return below.Do(op)
		})
	}
}

// bindings are what a utility saves and restores.
type bindings struct {
	states        [pipe.KindVertexElements + 1]pipe.Handle
	targets       []pipe.Handle
	vertexBuffers []pipe.VertexBuffer
	framebuffer   pipe.FramebufferState
}

// conduct is how a utility behaves; the zero value is right.
type conduct struct {
	// leave says what stays of an info that was in the same memory before, in one
	// that should be zero.
	leave func(info, stale *pipe.StreamOutputInfo)
	// forget makes of what was saved what is restored.
	forget func(*bindings)
	offset func(slot int) uint32 // at the restore of targets, append when nil
	// open leaves the targets bound and the shader that captures.
	open bool
}

// painter is a utility in one context.
type painter struct {
	pipe.Context
	conduct
	bound bindings
	// scratch is filled anew for each shader, as Gallium's helpers do it with one
	// struct: what is not zeroed is of the shader before.
	scratch pipe.ShaderState

	ready           bool
	runs            int
	vs, fs          pipe.Handle
	rasterizer      pipe.Handle
	elements, quad  pipe.Handle
	depth, blending pipe.Handle
	picture         pipe.Handle
}

// watch follows what is bound.
func (p *painter) watch(call pipe.Call) {
	switch c := call.(type) {
	case *pipe.BindState:
		if int(c.Kind) < len(p.bound.states) {
			p.bound.states[c.Kind] = c.State
		}
	case *pipe.SetStreamOutputTargets:
		p.bound.targets = slices.Clone(c.Targets)
	case *pipe.SetVertexBuffers:
		p.bound.vertexBuffers = slices.Clone(c.Buffers)
	case *pipe.SetFramebuffer:
		p.bound.framebuffer = c.State
		p.bound.framebuffer.Cbufs = slices.Clone(c.State.Cbufs)
	case *pipe.CreateShader:
		if c.State.StreamOutput.NumOutputs > 0 {
			p.scratch.StreamOutput = c.State.StreamOutput
		}
	}
}

// The shaders of a utility.
const (
	quadVS = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[9]\n  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n  2: END\n"
	quadFS = "FRAG\nDCL IN[0], GENERIC[9], LINEAR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n"
)

// run saves, paints and restores.
func (p *painter) run(paint func(*painter) error) error {
	var f first
	if !p.ready {
		p.setUp(&f)
	}
	saved := p.bound
	if p.forget != nil {
		p.forget(&saved)
	}
	p.runs++
	if !p.open {
		if len(p.bound.targets) > 0 {
			f.note(p.SetStreamOutputTargets(nil, nil))
		}
		for _, stage := range []pipe.Stage{pipe.Geometry, pipe.TessEval, pipe.TessCtrl} {
			if p.bound.states[pipe.ShaderKind(stage)] != 0 {
				f.note(p.BindShader(stage, 0))
			}
		}
		f.note(p.BindShader(pipe.Vertex, p.vs))
	}
	f.note(p.BindShader(pipe.Fragment, p.fs))
	f.note(p.Bind(pipe.KindRasterizer, p.rasterizer))
	f.note(p.Bind(pipe.KindDepthStencilAlpha, p.depth))
	f.note(p.Bind(pipe.KindBlend, p.blending))
	f.note(p.Bind(pipe.KindVertexElements, p.elements))
	f.note(p.SetVertexBuffers(pipe.VertexBuffer{Resource: p.quad}))
	f.note(paint(p))
	p.restore(&f, &saved)
	return f.err
}

func (p *painter) setUp(f *first) {
	p.ready = true
	p.vs = p.shader(f, pipe.Vertex, quadVS)
	p.fs = p.shader(f, pipe.Fragment, quadFS)
	p.rasterizer = f.handle(p.CreateRasterizer(&pipe.RasterizerState{HalfPixelCenter: true, LineWidth: 1}))
	p.depth = f.handle(p.CreateDepthStencilAlpha(&pipe.DepthStencilAlphaState{}))
	p.blending = f.handle(p.CreateBlend(&pipe.BlendState{RT: [8]pipe.RTBlendState{{ColorMask: 15}}}))
	p.elements = f.handle(p.CreateVertexElements(pipe.VertexElement{SrcFormat: "PIPE_FORMAT_R32G32B32A32_FLOAT", SrcStride: 16, HasSrcStride: true}))
	p.quad = f.handle(p.CreateBuffer(1<<12, pipe.BindVertexBuffer))
}

// shader makes a shader that captures nothing.
func (p *painter) shader(f *first, stage pipe.Stage, text string) pipe.Handle {
	stale := p.scratch.StreamOutput
	p.scratch = pipe.ShaderState{Tokens: []byte(text)}
	if p.leave != nil {
		p.leave(&p.scratch.StreamOutput, &stale)
	}
	h := f.handle(p.CreateShader(stage, &p.scratch))
	p.scratch.StreamOutput = stale
	return h
}

func (p *painter) restore(f *first, saved *bindings) {
	for kind, h := range saved.states {
		switch k := pipe.Kind(kind); k {
		case pipe.ShaderKind(pipe.Vertex), pipe.ShaderKind(pipe.TessCtrl), pipe.ShaderKind(pipe.TessEval), pipe.ShaderKind(pipe.Geometry),
			pipe.ShaderKind(pipe.Fragment), pipe.KindRasterizer, pipe.KindDepthStencilAlpha, pipe.KindBlend, pipe.KindVertexElements:
			f.note(p.Bind(k, h))
		}
	}
	f.note(p.SetVertexBuffers(saved.vertexBuffers...))
	f.note(p.SetFramebuffer(&saved.framebuffer))
	if len(saved.targets) == 0 || p.open {
		return
	}
	offsets := make([]uint32, len(saved.targets))
	for i := range offsets {
		offsets[i] = pipe.AppendOffset
		if p.offset != nil {
			offsets[i] = p.offset(i)
		}
	}
	f.note(p.SetStreamOutputTargets(saved.targets, offsets))
}
