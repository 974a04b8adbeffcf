package pipe

import (
	"math"
	"strconv"
)

// Builder makes Values, for code that has no trace to read them from. Call Arg,
// Ret, Time, Member or Elem to say where the next value goes, then one value;
// with none of them the value is bare. Arrays, structs and unknowns stay open
// until End.
//
//	var b pipe.Builder
//	b.Arg("pipe").Ptr(context)
//	b.Arg("offsets").Array().Elem().Uint(0).Elem().Uint(pipe.AppendOffset).End()
//	b.Ret().Ptr(target)
//	values := b.Values()
//
// Reset makes the Builder ready for the next call and keeps its memory.
type Builder struct {
	text  []byte
	nodes []Node
	open  []uint32
	role  Role
	name  [2]uint32
}

// Reset forgets what was built. Values returned earlier are no longer valid.
func (b *Builder) Reset() {
	b.text, b.nodes, b.open = b.text[:0], b.nodes[:0], b.open[:0]
	b.role, b.name = BareRole, [2]uint32{}
}

// Values closes what is open and returns the call. It is valid until the
// Builder is used again; Clone keeps it longer.
func (b *Builder) Values() Values {
	for len(b.open) > 0 {
		b.End()
	}
	return MakeValues(b.text, b.nodes)
}

// Arg makes the next value the argument of that name.
func (b *Builder) Arg(name string) *Builder { return b.place(ArgRole, name) }

// Ret makes the next value a returned one.
func (b *Builder) Ret() *Builder { return b.place(RetRole, "") }

// Time writes how long the call took, in microseconds.
func (b *Builder) Time(microseconds int64) *Builder {
	return b.place(TimeRole, "").Int(microseconds)
}

// Member makes the next value the member of that name in the open struct.
func (b *Builder) Member(name string) *Builder { return b.place(MemberRole, name) }

// Elem makes the next value an element of the open array.
func (b *Builder) Elem() *Builder { return b.place(ElemRole, "") }

// Null writes <null/>.
func (b *Builder) Null() *Builder { b.add(NullValue); return b }

// Bool writes a <bool>.
func (b *Builder) Bool(v bool) *Builder {
	b.add(BoolValue)
	if v {
		return b.end(append(b.text, '1'))
	}
	return b.end(append(b.text, '0'))
}

// Int writes an <int>.
func (b *Builder) Int(v int64) *Builder {
	b.add(IntValue)
	return b.end(strconv.AppendInt(b.text, v, 10))
}

// Uint writes a <uint>.
func (b *Builder) Uint(v uint64) *Builder {
	b.add(UintValue)
	return b.end(strconv.AppendUint(b.text, v, 10))
}

// Float writes a <float> as printf's %g does: six significant digits.
func (b *Builder) Float(v float64) *Builder {
	b.add(FloatValue)
	switch {
	case math.IsNaN(v):
		return b.end(append(b.text, "nan"...))
	case math.IsInf(v, 1):
		return b.end(append(b.text, "inf"...))
	case math.IsInf(v, -1):
		return b.end(append(b.text, "-inf"...))
	}
	return b.end(strconv.AppendFloat(b.text, v, 'g', 6, 64))
}

// Enum writes an <enum>.
func (b *Builder) Enum(name string) *Builder {
	b.add(EnumValue)
	return b.end(append(b.text, name...))
}

// Str writes a <string>.
func (b *Builder) Str(s string) *Builder {
	b.add(StringValue)
	return b.end(append(b.text, s...))
}

// Bytes writes a <bytes>.
func (b *Builder) Bytes(data []byte) *Builder {
	const digits = "0123456789ABCDEF"
	b.add(BytesValue)
	for _, c := range data {
		b.text = append(b.text, digits[c>>4], digits[c&15])
	}
	return b.end(b.text)
}

// Ptr writes a <ptr>, or <null/> for 0, as Mesa does.
func (b *Builder) Ptr(h Handle) *Builder {
	if h == 0 {
		return b.Null()
	}
	b.add(PtrValue)
	return b.end(h.Append(b.text))
}

// Array opens an <array>; each value in it follows Elem.
func (b *Builder) Array() *Builder { return b.push(ArrayValue, "") }

// Struct opens a <struct>; each value in it follows Member. Anonymous structs
// have the name "".
func (b *Builder) Struct(name string) *Builder { return b.push(StructValue, name) }

// End closes the array or struct that was opened last.
func (b *Builder) End() *Builder {
	if last := len(b.open) - 1; last >= 0 {
		b.nodes[b.open[last]].Next = uint32(len(b.nodes))
		b.open = b.open[:last]
	}
	return b
}

func (b *Builder) place(r Role, name string) *Builder {
	b.role = r
	b.name[0] = uint32(len(b.text))
	b.text = appendEscapedName(b.text, name)
	b.name[1] = uint32(len(b.text)) - b.name[0]
	return b
}

func (b *Builder) push(k ValueKind, name string) *Builder {
	b.open = append(b.open, uint32(len(b.nodes)))
	b.add(k)
	return b.end(append(b.text, name...))
}

// add writes a node whose text is still empty.
func (b *Builder) add(k ValueKind) {
	b.nodes = append(b.nodes, Node{
		Kind: k, Role: b.role, Literal: true,
		NameOff: b.name[0], NameLen: b.name[1],
		TextOff: uint32(len(b.text)),
		Next:    uint32(len(b.nodes)) + 1,
	})
	b.role, b.name = BareRole, [2]uint32{}
}

// end gives the last node the text that was appended since add.
func (b *Builder) end(text []byte) *Builder {
	n := &b.nodes[len(b.nodes)-1]
	b.text = text
	n.TextLen = uint32(len(text)) - n.TextOff
	return b
}

// appendEscapedName writes a name so that AppendUnescaped gives it back: names
// of arguments and members are always read as escaped.
func appendEscapedName(b []byte, name string) []byte {
	for i := range len(name) {
		if name[i] == '&' {
			b = append(b, "&amp;"...)
			continue
		}
		b = append(b, name[i])
	}
	return b
}
