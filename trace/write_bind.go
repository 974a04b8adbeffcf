package trace

import "github.com/outflow-gpu/outflow/pipe"

// maxColorBuffers is PIPE_MAX_COLOR_BUFS: framebuffers before 26.2 are written
// with all of them.
const maxColorBuffers = 8

// bindingArgs writes calls that bind. It returns false for others.
func (e *encoder) bindingArgs(op *pipe.Op) bool {
	switch c := op.Call.(type) {
	case *pipe.SetStreamOutputTargets:
		e.streamOutputTargets(c)
	case *pipe.SetVertexBuffers:
		e.vertexBuffers(c)
	case *pipe.SetConstantBuffer:
		e.constantBuffer(c)
	case *pipe.SetShaderBuffers:
		e.shaderBuffers(c)
	case *pipe.SetShaderImages:
		e.shaderImages(c)
	case *pipe.SetSamplerViews:
		e.samplerViews(c)
	case *pipe.BindSamplers:
		e.samplers(c, op)
	case *pipe.SetFramebuffer:
		e.framebuffer(&c.State)
	default:
		return e.setArgs(op)
	}
	return true
}

func (e *encoder) streamOutputTargets(c *pipe.SetStreamOutputTargets) {
	e.argUint("num_targets", c.NumTargets)
	e.arg("tgs")
	e.ptrs(c.Targets)
	e.endArg()
	e.arg("offsets")
	e.uints(c.Offsets)
	e.endArg()
	if e.dialect > Mesa22_3 {
		e.argUint("output_prim", uint32(c.OutputPrim))
	}
}

// vertexBuffers writes a call that unbinds so many slots behind in 22.3, and all
// of them since. Since then it begins with the first slot, so that those before
// are written as empty.
func (e *encoder) vertexBuffers(c *pipe.SetVertexBuffers) {
	if e.dialect > Mesa22_3 {
		e.allVertexBuffers(c)
		return
	}
	trailing := c.UnbindTrailing
	if c.All {
		trailing = pipe.MaxVertexBuffers - min(c.Count, pipe.MaxVertexBuffers)
	}
	e.argUint("start_slot", c.Start)
	e.argUint("num_buffers", c.Count)
	e.argUint("unbind_num_trailing_slots", trailing)
	e.argBool("take_ownership", c.TakeOwnership)
	e.arg("buffers")
	list(e, c.Buffers, (*encoder).vertexBuffer)
	e.endArg()
}

func (e *encoder) allVertexBuffers(c *pipe.SetVertexBuffers) {
	before := min(c.Start, pipe.MaxVertexBuffers)
	if c.Buffers == nil {
		before = 0
	}
	e.argUint("num_buffers", before+c.Count)
	e.arg("buffers")
	if before == 0 {
		list(e, c.Buffers, (*encoder).vertexBuffer)
		e.endArg()
		return
	}
	e.array()
	for i := range int(before) + len(c.Buffers) {
		var empty pipe.VertexBuffer
		b := &empty
		if i >= int(before) {
			b = &c.Buffers[i-int(before)]
		}
		e.elem()
		e.vertexBuffer(b)
		e.endElem()
	}
	e.endArray()
	e.endArg()
}

func (e *encoder) vertexBuffer(b *pipe.VertexBuffer) {
	e.begin("pipe_vertex_buffer")
	if e.dialect == Mesa22_3 {
		e.uintMember("stride", b.Stride)
	}
	e.boolMember("is_user_buffer", b.IsUserBuffer)
	e.uintMember("buffer_offset", b.Offset)
	e.ptrMember("buffer.resource", b.Resource)
	e.end()
}

func (e *encoder) constantBuffer(c *pipe.SetConstantBuffer) {
	e.argEnum("shader", c.Stage.Name())
	e.argUint("index", c.Index)
	if e.dialect < Mesa26_2 {
		e.argBool("take_ownership", c.TakeOwnership)
	}
	e.arg("constant_buffer")
	if b := c.Buffer; b == nil {
		e.null()
	} else {
		e.bufferRange("pipe_constant_buffer", b.Resource, b.Offset, b.Size)
	}
	e.endArg()
}

func (e *encoder) bufferRange(name string, h pipe.Handle, offset, size uint32) {
	e.begin(name)
	e.ptrMember("buffer", h)
	e.uintMember("buffer_offset", offset)
	e.uintMember("buffer_size", size)
	e.end()
}

