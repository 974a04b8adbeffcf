package frontend

import (
	"cmp"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// maxRegister is the highest register that Gallium's 6 bits hold.
const maxRegister = 1<<6 - 1

// Translation is what declarations come to.
type Translation struct {
	Stage pipe.Stage // the one that captures
	Info  pipe.StreamOutputInfo
	// Buffers are those that variables are captured into, buffer 0 in bit 0, even
	// when nothing of a variable is written: they must be bound.
	Buffers uint8
	// Names are the captured variables, one for each output of Info.
	Names []string
	// Said are warnings and notes.
	Said []Diagnostic
}

// Builder puts an info together. Outputs come in any order.
type Builder struct {
	Report
	// Stride is the size of a vertex in each buffer, in dwords.
	Stride [pipe.MaxStreamOutputBuffers]int

	buffers uint8
	outputs []named
	full    bool // there were more outputs than any info holds
}

type named struct {
	pipe.OutputNumbers
	name string
}

// Use says that a variable is captured into a buffer, whether it is written or
// not.
func (b *Builder) Use(buffer int) {
	if buffer < pipe.MaxStreamOutputBuffers {
		b.buffers |= 1 << buffer
	}
}

// Full says that more outputs came than any info holds: Finish will fail.
func (b *Builder) Full() bool { return b.full }

// Add adds an output of a variable. Numbers are checked by Finish; more outputs
// than any info holds are not kept.
func (b *Builder) Add(name string, register, start, count, buffer, dst, stream int) {
	b.Use(buffer)
	if len(b.outputs) == pipe.MaxStreamOutputs {
		b.full = true
		return
	}
	b.outputs = append(b.outputs, named{pipe.OutputNumbers{
		RegisterIndex: uint64(register), StartComponent: uint64(start), NumComponents: uint64(count),
		OutputBuffer: uint64(buffer), DstOffset: uint64(dst), Stream: uint64(stream)}, name})
}

// AddRun adds the outputs of count dwords that begin at component start of a
// register and go on in the registers behind it, and returns the dword behind
// them.
func (b *Builder) AddRun(name string, register, start, count, buffer, dst, stream int) int {
	for count > 0 {
		n := min(count, 4-start)
		b.Add(name, register, start, n, buffer, dst, stream)
		register, start, count, dst = register+1, 0, count-n, dst+n
	}
	return dst
}

// Finish orders the outputs by buffer and offset and packs them. It checks what
// Gallium demands of every info; the error is that of the first rule broken.
func (b *Builder) Finish(stage pipe.Stage) (*Translation, error) {
	slices.SortStableFunc(b.outputs, func(o, p named) int {
		return cmp.Or(cmp.Compare(o.OutputBuffer, p.OutputBuffer), cmp.Compare(o.DstOffset, p.DstOffset))
	})
	if !b.Broken() {
		b.checkRanges()
		b.checkExtents()
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	t := &Translation{Stage: stage, Buffers: b.buffers, Said: b.said}
	n := pipe.StreamOutputNumbers{NumOutputs: uint64(len(b.outputs))}
	for _, s := range b.Stride {
		n.Stride = append(n.Stride, uint64(s))
	}
	for _, o := range b.outputs {
		n.Output = append(n.Output, o.OutputNumbers)
		t.Names = append(t.Names, o.name)
	}
	if problems := n.Pack(&t.Info); problems != nil {
		return nil, &Error{Message: problems[0].Error()}
	}
	return t, nil
}

// checkRanges finds what does not fit into pipe_stream_output_info.
func (b *Builder) checkRanges() {
	if b.full {
		b.Break("so-num-outputs-range", "the declarations make more than %d outputs", pipe.MaxStreamOutputs)
	}
	for _, o := range b.outputs {
		switch {
		case o.RegisterIndex > maxRegister:
			b.Break("so-register-range", "%s is in register %d, at most %d", o.name, o.RegisterIndex, maxRegister)
		case o.OutputBuffer >= pipe.MaxStreamOutputBuffers:
			b.Break("so-buffer-range", "%s is captured into buffer %d, at most %d", o.name, o.OutputBuffer, pipe.MaxStreamOutputBuffers-1)
		case o.Stream >= pipe.MaxVertexStreams:
			b.Break("so-stream-range", "%s is of stream %d, at most %d", o.name, o.Stream, pipe.MaxVertexStreams-1)
		case o.DstOffset > 1<<16-1:
			b.Break("so-dst-offset-range", "%s is captured at dw %d (byte %d), at most dw %d", o.name, o.DstOffset, 4*o.DstOffset, 1<<16-1)
		}
	}
	for i, s := range b.Stride {
		if s > 1<<16-1 {
			b.Break("so-stride-range", "the stride of buffer %d is %d dw (%d B), at most %d dw", i, s, 4*int64(s), 1<<16-1)
		}
	}
}

// checkExtents finds outputs that end behind the stride.
func (b *Builder) checkExtents() {
	for _, o := range b.outputs {
		if o.OutputBuffer >= pipe.MaxStreamOutputBuffers {
			continue
		}
		end, stride := o.DstOffset+o.NumComponents, uint64(b.Stride[o.OutputBuffer])
		switch {
		case stride == 0:
			b.Break("so-stride-zero-with-outputs", "buffer %d captures %s, but its stride is 0", o.OutputBuffer, o.name)
		case end > stride:
			b.Break("so-stride-smaller-than-extent", "%s ends at dw %d (%d B), behind the stride of buffer %d, %d dw (%d B)",
				o.name, end, 4*end, o.OutputBuffer, stride, 4*stride)
		}
	}
}
