package streamout

import (
	"cmp"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// Layout tells where the outputs of a shader lie in a vertex of each buffer.
type Layout struct {
	Stage   pipe.Stage
	Buffers []BufferLayout // those with a stride or an output, in the order of slots
}

// BufferLayout is one buffer's part of a Layout. All numbers are bytes.
type BufferLayout struct {
	Buffer int
	Stride uint64 // from one vertex to the next
	Extent uint64 // end of the last output in a vertex
	Cells  []Cell // outputs and gaps, by offset; outputs at one place overlap
}

// Cell is a stretch of a vertex: an output, or a gap that stream output leaves
// as it was.
type Cell struct {
	Output   int // index in the info, -1 for a gap
	Register int
	// Name is the variable's name in the shader's text, "" when it is not known.
	Name string
	// Semantic is its slot as the text prints it, "" when it is not known.
	Semantic       string
	Mask           uint8  // components, x in bit 0
	Offset, Size   uint64 // bytes
	Stream         int
	Overlaps       bool // the cell shares bytes with an earlier one
	BeyondStride   bool // the cell ends behind the stride
	MaskBeyondXYZW bool // start and count do not lie in xyzw
}

// LayoutOf returns the layout of an info, with names from the shader's text,
// which may be nil. Outputs in buffers that do not exist are left out.
func LayoutOf(stage pipe.Stage, n *pipe.StreamOutputNumbers, text *shader.Outputs) Layout {
	i := Info{Stage: stage}
	i.readNumbers(n)
	l := Layout{Stage: stage}
	for b, stride := range i.Stride {
		buffer := BufferLayout{Buffer: b, Stride: bytesOf(stride)}
		for k := range i.Outputs {
			if o := &i.Outputs[k]; o.OutputBuffer == uint64(b) && o.DstOffset < 1<<32 && o.NumComponents < 1<<32 {
				buffer.Cells = append(buffer.Cells, cell(o, text))
			}
		}
		if stride == 0 && len(buffer.Cells) == 0 {
			continue
		}
		buffer.arrange()
		l.Buffers = append(l.Buffers, buffer)
	}
	return l
}

func cell(o *InfoOutput, text *shader.Outputs) Cell {
	c := Cell{Output: o.Index, Register: int(min(o.RegisterIndex, 1<<31-1)), Mask: o.Mask(),
		Offset: bytesOf(o.DstOffset), Size: bytesOf(o.NumComponents), Stream: int(min(o.Stream, 1<<31-1)),
		MaskBeyondXYZW: o.Flaws&BadComponents != 0}
	if text != nil {
		if v := text.Find(c.Register, c.Mask); v != nil {
			c.Name, c.Semantic = v.Name, v.Semantic
		}
	}
	return c
}

// arrange sorts the cells, marks those that collide and fills the gaps between
// them, up to the stride.
func (b *BufferLayout) arrange() {
	slices.SortStableFunc(b.Cells, func(c, d Cell) int { return cmp.Compare(c.Offset, d.Offset) })
	var all []Cell
	end := uint64(0)
	for _, c := range b.Cells {
		if c.Offset > end {
			all = append(all, gap(end, c.Offset))
		}
		c.Overlaps = c.Offset < end
		c.BeyondStride = b.Stride != 0 && c.Offset+c.Size > b.Stride
		end = max(end, c.Offset+c.Size)
		all = append(all, c)
	}
	b.Extent = end
	if end < b.Stride {
		all = append(all, gap(end, b.Stride))
	}
	b.Cells = all
}

func gap(from, to uint64) Cell {
	return Cell{Output: -1, Register: -1, Offset: from, Size: to - from}
}

// Gap says that no output lies here.
func (c *Cell) Gap() bool { return c.Output < 0 }

// Components spells the captured components: "xyz".
func (c *Cell) Components() string {
	var s []byte
	for i, name := range "xyzw" {
		if c.Mask&(1<<i) != 0 {
			s = append(s, byte(name))
		}
	}
	return string(s)
}

// bytesOf turns dwords into bytes.
func bytesOf(dwords uint64) uint64 { return dwords * 4 }
