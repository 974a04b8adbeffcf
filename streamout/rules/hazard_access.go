package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// access is what an operation outside of a draw does to a buffer: bytes begin to
// end, without end.
type access struct {
	path, words string
	resource    pipe.Handle
	begin, end  uint64
	// unsynchronized is a write of the CPU that waits for nothing.
	unsynchronized bool
}

const wholeResource = 1 << 33

// accesses returns what an operation does, at most two ranges.
func accesses(call pipe.Call) (a [2]access, n int) {
	switch c := call.(type) {
	case *pipe.Map:
		if c.Texture || c.Box.X < 0 || c.Box.Width < 0 {
			return a, 0
		}
		write := c.Usage&pipe.MapUnknown == 0 && c.Usage&pipe.MapWrite != 0
		a[0] = access{"box", "maps", c.Resource, uint64(c.Box.X), uint64(c.Box.X) + uint64(c.Box.Width), write && c.Usage&pipe.MapUnsynchronized != 0}
		if write {
			a[0].words = "maps for writing"
		}
		return a, 1
	case *pipe.BufferSubdata:
		if c.Synthetic {
			return a, 0
		}
		a[0] = access{"offset", "writes", c.Resource, uint64(c.Offset), uint64(c.Offset) + uint64(c.Size), c.Usage&pipe.MapUnsynchronized != 0}
		return a, 1
	case *pipe.ClearBuffer:
		a[0] = access{"offset", "clears", c.Resource, uint64(c.Offset), uint64(c.Offset) + uint64(c.Size), false}
		return a, 1
	case *pipe.ResourceCopyRegion:
		x, width := uint64(max(c.SrcBox.X, 0)), uint64(max(c.SrcBox.Width, 0))
		a[0] = access{"dstx", "copies to", c.Dst, uint64(c.DstX), uint64(c.DstX) + width, false}
		a[1] = access{"src_box", "copies from", c.Src, x, x + width, false}
		return a, 2
	case *pipe.InvalidateResource:
		a[0] = access{"resource", "invalidates", c.Resource, 0, wholeResource, false}
		return a, 1
	case *pipe.ReplaceBufferStorage:
		a[0] = access{"dst", "replaces the storage of", c.Dst, 0, wholeResource, false}
		return a, 1
	case *pipe.GetQueryResultResource:
		a[0] = access{"offset", "writes a query result to", c.Resource, uint64(c.Offset), uint64(c.Offset) + 8, false}
		if c.ResultType < 2 { // PIPE_QUERY_TYPE_I32, PIPE_QUERY_TYPE_U32
			a[0].end -= 4
		}
		return a, 1
	}
	return a, 0
}

func soMapWhileBound() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-map-while-bound",
		Title:    "a target that is read or written otherwise while it is captured into",
		Severity: streamout.Warning,
		Order:    true,
		Condition: "bytes of a bound target that the last vertex stage writes are mapped, written, copied, cleared or invalidated; an error " +
			"for an unsynchronized write after a draw has captured into it",
		Why: "llvmpipe keeps a pointer into the buffer from the bind on; other drivers stall until the capture is done, or race " +
			"with it when the write is unsynchronized",
		Fix:     "unbind the targets first",
		Sources: []string{"src/gallium/drivers/llvmpipe/lp_state_so.c: llvmpipe_set_so_targets", "OpenGL 4.6 6.3: restrictions of mapped buffers"},
		On:      streamout.OnAccess,
		Check: func(v *streamout.View) {
			if v.Context == nil || v.Reported("so-resource-invalidated") {
				return
			}
			s := v.Capturing
			if s == nil {
				return
			}
			ranges, n := accesses(v.Op.Call)
			for i := range ranges[:n] {
				reportAccess(v, s.Buffers, &ranges[i])
			}
		},
		Bad: play(func(s *scene) {
			buffer := s.buffer(256)
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.target(buffer, 64, 192))
			s.draw(pipe.Points, 3)
			s.do(&pipe.BufferSubdata{Resource: buffer, Offset: 64, Size: 16, Data: pipe.Blob{}})
		}),
		Good: play(func(s *scene) {
			buffer := s.buffer(256)
			s.vs(strides{4}, out(0, 0, 4, 0, 0, 0))
			s.set(0, s.target(buffer, 64, 192))
			s.draw(pipe.Points, 3)
			s.do(&pipe.BufferSubdata{Resource: buffer, Offset: 0, Size: 64, Data: pipe.Blob{}})
		}),
	}
}

func reportAccess(v *streamout.View, used uint8, a *access) {
	if a.begin >= a.end {
		return
	}
	m := memory{resource: a.resource, begin: a.begin, end: a.end}
	b, shared := hazardOf(v.Context, used, &m)
	if b < 0 || !shared {
		return
	}
	t := v.Context.Targets[b].Object
	severity := streamout.Warning
	unsynchronized := ""
	if a.unsynchronized && v.Context.Session.Draws > 0 {
		severity, unsynchronized = streamout.Error, " without waiting"
	}
	bytes := inRange(a.begin, a.end)
	if a.end == wholeResource {
		bytes = "the whole"
	}
	v.ReportAs(severity, a.path, "the call %s %s of a buffer%s, of which %s captures into bytes %d to %d", a.words, bytes, unsynchronized,
		called(&t.Object), t.Offset, uint64(t.Offset)+uint64(t.Size)-1).InBuffer(b).With(v.Context.TargetsSet, "%s was bound here", called(&t.Object))
}
