package shader

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// nirReader reads one NIR text (src/compiler/nir/nir_print.c over its history):
// a header of "key: value" lines, the declarations, then the functions.
type nirReader struct {
	o *Outputs
	// vars are the declared outputs, byName finds them (-1: two have the name).
	vars   []nirVar
	byName map[string]int
	derefs map[uint32]nirDeref
	consts nirConstants

	outputs          int    // slots according to the header, -1 if it does not say
	declarations     int    // variables declared
	functions, impls int    // functions declared, and printed
	inBody           bool   // inside an impl
	bodyDone         bool   // the last impl was closed
	lowered          bool   // outputs are written by store_output
	ioLowered        bool   // the header says so
	odd              string // what was not understood, if anything
	oddDeclaration   string // the same of declarations, which outlives a restart
	maybeAny         bool   // some store may go to any output
	memoryUnknown    bool   // some intrinsic may have side effects
	texturesUsed     bool   // the header names the textures
}

// nirVar is a declared output variable.
type nirVar struct {
	first, n int // its outputs in the list; none when its extent is not known
	typ      nirType
	frac     int
	compact  bool
	// perVertex: the outermost array dimension is the vertex of a patch.
	perVertex bool
}

func parseNIR(o *Outputs, text []byte, cut bool) {
	r := nirReader{o: o, byName: map[string]int{}, derefs: map[uint32]nirDeref{}, outputs: -1}
	line, rest := nextLine(text)
	stage, ok := pipe.ParseStage(string(bytes.TrimSpace(line[len("shader: "):])))
	if !ok || stage != o.Stage {
		o.Status, o.Reason = Unrecognised, "the NIR text is not of a "+o.Stage.String()+" shader"
		return
	}
	o.Dialect = NIRSSA
	rest = wholeLines(rest, cut)
	for len(rest) > 0 {
		line, rest = nextLine(rest)
		switch {
		case len(line) == 0:
		case r.inBody:
			r.bodyLine(line)
		default:
			r.topLine(line)
		}
	}
	r.finish(cut)
}

// wholeLines drops a last line that is cut. Complete texts end in a newline, or
// at least in the bracket that closes the last function.
func wholeLines(text []byte, cut bool) []byte {
	last := bytes.LastIndexByte(text, '\n') + 1
	if cut || string(text[last:]) != "}" {
		return text[:last]
	}
	return text
}

// topLine reads a line outside functions.
func (r *nirReader) topLine(line []byte) {
	switch {
	case bytes.HasPrefix(line, []byte("decl_var ")):
		r.declarations++
		r.declaration(line[len("decl_var "):])
	case bytes.HasPrefix(line, []byte("decl_function ")):
		r.functions++
	case bytes.HasPrefix(line, []byte("impl ")) && line[len(line)-1] == '{':
		r.inBody, r.bodyDone = true, false
		r.impls++
		clear(r.derefs)
		r.consts.reset()
	default:
		if key, value, ok := bytes.Cut(line, []byte(": ")); ok && isHeaderKey(key) {
			if r.declarations+r.functions+r.impls > 0 {
				r.restart()
			}
			r.header(key, value)
		}
	}
}

// header reads one "key: value". Mesa up to 23.1 spells keys with blanks.
func (r *nirReader) header(key, value []byte) {
	g, t := &r.o.Geometry, &r.o.Tess
	v, isNumber := smallNumber(value, 1<<20)
	prim, isPrim := primitiveSpellings[string(value)]
	switch k := string(key); {
	case k == "outputs" && isNumber:
		r.outputs = v
	case k == "name" && r.o.Name == "":
		r.o.Name = string(value)
	case k == "io_lowered":
		r.ioLowered = string(value) == "true"
	case (k == "input primitive" || k == "input_primitive") && isPrim:
		g.Known, g.Input = true, prim
	case (k == "output primitive" || k == "output_primitive") && isPrim:
		g.Known, g.Output = true, prim
	case (k == "vertices out" || k == "vertices_out") && isNumber:
		g.VerticesOut = v
	case k == "invocations" && isNumber:
		g.Invocations = v
	case k == "active_stream_mask":
		if mask, _, ok := hexNumber(value); ok && mask < 16 {
			g.ActiveStreams = uint8(mask)
		}
	case k == "tcs_vertices_out" && isNumber:
		t.VerticesOut = v
	case k == "primitive_mode" && isNumber && v <= int(DomainIsolines):
		t.Domain = Domain(v)
	case k == "spacing" && isNumber && v <= int(SpacingFractionalEven):
		t.Spacing = Spacing(v)
	case k == "ccw":
		t.CounterClockwise = answer(string(value) == "true" || v == 1)
	case k == "point_mode":
		t.PointMode = answer(string(value) == "true" || v == 1)
	case k == "textures_used":
		r.textures(value)
	}
}

