package trace

import (
	"math"

	"github.com/outflow-gpu/outflow/pipe"
)

func decodeCreateTarget(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createTarget)
	c.Resource = f.handle("res")
	c.BufferOffset, c.BufferSize = f.u32("buffer_offset"), f.u32("buffer_size")
	op.Call = c
	return true
}

func decodeDestroyTarget(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.destroyTarget)
	c.Target = f.handle("target")
	op.Call = c
	return true
}

// decodeSetTargets reads set_stream_output_targets. Up to Mesa 10.1 a mask says
// which targets go on where they stopped; the others begin at their start.
func decodeSetTargets(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setTargets)
	c.NumTargets = f.u32("num_targets")
	c.Targets = f.d.handles(f.get("tgs"), &f.d.scratch.handles)
	if mask := f.opt("append_bitmask"); mask.Exists() {
		c.Offsets = f.maskOffsets(f.d.number(mask), len(c.Targets))
	} else {
		c.Offsets = f.targetOffsets(f.get("offsets"))
	}
	c.OutputPrim = pipe.PrimitiveUnknown
	if x := f.opt("output_prim"); x.Exists() {
		c.OutputPrim = enum(&f, x, "output_prim", pipe.ParsePrimitiveType)
		f.d.dialect.young()
	}
	op.Call = c
	return true
}

func (f *fields) maskOffsets(mask uint64, targets int) []uint32 {
	if f.d.scratch.offsets == nil {
		f.d.scratch.offsets = make([]uint32, 0, pipe.MaxStreamOutputBuffers)
	}
	list := f.d.scratch.offsets[:0]
	for i := range targets {
		offset := uint32(0)
		if i < 64 && mask>>i&1 != 0 {
			offset = pipe.AppendOffset
		}
		list = append(list, offset)
	}
	f.d.scratch.offsets = list
	return list
}

// targetOffsets reads offsets in bytes. That to append is written in 32 or in
// 64 bits.
func (f *fields) targetOffsets(x pipe.Value) []uint32 {
	if x.Kind() != pipe.ArrayValue {
		return nil
	}
	if f.d.scratch.offsets == nil {
		f.d.scratch.offsets = make([]uint32, 0, pipe.MaxStreamOutputBuffers)
	}
	list := f.d.scratch.offsets[:0]
	for c := x.First(); c.Exists(); c = c.Next() {
		v := f.d.number(c)
		switch {
		case v == math.MaxUint64:
			v = pipe.AppendOffset
		case v > math.MaxUint32:
			f.misfit("offsets", len(list), v, 32)
			v = 0
		}
		list = append(list, uint32(v))
	}
	f.d.scratch.offsets = list
	return list
}

// decodeDraw reads draw_vbo. Until Mesa 20 the one range and what makes a draw
// indirect are members of info; Mesa 21.0 writes the ranges without a name.
func decodeDraw(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.draw)
	op.Call = c
	info, ok := f.structure("info")
	if !ok {
		return false
	}
	indexed := f.drawInfo(&info, &c.Info)
	if x := f.opt("drawid_offset"); x.Exists() {
		c.DrawIDOffset = uint32(f.fit(x, "drawid_offset", 32))
		f.drawLists(c)
		return true
	}
	if count := info.opt("count"); count.Exists() {
		f.d.singleDraw(&info, count, c)
	} else {
		f.drawLists(c)
		info.commonBias(c.Draws)
	}
	if indexed {
		f.d.dialect.indexedDraw(op.Context, c)
	}
	if info.opt("vertices_per_patch").Exists() || info.opt("index_size").Exists() {
		f.d.dialect.tessellation = true
	}
	return true
}

