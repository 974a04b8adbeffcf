package trace

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// createShader returns the decoder of a stage's create.
func createShader(stage pipe.Stage) decodeFunc {
	return func(f fields, _ string, op *pipe.Op) bool {
		if stage == pipe.TessCtrl || stage == pipe.TessEval {
			f.d.dialect.tessellation = true
		}
		c := reset(&f.d.calls.createShader)
		c.Stage = stage
		m, ok := f.structure("state")
		c.State.Type = m.opt32("type")
		c.State.Tokens = text(m.get("tokens"), &f.d.scratch.tokens)
		c.State.NIR = text(m.opt("ir"), &f.d.scratch.nir)
		f.d.streamOutput(m.get("stream_output"), &c.State.StreamOutput)
		op.Call = c
		return ok
	}
}

func decodeCreateCompute(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.createCompute)
	m, ok := f.structure("state")
	c.State.IRType = m.word("ir_type")
	c.State.Program = text(m.get("prog"), &f.d.scratch.tokens)
	c.State.StaticSharedMem = uint32(m.fit(either(m.opt("static_shared_mem"), m.opt("req_local_mem")), "static_shared_mem", 32))
	c.State.ReqInputMem = m.opt32("req_input_mem")
	op.Call = c
	return ok
}

// either returns the first of two values that is there.
func either(x, y pipe.Value) pipe.Value {
	if x.Exists() {
		return x
	}
	return y
}

// streamOutput packs a pipe_stream_output_info of any age. What does not fit is
// kept as plain numbers in op.Raw.
func (d *Decoder) streamOutput(x pipe.Value, info *pipe.StreamOutputInfo) {
	if x.Kind() != pipe.StructValue {
		return
	}
	n := &d.scratch.numbers
	n.NumOutputs, n.Stride, n.Output = d.number(x.Member("num_outputs")), n.Stride[:0], n.Output[:0]
	stride, output := streamOutputArrays(x)
	if first := output.First(); first.Member("register_mask").Exists() {
		d.maskedOutputs(stride, output, info)
		return
	}
	for s := stride.First(); s.Exists(); s = s.Next() {
		n.Stride = append(n.Stride, d.number(s))
	}
	for o := output.First(); o.Exists(); o = o.Next() {
		m := fields{d: d, first: o.First(), at: o.First(), role: pipe.MemberRole}
		n.Output = append(n.Output, pipe.OutputNumbers{
			RegisterIndex:  d.number(m.opt("register_index")),
			StartComponent: d.number(m.opt("start_component")),
			NumComponents:  d.number(m.opt("num_components")),
			OutputBuffer:   d.number(m.opt("output_buffer")),
			DstOffset:      d.number(m.opt("dst_offset")),
			Stream:         d.number(m.opt("stream")),
		})
	}
	if problems := n.Pack(info); len(problems) > 0 {
		d.raw.StreamOutput = n
	}
}

// streamOutputArrays returns stride and output, which Mesa up to 8 wrote without
// a name: an array of structs is output, the other stride.
func streamOutputArrays(x pipe.Value) (stride, output pipe.Value) {
	stride, output = x.Member("stride"), x.Member("output")
	for c := x.First(); c.Exists(); c = c.Next() {
		switch {
		case c.Role() != pipe.BareRole || c.Kind() != pipe.ArrayValue:
		case stride.Exists() || c.First().Kind() == pipe.StructValue:
			output = either(output, c)
		default:
			stride = c
		}
	}
	return stride, output
}

// maskedOutputs packs the form of Mesa 7.12: a mask of components, no offsets,
// for outputs lie densely in order, and one stride that counts when all go to
// buffer 0. Mesa's draw module takes it for bytes; the same number as dwords is
// believed when it is too small for that.
func (d *Decoder) maskedOutputs(stride, output pipe.Value, info *pipe.StreamOutputInfo) {
	n := &d.scratch.numbers
	var filled [pipe.MaxStreamOutputBuffers]uint64
	fits, single := n.NumOutputs <= pipe.MaxStreamOutputs, true
	for o := output.First(); o.Exists(); o = o.Next() {
		m := fields{d: d, first: o.First(), at: o.First(), role: pipe.MemberRole}
		register, mask, buffer := d.number(m.opt("register_index")), d.number(m.opt("register_mask")), d.number(m.opt("output_buffer"))
		single = single && buffer == 0
		var offset uint64
		if buffer < pipe.MaxStreamOutputBuffers {
			offset = filled[buffer]
			filled[buffer] += uint64(bits.OnesCount64(mask & 15))
		}
		word, err := pipe.PackMask(register, mask, buffer, offset, 0)
		fits = fits && err == nil && int(info.NumOutputs) < pipe.MaxStreamOutputs
		if int(info.NumOutputs) < pipe.MaxStreamOutputs {
			info.Output[info.NumOutputs] = word
			info.NumOutputs++
		}
		n.Output = appendMask(n.Output, register, mask, buffer, offset)
	}
	if written := d.number(stride); single && written != 0 {
		filled[0] = denseStride(written, filled[0])
	}
	for b, s := range filled {
		n.Stride = append(n.Stride, s)
		fits = fits && s <= 1<<16-1
		info.Stride[b] = uint16(min(s, 1<<16-1))
	}
	if !fits || n.NumOutputs != uint64(info.NumOutputs) {
		d.raw.StreamOutput = n
		info.NumOutputs = uint32(min(n.NumOutputs, uint64(info.NumOutputs)))
		return
	}
}

// denseStride returns a stride in dwords of a vertex of so many dwords.
func denseStride(written, extent uint64) uint64 {
	if written%4 == 0 && written/4 >= extent || written < extent {
		return (written + 3) / 4
	}
	return written
}

// appendMask appends an output with a mask as runs of components. An empty mask
// is an output of no component.
func appendMask(list []pipe.OutputNumbers, register, mask, buffer, offset uint64) []pipe.OutputNumbers {
	o := pipe.OutputNumbers{RegisterIndex: register, OutputBuffer: buffer, DstOffset: offset}
	if mask == 0 {
		return append(list, o)
	}
	for start := uint64(0); mask>>start != 0; start += o.NumComponents {
		start += uint64(bits.TrailingZeros64(mask >> start))
		o.StartComponent = start
		o.NumComponents = uint64(bits.TrailingZeros64(^(mask >> start)))
		list = append(list, o)
		o.DstOffset += o.NumComponents
	}
	return list
}
