package pipe

import (
	"fmt"
	"slices"
)

// ABI is one of the byte forms that stream output infos had outside of traces:
// the C structs of Mesa over time as a 64-bit little-endian machine lays them
// out, for dumps of a debugger, and the words that virgl sends to its host.
type ABI uint8

// The forms. C structs are called by the month that brought them.
const (
	// ABI201006 is the draft of June 2010, pipe_stream_output_state: an array for
	// each field, of 16 entries, with a component mask; num_outputs and a single
	// stride come last. The order of outputs gives their places.
	ABI201006 ABI = iota
	// ABI201007 is the draft with 32 entries.
	ABI201007
	// ABI201112 is the first pipe_stream_output_info: 32 entries with a component
	// mask, a single stride.
	ABI201112
	// ABI201201 has a start and a count of components, dst_offset, four strides of
	// 32 bits, and a register_index of 8 bits; 32 entries.
	ABI201201
	// ABI201210 has 48 entries.
	ABI201210
	// ABI201304 has 64 entries (Mesa 9.2).
	ABI201304
	// ABI201407 has the vertex stream, and so 8 bytes for each entry (Mesa 10.3).
	ABI201407
	// ABI201704 has a register_index of 6 bits and strides of 16 (Mesa 17.1).
	ABI201704
	// ABI202308 has 128 entries (Mesa 23.3).
	ABI202308
	// ABIVirgl is num_outputs and, when there are outputs, four strides and two
	// words for each output, as create_object of a shader carries them
	// (virgl_protocol.h). Strides do not travel without outputs.
	ABIVirgl
)

// bitField is a number inside a form: where it is for entry 0, how far it is
// from one entry to the next, and how wide it is, all in bits. A width of zero
// is a field that the form does not have.
type bitField struct{ first, step, width int }

// abiLayout is where a form has what.
type abiLayout struct {
	name    string
	outputs int // entries there is room for
	size    int // bytes, of virgl those before the entries
	entry   int // bytes of an entry when only used ones are there, else 0
	num     bitField
	strides int // 4, or 1 when it counts for buffer 0 alone
	stride  bitField
	// Of each entry: mask, or start and count.
	register, mask, start, count, buffer, dst, stream bitField
}

// draftLayout is the form of parallel arrays with n entries.
func draftLayout(name string, n int) abiLayout {
	return abiLayout{name: name, outputs: n, size: 9*n + 8,
		buffer:   bitField{0, 32, 32},
		register: bitField{n * 32, 32, 32},
		mask:     bitField{n * 64, 8, 8},
		num:      bitField{n * 72, 0, 32},
		strides:  1, stride: bitField{n*72 + 32, 0, 32}}
}

// startCountLayout is the form of 2012 with n entries.
func startCountLayout(name string, n int) abiLayout {
	return abiLayout{name: name, outputs: n, size: 20 + 4*n,
		num:     bitField{0, 0, 32},
		strides: 4, stride: bitField{32, 32, 32},
		register: bitField{160, 32, 8},
		start:    bitField{168, 32, 2}, count: bitField{170, 32, 3},
		buffer: bitField{173, 32, 3}, dst: bitField{176, 32, 16}}
}

// sixBitLayout is the form of 2017 with n entries.
func sixBitLayout(name string, n int) abiLayout {
	return abiLayout{name: name, outputs: n, size: 12 + 4*n,
		num:     bitField{0, 0, 32},
		strides: 4, stride: bitField{32, 16, 16},
		register: bitField{96, 32, 6},
		start:    bitField{102, 32, 2}, count: bitField{104, 32, 3},
		buffer: bitField{107, 32, 3}, dst: bitField{110, 32, 16}, stream: bitField{126, 32, 2}}
}

// abiLayouts is indexed by ABI.
var abiLayouts = [...]abiLayout{
	ABI201006: draftLayout("2010-06", 16),
	ABI201007: draftLayout("2010-07", 32),
	ABI201112: {name: "2011-12", outputs: 32, size: 8 + 4*32,
		num:     bitField{0, 0, 32},
		strides: 1, stride: bitField{32, 0, 32},
		register: bitField{64, 32, 8}, mask: bitField{72, 32, 4}, buffer: bitField{76, 32, 4}},
	ABI201201: startCountLayout("2012-01", 32),
	ABI201210: startCountLayout("2012-10", 48),
	ABI201304: startCountLayout("2013-04", 64),
	ABI201407: {name: "2014-07", outputs: 64, size: 20 + 8*64,
		num:     bitField{0, 0, 32},
		strides: 4, stride: bitField{32, 32, 32},
		register: bitField{160, 64, 8},
		start:    bitField{168, 64, 2}, count: bitField{170, 64, 3},
		buffer: bitField{173, 64, 3}, dst: bitField{176, 64, 16}, stream: bitField{192, 64, 2}},
	ABI201704: sixBitLayout("2017-04", 64),
	ABI202308: sixBitLayout("2023-08", 128),
	ABIVirgl: {name: "virgl", outputs: MaxStreamOutputs, size: 20, entry: 8,
		num:     bitField{0, 0, 32},
		strides: 4, stride: bitField{32, 32, 32},
		register: bitField{160, 64, 8},
		start:    bitField{168, 64, 2}, count: bitField{170, 64, 3},
		buffer: bitField{173, 64, 3}, dst: bitField{176, 64, 16}, stream: bitField{192, 64, 32}},
}

