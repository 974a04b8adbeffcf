package trace

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// recalled is what a Decoder made of a call that stands in the trace many times.
// It owns its memory: what a driver does to an operation does not come back.
type recalled struct {
	by              *Decoder // another one may lack the room that copyList needs to keep an empty list from being nil
	call            pipe.Call
	screen, context pipe.Handle
	ret             *pipe.Result // nil for nothing
	before, after   learned
	values          bool // the call refers to its values, so that it is another one each time
}

// learned is what a kept call can depend on or change of the dialect. The rest is
// index buffers, with which nothing is kept or recalled (Mesa before 17.2), and
// which resources are buffers, which only uploads ask; those are not kept.
type learned struct {
	order                 stageOrder
	tessellation, numbers bool
}

func (t *dialect) learned() learned { return learned{t.order, t.tessellation, t.numbers} }

// recall makes op what was made of an equal call.
func (d *Decoder) recall(rec *Record, op *pipe.Op) bool {
	if rec.repeat == nil || len(d.dialect.index) > 0 {
		return false
	}
	k := rec.repeat.decoded.Load()
	if k == nil || k.by != d || k.before != d.dialect.learned() {
		return false
	}
	op.Screen, op.Context = k.screen, k.context
	if k.ret != nil {
		op.Ret = *k.ret
	}
	if op.Call = k.call; !d.Lend || k.values {
		op.Call = d.copyOf(k.call, false)
	}
	t := &d.dialect
	t.order, t.tessellation, t.numbers = k.after.order, k.after.tessellation, k.after.numbers
	return true
}

// remember keeps what was made of a call, if it comes again.
func (d *Decoder) remember(rec *Record, op *pipe.Op, before learned) {
	if rec.repeat == nil || len(d.dialect.index) > 0 || len(d.raw.Misfits) > 0 || d.problem != "" || d.raw.StreamOutput != nil {
		return
	}
	call := d.copyOf(op.Call, true)
	if call == nil {
		return
	}
	_, values := call.(*pipe.Other)
	k := &recalled{by: d, call: call, values: values, screen: op.Screen, context: op.Context, before: before, after: d.dialect.learned()}
	if (op.Ret != pipe.Result{}) {
		ret := op.Ret
		k.ret = &ret
	}
	rec.repeat.decoded.Store(k)
}

// copyOf returns a copy of a call: one that lasts, which owns its memory, or one in
// the Decoder's own memory. It is nil for calls that seldom come twice.
func (d *Decoder) copyOf(call pipe.Call, lasts bool) pipe.Call {
	own, room := &d.calls, &d.scratch
	switch c := call.(type) {
	case *pipe.Draw:
		k := copyTo(c, &own.draw, lasts)
		k.Draws, k.Indirect = copyList(c.Draws, &room.ranges, lasts), copyTo(c.Indirect, &room.indirect, lasts)
		return k
	case *pipe.SetVertexBuffers:
		k := copyTo(c, &own.setVertexBuffers, lasts)
		k.Buffers = copyList(c.Buffers, &room.buffers, lasts)
		return k
	case *pipe.SetConstantBuffer:
		k := copyTo(c, &own.setConstantBuffer, lasts)
		k.Buffer = copyTo(c.Buffer, &room.constants, lasts)
		return k
	case *pipe.SetStreamOutputTargets:
		k := copyTo(c, &own.setTargets, lasts)
		k.Targets, k.Offsets = copyList(c.Targets, &room.handles, lasts), copyList(c.Offsets, &room.offsets, lasts)
		return k
	case *pipe.SetSamplerViews:
		k := copyTo(c, &own.setSamplerViews, lasts)
		k.Views = copyList(c.Views, &room.handles, lasts)
		return k
	case *pipe.BindSamplers:
		k := copyTo(c, &own.bindSamplers, lasts)
		k.States = copyList(c.States, &room.handles, lasts)
		return k
	case *pipe.Clear:
		k := copyTo(c, &own.clear, lasts)
		k.Scissor, k.Color = copyTo(c.Scissor, &room.scissor, lasts), copyTo(c.Color, &room.color, lasts)
		return k
	case *pipe.BindState:
		if c.Inline != nil {
			return nil
		}
		return copyTo(c, &own.bindState, lasts)
	case *pipe.BeginQuery:
		return copyTo(c, &own.beginQuery, lasts)
	case *pipe.EndQuery:
		return copyTo(c, &own.endQuery, lasts)
	case *pipe.GetParam:
		return copyTo(c, &own.getParam, lasts)
	case *pipe.GetQueryResult:
		return copyTo(c, &own.getQueryResult, lasts)
	case *pipe.Flush:
		return copyTo(c, &own.flush, lasts)
	case *pipe.Map:
		return copyTo(c, &own.mapping, lasts)
	case *pipe.FlushRegion:
		return copyTo(c, &own.flushRegion, lasts)
	case *pipe.Unmap:
		return copyTo(c, &own.unmap, lasts)
	case *pipe.ResourceRelease:
		return copyTo(c, &own.resourceRelease, lasts)
	case *pipe.Other:
		k := copyTo(c, &own.other, lasts)
		k.Values = nil
		if !lasts {
			k.Values = d.values // of the call at hand
		}
		return k
	}
	return nil
}

// copyTo copies what c points to, nil to nil: into own, or to where it lasts.
func copyTo[T any](c, own *T, lasts bool) *T {
	switch {
	case c == nil:
		return nil
	case lasts:
		own = new(T)
	}
	*own = *c
	return own
}

// copyList copies a list, nil to nil: into room, or to where it lasts.
func copyList[T any](from []T, room *[]T, lasts bool) []T {
	switch {
	case from == nil:
		return nil
	case lasts:
		return slices.Clone(from)
	}
	*room = append((*room)[:0], from...)
	return *room
}
