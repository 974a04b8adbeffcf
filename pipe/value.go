package pipe

import (
	"bytes"
	"iter"
)

// ValueKind tells which element of a trace a Value was written as.
type ValueKind uint8

// The kinds of values (tr_dump.c writes one element for each).
const (
	NoValue      ValueKind = iota // the zero Value: nothing there
	NullValue                     // <null/>
	BoolValue                     // <bool>0</bool> or 1
	IntValue                      // <int>, signed decimal
	UintValue                     // <uint>, unsigned decimal
	FloatValue                    // <float>, C's %g in the locale of the traced program
	EnumValue                     // <enum>, a name
	StringValue                   // <string>
	BytesValue                    // <bytes>, two hexadecimal digits a byte
	PtrValue                      // <ptr>, 0x and hexadecimal digits
	ArrayValue                    // <array>
	StructValue                   // <struct name='...'>
	UnknownValue                  // any other element; TypeName is its name
)

var valueKindNames = [...]string{"none", "null", "bool", "int", "uint", "float", "enum", "string", "bytes", "ptr", "array", "struct", "unknown"}

// String returns the element's name, "none" or "unknown".
func (k ValueKind) String() string {
	if int(k) < len(valueKindNames) {
		return valueKindNames[k]
	}
	return "invalid"
}

// Role tells what a value is to the value or call that holds it.
type Role uint8

// The roles. A bare value stands directly in a call or struct, without the arg
// or member around it (clear's null colour, the draws of Mesa 21.0, the
// stream output of 2012).
const (
	BareRole   Role = iota
	ArgRole         // <arg name='...'>
	RetRole         // <ret>
	TimeRole        // <time>
	ElemRole        // <elem> of an array
	MemberRole      // <member name='...'> of a struct
)

// Node is one entry of a call's tape: a value, followed by the values inside
// it. Offsets and lengths are bytes of the text that the tape was read from.
// Only readers of traces and Builder make nodes; everyone else uses Value.
type Node struct {
	Kind    ValueKind
	Role    Role
	Literal bool   // the text stands as it is, without character references
	Open    bool   // the text or the values inside break off: the end was never read
	NameOff uint32 // name of the argument or member
	NameLen uint32
	TextOff uint32 // text of a scalar, type name of a struct, element name of an unknown
	TextLen uint32 // of the last node of shared Values, that of another call
	Next    uint32 // index of the first node that is not inside this one
}

// Values is everything that one call says: arguments, returned values, bare
// values and the time, in the order they were written. The zero Values is a
// call that says nothing.
//
// Values may alias the memory of the block it was read from; Clone makes a copy
// that owns its memory.
type Values struct {
	text  []byte
	nodes []Node
	last  uint32 // bytes of the last node's text
}

// MakeValues returns the values of a tape over its text. It keeps both slices.
// The nodes must be well formed: Next of each lies behind it, within its parent,
// and the spans lie within text.
func MakeValues(text []byte, nodes []Node) Values {
	v := Values{text: text, nodes: nodes}
	if n := len(nodes); n > 0 {
		v.last = nodes[n-1].TextLen
	}
	return v
}

// Share makes v what MakeValues returns, for nodes that several texts share. Only the
// text of the last node may differ in length; here it is last bytes long. Calls that
// repeat differ in their time alone.
func (v *Values) Share(text []byte, nodes []Node, last int) {
	v.text, v.nodes, v.last = text, nodes, uint32(last)
}

// Reset empties v and lets go of the memory it aliases.
func (v *Values) Reset() { *v = Values{} }

// Empty is true when the call says nothing.
func (v *Values) Empty() bool { return v == nil || len(v.nodes) == 0 }

// Clone returns a deep copy that owns its memory, without the text that no
// value refers to.
func (v *Values) Clone() *Values {
	if v == nil {
		return nil
	}
	size := 0
	for i, n := range v.nodes {
		size += int(n.NameLen) + int(v.textLen(i))
	}
	c := &Values{text: make([]byte, 0, size), nodes: make([]Node, len(v.nodes)), last: v.last}
	for i, n := range v.nodes {
		n.TextLen = v.textLen(i)
		name := v.text[n.NameOff : n.NameOff+n.NameLen]
		text := v.text[n.TextOff : n.TextOff+n.TextLen]
		n.NameOff = uint32(len(c.text))
		c.text = append(c.text, name...)
		n.TextOff = uint32(len(c.text))
		c.text = append(c.text, text...)
		c.nodes[i] = n
	}
	return c
}

