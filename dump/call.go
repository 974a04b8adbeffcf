package dump

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// CallOptions say how calls are printed. The zero value prints each call on one
// line, apart from shader texts, without colours, with addresses.
type CallOptions struct {
	Palette Palette
	// Width is how many columns a line may have before nested values are broken
	// up, 0 for no limit.
	Width int
	// Hex prints the bytes of blobs, not only their number and hash.
	Hex bool
	// HashTexts prints number of bytes and hash of texts of several lines, as of
	// blobs, instead of the text.
	HashTexts bool
	// Names replace addresses, nil to keep them. They have to have seen the record
	// that is printed, and all before.
	Names *Names
}

// CallText prints the calls of a trace for people. The first line of each call
// begins with its number, all others with a blank; lines that begin with # say
// what stands between calls. It is for one goroutine.
type CallText struct {
	options CallOptions
	unseen  int // bytes of colour codes since the line began
	bol     int // offset in the buffer where the line began
	method  string
	holder  []byte // name of the argument or member that is printed
	text    []byte // room for texts
	blob    []byte // room for blobs
}

// NewCallText returns a printer with these options.
func NewCallText(o CallOptions) *CallText { return &CallText{options: o} }

// Append appends the lines of a record to b: a call, or what stands between
// calls; headers and footers print nothing.
func (p *CallText) Append(b []byte, rec *trace.Record) []byte {
	p.bol, p.unseen, p.method = len(b), 0, rec.Method
	switch rec.Kind {
	case trace.CallRecord, trace.MalformedRecord:
		return p.call(b, rec)
	case trace.StrayRecord:
		b = append(b, "# line "...)
		b = strconv.AppendInt(b, int64(rec.Pos.Line), 10)
		b = append(b, ", outside any call: "...)
		b = p.value(b, rec.Values.First(), 1, "")
		return append(b, '\n')
	case trace.NoiseRecord:
		b = append(b, "# line "...)
		b = strconv.AppendInt(b, int64(rec.Pos.Line), 10)
		b = append(b, ", no trace: "...)
		b = appendQuoted(b, bytes.TrimRight(rec.Raw, "\r\n"))
		return append(b, '\n')
	}
	return b
}

// call appends a call: on one line when it fits, else one line for each argument.
func (p *CallText) call(b []byte, rec *trace.Record) []byte {
	if rec.HasNo {
		b = strconv.AppendUint(b, rec.No, 10)
	} else {
		b = append(b, '-')
	}
	b = append(b, ' ')
	if rec.Class != "" {
		b = append(appendPrintable(b, []byte(rec.Class)), "::"...)
	}
	b = p.open(b, paintStrong)
	b = appendPrintable(b, []byte(rec.Method))
	b = p.shut(b)
	b = append(b, '(')
	start, unseen := len(b), p.unseen
	b = p.list(b, rec.Values.First(), isArgument, 0)
	nothing := len(b) == start
	b = p.tail(b, rec)
	if nothing || p.fits(b) {
		return append(b, '\n')
	}
	p.unseen = unseen
	b = p.lines(b[:start], rec.Values.First(), isArgument, 1)
	return append(p.tail(b, rec), '\n')
}

// tail appends what follows the arguments: results, time, and what is wrong.
func (p *CallText) tail(b []byte, rec *trace.Record) []byte {
	b = append(b, ')')
	for x := range rec.Values.Rets() {
		b = append(b, " = "...)
		b = p.value(b, x, 1, "ret")
	}
	if us, ok := rec.Values.Time(); ok {
		b = p.open(b, paintDim)
		b = append(b, "  // "...)
		b = strconv.AppendInt(b, us, 10)
		b = append(b, " us"...)
		b = p.shut(b)
	}
	switch {
	case rec.Problem != nil:
		b = p.remark(b, "malformed: ")
		b = appendPrintable(b, []byte(rec.Problem.Reason))
	case rec.Open:
		b = p.remark(b, "the trace ends inside this call")
	case rec.Skipped:
		b = p.remark(b, "not read")
	}
	return b
}

func (p *CallText) remark(b []byte, s string) []byte {
	b = append(b, "  # "...)
	return append(b, s...)
}

