package streamout

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// maxLoose is how many pages are kept of buffers that no target was made of: an
// upload may turn out to be of a buffer that is captured into later, or of
// indices, but a long trace uploads more than can be kept.
const maxLoose = 16 << 20 / pageSize

// maxKept is how many pages are kept of buffers that targets were made of, when
// no values are captured: few traces tell that a buffer went away.
const maxKept = 32 << 20 / pageSize

// content is what is known of a buffer.
type content struct {
	memory
	targeted bool // a target was made of it
	captured bool // a draw may have captured into it
	volatile bool // it was mapped for good: its bytes change unseen
	explicit bool // it is mapped, and not all of the map need be written
}

// contents are the buffers of a run.
type contents struct {
	machine *state.Machine
	of      map[*state.Resource]*content
	bounded bool // only so much is kept of the buffers of targets
	kept    int  // pages of those
	loose   int  // pages of all others
	global  bool // kernels have addresses of buffers, and may write any
	scratch []byte
}

// find returns the content of a buffer, nil when nothing is known of it.
func (c *contents) find(h pipe.Handle) *content { return c.of[c.machine.Resource(h)] }

// open returns the content of a buffer, made when it is not there; nil for a
// resource that is not known.
func (c *contents) open(h pipe.Handle) *content {
	r := c.machine.Resource(h)
	if r == nil {
		return nil
	}
	if c.of[r] == nil {
		c.of[r] = &content{}
	}
	return c.of[r]
}

// drop forgets a buffer.
func (c *contents) drop(r *state.Resource) {
	if x := c.of[r]; x != nil {
		*c.account(x) -= len(x.pages)
	}
	delete(c.of, r)
}

// target says that a target was made of a buffer, whose bytes are now kept.
func (c *contents) target(h pipe.Handle) {
	if x := c.open(h); x != nil && !x.targeted {
		c.loose -= len(x.pages)
		x.targeted = true
		c.kept += len(x.pages)
	}
}

// account is where a buffer's pages are counted.
func (c *contents) account(x *content) *int {
	if x.targeted {
		return &c.kept
	}
	return &c.loose
}

// learn writes the bytes that an upload brings.
func (c *contents) learn(call *pipe.BufferSubdata) {
	x := c.open(call.Resource)
	if x == nil {
		return
	}
	data, err := call.Data.Append(c.scratch[:0])
	c.scratch = data
	if err != nil || uint64(len(data)) != uint64(call.Size) || x.volatile || x.explicit && call.Synthetic {
		x.forget(uint64(call.Offset), uint64(call.Size))
		return
	}
	c.change(x, func() { x.write(uint64(call.Offset), data) })
}

// change keeps the account of pages while f writes, and forgets what is too much.
func (c *contents) change(x *content, f func()) {
	before := len(x.pages)
	f()
	*c.account(x) += len(x.pages) - before
	if c.loose > maxLoose {
		c.forgetAll(false)
	}
	if c.bounded && c.kept > maxKept {
		c.forgetAll(true)
	}
}

// forget makes a range of a buffer unknown.
func (c *contents) forget(h pipe.Handle, offset, size uint64) {
	if x := c.find(h); x != nil {
		x.forget(offset, size)
	}
}

const whole = 1 << 63

// apply follows an operation that changes what is in buffers, other than a draw.
func (c *contents) apply(op *pipe.Op, ctx *state.Context) {
	switch call := op.Call.(type) {
	case *pipe.BufferSubdata:
		c.learn(call)
	case *pipe.ClearBuffer:
		c.forget(call.Resource, uint64(call.Offset), uint64(call.Size))
	case *pipe.ResourceCopyRegion:
		c.copy(call)
	case *pipe.InvalidateResource:
		c.forget(call.Resource, 0, whole)
	case *pipe.ReplaceBufferStorage:
		if dst, src := c.open(call.Dst), c.open(call.Src); dst != nil && src != nil {
			dst.forget(0, whole)
			c.change(dst, func() { dst.copyFrom(0, &src.memory, 0, whole) })
		}
	case *pipe.Map:
		c.mapped(call)
	case *pipe.GetQueryResultResource:
		c.forget(call.Resource, uint64(call.Offset), 16)
	case *pipe.LaunchGrid:
		c.written(ctx)
		if c.global {
			c.forgetAll(false)
			c.forgetAll(true)
		}
	case *pipe.Other:
		c.global = c.global || strings.HasPrefix(call.Method, "set_global_binding")
	}
}

// forgetAll forgets all buffers that targets were made of, or all others.
func (c *contents) forgetAll(targeted bool) {
	for _, x := range c.of {
		if x.targeted == targeted {
			*c.account(x) -= len(x.pages)
			x.memory = memory{}
		}
	}
}

func (c *contents) copy(call *pipe.ResourceCopyRegion) {
	dst := c.open(call.Dst)
	if dst == nil || call.SrcBox.Width <= 0 || call.SrcBox.X < 0 {
		return
	}
	if src := c.find(call.Src); src != nil && !dst.volatile {
		c.change(dst, func() {
			dst.copyFrom(uint64(call.DstX), &src.memory, uint64(call.SrcBox.X), uint64(call.SrcBox.Width))
		})
		return
	}
	dst.forget(uint64(call.DstX), uint64(call.SrcBox.Width))
}

// mapped takes a map for writing: what is written is told by a synthetic upload
// when the map ends, if at all.
func (c *contents) mapped(call *pipe.Map) {
	const lasting = pipe.MapPersistent | pipe.MapCoherent
	if call.Texture || call.Usage&pipe.MapWrite == 0 && call.Usage&pipe.MapUnknown == 0 {
		return
	}
	x := c.open(call.Resource)
	if x == nil {
		return
	}
	x.explicit = call.Usage&pipe.MapFlushExplicit != 0
	switch {
	case call.Usage&lasting != 0:
		x.forget(0, whole)
		x.volatile = true
	case call.Usage&(pipe.MapDiscardWholeResource|pipe.MapUnknown) != 0:
		x.forget(0, whole)
	case call.Box.X >= 0 && call.Box.Width > 0:
		x.forget(uint64(call.Box.X), uint64(call.Box.Width))
	}
}

// written forgets what shaders can write through their bindings.
func (c *contents) written(ctx *state.Context) {
	if ctx == nil {
		return
	}
	const writes = 1 << 1 // PIPE_IMAGE_ACCESS_WRITE
	for stage := range ctx.ShaderBuffers {
		for i, b := range ctx.ShaderBuffers[stage] {
			if b.Resource != 0 && (i >= 64 || ctx.ShaderBuffersWritable[stage]>>i&1 != 0) {
				c.forget(b.Resource, uint64(b.Offset), uint64(b.Size))
			}
		}
		for _, i := range ctx.Images[stage] {
			if i.Resource != 0 && i.Access&writes != 0 {
				c.forget(i.Resource, 0, whole)
			}
		}
	}
}