// drawInfo reads the members that all ages have. It tells whether the draw is
// indexed without saying by what.
func (f *fields) drawInfo(m *fields, i *pipe.DrawInfo) (indexed bool) {
	i.IndexSize = uint8(m.fit(m.opt("index_size"), "index_size", 8))
	indexed = i.IndexSize == 0 && m.flagIfThere("indexed")
	i.HasUserIndices = m.flag("has_user_indices")
	i.Mode = enum(m, m.get("mode"), "mode", pipe.ParsePrimitiveType)
	i.StartInstance, i.InstanceCount = m.u32("start_instance"), m.u32("instance_count")
	i.MinIndex, i.MaxIndex = m.u32("min_index"), m.u32("max_index")
	i.PrimitiveRestart = m.flag("primitive_restart")
	i.RestartIndex = m.opt32("restart_index")
	i.Index = f.d.handle(m.opt("index.resource"))
	i.VerticesPerPatch = uint8(m.fit(m.opt("vertices_per_patch"), "vertices_per_patch", 8))
	return indexed
}

// flagIfThere is flag for a member that new traces lack and that stands first:
// it looks at no other.
func (f *fields) flagIfThere(name string) bool {
	b, _ := f.first.Bool()
	return b && f.first.IsNamed(name)
}

// drawLists reads the arguments of Mesa 21 and later.
func (f *fields) drawLists(c *pipe.Draw) {
	if x := f.opt("indirect"); x.Kind() == pipe.StructValue {
		m := f.members(x, "indirect", -1)
		c.Indirect = m.drawIndirect(reset(&f.d.scratch.indirect))
	}
	draws := f.opt("draws")
	if !draws.Exists() {
		draws = f.bare(pipe.ArrayValue)
	}
	if !draws.Exists() {
		draws = f.get("draws")
	}
	c.Draws = structs(f, draws, "draws", &f.d.scratch.ranges, drawRange)
	c.NumDraws = f.u32("num_draws")
}

// commonBias reads the one index_bias for all ranges of Mesa 21.0 and 21.1.
func (f *fields) commonBias(draws []pipe.DrawRange) {
	x := f.opt("index_bias")
	if !x.Exists() {
		return
	}
	b := f.signed(x, "index_bias")
	for i := range draws {
		draws[i].IndexBias, draws[i].HasIndexBias = b, true
	}
}

func drawRange(m *fields, _ pipe.Value, r *pipe.DrawRange) {
	r.Start, r.Count = m.u32("start"), m.u32("count")
	if x := m.opt("index_bias"); x.Exists() {
		r.IndexBias, r.HasIndexBias = m.signed(x, "index_bias"), true
	}
}

func (f *fields) drawIndirect(i *pipe.DrawIndirect) *pipe.DrawIndirect {
	i.Offset, i.Stride = f.u32("offset"), f.u32("stride")
	i.DrawCount, i.CountOffset = f.u32("draw_count"), f.u32("indirect_draw_count_offset")
	i.Buffer, i.Count = f.handle("buffer"), f.handle("indirect_draw_count")
	i.CountFromStreamOutput = f.handle("count_from_stream_output")
	return i
}

// singleDraw reads what Mesa up to 20 has in info.
func (d *Decoder) singleDraw(m *fields, count pipe.Value, c *pipe.Draw) {
	if d.scratch.ranges == nil {
		d.scratch.ranges = make([]pipe.DrawRange, 0, 4)
	}
	d.scratch.ranges = append(d.scratch.ranges[:0], pipe.DrawRange{
		Start: m.u32("start"), Count: uint32(m.fit(count, "count", 32)),
		IndexBias: m.i32("index_bias"), HasIndexBias: true,
	})
	c.Draws, c.NumDraws = d.scratch.ranges, 1
	target := m.handle("count_from_stream_output")
	buffer := m.handle("indirect")
	if inner := m.opt("indirect->buffer"); inner.Exists() {
		i := reset(&d.scratch.indirect)
		i.Offset, i.Stride = m.u32("indirect->offset"), m.u32("indirect->stride")
		i.DrawCount, i.CountOffset = m.u32("indirect->draw_count"), m.u32("indirect->indirect_draw_count_offset")
		i.Buffer = d.handle(inner)
		i.Count = m.handle("indirect->indirect_draw_count")
		i.CountFromStreamOutput = target
		c.Indirect = i
	} else if buffer != 0 || target != 0 {
		i := reset(&d.scratch.indirect)
		i.CountFromStreamOutput = target
		if i.Buffer = buffer; buffer != 0 {
			// Mesa 10.3 to 17.1 do not write how many: at first it was always one.
			i.Offset, i.DrawCount = m.opt32("indirect_offset"), 1
		}
		c.Indirect = i
	}
}

