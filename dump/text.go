package dump

import (
	"fmt"
	"reflect"

	"github.com/outflow-gpu/outflow/pipe"
)

// Struct is any of Gallium's structs that this package spells as text and
// reads back. A stream output target is what it was made from.
type Struct interface {
	pipe.ShaderState | pipe.ComputeState | pipe.StreamOutputInfo | pipe.CreateStreamOutputTarget |
		pipe.DrawInfo | pipe.DrawIndirect | pipe.DrawRange | pipe.GridInfo |
		pipe.RasterizerState | pipe.DepthStencilAlphaState | pipe.StencilState | pipe.BlendState | pipe.RTBlendState |
		pipe.SamplerState | pipe.SamplerView | pipe.VertexElement | pipe.VertexBuffer |
		pipe.ConstantBuffer | pipe.ShaderBuffer | pipe.ImageView | pipe.Surface | pipe.SurfaceRef |
		pipe.FramebufferState | pipe.Viewport | pipe.Scissor | pipe.Box | pipe.ResourceTemplate
}

// AppendText appends a struct with every field under Gallium's name, as
// "{num_outputs = 1, stride = {3, 0, 0, 0}, ...}": numbers in full, enumerations
// by name, texts in quotes. ParseText reads it back to an equal value.
func AppendText[T Struct](b []byte, v *T) []byte {
	w := textWriter{}
	return w.value(b, reflect.ValueOf(v).Elem(), "")
}

// ParseText reads what AppendText wrote. Fields may come in any order, and those
// that are left out are zero. The error says which field is wrong, and how.
func ParseText[T Struct](text []byte) (v T, err error) {
	n, err := parseBraces(text, false)
	if err != nil {
		return v, err
	}
	r := textReader{}
	return v, r.value(reflect.ValueOf(&v).Elem(), n, "")
}

// AppendUtilText appends a struct in the form of Mesa's util_dump functions,
// as GALLIUM_DDEBUG writes it (u_dump_state.c): a comma behind every member,
// short names of enumerations, floats of six digits, and only the members that
// Mesa prints. Of stream output it has neither dst_offset nor stream.
func AppendUtilText[T Struct](b []byte, v *T) []byte {
	w := textWriter{util: true}
	return w.value(b, reflect.ValueOf(v).Elem(), "")
}

// ParseUtilText reads the form of AppendUtilText, from any version of Mesa:
// members that are left out are zero, those that the struct has no field for
// are passed over. An enumeration's <invalid> has all bits set, a blend factor's
// is zero.
func ParseUtilText[T Struct](text []byte) (v T, err error) {
	n, err := parseBraces(text, true)
	if err != nil {
		return v, err
	}
	r := textReader{util: true}
	return v, r.value(reflect.ValueOf(&v).Elem(), n, "")
}

// textWriter spells values. With util it does as Mesa's util_dump.
type textWriter struct{ util bool }

// value appends a value; as is what kind of number it is where its type does
// not tell.
func (w textWriter) value(b []byte, v reflect.Value, as string) []byte {
	if info, ok := v.Addr().Interface().(*pipe.StreamOutputInfo); ok {
		return w.streamOutput(b, info)
	}
	switch v.Kind() {
	case reflect.Struct:
		if state, ok := v.Addr().Interface().(*pipe.FramebufferState); ok && w.util {
			return w.framebuffer(b, state)
		}
		return w.members(b, v)
	case reflect.Array, reflect.Slice:
		return w.list(b, v, v.Len())
	}
	return w.scalar(b, v, as)
}

// members appends a struct.
func (w textWriter) members(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	first := true
	for m := range membersOf(v.Type(), w.util) {
		if m.when != nil && !m.when(v) || w.util && !adjust(v, &m) {
			continue
		}
		if !first && !w.util {
			b = append(b, ", "...)
		}
		first = false
		b = append(append(b, m.name...), " = "...)
		switch {
		case m.field < 0:
			b = append(b, m.as...)
		case m.most > 0:
			b = w.list(b, v.Field(m.field), m.most)
		default:
			b = w.value(b, v.Field(m.field), m.as)
		}
		if w.util {
			b = append(b, ", "...)
		}
	}
	return append(b, '}')
}