// ABIs returns all forms, oldest first.
func ABIs() []ABI {
	all := make([]ABI, len(abiLayouts))
	for i := range all {
		all[i] = ABI(i)
	}
	return all
}

// String returns the form's name: "2012-01", "virgl".
func (a ABI) String() string {
	if int(a) < len(abiLayouts) {
		return abiLayouts[a].name
	}
	return fmt.Sprintf("ABI(%d)", uint8(a))
}

// ParseABI returns the form of that name.
func ParseABI(name string) (ABI, bool) {
	for i := range abiLayouts {
		if abiLayouts[i].name == name {
			return ABI(i), true
		}
	}
	return 0, false
}

// Size returns how many bytes the form takes with n used outputs. C structs
// take the same for any.
func (a ABI) Size(n int) int {
	l := &abiLayouts[a]
	switch {
	case l.entry == 0:
		return l.size
	case n <= 0:
		return l.num.width / 8
	}
	return l.size + n*l.entry
}

// Read reads an info at the start of b and returns it with the number of bytes
// that it took. It is an error when b ends before the form does, when
// num_outputs is more than the form has room for, and when a value does not
// survive in a StreamOutputInfo. Entries behind num_outputs are not looked at.
//
// The forms of 2010 and 2011 have no places: outputs lie dense in the order
// they stand, and the stride counts when all of them go to buffer 0; else the
// stride of a buffer is the sum of its components.
func (a ABI) Read(b []byte) (info StreamOutputInfo, read int, err error) {
	l := &abiLayouts[a]
	head := a.Size(0)
	if len(b) < head {
		return info, 0, fmt.Errorf("%v form: %d bytes are there, it takes %d", a, len(b), head)
	}
	num := l.num.get(b, 0)
	if num > uint64(l.outputs) {
		return info, 0, fmt.Errorf("%v form: num_outputs is %d, at most %d", a, num, l.outputs)
	}
	size := a.Size(int(num))
	if len(b) < size {
		return info, 0, fmt.Errorf("%v form: num_outputs is %d, %d bytes are there, it takes %d", a, num, len(b), size)
	}
	for k := range int(num) {
		if info.Output[k], err = l.output(b, k); err != nil {
			return StreamOutputInfo{}, 0, fmt.Errorf("%v form: output[%d]: %w", a, k, err)
		}
	}
	info.NumOutputs = uint32(num)
	if l.dst.width == 0 {
		if err := info.place(); err != nil {
			return StreamOutputInfo{}, 0, fmt.Errorf("%v form: %w", a, err)
		}
	}
	if err := l.readStrides(b[:size], &info); err != nil {
		return StreamOutputInfo{}, 0, fmt.Errorf("%v form: %w", a, err)
	}
	return info, size, nil
}

// output reads entry k.
func (l *abiLayout) output(b []byte, k int) (StreamOutput, error) {
	if l.mask.width > 0 {
		return PackMask(l.register.get(b, k), l.mask.get(b, k), l.buffer.get(b, k), 0, 0)
	}
	return OutputNumbers{
		RegisterIndex:  l.register.get(b, k),
		StartComponent: l.start.get(b, k),
		NumComponents:  l.count.get(b, k),
		OutputBuffer:   l.buffer.get(b, k),
		DstOffset:      l.dst.get(b, k),
		Stream:         l.stream.get(b, k),
	}.Pack()
}

// place gives each output the place behind those before it in its buffer, and
// each buffer a stride without gaps.
func (i *StreamOutputInfo) place() error {
	var end [MaxStreamOutputBuffers]int
	for k, o := range i.Outputs() {
		at := &end[o.Buffer()]
		i.Output[k] = o | StreamOutput(*at)<<dstOffsetShift
		*at += o.NumComponents()
	}
	for b, e := range end {
		i.Stride[b] = uint16(e) // at most 4 dwords for each of 128 outputs
	}
	return nil
}

// readStrides reads what strides the form has into info, whose outputs are there.
func (l *abiLayout) readStrides(b []byte, info *StreamOutputInfo) error {
	if l.entry > 0 && info.NumOutputs == 0 || l.strides == 1 && info.Buffers()&^1 != 0 {
		return nil
	}
	for k := range l.strides {
		s := l.stride.get(b, k)
		if s > 1<<16-1 {
			return fmt.Errorf("stride[%d] is %d dw, at most %d dw", k, s, 1<<16-1)
		}
		info.Stride[k] = uint16(s)
	}
	return nil
}