// isArgument says which values of a call stand in its parentheses.
func isArgument(r pipe.Role) bool { return r != pipe.RetRole && r != pipe.TimeRole }

// isAny is for the values inside a value.
func isAny(pipe.Role) bool { return true }

// list appends siblings, with commas, on one line.
func (p *CallText) list(b []byte, x pipe.Value, wanted func(pipe.Role) bool, depth int) []byte {
	first := true
	for ; x.Exists(); x = x.Next() {
		if !wanted(x.Role()) {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = p.named(b, x, depth)
		if p.options.Width > 0 && !p.fits(b) {
			return b // it will be broken up anyway
		}
	}
	return b
}

// named appends a value behind its name.
func (p *CallText) named(b []byte, x pipe.Value, depth int) []byte {
	return p.value(p.label(b, x), x, depth+1, "")
}

// label appends the name of a value, if it has one.
func (p *CallText) label(b []byte, x pipe.Value) []byte {
	name := x.RawName()
	if len(name) == 0 {
		return b
	}
	p.holder = name
	b = p.open(b, paintName)
	b = p.name(b, name)
	b = p.shut(b)
	return append(b, " = "...)
}

func (p *CallText) name(b, raw []byte) []byte {
	if plain(raw) && bytes.IndexByte(raw, '&') < 0 {
		return append(b, raw...)
	}
	p.text = pipe.AppendUnescaped(p.text[:0], raw)
	return appendPrintable(b, p.text)
}

// lines appends siblings one on each line, those that are too long for one
// broken up in turn. Numbers and the like share lines.
func (p *CallText) lines(b []byte, x pipe.Value, wanted func(pipe.Role) bool, depth int) []byte {
	filling := false
	for first := true; x.Exists(); x = x.Next() {
		if !wanted(x.Role()) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		scalar := isScalar(x.Kind())
		if scalar && filling {
			start, unseen := len(b), p.unseen
			b = p.named(append(b, ' '), x, depth)
			if p.fits(b) {
				continue
			}
			b, p.unseen = b[:start], unseen
		}
		filling = scalar
		b = p.line(b, depth)
		b = p.broken(b, x, depth)
	}
	return p.line(b, depth-1)
}

// isScalar is for what is short and stands well beside its like.
func isScalar(k pipe.ValueKind) bool {
	switch k {
	case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue, pipe.StringValue, pipe.BytesValue:
		return false
	}
	return true
}

// broken appends a named value, broken up when it does not fit.
func (p *CallText) broken(b []byte, x pipe.Value, depth int) []byte {
	start, unseen := len(b), p.unseen
	b = p.named(b, x, depth)
	if p.fits(b) || x.Kind() != pipe.StructValue && x.Kind() != pipe.ArrayValue {
		return b
	}
	b, p.unseen = b[:start], unseen
	b = append(p.label(b, x), '{')
	b = p.lines(b, x.First(), isAny, depth+1)
	return append(b, '}')
}

// line begins a line.
func (p *CallText) line(b []byte, depth int) []byte {
	b = append(b, '\n')
	p.bol, p.unseen = len(b), 0
	if depth == 0 {
		return append(b, ' ')
	}
	for range depth {
		b = append(b, "    "...)
	}
	return b
}

// fits says whether the line still is within the width.
func (p *CallText) fits(b []byte) bool {
	return p.options.Width <= 0 || len(b)-p.bol-p.unseen < p.options.Width
}

// value appends a value. Texts of several lines stand indented by depth.
func (p *CallText) value(b []byte, x pipe.Value, depth int, role string) []byte {
	switch x.Kind() {
	case pipe.NullValue:
		b = append(b, "NULL"...)
	case pipe.BoolValue, pipe.IntValue, pipe.UintValue, pipe.FloatValue:
		b = append(b, x.RawText()...)
	case pipe.PtrValue:
		b = p.pointer(b, x, role)
	case pipe.EnumValue:
		b = p.open(b, paintWord)
		b = p.name(b, x.RawText())
		b = p.shut(b)
	case pipe.StringValue:
		b = p.str(b, x, depth)
	case pipe.BytesValue:
		b = p.bytes(b, x)
	case pipe.UnknownValue:
		b = p.name(append(b, '<'), x.RawText())
		b = p.list(append(b, '{'), x.First(), isAny, depth)
		b = append(b, "}>"...)
	default:
		b = append(b, '{')
		b = p.list(b, x.First(), isAny, depth)
		b = append(b, '}')
	}
	if x.Open() {
		b = append(b, "..."...)
	}
	return b
}

func (p *CallText) pointer(b []byte, x pipe.Value, role string) []byte {
	if p.options.Names == nil {
		return append(b, x.RawText()...)
	}
	name := p.options.Names.lookup(x, p.holder, p.method, role)
	if name == "" {
		return append(b, x.RawText()...)
	}
	b = p.open(b, paintObject)
	b = append(b, name...)
	return p.shut(b)
}

// str appends a string: quoted when it is one line, as text when it is several.
func (p *CallText) str(b []byte, x pipe.Value, depth int) []byte {
	text := x.RawText()
	if !x.Literal() && bytes.IndexByte(text, '&') >= 0 {
		p.text = pipe.AppendUnescaped(p.text[:0], text)
		text = p.text
	}
	if bytes.IndexByte(bytes.TrimRight(text, "\n"), '\n') < 0 {
		b = p.open(b, paintText)
		b = appendQuoted(b, text)
		return p.shut(b)
	}
	if p.options.HashTexts {
		return appendHash(append(b, "text"...), text)
	}
	b = append(b, `"""`...)
	for line := range bytes.Lines(bytes.TrimRight(text, "\n")) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			b = append(b, "\n "...)
			continue
		}
		b = p.line(b, depth)
		b = p.open(b, paintText)
		b = appendPrintable(b, line)
		b = p.shut(b)
	}
	b = p.line(b, depth)
	return append(b, `"""`...)
}

