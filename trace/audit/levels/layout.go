package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/shader"
)

// layout is what a shader captures, dword by dword.
type layout struct {
	at      Place
	stage   pipe.Stage
	serial  uint64
	numbers *pipe.StreamOutputNumbers
	text    *shader.Outputs
	outputs []pipe.OutputNumbers // those that num_outputs counts
	cells   []cell               // by buffer and offset
	buffers uint8                // those that are written, buffer 0 in bit 0
	key     string               // equal for layouts that write the same dwords
	used    bool                 // by a captured draw
}

// cell is one captured dword of a vertex.
type cell struct {
	place
	register, component uint64
	output              int
}

// place is a dword of a vertex in a buffer, and the stream that writes it.
type place struct{ buffer, offset, stream uint64 }

// mostComponents is how many components of one output are looked at: four are
// legal, and a damaged number may be any.
const mostComponents = 8

func newLayout(s *state.Shader, at Place, n *pipe.StreamOutputNumbers) *layout {
	l := &layout{at: at, stage: s.Stage, serial: s.Serial, text: s.Outputs, numbers: &pipe.StreamOutputNumbers{
		NumOutputs: n.NumOutputs, Stride: slices.Clone(n.Stride), Output: slices.Clone(n.Output)}}
	l.outputs = l.numbers.Output[:min(n.NumOutputs, uint64(len(n.Output)))]
	l.layCells()
	var key strings.Builder
	for _, c := range l.cells {
		fmt.Fprintf(&key, "%d.%d.%d ", c.buffer, c.offset, c.stream)
	}
	fmt.Fprint(&key, l.strides())
	l.key = key.String()
	return l
}

// layCells spreads the outputs over the dwords that they write.
func (l *layout) layCells() {
	l.cells, l.buffers = nil, 0
	for i, o := range l.outputs {
		if o.OutputBuffer < pipe.MaxStreamOutputBuffers && o.NumComponents > 0 {
			l.buffers |= 1 << o.OutputBuffer
		}
		for k := range min(o.NumComponents, mostComponents) {
			l.cells = append(l.cells, cell{place{o.OutputBuffer, o.DstOffset + k, o.Stream}, o.RegisterIndex, o.StartComponent + k, i})
		}
	}
	slices.SortStableFunc(l.cells, func(c, d cell) int { return c.compare(d.place) })
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.buffer, q.buffer), cmp.Compare(p.offset, q.offset), cmp.Compare(p.stream, q.stream))
}

// whole says whether num_outputs is the number of outputs that are there.
func (l *layout) whole() bool { return l.numbers.NumOutputs == uint64(len(l.numbers.Output)) }

// stride returns the stride of a buffer in dwords.
func (l *layout) stride(buffer int) uint64 {
	if buffer < len(l.numbers.Stride) {
		return l.numbers.Stride[buffer]
	}
	return 0
}

func (l *layout) uses(buffer int) bool { return l.buffers&(1<<buffer) != 0 }

// strides are those of the buffers that are written.
func (l *layout) strides() (list [pipe.MaxStreamOutputBuffers]uint64) {
	for b := range list {
		if l.uses(b) {
			list[b] = l.stride(b)
		}
	}
	return list
}

// describe says what an output captures.
func (l *layout) describe(i int) string {
	o := l.outputs[i]
	return fmt.Sprintf("%d dw from register %d.%s at %s of buffer %d, stream %d",
		o.NumComponents, o.RegisterIndex, components(o), dwords(o.DstOffset), o.OutputBuffer, o.Stream)
}

// components spells the components of an output.
func components(o pipe.OutputNumbers) string {
	const all = "xyzw"
	if o.StartComponent > 3 || o.NumComponents == 0 || o.NumComponents > 4-o.StartComponent {
		return fmt.Sprintf("(%d components from %d on)", o.NumComponents, o.StartComponent)
	}
	return all[o.StartComponent : o.StartComponent+o.NumComponents]
}

// variable returns the variable that a cell captures, nil when the text does not
// tell.
func (l *layout) variable(c cell) *shader.Output {
	if l.text == nil || len(l.text.Captures) > 0 || c.register > 1<<16 || c.component > 3 {
		return nil
	}
	return l.text.Find(int(c.register), 1<<c.component)
}

// missing says whether the text surely has nothing where a cell captures.
func (l *layout) missing(c cell) bool {
	switch {
	case c.component > 3:
		return true
	case l.text == nil || len(l.text.Captures) > 0 || c.register > 1<<16:
		return false
	}
	return l.text.Declares(int(c.register), 1<<c.component) == shader.No
}

// has says whether the text has that variable, at whatever register.
func (l *layout) has(v *shader.Output) bool {
	return v.Name != "" && l.text != nil && slices.ContainsFunc(l.text.List, func(o shader.Output) bool { return same(&o, v) })
}

// same says whether two outputs are one slot of one variable: name, slot and
// which of its slots.
func same(a, b *shader.Output) bool {
	return a.Name == b.Name && a.Semantic == b.Semantic && a.Element == b.Element && a.Slots == b.Slots
}

func dwords(n uint64) string { return fmt.Sprintf("%d dw (%d B)", n, n*4) }
