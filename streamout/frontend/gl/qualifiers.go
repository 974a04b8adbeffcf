package gl

import (
	"cmp"
	"maps"
	"slices"

	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// qualified says whether an output has an xfb_ qualifier.
func (l *linker) qualified() bool {
	return slices.ContainsFunc(l.outputs, func(o frontend.Output) bool {
		return o.XfbBuffer.Given() || o.XfbOffset.Given() || o.XfbStride.Given()
	})
}

// qualifiers lays out the variables with an xfb_offset.
func (l *linker) qualifiers() {
	if len(l.Varyings) > 0 {
		l.Break("so-gl-list-and-qualifiers", "%d varyings are listed, but xfb_ qualifiers take their place", len(l.Varyings))
	}
	l.checkBlocks()
	captures := l.qualifiedCaptures()
	slices.SortStableFunc(captures, func(a, b capture) int {
		return cmp.Or(cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.dst, b.dst))
	})
	explicit := l.explicitStrides(captures)
	for len(captures) > 0 {
		buffer := captures[0].buffer
		n := slices.IndexFunc(captures, func(c capture) bool { return c.buffer != buffer })
		if n < 0 {
			n = len(captures)
		}
		l.qualifiedBuffer(captures[:n], explicit[buffer])
		captures = captures[n:]
	}
}

// qualifiedCaptures returns what has an xfb_offset, and says what has none.
func (l *linker) qualifiedCaptures() []capture {
	var captures []capture
	for i := range l.outputs {
		o := &l.outputs[i]
		buffer := frontend.InstanceBuffer(l.outputs, i, o.XfbOffset)
		if buffer >= l.Limits.Buffers && o.XfbBuffer.Given() {
			l.Break("so-gl-buffer-range", "%s: xfb_buffer is %d, at most %d", o.Name, buffer, l.Limits.Buffers-1)
		}
		if !o.XfbOffset.Given() {
			if o.XfbBuffer.Given() && !l.partOfCaptured(o) {
				l.Break("so-gl-buffer-only", "%s has an xfb_buffer, but no xfb_offset: it is not captured", o.Name)
			}
			continue
		}
		if o.Array == frontend.Unsized {
			l.Break("so-gl-unsized", "%s has an xfb_offset, but its array has no size", o.Name)
			continue
		}
		if align := 4 * o.Type.Wide(); o.XfbOffset.Or(0)%align != 0 {
			l.Break("so-gl-offset-align", "%s: xfb_offset %d is no multiple of %d", o.Name, o.XfbOffset.Or(0), align)
		}
		captures = append(captures, capture{name: o.Name, index: i, elements: o.Length(), buffer: buffer, dst: o.XfbOffset.Or(0) / 4})
	}
	if len(captures) == 0 {
		l.Break("so-gl-qualifiers-no-capture", "there are xfb_ qualifiers, but no variable has an xfb_offset: nothing is captured")
	}
	return captures
}

// partOfCaptured says whether another member of the output's block is captured.
func (l *linker) partOfCaptured(o *frontend.Output) bool {
	block := o.Block()
	return block != "" && slices.ContainsFunc(l.outputs, func(p frontend.Output) bool {
		return p.Block() == block && p.XfbOffset.Given()
	})
}

// checkBlocks compares the members of each block.
func (l *linker) checkBlocks() {
	first := make(map[string]*frontend.Output)
	for i := range l.outputs {
		o := &l.outputs[i]
		block := o.Block()
		if block == "" {
			continue
		}
		if f := first[block]; f == nil {
			if o.XfbBuffer.Given() {
				first[block] = o
			}
		} else if o.XfbBuffer.Given() && o.XfbBuffer != f.XfbBuffer {
			l.Break("so-gl-block-buffer", "%s has xfb_buffer %d, %s of the same block %d", o.Name, o.XfbBuffer.Or(0), f.Name, f.XfbBuffer.Or(0))
		}
		if !o.XfbOffset.Given() && l.partOfCaptured(o) {
			l.Break("so-gl-block-partial", "%s has no xfb_offset, as other members of %s have: it is not captured", o.Name, block)
		}
	}
}

// explicitStrides returns the xfb_stride of each buffer that has one, in dwords,
// and keeps them.
func (l *linker) explicitStrides(captures []capture) map[int]int {
	strides := make(map[int]int)
	for i := range l.outputs {
		o := &l.outputs[i]
		bytes := o.XfbStride.Or(0)
		if bytes == 0 {
			continue
		}
		buffer := frontend.InstanceBuffer(l.outputs, i, o.XfbOffset)
		if bytes%4 != 0 {
			l.Break("so-gl-stride-align", "%s: xfb_stride %d is no multiple of 4", o.Name, bytes)
		}
		if before, ok := strides[buffer]; ok && before != bytes {
			l.Break("so-gl-stride-conflict", "buffer %d has xfb_stride %d and %d", buffer, before, bytes)
			continue
		}
		strides[buffer] = bytes
	}
	for _, buffer := range slices.Sorted(maps.Keys(strides)) {
		bytes := strides[buffer]
		if bytes/4 > l.Limits.InterleavedComponents {
			l.Break("so-gl-stride-limit", "xfb_stride of buffer %d is %d dw (%d B), at most %d dw", buffer, bytes/4, bytes, l.Limits.InterleavedComponents)
		}
		if !slices.ContainsFunc(captures, func(c capture) bool { return c.buffer == buffer }) {
			l.Break("so-gl-stride-only", "buffer %d has xfb_stride %d, but captures nothing: the space is kept, and no buffer need be bound", buffer, bytes)
		}
		strides[buffer] = bytes / 4
		l.setStride(buffer, bytes/4)
	}
	return strides
}

// qualifiedBuffer lays out the captures of one buffer, by offset; stride is the
// xfb_stride in dwords, 0 for none.
func (l *linker) qualifiedBuffer(captures []capture, stride int) {
	first := &captures[0]
	end, align, last := 0, 1, first
	for i := range captures {
		c := &captures[i]
		if s, t := l.stream(first), l.stream(c); s != t {
			l.Break("so-gl-stream-mix", "buffer %d captures %s of stream %d and %s of stream %d", c.buffer, first.name, s, c.name, t)
		}
		to := c.dst + l.dwords(c)
		if to > l.Limits.InterleavedComponents {
			l.Break("so-gl-interleaved-comps", "%s ends at component %d of buffer %d, at most %d", c.name, to, c.buffer, l.Limits.InterleavedComponents)
		}
		if c.dst < end {
			l.Break("so-gl-alias", "%s at xfb_offset %d overlaps %s, which ends at byte %d", c.name, 4*c.dst, last.name, 4*end)
		}
		if to > end {
			end, last = to, c
		}
		wide := l.output(c).Type.Wide()
		if align = max(align, wide); stride%wide != 0 {
			l.Break("so-gl-stride-align", "xfb_stride of buffer %d is %d, no multiple of 8, as %s has 64-bit components", c.buffer, 4*stride, c.name)
		}
		if stride != 0 && to > stride {
			l.Break("so-gl-stride-overflow", "%s ends at byte %d, behind the xfb_stride of buffer %d, %d", c.name, 4*to, c.buffer, 4*stride)
		}
	}
	for i := range captures {
		l.emit(&captures[i])
	}
	if stride == 0 {
		stride = (end + align - 1) / align * align
		if stride > l.Limits.InterleavedComponents {
			l.Break("so-gl-stride-limit", "the stride of buffer %d is %d dw (%d B), at most %d dw", first.buffer, stride, 4*stride, l.Limits.InterleavedComponents)
		}
	}
	l.setStride(first.buffer, stride)
}
