package shader

import "bytes"

// nirType is a GLSL type as NIR prints it: "vec4", "dmat2x3", "float[4][2]".
type nirType struct {
	components int // of a vector, or of one column
	columns    int // of a matrix, else 1
	width      int // bits: 64, 32 or 16
	dims       []uint32
	known      bool // false for structs, blocks and what is not a varying
}

// nirScalar splits a type name without array brackets into its scalar kind's
// width and the rest: "2x3" of "dmat2x3".
var nirScalars = []struct {
	prefix string
	width  int
	matrix bool
	scalar bool // the prefix alone is a type
}{
	{"float16_t", 16, false, true}, {"int16_t", 16, false, true}, {"uint16_t", 16, false, true},
	{"int64_t", 64, false, true}, {"uint64_t", 64, false, true},
	{"float", 32, false, true}, {"double", 64, false, true}, {"int", 32, false, true}, {"uint", 32, false, true}, {"bool", 32, false, true},
	{"vec", 32, false, false}, {"ivec", 32, false, false}, {"uvec", 32, false, false}, {"bvec", 32, false, false},
	{"dvec", 64, false, false}, {"i64vec", 64, false, false}, {"u64vec", 64, false, false},
	{"f16vec", 16, false, false}, {"i16vec", 16, false, false}, {"u16vec", 16, false, false},
	{"mat", 32, true, false}, {"dmat", 64, true, false}, {"f16mat", 16, true, false},
}

// parseNIRType reads a type name.
func parseNIRType(name []byte) nirType {
	t := nirType{columns: 1}
	base := name
	if i := bytes.IndexByte(name, '['); i >= 0 {
		base = name[:i]
		for d := name[i:]; len(d) > 0; {
			v, rest, ok := number(d[1:])
			if d[0] != '[' || !ok || len(rest) == 0 || rest[0] != ']' || v == 0 || len(t.dims) == 8 {
				return t
			}
			t.dims = append(t.dims, v)
			d = rest[1:]
		}
	}
	for _, s := range nirScalars {
		rest, ok := bytes.CutPrefix(base, []byte(s.prefix))
		if !ok || s.scalar != (len(rest) == 0) {
			continue
		}
		t.width, t.components = s.width, 1
		t.known = s.scalar || t.shape(rest, s.matrix)
		return t
	}
	return t
}

// shape reads "3" of a vector or "2x3" and "4" of a matrix (columns, rows).
func (t *nirType) shape(b []byte, matrix bool) bool {
	digit := func(c byte) (int, bool) { return int(c - '0'), c >= '2' && c <= '4' }
	var ok bool
	switch {
	case len(b) == 1:
		t.components, ok = digit(b[0])
		if matrix {
			t.columns = t.components
		}
	case matrix && len(b) == 3 && b[1] == 'x':
		var ok2 bool
		t.columns, ok = digit(b[0])
		t.components, ok2 = digit(b[2])
		ok = ok && ok2
	}
	return ok
}

// element returns the type without its outermost array dimension.
func (t nirType) element() nirType {
	t.dims = t.dims[1:]
	return t
}

// maxNIRSlots bounds the slots of one variable; there are fewer VARYING_SLOTs.
const maxNIRSlots = 128

// slots returns how many slots a value of the type takes, or maxNIRSlots+1 for
// more than there are.
func (t nirType) slots() int {
	n := t.columns * t.columnSlots()
	for _, d := range t.dims {
		if d > maxNIRSlots || n*int(d) > maxNIRSlots {
			return maxNIRSlots + 1
		}
		n *= int(d)
	}
	return n
}

// columnSlots is 2 for a dvec3 or dvec4, else 1.
func (t nirType) columnSlots() int {
	if t.width == 64 && t.components > 2 {
		return 2
	}
	return 1
}

// scalars returns the number of elements of a compact array, 0 if it has too
// many.
func (t nirType) scalars() int {
	n := 1
	for _, d := range t.dims {
		if d > 4*maxNIRSlots || n*int(d) > 4*maxNIRSlots {
			return 0
		}
		n *= int(d)
	}
	return n
}

// dwordMask spreads a mask of components (up to 8 of them over two slots) that
// starts at component frac of a slot over the dwords of the slot and the next.
func dwordMask(mask uint32, frac, width int) uint32 {
	if width != 64 {
		return mask << frac
	}
	var m uint32
	for i := range 4 {
		if mask&(1<<i) != 0 {
			m |= 3 << (2 * i)
		}
	}
	return m << frac
}
