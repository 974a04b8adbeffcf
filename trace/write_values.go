package trace

import (
	"bytes"
	"math"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// encoder appends the elements of a trace to its text.
type encoder struct {
	text    []byte
	dialect Dialect
	scratch []byte
}

// maxKept is how much memory an encoder keeps from one call to the next.
const maxKept = 1 << 20

// reset makes room for the next call.
func (e *encoder) reset() {
	if cap(e.text) > maxKept {
		e.text = nil
	}
	e.text = e.text[:0]
}

func (e *encoder) raw(s string) { e.text = append(e.text, s...) }

// escape appends text as Mesa does: byte by byte, whatever the encoding.
func (e *encoder) escape(s string) {
	plain := 0 // start of the bytes that stand for themselves
	for i := range len(s) {
		if mustEscape[s[i]] {
			e.text = append(e.text, s[plain:i]...)
			e.escapeByte(s[i])
			plain = i + 1
		}
	}
	e.text = append(e.text, s[plain:]...)
}

func (e *encoder) escapeBytes(s []byte) {
	plain := 0
	for i, c := range s {
		if mustEscape[c] {
			e.text = append(e.text, s[plain:i]...)
			e.escapeByte(c)
			plain = i + 1
		}
	}
	e.text = append(e.text, s[plain:]...)
}

// mustEscape tells the bytes that do not stand for themselves.
var mustEscape = func() (must [256]bool) {
	for c := range must {
		must[c] = c < 0x20 || c > 0x7e
	}
	for _, c := range []byte(`<>&'"`) {
		must[c] = true
	}
	return must
}()

// escapeByte writes a byte that must be escaped.
func (e *encoder) escapeByte(c byte) {
	switch {
	case c == '<':
		e.raw("&lt;")
	case c == '>':
		e.raw("&gt;")
	case c == '&':
		e.raw("&amp;")
	case c == '\'':
		e.raw("&apos;")
	case c == '"':
		e.raw("&quot;")
	default:
		e.raw("&#")
		e.text = strconv.AppendUint(e.text, uint64(c), 10)
		e.text = append(e.text, ';')
	}
}

func (e *encoder) null() { e.raw("<null/>") }

func (e *encoder) bool(b bool) {
	if b {
		e.raw("<bool>1</bool>")
		return
	}
	e.raw("<bool>0</bool>")
}

func (e *encoder) int(v int64) {
	e.raw("<int>")
	e.text = strconv.AppendInt(e.text, v, 10)
	e.raw("</int>")
}

func (e *encoder) uint(v uint64) {
	e.raw("<uint>")
	e.text = strconv.AppendUint(e.text, v, 10)
	e.raw("</uint>")
}

// float writes a number as printf's %g: six significant digits.
func (e *encoder) float(v float64) {
	e.raw("<float>")
	switch {
	case math.IsNaN(v) && math.Signbit(v):
		e.raw("-nan")
	case math.IsNaN(v):
		e.raw("nan")
	case math.IsInf(v, 1):
		e.raw("inf")
	case math.IsInf(v, -1):
		e.raw("-inf")
	default:
		e.text = strconv.AppendFloat(e.text, v, 'g', 6, 64)
	}
	e.raw("</float>")
}

func (e *encoder) enum(name string) {
	e.raw("<enum>")
	e.escape(name)
	e.raw("</enum>")
}

// word writes the value of an enumeration that is kept by name, or by the
// digits of a number that has none.
func (e *encoder) word(name string) {
	if isNumber(name) {
		e.raw("<uint>")
		e.raw(name)
		e.raw("</uint>")
		return
	}
	e.enum(name)
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

// format writes a format. None at all is PIPE_FORMAT_NONE.
func (e *encoder) format(f pipe.Format) {
	if f == "" {
		f = pipe.FormatNone
	}
	e.word(string(f))
}

// ptr writes the address of an object.
func (e *encoder) ptr(h pipe.Handle) {
	if h == 0 {
		e.null()
		return
	}
	e.raw("<ptr>")
	e.text = h.Append(e.text)
	e.raw("</ptr>")
}

// string writes a string, escaped.
func (e *encoder) string(s []byte) {
	e.raw("<string>")
	e.escapeBytes(s)
	e.raw("</string>")
}

var cdataEnd = []byte("]]>")

// program writes the text of a shader: NIR, which has lines, stands as it is in a
// CDATA section, unless that would end in the middle of it.
func (e *encoder) program(s []byte) {
	switch {
	case s == nil:
		e.null()
	case bytes.IndexByte(s, '\n') < 0 || bytes.Contains(s, cdataEnd):
		e.string(s)
	default:
		e.raw("<string><![CDATA[")
		e.text = append(e.text, s...)
		e.raw("]]></string>")
	}
}

func (e *encoder) blob(b pipe.Blob) {
	e.raw("<bytes>")
	e.text = b.AppendHex(e.text)
	e.raw("</bytes>")
}

// arg begins an argument; endArg ends it.
func (e *encoder) arg(name string) {
	e.raw("\t\t<arg name='")
	e.escape(name)
	e.raw("'>")
}

func (e *encoder) endArg() { e.raw("</arg>\n") }

func (e *encoder) argPtr(name string, h pipe.Handle) { e.arg(name); e.ptr(h); e.endArg() }
func (e *encoder) argUint(name string, v uint32)     { e.arg(name); e.uint(uint64(v)); e.endArg() }
func (e *encoder) argInt(name string, v int64)       { e.arg(name); e.int(v); e.endArg() }
func (e *encoder) argBool(name string, b bool)       { e.arg(name); e.bool(b); e.endArg() }
func (e *encoder) argEnum(name, value string)        { e.arg(name); e.enum(value); e.endArg() }

// begin begins a struct; end ends it.
func (e *encoder) begin(name string) {
	e.raw("<struct name='")
	e.raw(name)
	e.raw("'>")
}

func (e *encoder) end() { e.raw("</struct>") }

// member begins a member of a struct; endMember ends it. Unlike those of
// arguments, Mesa does not escape their names.
func (e *encoder) member(name string) {
	e.raw("<member name='")
	e.raw(name)
	e.raw("'>")
}

func (e *encoder) endMember() { e.raw("</member>") }

func (e *encoder) ptrMember(name string, h pipe.Handle) { e.member(name); e.ptr(h); e.endMember() }
func (e *encoder) uintMember(name string, v uint32) {
	e.member(name)
	e.uint(uint64(v))
	e.endMember()
}
func (e *encoder) intMember(name string, v int64) { e.member(name); e.int(v); e.endMember() }
func (e *encoder) boolMember(name string, b bool) { e.member(name); e.bool(b); e.endMember() }
func (e *encoder) formatMember(name string, f pipe.Format) {
	e.member(name)
	e.format(f)
	e.endMember()
}

func (e *encoder) floatMember(name string, v float32) {
	e.member(name)
	e.float(float64(v))
	e.endMember()
}

// asUint writes a flag as a number, which Mesa does for bit fields here and
// there.
func (e *encoder) asUint(name string, b bool) {
	v := uint32(0)
	if b {
		v = 1
	}
	e.uintMember(name, v)
}

func (e *encoder) array()    { e.raw("<array>") }
func (e *encoder) endArray() { e.raw("</array>") }
func (e *encoder) elem()     { e.raw("<elem>") }
func (e *encoder) endElem()  { e.raw("</elem>") }

// ptrs writes a list of objects, nil as NULL.
func (e *encoder) ptrs(list []pipe.Handle) {
	if list == nil {
		e.null()
		return
	}
	e.array()
	for _, h := range list {
		e.elem()
		e.ptr(h)
		e.endElem()
	}
	e.endArray()
}

// uints writes a list of numbers, nil as NULL.
func (e *encoder) uints(list []uint32) {
	if list == nil {
		e.null()
		return
	}
	e.array()
	for _, v := range list {
		e.elem()
		e.uint(uint64(v))
		e.endElem()
	}
	e.endArray()
}

func (e *encoder) floats(list []float32) {
	e.array()
	for _, v := range list {
		e.elem()
		e.float(float64(v))
		e.endElem()
	}
	e.endArray()
}

// list writes structs, nil as NULL.
func list[T any](e *encoder, items []T, each func(*encoder, *T)) {
	if items == nil {
		e.null()
		return
	}
	e.array()
	for i := range items {
		e.elem()
		each(e, &items[i])
		e.endElem()
	}
	e.endArray()
}
