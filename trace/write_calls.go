package trace

import "github.com/outflow-gpu/outflow/pipe"

// args writes the arguments of a call, the object it is a method of first.
func (e *encoder) args(op *pipe.Op) {
	if op.Raw != nil && len(op.Raw.Misfits) > 0 {
		// Its type cannot hold what the call says.
		class, _ := op.Call.Name()
		e.other(class, op.Raw.Values, op)
		return
	}
	switch c := op.Call.(type) {
	case *pipe.Other:
		e.other(c.Class, c.Values, op)
	case *pipe.ScreenCreate:
	case *pipe.ScreenDestroy, *pipe.GetName:
		e.argPtr("screen", op.Screen)
	case *pipe.GetParam:
		e.argPtr("screen", op.Screen)
		e.arg("param")
		e.word(c.Param)
		e.endArg()
	case *pipe.ContextCreate:
		e.argPtr("screen", op.Screen)
		e.argPtr("priv", c.Priv)
		e.argUint("flags", c.Flags)
	case *pipe.ResourceCreate:
		e.argPtr("screen", op.Screen)
		e.resourceCreate(c, op)
	case *pipe.ResourceDestroy:
		e.argPtr("screen", op.Screen)
		e.argPtr("resource", c.Resource)
	default:
		e.argPtr(contextName(op.Call), op.Context)
		if !e.objectArgs(op) && !e.bindingArgs(op) && !e.resourceArgs(op) {
			e.drawArgs(op)
		}
	}
}

// contextName is what Mesa calls the context that a call is a method of.
func contextName(c pipe.Call) string {
	switch c.(type) {
	case *pipe.BufferSubdata, *pipe.TextureSubdata, *pipe.Unmap, *pipe.MemoryBarrier, *pipe.RenderCondition, *pipe.SetPatchVertices,
		*pipe.SetShaderBuffers, *pipe.SetShaderImages, *pipe.SetTessState, *pipe.InvalidateResource:
		return "context"
	}
	return "pipe"
}

// objectArgs writes calls that make, bind and end state objects, targets and
// queries. It returns false for others.
func (e *encoder) objectArgs(op *pipe.Op) bool {
	switch c := op.Call.(type) {
	case *pipe.CreateShader:
		e.shaderState(&c.State, op)
	case *pipe.CreateCompute:
		e.computeState(&c.State, op)
	case *pipe.CreateRasterizer:
		e.arg("state")
		e.rasterizer(&c.State)
		e.endArg()
	case *pipe.CreateDepthStencilAlpha:
		e.arg("state")
		e.depthStencilAlpha(&c.State)
		e.endArg()
	case *pipe.CreateBlend:
		e.arg("state")
		e.blend(&c.State)
		e.endArg()
	case *pipe.CreateSampler:
		e.arg("state")
		e.sampler(&c.State)
		e.endArg()
	case *pipe.CreateVertexElements:
		e.argUint("num_elements", uint32(len(c.Elements)))
		e.arg("elements")
		list(e, c.Elements, (*encoder).vertexElement)
		e.endArg()
	case *pipe.BindState:
		e.bindState(c)
	case *pipe.DeleteState:
		e.argPtr("state", c.State)
	case *pipe.CreateStreamOutputTarget:
		e.argPtr("res", c.Resource)
		e.argUint("buffer_offset", c.BufferOffset)
		e.argUint("buffer_size", c.BufferSize)
	case *pipe.DestroyStreamOutputTarget:
		e.argPtr("target", c.Target)
	case *pipe.CreateQuery:
		e.argEnum("query_type", queryName(c.Type))
		e.argInt("index", int64(c.Index))
	case *pipe.DestroyQuery:
		e.argPtr("query", c.Query)
	case *pipe.BeginQuery:
		e.argPtr("query", c.Query)
	case *pipe.EndQuery:
		e.argPtr("query", c.Query)
	case *pipe.CreateSamplerView:
		e.argPtr("resource", c.Resource)
		e.arg("templ")
		e.samplerView(&c.View)
		e.endArg()
	case *pipe.DestroySamplerView:
		e.argPtr("view", c.View)
	case *pipe.CreateSurface:
		e.argPtr("resource", c.Resource)
		e.arg("surf_tmpl")
		e.surface(&c.Surface)
		e.endArg()
	case *pipe.DestroySurface:
		e.argPtr("surface", c.Surface)
	default:
		return false
	}
	return true
}

// queryName is how Mesa spells a query type, those that it has no name for too.
func queryName(t pipe.QueryType) string {
	if t > pipe.QueryPipelineStatisticsSingle {
		t = pipe.QueryInvalid
	}
	return t.String()
}

