package jsonlines

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Case is a JSON object by its members. What is read of it is taken out; what is
// left when it is answered was read by nobody.
type Case map[string]json.RawMessage

// Parse reads a case.
func Parse(text []byte) (Case, error) {
	c := Case{}
	return c, c.parse(text)
}

// parse is Parse into the memory of another case.
func (c Case) parse(text []byte) error {
	clear(c)
	switch err := json.Unmarshal(text, &c); {
	case err == nil && c != nil: // null makes it nil
		return nil
	case json.Valid(text):
		return errors.New("not a JSON object")
	default:
		return fmt.Errorf("not JSON: %w", err)
	}
}

// Take moves the members that a struct has fields for out of the case into it,
// by their exact names. Its errors are those of [Decode].
func (c Case) Take(into any) error {
	text := append(make([]byte, 0, 512), '{')
	for _, name := range memberNames(reflect.TypeOf(into).Elem()) {
		value, ok := c[name]
		if !ok {
			continue
		}
		delete(c, name)
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(append(text, '"'), name...), `":`...), value...)
	}
	return decode("", append(text, '}'), into)
}

// memberNames returns what the fields of a struct are called in JSON.
func memberNames(t reflect.Type) []string {
	names := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, memberNames(f.Type)...)
		case f.IsExported() && name != "" && name != "-":
			names = append(names, name)
		}
	}
	return names
}

// Decode reads a JSON object, called by the path, into a struct. A member without
// a field is an error. Each error has the path of what is wrong and says what was
// wanted.
func Decode(path string, text []byte, into any) error {
	if _, err := Parse(text); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return decode(path, bytes.TrimSpace(text), into)
}

// decode is Decode of what is known to be one object.
func decode(path string, text []byte, into any) error {
	read := func(text []byte, into any) error {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		return d.Decode(into)
	}
	err := read(text, into)
	if err == nil {
		return nil
	}
	t := reflect.TypeOf(into).Elem()
	return explain(path, text, err, func(text []byte) error { return read(text, reflect.New(t).Interface()) })
}

// explain finds the innermost value within text that cannot be read and says why.
// read reads what stands in the place of text; what it says of text is err.
func explain(path string, text []byte, err error, read func([]byte) error) error {
	within := func(before, after string) func([]byte) error {
		return func(text []byte) error { return read(slices.Concat([]byte(before), text, []byte(after))) }
	}
	var list []json.RawMessage
	var members Case
	switch {
	case text[0] == '[' && read([]byte("[]")) == nil && json.Unmarshal(text, &list) == nil:
		readElement := within("[", "]")
		for i, element := range list {
			if err := readElement(element); err != nil {
				return explain(fmt.Sprintf("%s[%d]", path, i), element, err, readElement)
			}
		}
	case text[0] == '{' && read([]byte("{}")) == nil && json.Unmarshal(text, &members) == nil:
		for _, name := range slices.Sorted(maps.Keys(members)) {
			key, _ := json.Marshal(name) // a string always marshals
			readMember := within("{"+string(key)+":", "}")
			if err := readMember([]byte("null")); err != nil && strings.HasPrefix(err.Error(), "json: unknown field ") {
				return fmt.Errorf("%s has a member %q that nothing reads", path, name)
			}
			if err := readMember(members[name]); err != nil {
				return explain(strings.TrimPrefix(path+"."+name, "."), members[name], err, readMember)
			}
		}
		return fmt.Errorf("%s has a member twice, and one of them is wrong", path)
	}
	var mistyped *json.UnmarshalTypeError
	if !errors.As(err, &mistyped) {
		return fmt.Errorf("%s: %w", path, err)
	}
	const most = 40 // bytes of what is quoted
	if len(text) > most {
		text = append(bytes.ToValidUTF8(text[:most:most], nil), "..."...)
	}
	return fmt.Errorf("%s is %s, want %s", path, text, wanted(mistyped.Type))
}

// wanted says what a type takes.
func wanted(t reflect.Type) string {
	if _, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
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
