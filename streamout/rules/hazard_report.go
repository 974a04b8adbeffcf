package rules

import (
	"fmt"

	"github.com/outflow-gpu/outflow/streamout"
)

// memoryWords are a binding's path and words by memoryKind.
var memoryWords = [...]struct{ path, words string }{
	vertexBuffers:  {"vertex_buffers[%d]", "vertex buffer %d"},
	indexBuffer:    {"info.index", "the index buffer"},
	indirectBuffer: {"indirect.buffer", "the indirect buffer"},
	indirectCount:  {"indirect.indirect_draw_count", "the buffer with the number of draws"},
	constantBuffer: {"constant_buffers[%d]", "constant buffer %d"},
	storageBuffer:  {"shader_buffers[%d]", "storage buffer %d"},
	shaderImage:    {"images[%d]", "image %d"},
	samplerView:    {"sampler_views[%d]", "sampler view %d"},
	colorBuffer:    {"framebuffer.cbufs[%d]", "color buffer %d"},
}

func (m *memory) words() (path, words string) {
	w := memoryWords[m.what]
	if m.slot < 0 {
		return w.path, w.words
	}
	return fmt.Sprintf(w.path, m.slot), fmt.Sprintf(w.words, m.slot)
}

// report says what is shared. A binding that several elements or stages use is
// reported once.
func (h *hazard) report(slot int, shared bool, m *memory) {
	v := h.view
	path, words := m.words()
	if v.ReportedAt(path, "so-read-write-hazard") {
		return
	}
	t := v.Context.Targets[slot].Object
	name := called(&t.Object)
	begin, end := uint64(t.Offset), uint64(t.Offset)+uint64(t.Size)
	var f *streamout.Draft
	switch {
	case shared && m.sure:
		f = v.Report(path, "the draw uses bytes %d to %d of a buffer as %s and captures into bytes %d to %d of it with %s",
			m.begin, m.end-1, words, begin, end-1, name)
	case shared:
		f = v.ReportAs(streamout.Warning, path, "the draw may use a buffer from byte %d on as %s and captures into bytes %d to %d of it with %s",
			m.begin, words, begin, end-1, name)
	default:
		f = v.ReportAs(streamout.Warning, path, "the draw uses bytes %d to %d of a buffer as %s and captures into other bytes of it, %d to %d, with %s",
			m.begin, m.end-1, words, begin, end-1, name)
	}
	f.InBuffer(slot).With(v.Context.TargetsSet, "%s was bound here", name)
}

// inRange spells a range of bytes without its end: "bytes 0 to 63".
func inRange(begin, end uint64) string { return fmt.Sprintf("bytes %d to %d", begin, end-1) }