// adjust makes the member what Mesa prints for this very value, and says
// whether it does.
func adjust(v reflect.Value, m *textMember) bool {
	switch s := v.Addr().Interface().(type) {
	case *pipe.ShaderState:
		return m.name == "tokens" && s.Tokens != nil || m.name == "stream_output" && s.StreamOutput.NumOutputs > 0
	case *pipe.DrawInfo:
		if m.name == "index" && s.HasUserIndices {
			m.name = "index.user"
		} else if m.name == "index" {
			m.name = "index.resource"
		}
	case *pipe.BlendState:
		if m.name == "rt" {
			m.most = 1
			if s.IndependentBlend {
				m.most = min(int(s.MaxRT)+1, len(s.RT))
			}
		}
	}
	return true
}

// list appends the first elements of an array or slice. A text is a string.
func (w textWriter) list(b []byte, v reflect.Value, n int) []byte {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return append(b, "NULL"...)
		}
		if text, ok := v.Interface().([]byte); ok {
			return w.text(b, text)
		}
	}
	b = append(b, '{')
	for i := range n {
		if i > 0 && !w.util {
			b = append(b, ", "...)
		}
		b = w.value(b, v.Index(i), "")
		if w.util {
			b = append(b, ", "...)
		}
	}
	return append(b, '}')
}

// text appends a text in quotes. Mesa's has no escapes and begins on a new line.
func (w textWriter) text(b, text []byte) []byte {
	if w.util {
		b = append(b, "\"\n"...)
		return append(append(b, text...), '"')
	}
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f, c >= 0x80:
			b = append(b, '\\', 'x', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// outputMembers are the members of an output that Mesa's form has, and all.
const (
	utilOutputMembers = 4
	allOutputMembers  = 6
)

var outputMembers = [allOutputMembers]string{"register_index", "start_component", "num_components", "output_buffer", "dst_offset", "stream"}

func outputNumbers(o pipe.StreamOutput) [allOutputMembers]int {
	return [allOutputMembers]int{o.Register(), o.StartComponent(), o.NumComponents(), o.Buffer(), o.DstOffset(), o.Stream()}
}

// streamOutput appends what a shader captures. A mask that start and count
// cannot say is spelled as a mask; Mesa's form has such an output as its runs.
func (w textWriter) streamOutput(b []byte, info *pipe.StreamOutputInfo) []byte {
	if w.util {
		return w.utilStreamOutput(b, info)
	}
	s := info.Stride
	b = fmt.Appendf(b, "{num_outputs = %d, stride = {%d, %d, %d, %d}, output = {", len(info.Outputs()), s[0], s[1], s[2], s[3])
	for i, o := range info.Outputs() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, '{')
		n := outputNumbers(o)
		for k, name := range outputMembers {
			switch {
			case o.Contiguous() || k == 0 || k > 2:
				b = fmt.Appendf(b, "%s = %d", name, n[k])
			case k == 1:
				b = fmt.Appendf(b, "register_mask = %#x", o.Mask())
			default:
				continue
			}
			if k < len(n)-1 {
				b = append(b, ", "...)
			}
		}
		b = append(b, '}')
	}
	return append(b, "}}"...)
}

func (w textWriter) utilStreamOutput(b []byte, info *pipe.StreamOutputInfo) []byte {
	numbers := info.Numbers()
	s := info.Stride
	b = fmt.Appendf(b, "{num_outputs = %d, {%d, %d, %d, %d, }{", numbers.NumOutputs, s[0], s[1], s[2], s[3])
	for _, o := range numbers.Output {
		b = append(b, '{')
		for k, n := range [utilOutputMembers]uint64{o.RegisterIndex, o.StartComponent, o.NumComponents, o.OutputBuffer} {
			b = fmt.Appendf(b, "%s = %d, ", outputMembers[k], n)
		}
		b = append(b, "}, "...)
	}
	return append(b, "}}"...)
}

// framebuffer appends a framebuffer in Mesa's form: the addresses of eight
// surfaces.
func (w textWriter) framebuffer(b []byte, f *pipe.FramebufferState) []byte {
	b = fmt.Appendf(b, "{width = %d, height = %d, samples = %d, layers = %d, nr_cbufs = %d, cbufs = {", f.Width, f.Height, f.Samples, f.Layers, len(f.Cbufs))
	for i := range 8 {
		var h pipe.Handle
		if i < len(f.Cbufs) {
			h = f.Cbufs[i].Handle
		}
		b = append(appendHandle(b, h), ", "...)
	}
	b = append(b, "}, zsbuf = "...)
	return append(appendHandle(b, f.Zsbuf.Handle), ", }"...)
}
