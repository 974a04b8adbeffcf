package shader

import (
	"cmp"
	"slices"
)

// AllComponents is the mask of xyzw.
const AllComponents = 0xf

// ComponentMask returns the mask of num components from start on, in dwords, as
// stream output counts them. What lies beyond w is left out.
func ComponentMask(start, num int) uint8 {
	if start < 0 || start > 3 || num <= 0 {
		return 0
	}
	if num > 4 {
		num = 4
	}
	return uint8((1<<num-1)<<start) & AllComponents
}

// At returns the outputs that share the register, a part of List.
func (o *Outputs) At(register int) []Output {
	if register < 0 {
		return nil
	}
	first := -1
	for i := range o.List {
		switch {
		case o.List[i].Register == register && first < 0:
			first = i
		case o.List[i].Register != register && first >= 0:
			return o.List[first:i]
		}
	}
	if first < 0 {
		return nil
	}
	return o.List[first:]
}

// Find returns the one output that holds all components of mask in the
// register, or nil when there is none or they are spread over several.
func (o *Outputs) Find(register int, mask uint8) *Output {
	list := o.At(register)
	for i := range list {
		if mask != 0 && list[i].Declared&mask == mask {
			return &list[i]
		}
	}
	return nil
}

// Declares says whether the shader has all components of mask in the register.
// It is No as soon as one is surely missing.
func (o *Outputs) Declares(register int, mask uint8) Answer {
	var declared uint8
	for _, out := range o.At(register) {
		declared |= out.Declared
	}
	switch {
	case o.numbered && mask&^declared == 0 && declared != 0:
		return Yes
	case o.declared && o.sure(register):
		return No
	}
	return Unknown
}

// Writes says whether the text stores to all components of mask in the
// register. Yes means that for each there is a store, not that it always runs.
// It is No as soon as one is surely never stored to.
func (o *Outputs) Writes(register int, mask uint8) Answer {
	var written, maybe uint8
	for _, out := range o.At(register) {
		written |= out.Written
		maybe |= out.MaybeWritten
	}
	switch {
	case o.numbered && mask&^written == 0 && written != 0:
		return Yes
	case o.stores && o.sure(register) && mask&^(written|maybe) != 0:
		return No
	}
	return Unknown
}

// sure says whether what is not found at the register is surely not there.
func (o *Outputs) sure(register int) bool {
	return o.numbered && (o.vague < 0 || register < o.vague)
}

// NumRegisters returns one more than the highest register, and whether that is
// sure.
func (o *Outputs) NumRegisters() (n int, sure bool) {
	for i := range o.List {
		n = max(n, o.List[i].Register+1)
	}
	return n, o.declared && o.numbered && o.vague < 0
}

// StreamOf returns the vertex stream of a component (0 to 3) of the register,
// or UnknownStream.
func (o *Outputs) StreamOf(register, component int) int {
	if component < 0 || component > 3 || !o.numbered {
		return UnknownStream
	}
	for _, out := range o.At(register) {
		if out.Declared&(1<<component) != 0 {
			return int(out.Streams[component])
		}
	}
	return UnknownStream
}

// EmitsStream says whether the geometry shader emits vertices to the stream.
func (o *Outputs) EmitsStream(stream int) Answer {
	switch {
	case stream < 0:
		return Unknown
	case stream < 8 && o.EmittedStreams&(1<<stream) != 0:
		return Yes
	case o.emits:
		return No
	}
	return Unknown
}

// CapturedAt returns what the text's own stream output writes to a dword of a
// vertex: buffer, and offset in dwords.
func (o *Outputs) CapturedAt(buffer, offset int) (Capture, bool) {
	i, ok := slices.BinarySearchFunc(o.Captures, Capture{Buffer: buffer, Offset: offset}, func(a, b Capture) int {
		return cmp.Or(cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Offset, b.Offset))
	})
	if !ok {
		return Capture{}, false
	}
	return o.Captures[i], true
}
