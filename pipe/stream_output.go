package pipe

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// StreamOutput says where one captured register goes: pipe_stream_output in one
// 32-bit word. Low bits first it holds output_buffer (2 bits), register_index
// bits 0 to 4, register_mask (4, xyzw), dst_offset in dwords (16), stream (2)
// and register_index bits 5 to 7.
//
// A mask with a hole is legal in the word; its components are written densely
// from dst_offset on, in xyzw order. Gallium's own form cannot say that: see
// [StreamOutput.Runs].
type StreamOutput uint32

// Field positions and widths of a StreamOutput.
const (
	bufferShift       = 0
	registerLowShift  = 2
	maskShift         = 7
	dstOffsetShift    = 11
	streamShift       = 27
	registerHighShift = 29

	maxBuffer    = 1<<2 - 1
	maxRegister  = 1<<8 - 1
	maxMask      = 1<<4 - 1
	maxDstOffset = 1<<16 - 1
	maxStream    = 1<<2 - 1
)

// OutputNumbers is one stream output as plain numbers, in Gallium's form of a
// first component and a count, unchecked and unpacked. DstOffset is in dwords.
type OutputNumbers struct {
	RegisterIndex  uint64
	StartComponent uint64
	NumComponents  uint64
	OutputBuffer   uint64
	DstOffset      uint64
	Stream         uint64
}

// Pack returns the output as a word. It is an error when a number does not
// survive: register above 255, no component or one past w, buffer or stream
// above 3, dst_offset above 65535 dwords.
func (n OutputNumbers) Pack() (StreamOutput, error) {
	if n.StartComponent > 3 || n.NumComponents == 0 || n.NumComponents > 4-n.StartComponent {
		return 0, fmt.Errorf("start_component %d with num_components %d does not lie in xyzw", n.StartComponent, n.NumComponents)
	}
	mask := (uint64(1)<<n.NumComponents - 1) << n.StartComponent
	return PackMask(n.RegisterIndex, mask, n.OutputBuffer, n.DstOffset, n.Stream)
}

// PackMask is Pack for the form with a component mask (x is bit 0), which may
// have holes. dstOffset is in dwords.
func PackMask(register, mask, buffer, dstOffset, stream uint64) (StreamOutput, error) {
	switch {
	case register > maxRegister:
		return 0, fmt.Errorf("register_index is %d, at most %d", register, maxRegister)
	case mask == 0 || mask > maxMask:
		return 0, fmt.Errorf("register_mask is %#x, not a choice of xyzw", mask)
	case buffer > maxBuffer:
		return 0, fmt.Errorf("output_buffer is %d, at most %d", buffer, maxBuffer)
	case dstOffset > maxDstOffset:
		return 0, fmt.Errorf("dst_offset is %d dw, at most %d dw", dstOffset, maxDstOffset)
	case stream > maxStream:
		return 0, fmt.Errorf("stream is %d, at most %d", stream, maxStream)
	}
	return StreamOutput(buffer<<bufferShift |
		register&31<<registerLowShift |
		mask<<maskShift |
		dstOffset<<dstOffsetShift |
		stream<<streamShift |
		register>>5<<registerHighShift), nil
}

// Buffer returns output_buffer, the target slot, 0 to 3.
func (o StreamOutput) Buffer() int { return int(o >> bufferShift & maxBuffer) }

// Register returns register_index, 0 to 255.
func (o StreamOutput) Register() int {
	return int(o>>registerLowShift&31 | o>>registerHighShift<<5)
}

// Mask returns the captured components, x in bit 0.
func (o StreamOutput) Mask() uint8 { return uint8(o >> maskShift & maxMask) }

// DstOffset returns the place in the buffer's vertex, in dwords.
func (o StreamOutput) DstOffset() int { return int(o >> dstOffsetShift & maxDstOffset) }

// Stream returns the vertex stream, 0 to 3.
func (o StreamOutput) Stream() int { return int(o >> streamShift & maxStream) }