// indexedDraw gives an indexed draw of Mesa up to 17.1 the index buffer that was
// set before. Without one, indices are taken for 32 bits at an unknown place.
func (t *dialect) indexedDraw(context pipe.Handle, c *pipe.Draw) {
	ib := t.index[context]
	if ib.size == 0 {
		c.Info.IndexSize = 4
		return
	}
	c.Info.IndexSize = ib.size
	if ib.offset%uint32(ib.size) != 0 {
		return
	}
	c.Info.Index, c.Info.HasUserIndices = ib.buffer, ib.user
	for i := range c.Draws {
		c.Draws[i].Start += ib.offset / uint32(ib.size)
	}
}

func decodeDrawVertexState(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.drawVertexState)
	c.State = f.handle("state")
	c.PartialMask = f.u32("partial_velem_mask")
	m, ok := f.structure("info")
	c.Mode = enum(&m, m.get("mode"), "mode", pipe.ParsePrimitiveType)
	c.TakeOwnership = m.flag("take_vertex_state_ownership")
	c.Draws = structs(&f, f.get("draws"), "draws", &f.d.scratch.ranges, drawRange)
	c.NumDraws = f.u32("num_draws")
	op.Call = c
	return ok
}

func decodeLaunchGrid(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.launchGrid)
	m, ok := f.structure("info")
	c.Info.VariableSharedMem = m.opt32("variable_shared_mem")
	m.triple("block", &c.Info.Block)
	m.triple("grid", &c.Info.Grid)
	c.Info.Indirect = m.handle("indirect")
	c.Info.IndirectOffset = m.opt32("indirect_offset")
	op.Call = c
	return ok
}

func (f *fields) triple(name string, to *[3]uint32) {
	c := f.get(name).First()
	for i := range to {
		to[i] = uint32(f.fit(c, name, 32))
		c = c.Next()
	}
}

// decodeClear reads clear, whose colour has had four names and stood without
// one when NULL.
func decodeClear(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.clear)
	c.Buffers = f.u32("buffers")
	if x := f.opt("color_clear_mask"); x.Exists() {
		f.d.dialect.young()
		c.ColorClearMask = uint32(f.fit(x, "color_clear_mask", 32))
		c.StencilClearMask = uint8(f.fit(f.opt("stencil_clear_mask"), "stencil_clear_mask", 8))
	}
	if x := f.opt("scissor_state"); x.Kind() == pipe.StructValue {
		m := f.members(x, "scissor_state", -1)
		c.Scissor = m.scissor(reset(&f.d.scratch.scissor))
	}
	for _, name := range [...]string{"color->ui", "color.ui", "color", "color->f"} {
		if x := f.opt(name); x.Exists() {
			c.Color = f.clearColor(x)
			break
		}
	}
	depth, _ := f.get("depth").Float()
	c.Depth = depth
	c.Stencil = f.u32("stencil")
	op.Call = c
	return true
}

// clearColor reads a colour written as bits, or as floats.
func (f *fields) clearColor(x pipe.Value) *[4]uint32 {
	if x.Kind() != pipe.ArrayValue {
		return nil
	}
	color, e := reset(&f.d.scratch.color), x.First()
	for i := range color {
		if e.Kind() == pipe.FloatValue {
			v, _ := e.Float()
			color[i] = math.Float32bits(float32(v))
		} else {
			color[i] = uint32(f.fit(e, "color", 32))
		}
		e = e.Next()
	}
	return color
}

func decodeFlush(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.flush)
	c.Flags = f.opt32("flags")
	op.Call = c
	return true
}
