package streamout

import (
	"encoding/binary"
	"math"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// vertexRun is a number of vertices in a row, of which primitives are made: a whole
// draw, or what lies between two restart indices. First counts from the first
// vertex or index of the draw.
type vertexRun struct{ first, count uint64 }

// part is one of the draws of a call.
type part struct {
	pipe.DrawRange
	drawID       uint32
	instances    uint64
	baseInstance uint32
	indices      indexList
	runs         []vertexRun
}

// drawing is what is known of a draw before it reaches stream output.
type drawing struct {
	mode pipe.PrimitiveType
	// parts are the draws in order; they are less than the whole when partial.
	parts   []part
	partial bool
	// atMost says that the parts are more than what is drawn: restart indices or
	// a condition take some away.
	atMost bool
	why    string
	auto   *AutoDraw
	// emitted says that the vertex source knows the draw's primitives, each of so
	// many vertices.
	emitted bool
	each    uint64
}

// indexList reads the indices of a draw from its buffer.
type indexList struct {
	memory *memory // nil when the indices are not known
	first  uint64  // byte of index 0
	size   uint64  // bytes of an index, 0 when the draw is not indexed
	width  uint64  // bytes of the buffer
}

// at returns index i.
func (l *indexList) at(i uint64) (uint32, bool) {
	at := l.first + i*l.size
	var b [4]byte
	if l.memory == nil || at+l.size > l.width || !l.memory.read(at, b[:l.size]) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b[:]), true
}

func unknownDrawing(why string) drawing { return drawing{partial: true, why: why} }

// drawingOf reads a draw: its parts, and where they are cut by restart indices.
func (c *Capture) drawingOf(op *pipe.Op, ctx *state.Context) drawing {
	var d drawing
	switch call := op.Call.(type) {
	case *pipe.DrawVertexState:
		d.mode = call.Mode
		for _, r := range call.Draws {
			d.parts = append(d.parts, part{DrawRange: r, instances: 1, indices: indexList{size: 4},
				runs: []vertexRun{{0, uint64(r.Count)}}})
		}
		d.partial = call.NumDraws != uint32(len(call.Draws))
		d.atMost, d.why = true, "the indices of a vertex state are not recorded"
	case *pipe.Draw:
		d = c.readDraw(call, ctx)
		d.mode = call.Info.Mode
		c.indexParts(&d, call)
	}
	if d.partial && d.why == "" {
		d.why = "the trace does not hold all draws of the call"
	}
	if ctx.Condition.Handle != 0 {
		d.atMost, d.why = true, "a render condition decides whether it is drawn"
	}
	return d
}

func (c *Capture) readDraw(call *pipe.Draw, ctx *state.Context) drawing {
	switch i := call.Indirect; {
	case i != nil && i.CountFromStreamOutput != 0:
		return c.autoDraw(call, ctx)
	case i != nil && (i.Buffer != 0 || i.Count != 0):
		return c.indirectDraw(call)
	}
	d := drawing{partial: call.NumDraws != uint32(len(call.Draws))}
	for i, r := range call.Draws {
		d.parts = append(d.parts, part{DrawRange: r, drawID: call.DrawIDOffset + uint32(i),
			instances: uint64(call.Info.InstanceCount), baseInstance: call.Info.StartInstance})
	}
	return d
}

// autoDraw takes the vertices that a target was filled with. Without a stride
// there are none.
func (c *Capture) autoDraw(call *pipe.Draw, ctx *state.Context) drawing {
	h := call.Indirect.CountFromStreamOutput
	auto := &AutoDraw{Target: h, StrideBytes: unbounded, Vertices: unbounded}
	t := c.machine.Target(h)
	stride, ok := ctx.ElementStride(0)
	why := "it is not known how far the target of the draw-auto is filled"
	switch {
	case t == nil:
	case !ok:
		why = "the vertex that the draw-auto reads is not known, nor how many of them fill the target"
	case stride == 0:
		auto.Vertices = Count{}
	default:
		fill := c.fill(t)
		auto.Vertices = Count{fill.Low / uint64(stride), fill.High / uint64(stride)}
	}
	if ok {
		auto.StrideBytes = Exactly(uint64(stride))
	}
	if !auto.Vertices.Bounded() || auto.Vertices.High > math.MaxUint32 {
		d := unknownDrawing(why)
		d.auto = auto
		return d
	}
	d := drawing{auto: auto, atMost: !auto.Vertices.Known()}
	if d.atMost {
		d.why = why
	}
	d.parts = []part{{DrawRange: pipe.DrawRange{Count: uint32(auto.Vertices.High)}, drawID: call.DrawIDOffset,
		instances: uint64(call.Info.InstanceCount), baseInstance: call.Info.StartInstance}}
	return d
}

