package dump

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// CallJSON prints the calls of a trace as objects of type "call", one on each
// line, and what stands between calls as type "stray" and "noise". It is for one
// goroutine.
type CallJSON struct {
	options CallOptions
	trace   []byte
	method  string
	holder  []byte
	text    []byte
}

// NewCallJSON returns a printer for a trace of that name. Of the options Hex,
// HashTexts and Names count.
func NewCallJSON(traceName string, o CallOptions) *CallJSON {
	return &CallJSON{options: o, trace: appendJSONString(nil, []byte(traceName))}
}

// Append appends the line of a record to b; headers and footers have none.
func (p *CallJSON) Append(b []byte, rec *trace.Record) []byte {
	p.method, p.holder = rec.Method, nil
	switch rec.Kind {
	case trace.CallRecord, trace.MalformedRecord:
		return p.call(b, rec)
	case trace.StrayRecord:
		b = p.begin(b, "stray", rec)
		b = p.value(append(b, `,"text":`...), rec.Values.First(), "")
		return append(b, "}\n"...)
	case trace.NoiseRecord:
		b = p.begin(b, "noise", rec)
		b = appendJSONText(append(b, `,"text":`...), bytes.TrimRight(rec.Raw, "\r\n"))
		return append(b, "}\n"...)
	}
	return b
}

func (p *CallJSON) begin(b []byte, kind string, rec *trace.Record) []byte {
	b = append(b, `{"schema":"`+Schema+`","type":"`...)
	b = append(append(b, kind...), `","trace":`...)
	b = append(append(b, p.trace...), `,"line":`...)
	return strconv.AppendInt(b, int64(rec.Pos.Line), 10)
}

func (p *CallJSON) call(b []byte, rec *trace.Record) []byte {
	b = p.begin(b, "call", rec)
	if rec.HasNo {
		b = appendJSONUint(append(b, `,"call":`...), rec.No)
	}
	b = appendJSONString(append(b, `,"class":`...), []byte(rec.Class))
	b = appendJSONString(append(b, `,"method":`...), []byte(rec.Method))
	b = append(b, `,"args":`...)
	b = p.object(b, rec.Values.First(), pipe.ArgRole)
	b = p.rets(b, rec)
	b = p.bare(b, rec)
	if us, ok := rec.Values.Time(); ok {
		b = strconv.AppendInt(append(b, `,"time":`...), us, 10)
	}
	if rec.Problem != nil {
		b = appendJSONText(append(b, `,"malformed":`...), []byte(rec.Problem.Reason))
	}
	if rec.Open {
		b = append(b, `,"open":true`...)
	}
	return append(b, "}\n"...)
}

// rets appends the returned value, and all of them when there are several.
func (p *CallJSON) rets(b []byte, rec *trace.Record) []byte {
	count := 0
	for x := rec.Values.First(); x.Exists(); x = x.Next() {
		if x.Role() == pipe.RetRole {
			count++
		}
	}
	if count == 0 {
		return b
	}
	b = p.value(append(b, `,"ret":`...), rec.Values.Ret(), "ret")
	if count > 1 {
		b = p.array(append(b, `,"rets":`...), rec.Values.First(), pipe.RetRole)
	}
	return b
}

func (p *CallJSON) bare(b []byte, rec *trace.Record) []byte {
	for range rec.Values.Bare() {
		return p.array(append(b, `,"bare":`...), rec.Values.First(), pipe.BareRole)
	}
	return b
}

