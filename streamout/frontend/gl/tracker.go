package gl

import (
	"fmt"
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// ErrorCode is an error of OpenGL.
type ErrorCode uint16

// The errors that transform feedback knows.
const (
	InvalidEnum      ErrorCode = 0x0500
	InvalidValue     ErrorCode = 0x0501
	InvalidOperation ErrorCode = 0x0502
)

// String returns the name of OpenGL.
func (c ErrorCode) String() string {
	switch c {
	case InvalidEnum:
		return "GL_INVALID_ENUM"
	case InvalidValue:
		return "GL_INVALID_VALUE"
	}
	return "GL_INVALID_OPERATION"
}

// CallError is a call that OpenGL refuses; it changes nothing.
type CallError struct {
	Code ErrorCode
	Call string // "glBeginTransformFeedback"
	Why  string
}

// Error names the error, the call and why.
func (e *CallError) Error() string { return fmt.Sprintf("%s: %s (%s)", e.Code, e.Call, e.Why) }

func refuse(code ErrorCode, call, format string, args ...any) error {
	return &CallError{code, call, fmt.Sprintf(format, args...)}
}

// Tracker is a context of OpenGL, as far as transform feedback needs one: it
// sends what st/mesa sends to a driver. It is used from one goroutine.
//
// Methods return a *CallError for what OpenGL refuses, and otherwise the error
// of the driver.
type Tracker struct {
	ctx      pipe.Context
	limits   frontend.Limits
	program  *LinkedProgram
	stages   uint16 // that have a shader bound
	standard *TransformFeedback
	bound    *TransformFeedback
}

// NewTracker returns a tracker over a context, of the default limits.
func NewTracker(ctx pipe.Context) *Tracker {
	t := &Tracker{ctx: ctx, limits: frontend.DefaultLimits(), standard: &TransformFeedback{}}
	t.bound = t.standard
	return t
}

// LinkedProgram is a program whose last vertex stage captures.
type LinkedProgram struct {
	*frontend.Translation
	mode    pipe.PrimitiveType // that its geometry or evaluation shader puts out
	shaders []shaderObject
	users   int // transform feedback objects that are active with it
}

type shaderObject struct {
	stage  pipe.Stage
	handle pipe.Handle
}

// Link makes the shader of the program's last vertex stage, with its text, which
// may be nil.
func (t *Tracker) Link(p *Program, nir []byte) (*LinkedProgram, error) {
	const call = "glLinkProgram"
	tr, err := Translate(p)
	if err != nil {
		return nil, refuse(InvalidOperation, call, "%v", err)
	}
	l := &LinkedProgram{Translation: tr, mode: pipe.PrimitiveUnknown}
	if tr.Stage == pipe.Geometry {
		if l.mode = pipe.Points; !frontend.IsPoints(p.Topology) {
			if l.mode = pipe.Triangles; p.Topology == "line_strip" {
				l.mode = pipe.Lines
			}
		}
	}
	if tr.Stage != pipe.Vertex {
		// The stage before, which OpenGL demands.
		if err := t.createShader(l, pipe.Vertex, &pipe.ShaderState{}); err != nil {
			return nil, err
		}
	}
	return l, t.createShader(l, tr.Stage, &pipe.ShaderState{NIR: nir, StreamOutput: tr.Info})
}

func (t *Tracker) createShader(l *LinkedProgram, stage pipe.Stage, s *pipe.ShaderState) error {
	h, err := t.ctx.CreateShader(stage, s)
	l.shaders = append(l.shaders, shaderObject{stage, h})
	return err
}

// UseProgram makes a program current; nil is none.
func (t *Tracker) UseProgram(p *LinkedProgram) error {
	if t.bound.active && !t.bound.paused {
		return refuse(InvalidOperation, "glUseProgram", "transform feedback is active and not paused")
	}
	t.program = p
	before := t.stages
	t.stages = 0
	if p != nil {
		for _, s := range p.shaders {
			if err := t.ctx.BindShader(s.stage, s.handle); err != nil {
				return err
			}
			t.stages |= 1 << s.stage
		}
	}
	for left := before &^ t.stages; left != 0; left &= left - 1 {
		if err := t.ctx.BindShader(pipe.Stage(bits.TrailingZeros16(left)), 0); err != nil {
			return err
		}
	}
	return nil
}

// DeleteProgram deletes a program that is not current.
func (t *Tracker) DeleteProgram(p *LinkedProgram) error {
	const call = "glDeleteProgram"
	if p == t.program {
		return refuse(InvalidOperation, call, "the program is current")
	}
	if p.users > 0 {
		return refuse(InvalidOperation, call, "a transform feedback object is active with the program")
	}
	for _, s := range p.shaders {
		if err := t.ctx.DeleteShader(s.stage, s.handle); err != nil {
			return err
		}
	}
	return nil
}

// Buffer is a buffer object.
type Buffer struct {
	handle pipe.Handle
	size   uint32 // bytes
}

// CreateBuffer makes a buffer of size bytes.
func (t *Tracker) CreateBuffer(size uint32) (*Buffer, error) {
	if size == 0 {
		return nil, refuse(InvalidValue, "glBufferData", "size is 0")
	}
	h, err := t.ctx.CreateBuffer(size, pipe.BindStreamOutput|pipe.BindVertexBuffer)
	return &Buffer{h, size}, err
}

// VertexBuffer makes a buffer the source of the vertices, floats that are stride
// bytes apart.
func (t *Tracker) VertexBuffer(b *Buffer, offset, stride uint32) error {
	return frontend.BindVertices(t.ctx, b.handle, offset, stride)
}

// BeginQuery makes and begins a query of primitives, generated or written, of a
// vertex stream.
func (t *Tracker) BeginQuery(q pipe.QueryType, stream int) (pipe.Handle, error) {
	const call = "glBeginQueryIndexed"
	switch {
	case q != pipe.QueryPrimitivesGenerated && q != pipe.QueryPrimitivesEmitted && q != pipe.QueryStreamOutputOverflow && q != pipe.QueryStreamOutputOverflowAny:
		return 0, refuse(InvalidEnum, call, "%s is none of transform feedback", q)
	case stream < 0 || stream >= t.limits.Streams || stream > 0 && !q.PerStream():
		return 0, refuse(InvalidValue, call, "stream is %d", stream)
	}
	h, err := t.ctx.CreateQuery(q, uint32(stream))
	if err != nil {
		return 0, err
	}
	return h, t.ctx.BeginQuery(h)
}

// EndQuery ends a query, reads and destroys it.
func (t *Tracker) EndQuery(q pipe.Handle) (pipe.QueryValue, error) {
	if err := t.ctx.EndQuery(q); err != nil {
		return pipe.QueryValue{}, err
	}
	v, err := t.ctx.QueryResult(q, true)
	if err != nil {
		return v, err
	}
	return v, t.ctx.DestroyQuery(q)
}
