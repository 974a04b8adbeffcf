package jsonlines

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
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
	object := u.Object
	if object == "" {
		object = "the case"
	}
	return fmt.Sprintf("%s has a member %q, want one of %s", object, u.Name, strings.Join(u.Known, ", "))
}

// Decode reads one JSON object into a struct, by the exact names of the
// members. Its errors are in the words of the case: each has the path of what is
// wrong and says what was wanted. A member that the struct has no field for is an
// *[UnknownMember], but for those named in also. Null leaves a field as it is.
// The object stands at path, "" for a case.
func Decode(path string, text []byte, into any, also ...string) error {
	unknown, err := decode(path, text, into, also)
	if err == nil && len(unknown) > 0 {
		return unknown[0]
	}
	return err
}

// DecodeRow is [Decode] for the row of a table, which may hold more than the
// case, such as what its answer must be: it returns the names of the members at
// the top that were passed over. Further in every member must be known.
func DecodeRow(text []byte, into any, also ...string) (ignored []string, err error) {
	unknown, err := decode("", text, into, also)
	for _, u := range unknown {
		ignored = append(ignored, u.Name)
	}
	return ignored, err
}

func decode(path string, text []byte, into any, also []string) ([]*UnknownMember, error) {
	var object json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, at(path, fmt.Errorf("not JSON: %w", err))
	}
	return readStruct(path, object, reflect.ValueOf(into).Elem(), also)
}

// at says where an error is.
func at(path string, err error) error {
	if path == "" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// wrong says what stands at a path and what should.
func wrong(path string, text []byte, want string) error {
	const most = 40 // bytes of what is quoted
	if len(text) > most {
		text = append(bytes.ToValidUTF8(text[:most:most], nil), "..."...)
	}
	if path == "" {
		path = "the case"
	}
	return fmt.Errorf("%s is %s, want %s", path, text, want)
}

// read reads the JSON at path into v.
func read(path string, text json.RawMessage, v reflect.Value) error {
	switch to := v.Addr().Interface().(type) {
	case json.Unmarshaler:
		if err := to.UnmarshalJSON(text); err != nil {
			return at(path, err)
		}
		return nil
	case encoding.TextUnmarshaler:
		return readText(path, text, to)
	}
	if string(text) == "null" {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return read(path, text, v.Elem())
	case reflect.Struct:
		unknown, err := readStruct(path, text, v, nil)
		if err == nil && len(unknown) > 0 {
			return unknown[0]
		}
		return err
	case reflect.Slice:
		return readSlice(path, text, v)
	case reflect.Map:
		return readMap(path, text, v)
	}
	if json.Unmarshal(text, v.Addr().Interface()) != nil {
		return wrong(path, text, wantedScalar(v.Type()))
	}
	return nil
}

func readText(path string, text json.RawMessage, to encoding.TextUnmarshaler) error {
	var s *string
	switch err := json.Unmarshal(text, &s); {
	case err != nil:
		return wrong(path, text, "a string")
	case s == nil:
		return nil
	}
	if err := to.UnmarshalText([]byte(*s)); err != nil {
		return at(path, err)
	}
	return nil
}

// readStruct returns the members that have no field, in their order.
func readStruct(path string, text json.RawMessage, v reflect.Value, also []string) (unknown []*UnknownMember, err error) {
	if text[0] != '{' {
		return nil, wrong(path, text, "an object")
	}
	fields, known := membersOf(v.Type(), also)
	err = eachMember(text, func(name string, value json.RawMessage) error {
		index, ok := fields[name]
		switch {
		case ok:
			return read(join(path, name), value, v.FieldByIndex(index))
		case !slices.Contains(also, name):
			unknown = append(unknown, &UnknownMember{path, name, known})
		}
		return nil
	})
	return unknown, err
}

// membersOf returns the fields of a struct by the names of their members, and
// all names that its object may have.
func membersOf(t reflect.Type, also []string) (fields map[string][]int, known []string) {
	fields, known = map[string][]int{}, slices.Clone(also)
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		fields[name] = f.Index
		if !slices.Contains(also, name) {
			known = append(known, name)
		}
	}
	return fields, known
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// eachMember yields the members of a valid object in their order.
func eachMember(text json.RawMessage, yield func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := yield(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

func readSlice(path string, text json.RawMessage, v reflect.Value) error {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil {
		return wrong(path, text, "an array")
	}
	v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	for i, e := range elements {
		if err := read(fmt.Sprintf("%s[%d]", path, i), e, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func readMap(path string, text json.RawMessage, v reflect.Value) error {
	if text[0] != '{' {
		return wrong(path, text, "an object")
	}
	v.Set(reflect.MakeMap(v.Type()))
	return eachMember(text, func(name string, value json.RawMessage) error {
		element := reflect.New(v.Type().Elem()).Elem()
		if err := read(join(path, name), value, element); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), element)
		return nil
	})
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
