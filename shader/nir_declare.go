package shader

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// maxOutputs bounds the list of outputs whatever a text declares: 80 outputs
// (PIPE_MAX_SHADER_OUTPUTS) with four variables each are the most that make sense.
const maxOutputs = 1024

// declaration reads what follows "decl_var ": qualifiers, mode, interpolation,
// access, precision, type, name, (location.components, driver location, binding).
func (r *nirReader) declaration(d []byte) {
	at := bytes.Index(d, []byte(" INTERP_MODE_"))
	if at < 0 {
		r.unknownDeclaration()
		return
	}
	mode := d[:at]
	if i := bytes.LastIndexByte(mode, ' '); i >= 0 {
		mode = mode[i+1:]
	}
	switch string(mode) {
	case "shader_out":
	case "shader_in":
		if r.o.Stage != pipe.Vertex {
			return
		}
	default:
		return
	}
	_, rest, _ := bytes.Cut(d[at+1:], []byte(" "))
	tail, ok := parseNIRTail(rest)
	if !ok {
		r.unknownDeclaration()
		return
	}
	typ, name := typeAndName(rest[:tail.at])
	if string(mode) == "shader_in" {
		r.input(parseNIRType(typ), tail)
		return
	}
	r.output(parseNIRType(typ), string(name), tail, bytes.HasPrefix(d, []byte("patch ")) || bytes.Contains(d[:at], []byte(" patch ")))
}

func (r *nirReader) unknownDeclaration() {
	r.oddDeclaration = "a declaration of the NIR text is in a form that is not known"
	r.odd = r.oddDeclaration
}

// nirTail is the bracket at the end of a declaration.
type nirTail struct {
	at       int // where it begins in the line
	location []byte
	frac     int // first component, 0 to 3
	driver   int
	compact  bool
}

// parseNIRTail finds the last bracket of the line that has the right form; a
// name before it may hold anything, an initializer may follow.
func parseNIRTail(line []byte) (t nirTail, ok bool) {
	for end := len(line); ; {
		at := bytes.LastIndex(line[:end], []byte(" ("))
		if at < 0 {
			return t, false
		}
		if t, ok = nirTailAt(line[at+2:]); ok {
			t.at = at
			return t, true
		}
		end = at
	}
}

func nirTailAt(b []byte) (t nirTail, ok bool) {
	inside, after, ok := bytes.Cut(b, []byte(")"))
	if !ok {
		return t, false
	}
	loc, rest, ok := bytes.Cut(inside, []byte(", "))
	driver, binding, ok2 := bytes.Cut(rest, []byte(", "))
	if !ok || !ok2 {
		return t, false
	}
	if _, left, ok := number(binding); !ok || len(left) > 0 {
		return t, false
	}
	v, left, ok := number(driver)
	if !ok || len(left) > 0 || v >= 1<<31 {
		return t, false
	}
	t.driver = int(v)
	t.location = loc
	if i := bytes.LastIndexByte(loc, '.'); i >= 0 {
		t.location = loc[:i]
		if i+1 >= len(loc) {
			return t, false
		}
		if t.frac = componentIndex(loc[i+1]); t.frac < 0 || t.frac > 3 {
			return t, false
		}
	}
	if a, isCompact := bytes.CutPrefix(after, []byte(" compact")); isCompact {
		t.compact, after = true, a
	}
	return t, len(after) == 0 || bytes.HasPrefix(after, []byte(" = "))
}

// componentIndex reads a component letter: xyzw of a vector, a to p of a wider one.
func componentIndex(c byte) int {
	switch {
	case c >= 'x' && c <= 'z':
		return int(c - 'x')
	case c == 'w':
		return 3
	case c >= 'a' && c <= 'p':
		return int(c - 'a')
	}
	return -1
}

// typeAndName splits "none highp vec4 a b" into type and name. The words before
// the type are access qualifiers and the precision.
func typeAndName(b []byte) (typ, name []byte) {
	for {
		b = bytes.TrimLeft(b, " ")
		word, rest, _ := bytes.Cut(b, []byte(" "))
		switch string(word) {
		case "none", "coherent", "volatile", "restrict", "readonly", "writeonly", "readwrite", "reorderable",
			"non-temporal", "include-helpers", "non-uniform", "can-reorder", "can-speculate", "highp", "mediump", "lowp":
			b = rest
			continue
		}
		return word, rest
	}
}

// input notes the vertex elements of a vertex shader's input.
func (r *nirReader) input(t nirType, tail nirTail) {
	n := 1
	if t.known {
		n = t.slots()
	} else {
		r.o.Resources.VertexInputs.open = true
	}
	r.o.Resources.VertexInputs.addRange(min(tail.driver, 128), min(n, 128))
}

// output adds the outputs of one declared variable.
func (r *nirReader) output(t nirType, name string, tail nirTail, patch bool) {
	perVertex := !patch && (r.o.Stage == pipe.TessCtrl || r.o.Stage == pipe.Mesh)
	whole := t
	if perVertex = perVertex && len(t.dims) > 0; perVertex {
		t = t.element()
	}
	v := nirVar{first: len(r.o.List), typ: whole, frac: tail.frac, compact: tail.compact, perVertex: perVertex}
	if t.known {
		if v.n = t.slots(); tail.compact {
			v.n = (tail.frac + t.scalars() + 3) / 4
		}
	}
	if !t.known || v.n > maxNIRSlots || v.n == 0 || tail.driver >= maxOutputs || len(r.o.List)+v.n > maxOutputs {
		v.n = 0
		if r.o.vague < 0 || tail.driver < r.o.vague {
			r.o.vague = tail.driver
		}
	}
	if _, twice := r.byName[name]; twice {
		r.byName[name] = -1
	} else {
		r.byName[name] = len(r.vars)
	}
	r.vars = append(r.vars, v)
	for i := range v.n {
		r.o.List = append(r.o.List, Output{
			DriverLocation: tail.driver + i, Name: name, Semantic: semantic(r.o.Stage, tail.location, i), Element: i, Slots: v.n,
			Declared: v.declared(t, i), Width: t.width, Streams: r.defaultStreams(), Patch: patch,
		})
	}
}

// declared returns the dwords of slot i that the variable covers.
func (v *nirVar) declared(t nirType, i int) uint8 {
	if v.compact {
		var m uint8
		for c := range 4 {
			if k := 4*i + c - v.frac; k >= 0 && k < t.scalars() {
				m |= 1 << c
			}
		}
		return m
	}
	m := dwordMask(1<<t.components-1, v.frac, t.width)
	if t.columnSlots() == 2 && i%2 == 1 {
		m >>= 4
	}
	return uint8(m & AllComponents)
}

// defaultStreams returns the streams of a component whose text tells none: only
// geometry shaders have others than 0.
func (r *nirReader) defaultStreams() [4]int8 {
	if r.o.Stage == pipe.Geometry {
		return [4]int8{UnknownStream, UnknownStream, UnknownStream, UnknownStream}
	}
	return [4]int8{}
}
