package trace

import "github.com/outflow-gpu/outflow/pipe"

// setArgs writes calls that set one thing. It returns false for others.
func (e *encoder) setArgs(op *pipe.Op) bool {
	switch c := op.Call.(type) {
	case *pipe.SetTessState:
		e.arg("default_outer_level")
		e.floats(c.Outer[:])
		e.endArg()
		e.arg("default_inner_level")
		e.floats(c.Inner[:])
		e.endArg()
	case *pipe.SetPatchVertices:
		e.argUint("patch_vertices", c.Vertices)
	case *pipe.SetViewports:
		e.argUint("start_slot", c.Start)
		e.argUint("num_viewports", c.Count)
		e.arg("states")
		first(e, c.Viewports, (*encoder).viewport)
		e.endArg()
	case *pipe.SetScissors:
		e.argUint("start_slot", c.Start)
		e.argUint("num_scissors", c.Count)
		e.arg("states")
		first(e, c.Scissors, (*encoder).scissor)
		e.endArg()
	case *pipe.SetBlendColor:
		e.arg("state")
		e.begin("pipe_blend_color")
		e.member("color")
		e.floats(c.Color[:])
		e.endMember()
		e.end()
		e.endArg()
	case *pipe.SetStencilRef:
		e.stencilRef(c)
	case *pipe.SetSampleMask:
		e.argUint("sample_mask", c.Mask)
	case *pipe.SetMinSamples:
		e.argUint("min_samples", c.Samples)
	default:
		return false
	}
	return true
}

// first writes the first of a list, all that Mesa writes of viewports and
// scissors.
func first[T any](e *encoder, items []T, each func(*encoder, *T)) {
	if len(items) == 0 {
		e.null()
		return
	}
	each(e, &items[0])
}

func (e *encoder) viewport(v *pipe.Viewport) {
	e.begin("pipe_viewport_state")
	e.member("scale")
	e.floats(v.Scale[:])
	e.endMember()
	e.member("translate")
	e.floats(v.Translate[:])
	e.endMember()
	e.end()
}

func (e *encoder) scissor(s *pipe.Scissor) {
	e.begin("pipe_scissor_state")
	e.uintMember("minx", uint32(s.MinX))
	e.uintMember("miny", uint32(s.MinY))
	e.uintMember("maxx", uint32(s.MaxX))
	e.uintMember("maxy", uint32(s.MaxY))
	e.end()
}

func (e *encoder) stencilRef(c *pipe.SetStencilRef) {
	e.arg("&state")
	e.begin("pipe_stencil_ref")
	e.member("ref_value")
	e.array()
	for _, v := range c.Ref {
		e.elem()
		e.uint(uint64(v))
		e.endElem()
	}
	e.endArray()
	e.endMember()
	e.end()
	e.endArg()
}
