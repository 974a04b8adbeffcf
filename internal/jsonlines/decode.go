package jsonlines

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// UnknownMember says that an object has a member that nothing reads.
type UnknownMember struct {
	Object string   // its path, "outputs[0]"; "" is the case itself
	Name   string   // of the member
	Known  []string // what the object may have, in the order of its fields
}

// Error names the member, where it is and what could stand there.
func (u *UnknownMember) Error() string {
	return fmt.Sprintf("%s has a member %q, want one of %s", orCase(u.Object), u.Name, strings.Join(u.Known, ", "))
}

func orCase(path string) string {
	if path == "" {
		return "the case"
	}
	return path
}

// Decode reads one JSON object into a struct, by the exact names of the
// members. Its errors are in the words of the case: each has the path of what is
// wrong and says what was wanted. A member that the struct has no field for is an
// *[UnknownMember], but for those named in also. Null leaves a field as it is.
// The object stands at path, "" for a case.
func Decode(path string, text []byte, into any, also ...string) error {
	d := decoder{path: []byte(path)}
	unknown, err := d.decode(text, into, also)
	if err == nil && len(unknown) > 0 {
		return unknown[0]
	}
	return err
}

// DecodeRow is [Decode] for the row of a table, which may hold more than the
// case, such as what its answer must be: it returns the names of the members at
// the top that were passed over. Further in every member must be known.
func DecodeRow(text []byte, into any, also ...string) (ignored []string, err error) {
	var d decoder
	unknown, err := d.decode(text, into, also)
	for _, u := range unknown {
		ignored = append(ignored, u.Name)
	}
	return ignored, err
}

// decoder is the work on one object.
type decoder struct {
	path  []byte // of what is read
	types map[reflect.Type]*members
}

// members are what an object of a type may have.
type members struct {
	names []string
	index [][]int // of the fields
}

func (d *decoder) decode(text []byte, into any, also []string) ([]*UnknownMember, error) {
	if !json.Valid(text) {
		var v any
		return nil, d.at(fmt.Errorf("not JSON: %w", json.Unmarshal(text, &v)))
	}
	return d.object(bytes.TrimSpace(text), reflect.ValueOf(into).Elem(), also)
}

// at says where an error is.
func (d *decoder) at(err error) error {
	if len(d.path) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w", d.path, err)
}

// wrong says what stands there and what should.
func (d *decoder) wrong(text []byte, want string) error {
	const most = 40 // bytes of what is quoted
	if len(text) > most {
		text = append(bytes.ToValidUTF8(text[:most:most], nil), "..."...)
	}
	return fmt.Errorf("%s is %s, want %s", orCase(string(d.path)), text, want)
}

// value reads valid JSON into v.
func (d *decoder) value(text []byte, v reflect.Value) error {
	switch to := v.Addr().Interface().(type) {
	case json.Unmarshaler:
		if err := to.UnmarshalJSON(text); err != nil {
			return d.at(err)
		}
		return nil
	case encoding.TextUnmarshaler:
		return d.text(text, to)
	}
	if string(text) == "null" {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(text, v.Elem())
	case reflect.Struct:
		unknown, err := d.object(text, v, nil)
		if err == nil && len(unknown) > 0 {
			return unknown[0]
		}
		return err
	case reflect.Slice:
		return d.list(text, v)
	case reflect.Map:
		return d.byName(text, v)
	}
	if json.Unmarshal(text, v.Addr().Interface()) != nil {
		return d.wrong(text, wantedScalar(v.Type()))
	}
	return nil
}

func (d *decoder) text(text []byte, to encoding.TextUnmarshaler) error {
	var s *string
	switch err := json.Unmarshal(text, &s); {
	case err != nil:
		return d.wrong(text, "a string")
	case s == nil:
		return nil
	}
	if err := to.UnmarshalText([]byte(*s)); err != nil {
		return d.at(err)
	}
	return nil
}

// object returns the members that have no field, in their order.
func (d *decoder) object(text []byte, v reflect.Value, also []string) (unknown []*UnknownMember, err error) {
	if text[0] != '{' {
		return nil, d.wrong(text, "an object")
	}
	m := d.membersOf(v.Type())
	var known []string
	for name, value := range eachMember(text) {
		i := slices.Index(m.names, name)
		if i < 0 {
			if slices.Contains(also, name) {
				continue
			}
			if known == nil {
				known = m.known(also)
			}
			unknown = append(unknown, &UnknownMember{string(d.path), name, known})
			continue
		}
		above := d.down(name)
		if err := d.value(value, v.FieldByIndex(m.index[i])); err != nil {
			return nil, err
		}
		d.path = d.path[:above]
	}
	return unknown, nil
}

// down goes on to a member, and returns how long the path was.
func (d *decoder) down(name string) (above int) {
	above = len(d.path)
	if above > 0 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, name...)
	return above
}

func (d *decoder) membersOf(t reflect.Type) *members {
	m := d.types[t]
	if m == nil {
		m = &members{make([]string, 0, t.NumField()), make([][]int, 0, t.NumField())}
		m.add(t, nil)
		if d.types == nil {
			d.types = make(map[reflect.Type]*members)
		}
		d.types[t] = m
	}
	return m
}

// add adds the fields of a struct, and those of the structs embedded in it.
func (m *members) add(t reflect.Type, outer []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := f.Index
		if outer != nil {
			index = append(slices.Clone(outer), i)
		}
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct {
			m.add(f.Type, index)
			continue
		}
		if name, _, _ := strings.Cut(tag, ","); f.IsExported() && name != "" && name != "-" {
			m.names, m.index = append(m.names, name), append(m.index, index)
		}
	}
}

// known is what the object may have, with what nothing reads.
func (m *members) known(also []string) []string {
	var list []string
	for _, name := range also {
		if !slices.Contains(m.names, name) {
			list = append(list, name)
		}
	}
	return append(list, m.names...)
}

func (d *decoder) list(text []byte, v reflect.Value) error {
	if text[0] != '[' {
		return d.wrong(text, "an array")
	}
	// From the start, whatever was there: what an element leaves out is zero.
	all := reflect.MakeSlice(v.Type(), 0, 4)
	above := len(d.path)
	for element := range eachElement(text) {
		i := all.Len()
		all = reflect.Append(all, reflect.Zero(v.Type().Elem()))
		d.path = append(strconv.AppendInt(append(d.path, '['), int64(i), 10), ']')
		if err := d.value(element, all.Index(i)); err != nil {
			return err
		}
		d.path = d.path[:above]
	}
	v.Set(all)
	return nil
}

func (d *decoder) byName(text []byte, v reflect.Value) error {
	if text[0] != '{' {
		return d.wrong(text, "an object")
	}
	v.Set(reflect.MakeMap(v.Type()))
	for name, value := range eachMember(text) {
		element := reflect.New(v.Type().Elem()).Elem()
		above := d.down(name)
		if err := d.value(value, element); err != nil {
			return err
		}
		d.path = d.path[:above]
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), element)
	}
	return nil
}

// wantedScalar says what a type takes.
func wantedScalar(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fmt.Sprintf("a number from 0 to %d", uint64(math.MaxUint64)>>(64-t.Bits()))
	case reflect.Uint, reflect.Uint64:
		return "a whole number from 0 on"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
