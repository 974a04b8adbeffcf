package frontend

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Number is a number of a declaration that may be absent. The zero Number is.
type Number struct {
	value int64
	given bool
}

// Some returns a number that is there.
func Some(n int) Number { return Number{int64(n), true} }

// Given says whether the number is there.
func (n Number) Given() bool { return n.given }

// Or returns the number, or another one when it is absent.
func (n Number) Or(absent int) int {
	if !n.given {
		return absent
	}
	return int(min(n.value, math.MaxInt32))
}

// Plus returns the number that is by further on; an absent one stays absent.
func (n Number) Plus(by int64) Number {
	n.value += by
	return n
}

// UnmarshalJSON reads a number from 0 to 2^31-1; null is none.
func (n *Number) UnmarshalJSON(b []byte) error {
	*n = Number{}
	if string(b) == "null" {
		return nil
	}
	if err := json.Unmarshal(b, &n.value); err != nil {
		return fmt.Errorf("%s is no whole number", b)
	}
	if n.value < 0 || n.value > math.MaxInt32 {
		return fmt.Errorf("%d is out of range, want 0 to %d", n.value, math.MaxInt32)
	}
	n.given = true
	return nil
}

// Output is an output variable of a shader, or one member of a block or
// structure, then named "blk.f" or "s[1].a". All but Name and Type may be left
// out.
type Output struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	// Array is the length of the array around Type, 0 for none; Unsized is legal.
	Array int `json:"array"`
	// Location is the layout's; an output of OpenGL without one is packed.
	Location Number `json:"location"`
	// Component is the first component, 0 to 3, in the first slot.
	Component Number `json:"component"`
	// Stream is the vertex stream.
	Stream Number `json:"stream"`
	// Written is set to false when the shader never writes it.
	Written *bool `json:"written"`
	// Register is the register of the first slot; the following slots follow.
	Register Number `json:"register"`
	// Builtin is the name of a built-in variable in SPIR-V: "ClipDistance".
	Builtin string `json:"builtin"`

	// Standalone says that a dot in Name does not make the output a member of a
	// block: it is a structure's, or the name's own.
	Standalone bool `json:"-"`

	XfbBuffer Number `json:"xfbBuffer"`
	XfbOffset Number `json:"xfbOffset"` // bytes, of OpenGL's layout
	XfbStride Number `json:"xfbStride"` // bytes
	Offset    Number `json:"offset"`    // bytes, of SPIR-V's decoration
}

// IsWritten says whether the shader writes the output.
func (o *Output) IsWritten() bool { return o.Written == nil || *o.Written }

// Length is how many elements there are: 1 when it is no array.
func (o *Output) Length() int { return max(o.Array, 1) }

// IsArray says whether the output is an array.
func (o *Output) IsArray() bool { return o.Array != 0 }

// Dwords is the size of the whole output.
func (o *Output) Dwords() int { return o.Length() * o.Type.Element() }

// Block returns the instance of the block or structure that the output is a
// member of, "blk" or "blk[1]", and "" when it is none.
func (o *Output) Block() string {
	block, _, found := strings.Cut(o.Name, ".")
	if !found || o.Standalone {
		return ""
	}
	return block
}

// check finds what makes an output none.
func (o *Output) check() error {
	switch {
	case o.Name == "" && o.Builtin == "":
		return fmt.Errorf("an output has no name")
	case o.Type.Bits == 0:
		return fmt.Errorf("output %q has no type", o.Name)
	case o.Array < Unsized || o.Array > MaxArray:
		return fmt.Errorf("output %q is an array of %d, want at most %d", o.Name, o.Array, MaxArray)
	case o.Component.Or(0) > 3:
		return fmt.Errorf("output %q has component %d, at most 3", o.Name, o.Component.Or(0))
	case o.Location.Or(0) > MaxArray || o.Register.Or(0) > MaxArray:
		return fmt.Errorf("output %q has a location or register above %d", o.Name, MaxArray)
	}
	return nil
}

// maxLeaves is how many outputs arrays of arrays may be taken apart into.
const maxLeaves = 4096

// Expand checks the outputs and takes arrays of arrays apart, down to arrays of
// scalars, vectors and matrices: "a" of type float[2][3] becomes "a[0]" and
// "a[1]", each an array of 3. Locations and registers go on through the
// elements, and so do offsets.
func Expand(outputs []Output) ([]Output, error) {
	var all []Output
	for _, o := range outputs {
		if err := o.check(); err != nil {
			return nil, err
		}
		dims := o.Type.Dims
		if o.Array != 0 {
			dims = append([]int{o.Array}, dims...)
		}
		o.Array, o.Type.Dims = 0, nil
		var err error
		if all, err = expand(all, o, dims); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func expand(all []Output, o Output, dims []int) ([]Output, error) {
	if len(all) > maxLeaves {
		return nil, fmt.Errorf("the shader has more than %d outputs", maxLeaves)
	}
	if len(dims) == 0 {
		return append(all, o), nil
	}
	if len(dims) == 1 {
		o.Array = dims[0]
		return append(all, o), nil
	}
	slots, dwords := o.Type.Slots(), o.Type.Element()
	for _, d := range dims[1:] {
		slots, dwords = slots*max(d, 1), dwords*max(d, 1)
		if slots > MaxArray {
			return nil, fmt.Errorf("output %q has arrays of more than %d elements", o.Name, MaxArray)
		}
	}
	for i := range max(dims[0], 1) {
		e := o
		e.Name = fmt.Sprintf("%s[%d]", o.Name, i)
		e.Location = o.Location.Plus(int64(i) * int64(slots))
		e.Register = o.Register.Plus(int64(i) * int64(slots))
		e.XfbOffset = o.XfbOffset.Plus(4 * int64(i) * int64(dwords))
		e.Offset = o.Offset.Plus(4 * int64(i) * int64(dwords))
		var err error
		if all, err = expand(all, e, dims[1:]); err != nil {
			return nil, err
		}
	}
	return all, nil
}
