package trace

import "github.com/outflow-gpu/outflow/pipe"

// oldQueryTypes are the query types as Mesa before 10.1 numbered them, which is
// the only one that wrote them as numbers.
var oldQueryTypes = [...]pipe.QueryType{
	pipe.QueryOcclusionCounter, pipe.QueryOcclusionPredicate, pipe.QueryTimestamp, pipe.QueryTimestampDisjoint,
	pipe.QueryTimeElapsed, pipe.QueryPrimitivesGenerated, pipe.QueryPrimitivesEmitted, pipe.QueryStreamOutputStatistics,
	pipe.QueryStreamOutputOverflow, pipe.QueryGPUFinished, pipe.QueryPipelineStatistics,
}

func decodeCreateQuery(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createQuery)
	x := f.get("query_type")
	switch x.Kind() {
	case pipe.EnumValue:
		t, ok := pipe.ParseQueryType(f.d.intern(x.RawText()))
		if !ok {
			t = pipe.QueryInvalid
		}
		c.Type = t
	default:
		c.Type = pipe.QueryInvalid
		if n, ok := x.Uint(); ok && n < uint64(len(oldQueryTypes)) {
			c.Type = oldQueryTypes[n]
		}
	}
	c.Index = f.opt32("index")
	op.Call = c
	return true
}

func decodeDestroyQuery(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.destroyQuery)
	c.Query = f.handle("query")
	op.Call = c
	return true
}

func decodeBeginQuery(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.beginQuery)
	c.Query = f.handle("query")
	op.Call = c
	return true
}

func decodeEndQuery(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.endQuery)
	c.Query = f.handle("query")
	op.Call = c
	return true
}

// decodeGetQueryResult reads a result. Before Mesa 10.1 the call does not say of
// which query, so it stays what it is.
func decodeGetQueryResult(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.getQueryResult)
	query := f.opt("query")
	if !query.Exists() {
		return false
	}
	c.Query = f.d.handle(query)
	c.Wait = f.flag("wait")
	op.Call = c
	if x := f.get("result"); op.Ret.Value != 0 {
		op.Ret.Query = queryValue(x)
	}
	return true
}

func queryValue(x pipe.Value) pipe.QueryValue {
	switch x.Kind() {
	case pipe.BoolValue, pipe.UintValue, pipe.IntValue:
		v, ok := anyNumber(x)
		return pipe.QueryValue{Known: ok, Value: v}
	case pipe.StructValue:
		written, ok := anyNumber(x.Member("num_primitives_written"))
		needed, both := anyNumber(x.Member("primitives_storage_needed"))
		if !ok || !both {
			return pipe.QueryValue{Known: true, Composite: true}
		}
		return pipe.QueryValue{Known: true, Value: written, Needed: needed}
	}
	return pipe.QueryValue{}
}

// decodeQueryResultResource reads a call whose flags Mesa spells with the names
// of query types, so that 0 to 3 look like the first four of those.
func decodeQueryResultResource(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.queryResultResource)
	c.Query = f.handle("query")
	if x := f.opt("flags"); x.Kind() == pipe.EnumValue {
		switch name := f.d.intern(x.RawText()); name {
		case "PIPE_QUERY_WAIT":
			c.Flags = 1
		case "PIPE_QUERY_PARTIAL":
			c.Flags = 2
		default:
			t, _ := pipe.ParseQueryType(name)
			c.Flags = uint32(t)
		}
	} else {
		c.Flags = uint32(f.fit(x, "flags", 32))
	}
	if f.flag("wait") {
		c.Flags |= 1
	}
	c.ResultType = f.u32("result_type")
	c.Index = f.i32("index")
	c.Resource = f.handle("resource")
	c.Offset = f.u32("offset")
	op.Call = c
	return true
}

func decodeRenderCondition(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.renderCondition)
	c.Query = f.handle("query")
	c.Condition = f.flag("condition")
	c.Mode = f.u32("mode")
	op.Call = c
	return true
}

func decodeSetActiveQueryState(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.setActiveQueryState)
	c.Enable, _ = f.get("enable").Bool()
	op.Call = c
	return true
}
