package vulkan

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// magic is the first word of a SPIR-V module.
const magic = 0x07230203

// The instructions that matter here, by number (SPIR-V specification, 3.49).
const (
	opName             = 5
	opMemberName       = 6
	opEntryPoint       = 15
	opExecutionMode    = 16
	opTypeBool         = 20
	opTypeInt          = 21
	opTypeFloat        = 22
	opTypeVector       = 23
	opTypeMatrix       = 24
	opTypeArray        = 28
	opTypeRuntimeArray = 29
	opTypeStruct       = 30
	opTypePointer      = 32
	opConstant         = 43
	opSpecConstant     = 50
	opVariable         = 59
	opDecorate         = 71
	opMemberDecorate   = 72
	opGroupDecorate    = 74
	opGroupMemberDecor = 75
)

// Decorations, execution modes and storage classes.
const (
	decorationBlock     = 2
	decorationBuiltIn   = 11
	decorationStream    = 29
	decorationLocation  = 30
	decorationComponent = 31
	decorationOffset    = 35
	decorationXfbBuffer = 36
	decorationXfbStride = 37

	modeXfb                 = 11
	modeOutputPoints        = 27
	modeOutputLineStrip     = 28
	modeOutputTriangleStrip = 29

	storageOutput = 3
)

// IsModule says whether data begins as a SPIR-V module, of either byte order.
func IsModule(data []byte) bool {
	return len(data) >= 4 && (binary.LittleEndian.Uint32(data) == magic || binary.BigEndian.Uint32(data) == magic)
}

// Module is what a SPIR-V module says about the outputs of its entry points.
type Module struct {
	entries   []entryPoint
	modes     map[uint32][]uint32 // execution modes by entry point
	names     map[uint32]string
	members   map[member]string // names
	decorated map[member]map[uint32]uint32
	types     map[uint32]*typ
	constants map[uint32]uint32
	variables map[uint32]*typ // outputs, by what they hold
	pointers  map[uint32]*typ // pointer types to outputs
}

// member is a member of a structure type, or with whole any id itself.
type member struct {
	id    uint32
	index uint32
}

const whole = 1<<32 - 1

type entryPoint struct {
	model     uint32
	function  uint32
	name      string
	variables []uint32
}

// ReadModule reads a SPIR-V module. Errors name the word; what has nothing to do
// with outputs is not looked at.
func ReadModule(data []byte) (*Module, error) {
	words, err := words(data)
	if err != nil {
		return nil, err
	}
	m := &Module{modes: map[uint32][]uint32{}, names: map[uint32]string{}, members: map[member]string{},
		decorated: map[member]map[uint32]uint32{}, types: map[uint32]*typ{}, constants: map[uint32]uint32{},
		variables: map[uint32]*typ{}, pointers: map[uint32]*typ{}}
	const header = 5
	for at := header; at < len(words); {
		n, op := int(words[at]>>16), words[at]&0xffff
		if n == 0 || n > len(words)-at {
			return nil, fmt.Errorf("SPIR-V: word %d: instruction of %d words, and %d are left", at, n, len(words)-at)
		}
		args := words[at+1 : at+n]
		if err := m.read(op, args); err != nil {
			return nil, fmt.Errorf("SPIR-V: word %d: %w", at, err)
		}
		at += n
	}
	return m, nil
}

// words returns the words of a module in the order of this machine.
func words(data []byte) ([]uint32, error) {
	const header = 5
	switch {
	case !IsModule(data):
		return nil, errors.New("SPIR-V: the first word is not 0x07230203")
	case len(data)%4 != 0 || len(data) < 4*header:
		return nil, fmt.Errorf("SPIR-V: %d bytes are no whole words, or no header", len(data))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(data) != magic {
		order = binary.BigEndian
	}
	w := make([]uint32, len(data)/4)
	for i := range w {
		w[i] = order.Uint32(data[4*i:])
	}
	return w, nil
}

// text reads a string and returns the words behind it.
func text(args []uint32) (string, []uint32) {
	var b []byte
	for i, w := range args {
		for shift := 0; shift < 32; shift += 8 {
			c := byte(w >> shift)
			if c == 0 {
				return string(b), args[i+1:]
			}
			b = append(b, c)
		}
	}
	return string(b), nil
}

// least is how many words, the first apart, an instruction has at least.
func least(op uint32) int {
	switch op {
	case opTypeBool, opTypeStruct, opGroupDecorate, opGroupMemberDecor:
		return 1
	case opName, opExecutionMode, opTypeFloat, opTypeRuntimeArray, opDecorate:
		return 2
	case opEntryPoint, opMemberName, opTypeInt, opTypeVector, opTypeMatrix, opTypeArray, opTypePointer, opConstant, opSpecConstant, opVariable, opMemberDecorate:
		return 3
	}
	return 0
}

// read keeps what a declaration says.
func (m *Module) read(op uint32, a []uint32) error {
	if len(a) < least(op) {
		return fmt.Errorf("instruction %d has %d operands, want %d", op, len(a), least(op))
	}
	switch op {
	case opName:
		m.names[a[0]], _ = text(a[1:])
	case opMemberName:
		m.members[member{a[0], a[1]}], _ = text(a[2:])
	case opEntryPoint:
		e := entryPoint{model: a[0], function: a[1]}
		e.name, e.variables = text(a[2:])
		m.entries = append(m.entries, e)
	case opExecutionMode:
		m.modes[a[0]] = append(m.modes[a[0]], a[1])
	case opDecorate:
		m.decorate(member{a[0], whole}, a[1:])
	case opMemberDecorate:
		m.decorate(member{a[0], a[1]}, a[2:])
	case opGroupDecorate:
		for _, id := range a[1:] {
			m.copyDecorations(a[0], member{id, whole})
		}
	case opGroupMemberDecor:
		for i := 1; i+1 < len(a); i += 2 {
			m.copyDecorations(a[0], member{a[i], a[i+1]})
		}
	case opConstant, opSpecConstant:
		m.constants[a[1]] = a[2]
	case opVariable:
		if a[2] == storageOutput && m.pointers[a[0]] != nil {
			m.variables[a[1]] = m.pointers[a[0]]
		}
	default:
		return m.readType(op, a)
	}
	return nil
}

func (m *Module) decorate(of member, a []uint32) {
	d := m.decorated[of]
	if d == nil {
		d = make(map[uint32]uint32)
		m.decorated[of] = d
	}
	value := uint32(0)
	if len(a) > 1 {
		value = a[1]
	}
	d[a[0]] = value
}

func (m *Module) copyDecorations(group uint32, to member) {
	for d, value := range m.decorated[member{group, whole}] {
		m.decorate(to, []uint32{d, value})
	}
}

// isBlock says whether a structure type is that of an interface block.
func (m *Module) isBlock(t *typ) bool {
	_, ok := m.decorated[member{t.id, whole}][decorationBlock]
	return ok
}
