package dump

import (
	"fmt"
	"reflect"
	"strings"
)

// treeText prints Objects for people: a member on each line, what fits on one
// line in braces, the rest indented below its name.
type treeText struct {
	b       strings.Builder
	palette Palette
	width   int
}

// members prints each member of an object.
func (t *treeText) members(o Object, indent int) {
	for i := 0; i < len(o); i++ {
		m := o[i]
		if n := t.run(o[i:], indent); n > 1 {
			i += n - 1
			continue
		}
		t.member(m.Name, m.Value, indent)
	}
}

// run prints scalars that follow each other, as many on a line as fit, and
// returns how many it printed.
func (t *treeText) run(o Object, indent int) int {
	n := 0
	for n < len(o) && short(o[n].Value) {
		n++
	}
	if n < 2 {
		return 0
	}
	used := 0
	for i, m := range o[:n] {
		value := inline(m.Value)
		size := len(m.Name) + 1 + len(value)
		switch {
		case i == 0:
			t.indent(indent)
			used = indent
		case used+2+size > t.width:
			t.b.WriteByte('\n')
			t.indent(indent)
			used = indent
		default:
			t.b.WriteString("  ")
			used += 2
		}
		used += size
		t.b.WriteString(t.palette.Dim(m.Name) + " " + value)
	}
	t.b.WriteByte('\n')
	return n
}

func (t *treeText) indent(n int) { t.b.WriteString(strings.Repeat(" ", n)) }

// member prints one member.
func (t *treeText) member(name string, v any, indent int) {
	t.indent(indent)
	text, several := v.(string)
	several = several && strings.Contains(strings.TrimRight(text, "\n"), "\n")
	if line := inline(v); !several && indent+len(name)+1+len(line) <= t.width || leaf(v) && !several {
		t.b.WriteString(t.palette.Dim(name) + " " + line + "\n")
		return
	}
	t.b.WriteString(t.palette.Strong(name) + "\n")
	switch v := v.(type) {
	case Object:
		t.members(v, indent+2)
	case []any:
		t.elements(v, indent+2)
	case string:
		for line := range strings.Lines(strings.TrimRight(v, "\n")) {
			t.indent(indent + 2)
			t.b.Write(appendPrintable(nil, []byte(strings.TrimRight(line, "\r\n"))))
			t.b.WriteByte('\n')
		}
	}
}

// elements prints an array: scalars in lines, others below their index, equal
// ones that follow each other once.
func (t *treeText) elements(list []any, indent int) {
	if len(list) > 0 && leaf(list[0]) {
		t.fill(list, indent)
		return
	}
	for i := 0; i < len(list); {
		same := i + 1
		for same < len(list) && reflect.DeepEqual(list[i], list[same]) {
			same++
		}
		name := fmt.Sprintf("[%d]", i)
		if same > i+1 {
			name = fmt.Sprintf("[%d..%d]", i, same-1)
		}
		t.member(name, list[i], indent)
		i = same
	}
}

// fill prints scalars, as many on a line as fit.
func (t *treeText) fill(list []any, indent int) {
	used := 0
	for i, e := range list {
		value := inline(e)
		switch {
		case i == 0:
			t.indent(indent)
			used = indent
		case used+1+len(value) > t.width:
			t.b.WriteByte('\n')
			t.indent(indent)
			used = indent
		default:
			t.b.WriteByte(' ')
			used++
		}
		t.b.WriteString(value)
		used += len(value)
	}
	t.b.WriteByte('\n')
}

func leaf(v any) bool {
	switch v.(type) {
	case Object, []any:
		return false
	}
	return true
}

// short says whether a value stands well beside others.
func short(v any) bool {
	s, isText := v.(string)
	return leaf(v) && (!isText || len(s) < 40 && !strings.Contains(s, "\n"))
}

// inline returns a value on one line.
func inline(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case Address:
		if v == 0 {
			return "NULL"
		}
		return fmt.Sprintf("%#x", uint64(v))
	case Number:
		return string(v)
	case string:
		return string(appendPrintable(nil, []byte(v)))
	case Object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = m.Name + " " + inline(m.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = inline(e)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}