func (e *encoder) shaderBuffers(c *pipe.SetShaderBuffers) {
	e.argUint("shader", uint32(c.Stage))
	e.argUint("start", c.Start)
	e.arg("buffers")
	list(e, c.Buffers, func(e *encoder, b *pipe.ShaderBuffer) {
		e.bufferRange("pipe_shader_buffer", b.Resource, b.Offset, b.Size)
	})
	e.endArg()
	e.argUint("writable_bitmask", c.WritableMask)
}

func (e *encoder) shaderImages(c *pipe.SetShaderImages) {
	e.argUint("shader", uint32(c.Stage))
	e.argUint("start", c.Start)
	e.arg("images")
	list(e, c.Images, (*encoder).imageView)
	e.endArg()
	e.argUint("unbind_num_trailing_slots", c.UnbindTrailing)
}

// imageView writes an image; one without a resource is NULL.
func (e *encoder) imageView(v *pipe.ImageView) {
	if v.Resource == 0 {
		e.null()
		return
	}
	e.begin("pipe_image_view")
	e.ptrMember("resource", v.Resource)
	e.formatMember("format", v.Format)
	e.uintMember("access", uint32(v.Access))
	e.member("u")
	e.begin("")
	if v.IsBuffer {
		e.member("buf")
		e.begin("")
		e.uintMember("offset", v.Offset)
		e.uintMember("size", v.Size)
	} else {
		e.member("tex")
		e.begin("")
		e.uintMember("first_layer", v.FirstLayer)
		e.uintMember("last_layer", v.LastLayer)
		e.uintMember("level", uint32(v.Level))
	}
	e.end()
	e.endMember()
	e.end()
	e.endMember()
	e.end()
}

func (e *encoder) samplerViews(c *pipe.SetSamplerViews) {
	e.argEnum("shader", c.Stage.Name())
	e.argUint("start", c.Start)
	if e.dialect < Mesa26_2 {
		e.argUint("num", c.Count)
	}
	e.argUint("unbind_num_trailing_slots", c.UnbindTrailing)
	if e.dialect < Mesa26_2 {
		e.argBool("take_ownership", c.TakeOwnership)
	}
	e.arg("views")
	e.ptrs(c.Views)
	e.endArg()
}

// samplers writes a bind of samplers. How many are unbound by a list that is
// NULL is kept from the trace.
func (e *encoder) samplers(c *pipe.BindSamplers, op *pipe.Op) {
	e.argEnum("shader", c.Stage.Name())
	e.argUint("start", c.Start)
	e.arg("num_states")
	if x := kept(op).Arg("num_states"); c.States == nil && x.Exists() {
		e.value(x)
	} else {
		e.uint(uint64(len(c.States)))
	}
	e.endArg()
	e.arg("states")
	e.ptrs(c.States)
	e.endArg()
}

// framebuffer writes all colour buffers there can be before 26.2, and those
// there are since.
func (e *encoder) framebuffer(s *pipe.FramebufferState) {
	e.arg("state")
	e.begin("pipe_framebuffer_state")
	e.uintMember("width", uint32(s.Width))
	e.uintMember("height", uint32(s.Height))
	e.uintMember("samples", uint32(s.Samples))
	e.uintMember("layers", uint32(s.Layers))
	e.uintMember("nr_cbufs", uint32(len(s.Cbufs)))
	slots := len(s.Cbufs)
	if e.dialect >= Mesa26_2 {
		e.boolMember("pls_enabled", s.PLSEnabled)
	} else {
		slots = max(slots, maxColorBuffers)
	}
	e.member("cbufs")
	e.array()
	for i := range slots {
		e.elem()
		if i < len(s.Cbufs) {
			e.attachment(&s.Cbufs[i])
		} else {
			e.null()
		}
		e.endElem()
	}
	e.endArray()
	e.endMember()
	e.member("zsbuf")
	e.attachment(&s.Zsbuf)
	e.endMember()
	e.end()
	e.endArg()
}

func (e *encoder) attachment(r *pipe.SurfaceRef) {
	if r.Embedded || e.dialect >= Mesa26_2 && r.Handle == 0 {
		e.surface(&r.Surface)
		return
	}
	e.ptr(r.Handle)
}
