package trace

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// decodeSetVertexBuffers reads a call of many forms: the whole list alone is
// that of Mesa up to 9.0 and from 24 on, and unbinds all behind it; those
// between have a first slot, a number of slots to unbind behind, or both.
func decodeSetVertexBuffers(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setVertexBuffers)
	start := f.opt("start_slot")
	c.Start = uint32(f.fit(start, "start_slot", 32))
	c.Count = f.u32("num_buffers")
	trailing := f.opt("unbind_num_trailing_slots")
	c.UnbindTrailing = uint32(f.fit(trailing, "unbind_num_trailing_slots", 32))
	c.TakeOwnership = f.flag("take_ownership")
	c.All = !start.Exists() && !trailing.Exists()
	c.Buffers = structs(&f, f.get("buffers"), "buffers", &f.d.scratch.buffers, vertexBuffer)
	op.Call = c
	return true
}

func vertexBuffer(m *fields, _ pipe.Value, b *pipe.VertexBuffer) {
	if x := m.opt("stride"); x.Exists() {
		b.Stride, b.HasStride = uint32(m.fit(x, "stride", 32)), true
	}
	b.IsUserBuffer = m.flag("is_user_buffer")
	b.Offset = m.u32("buffer_offset")
	b.Resource = m.d.handle(either(m.opt("buffer.resource"), m.opt("buffer")))
	if user, _ := m.opt("user_buffer").Handle(); user != 0 {
		b.Resource, b.IsUserBuffer = user, true
	}
}

// decodeSetConstantBuffer reads a call whose last argument was the resource
// alone in Mesa 7.12, and until 9.1 stood without a name.
func decodeSetConstantBuffer(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setConstantBuffer)
	stage, ok := f.stage(false)
	c.Stage, c.Index = stage, f.u32("index")
	c.TakeOwnership = f.flag("take_ownership")
	x := f.opt("constant_buffer")
	if !x.Exists() {
		x = either(f.opt("buffer"), f.bare(pipe.StructValue))
	}
	if !x.Exists() {
		x = f.get("constant_buffer")
	}
	b := reset(&f.d.scratch.constants)
	switch x.Kind() {
	case pipe.StructValue:
		m := f.members(x, "constant_buffer", -1)
		b.Resource = m.handle("buffer")
		b.Offset, b.Size = m.u32("buffer_offset"), m.u32("buffer_size")
		c.Buffer = b
	case pipe.PtrValue:
		b.Resource = f.d.handle(x)
		c.Buffer = b
	}
	op.Call = c
	return ok
}

// bare returns the first value of a kind that stands in the call itself.
func (f *fields) bare(kind pipe.ValueKind) pipe.Value {
	for x := f.first; x.Exists(); x = x.Next() {
		if x.Role() == pipe.BareRole && x.Kind() == kind {
			return x
		}
	}
	return pipe.Value{}
}

// decodeSetShaderBuffers reads a call that Mesa 19.1 to 21.0 wrote with the last
// argument inside the one before.
func decodeSetShaderBuffers(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setShaderBuffers)
	stage, ok := f.stage(true)
	c.Stage, c.Start = stage, f.u32("start")
	buffers, mask := f.get("buffers"), f.opt("writable_bitmask")
	if buffers.Kind() == pipe.UnknownValue {
		nested := buffers
		for x := nested.First(); x.Exists(); x = x.Next() {
			switch x.Kind() {
			case pipe.ArrayValue, pipe.NullValue:
				buffers = x
			case pipe.UintValue:
				mask = x
			}
		}
	}
	c.Buffers = structs(&f, buffers, "buffers", &f.d.scratch.storage, shaderBuffer)
	c.WritableMask = uint32(f.fit(mask, "writable_bitmask", 32))
	op.Call = c
	return ok
}

func shaderBuffer(m *fields, _ pipe.Value, b *pipe.ShaderBuffer) {
	b.Resource = m.handle("buffer")
	b.Offset, b.Size = m.u32("buffer_offset"), m.u32("buffer_size")
}

func decodeSetShaderImages(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setShaderImages)
	stage, ok := f.stage(true)
	c.Stage, c.Start = stage, f.u32("start")
	c.Images = structs(&f, f.get("images"), "images", &f.d.scratch.images, imageView)
	c.UnbindTrailing = f.opt32("unbind_num_trailing_slots")
	op.Call = c
	return ok
}

func imageView(m *fields, _ pipe.Value, v *pipe.ImageView) {
	v.Resource = m.handle("resource")
	v.Format = m.format("format")
	v.Access = m.u16("access")
	u := m.members(m.get("u"), "u", -1)
	if x := u.opt("buf"); x.Exists() {
		b := u.members(x, "buf", -1)
		v.IsBuffer, v.Offset, v.Size = true, b.u32("offset"), b.u32("size")
	}
	if x := u.opt("tex"); x.Exists() {
		t := u.members(x, "tex", -1)
		v.FirstLayer, v.LastLayer, v.Level = t.u32("first_layer"), t.u32("last_layer"), t.u8("level")
	}
}

// stageMethod returns the stage of methods that Mesa up to 10.0 had one of for
// each stage: bind_vertex_sampler_states, set_fragment_sampler_views.
func stageMethod(method string) (pipe.Stage, bool) {
	for _, s := range [...]pipe.Stage{pipe.Vertex, pipe.Geometry, pipe.Fragment, pipe.Compute} {
		if strings.Contains(method, "_"+s.String()+"_") {
			return s, true
		}
	}
	return 0, false
}