// bytes appends a blob: how long it is and its hash, or its digits.
func (p *CallText) bytes(b []byte, x pipe.Value) []byte {
	if p.options.Hex {
		b = append(b, "hex("...)
		return append(append(b, x.RawText()...), ')')
	}
	var ok bool
	if p.blob, ok = x.AppendBytes(p.blob[:0]); !ok {
		b = append(b, "blob(not hexadecimal: "...)
		return append(appendQuoted(b, x.RawText()), ')')
	}
	return appendHash(append(b, "blob"...), p.blob)
}

// appendHash appends the size and the xxhash of bytes: "(16 B, 53fd8c0b7a0f2b1e)".
func appendHash(b, data []byte) []byte {
	b = append(b, '(')
	b = strconv.AppendInt(b, int64(len(data)), 10)
	b = append(b, " B"...)
	if len(data) > 0 {
		b = append(b, ", "...)
		b = appendHex64(b, xxhash.Sum64(data))
	}
	return append(b, ')')
}

func appendHex64(b []byte, v uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[v>>shift&15])
	}
	return b
}

// appendQuoted appends text in quotes, with what would harm a terminal escaped.
func appendQuoted(b, text []byte) []byte {
	b = append(b, '"')
	if plain(text) && bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\\') < 0 {
		b = append(b, text...)
		return append(b, '"')
	}
	b = append(b[:len(b)-1], strconv.Quote(string(text))...)
	return b
}

// appendPrintable appends a line of text as it is, control characters and bytes
// that are no UTF-8 escaped.
func appendPrintable(b, text []byte) []byte {
	if plain(text) {
		return append(b, text...)
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t', r == 0x7f, r >= 0x80 && r < 0xa0:
			for _, c := range text[:size] {
				b = append(b, '\\', 'x', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			}
		default:
			b = append(b, text[:size]...)
		}
		text = text[size:]
	}
	return b
}

// plain says whether all of b is printable ASCII.
func plain(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// What parts of a call are painted with.
const (
	paintStrong = "1"
	paintDim    = "2"
	paintName   = "36"
	paintObject = "33"
	paintWord   = "35"
	paintText   = "32"
)

// open begins a colour, shut ends it.
func (p *CallText) open(b []byte, code string) []byte {
	if !p.options.Palette.Enabled {
		return b
	}
	p.unseen += len(code) + 3 + 4
	b = append(b, "\x1b["...)
	return append(append(b, code...), 'm')
}

func (p *CallText) shut(b []byte) []byte {
	if !p.options.Palette.Enabled {
		return b
	}
	return append(b, "\x1b[0m"...)
}