// textLen returns the length of the text of node i, in bytes.
func (v *Values) textLen(i int) uint32 {
	if i == len(v.nodes)-1 {
		return v.last
	}
	return v.nodes[i].TextLen
}

// All yields the values of the call in the order they were written.
func (v *Values) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for x := v.First(); x.Exists(); x = x.Next() {
			if !yield(x) {
				return
			}
		}
	}
}

// First returns the first value of the call; Value.Next goes on from there.
func (v *Values) First() Value {
	if v.Empty() {
		return Value{}
	}
	return Value{v: v, i: 0, end: uint32(len(v.nodes))}
}

// Args yields the arguments in the order they were written.
func (v *Values) Args() iter.Seq[Value] { return v.withRole(ArgRole) }

// Rets yields the returned values. A call can have several:
// resource_create_unbacked writes a size, then a pointer.
func (v *Values) Rets() iter.Seq[Value] { return v.withRole(RetRole) }

// Bare yields the values that stand directly in the call.
func (v *Values) Bare() iter.Seq[Value] { return v.withRole(BareRole) }

func (v *Values) withRole(r Role) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for x := v.First(); x.Exists(); x = x.Next() {
			if x.Role() == r && !yield(x) {
				return
			}
		}
	}
}

// Arg returns the first argument of that name, unescaped ("color->ui"), or no
// value.
func (v *Values) Arg(name string) Value {
	for x := v.First(); x.Exists(); x = x.Next() {
		if x.Role() == ArgRole && x.IsNamed(name) {
			return x
		}
	}
	return Value{}
}

// ArgAt returns argument i, from 0, or no value. Argument 0 is the object of the
// call: screen, context or codec.
func (v *Values) ArgAt(i int) Value {
	for x := range v.Args() {
		if i == 0 {
			return x
		}
		i--
	}
	return Value{}
}

// Ret returns what the call returned: the pointer when there are several
// returned values and one of them is a pointer, else the last; or no value.
func (v *Values) Ret() Value {
	var ret Value
	for x := v.First(); x.Exists(); x = x.Next() {
		if x.Role() != RetRole {
			continue
		}
		if x.Kind() == PtrValue {
			return x
		}
		ret = x
	}
	return ret
}

// Time returns how long the call took, in microseconds, the writing of the
// record included; ok is false for a call without it.
func (v *Values) Time() (microseconds int64, ok bool) {
	var t Value
	for x := v.First(); x.Exists(); x = x.Next() {
		if x.Role() == TimeRole {
			t = x
		}
	}
	return t.Int()
}

// Equal is true when both calls say the same in the same order. Names and
// strings count as what they mean, not as they are escaped; numbers count as
// they are spelled.
func (v *Values) Equal(w *Values) bool {
	return equalSiblings(v.First(), w.First())
}

// Value is one value of a call. It is a small handle: copying it costs nothing,
// and it is valid as long as its Values. The zero Value is no value; every method
// answers on it.
type Value struct {
	v      *Values
	i, end uint32 // the node, and the first one behind the siblings
}

func (x Value) node() *Node { return &x.v.nodes[x.i] }

// Exists is false for the zero Value: nothing of that name or index is there.
func (x Value) Exists() bool { return x.v != nil }

// Kind returns the kind of element the value was written as.
func (x Value) Kind() ValueKind {
	if x.v == nil {
		return NoValue
	}
	return x.v.nodes[x.i].Kind
}

// IsNull is true for <null/> only, not for a missing value.
func (x Value) IsNull() bool { return x.Kind() == NullValue }

// Role returns what the value is to its holder.
func (x Value) Role() Role {
	if x.v == nil {
		return BareRole
	}
	return x.v.nodes[x.i].Role
}

// RawName returns the name of the argument or member as it was written, escaped;
// empty for elements, returned and bare values.
func (x Value) RawName() []byte {
	if x.v == nil {
		return nil
	}
	n := x.node()
	return x.v.text[n.NameOff : n.NameOff+n.NameLen : n.NameOff+n.NameLen]
}

// Name returns the name of the argument or member, unescaped.
func (x Value) Name() string { return string(AppendUnescaped(nil, x.RawName())) }