// get reads the field of entry k, which lies within b; a missing one is zero.
func (f bitField) get(b []byte, k int) uint64 {
	var v uint64
	at := f.first + k*f.step
	for i := 0; i < f.width; {
		n := min(8-(at+i)&7, f.width-i)
		part := uint64(b[(at+i)>>3]>>((at+i)&7)) & (1<<n - 1)
		v |= part << i
		i += n
	}
	return v
}

// put stores v in the field of entry k, whose bits are zero, and reports
// whether it fits.
func (f bitField) put(b []byte, k int, v uint64) bool {
	if v>>f.width != 0 {
		return false
	}
	at := f.first + k*f.step
	for i := 0; i < f.width; {
		n := min(8-(at+i)&7, f.width-i)
		b[(at+i)>>3] |= byte(v>>i&(1<<n-1)) << ((at + i) & 7)
		i += n
	}
	return true
}

// Append appends info in the form, with zeros behind the used outputs. A mask
// with a hole becomes one output for each of its runs where the form has a
// start and a count. It is an error when a value does not survive: a register
// that is too high, a stream or a place that the form cannot tell, more outputs
// than it has room for. Nothing is appended then.
func (a ABI) Append(dst []byte, info *StreamOutputInfo) ([]byte, error) {
	l := &abiLayouts[a]
	numbers := info.Numbers().Output
	if l.mask.width > 0 {
		numbers = numbers[:0]
		for _, o := range info.Outputs() {
			numbers = append(numbers, o.Numbers())
		}
	}
	if len(numbers) > l.outputs {
		return dst, fmt.Errorf("%v form: num_outputs is %d, at most %d", a, len(numbers), l.outputs)
	}
	size := a.Size(len(numbers))
	dst = slices.Grow(dst, size)
	b := dst[len(dst) : len(dst)+size]
	clear(b)
	l.num.put(b, 0, uint64(len(numbers)))
	for k, n := range numbers {
		if err := l.putOutput(b, k, n); err != nil {
			return dst, fmt.Errorf("%v form: output[%d]: %w", a, k, err)
		}
	}
	if l.mask.width > 0 {
		if err := l.putMasks(b, info); err != nil {
			return dst, fmt.Errorf("%v form: %w", a, err)
		}
	}
	if err := l.putStrides(b, info); err != nil {
		return dst, fmt.Errorf("%v form: %w", a, err)
	}
	return dst[:len(dst)+size], nil
}

// putOutput stores entry k, apart from mask and place of a form with a mask.
func (l *abiLayout) putOutput(b []byte, k int, n OutputNumbers) error {
	switch {
	case n.NumComponents == 0:
		return fmt.Errorf("no component is captured")
	case !l.register.put(b, k, n.RegisterIndex):
		return fmt.Errorf("register_index is %d, at most %d", n.RegisterIndex, 1<<l.register.width-1)
	case !l.stream.put(b, k, n.Stream):
		return fmt.Errorf("stream is %d, the form has none", n.Stream)
	}
	l.buffer.put(b, k, n.OutputBuffer)
	if l.mask.width == 0 {
		l.start.put(b, k, n.StartComponent)
		l.count.put(b, k, n.NumComponents)
		l.dst.put(b, k, n.DstOffset)
	}
	return nil
}

// putMasks stores the masks of info, whose places must be those that the form
// implies.
func (l *abiLayout) putMasks(b []byte, info *StreamOutputInfo) error {
	var end [MaxStreamOutputBuffers]int
	for k, o := range info.Outputs() {
		at := &end[o.Buffer()]
		if o.DstOffset() != *at {
			return fmt.Errorf("output[%d]: dst_offset is %d dw, the form can only tell %d dw", k, o.DstOffset(), *at)
		}
		*at += o.NumComponents()
		l.mask.put(b, k, uint64(o.Mask()))
	}
	return nil
}

// putStrides stores the strides of info.
func (l *abiLayout) putStrides(b []byte, info *StreamOutputInfo) error {
	implied := *info
	single := l.strides == 1
	switch {
	case single && info.Buffers()&^1 != 0: // the form implies all strides
		for k := range implied.Stride {
			implied.Stride[k] = uint16(info.Extent(k))
		}
	case single:
		implied.Stride = [MaxStreamOutputBuffers]uint16{info.Stride[0]}
		l.stride.put(b, 0, uint64(info.Stride[0]))
	case l.entry > 0 && info.NumOutputs == 0:
		implied.Stride = [MaxStreamOutputBuffers]uint16{}
	default:
		for k, s := range info.Stride {
			l.stride.put(b, k, uint64(s))
		}
	}
	for k, s := range info.Stride {
		if s != implied.Stride[k] {
			return fmt.Errorf("stride[%d] is %d dw, the form can only tell %d dw", k, s, implied.Stride[k])
		}
	}
	return nil
}
