package trace

import (
	"math"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// fields finds the arguments of a call, or the members of a struct, by name. It
// remembers where it stands, because names nearly always come in order.
type fields struct {
	d         *Decoder
	first, at pipe.Value
	role      pipe.Role
	within    string // name of the argument or member whose struct this is
	index     int    // element of the array within, or -1
}

// opt returns the value of that name, or no value.
func (f *fields) opt(name string) pipe.Value {
	if x := f.at; x.Role() == f.role && string(x.RawName()) == name {
		f.at = x.Next()
		return x
	}
	for x := f.first; x.Exists(); x = x.Next() {
		if x.Role() == f.role && x.IsNamed(name) {
			f.at = x.Next()
			return x
		}
	}
	return pipe.Value{}
}

// get is opt for a value that all forms of the call have: when none has the
// name, it is the value that stands in its place if that has a name which no
// Mesa gives to an argument. Mesa has misnamed arguments before.
func (f *fields) get(name string) pipe.Value {
	if x := f.opt(name); x.Exists() || f.role != pipe.ArgRole {
		return x
	}
	x := f.at
	for x.Exists() && x.Role() != pipe.ArgRole {
		x = x.Next()
	}
	if x.Exists() && !argumentNames[f.d.intern(x.RawName())] {
		f.at = x.Next()
		return x
	}
	return pipe.Value{}
}

// members returns the fields of a struct that stands in f under name.
func (f *fields) members(x pipe.Value, name string, index int) fields {
	m := fields{d: f.d, role: pipe.MemberRole, within: name, index: index}
	if f.within != "" {
		m.within = f.inner(name)
	}
	if x.Kind() == pipe.StructValue {
		m.first = x.First()
		m.at = m.first
	}
	return m
}

// inner is path, made only once.
func (f *fields) inner(name string) string {
	b := append(f.d.scratch.path[:0], f.within...)
	if f.index >= 0 {
		b = strconv.AppendInt(append(b, '['), int64(f.index), 10)
		b = append(b, ']')
	}
	b = append(append(b, '.'), name...)
	f.d.scratch.path = b
	return f.d.intern(b)
}

// structure returns the members of an argument that has to be a struct.
func (f *fields) structure(name string) (m fields, ok bool) {
	x := f.get(name)
	if ok = x.Kind() == pipe.StructValue; !ok && x.Exists() {
		f.d.problem = name + " is no struct"
	}
	return f.members(x, name, -1), ok
}

// path is how messages call a field.
func (f *fields) path(name string) string {
	switch {
	case f.within == "":
		return name
	case name == "":
		return f.within
	case f.index >= 0:
		return f.within + "[" + strconv.Itoa(f.index) + "]." + name
	}
	return f.within + "." + name
}

// misfit notes a number that its field cannot hold.
func (f *fields) misfit(name string, index int, v uint64, bits int) {
	path := f.path(name)
	if index >= 0 {
		path += "[" + strconv.Itoa(index) + "]"
	}
	f.d.raw.Misfits = append(f.d.raw.Misfits, pipe.Misfit{Path: path, Value: v, Bits: bits})
}

// number returns any number, negative ones in two's complement, 0 for what is
// none. A number that cannot be read, as some development versions of Mesa wrote
// them, makes the whole call doubtful.
func (d *Decoder) number(x pipe.Value) uint64 {
	v, ok := anyNumber(x)
	if k := x.Kind(); !ok && (k == pipe.UintValue || k == pipe.IntValue) {
		d.doubtful = true
	}
	return v
}

func anyNumber(x pipe.Value) (uint64, bool) {
	if v, ok := x.Uint(); ok {
		return v, true
	}
	v, ok := x.Int()
	return uint64(v), ok
}

// fit returns a number that has to fit a field of so many bits, else 0.
func (f *fields) fit(x pipe.Value, name string, bits int) uint64 {
	v := f.d.number(x)
	if v>>bits != 0 {
		f.misfit(name, -1, v, bits)
		return 0
	}
	return v
}

func (f *fields) u32(name string) uint32 { return uint32(f.fit(f.get(name), name, 32)) }
func (f *fields) u16(name string) uint16 { return uint16(f.fit(f.get(name), name, 16)) }
func (f *fields) u8(name string) uint8   { return uint8(f.fit(f.get(name), name, 8)) }

// opt32 is u32 for a field that some forms of the call lack.
func (f *fields) opt32(name string) uint32 { return uint32(f.fit(f.opt(name), name, 32)) }

// i32 returns a signed number. One that Mesa took for unsigned is written in 32
// or 64 bits of two's complement.
func (f *fields) i32(name string) int32 { return f.signed(f.get(name), name) }

func (f *fields) signed(x pipe.Value, name string) int32 {
	v := f.d.number(x)
	if s := int64(v); s == int64(int32(s)) || v <= math.MaxUint32 {
		return int32(v)
	}
	f.misfit(name, -1, v, 32)
	return 0
}

func (f *fields) flag(name string) bool {
	b, _ := f.opt(name).Bool()
	return b
}

func (f *fields) handle(name string) pipe.Handle {
	return f.d.handle(f.get(name))
}

// handle returns an address, 0 for what is none.
func (d *Decoder) handle(x pipe.Value) pipe.Handle {
	h, ok := x.Handle()
	if !ok && x.Kind() == pipe.PtrValue {
		d.doubtful = true
	}
	return h
}

func (f *fields) f32(name string) float32 {
	v, _ := f.get(name).Float()
	return float32(v)
}

// floats fills to from an array.
func floats(x pipe.Value, to []float32) {
	c := x.First()
	for i := range to {
		v, _ := c.Float()
		to[i] = float32(v)
		c = c.Next()
	}
}

// handles appends the elements of an array. It returns nil for NULL, and for a
// value that is missing.
func (d *Decoder) handles(x pipe.Value, room *[]pipe.Handle) []pipe.Handle {
	if x.Kind() != pipe.ArrayValue {
		return nil
	}
	if *room == nil {
		*room = make([]pipe.Handle, 0, 8)
	}
	list := (*room)[:0]
	for c := x.First(); c.Exists(); c = c.Next() {
		list = append(list, d.handle(c))
	}
	*room = list
	return list
}

// structs appends what each struct of an array is. It returns nil for NULL, and
// for a value that is missing.
func structs[T any](f *fields, x pipe.Value, name string, room *[]T, each func(m *fields, x pipe.Value, to *T)) []T {
	if x.Kind() != pipe.ArrayValue {
		return nil
	}
	if *room == nil {
		*room = make([]T, 0, 4)
	}
	list, m := (*room)[:0], &f.d.scratch.element
	for c := x.First(); c.Exists(); c = c.Next() {
		var zero T
		list = append(list, zero)
		*m = f.members(c, name, len(list)-1)
		each(m, c, &list[len(list)-1])
	}
	*room = list
	return list
}

// enum returns the value of an enumeration, by name or by number. A name that
// parse does not know has all bits set, so that it is not taken for another.
func enum[T ~uint8 | ~uint32](f *fields, x pipe.Value, name string, parse func(string) (T, bool)) T {
	switch x.Kind() {
	case pipe.NoValue, pipe.NullValue:
		return 0
	case pipe.EnumValue:
		v, ok := parse(f.d.intern(x.RawText()))
		if !ok {
			return ^T(0)
		}
		return v
	}
	bits := 32
	if uint64(^T(0)) == math.MaxUint8 {
		bits = 8
	}
	return T(f.fit(x, name, bits))
}

// format returns a format by name, or the digits of its number.
func (f *fields) format(name string) pipe.Format { return pipe.Format(f.word(name)) }

// word returns the name of an enumeration's value, or the digits of its number.
func (f *fields) word(name string) string {
	x := f.get(name)
	switch x.Kind() {
	case pipe.EnumValue, pipe.UintValue, pipe.IntValue, pipe.StringValue:
		return f.d.intern(x.RawText())
	}
	return ""
}

// text returns a string as bytes, nil for NULL. What is escaped is resolved
// into room.
func text(x pipe.Value, room *[]byte) []byte {
	if x.Kind() != pipe.StringValue {
		return nil
	}
	raw := x.RawText()
	if x.Literal() || !hasReference(raw) {
		return raw
	}
	*room = x.AppendString((*room)[:0])
	return *room
}

func hasReference(b []byte) bool {
	for _, c := range b {
		if c == '&' {
			return true
		}
	}
	return false
}

func (f *fields) box(name string) pipe.Box {
	m := f.members(f.get(name), name, -1)
	return pipe.Box{X: m.i32("x"), Y: m.i32("y"), Z: m.i32("z"),
		Width: m.i32("width"), Height: m.i32("height"), Depth: m.i32("depth")}
}