// isHeaderKey says whether a key has the letters that all keys have.
func isHeaderKey(key []byte) bool {
	for _, c := range key {
		if (c < 'a' || c > 'z') && c != '_' && c != ' ' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(key) > 0
}

// restart drops what was read so far except the header. The printer puts all of
// the header before the declarations; what looks like a declaration or a
// function before a line of the header is part of a label, which is printed raw.
func (r *nirReader) restart() {
	o := r.o
	*o = Outputs{Stage: o.Stage, Dialect: o.Dialect, Name: o.Name, Geometry: o.Geometry, Tess: o.Tess, vague: -1}
	fresh := nirReader{o: o, byName: r.byName, derefs: r.derefs, ioLowered: r.ioLowered, odd: r.oddDeclaration, oddDeclaration: r.oddDeclaration, outputs: r.outputs}
	clear(fresh.byName)
	clear(fresh.derefs)
	*r = fresh
}

// textures reads the bit set of textures_used: "0x00000000'00000001", the
// highest word first.
func (r *nirReader) textures(value []byte) {
	word := bytes.Count(value, []byte("'"))
	for part := range bytes.SplitSeq(value, []byte("'")) {
		if !bytes.HasPrefix(part, []byte("0x")) {
			part = append([]byte("0x"), part...)
		}
		v, rest, ok := hexNumber(part)
		if !ok || len(rest) > 0 || v >= 1<<32 {
			return
		}
		for bit := range 32 {
			if v&(1<<bit) != 0 {
				r.o.Resources.SamplerViews.add(32*word + bit)
			}
		}
		word--
	}
	r.texturesUsed = true
}

// finish turns what was read into answers.
func (r *nirReader) finish(cut bool) {
	o := r.o
	o.Status = Parsed
	switch {
	case cut || r.impls == 0 || !r.bodyDone || r.impls < r.functions:
		o.Status, o.Reason = Cut, "the NIR text ends before its last function does"
	case r.odd != "":
		o.Reason = r.odd
	}
	for i := range o.List {
		out := &o.List[i]
		if r.maybeAny {
			out.MaybeWritten |= out.Declared
		}
		if o.Stage == pipe.Fragment && out.Semantic == "FRAG_RESULT_DEPTH" {
			o.WritesDepth = Yes
		}
	}
	whole := o.Status == Parsed && r.odd == ""
	declared := whole || r.odd == "" && r.impls > 0 && len(r.vars) > 0 && !r.lowered && !r.ioLowered
	sideEffects := o.SideEffects
	o.finish(declared, whole && !(r.maybeAny && len(o.List) == 0), whole)
	if r.memoryUnknown {
		o.SideEffects = sideEffects
	}
	if t := &o.Tess; t.Domain != DomainUnknown {
		// The printer leaves out what is false.
		for _, a := range []*Answer{&t.CounterClockwise, &t.PointMode} {
			if *a == Unknown {
				*a = No
			}
		}
	}
	r.number()
	if len(o.Captures) > 0 {
		slices.SortFunc(o.Captures, func(a, b Capture) int {
			return cmp.Or(cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Offset, b.Offset),
				cmp.Compare(a.DriverLocation, b.DriverLocation), cmp.Compare(a.Component, b.Component))
		})
		o.Captures = slices.Compact(o.Captures)
		o.numbered = false
	}
}

// number gives each output its register: the rank of its slot, which is its
// driver location unless the GL state tracker added a point size.
func (r *nirReader) number() {
	o := r.o
	added := -1
	next := 0 // the driver location that must not be skipped
	for i := range o.List {
		out := &o.List[i]
		out.Register = out.DriverLocation
		if out.DriverLocation > next && o.vague < 0 && o.Stage.CanStreamOut() {
			o.numbered = false
			o.Reason = "the driver locations of the outputs have a gap"
		}
		next = max(next, out.DriverLocation+1)
		if out.Name == addedPointSize && varyingSlot([]byte(out.Semantic)) == slotPointSize {
			added = out.DriverLocation
		}
	}
	if r.outputs >= 0 && next != r.outputs && o.vague < 0 && o.Status == Parsed && o.Stage.CanStreamOut() {
		o.numbered = false
		o.Reason = "the outputs are not as many as the header of the text says"
	}
	if added < 0 || o.Name == "" {
		return // texts of Vulkan drivers have no name, and count every output
	}
	for i := range o.List {
		switch out := &o.List[i]; {
		case out.DriverLocation == added:
			out.Register = NoRegister
		case out.DriverLocation > added:
			out.Register--
		}
	}
	if o.vague > added {
		o.vague--
	}
}

// addedPointSize is the variable that st_nir_add_point_size makes.
const addedPointSize = "gl_PointSizeMESA"