// StartComponent returns the first captured component, 0 to 3; 0 when the mask
// is empty.
func (o StreamOutput) StartComponent() int { return bits.TrailingZeros8(o.Mask()) & 3 }

// NumComponents returns how many components, and so dwords, are written.
func (o StreamOutput) NumComponents() int { return bits.OnesCount8(o.Mask()) }

// Contiguous says whether Gallium's form of a start and a count can express
// the output: its mask has no hole and is not empty.
func (o StreamOutput) Contiguous() bool {
	m := o.Mask()
	return m != 0 && m>>bits.TrailingZeros8(m)&(m>>bits.TrailingZeros8(m)+1) == 0
}

// End returns the first dword of the vertex after the output.
func (o StreamOutput) End() int { return o.DstOffset() + o.NumComponents() }

// Numbers returns the output as plain numbers. It is exact when the output is
// contiguous; otherwise use Runs.
func (o StreamOutput) Numbers() OutputNumbers {
	return OutputNumbers{
		RegisterIndex:  uint64(o.Register()),
		StartComponent: uint64(o.StartComponent()),
		NumComponents:  uint64(o.NumComponents()),
		OutputBuffer:   uint64(o.Buffer()),
		DstOffset:      uint64(o.DstOffset()),
		Stream:         uint64(o.Stream()),
	}
}

// Runs yields the output in Gallium's form: one entry for each run of adjacent
// components, each with its own dst_offset. Most outputs have one run.
func (o StreamOutput) Runs() iter.Seq[OutputNumbers] {
	return func(yield func(OutputNumbers) bool) {
		n := o.Numbers()
		for m, start := o.Mask(), 0; m != 0; {
			skip := bits.TrailingZeros8(m)
			count := bits.TrailingZeros8(^(m >> skip))
			n.StartComponent, n.NumComponents = uint64(start+skip), uint64(count)
			if !yield(n) {
				return
			}
			n.DstOffset += uint64(count)
			m >>= skip + count
			start += skip + count
		}
	}
}

// StreamOutputInfo is what a shader captures: pipe_stream_output_info without
// padding or pointers, 12 bytes and 4 for each output. Only the used part
// counts. It cannot be compared with == and cannot be a map key; use Equal and
// AppendCanonical.
type StreamOutputInfo struct {
	_ [0]func()
	// NumOutputs is how many entries of Output are used, at most MaxStreamOutputs.
	NumOutputs uint32
	// Stride is the size of a vertex in each buffer, in dwords.
	Stride [MaxStreamOutputBuffers]uint16
	// Output holds the outputs; what lies behind NumOutputs means nothing.
	Output [MaxStreamOutputs]StreamOutput
}

// NewStreamOutputInfo returns an info with the strides, in dwords, and outputs
// given. It is an error to give more than MaxStreamOutputs outputs.
func NewStreamOutputInfo(stride [MaxStreamOutputBuffers]uint16, outputs ...StreamOutput) (StreamOutputInfo, error) {
	info := StreamOutputInfo{Stride: stride}
	if len(outputs) > MaxStreamOutputs {
		return info, fmt.Errorf("num_outputs is %d, at most %d", len(outputs), MaxStreamOutputs)
	}
	info.NumOutputs = uint32(copy(info.Output[:], outputs))
	return info, nil
}

// Outputs returns the used outputs, sharing their memory.
func (i *StreamOutputInfo) Outputs() []StreamOutput {
	return i.Output[:min(i.NumOutputs, MaxStreamOutputs)]
}

// Equal says whether two infos capture the same: equal used outputs and, when
// there are any, equal strides.
func (i *StreamOutputInfo) Equal(j *StreamOutputInfo) bool {
	return slices.Equal(i.Outputs(), j.Outputs()) && (i.NumOutputs == 0 || i.Stride == j.Stride)
}

