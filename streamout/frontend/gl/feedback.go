package gl

import (
	"github.com/outflow-gpu/outflow/pipe"
)

// TransformFeedback is a transform feedback object: the buffers it captures to,
// and how far it got.
type TransformFeedback struct {
	active, paused, ended bool
	deleted               bool
	mode                  pipe.PrimitiveType
	program               *LinkedProgram
	ranges                [pipe.MaxStreamOutputBuffers]bufferRange
	targets               [pipe.MaxStreamOutputBuffers]target // of the last Begin
	// counts are the targets that tell how many vertices of a stream were written.
	counts [pipe.MaxVertexStreams]pipe.Handle
}

// bufferRange is what is bound to an index; size 0 is up to the buffer's end.
type bufferRange struct {
	buffer       *Buffer
	offset, size uint32 // bytes
}

// target is a target of Gallium, and what it was made of.
type target struct {
	handle pipe.Handle
	of     bufferRange
}

// bytes is how much of the buffer is captured to: whole dwords.
func (r *bufferRange) bytes() uint32 {
	if r.offset >= r.buffer.size {
		return 0
	}
	size := r.buffer.size - r.offset
	if r.size != 0 {
		size = min(size, r.size)
	}
	return size &^ 3
}

// CreateTransformFeedback makes an object.
func (t *Tracker) CreateTransformFeedback() *TransformFeedback { return &TransformFeedback{} }

// BindTransformFeedback makes an object current; nil is the standard one.
func (t *Tracker) BindTransformFeedback(f *TransformFeedback) error {
	const call = "glBindTransformFeedback"
	if f == nil {
		f = t.standard
	}
	switch {
	case t.bound.active && !t.bound.paused:
		return refuse(InvalidOperation, call, "the current object is active and not paused")
	case f.deleted:
		return refuse(InvalidOperation, call, "the object is deleted")
	}
	t.bound = f
	return nil
}