// array appends the values of a role that follow x.
func (p *CallJSON) array(b []byte, x pipe.Value, role pipe.Role) []byte {
	b = append(b, '[')
	first := true
	for ; x.Exists(); x = x.Next() {
		if x.Role() != role {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		word := ""
		if role == pipe.RetRole {
			word = "ret"
		}
		b = p.value(b, x, word)
	}
	return append(b, ']')
}

// object appends the values of a role that follow x by name. A name that comes
// again gets a number, #2; what has no name is called by its place.
func (p *CallJSON) object(b []byte, x pipe.Value, role pipe.Role) []byte {
	b = append(b, '{')
	head := x
	for i := 0; x.Exists(); x = x.Next() {
		if x.Role() != role && (role == pipe.ArgRole || x.Role() == pipe.RetRole) {
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(b, p.key(x, head, i))
		b = append(b, ':')
		p.holder = x.RawName()
		b = p.value(b, x, "")
		i++
	}
	return append(b, '}')
}

// key is the name of a value among those from head on.
func (p *CallJSON) key(x, head pipe.Value, i int) []byte {
	raw := x.RawName()
	if len(raw) == 0 {
		return strconv.AppendInt(nil, int64(i), 10)
	}
	times := 1
	for y := head; y.Exists() && y != x; y = y.Next() {
		if y.Role() == x.Role() && bytes.Equal(y.RawName(), raw) {
			times++
		}
	}
	key := raw
	if bytes.IndexByte(raw, '&') >= 0 {
		p.text = pipe.AppendUnescaped(p.text[:0], raw)
		key = p.text
	}
	if times == 1 {
		return key
	}
	return strconv.AppendInt(append(bytes.Clone(key), '#'), int64(times), 10)
}

// value appends a value: numbers as numbers, names and addresses as strings,
// structs as objects.
func (p *CallJSON) value(b []byte, x pipe.Value, role string) []byte {
	switch x.Kind() {
	case pipe.NoValue, pipe.NullValue:
		return append(b, "null"...)
	case pipe.BoolValue:
		if v, ok := x.Bool(); ok {
			return strconv.AppendBool(b, v)
		}
	case pipe.IntValue, pipe.UintValue:
		if n, ok := x.Int(); ok {
			return appendJSONInt(b, n)
		}
		if n, ok := x.Uint(); ok {
			return appendJSONUint(b, n)
		}
	case pipe.FloatValue:
		if f, ok := x.Float(); ok {
			return appendJSONFloat(b, f)
		}
	case pipe.PtrValue:
		return p.pointer(b, x, role)
	case pipe.StringValue:
		p.text = x.AppendString(p.text[:0])
		if p.options.HashTexts && bytes.IndexByte(bytes.TrimRight(p.text, "\n"), '\n') >= 0 {
			return append(appendJSONHash(append(b, '{'), p.text), '}')
		}
		return appendJSONText(b, p.text)
	case pipe.BytesValue:
		return p.blob(b, x)
	case pipe.ArrayValue:
		return p.elements(b, x)
	case pipe.StructValue:
		return p.object(b, x.First(), pipe.MemberRole)
	case pipe.UnknownValue:
		b = appendJSONText(append(b, `{"element":`...), x.RawText())
		b = p.elements(append(b, `,"values":`...), x)
		return append(b, '}')
	}
	p.text = pipe.AppendUnescaped(p.text[:0], x.RawText())
	return appendJSONText(b, p.text)
}

func (p *CallJSON) elements(b []byte, x pipe.Value) []byte {
	b = append(b, '[')
	for i, c := range x.All() {
		if i > 0 {
			b = append(b, ',')
		}
		b = p.value(b, c, "")
	}
	return append(b, ']')
}

func (p *CallJSON) pointer(b []byte, x pipe.Value, role string) []byte {
	if p.options.Names != nil {
		if name := p.options.Names.lookup(x, p.holder, p.method, role); name != "" {
			return appendJSONString(b, []byte(name))
		}
	}
	return appendJSONText(b, x.RawText())
}

func (p *CallJSON) blob(b []byte, x pipe.Value) []byte {
	var ok bool
	if p.text, ok = x.AppendBytes(p.text[:0]); !ok {
		return append(appendJSONText(append(b, `{"invalid":`...), x.RawText()), '}')
	}
	b = appendJSONHash(append(b, '{'), p.text)
	if p.options.Hex {
		b = append(append(b, `,"hex":"`...), x.RawText()...)
		b = append(b, '"')
	}
	return append(b, '}')
}

func appendJSONHash(b, data []byte) []byte {
	b = strconv.AppendInt(append(b, `"bytes":`...), int64(len(data)), 10)
	b = appendHex64(append(b, `,"hash":"`...), xxhash.Sum64(data))
	return append(b, '"')
}

func appendJSONUint(b []byte, n uint64) []byte {
	if n <= 1<<53-1 {
		return strconv.AppendUint(b, n, 10)
	}
	return append(strconv.AppendUint(append(b, '"'), n, 10), '"')
}

func appendJSONInt(b []byte, n int64) []byte {
	if -(1<<53) < n && n < 1<<53 {
		return strconv.AppendInt(b, n, 10)
	}
	return append(strconv.AppendInt(append(b, '"'), n, 10), '"')
}

// appendJSONFloat appends a number; what JSON has no number for is a string, as
// C spells it.
func appendJSONFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, `"nan"`...)
	case math.IsInf(f, 1):
		return append(b, `"inf"`...)
	case math.IsInf(f, -1):
		return append(b, `"-inf"`...)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// appendJSONText appends a string, or when it is no UTF-8 its bytes.
func appendJSONText(b, text []byte) []byte {
	if !plain(text) && !utf8.Valid(text) {
		b = append(b, `{"hex":"`...)
		return append(pipe.BytesBlob(text).AppendHex(b), `"}`...)
	}
	return appendJSONString(b, text)
}

func appendJSONString(b, text []byte) []byte {
	if plain(text) && bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\\') < 0 {
		b = append(append(b, '"'), text...)
		return append(b, '"')
	}
	var room bytes.Buffer
	enc := json.NewEncoder(&room)
	enc.SetEscapeHTML(false)
	if enc.Encode(string(text)) != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(room.Bytes(), []byte("\n"))...)
}
