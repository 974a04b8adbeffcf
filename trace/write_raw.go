package trace

import "github.com/outflow-gpu/outflow/pipe"

// other writes a call from its values, with what it returned. The object of the
// call is that of the operation, which a replay may have renamed.
func (e *encoder) other(class string, v *pipe.Values, op *pipe.Op) {
	object := op.Context
	if class == pipe.ClassScreen {
		object = op.Screen
	}
	first := v.First()
	if v.Empty() && class != "" {
		name := "pipe"
		if class == pipe.ClassScreen {
			name = "screen"
		}
		e.argPtr(name, object)
	}
	for x := first; x.Exists(); x = x.Next() {
		switch x.Role() {
		case pipe.TimeRole, pipe.RetRole:
		case pipe.ArgRole:
			e.raw("\t\t<arg name='")
			e.scratch = pipe.AppendUnescaped(e.scratch[:0], x.RawName())
			e.escapeBytes(e.scratch)
			e.raw("'>")
			if x == first && x.Kind() == pipe.PtrValue && object != 0 {
				e.ptr(object)
			} else {
				e.value(x)
			}
			e.endArg()
		default:
			e.raw("\t\t")
			e.value(x)
			e.raw("\n")
		}
	}
}

// rets writes the returned values of a call, and reports whether there are any.
func (e *encoder) rets(v *pipe.Values) bool {
	any := false
	for x := v.First(); x.Exists(); x = x.Next() {
		if x.Role() == pipe.RetRole {
			e.raw("\t\t<ret>")
			e.value(x)
			e.raw("</ret>\n")
			any = true
		}
	}
	return any
}

// value writes a value as it was read.
func (e *encoder) value(x pipe.Value) {
	switch x.Kind() {
	case pipe.NoValue, pipe.NullValue:
		e.null()
	case pipe.ArrayValue:
		e.array()
		for c := x.First(); c.Exists(); c = c.Next() {
			e.holder(c, "elem", pipe.ElemRole)
		}
		e.endArray()
	case pipe.StructValue:
		e.raw("<struct name='")
		e.attribute(x.RawText())
		e.raw("'>")
		e.members(x)
		e.end()
	case pipe.UnknownValue:
		e.unknown(x)
	case pipe.StringValue:
		e.rawString(x)
	default:
		e.scalar(x)
	}
}

// unknown writes an element that Mesa has none of. Without a name it is the
// several values, or none, of one argument.
func (e *encoder) unknown(x pipe.Value) {
	name := x.RawText()
	if len(name) == 0 {
		e.members(x)
		return
	}
	e.raw("<")
	e.text = append(e.text, name...)
	e.raw(">")
	e.members(x)
	e.raw("</")
	e.text = append(e.text, name...)
	e.raw(">")
}

// members writes what is inside a struct or an unknown element.
func (e *encoder) members(x pipe.Value) {
	for c := x.First(); c.Exists(); c = c.Next() {
		switch c.Role() {
		case pipe.MemberRole:
			e.raw("<member name='")
			e.attribute(c.RawName())
			e.raw("'>")
			e.value(c)
			e.endMember()
		default:
			e.holder(c, "elem", pipe.ElemRole)
		}
	}
}

// attribute writes a name that Mesa does not escape, as it was read.
func (e *encoder) attribute(name []byte) {
	for _, c := range name {
		if c == '\'' {
			e.raw("&apos;")
			continue
		}
		e.text = append(e.text, c)
	}
}

// holder writes a value, in its element if it has that role.
func (e *encoder) holder(x pipe.Value, element string, role pipe.Role) {
	if x.Role() != role {
		e.value(x)
		return
	}
	e.raw("<" + element + ">")
	e.value(x)
	e.raw("</" + element + ">")
}

// rawString writes a string: literal ones of several lines are CDATA sections.
func (e *encoder) rawString(x pipe.Value) {
	switch {
	case x.Literal():
		e.program(x.RawText())
	default:
		e.scratch = pipe.AppendUnescaped(e.scratch[:0], x.RawText())
		e.string(e.scratch)
	}
}

// scalar writes a number, enumeration, pointer or bytes. Its text needs escapes
// only when it was built.
func (e *encoder) scalar(x pipe.Value) {
	element := x.Kind().String()
	e.raw("<")
	e.raw(element)
	e.raw(">")
	if x.Literal() {
		e.escapeBytes(x.RawText())
	} else {
		e.text = append(e.text, x.RawText()...)
	}
	e.raw("</")
	e.raw(element)
	e.raw(">")
}

// kept returns the values that an operation was read from, or none.
func kept(op *pipe.Op) *pipe.Values {
	if op.Raw == nil {
		return nil
	}
	return op.Raw.Values
}

// keptUint writes a number that the type of the call does not hold.
func (e *encoder) keptUint(x pipe.Value) {
	if x.Exists() {
		e.value(x)
		return
	}
	e.uint(0)
}

// keptArg writes an argument that the type of the call does not hold, if there
// was one.
func (e *encoder) keptArg(op *pipe.Op, name string) {
	if x := kept(op).Arg(name); x.Exists() {
		e.arg(name)
		e.value(x)
		e.endArg()
	}
}
