package shader

import (
	"bytes"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

const noStage pipe.Stage = 0xff

// tgsiStage returns the stage that the first line of a TGSI text names
// (tgsi_processor_type_names), or noStage.
func tgsiStage(text []byte) pipe.Stage {
	line, _ := nextLine(text)
	switch string(bytes.TrimSpace(line)) {
	case "VERT":
		return pipe.Vertex
	case "TESS_CTRL":
		return pipe.TessCtrl
	case "TESS_EVAL":
		return pipe.TessEval
	case "GEOM":
		return pipe.Geometry
	case "FRAG":
		return pipe.Fragment
	case "COMP":
		return pipe.Compute
	case "TASK":
		return pipe.Task
	case "MESH":
		return pipe.Mesh
	}
	return noStage
}

// tgsiDumpLimits are the sizes of the buffers that traces printed TGSI into; a
// text that fills one is cut.
var tgsiDumpLimits = [...]int{8 * 1024, 64 * 1024}

// tgsiReader reads one TGSI text, line by line.
type tgsiReader struct {
	o *Outputs
	// arrays has the ARRAY id of each output of the list, 0 for none.
	arrays []int
	// immediates are the integer IMM[] seen so far; unknown for floats.
	immediates []tgsiImmediate
	views      bool  // SVIEW was declared
	samplers   Slots // SAMP
	ended      bool  // the last instruction was END or ENDSUB, and END was seen
	sawEnd     bool
	count      int  // instructions
	called     int  // the highest instruction that a CAL names
	odd        bool // a line was not understood
}

type tgsiImmediate struct {
	values [4]uint32
	known  bool
}

func parseTGSI(o *Outputs, text []byte, cut bool) {
	o.Dialect = TGSI
	if stage := tgsiStage(text); stage != o.Stage {
		o.Status, o.Reason = Unrecognised, "the text is of a "+stage.String()+" shader"
		return
	}
	r := tgsiReader{o: o, called: -1}
	// A last line without a newline is cut, unless a text was trimmed after its END.
	last := bytes.LastIndexByte(text, '\n') + 1
	if full := slices.Contains(tgsiDumpLimits[:], len(text)+1); cut || full || !bytes.HasSuffix(text[last:], []byte(": END")) {
		text = text[:last]
	}
	_, rest := nextLine(text)
	for len(rest) > 0 {
		var line []byte
		line, rest = nextLine(rest)
		r.line(bytes.TrimSpace(line))
	}
	if !r.views {
		o.Resources.SamplerViews = r.samplers
	}
	o.Status = Parsed
	switch {
	case cut || !r.ended || r.called >= r.count:
		o.Status, o.Reason = Cut, "the TGSI text ends before its END"
	case r.odd:
		o.Reason = "a line of the TGSI text is in a form that is not known"
	}
	whole := o.Status == Parsed && !r.odd
	o.finish(whole, whole, whole)
}

func (r *tgsiReader) line(line []byte) {
	switch {
	case len(line) == 0:
	case bytes.HasPrefix(line, []byte("DCL ")):
		r.declaration(line[4:])
	case bytes.HasPrefix(line, []byte("PROPERTY ")):
		r.property(line[9:])
	case bytes.HasPrefix(line, []byte("IMM")):
		r.immediate(line[3:])
	default:
		_, rest, ok := number(line)
		if !ok || len(rest) == 0 || rest[0] != ':' {
			r.odd, r.ended = true, false
			return
		}
		r.instruction(bytes.TrimSpace(rest[1:]))
	}
}

// maxTGSIRegister bounds the registers of a declaration; real ones stay below
// PIPE_MAX_SHADER_OUTPUTS.
const maxTGSIRegister = 256

// declaration reads what follows "DCL ": OUT[1..2].xy, ARRAY(1), GENERIC[0].
func (r *tgsiReader) declaration(d []byte) {
	open := bytes.IndexByte(d, '[')
	if open < 0 {
		r.odd = true
		return
	}
	file, d := d[:open], d[open:]
	first, last, dim := -1, -1, -1
	for len(d) > 0 && d[0] == '[' {
		end := bytes.IndexByte(d, ']')
		if end < 0 {
			r.odd = true
			return
		}
		dim = first
		if end > 1 {
			var ok bool
			if first, last, ok = tgsiRange(d[1:end]); !ok {
				r.odd = true
				return
			}
		}
		d = d[end+1:]
	}
	if first < 0 {
		r.odd = true
		return
	}
	n := last - first + 1
	res := &r.o.Resources
	switch string(file) {
	case "OUT":
		r.output(first, last, d)
	case "CONST":
		res.ConstantBuffers.add(max(dim, 0))
	case "CONSTBUF":
		res.ConstantBuffers.addRange(first, n)
	case "BUFFER":
		res.StorageBuffers.addRange(first, n)
	case "IMAGE":
		res.Images.addRange(first, n)
	case "SVIEW":
		res.SamplerViews.addRange(first, n)
		r.views = true
	case "SAMP":
		r.samplers.addRange(first, n)
	case "IN":
		if r.o.Stage == pipe.Vertex {
			res.VertexInputs.addRange(first, n)
		}
	}
}

// tgsiRange reads "3" or "3..5".
func tgsiRange(b []byte) (first, last int, ok bool) {
	a, z, ranged := bytes.Cut(b, []byte(".."))
	if first, ok = smallNumber(a, 1<<16); !ok || !ranged {
		return first, first, ok
	}
	last, ok = smallNumber(z, 1<<16)
	return first, last, ok && last >= first
}

// output declares the registers first to last with what follows the brackets.
func (r *tgsiReader) output(first, last int, d []byte) {
	if last >= maxTGSIRegister {
		r.odd = true
		return
	}
	mask, d := tgsiMask(d)
	out := Output{Declared: mask, Slots: last - first + 1}
	array := 0
	for len(d) > 0 {
		var item []byte
		if item, d = tgsiItem(d); len(item) == 0 {
			continue
		}
		switch {
		case bytes.HasPrefix(item, []byte("ARRAY(")):
			array, _ = smallNumber(bytes.TrimSuffix(item[6:], []byte(")")), 1<<16)
		case bytes.HasPrefix(item, []byte("STREAM(")):
			if !tgsiStreams(item[7:], &out.Streams) {
				r.odd = true
			}
		case out.Semantic == "" && string(item) != "LOCAL":
			out.Semantic = string(item)
		}
	}
	name, index := tgsiSemantic(out.Semantic)
	switch name {
	case "PATCH", "TESSOUTER", "TESSINNER":
		out.Patch = true
	case "POSITION":
		if r.o.Stage == pipe.Fragment {
			r.o.WritesDepth = Yes
		}
	}
	for i := first; i <= last; i++ {
		out.Register, out.DriverLocation, out.Element = i, i, i-first
		if i > first {
			out.Semantic = tgsiSemanticName(name, index+i-first)
		}
		r.o.List = append(r.o.List, out)
		r.arrays = append(r.arrays, array)
	}
}

// tgsiItem takes one ", "-separated item off d, minding brackets.
func tgsiItem(d []byte) (item, rest []byte) {
	depth := 0
	for i, c := range d {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth <= 0 {
				return bytes.TrimSpace(d[:i]), d[i+1:]
			}
		}
	}
	return bytes.TrimSpace(d), nil
}