// AppendCanonical appends the used part, little-endian: num_outputs, then when
// there are outputs the four strides and each output's word. Equal infos have
// equal bytes.
func (i *StreamOutputInfo) AppendCanonical(b []byte) []byte {
	outputs := i.Outputs()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(outputs)))
	if len(outputs) == 0 {
		return b
	}
	for _, s := range i.Stride {
		b = binary.LittleEndian.AppendUint16(b, s)
	}
	for _, o := range outputs {
		b = binary.LittleEndian.AppendUint32(b, uint32(o))
	}
	return b
}

// Buffers returns the slots that outputs write, slot 0 in bit 0.
func (i *StreamOutputInfo) Buffers() uint8 {
	var m uint8
	for _, o := range i.Outputs() {
		m |= 1 << o.Buffer()
	}
	return m
}

// Extent returns the first dword of a vertex in buffer b that lies behind all
// outputs, 0 when the buffer has none.
func (i *StreamOutputInfo) Extent(b int) int {
	end := 0
	for _, o := range i.Outputs() {
		if o.Buffer() == b {
			end = max(end, o.End())
		}
	}
	return end
}

// Clean says whether everything that means nothing is zero: the outputs behind
// NumOutputs, and the strides when there is no output.
func (i *StreamOutputInfo) Clean() bool {
	if i.NumOutputs == 0 && i.Stride != [MaxStreamOutputBuffers]uint16{} {
		return false
	}
	for _, o := range i.Output[min(i.NumOutputs, MaxStreamOutputs):] {
		if o != 0 {
			return false
		}
	}
	return true
}

// StreamOutputNumbers is a stream output info as plain numbers, as a trace
// spells it: nothing is wrapped, and num_outputs need not be the length of
// Output. Strides and dst_offset are in dwords.
type StreamOutputNumbers struct {
	NumOutputs uint64
	Stride     []uint64
	Output     []OutputNumbers
}

// Numbers returns the info as plain numbers, with a mask that has holes split
// into its runs. An empty mask is an output of no components.
func (i *StreamOutputInfo) Numbers() *StreamOutputNumbers {
	n := &StreamOutputNumbers{Stride: make([]uint64, 0, MaxStreamOutputBuffers)}
	for _, s := range i.Stride {
		n.Stride = append(n.Stride, uint64(s))
	}
	for _, o := range i.Outputs() {
		if o.Mask() == 0 {
			n.Output = append(n.Output, o.Numbers())
			continue
		}
		n.Output = slices.AppendSeq(n.Output, o.Runs())
	}
	n.NumOutputs = uint64(len(n.Output))
	return n
}

// Pack stores n in info. Every number that does not fit is reported as a
// problem of its path; the output then holds an empty mask, the stride zero,
// and num_outputs the number of outputs that are there, at most
// MaxStreamOutputs.
func (n *StreamOutputNumbers) Pack(info *StreamOutputInfo) (problems []error) {
	*info = StreamOutputInfo{}
	for b, s := range n.Stride {
		if b >= len(info.Stride) {
			problems = append(problems, fmt.Errorf("stride has %d entries, at most %d", len(n.Stride), len(info.Stride)))
			break
		}
		if s > 1<<16-1 {
			problems = append(problems, fmt.Errorf("stride[%d] is %d dw, at most %d dw", b, s, 1<<16-1))
			continue
		}
		info.Stride[b] = uint16(s)
	}
	used := min(n.NumOutputs, uint64(len(n.Output)), MaxStreamOutputs)
	if n.NumOutputs > MaxStreamOutputs {
		problems = append(problems, fmt.Errorf("num_outputs is %d, at most %d", n.NumOutputs, MaxStreamOutputs))
	} else if n.NumOutputs != uint64(len(n.Output)) {
		problems = append(problems, fmt.Errorf("num_outputs is %d, but %d outputs are there", n.NumOutputs, len(n.Output)))
	}
	for k, o := range n.Output[:used] {
		word, err := o.Pack()
		if err != nil {
			problems = append(problems, fmt.Errorf("output[%d]: %w", k, err))
		}
		info.Output[k] = word
	}
	info.NumOutputs = uint32(used)
	return problems
}
