package streamout

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// Flaw is what makes an output useless for the checks that look at several.
type Flaw uint8

// The flaws of an output.
const (
	// BadBuffer: the output's buffer does not exist; it is in no buffer's sums.
	BadBuffer Flaw = 1 << iota
	// BadComponents: start and count do not lie in xyzw, or the count is 0.
	BadComponents
	// BadRegister: no shader has such a register.
	BadRegister
	// BadStream: no shader has such a stream.
	BadStream
	// BadOffset: the dst_offset cannot be stored.
	BadOffset
	// MaskHole: the component mask has a hole, which start and count cannot say.
	// NumComponents is how many are written, StartComponent the first.
	MaskHole
)

// InfoOutput is one output as it was written, with its index.
type InfoOutput struct {
	pipe.OutputNumbers
	Index int
	Flaws Flaw

	mask uint8 // with MaskHole
}

// End is the first dword of the vertex behind the output.
func (o *InfoOutput) End() uint64 { return o.DstOffset + o.NumComponents }

// Overlaps says whether two outputs of one buffer share a dword.
func (o *InfoOutput) Overlaps(p *InfoOutput) bool {
	return o.OutputBuffer == p.OutputBuffer && o.DstOffset < p.End() && p.DstOffset < o.End()
}

// Mask is the components that the output reads, x in bit 0.
func (o *InfoOutput) Mask() uint8 {
	switch {
	case o.Flaws&MaskHole != 0:
		return o.mask
	case o.Flaws&BadComponents != 0:
		return 0
	}
	return shader.ComponentMask(int(o.StartComponent), int(o.NumComponents))
}

// Info is the stream output of a shader create as rules see it: the numbers as
// they were written, and what they add up to.
type Info struct {
	Stage pipe.Stage
	// NumOutputs is as written; Outputs holds those that are there, at most
	// pipe.MaxStreamOutputs.
	NumOutputs uint64
	Stride     [pipe.MaxStreamOutputBuffers]uint64 // dwords
	Outputs    []InfoOutput
	// Text is what the shader's text says; never nil.
	Text *shader.Outputs
}

// read fills the info from a create, with the memory of the one before.
func (i *Info) read(op *pipe.Op, c *pipe.CreateShader, text *shader.Outputs) {
	i.Stage, i.Text = c.Stage, text
	i.Stride = [pipe.MaxStreamOutputBuffers]uint64{}
	i.Outputs = i.Outputs[:0]
	if op.Raw != nil && op.Raw.StreamOutput != nil {
		i.readNumbers(op.Raw.StreamOutput)
		return
	}
	info := &c.State.StreamOutput
	i.NumOutputs = uint64(info.NumOutputs)
	for b, s := range info.Stride {
		i.Stride[b] = uint64(s)
	}
	for k, o := range info.Outputs() {
		i.add(k, o.Numbers())
		if o.Mask() != 0 && !o.Contiguous() {
			i.Outputs[k].Flaws |= MaskHole
			i.Outputs[k].mask = o.Mask()
		}
	}
}

func (i *Info) readNumbers(n *pipe.StreamOutputNumbers) {
	i.NumOutputs = n.NumOutputs
	copy(i.Stride[:], n.Stride)
	for k, o := range n.Output[:min(n.NumOutputs, uint64(len(n.Output)), pipe.MaxStreamOutputs)] {
		i.add(k, o)
	}
}

func (i *Info) add(index int, n pipe.OutputNumbers) {
	o := InfoOutput{OutputNumbers: n, Index: index}
	if n.OutputBuffer >= pipe.MaxStreamOutputBuffers {
		o.Flaws |= BadBuffer
	}
	if n.NumComponents == 0 || n.StartComponent > 3 || n.NumComponents > 4-n.StartComponent {
		o.Flaws |= BadComponents
	}
	if n.RegisterIndex >= pipe.MaxShaderOutputs {
		o.Flaws |= BadRegister
	}
	if n.Stream >= pipe.MaxVertexStreams {
		o.Flaws |= BadStream
	}
	if n.DstOffset > 1<<16-1 {
		o.Flaws |= BadOffset
	}
	i.Outputs = append(i.Outputs, o)
}

// In yields the outputs of a buffer that its sums count: those without a flaw
// of buffer, components or offset.
func (i *Info) In(buffer int) func(yield func(*InfoOutput) bool) {
	return func(yield func(*InfoOutput) bool) {
		for k := range i.Outputs {
			o := &i.Outputs[k]
			if o.Flaws&(BadBuffer|BadComponents|BadOffset) == 0 && o.OutputBuffer == uint64(buffer) && !yield(o) {
				return
			}
		}
	}
}

// Used says whether an output writes the buffer.
func (i *Info) Used(buffer int) bool {
	for range i.In(buffer) {
		return true
	}
	return false
}

// Extent is the end in dwords of what the outputs write of a vertex of the
// buffer, 0 when they write nothing, and the output that ends there.
func (i *Info) Extent(buffer int) (dwords uint64, last int) {
	last = -1
	for o := range i.In(buffer) {
		if o.End() > dwords {
			dwords, last = o.End(), o.Index
		}
	}
	return dwords, last
}

// Streams is the set of streams that write the buffer, stream 0 in bit 0.
func (i *Info) Streams(buffer int) uint8 {
	var m uint8
	for o := range i.In(buffer) {
		if o.Flaws&BadStream == 0 {
			m |= 1 << o.Stream
		}
	}
	return m
}