// indirectDraw reads the parameters of draws from their buffer.
func (c *Capture) indirectDraw(call *pipe.Draw) drawing {
	const why = "the parameters of the indirect draw are not known"
	i := call.Indirect
	x := c.contents.find(i.Buffer)
	if x == nil || i.Buffer == 0 {
		return unknownDrawing(why)
	}
	draws := i.DrawCount
	if i.Count != 0 {
		var b [4]byte
		counter := c.contents.find(i.Count)
		if counter == nil || !counter.read(uint64(i.CountOffset), b[:]) {
			return unknownDrawing("the number of indirect draws is not known")
		}
		draws = min(draws, binary.LittleEndian.Uint32(b[:]))
	}
	size := 16
	if call.Info.IndexSize != 0 {
		size = 20
	}
	d := drawing{}
	for k := range draws {
		var b [20]byte
		at := uint64(i.Offset) + uint64(k)*uint64(i.Stride)
		if !x.read(at, b[:size]) || k > 0 && i.Stride == 0 {
			return unknownDrawing(why)
		}
		word := func(n int) uint32 { return binary.LittleEndian.Uint32(b[4*n:]) }
		p := part{DrawRange: pipe.DrawRange{Start: word(2), Count: word(0)}, drawID: call.DrawIDOffset + k,
			instances: uint64(word(1)), baseInstance: word(3)}
		if size == 20 {
			p.IndexBias, p.baseInstance = int32(word(3)), word(4)
		}
		d.parts = append(d.parts, p)
	}
	return d
}

// indexParts finds the indices of each part, and its runs.
func (c *Capture) indexParts(d *drawing, call *pipe.Draw) {
	info := &call.Info
	for i := range d.parts {
		p := &d.parts[i]
		if size := uint64(info.IndexSize); size != 0 {
			p.indices = indexList{first: uint64(p.Start) * size, size: size}
			if r := c.machine.Resource(info.Index); r != nil && !info.HasUserIndices && size <= 4 {
				if x := c.contents.of[r]; x != nil {
					p.indices.memory, p.indices.width = &x.memory, uint64(r.Template.Width)
				}
			}
		}
		p.runs = []vertexRun{{0, uint64(p.Count)}}
		if info.IndexSize != 0 && info.PrimitiveRestart && !p.split(info.RestartIndex) {
			d.atMost, d.why = true, "the indices are not known, and one may restart primitives"
		}
	}
}

// split cuts the vertices of a part at each restart index. It returns false when
// an index is not known.
func (p *part) split(restart uint32) bool {
	if p.indices.memory == nil {
		return false
	}
	var runs []vertexRun
	first := uint64(0)
	for i := range uint64(p.Count) {
		index, ok := p.indices.at(i)
		if !ok {
			return false
		}
		if index == restart {
			runs = append(runs, vertexRun{first, i - first})
			first = i + 1
		}
	}
	p.runs = append(runs, vertexRun{first, uint64(p.Count) - first})
	return true
}

// sum adds up what each run yields, over all instances.
func (d *drawing) sum(yield func(n uint64) Count) Count {
	var total Count
	for i := range d.parts {
		p := &d.parts[i]
		for _, r := range p.runs {
			total = total.plus(yield(r.count).times(p.instances))
		}
	}
	if d.partial {
		total.High = math.MaxUint64
	}
	if d.atMost {
		total.Low = 0
	}
	return total
}

// vertex returns which vertex place k of a run is.
func (p *part) vertex(k uint64) (uint32, bool) {
	if p.indices.size == 0 {
		return p.Start + uint32(k), true
	}
	index, ok := p.indices.at(k)
	return index + uint32(p.IndexBias), ok
}
