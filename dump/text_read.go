package dump

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// textReader gives values what a text says of them. With util it takes the form
// of Mesa's util_dump.
type textReader struct{ util bool }

// value sets v. The error names the member, from within its struct.
func (r textReader) value(v reflect.Value, n braces, as string) error {
	switch p := v.Addr().Interface().(type) {
	case *pipe.StreamOutputInfo:
		return r.streamOutput(p, n)
	case *[]byte:
		*p = r.text(n)
		return nil
	case *pipe.SurfaceRef:
		if r.util && !n.isList {
			return r.value(reflect.ValueOf(&p.Handle).Elem(), n, as)
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return r.members(v, n)
	case reflect.Array, reflect.Slice:
		return r.list(v, n)
	}
	if n.isList {
		return fmt.Errorf("braces stand for a number")
	}
	return r.scalar(v, n, as)
}

// text returns a text as it was before it was put in quotes.
func (r textReader) text(n braces) []byte {
	switch {
	case !n.quoted:
		return nil
	case r.util:
		return []byte(strings.TrimPrefix(n.atom, "\n"))
	}
	return []byte(n.atom)
}

func (r textReader) members(v reflect.Value, n braces) error {
	if !n.isList {
		return fmt.Errorf("%s stands for a struct, want braces", n.atom)
	}
	members := slices.Collect(membersOf(v.Type(), r.util))
	for _, c := range n.list {
		at := slices.IndexFunc(members, func(m textMember) bool {
			return m.name == c.name || r.util && m.name == "index" && (c.name == "index.user" || c.name == "index.resource")
		})
		switch {
		case at < 0 && !r.util:
			return fmt.Errorf("no member is called %q", c.name)
		case at < 0 || members[at].field < 0:
			continue
		}
		if err := r.value(v.Field(members[at].field), c, members[at].as); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if r.util {
		inferKind(v, n)
	}
	return nil
}

// inferKind sets what Mesa's form tells by the members that it prints.
func inferKind(v reflect.Value, n braces) {
	_, isBuffer := n.member("u.buf.offset")
	switch s := v.Addr().Interface().(type) {
	case *pipe.ImageView:
		s.IsBuffer = isBuffer
	case *pipe.SamplerView:
		s.IsBuffer = isBuffer
	case *pipe.FramebufferState:
		count, _ := n.member("nr_cbufs")
		if used, err := strconv.Atoi(count.atom); err == nil && used >= 0 && used < len(s.Cbufs) {
			s.Cbufs = s.Cbufs[:used]
		}
	case *pipe.VertexElement:
		_, s.HasSrcStride = n.member("src_stride")
	case *pipe.DrawRange:
		_, s.HasIndexBias = n.member("index_bias")
	}
}

// list sets an array or slice. Mesa prints fewer elements than an array has, and
// always eight surfaces.
func (r textReader) list(v reflect.Value, n braces) error {
	if !n.isList {
		if v.Kind() == reflect.Slice && n.atom == "NULL" {
			v.SetZero()
			return nil
		}
		return fmt.Errorf("%s stands for an array, want braces", n.atom)
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(n.list), len(n.list)))
	}
	if len(n.list) > v.Len() || len(n.list) < v.Len() && !r.util {
		return fmt.Errorf("%d elements, want %d", len(n.list), v.Len())
	}
	for i, c := range n.list {
		if err := r.value(v.Index(i), c, ""); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// scalar sets a number, name or address.
func (r textReader) scalar(v reflect.Value, n braces, as string) error {
	if names := shortNames(v.Type(), as); r.util && names != nil {
		if at := slices.Index(names, n.atom); at >= 0 && n.atom != "" {
			v.SetUint(uint64(at))
			return nil
		}
		if n.atom == invalidName {
			if v.Type() != reflect.TypeFor[pipe.BlendFactor]() {
				v.SetUint(1<<v.Type().Bits() - 1)
			}
			return nil
		}
	}
	if number, isEnum, ok := parseEnum(v.Type(), n.atom); isEnum {
		if !ok {
			return fmt.Errorf("%s is no %s", n.atom, v.Type().Name())
		}
		v.SetUint(number)
		return nil
	}
	switch v.Type() {
	case reflect.TypeFor[pipe.Handle]():
		return setHandle(v, n.atom)
	case reflect.TypeFor[pipe.Format]():
		v.SetString(n.atom)
		return nil
	}
	return setNumber(v, n)
}

// parseEnum reads a name of an enumeration, or a number that has none.
func parseEnum(t reflect.Type, s string) (v uint64, isEnum, ok bool) {
	switch t {
	case reflect.TypeFor[pipe.CompareFunc]():
		return enumOf(pipe.ParseCompareFunc(s))
	case reflect.TypeFor[pipe.StencilOp]():
		return enumOf(pipe.ParseStencilOp(s))
	case reflect.TypeFor[pipe.BlendFunc]():
		return enumOf(pipe.ParseBlendFunc(s))
	case reflect.TypeFor[pipe.BlendFactor]():
		return enumOf(pipe.ParseBlendFactor(s))
	case reflect.TypeFor[pipe.LogicOp]():
		return enumOf(pipe.ParseLogicOp(s))
	case reflect.TypeFor[pipe.TextureTarget]():
		return enumOf(pipe.ParseTextureTarget(s))
	case reflect.TypeFor[pipe.PrimitiveType]():
		return enumOf(pipe.ParsePrimitiveType(s))
	}
	return 0, false, false
}

func enumOf[T ~uint8](v T, ok bool) (uint64, bool, bool) { return uint64(v), true, ok }

func setHandle(v reflect.Value, s string) error {
	if s == "NULL" || s == "(nil)" {
		v.SetUint(0)
		return nil
	}
	h, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil {
		return fmt.Errorf("%s is no address", s)
	}
	v.SetUint(h)
	return nil
}

func setNumber(v reflect.Value, n braces) error {
	wrong := fmt.Errorf("%s is no %s", n.atom, v.Type())
	switch v.Kind() {
	case reflect.Bool:
		if n.atom != "0" && n.atom != "1" {
			return wrong
		}
		v.SetBool(n.atom == "1")
	case reflect.String:
		v.SetString(n.atom)
	case reflect.Float32:
		f, err := strconv.ParseFloat(n.atom, 32)
		if err != nil {
			return wrong
		}
		v.SetFloat(f)
	case reflect.Int32:
		i, err := strconv.ParseInt(n.atom, 10, 32)
		if err != nil {
			return wrong
		}
		v.SetInt(i)
	default:
		u, err := strconv.ParseUint(n.atom, 10, v.Type().Bits())
		if err != nil {
			return wrong
		}
		v.SetUint(u)
	}
	return nil
}

// streamOutput reads what a shader captures. In Mesa's form strides and outputs
// have no names, and the offsets, which it does not have, follow each other in
// each buffer.
func (r textReader) streamOutput(info *pipe.StreamOutputInfo, n braces) error {
	if !n.isList {
		return fmt.Errorf("%s stands for a struct, want braces", n.atom)
	}
	var lists []braces
	for _, c := range n.list {
		if c.isList {
			lists = append(lists, c)
		}
	}
	if len(lists) != 2 {
		return fmt.Errorf("stride and output are wanted")
	}
	if err := r.list(reflect.ValueOf(&info.Stride).Elem(), lists[0]); err != nil {
		return fmt.Errorf("stride: %w", err)
	}
	if len(lists[1].list) > pipe.MaxStreamOutputs {
		return fmt.Errorf("%d outputs, at most %d", len(lists[1].list), pipe.MaxStreamOutputs)
	}
	count, _ := n.member("num_outputs")
	if count.atom != strconv.Itoa(len(lists[1].list)) {
		return fmt.Errorf("num_outputs is %q, but %d outputs are there", count.atom, len(lists[1].list))
	}
	var filled [pipe.MaxStreamOutputBuffers]uint64
	for i, c := range lists[1].list {
		o, err := r.output(c, &filled)
		if err != nil {
			return fmt.Errorf("output[%d]: %w", i, err)
		}
		info.Output[i] = o
	}
	info.NumOutputs = uint32(len(lists[1].list))
	return nil
}

// output reads one output.
func (r textReader) output(n braces, filled *[pipe.MaxStreamOutputBuffers]uint64) (pipe.StreamOutput, error) {
	var v [allOutputMembers]uint64
	mask, masked := uint64(0), false
	for _, c := range n.list {
		at := slices.Index(outputMembers[:], c.name)
		number, err := strconv.ParseUint(c.atom, 0, 32)
		if err != nil {
			return 0, fmt.Errorf("%s: %q is no number", c.name, c.atom)
		}
		switch {
		case at >= 0:
			v[at] = number
		case c.name == "register_mask":
			mask, masked = number, true
		default:
			return 0, fmt.Errorf("no member is called %q", c.name)
		}
	}
	_, placed := n.member("dst_offset")
	if r.util && !placed && v[3] < pipe.MaxStreamOutputBuffers {
		v[4] = filled[v[3]]
		filled[v[3]] += v[2]
	}
	if !masked && v[2] != 0 {
		return pipe.OutputNumbers{RegisterIndex: v[0], StartComponent: v[1], NumComponents: v[2], OutputBuffer: v[3], DstOffset: v[4], Stream: v[5]}.Pack()
	}
	if mask == 0 {
		// An output of nothing, which a cleared struct holds, cannot be made of parts.
		o, err := pipe.PackMask(v[0], 1, v[3], v[4], v[5])
		empty, _ := pipe.PackMask(0, 1, 0, 0, 0)
		return o &^ empty, err
	}
	return pipe.PackMask(v[0], mask, v[3], v[4], v[5])
}
