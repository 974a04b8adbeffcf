package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// Object is a JSON object whose members keep their order. Members hold nil,
// bool, string, Number, Uint, Address, Object or []any.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// Number is a number as it is spelled.
type Number string

// MarshalJSON returns the number, or a string for what JSON has no number for.
func (n Number) MarshalJSON() ([]byte, error) {
	if v, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return appendJSONInt(nil, v), nil
	}
	if v, err := strconv.ParseUint(string(n), 10, 64); err == nil {
		return appendJSONUint(nil, v), nil
	}
	if v, err := strconv.ParseFloat(string(n), 64); err == nil {
		return appendJSONFloat(nil, v), nil
	}
	return json.Marshal(string(n))
}

// add appends a member.
func (o *Object) add(name string, value any) { *o = append(*o, Member{name, value}) }

// Get returns the value of a member, nil when it is not there.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// MarshalJSON returns the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(appendJSONString(nil, []byte(m.Name)))
		b.WriteByte(':')
		if err := enc.Encode(m.Value); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// objectOf returns a struct of package pipe as an Object, with the names of its
// fields in JSON's manner and everything that is in it.
func objectOf(v any) any { return treeOf(reflect.ValueOf(v)) }

func treeOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return treeOf(v.Elem())
	case reflect.Struct:
		o := make(Object, 0, v.NumField())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				o.add(memberName(f.Name), treeOf(v.Field(i)))
			}
		}
		return o
	case reflect.Slice, reflect.Array:
		list := make([]any, 0, v.Len())
		for i := range v.Len() {
			list = append(list, treeOf(v.Index(i)))
		}
		return list
	}
	return scalarOf(v)
}

func scalarOf(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case pipe.Handle:
		return Address(x)
	case pipe.Format:
		if x == "" {
			return nil
		}
		return string(x)
	case fmt.Stringer:
		if s := x.String(); s != "" && !unicode.IsDigit(rune(s[0])) {
			return s
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Float32:
		return floatNumber(v.Float(), 32)
	case reflect.Float64:
		return floatNumber(v.Float(), 64)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Number(strconv.FormatInt(v.Int(), 10))
	}
	return Number(strconv.FormatUint(v.Uint(), 10))
}

// floatNumber spells a number; infinities and NaN as C does.
func floatNumber(f float64, bits int) Number {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return Number(strconv.FormatFloat(f, 'g', -1, bits))
}

// memberName turns the name of a Go field into that of a JSON member:
// ClipHalfZ, RGBFunc and RT become clipHalfZ, rgbFunc and rt.
func memberName(field string) string {
	upper := 0
	for upper < len(field) && unicode.IsUpper(rune(field[upper])) {
		upper++
	}
	if upper > 1 && upper < len(field) {
		upper-- // the last one begins the next word
	}
	return strings.ToLower(field[:upper]) + field[upper:]
}

// valueObject returns the values that follow x in a call as an Object, by name.
func valueObject(x pipe.Value, wanted func(pipe.Role) bool) Object {
	o := Object{}
	for i := 0; x.Exists(); x = x.Next() {
		if !wanted(x.Role()) {
			continue
		}
		name := x.Name()
		if name == "" {
			name = strconv.Itoa(i)
		}
		o.add(name, valueTree(x))
		i++
	}
	return o
}

func valueTree(x pipe.Value) any {
	switch x.Kind() {
	case pipe.NoValue, pipe.NullValue:
		return nil
	case pipe.BoolValue:
		if v, ok := x.Bool(); ok {
			return v
		}
	case pipe.IntValue, pipe.UintValue:
		return Number(x.RawText())
	case pipe.FloatValue:
		if f, ok := x.Float(); ok {
			return floatNumber(f, 64)
		}
	case pipe.PtrValue:
		if h, ok := x.Handle(); ok {
			return Address(h)
		}
	case pipe.BytesValue:
		if data, ok := x.AppendBytes(nil); ok {
			return blobObject(data)
		}
	case pipe.ArrayValue:
		list := []any{}
		for _, c := range x.All() {
			list = append(list, valueTree(c))
		}
		return list
	case pipe.StructValue, pipe.UnknownValue:
		return valueObject(x.First(), isAny)
	}
	return textOf([]byte(x.String()))
}

// blobObject is how many bytes there are, and their hash.
func blobObject(data []byte) Object {
	return Object{{"bytes", Uint(len(data))}, {"hash", string(appendHex64(nil, xxhash.Sum64(data)))}}
}

// textOf returns text as a string, or its bytes when it is no UTF-8.
func textOf(b []byte) any {
	if utf8.Valid(b) {
		return string(b)
	}
	return Object{{"hex", string(pipe.BytesBlob(b).AppendHex(nil))}}
}
