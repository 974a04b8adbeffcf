package dump

import (
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// Buffers follows what programs upload to buffers, as far as a trace tells it:
// what a device wrote, or a program through a mapping, is not known. It keeps
// all bytes of a run, so it is for those who ask for them.
type Buffers struct {
	of map[pipe.Handle]*bufferBytes
	// uploads is room for the bytes of one upload.
	upload []byte
}

// bufferBytes are the known bytes of a buffer.
type bufferBytes struct {
	pages map[uint64]*bufferPage
	// hidden: its memory is written by other ways than the trace tells.
	hidden bool
}

const pageBytes = 256

type bufferPage struct {
	bytes [pageBytes]byte
	known [pageBytes]bool
}

// See takes an operation into account. The machine has applied it.
func (b *Buffers) See(op *pipe.Op, m *state.Machine) {
	switch call := op.Call.(type) {
	case *pipe.NewWorld:
		b.of = nil
	case *pipe.ResourceCreate:
		if h := op.Ret.Handle; h != 0 {
			delete(b.of, h)
			if call.Variant != "" && call.Variant != "_drawable" {
				b.open(h).hidden = true // its memory comes from elsewhere
			}
		}
	case *pipe.BufferSubdata:
		b.upload, _ = call.Data.Append(b.upload[:0])
		if uint64(len(b.upload)) > uint64(call.Size) {
			b.upload = b.upload[:call.Size]
		}
		x := b.open(call.Resource)
		x.forget(uint64(call.Offset), uint64(call.Size))
		x.write(uint64(call.Offset), b.upload)
	case *pipe.TextureSubdata:
		delete(b.of, call.Resource)
	case *pipe.Map:
		b.mapped(call)
	case *pipe.ClearBuffer:
		b.forget(call.Resource, uint64(call.Offset), uint64(call.Size))
	case *pipe.InvalidateResource:
		b.forget(call.Resource, 0, 1<<32)
	case *pipe.ResourceCopyRegion:
		b.copy(call, m)
	case *pipe.ReplaceBufferStorage:
		if src := b.of[call.Src]; src != nil {
			b.open(call.Dst).pages = src.pages
			delete(b.of, call.Src)
		} else {
			delete(b.of, call.Dst)
		}
	case *pipe.GetQueryResultResource:
		b.forget(call.Resource, uint64(call.Offset), 16)
	default:
		b.written(op, m)
	}
}

// written forgets what shaders and stream output may have written.
func (b *Buffers) written(op *pipe.Op, m *state.Machine) {
	c := m.Context(op.Context)
	if c == nil {
		return
	}
	switch call := op.Call.(type) {
	case *pipe.Draw, *pipe.DrawVertexState:
		b.captured(c)
		for stage := range pipe.Stage(pipe.NumStages) {
			if stage != pipe.Compute {
				b.stored(c, stage)
			}
		}
	case *pipe.LaunchGrid:
		b.stored(c, pipe.Compute)
		if c.Rest["set_global_binding"] != nil {
			b.of = nil // the kernel has addresses of buffers
		}
	case *pipe.Other:
		if len(call.Method) > 5 && call.Method[:5] == "draw_" {
			b.captured(c)
			b.of = nil // what it does is not known
		}
	}
}

func (b *Buffers) captured(c *state.Context) {
	for i := range c.Targets {
		if t := c.Targets[i].Object; t != nil {
			b.forget(t.Resource, uint64(t.Offset), uint64(t.Size))
		} else if c.Targets[i].Handle != 0 {
			b.of = nil // a target of a buffer that is not known
		}
	}
}

// stored forgets what a stage may store to.
func (b *Buffers) stored(c *state.Context, stage pipe.Stage) {
	for i, s := range c.ShaderBuffers[stage] {
		if i >= 64 || c.ShaderBuffersWritable[stage]>>i&1 != 0 {
			b.forget(s.Resource, uint64(s.Offset), uint64(s.Size))
		}
	}
	for _, v := range c.Images[stage] {
		b.forget(v.Resource, 0, 1<<32)
	}
}

// mapped forgets what a program may write through a mapping. Where it is
// recorded, an upload follows at the unmap.
func (b *Buffers) mapped(call *pipe.Map) {
	if call.Texture || call.Usage&(pipe.MapWrite|pipe.MapUnknown) == 0 {
		return
	}
	if call.Usage&(pipe.MapPersistent|pipe.MapUnknown) != 0 {
		b.open(call.Resource).hidden = true
	}
	if call.Usage&pipe.MapDiscardWholeResource != 0 {
		b.forget(call.Resource, 0, 1<<32)
		return
	}
	b.forget(call.Resource, uint64(max(call.Box.X, 0)), uint64(max(call.Box.Width, 0)))
}

// copy copies what is known of one buffer to another.
func (b *Buffers) copy(call *pipe.ResourceCopyRegion, m *state.Machine) {
	if r := m.Resource(call.Dst); r != nil && r.Template.Target != pipe.Buffer {
		return
	}
	from, size := uint64(max(call.SrcBox.X, 0)), uint64(max(call.SrcBox.Width, 0))
	src := b.of[call.Src]
	type run struct {
		at   uint64
		data []byte
	}
	var runs []run
	src.runs(from, size, func(at uint64, data []byte) {
		runs = append(runs, run{at - from, append([]byte(nil), data...)})
	})
	dst := b.open(call.Dst)
	dst.forget(uint64(call.DstX), size)
	for _, r := range runs {
		dst.write(uint64(call.DstX)+r.at, r.data)
	}
}

func (b *Buffers) open(h pipe.Handle) *bufferBytes {
	if b.of == nil {
		b.of = map[pipe.Handle]*bufferBytes{}
	}
	if b.of[h] == nil {
		b.of[h] = &bufferBytes{}
	}
	return b.of[h]
}

func (b *Buffers) forget(h pipe.Handle, offset, size uint64) { b.of[h].forget(offset, size) }

// Known yields the runs of known bytes in a range of a buffer, in order. The
// bytes are valid until the next See.
func (b *Buffers) Known(h pipe.Handle, offset, size uint64, yield func(at uint64, data []byte)) {
	b.of[h].runs(offset, size, yield)
}

// Read returns size bytes of a buffer, and whether all of them are known.
func (b *Buffers) Read(h pipe.Handle, offset uint64, size int) (data []byte, ok bool) {
	b.Known(h, offset, uint64(size), func(at uint64, run []byte) {
		if at == offset+uint64(len(data)) {
			data = append(data, run...)
		}
	})
	return data, len(data) == size
}

func (x *bufferBytes) write(offset uint64, data []byte) {
	if x.pages == nil {
		x.pages = map[uint64]*bufferPage{}
	}
	for len(data) > 0 {
		at := offset % pageBytes
		page := x.pages[offset/pageBytes]
		if page == nil {
			page = &bufferPage{}
			x.pages[offset/pageBytes] = page
		}
		n := copy(page.bytes[at:], data)
		for i := range n {
			page.known[int(at)+i] = true
		}
		data, offset = data[n:], offset+uint64(n)
	}
}

// forget makes a range unknown.
func (x *bufferBytes) forget(offset, size uint64) {
	if x == nil {
		return
	}
	end := offset + size
	for _, number := range x.order(offset, size) {
		page, first := x.pages[number], number*pageBytes
		if offset <= first && first+pageBytes <= end {
			delete(x.pages, number)
			continue
		}
		for i := max(offset, first); i < min(end, first+pageBytes); i++ {
			page.known[i-first] = false
		}
	}
}

// order returns the numbers of the pages in a range, ascending.
func (x *bufferBytes) order(offset, size uint64) []uint64 {
	var list []uint64
	if size == 0 {
		return nil
	}
	first, last := offset/pageBytes, (offset+size-1)/pageBytes
	if last-first < uint64(len(x.pages)) {
		for number := first; number <= last; number++ {
			if x.pages[number] != nil {
				list = append(list, number)
			}
		}
		return list
	}
	for number := range x.pages {
		if number*pageBytes < offset+size && (number+1)*pageBytes > offset {
			list = append(list, number)
		}
	}
	slices.Sort(list)
	return list
}

// runs yields the known bytes of a range, as long as possible at a time.
func (x *bufferBytes) runs(offset, size uint64, yield func(at uint64, data []byte)) {
	if x == nil || x.hidden {
		return
	}
	var run []byte
	start := uint64(0)
	flush := func() {
		if len(run) > 0 {
			yield(start, run)
		}
		run = run[:0]
	}
	for _, number := range x.order(offset, size) {
		page := x.pages[number]
		for i := max(offset, number*pageBytes); i < min(offset+size, (number+1)*pageBytes); i++ {
			if !page.known[i%pageBytes] {
				flush()
				continue
			}
			if len(run) == 0 || start+uint64(len(run)) != i {
				flush()
				start = i
			}
			run = append(run, page.bytes[i%pageBytes])
		}
	}
	flush()
}
