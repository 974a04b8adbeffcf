package shader

import (
	"bytes"
	"strings"
)

// loweredStore reads what follows the name of store_output and its kin.
func (r *nirReader) loweredStore(b []byte) {
	p := parameters(b)
	name := strings.TrimSpace(string(trailingComment(b[len(p):])))
	base, ok1 := numberParameter(p, "base=")
	mask, ok2 := maskParameter(p)
	component, _ := numberParameter(p, "component=")
	slots, ok3 := numberParameter(p, "slots=")
	loc, ok4 := parameter(p, "location=")
	r.lowered = true
	if !ok1 || !ok2 || !ok3 || !ok4 || base >= maxOutputs || slots > maxNIRSlots || component > 3 {
		r.odd = "a store_output of the NIR text is in a form that is not known"
		r.maybeAny = true
		return
	}
	if i := bytes.IndexAny(loc, " ,)"); i >= 0 {
		loc = loc[:i]
	}
	width := 32
	if t, ok := parameter(p, "src_type="); ok {
		if w, ok := typeWidth(t); ok {
			width = w
		}
	}
	out := Output{Name: name, Width: width, Slots: max(slots, 1), Streams: r.defaultStreams()}
	dwords := dwordMask(mask, component, width)
	r.storeStreams(p, &out, component, width)
	r.captures(p, out, base, uint8(dwords&AllComponents))
	first, n := 0, 1
	offset, direct := r.constantArgument(nthArgument(b, -1))
	switch {
	case direct && offset < maxNIRSlots:
		first = offset
	case slots > 1:
		direct, n = false, slots
	case direct:
		r.maybeAny = true
		return
	default:
		direct = true // one slot: the offset can only be 0
	}
	for i := first; i < first+n; i++ {
		for part := range 2 {
			m := uint8(dwords >> (4 * part) & AllComponents)
			if m == 0 {
				continue
			}
			out.DriverLocation, out.Element = base+i+part, i+part
			out.Semantic = semantic(r.o.Stage, loc, i+part)
			r.store(out, m, direct)
		}
	}
}

// typeWidth reads the digits of "float32".
func typeWidth(t []byte) (int, bool) {
	i := 0
	for i < len(t) && t[i] >= 'a' && t[i] <= 'z' {
		i++
	}
	v, _, ok := number(t[i:])
	return int(v & 0xff), ok && (v == 16 || v == 32 || v == 64)
}

// storeStreams reads gs_streams(x=0 y=1 z=0 w=2), the streams of the stored
// value's components.
func (r *nirReader) storeStreams(p []byte, out *Output, component, width int) {
	b, ok := parameter(p, "gs_streams(")
	if !ok {
		return
	}
	for i := range 4 {
		v, ok := numberParameter(b, "xyzw"[i:i+1]+"=")
		if !ok || v > 3 {
			return
		}
		for c := range 4 {
			if dwordMask(1<<i, component, width)&(1<<c) != 0 {
				out.Streams[c] = int8(v)
			}
		}
	}
}

func trailingComment(b []byte) []byte {
	if i := bytes.Index(b, []byte("// ")); i >= 0 {
		return b[i+3:]
	}
	b = bytes.TrimSpace(b)
	b = bytes.TrimPrefix(b, []byte("/* "))
	return bytes.TrimSuffix(b, []byte(" */"))
}

// captures reads xfb(...) and xfb2(...) of a store to the dwords m. An entry is
// "component=2 buffer=0 offset=8" or "components=0..1 buffer=1 offset=0", with
// components of the slot and offsets in bytes.
func (r *nirReader) captures(p []byte, out Output, base int, m uint8) {
	for _, key := range [...]string{"xfb(", "xfb2("} {
		b, ok := parameter(p, key)
		if !ok {
			continue
		}
		list, _, _ := bytes.Cut(b, []byte(")"))
		for len(list) > 0 {
			var entry []byte
			entry, list, _ = bytes.Cut(list, []byte(", "))
			r.capture(entry, out, base, m)
		}
	}
}

func (r *nirReader) capture(entry []byte, out Output, base int, m uint8) {
	first, ok := numberParameter(entry, "component=")
	last := first
	if !ok {
		b, _ := parameter(entry, "components=")
		v, rest, ok1 := number(b)
		w, _, ok2 := number(bytes.TrimPrefix(rest, []byte("..")))
		if !ok1 || !ok2 {
			return
		}
		first, last = int(v&7), int(w&7)
	}
	buffer, ok1 := numberParameter(entry, "buffer=")
	offset, ok2 := numberParameter(entry, "offset=")
	if !ok1 || !ok2 || last > 3 {
		return
	}
	for c := first; c <= last; c++ {
		if m&(1<<c) != 0 {
			r.o.Captures = append(r.o.Captures, Capture{Buffer: buffer, Offset: offset/4 + c - first,
				DriverLocation: base, Component: c, Stream: out.Streams[c], Name: out.Name})
		}
	}
}

// store notes a store to the dwords m of a driver location: in the declared
// outputs that are there, the rest in an output made from the store.
func (r *nirReader) store(out Output, m uint8, direct bool) {
	o := r.o
	rest := m
	for i := range o.List {
		have := &o.List[i]
		if have.DriverLocation != out.DriverLocation {
			continue
		}
		hit := m & have.Declared
		if i >= r.declaredOutputs() && have.Name == out.Name && have.Width == out.Width {
			hit = m
			have.Declared |= m
		}
		have.mark(hit, direct)
		for c := range 4 {
			if hit&(1<<c) != 0 && out.Streams[c] != UnknownStream {
				have.Streams[c] = out.Streams[c]
			}
		}
		rest &^= hit
	}
	if rest == 0 {
		return
	}
	if len(o.List) >= maxOutputs {
		r.odd = "the NIR text stores to more outputs than there can be"
		return
	}
	out.Declared = rest
	out.mark(rest, direct)
	o.List = append(o.List, out)
}

// declaredOutputs is how many of the list come from declarations.
func (r *nirReader) declaredOutputs() int {
	if len(r.vars) == 0 {
		return 0
	}
	v := r.vars[len(r.vars)-1]
	return v.first + v.n
}

func (out *Output) mark(m uint8, direct bool) {
	if direct {
		out.Written |= m
	} else {
		out.MaybeWritten |= m
	}
}
