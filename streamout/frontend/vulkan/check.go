package vulkan

import (
	"cmp"
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// checkOutputs checks what each output says by itself.
func (t *translator) checkOutputs() {
	for i := range t.outputs {
		o := &t.outputs[i]
		stream := o.Stream.Or(0)
		if stream > 0 && stream >= t.Limits.Streams {
			t.Break("so-vk-limits", "%s: Stream is %d, at most %d", o.Name, stream, max(t.Limits.Streams, 1)-1)
		}
		if fault := frontend.StreamFault(t.stage, t.Topology, stream, t.Limits.StreamsLinesTriangles); fault != "" {
			t.Break("so-vk-stream-topology", "%s: %s", o.Name, fault)
		}
		if o.Offset.Given() {
			t.checkOffset(o)
		} else if decorated(o) {
			t.Break("so-vk-buffer-orphan", "%s has an XfbBuffer, but no Offset: it is not captured", o.Name)
		}
	}
}

func (t *translator) checkOffset(o *frontend.Output) {
	switch {
	case !o.XfbBuffer.Given():
		t.Break("so-vk-offset-orphan", "%s has an Offset, but no XfbBuffer", o.Name)
	case !o.XfbStride.Given():
		t.Break("so-vk-offset-orphan", "%s has an Offset, but no XfbStride", o.Name)
	}
	if align := 4 * o.Type.Wide(); o.Offset.Or(0)%align != 0 {
		t.Break("so-vk-offset-align", "%s: Offset %d is no multiple of %d", o.Name, o.Offset.Or(0), align)
	}
	if o.XfbStride.Or(0)%4 != 0 {
		t.Break("so-vk-offset-align", "%s: XfbStride %d is no multiple of 4", o.Name, o.XfbStride.Or(0))
	}
	if o.Type.Bits < 32 {
		t.Break("so-vk-comp-width", "%s has components of %d bits, want 32 or 64", o.Name, o.Type.Bits)
	}
}

// block is what the captured members of a block come to.
type block struct {
	first *frontend.Output // captured
	wide  *frontend.Output // captured, of 64 bits
	end   int              // dwords
}

// checkBlocks compares the members of each block.
func (t *translator) checkBlocks() {
	var names []string
	blocks := make(map[string]*block)
	for i := range t.outputs {
		o := &t.outputs[i]
		name := o.Block()
		if name == "" || !o.Offset.Given() {
			continue
		}
		b := blocks[name]
		if b == nil {
			b = &block{first: o}
			blocks[name] = b
			names = append(names, name)
		} else if b.first.XfbBuffer != o.XfbBuffer {
			t.Break("so-vk-block-buffer", "%s has XfbBuffer %d, %s of the same block %d", o.Name, o.XfbBuffer.Or(0), b.first.Name, b.first.XfbBuffer.Or(0))
		}
		if o.Type.Bits == 64 {
			b.wide = o
		}
		b.end = max(b.end, o.Offset.Or(0)/4+o.Dwords())
	}
	for _, name := range names {
		b := blocks[name]
		if b.wide == nil {
			continue
		}
		if b.first.Offset.Or(0)%8 != 0 {
			t.Break("so-vk-offset-align", "%s is the first member of a block with 64-bit components (%s), and its Offset %d is no multiple of 8",
				b.first.Name, b.wide.Name, b.first.Offset.Or(0))
		}
		if b.end%2 != 0 {
			t.Break("so-vk-block-size", "%s ends at byte %d, no multiple of 8, and captures %s of 64 bits", name, 4*b.end, b.wide.Name)
		}
	}
}

// checkCaptures compares the captures, which are in the order of buffers and
// offsets.
func (t *translator) checkCaptures(captures []capture) {
	var perStream [pipe.MaxVertexStreams]int // dwords
	strides := make(map[int]*frontend.Output)
	for i := range t.outputs {
		o := &t.outputs[i]
		if !o.XfbBuffer.Given() || !o.XfbStride.Given() {
			continue
		}
		buffer := frontend.InstanceBuffer(t.outputs, i, o.Offset)
		if s := strides[buffer]; s == nil {
			strides[buffer] = o
		} else if s.XfbStride != o.XfbStride {
			t.Break("so-vk-stride-conflict", "buffer %d has XfbStride %d (%s) and %d (%s)", buffer, s.XfbStride.Or(0), s.Name, o.XfbStride.Or(0), o.Name)
		}
		if limit := t.Limits.dwords(t.Limits.BufferDataStride); o.XfbStride.Or(0)/4 > limit {
			t.Break("so-vk-limits", "%s: XfbStride is %d B, at most %d B", o.Name, o.XfbStride.Or(0), 4*limit)
		}
	}
	end, last := 0, (*capture)(nil)
	for i := range captures {
		c := &captures[i]
		o := t.output(c)
		if last != nil && last.buffer != c.buffer {
			end, last = 0, nil
		}
		if last != nil {
			if p := t.output(last); p.Stream.Or(0) != o.Stream.Or(0) {
				t.Break("so-vk-stream-conflict", "buffer %d captures %s of stream %d and %s of stream %d", c.buffer, p.Name, p.Stream.Or(0), o.Name, o.Stream.Or(0))
			}
			if c.dst < end {
				t.Break("so-vk-overlap", "%s at Offset %d overlaps what ends at byte %d of buffer %d", o.Name, 4*c.dst, 4*end, c.buffer)
			}
		}
		end, last = max(end, c.end), c
		t.checkLimits(c)
		if s := o.Stream.Or(0); s < len(perStream) {
			perStream[s] += min(c.end-c.dst, 1<<20)
		}
	}
	for s, n := range perStream {
		if limit := t.Limits.dwords(t.Limits.StreamDataSize); n > limit {
			t.Break("so-vk-limits", "%d B of stream %d are captured, at most %d B", 4*n, s, 4*limit)
		}
	}
	t.warnWideStrides(captures)
}

// dwords returns a limit of data in dwords; 0 is the one of components.
func (l *Limits) dwords(bytes int) int { return cmp.Or(bytes/4, l.InterleavedComponents) }

func (t *translator) checkLimits(c *capture) {
	o := t.output(c)
	if limit := t.Limits.dwords(t.Limits.BufferDataSize); c.end > limit {
		t.Break("so-vk-limits", "%s ends at byte %d, at most %d", o.Name, 4*int64(c.end), 4*limit)
	}
	switch declared := o.XfbBuffer.Or(0); {
	case c.buffer != declared && c.buffer >= pipe.MaxStreamOutputBuffers:
		t.Break("so-vk-buffer-array", "%s goes to buffer %d, counted from XfbBuffer %d, and Gallium has %d", o.Name, c.buffer, declared, pipe.MaxStreamOutputBuffers)
	case c.buffer >= t.Limits.Buffers:
		t.Break("so-vk-limits", "%s: XfbBuffer is %d, at most %d", o.Name, c.buffer, t.Limits.Buffers-1)
	}
}

// warnWideStrides says where every other vertex has its 64-bit values at an odd
// dword.
func (t *translator) warnWideStrides(captures []capture) {
	for i := range captures {
		c := &captures[i]
		if o := t.output(c); o.Type.Bits == 64 && o.XfbStride.Or(0)%8 == 4 {
			t.Say(frontend.Diagnostic{Rule: "so-stride-mult8-64bit", Severity: streamout.Warning, Message: fmt.Sprintf(
				"%s has 64-bit components, and the stride of buffer %d is %d B, no multiple of 8", o.Name, c.buffer, o.XfbStride.Or(0))})
		}
	}
}
