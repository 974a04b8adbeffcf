package trace

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// recalled is what a Decoder made of a call that stands in the trace many times.
// It owns its memory: what a driver does to an operation does not come back.
type recalled struct {
	of            *repeat
	before, after learned
	op            pipe.Op // without what is the record's own
}

// learned is what of the dialect a call that is kept can depend on and change.
// None is kept that reads or writes the rest, which is empty for traces of
// Mesa 17.2 and later but for buffers, and that are of uploads alone.
type learned struct {
	order                 stageOrder
	tessellation, numbers bool
}

func (t *dialect) learned() learned { return learned{t.order, t.tessellation, t.numbers} }

const decodedSlots = 1 << 12

// recall makes op what was made of an equal call.
func (d *Decoder) recall(rec *Record, op *pipe.Op) bool {
	if rec.repeat == nil || d.decoded == nil || len(d.dialect.index) > 0 {
		return false
	}
	k := d.decoded[rec.repeat.hash%decodedSlots]
	if k == nil || k.of != rec.repeat || k.before != d.dialect.learned() {
		return false
	}
	op.Screen, op.Context, op.Ret = k.op.Screen, k.op.Context, k.op.Ret
	op.Call = d.again(k.op.Call)
	t := &d.dialect
	t.order, t.tessellation, t.numbers = k.after.order, k.after.tessellation, k.after.numbers
	return true
}

// remember keeps what was made of a call, if it comes again.
func (d *Decoder) remember(rec *Record, op *pipe.Op, before learned) {
	if rec.repeat == nil || len(d.dialect.index) > 0 || len(d.raw.Misfits) > 0 || d.problem != "" || d.raw.StreamOutput != nil {
		return
	}
	call := lasting(op.Call)
	if call == nil {
		return
	}
	if d.decoded == nil {
		d.decoded = make([]*recalled, decodedSlots)
	}
	k := &recalled{of: rec.repeat, before: before, after: d.dialect.learned()}
	k.op.Screen, k.op.Context, k.op.Ret, k.op.Call = op.Screen, op.Context, op.Ret, call
	d.decoded[rec.repeat.hash%decodedSlots] = k
}

// lasting returns a copy of a call that owns its memory, nil for calls that seldom
// come twice.
func lasting(call pipe.Call) pipe.Call {
	switch c := call.(type) {
	case *pipe.Draw:
		k := *c
		k.Draws, k.Indirect = slices.Clone(c.Draws), copied(c.Indirect)
		return &k
	case *pipe.SetVertexBuffers:
		k := *c
		k.Buffers = slices.Clone(c.Buffers)
		return &k
	case *pipe.SetConstantBuffer:
		k := *c
		k.Buffer = copied(c.Buffer)
		return &k
	case *pipe.SetStreamOutputTargets:
		k := *c
		k.Targets, k.Offsets = slices.Clone(c.Targets), slices.Clone(c.Offsets)
		return &k
	case *pipe.SetSamplerViews:
		k := *c
		k.Views = slices.Clone(c.Views)
		return &k
	case *pipe.BindSamplers:
		k := *c
		k.States = slices.Clone(c.States)
		return &k
	case *pipe.BindState:
		if c.Inline != nil {
			return nil
		}
		return copied(c)
	case *pipe.BeginQuery:
		return copied(c)
	case *pipe.EndQuery:
		return copied(c)
	case *pipe.Map:
		return copied(c)
	case *pipe.FlushRegion:
		return copied(c)
	case *pipe.Unmap:
		return copied(c)
	case *pipe.ResourceRelease:
		return copied(c)
	case *pipe.Other:
		return copied(c)
	}
	return nil
}

// again returns a kept call in the Decoder's own memory.
func (d *Decoder) again(call pipe.Call) pipe.Call {
	own := &d.calls
	switch c := call.(type) {
	case *pipe.Draw:
		own.draw = *c
		own.draw.Draws = refill(&d.scratch.ranges, c.Draws)
		if c.Indirect != nil {
			d.scratch.indirect = *c.Indirect
			own.draw.Indirect = &d.scratch.indirect
		}
		return &own.draw
	case *pipe.SetVertexBuffers:
		own.setVertexBuffers = *c
		own.setVertexBuffers.Buffers = refill(&d.scratch.buffers, c.Buffers)
		return &own.setVertexBuffers
	case *pipe.SetConstantBuffer:
		own.setConstantBuffer = *c
		if c.Buffer != nil {
			d.scratch.constants = *c.Buffer
			own.setConstantBuffer.Buffer = &d.scratch.constants
		}
		return &own.setConstantBuffer
	case *pipe.SetStreamOutputTargets:
		own.setTargets = *c
		own.setTargets.Targets = refill(&d.scratch.handles, c.Targets)
		own.setTargets.Offsets = refill(&d.scratch.offsets, c.Offsets)
		return &own.setTargets
	case *pipe.SetSamplerViews:
		own.setSamplerViews = *c
		own.setSamplerViews.Views = refill(&d.scratch.handles, c.Views)
		return &own.setSamplerViews
	case *pipe.BindSamplers:
		own.bindSamplers = *c
		own.bindSamplers.States = refill(&d.scratch.handles, c.States)
		return &own.bindSamplers
	case *pipe.Other:
		own.other = pipe.Other{Class: c.Class, Method: c.Method, Values: d.values}
		return &own.other
	}
	return d.againFlat(call)
}

// againFlat is again for calls that refer to no other memory.
func (d *Decoder) againFlat(call pipe.Call) pipe.Call {
	own := &d.calls
	switch c := call.(type) {
	case *pipe.BindState:
		own.bindState = *c
		return &own.bindState
	case *pipe.BeginQuery:
		own.beginQuery = *c
		return &own.beginQuery
	case *pipe.EndQuery:
		own.endQuery = *c
		return &own.endQuery
	case *pipe.Map:
		own.mapping = *c
		return &own.mapping
	case *pipe.FlushRegion:
		own.flushRegion = *c
		return &own.flushRegion
	case *pipe.Unmap:
		own.unmap = *c
		return &own.unmap
	case *pipe.ResourceRelease:
		own.resourceRelease = *c
		return &own.resourceRelease
	}
	panic("trace: a call was kept that cannot be made again")
}

func copied[T any](c *T) *T {
	if c == nil {
		return nil
	}
	k := *c
	return &k
}

// refill copies a list into room, nil as nil.
func refill[T any](room *[]T, list []T) []T {
	if list == nil {
		return nil
	}
	*room = append((*room)[:0], list...)
	return *room
}