// DeleteTransformFeedback deletes an object; the current one gives way to the
// standard one.
func (t *Tracker) DeleteTransformFeedback(f *TransformFeedback) error {
	const call = "glDeleteTransformFeedbacks"
	switch {
	case f == nil || f.deleted || f == t.standard:
		return nil
	case f.active:
		return refuse(InvalidOperation, call, "the object is active")
	}
	f.deleted = true
	if t.bound == f {
		t.bound = t.standard
	}
	for i := range f.targets {
		if err := t.drop(&f.targets[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tracker) drop(of *target) error {
	h := of.handle
	*of = target{}
	if h == 0 {
		return nil
	}
	return t.ctx.DestroyStreamOutputTarget(h)
}

// BindBufferBase binds a whole buffer to an index of the current object; nil
// unbinds.
func (t *Tracker) BindBufferBase(index int, b *Buffer) error {
	return t.bindBuffer("glBindBufferBase", index, bufferRange{buffer: b})
}

// BindBufferRange binds size bytes of a buffer from offset on.
func (t *Tracker) BindBufferRange(index int, b *Buffer, offset, size int64) error {
	const call = "glBindBufferRange"
	switch {
	case size <= 0:
		return refuse(InvalidValue, call, "size is %d", size)
	case offset < 0 || offset%4 != 0 || size%4 != 0:
		return refuse(InvalidValue, call, "offset %d and size %d are no multiples of 4", offset, size)
	case offset > 1<<32-1 || size > 1<<32-1:
		return refuse(InvalidValue, call, "offset %d and size %d are beyond any buffer", offset, size)
	}
	return t.bindBuffer(call, index, bufferRange{b, uint32(offset), uint32(size)})
}

func (t *Tracker) bindBuffer(call string, index int, r bufferRange) error {
	switch {
	case t.bound.active:
		return refuse(InvalidOperation, call, "transform feedback is active")
	case index < 0 || index >= min(t.limits.Buffers, len(t.bound.ranges)):
		return refuse(InvalidValue, call, "index is %d, at most %d", index, t.limits.Buffers-1)
	}
	t.bound.ranges[index] = r
	return nil
}

// Begin starts capturing primitives of a mode: points, lines or triangles.
func (t *Tracker) Begin(mode pipe.PrimitiveType) error {
	const call = "glBeginTransformFeedback"
	f, p := t.bound, t.program
	switch {
	case mode != pipe.Points && mode != pipe.Lines && mode != pipe.Triangles:
		return refuse(InvalidEnum, call, "mode is %s", mode)
	case f.active:
		return refuse(InvalidOperation, call, "already active")
	case p == nil:
		return refuse(InvalidOperation, call, "no program is current")
	case p.Buffers == 0:
		return refuse(InvalidOperation, call, "the program has no varyings to record")
	}
	for i := range f.ranges {
		if p.Buffers>>i&1 != 0 && (f.ranges[i].buffer == nil || f.ranges[i].bytes() == 0) {
			return refuse(InvalidOperation, call, "no buffer is bound to index %d", i)
		}
	}
	if err := t.makeTargets(f, p); err != nil {
		return err
	}
	if err := t.setTargets(f, 0); err != nil {
		return err
	}
	f.active, f.paused, f.mode, f.program = true, false, mode, p
	p.users++
	return nil
}

// makeTargets makes the targets that a program needs. One of the last time is
// kept when it is of the same range.
func (t *Tracker) makeTargets(f *TransformFeedback, p *LinkedProgram) error {
	for i := range f.targets {
		to := &f.targets[i]
		needed := p.Buffers>>i&1 != 0
		if to.handle != 0 && needed && to.of == f.ranges[i] {
			continue
		}
		if err := t.drop(to); err != nil {
			return err
		}
		if !needed {
			continue
		}
		r := f.ranges[i]
		h, err := t.ctx.CreateStreamOutputTarget(r.buffer.handle, r.offset, r.bytes())
		if err != nil {
			return err
		}
		*to = target{h, r}
	}
	f.counts = [pipe.MaxVertexStreams]pipe.Handle{}
	return nil
}

// setTargets binds the targets of an object, all with one offset.
func (t *Tracker) setTargets(f *TransformFeedback, offset uint32) error {
	var targets []pipe.Handle
	var offsets []uint32
	for i := range f.targets {
		if f.targets[i].handle != 0 {
			for len(targets) <= i {
				targets, offsets = append(targets, 0), append(offsets, offset)
			}
			targets[i] = f.targets[i].handle
		}
	}
	return t.ctx.SetStreamOutputTargets(targets, offsets)
}

// Pause stops capturing until Resume.
func (t *Tracker) Pause() error {
	f := t.bound
	if !f.active || f.paused {
		return refuse(InvalidOperation, "glPauseTransformFeedback", "not active, or paused")
	}
	f.paused = true
	return t.ctx.SetStreamOutputTargets(nil, nil)
}

// Resume goes on where Pause stopped.
func (t *Tracker) Resume() error {
	const call = "glResumeTransformFeedback"
	f := t.bound
	switch {
	case !f.active || !f.paused:
		return refuse(InvalidOperation, call, "not active, or not paused")
	case f.program != t.program:
		return refuse(InvalidOperation, call, "another program is current than at Begin")
	}
	f.paused = false
	return t.setTargets(f, pipe.AppendOffset)
}

// End stops capturing. How much was written stays known to the object.
func (t *Tracker) End() error {
	f := t.bound
	if !f.active {
		return refuse(InvalidOperation, "glEndTransformFeedback", "not active")
	}
	if !f.paused {
		if err := t.ctx.SetStreamOutputTargets(nil, nil); err != nil {
			return err
		}
	}
	for _, o := range f.program.Info.Outputs() {
		if s := o.Stream(); f.counts[s] == 0 {
			f.counts[s] = f.targets[o.Buffer()].handle
		}
	}
	f.program.users--
	f.active, f.paused, f.ended, f.program = false, false, true, nil
	return nil
}