// bindState writes a bind: of a handle, or in traces made by trigger of the
// state itself.
func (e *encoder) bindState(c *pipe.BindState) {
	if c.Inline == nil {
		e.argPtr("state", c.State)
		return
	}
	e.arg("he->data")
	switch s := c.Inline.(type) {
	case *pipe.BlendState:
		e.blend(s)
	case *pipe.RasterizerState:
		e.rasterizer(s)
	case *pipe.DepthStencilAlphaState:
		e.depthStencilAlpha(s)
	default:
		e.null()
	}
	e.endArg()
}

// result writes what a call returned.
func (e *encoder) result(op *pipe.Op) {
	switch op.Call.(type) {
	case *pipe.Other:
		e.otherResult(op)
		return
	case *pipe.GetParam:
		if op.Ret.Known {
			e.raw("\t\t<ret>")
			e.int(int64(op.Ret.Value))
			e.raw("</ret>\n")
		}
		return
	case *pipe.GetName:
		e.raw("\t\t<ret><string>")
		e.escape(op.Ret.Text)
		e.raw("</string></ret>\n")
		return
	case *pipe.GetQueryResult:
		e.raw("\t\t<ret>")
		e.bool(op.Ret.Value != 0)
		e.raw("</ret>\n")
		return
	case *pipe.Flush:
		// Only who asked for a fence gets one.
		if op.Ret.Handle == 0 {
			return
		}
	case *pipe.Map:
	default:
		if !pipe.Creates(op.Call) {
			return
		}
	}
	e.unbackedSize(op)
	e.ret(op.Ret.Handle)
}

func (e *encoder) ret(h pipe.Handle) {
	e.raw("\t\t<ret>")
	e.ptr(h)
	e.raw("</ret>\n")
}

// otherResult writes what a call without a type returned: as it was read or,
// live, a handle or a number.
func (e *encoder) otherResult(op *pipe.Op) {
	switch {
	case e.rets(op.Call.(*pipe.Other).Values):
	case op.Ret.Handle != 0:
		e.ret(op.Ret.Handle)
	case op.Ret.Value != 0:
		e.raw("\t\t<ret>")
		e.uint(op.Ret.Value)
		e.raw("</ret>\n")
	}
}

// unbackedSize writes the bytes that a resource without memory needs, which Mesa
// returns before the resource.
func (e *encoder) unbackedSize(op *pipe.Op) {
	c, ok := op.Call.(*pipe.ResourceCreate)
	if !ok || c.Variant != "_unbacked" {
		return
	}
	size := op.Ret.Value
	for x := kept(op).First(); x.Exists(); x = x.Next() {
		if x.Role() == pipe.RetRole && x.Kind() == pipe.UintValue {
			size, _ = x.Uint()
			break
		}
	}
	e.raw("\t\t<ret>")
	e.uint(size)
	e.raw("</ret>\n")
}

// lateArgs writes the calls of knownLate.
func (e *encoder) lateArgs(op *pipe.Op, queries map[pipe.Handle]pipe.QueryType) {
	if op.Raw != nil && len(op.Raw.Misfits) > 0 {
		e.args(op)
		return
	}
	e.argPtr("pipe", op.Context)
	switch c := op.Call.(type) {
	case *pipe.Map:
		e.argPtr("resource", c.Resource)
		e.argUint("level", c.Level)
		e.usage(c.Usage, op)
		e.arg("box")
		e.box(&c.Box)
		e.endArg()
		e.argPtr("xfer", c.Transfer)
	case *pipe.GetQueryResult:
		e.argPtr("query", c.Query)
		e.argBool("wait", c.Wait)
		e.arg("result")
		kind, known := queries[c.Query]
		e.queryResult(op, kind, known)
		e.endArg()
	}
}

// queryResult writes the result of a query in the form of its type.
func (e *encoder) queryResult(op *pipe.Op, t pipe.QueryType, known bool) {
	q, was := op.Ret.Query, kept(op).Arg("result")
	switch {
	case op.Ret.Value == 0 || !q.Known:
		e.null()
	case q.Composite:
		e.value(was)
	case t == pipe.QueryStreamOutputStatistics, !known && was.Kind() == pipe.StructValue:
		e.begin("pipe_query_data_so_statistics")
		e.member("num_primitives_written")
		e.uint(q.Value)
		e.endMember()
		e.member("primitives_storage_needed")
		e.uint(q.Needed)
		e.endMember()
		e.end()
	case known && isPredicate(t), !known && was.Kind() == pipe.BoolValue:
		e.bool(q.Value != 0)
	default:
		e.uint(q.Value)
	}
}

// isPredicate says whether the result of a query is true or false.
func isPredicate(t pipe.QueryType) bool {
	switch t {
	case pipe.QueryOcclusionPredicate, pipe.QueryOcclusionPredicateConservative,
		pipe.QueryStreamOutputOverflow, pipe.QueryStreamOutputOverflowAny, pipe.QueryGPUFinished:
		return true
	}
	return false
}
