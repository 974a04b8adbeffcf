package dump

import (
	"bytes"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// appendDiffCall appends a call on one line, its objects by name, long texts and
// blobs as size and hash.
func appendDiffCall(b []byte, c *trace.DiffCall) []byte {
	switch c.Kind {
	case trace.StrayRecord:
		b = append(b, "outside any call: "...)
		return appendDiffValue(b, c.Values.First(), c)
	case trace.NoiseRecord:
		return appendQuoted(append(b, "no trace: "...), bytes.TrimRight(c.Raw, "\r\n"))
	}
	b = append(appendPrintable(b, []byte(c.Method)), '(')
	first := true
	for x := c.Values.First(); x.Exists(); x = x.Next() {
		if !isArgument(x.Role()) {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = appendDiffNamed(b, x, c)
	}
	b = append(b, ')')
	for x := range c.Values.Rets() {
		b = appendDiffValue(append(b, " = "...), x, c)
	}
	switch {
	case c.Problem != nil:
		b = appendPrintable(append(b, "  # malformed: "...), []byte(c.Problem.Reason))
	case c.Open:
		b = append(b, "  # the trace ends inside this call"...)
	}
	return b
}

func appendDiffNamed(b []byte, x pipe.Value, c *trace.DiffCall) []byte {
	if name := x.RawName(); len(name) > 0 {
		b = append(appendPrintable(b, pipe.AppendUnescaped(nil, name)), " = "...)
	}
	return appendDiffValue(b, x, c)
}

// appendDiffValue appends a value; c, which may be nil, names its objects.
func appendDiffValue(b []byte, x pipe.Value, c *trace.DiffCall) []byte {
	switch x.Kind() {
	case pipe.NoValue:
		return append(b, "(not recorded)"...)
	case pipe.PtrValue:
		if c != nil {
			if name := c.Name(x); name != "" {
				return append(b, name...)
			}
		}
		return appendPrintable(b, x.RawText())
	case pipe.StringValue:
		text := []byte(x.String())
		if bytes.IndexByte(text, '\n') >= 0 {
			return appendHash(append(b, "text"...), text)
		}
		return appendQuoted(b, text)
	case pipe.BytesValue:
		if data, ok := x.AppendBytes(nil); ok {
			return appendHash(append(b, "blob"...), data)
		}
		return appendQuoted(append(b, "blob, not hexadecimal: "...), x.RawText())
	case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue:
		b = append(b, '{')
		for i, inner := range x.All() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendDiffNamed(b, inner, c)
		}
		b = append(b, '}')
	default:
		b = appendPrintable(b, []byte(x.String()))
	}
	if x.Open() {
		b = append(b, "..."...)
	}
	return b
}

// appendDiffSide appends what a value was or became. Two objects that have the
// same name in their traces are told by their addresses.
func appendDiffSide(b []byte, x pipe.Value, c *trace.DiffCall, name, other string) []byte {
	b = appendDiffValue(b, x, c)
	if name != "" && name == other {
		b = append(append(append(b, " ("...), x.RawText()...), ')')
	}
	return b
}

// appendNumbered appends a call behind its number.
func appendNumbered(b []byte, c *trace.DiffCall) []byte {
	return appendDiffCall(append(appendNumber(b, c), ' '), c)
}

func appendNumber(b []byte, c *trace.DiffCall) []byte {
	if c.HasNo {
		return strconv.AppendUint(b, c.No, 10)
	}
	return append(b, '?')
}

// appendPlace appends a call's number and line.
func appendPlace(b []byte, c *trace.DiffCall) []byte {
	b = append(appendNumber(b, c), " (line "...)
	return append(strconv.AppendInt(b, int64(c.Pos.Line), 10), ')')
}
