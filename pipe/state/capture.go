package state

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// Session is what the draws since the last set_stream_output_targets captured
// with: stream output goes on across state changes, and some of them it cannot
// take.
type Session struct {
	// Draws counts the draws that captured, or may have.
	Draws uint64
	// First and Last are the first and the last of them.
	First, Last At
	// Shader captured in the last of them, nil when it is not known.
	Shader *Shader
	// Primitive is what the first captured: Points, Lines or Triangles, else
	// PrimitiveUnknown.
	Primitive pipe.PrimitiveType
	// Rasterizer was bound in the first, nil when it is not known.
	Rasterizer *pipe.RasterizerState
	// Overflowed says that one of them had more primitives than there was room
	// for, by every driver's way of measuring.
	Overflowed bool
}

// add records a draw that captures with s, nil when that is not known.
func (n *Session) add(op *pipe.Op, c *Context, s *Shader) {
	if n.Draws == 0 {
		n.Primitive, n.Rasterizer = c.CapturedAs(DrawMode(op.Call)), c.RasterizerState()
		n.First.mark(op)
	}
	n.Draws++
	n.Shader = s
	n.Last.mark(op)
}

// DrawMode returns the primitive type that a draw gives, PrimitiveUnknown for
// other calls.
func DrawMode(call pipe.Call) pipe.PrimitiveType {
	switch d := call.(type) {
	case *pipe.Draw:
		return d.Info.Mode
	case *pipe.DrawVertexState:
		return d.Mode
	}
	return pipe.PrimitiveUnknown
}

// CapturedAs returns what the last vertex stage makes of a draw of that mode:
// Points, Lines or Triangles, and PrimitiveUnknown when it is not known.
func (c *Context) CapturedAs(mode pipe.PrimitiveType) pipe.PrimitiveType {
	s, _ := c.LastVertexStage()
	if s == nil {
		return pipe.PrimitiveUnknown
	}
	switch s.Stage {
	case pipe.Geometry:
		if g := &s.Outputs.Geometry; g.Known {
			return class(g.Output)
		}
		return pipe.PrimitiveUnknown
	case pipe.TessEval:
		return tessellated(s)
	}
	return class(mode)
}

func class(mode pipe.PrimitiveType) pipe.PrimitiveType {
	switch mode.Vertices() {
	case 1:
		return pipe.Points
	case 2:
		return pipe.Lines
	case 3:
		return pipe.Triangles
	}
	return pipe.PrimitiveUnknown
}

// tessellated returns what a tessellation evaluation shader puts out.
func tessellated(s *Shader) pipe.PrimitiveType {
	t := &s.Outputs.Tess
	switch {
	case t.PointMode == shader.Yes:
		return pipe.Points
	case t.PointMode == shader.Unknown:
		return pipe.PrimitiveUnknown
	case t.Domain == shader.DomainIsolines:
		return pipe.Lines
	case t.Domain == shader.DomainTriangles, t.Domain == shader.DomainQuads:
		return pipe.Triangles
	}
	return pipe.PrimitiveUnknown
}
