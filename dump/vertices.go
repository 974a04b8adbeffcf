package dump

import (
	"encoding/binary"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// mostVertices is how many vertices of a draw are shown.
const mostVertices = 16

// componentPattern is one component in the name of a format: R32, or R8 of
// R8G8B8A8.
var componentPattern = regexp.MustCompile(`[RGBAX](\d+)`)

// vertexFormat is how the numbers of a vertex element lie in memory: in order,
// each of so many bits.
type vertexFormat struct {
	bits []int
	kind string // FLOAT, UNORM, SINT ...
}

// parseVertexFormat reads the name of a format whose components are whole
// bytes, of one size and in order. ok is false for all others.
func parseVertexFormat(f pipe.Format) (v vertexFormat, ok bool) {
	name, found := strings.CutPrefix(string(f), "PIPE_FORMAT_")
	layout, kind, split := strings.Cut(name, "_")
	if !found || !split {
		return v, false
	}
	v.kind = kind
	rest := layout
	for _, m := range componentPattern.FindAllStringSubmatch(layout, -1) {
		bits, err := strconv.Atoi(m[1])
		if err != nil || bits != 8 && bits != 16 && bits != 32 && bits != 64 || len(v.bits) > 0 && bits != v.bits[0] {
			return v, false
		}
		v.bits = append(v.bits, bits)
		rest = strings.Replace(rest, m[0], "", 1)
	}
	switch kind {
	case "FLOAT", "UNORM", "SNORM", "UINT", "SINT", "USCALED", "SSCALED", "FIXED":
	default:
		return v, false
	}
	return v, rest == "" && len(v.bits) > 0 && (kind != "FLOAT" || v.bits[0] >= 32)
}

func (v *vertexFormat) size() int { return len(v.bits) * v.bits[0] / 8 }

// numbers returns the components as they are in memory: floats as floats, all
// others as integers.
func (v *vertexFormat) numbers(data []byte) []any {
	list := make([]any, len(v.bits))
	for i, bits := range v.bits {
		part := data[i*bits/8 : (i+1)*bits/8]
		var n uint64
		switch bits {
		case 8:
			n = uint64(part[0])
		case 16:
			n = uint64(binary.LittleEndian.Uint16(part))
		case 32:
			n = uint64(binary.LittleEndian.Uint32(part))
		default:
			n = binary.LittleEndian.Uint64(part)
		}
		list[i] = v.number(n, bits)
	}
	return list
}

func (v *vertexFormat) number(n uint64, bits int) any {
	switch {
	case v.kind == "FLOAT" && bits == 32:
		return floatNumber(float64(math.Float32frombits(uint32(n))), 32)
	case v.kind == "FLOAT":
		return floatNumber(math.Float64frombits(n), 64)
	case v.kind[0] == 'S' || v.kind == "FIXED":
		return Number(strconv.FormatInt(int64(n<<(64-bits))>>(64-bits), 10))
	}
	return Number(strconv.FormatUint(n, 10))
}

// vertices returns the first vertices that a draw fetches, as far as what the
// buffers hold is known; nil for what is no draw of a known range.
func (s *stateBuilder) vertices(call pipe.Call) any {
	d, ok := call.(*pipe.Draw)
	if !ok || d.Indirect != nil || len(d.Draws) == 0 {
		return nil
	}
	list := []any{}
	first := d.Draws[0]
	for i := range min(first.Count, mostVertices) {
		at, known := s.index(d, uint64(first.Start)+uint64(i), first.IndexBias)
		o := Object{}
		if known {
			o.add("index", Number(strconv.FormatInt(at, 10)))
		} else {
			o.add("index", nil)
		}
		elements := []any{}
		for k := range s.c.Elements() {
			elements = append(elements, s.element(d, k, at, known))
		}
		o.add("elements", elements)
		list = append(list, o)
	}
	return list
}

// index returns which vertex stands at a place of a draw.
func (s *stateBuilder) index(d *pipe.Draw, at uint64, bias int32) (int64, bool) {
	size := int(d.Info.IndexSize)
	if size == 0 {
		return int64(at), true
	}
	if d.Info.HasUserIndices || size > 4 {
		return 0, false
	}
	data, ok := s.Buffers.Read(d.Info.Index, at*uint64(size), size)
	if !ok {
		return 0, false
	}
	var room [4]byte
	copy(room[:], data)
	return int64(binary.LittleEndian.Uint32(room[:])) + int64(bias), true
}

// element returns what a vertex element reads for a vertex, nil when it is not
// known. The bytes of a format without numbers of its own are hexadecimal.
func (s *stateBuilder) element(d *pipe.Draw, k int, at int64, known bool) any {
	e := s.c.Elements()[k]
	stride, ok := s.c.ElementStride(k)
	format, decoded := parseVertexFormat(e.SrcFormat)
	if e.InstanceDivisor != 0 {
		at, known = int64(d.Info.StartInstance), true
	}
	if !ok || !known || !decoded || at < 0 || int(e.VertexBufferIndex) >= len(s.c.VertexBuffers) {
		return nil
	}
	b := &s.c.VertexBuffers[e.VertexBufferIndex]
	if b.IsUserBuffer || b.Resource == 0 {
		return nil
	}
	data, ok := s.Buffers.Read(b.Resource, uint64(b.Offset)+uint64(e.SrcOffset)+uint64(stride)*uint64(at), format.size())
	if !ok {
		return nil
	}
	return format.numbers(data)
}

// buffers returns what is known of the buffers that are bound.
func (s *stateBuilder) buffers(call pipe.Call) []any {
	list := []any{}
	seen := map[pipe.Handle]bool{0: true}
	add := func(h pipe.Handle) {
		if seen[h] {
			return
		}
		seen[h] = true
		o := Object{{"resource", Address(h)}}
		if r := s.Machine.Resource(h); r != nil {
			o.add("created", callOf(r.Created))
			o.add("sizeBytes", Uint(r.Template.Width))
		}
		runs := []any{}
		s.Buffers.Known(h, 0, 1<<32, func(at uint64, data []byte) {
			runs = append(runs, Object{{"offset", Uint(at)}, {"bytes", Uint(len(data))}, {"hex", string(pipe.BytesBlob(data).AppendHex(nil))}})
		})
		o.add("known", runs)
		list = append(list, o)
	}
	if d, ok := call.(*pipe.Draw); ok && d.Info.IndexSize != 0 && !d.Info.HasUserIndices {
		add(d.Info.Index)
	}
	for _, b := range s.c.VertexBuffers {
		if !b.IsUserBuffer {
			add(b.Resource)
		}
	}
	for i := range s.c.Targets {
		if t := s.c.Targets[i].Object; t != nil {
			add(t.Resource)
		}
	}
	for stage := range pipe.NumStages {
		for _, b := range s.c.ConstantBuffers[stage] {
			add(b.Resource)
		}
		for _, b := range s.c.ShaderBuffers[stage] {
			add(b.Resource)
		}
	}
	return list
}
