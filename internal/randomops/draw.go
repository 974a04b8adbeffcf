package randomops

import "github.com/outflow-gpu/outflow/pipe"

// maxVertices is how many vertices a draw has at most.
const maxVertices = 12

// drawSomething draws without capture.
func (x *context) drawSomething() {
	if x.r.IntN(3) == 0 {
		x.bindRandom()
	}
	x.draw(x.mode())
}

// draw draws in one of the ways there are.
func (x *context) draw(mode pipe.PrimitiveType) {
	info := pipe.DrawInfo{Mode: mode, InstanceCount: 1 + uint32(x.r.IntN(2)), MaxIndex: 1<<32 - 1}
	ranges := make([]pipe.DrawRange, 1+x.r.IntN(2))
	for i := range ranges {
		ranges[i] = pipe.DrawRange{Start: uint32(x.r.IntN(8)), Count: 3 * uint32(1+x.r.IntN(maxVertices/3))}
	}
	switch x.r.IntN(4) {
	case 0:
		info.IndexSize, info.Index = 2, x.indices
		ranges[0].IndexBias, ranges[0].HasIndexBias = int32(x.r.IntN(3)), true
		if x.r.IntN(3) == 0 {
			info.PrimitiveRestart, info.RestartIndex = true, 0xFFFF
		}
	case 1:
		info.StartInstance = uint32(x.r.IntN(3))
	}
	x.note(x.Draw(&info, ranges...))
}

// written returns the most bytes that a draw writes to slot b: strips and fans
// come out as lists, patches and geometry shaders make more than they get.
func (x *context) written(b int) int {
	const ranges, instances = 2, 2
	return ranges * instances * 3 * maxVertices * x.session.shader.stride[b]
}

// drawCapturing draws while targets are bound, as long as there is room.
func (x *context) drawCapturing() {
	for b, t := range x.slots {
		if t != nil && t.filled+x.written(b) > targetSize {
			x.unbindTargets()
			return
		}
	}
	if x.r.IntN(12) == 0 {
		x.note(x.drawIndirect())
		// How much that writes is for the device to know.
		x.captured(targetSize)
		return
	}
	x.draw(x.session.mode)
	x.captured(0)
}

// captured records that a draw wrote the bound targets, and at least so many bytes.
func (x *context) captured(least int) {
	s := x.session.shader
	for b, t := range x.slots {
		if t != nil {
			t.filled += max(least, x.written(b))
			t.drawn, t.stride, t.stream = true, s.stride[b], s.stream[b]
		}
	}
}

func (x *context) drawIndirect() error {
	_, err := x.Do(&pipe.Draw{Info: pipe.DrawInfo{Mode: x.session.mode, InstanceCount: 1, MaxIndex: 1<<32 - 1},
		Indirect: &pipe.DrawIndirect{Buffer: x.indirect, Stride: 16, DrawCount: 1}, Draws: []pipe.DrawRange{{}}, NumDraws: 1})
	return err
}

// drawCaptured draws what a target holds, as many vertices as were written.
func (x *context) drawCaptured() {
	t := oneOf(x.r, x.targets...)
	if !t.drawn {
		return
	}
	x.bindDrawing(x.pick(pipe.Vertex), nil, nil)
	x.note(x.Bind(pipe.KindVertexElements, x.stridedElements(t.stride)))
	x.note(x.SetVertexBuffers(pipe.VertexBuffer{Resource: t.buffer}))
	x.note(x.DrawAuto(pipe.Triangles, 1, t.handle))
	x.bindVertices()
}

// queried counts a few draws.
func (x *context) queried() {
	typ := oneOf(x.r, pipe.QueryPrimitivesGenerated, pipe.QueryPrimitivesEmitted, pipe.QueryStreamOutputStatistics,
		pipe.QueryStreamOutputOverflow, pipe.QueryStreamOutputOverflowAny, pipe.QueryOcclusionCounter)
	h := x.made(x.CreateQuery(typ, 0))
	x.note(x.BeginQuery(h))
	for range x.r.IntN(3) {
		x.drawCapturing()
		if x.session == nil {
			break
		}
	}
	if x.r.IntN(4) == 0 {
		x.call(&pipe.SetActiveQueryState{Enable: false})
		x.harmless()
		x.call(&pipe.SetActiveQueryState{Enable: true})
	}
	x.note(x.EndQuery(h))
	x.queries = append(x.queries, &query{handle: h, typ: typ})
	if x.r.IntN(3) == 0 && x.session != nil && typ == pipe.QueryOcclusionCounter {
		x.call(&pipe.RenderCondition{Query: h, Mode: 0})
		x.drawCapturing()
		x.call(&pipe.RenderCondition{})
	}
}

// readQuery reads a query and lets go of it.
func (x *context) readQuery() {
	if len(x.queries) == 0 {
		return
	}
	q := x.queries[0]
	x.queries = x.queries[1:]
	x.call(&pipe.GetQueryResult{Query: q.handle, Wait: true})
	if x.r.IntN(3) == 0 {
		x.call(&pipe.GetQueryResultResource{Query: q.handle, Flags: 1, ResultType: 3, Resource: x.storage, Offset: 8})
	}
	x.note(x.DestroyQuery(q.handle))
}
