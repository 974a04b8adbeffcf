package vulkan

import (
	"fmt"
	"math"

	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// kind is the kind of a type.
type kind uint8

const (
	kindOther kind = iota
	kindValue      // scalar, vector or matrix
	kindArray
	kindStruct
)

// typ is a type of SPIR-V, as far as outputs have it.
type typ struct {
	id      uint32
	kind    kind
	value   frontend.Type
	element *typ // of an array
	length  int
	members []*typ

	slots  int  // vec4 slots of the whole
	has64  bool // somewhere inside
	leaves int  // scalars, vectors, matrices and arrays of them inside
	depth  int
}

// maxDepth is how deep types may be nested.
const maxDepth = 32

// readType keeps a type. Types come before what is made of them, so an id that
// is not known yet is a fault where an output needs it.
func (m *Module) readType(op uint32, a []uint32) error {
	switch op {
	case opTypeBool:
		m.types[a[0]] = value(a[0], 32, 1, 1)
	case opTypeInt, opTypeFloat:
		m.types[a[0]] = value(a[0], a[1], 1, 1)
	case opTypeVector, opTypeMatrix:
		return m.readVector(op, a)
	case opTypeArray, opTypeRuntimeArray:
		return m.readArray(op, a)
	case opTypeStruct:
		return m.readStruct(a)
	case opTypePointer:
		if a[1] == storageOutput {
			m.pointers[a[0]] = m.types[a[2]]
		}
	}
	return nil
}

func value(id, bits uint32, rows, columns int) *typ {
	t := &typ{id: id, kind: kindValue, value: frontend.Type{Bits: int(min(bits, 64)), Rows: rows, Columns: columns}, has64: bits == 64, leaves: 1}
	t.slots = t.value.Slots()
	if bits != 8 && bits != 16 && bits != 32 && bits != 64 {
		t.kind = kindOther
	}
	return t
}

func (m *Module) readVector(op uint32, a []uint32) error {
	of := m.types[a[1]]
	if of == nil || of.kind != kindValue {
		return nil
	}
	n := a[2]
	switch {
	case n < 2 || n > 4:
		// Long vectors of kernels are no outputs.
		m.types[a[0]] = &typ{id: a[0], leaves: 1}
	case op == opTypeVector && of.value.Rows == 1 && of.value.Columns == 1:
		m.types[a[0]] = value(a[0], uint32(of.value.Bits), int(n), 1)
	case op == opTypeMatrix && of.value.Rows > 1 && of.value.Columns == 1:
		m.types[a[0]] = value(a[0], uint32(of.value.Bits), of.value.Rows, int(n))
	default:
		return fmt.Errorf("type %%%d is a vector or matrix of what is none", a[0])
	}
	return nil
}

func (m *Module) readArray(op uint32, a []uint32) error {
	of := m.types[a[1]]
	if of == nil {
		return nil
	}
	t := &typ{id: a[0], kind: kindArray, element: of, length: frontend.Unsized, has64: of.has64, depth: of.depth + 1}
	if op == opTypeArray {
		// The length of an array may depend on a specialization that is not known
		// here: then it is as long as the default, and else has no size.
		if n, ok := m.constants[a[2]]; ok && n > 0 {
			t.length = int(min(n, frontend.MaxArray+1))
		}
	}
	t.slots = limited(of.slots, max(t.length, 1))
	t.leaves = of.leaves
	if of.kind != kindValue {
		t.leaves = limited(of.leaves, max(t.length, 1))
	}
	if t.depth > maxDepth {
		return fmt.Errorf("type %%%d is nested more than %d deep", a[0], maxDepth)
	}
	m.types[a[0]] = t
	return nil
}

func (m *Module) readStruct(a []uint32) error {
	t := &typ{id: a[0], kind: kindStruct}
	for _, id := range a[1:] {
		of := m.types[id]
		if of == nil {
			of = &typ{id: id, leaves: 1}
		}
		t.members = append(t.members, of)
		t.slots = min(t.slots+of.slots, math.MaxInt32)
		t.leaves = min(t.leaves+of.leaves, math.MaxInt32)
		t.has64 = t.has64 || of.has64
		t.depth = max(t.depth, of.depth+1)
	}
	if t.depth > maxDepth {
		return fmt.Errorf("type %%%d is nested more than %d deep", a[0], maxDepth)
	}
	m.types[a[0]] = t
	return nil
}

// limited multiplies without overflow.
func limited(a, b int) int {
	return int(min(int64(a)*int64(b), math.MaxInt32))
}