func decodeBindSamplers(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.bindSamplers)
	stage, ok := stageMethod(method)
	if !ok {
		stage, ok = f.stage(false)
	}
	c.Stage, c.Start = stage, f.opt32("start")
	f.opt("num_states")
	c.States = f.d.handles(f.get("states"), &f.d.scratch.handles)
	op.Call = c
	return ok
}

// maxSamplerViews is PIPE_MAX_SHADER_SAMPLER_VIEWS: the old calls without a
// first slot set all slots.
const maxSamplerViews = 128

// decodeSetSamplerViews reads a call that has lost the number of views in Mesa
// 26.
func decodeSetSamplerViews(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setSamplerViews)
	stage, old := stageMethod(method)
	ok := old
	if !old {
		stage, ok = f.stage(false)
	}
	c.Stage, c.Start = stage, f.opt32("start")
	num := f.opt("num")
	c.UnbindTrailing = f.opt32("unbind_num_trailing_slots")
	c.TakeOwnership = f.flag("take_ownership")
	c.Views = f.d.handles(f.get("views"), &f.d.scratch.handles)
	c.Count = uint32(len(c.Views))
	if num.Exists() {
		c.Count = uint32(f.fit(num, "num", 32))
	}
	if old {
		c.UnbindTrailing = maxSamplerViews - min(c.Count, maxSamplerViews)
	}
	op.Call = c
	return ok
}

func decodeCreateSamplerView(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createSamplerView)
	c.Resource = f.handle("resource")
	m, ok := f.structure("templ")
	v := &c.View
	v.Format = m.format("format")
	v.Target = enum(&m, m.opt("target"), "target", pipe.ParseTextureTarget)
	v.Texture = f.d.handle(m.opt("texture"))
	u := m.members(m.get("u"), "u", -1)
	if x := u.opt("buf"); x.Exists() {
		b := u.members(x, "buf", -1)
		v.IsBuffer, v.Offset, v.Size = true, b.opt32("offset"), b.opt32("size")
	}
	if x := u.opt("tex"); x.Exists() {
		t := u.members(x, "tex", -1)
		v.FirstLayer, v.LastLayer = t.u32("first_layer"), t.u32("last_layer")
		v.FirstLevel, v.LastLevel = t.u8("first_level"), t.u8("last_level")
	}
	v.SwizzleR, v.SwizzleG = m.u8("swizzle_r"), m.u8("swizzle_g")
	v.SwizzleB, v.SwizzleA = m.u8("swizzle_b"), m.u8("swizzle_a")
	op.Call = c
	return ok
}

func decodeDestroySamplerView(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.destroySamplerView)
	c.View = f.handle("view")
	if c.Release = method == "sampler_view_release"; c.Release {
		f.d.dialect.young()
	}
	op.Call = c
	return true
}

func decodeCreateSurface(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createSurface)
	c.Resource = f.handle("resource")
	m, ok := f.structure("surf_tmpl")
	m.surface(&c.Surface)
	op.Call = c
	return ok
}

// surface reads a pipe_surface, whose ranges lie in a union until Mesa 25.1.
func (f *fields) surface(s *pipe.Surface) {
	s.Format = f.format("format")
	s.Texture = f.d.handle(f.opt("texture"))
	s.Width, s.Height = uint16(f.fit(f.opt("width"), "width", 16)), uint16(f.fit(f.opt("height"), "height", 16))
	s.Target = enum(f, f.opt("target"), "target", pipe.ParseTextureTarget)
	t := *f
	if x := f.opt("u"); x.Exists() {
		u := f.members(x, "u", -1)
		if x := u.opt("buf"); x.Exists() {
			b := u.members(x, "buf", -1)
			s.IsBuffer, s.FirstElement, s.LastElement = true, b.u32("first_element"), b.u32("last_element")
		}
		t = u.members(u.opt("tex"), "tex", -1)
	}
	s.Level = uint8(t.fit(t.opt("level"), "level", 8))
	s.FirstLayer, s.LastLayer = t.opt32("first_layer"), t.opt32("last_layer")
}

func decodeDestroySurface(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.destroySurface)
	c.Surface = f.handle("surface")
	op.Call = c
	return true
}

// decodeSetFramebuffer reads set_framebuffer_state, and current_framebuffer_state
// with which traces made by trigger say what is bound already.
func decodeSetFramebuffer(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setFramebuffer)
	m, ok := f.structure("state")
	s := &c.State
	s.Width, s.Height = m.u16("width"), m.u16("height")
	s.Samples, s.Layers = uint8(m.fit(m.opt("samples"), "samples", 8)), uint16(m.fit(m.opt("layers"), "layers", 16))
	count := m.fit(m.get("nr_cbufs"), "nr_cbufs", 8)
	if x := m.opt("pls_enabled"); x.Exists() {
		s.PLSEnabled, _ = x.Bool()
		f.d.dialect.young()
	}
	s.Cbufs = structs(&m, m.get("cbufs"), "cbufs", &f.d.scratch.surfaces, surfaceRef)
	if uint64(len(s.Cbufs)) > count {
		s.Cbufs = s.Cbufs[:count]
	}
	z := m.get("zsbuf")
	inner := m.members(z, "zsbuf", -1)
	surfaceRef(&inner, z, &s.Zsbuf)
	op.Call = c
	return ok
}

// surfaceRef reads an attachment: NULL, a handle or a whole surface.
func surfaceRef(m *fields, x pipe.Value, r *pipe.SurfaceRef) {
	if x.Kind() == pipe.StructValue {
		r.Embedded = true
		m.surface(&r.Surface)
		return
	}
	r.Handle = m.d.handle(x)
}
