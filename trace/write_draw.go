package trace

import "github.com/outflow-gpu/outflow/pipe"

// drawArgs writes draws, clears, and what waits for them or counts them.
func (e *encoder) drawArgs(op *pipe.Op) {
	switch c := op.Call.(type) {
	case *pipe.Draw:
		e.draw(c)
	case *pipe.DrawVertexState:
		e.drawVertexState(c)
	case *pipe.LaunchGrid:
		e.arg("info")
		e.gridInfo(&c.Info, kept(op).Arg("info"))
		e.endArg()
	case *pipe.Clear:
		e.clear(c)
	case *pipe.Flush:
		e.argUint("flags", c.Flags)
	case *pipe.GetQueryResultResource:
		e.queryResultResource(c)
	case *pipe.RenderCondition:
		e.argPtr("query", c.Query)
		e.argBool("condition", c.Condition)
		e.argUint("mode", c.Mode)
	case *pipe.SetActiveQueryState:
		e.argBool("enable", c.Enable)
	case *pipe.MemoryBarrier:
		e.argUint("flags", c.Flags)
	}
}

func (e *encoder) draw(c *pipe.Draw) {
	e.arg("info")
	e.drawInfo(&c.Info)
	e.endArg()
	e.argInt("drawid_offset", int64(c.DrawIDOffset))
	e.arg("indirect")
	e.drawIndirect(c.Indirect)
	e.endArg()
	e.arg("draws")
	list(e, c.Draws, (*encoder).drawRange)
	e.endArg()
	e.argUint("num_draws", c.NumDraws)
}

func (e *encoder) drawInfo(i *pipe.DrawInfo) {
	e.begin("pipe_draw_info")
	e.uintMember("index_size", uint32(i.IndexSize))
	e.asUint("has_user_indices", i.HasUserIndices)
	e.uintMember("mode", uint32(i.Mode))
	e.uintMember("start_instance", i.StartInstance)
	e.uintMember("instance_count", i.InstanceCount)
	if i.VerticesPerPatch != 0 {
		// Only Mesa up to 21.2 has it; without it the patches were others.
		e.uintMember("vertices_per_patch", uint32(i.VerticesPerPatch))
	}
	e.uintMember("min_index", i.MinIndex)
	e.uintMember("max_index", i.MaxIndex)
	e.boolMember("primitive_restart", i.PrimitiveRestart)
	e.uintMember("restart_index", i.RestartIndex)
	e.ptrMember("index.resource", i.Index)
	e.end()
}

func (e *encoder) drawIndirect(i *pipe.DrawIndirect) {
	if i == nil {
		e.null()
		return
	}
	e.begin("pipe_draw_indirect_info")
	e.uintMember("offset", i.Offset)
	e.uintMember("stride", i.Stride)
	e.uintMember("draw_count", i.DrawCount)
	e.uintMember("indirect_draw_count_offset", i.CountOffset)
	e.ptrMember("buffer", i.Buffer)
	e.ptrMember("indirect_draw_count", i.Count)
	e.ptrMember("count_from_stream_output", i.CountFromStreamOutput)
	e.end()
}

// drawRange leaves the index bias out where 26.2 does.
func (e *encoder) drawRange(r *pipe.DrawRange) {
	e.begin("pipe_draw_start_count_bias")
	e.uintMember("start", r.Start)
	e.uintMember("count", r.Count)
	if r.HasIndexBias || e.dialect < Mesa26_2 {
		e.intMember("index_bias", int64(r.IndexBias))
	}
	e.end()
}

func (e *encoder) drawVertexState(c *pipe.DrawVertexState) {
	e.argPtr("state", c.State)
	e.argUint("partial_velem_mask", c.PartialMask)
	e.arg("info")
	e.begin("pipe_draw_vertex_state_info")
	e.uintMember("mode", uint32(c.Mode))
	e.asUint("take_vertex_state_ownership", c.TakeOwnership)
	e.end()
	e.endArg()
	e.arg("draws")
	list(e, c.Draws, (*encoder).drawRange)
	e.endArg()
	e.argUint("num_draws", c.NumDraws)
}

// gridInfo writes a pipe_grid_info, which each dialect has other members of.
func (e *encoder) gridInfo(g *pipe.GridInfo, was pipe.Value) {
	e.begin("pipe_grid_info")
	if e.dialect < Mesa26_2 {
		e.member("pc")
		e.keptUint(was.Member("pc"))
		e.endMember()
		e.member("input")
		e.value(was.Member("input"))
		e.endMember()
	}
	if e.dialect > Mesa22_3 {
		e.uintMember("variable_shared_mem", g.VariableSharedMem)
	}
	e.member("block")
	e.uints(g.Block[:])
	e.endMember()
	e.member("grid")
	e.uints(g.Grid[:])
	e.endMember()
	e.ptrMember("indirect", g.Indirect)
	e.uintMember("indirect_offset", g.IndirectOffset)
	if e.dialect >= Mesa26_2 {
		e.member("draw_count")
		e.keptUint(was.Member("draw_count"))
		e.endMember()
		e.member("indirect_draw_count_offset")
		e.keptUint(was.Member("indirect_draw_count_offset"))
		e.endMember()
		e.member("indirect_draw_count")
		e.value(was.Member("indirect_draw_count"))
		e.endMember()
		e.member("globals")
		e.value(was.Member("globals"))
		e.endMember()
	}
	e.end()
}

// clear names a colour that is NULL; Mesa leaves the argument out and writes
// NULL between the others, where its own tools stop.
func (e *encoder) clear(c *pipe.Clear) {
	e.argUint("buffers", c.Buffers)
	if e.dialect >= Mesa26_2 {
		e.argUint("color_clear_mask", c.ColorClearMask)
		e.argUint("stencil_clear_mask", uint32(c.StencilClearMask))
	}
	e.arg("scissor_state")
	if c.Scissor == nil {
		e.null()
	} else {
		e.scissor(c.Scissor)
	}
	e.endArg()
	e.arg("color->ui")
	if c.Color == nil {
		e.null()
	} else {
		e.uints(c.Color[:])
	}
	e.endArg()
	e.arg("depth")
	e.float(c.Depth)
	e.endArg()
	e.argUint("stencil", c.Stencil)
}

// queryResultResource writes a call whose flags Mesa spells as query types, and
// whose index of -1 has 64 bits.
func (e *encoder) queryResultResource(c *pipe.GetQueryResultResource) {
	e.argPtr("query", c.Query)
	e.argEnum("flags", queryName(pipe.QueryType(c.Flags)))
	e.argUint("result_type", c.ResultType)
	e.arg("index")
	e.uint(uint64(int64(c.Index)))
	e.endArg()
	e.argPtr("resource", c.Resource)
	e.argUint("offset", c.Offset)
}
