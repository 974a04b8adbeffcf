package trace

import "github.com/outflow-gpu/outflow/pipe"

func decodeSetTessState(f fields, _ string, op *pipe.Op) bool {
	f.d.dialect.tessellation = true
	c := reset(&f.d.calls.setTessState)
	floats(f.get("default_outer_level"), c.Outer[:])
	floats(f.get("default_inner_level"), c.Inner[:])
	op.Call = c
	return true
}

func decodeSetPatchVertices(f fields, _ string, op *pipe.Op) bool {
	f.d.dialect.tessellation = true
	c := reset(&f.d.calls.setPatchVertices)
	c.Vertices = f.u32("patch_vertices")
	op.Call = c
	return true
}

// decodeSetViewports reads set_viewport_states, and the one viewport that Mesa
// up to 9.1 has.
func decodeSetViewports(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setViewports)
	x, name := f.slots(method == "set_viewport_state", "num_viewports", &c.Start, &c.Count)
	if x.Kind() == pipe.StructValue {
		m := f.members(x, name, -1)
		f.d.scratch.viewports = append(f.d.scratch.viewports[:0], pipe.Viewport{})
		viewport(&m, x, &f.d.scratch.viewports[0])
		c.Viewports = f.d.scratch.viewports
	} else {
		c.Viewports = structs(&f, x, name, &f.d.scratch.viewports, viewport)
	}
	op.Call = c
	return true
}

// slots reads the range that a call sets, and returns what it sets it to: in
// most traces the first element alone.
func (f *fields) slots(single bool, num string, start, count *uint32) (x pipe.Value, name string) {
	if single {
		*count = 1
		return f.get("state"), "state"
	}
	*start, *count = f.u32("start_slot"), f.u32(num)
	return f.get("states"), "states"
}

func viewport(m *fields, _ pipe.Value, v *pipe.Viewport) {
	floats(m.get("scale"), v.Scale[:])
	floats(m.get("translate"), v.Translate[:])
}

func decodeSetScissors(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setScissors)
	x, name := f.slots(method == "set_scissor_state", "num_scissors", &c.Start, &c.Count)
	if x.Kind() == pipe.StructValue {
		m := f.members(x, name, -1)
		f.d.scratch.scissors = append(f.d.scratch.scissors[:0], pipe.Scissor{})
		m.scissor(&f.d.scratch.scissors[0])
		c.Scissors = f.d.scratch.scissors
	} else {
		c.Scissors = structs(&f, x, name, &f.d.scratch.scissors,
			func(m *fields, _ pipe.Value, s *pipe.Scissor) { m.scissor(s) })
	}
	op.Call = c
	return true
}

func (f *fields) scissor(s *pipe.Scissor) *pipe.Scissor {
	s.MinX, s.MinY, s.MaxX, s.MaxY = f.u16("minx"), f.u16("miny"), f.u16("maxx"), f.u16("maxy")
	return s
}

func decodeSetBlendColor(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setBlendColor)
	m, ok := f.structure("state")
	floats(m.get("color"), c.Color[:])
	op.Call = c
	return ok
}

func decodeSetStencilRef(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setStencilRef)
	m := f.members(either(f.opt("&state"), f.opt("state")), "state", -1)
	e := m.get("ref_value").First()
	for i := range c.Ref {
		c.Ref[i] = uint8(m.fit(e, "ref_value", 8))
		e = e.Next()
	}
	op.Call = c
	return true
}

func decodeSetSampleMask(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setSampleMask)
	c.Mask = f.u32("sample_mask")
	op.Call = c
	return true
}

func decodeSetMinSamples(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setMinSamples)
	c.Samples = f.u32("min_samples")
	op.Call = c
	return true
}

func decodeMemoryBarrier(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.memoryBarrier)
	c.Flags = f.u32("flags")
	op.Call = c
	return true
}
