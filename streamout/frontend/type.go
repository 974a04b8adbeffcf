package frontend

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxArray is the longest array of a declaration. No linker comes near it; it
// keeps what a case can ask for small.
const MaxArray = 1 << 16

// Unsized is the length of an array whose size was not declared.
const Unsized = -1

// Type is a type of GLSL that an output can have, with the lengths of its
// arrays: a scalar, a vector or a matrix. A structure is one Output per member.
type Type struct {
	Bits    int   // of a component: 8, 16, 32 or 64
	Rows    int   // components of a vector, or of a column of a matrix
	Columns int   // 1 for scalars and vectors
	Dims    []int // lengths of the arrays, outermost first; may be Unsized
}

// scalars are the names of the scalar types, and the prefixes of vectors and
// matrices made of them.
var scalars = []struct {
	name, vector string
	bits         int
}{
	{"float", "vec", 32}, {"int", "ivec", 32}, {"uint", "uvec", 32}, {"bool", "bvec", 32}, {"double", "dvec", 64},
	{"float32_t", "f32vec", 32}, {"float64_t", "f64vec", 64}, {"float16_t", "f16vec", 16},
	{"int64_t", "i64vec", 64}, {"uint64_t", "u64vec", 64}, {"int32_t", "i32vec", 32}, {"uint32_t", "u32vec", 32},
	{"int16_t", "i16vec", 16}, {"uint16_t", "u16vec", 16}, {"int8_t", "i8vec", 8}, {"uint8_t", "u8vec", 8},
}

var matrices = []struct {
	prefix string
	bits   int
}{{"mat", 32}, {"dmat", 64}, {"f32mat", 32}, {"f64mat", 64}, {"f16mat", 16}}

// ParseType reads a type as GLSL spells it, "dvec3" or "mat4x3[2]".
func ParseType(s string) (Type, error) {
	name, dims, err := splitDims(s)
	if err != nil {
		return Type{}, err
	}
	for _, t := range scalars {
		if name == t.name {
			return Type{t.bits, 1, 1, dims}, nil
		}
		if n, ok := strings.CutPrefix(name, t.vector); ok && len(n) == 1 && n[0] >= '2' && n[0] <= '4' {
			return Type{t.bits, int(n[0] - '0'), 1, dims}, nil
		}
	}
	for _, m := range matrices {
		n, ok := strings.CutPrefix(name, m.prefix)
		if len(n) == 1 {
			n += "x" + n
		}
		if ok && len(n) == 3 && n[1] == 'x' && n[0] >= '2' && n[0] <= '4' && n[2] >= '2' && n[2] <= '4' {
			return Type{m.bits, int(n[2] - '0'), int(n[0] - '0'), dims}, nil
		}
	}
	return Type{}, fmt.Errorf("type %q is no scalar, vector or matrix", s)
}

// splitDims cuts "[2][3]" off the end of a type.
func splitDims(s string) (name string, dims []int, err error) {
	name, rest, found := strings.Cut(s, "[")
	for found {
		var length string
		length, rest, found = strings.Cut(rest, "]")
		if !found || len(dims) == 8 {
			return "", nil, fmt.Errorf("type %q has no arrays that can be read", s)
		}
		n := Unsized
		if length != "" {
			if n, err = strconv.Atoi(length); err != nil || n < 1 || n > MaxArray {
				return "", nil, fmt.Errorf("type %q has an array of length %q, want 1 to %d", s, length, MaxArray)
			}
		}
		dims = append(dims, n)
		if rest == "" {
			break
		}
		if rest, found = strings.CutPrefix(rest, "["); !found {
			return "", nil, fmt.Errorf("type %q has %q behind its array", s, rest)
		}
	}
	return name, dims, nil
}

// UnmarshalText reads the type as ParseType does.
func (t *Type) UnmarshalText(b []byte) (err error) {
	*t, err = ParseType(string(b))
	return err
}

// Wide is 2 when a component takes two dwords, else 1.
func (t *Type) Wide() int {
	if t.Bits == 64 {
		return 2
	}
	return 1
}

// Vector is the dwords of one column.
func (t *Type) Vector() int { return t.Rows * t.Wide() }

// Element is the dwords of one element of the array, or of the whole where
// there is no array.
func (t *Type) Element() int { return t.Vector() * t.Columns }

// Slots is how many vec4 slots one element takes: a column of more than four
// dwords takes two.
func (t *Type) Slots() int { return t.Columns * ((t.Vector() + 3) / 4) }