// tgsiMask reads an optional ".xyz" at the front.
func tgsiMask(d []byte) (mask uint8, rest []byte) {
	if len(d) == 0 || d[0] != '.' {
		return AllComponents, d
	}
	i := 1
	for ; i < len(d); i++ {
		c := bytes.IndexByte([]byte("xyzw"), d[i])
		if c < 0 {
			break
		}
		mask |= 1 << c
	}
	return mask, d[i:]
}

// tgsiStreams reads "0, 1, 1, 2)".
func tgsiStreams(b []byte, streams *[4]int8) bool {
	b = bytes.TrimSuffix(b, []byte(")"))
	for i := range streams {
		var item []byte
		item, b = tgsiItem(b)
		v, ok := smallNumber(item, 4)
		if !ok {
			return false
		}
		streams[i] = int8(v)
	}
	return true
}

var primitiveSpellings = map[string]pipe.PrimitiveType{
	"POINTS": pipe.Points, "LINES": pipe.Lines, "LINE_LOOP": pipe.LineLoop, "LINE_STRIP": pipe.LineStrip,
	"TRIANGLES": pipe.Triangles, "TRIANGLE_STRIP": pipe.TriangleStrip, "TRIANGLE_FAN": pipe.TriangleFan,
	"LINES_ADJACENCY": pipe.LinesAdjacency, "LINE_STRIP_ADJACENCY": pipe.LineStripAdjacency,
	"TRIANGLES_ADJACENCY": pipe.TrianglesAdjacency, "TRIANGLE_STRIP_ADJACENCY": pipe.TriangleStripAdjacency,
}

// property reads what follows "PROPERTY ".
func (r *tgsiReader) property(p []byte) {
	name, value, _ := bytes.Cut(p, []byte(" "))
	v, isNumber := smallNumber(value, 1<<20)
	g, t := &r.o.Geometry, &r.o.Tess
	if prim, ok := primitiveSpellings[string(value)]; ok {
		switch string(name) {
		case "GS_INPUT_PRIMITIVE":
			g.Known, g.Input = true, prim
		case "GS_OUTPUT_PRIMITIVE":
			g.Known, g.Output = true, prim
		}
		return
	}
	if !isNumber {
		return
	}
	switch string(name) {
	case "GS_MAX_OUTPUT_VERTICES":
		g.VerticesOut = v
	case "GS_INVOCATIONS":
		g.Invocations = v
	case "TCS_VERTICES_OUT":
		t.VerticesOut = v
	case "TES_PRIM_MODE":
		t.Domain = map[int]Domain{1: DomainIsolines, 4: DomainTriangles, 7: DomainQuads}[v]
	case "TES_SPACING": // PIPE_TESS_SPACING_*
		t.Spacing = map[int]Spacing{0: SpacingFractionalOdd, 1: SpacingFractionalEven, 2: SpacingEqual}[v]
	case "TES_VERTEX_ORDER_CW":
		t.CounterClockwise = answer(v == 0)
	case "TES_POINT_MODE":
		t.PointMode = answer(v != 0)
	}
}

func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// immediate reads what follows "IMM": "[0] UINT32 {0, 1, 2, 3}".
func (r *tgsiReader) immediate(b []byte) {
	var imm tgsiImmediate
	if open := bytes.IndexByte(b, '{'); open >= 0 && bytes.Contains(b[:open], []byte("INT32")) {
		values := bytes.TrimSuffix(b[open+1:], []byte("}"))
		imm.known = true
		for i := range imm.values {
			var item []byte
			item, values = tgsiItem(values)
			v, _, ok := number(item)
			imm.values[i] = v
			imm.known = imm.known && ok
		}
	}
	r.immediates = append(r.immediates, imm)
}