// IsNamed reports whether Name is name, without allocating.
func (x Value) IsNamed(name string) bool {
	raw := x.RawName()
	if string(raw) == name {
		return true
	}
	if len(raw) <= len(name) || bytes.IndexByte(raw, '&') < 0 {
		return false // a name with references in it is longer than what it means
	}
	var room [64]byte
	return string(AppendUnescaped(room[:0], raw)) == name
}

// RawText returns the text of a scalar as it was written. It is the type name
// for a struct and the element name for an unknown.
func (x Value) RawText() []byte {
	if x.v == nil {
		return nil
	}
	from := x.node().TextOff
	to := from + x.v.textLen(int(x.i))
	return x.v.text[from:to:to]
}

// Literal is true when RawText stands as it is (a CDATA section, or a built
// value), false when character references in it are escapes.
func (x Value) Literal() bool { return x.v != nil && x.node().Literal }

// Open is true when the value breaks off because the trace does: a string may
// go on, an array may have more elements. Numbers that break off are left out
// altogether.
func (x Value) Open() bool { return x.v != nil && x.node().Open }

// TypeName returns the name of a struct's type, empty for anonymous ones, or the
// element name of an unknown value.
func (x Value) TypeName() string {
	if k := x.Kind(); k != StructValue && k != UnknownValue {
		return ""
	}
	return string(x.appendText(nil))
}

// First returns the first value inside an array, struct or unknown, or no value.
func (x Value) First() Value {
	if x.v == nil {
		return Value{}
	}
	next := x.node().Next
	if x.i+1 >= next {
		return Value{}
	}
	return Value{v: x.v, i: x.i + 1, end: next}
}

// Next returns the value after x within the same holder, or no value.
func (x Value) Next() Value {
	if x.v == nil {
		return Value{}
	}
	next := x.node().Next
	if next >= x.end {
		return Value{}
	}
	return Value{v: x.v, i: next, end: x.end}
}

// Len returns how many values are inside an array, struct or unknown. It walks
// them.
func (x Value) Len() int {
	n := 0
	for c := x.First(); c.Exists(); c = c.Next() {
		n++
	}
	return n
}

// Index returns the value at i, from 0, inside an array or struct, or no value.
// It walks there: use All to see each.
func (x Value) Index(i int) Value {
	if i < 0 {
		return Value{}
	}
	c := x.First()
	for ; i > 0 && c.Exists(); i-- {
		c = c.Next()
	}
	return c
}

// All yields the values inside an array, struct or unknown with their index.
func (x Value) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := 0
		for c := x.First(); c.Exists(); c = c.Next() {
			if !yield(i, c) {
				return
			}
			i++
		}
	}
}

// Member returns the first member of that name, unescaped, or no value.
func (x Value) Member(name string) Value {
	if x.Kind() != StructValue {
		return Value{}
	}
	for c := x.First(); c.Exists(); c = c.Next() {
		if c.Role() == MemberRole && c.IsNamed(name) {
			return c
		}
	}
	return Value{}
}

// Equal is true when both values say the same, their own names apart. Two
// missing values are equal.
func (x Value) Equal(y Value) bool {
	if x.Kind() != y.Kind() {
		return false
	}
	return !x.Exists() || x.equalText(y) && equalSiblings(x.First(), y.First())
}

func equalSiblings(x, y Value) bool {
	for x.Exists() && y.Exists() {
		if x.Role() != y.Role() || !x.equalName(y) || !x.Equal(y) {
			return false
		}
		x, y = x.Next(), y.Next()
	}
	return x.Exists() == y.Exists()
}

func (x Value) equalName(y Value) bool {
	a, b := x.RawName(), y.RawName()
	if bytes.Equal(a, b) {
		return true
	}
	if bytes.IndexByte(a, '&') < 0 && bytes.IndexByte(b, '&') < 0 {
		return false
	}
	return bytes.Equal(AppendUnescaped(nil, a), AppendUnescaped(nil, b))
}

func (x Value) equalText(y Value) bool {
	a, b := x.RawText(), y.RawText()
	if x.Literal() == y.Literal() && bytes.Equal(a, b) {
		return true
	}
	if bytes.IndexByte(a, '&') < 0 && bytes.IndexByte(b, '&') < 0 {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.appendText(nil), y.appendText(nil))
}
