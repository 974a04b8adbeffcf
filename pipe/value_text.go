package pipe

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// Uint returns an unsigned number: a <uint>, an <int> that is not negative, or
// a <bool>. Old traces print many enums as numbers; an <enum> is a name and
// never a number. ok is false for anything else, also for numbers beyond 64
// bits and for text that is no number (some development versions of Mesa wrote
// "lu").
func (x Value) Uint() (n uint64, ok bool) {
	switch x.Kind() {
	case UintValue, IntValue, BoolValue:
		return parseUint(bytes.TrimSpace(x.RawText()))
	}
	return 0, false
}

// Int returns a signed number: an <int>, a <uint> below 1<<63, or a <bool>.
func (x Value) Int() (n int64, ok bool) {
	switch x.Kind() {
	case UintValue, IntValue, BoolValue:
	default:
		return 0, false
	}
	text := bytes.TrimSpace(x.RawText())
	if len(text) > 0 && text[0] == '-' {
		u, ok := parseUint(text[1:])
		if !ok || u > 1<<63 {
			return 0, false
		}
		return int64(-u), true
	}
	u, ok := parseUint(text)
	if !ok || u > math.MaxInt64 {
		return 0, false
	}
	return int64(u), true
}

// Bool returns a truth value: <bool>, or a number, which is true unless 0.
func (x Value) Bool() (b, ok bool) {
	if n, ok := x.Uint(); ok {
		return n != 0, true
	}
	n, ok := x.Int()
	return n != 0, ok
}

// Float returns a number: a <float> with a decimal point or, from programs that
// set their locale, a comma, infinities and NaN in the spellings of C libraries;
// or an <int> or <uint>.
func (x Value) Float() (f float64, ok bool) {
	switch x.Kind() {
	case FloatValue:
		return parseFloat(bytes.TrimSpace(x.RawText()))
	case IntValue:
		n, ok := x.Int()
		return float64(n), ok
	case UintValue:
		n, ok := x.Uint()
		return float64(n), ok
	}
	return 0, false
}

// Handle returns the address of a <ptr>, or 0 for <null/>.
func (x Value) Handle() (h Handle, ok bool) {
	switch x.Kind() {
	case NullValue:
		return 0, true
	case PtrValue:
		return parseHandle(bytes.TrimSpace(x.RawText()))
	}
	return 0, false
}

// String returns the meaning of a string or enum, unescaped, and the text of any
// other scalar as it was written. Arrays and structs print in braces, for
// people. It allocates; AppendString does not.
func (x Value) String() string { return string(x.AppendString(nil)) }

// AppendString appends what String returns.
func (x Value) AppendString(b []byte) []byte {
	switch x.Kind() {
	case NoValue:
		return b
	case NullValue:
		return append(b, "NULL"...)
	case ArrayValue, StructValue, UnknownValue:
		return x.appendBraces(b)
	}
	return x.appendText(b)
}

func (x Value) appendText(b []byte) []byte {
	if x.Literal() {
		return append(b, x.RawText()...)
	}
	return AppendUnescaped(b, x.RawText())
}

func (x Value) appendBraces(b []byte) []byte {
	b = append(b, '{')
	for i, c := range x.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		if name := c.RawName(); len(name) > 0 {
			b = append(AppendUnescaped(b, name), " = "...)
		}
		b = c.AppendString(b)
	}
	return append(b, '}')
}

// BytesLen returns how many bytes a <bytes> holds, without decoding them.
func (x Value) BytesLen() int {
	if x.Kind() != BytesValue {
		return 0
	}
	return len(x.RawText()) / 2
}

// AppendBytes appends the bytes of a <bytes>. ok is false, and nothing is
// appended, for other kinds and for text that is not pairs of hexadecimal
// digits.
func (x Value) AppendBytes(b []byte) (out []byte, ok bool) {
	if x.Kind() != BytesValue {
		return b, false
	}
	text := x.RawText()
	if len(text)%2 != 0 {
		return b, false
	}
	out = b
	for i := 0; i < len(text); i += 2 {
		high, low := hexDigit(text[i]), hexDigit(text[i+1])
		if high|low > 15 {
			return b, false
		}
		out = append(out, high<<4|low)
	}
	return out, true
}

// AppendUnescaped appends text with its character references resolved. Mesa
// writes each byte outside printable ASCII as a reference of its own, so a
// reference up to 255 is a byte, not a character; higher ones, which Mesa does
// not write, become UTF-8. What is no reference stays as it is.
func AppendUnescaped(b, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(b, text...)
		}
		b = append(b, text[:i]...)
		text = text[i:]
		r, size := reference(text)
		switch {
		case size == 0:
			b = append(b, '&')
			size = 1
		case r < 256:
			b = append(b, byte(r))
		default:
			b = utf8.AppendRune(b, r)
		}
		text = text[size:]
	}
}

// reference reads one character reference at the start of text. Its size is 0
// when there is none.
func reference(text []byte) (r rune, size int) {
	end := bytes.IndexByte(text[:min(len(text), 12)], ';')
	if end < 2 {
		return 0, 0
	}
	switch name := text[1:end]; string(name) {
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "amp":
		return '&', end + 1
	case "apos":
		return '\'', end + 1
	case "quot":
		return '"', end + 1
	default:
		n, ok := uint64(0), false
		if name[0] == '#' && len(name) > 1 {
			if name[1] == 'x' {
				n, ok = parseHex(name[2:])
			} else {
				n, ok = parseUint(name[1:])
			}
		}
		if !ok || n > utf8.MaxRune {
			return 0, 0
		}
		return rune(n), end + 1
	}
}

func parseUint(text []byte) (n uint64, ok bool) {
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > math.MaxUint64/10 {
			return 0, false
		}
		n = n*10 + d
		if n < d {
			return 0, false
		}
	}
	return n, true
}

func parseHandle(text []byte) (Handle, bool) {
	if len(text) < 3 || text[0] != '0' || text[1]|0x20 != 'x' {
		return 0, false
	}
	n, ok := parseHex(text[2:])
	return Handle(n), ok
}

func parseHex(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		d := hexDigit(c)
		if d > 15 || n>>60 != 0 {
			return 0, false
		}
		n = n<<4 | uint64(d)
	}
	return n, len(text) > 0
}

// hexDigit returns the value of a hexadecimal digit, or 255.
func hexDigit(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// parseFloat reads what printf's %g writes: glibc, musl, BSD and, with its own
// words for what is no number, Windows.
func parseFloat(text []byte) (float64, bool) {
	sign := 1.0
	number := text
	if len(number) > 0 && (number[0] == '-' || number[0] == '+') {
		if number[0] == '-' {
			sign = -1
		}
		number = number[1:]
	}
	switch string(number) {
	case "inf", "1.#INF", "1,#INF":
		return math.Inf(int(sign)), true
	case "nan", "1.#IND", "1,#IND", "1.#QNAN", "1,#QNAN", "1.#SNAN", "1,#SNAN", "nan(ind)", "nan(snan)":
		return math.NaN(), true
	}
	var room [40]byte
	if len(text) > len(room) {
		return 0, false
	}
	decimal := append(room[:0], text...)
	for i, c := range decimal {
		switch {
		case c == ',':
			decimal[i] = '.'
		case c-'0' <= 9, c == '.', c == 'e', c == 'E', c == '-', c == '+':
		default:
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(decimal), 64)
	return f, err == nil
}
