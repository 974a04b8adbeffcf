package gl

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// Mode is where the captured variables are named.
type Mode string

// The modes. In the first two the list says what is captured, unless a variable
// has an xfb_ qualifier: those always go before the list.
const (
	Interleaved Mode = "interleaved" // one buffer, and one more for each gl_NextBuffer
	Separate    Mode = "separate"    // one buffer for each varying
	Qualifiers  Mode = "qualifiers"  // xfb_buffer, xfb_offset and xfb_stride
)

// Program is what the linker knows: the outputs of the last vertex stage and
// what shall be captured of them.
type Program struct {
	Mode     Mode              `json:"mode"` // Interleaved when empty
	Stage    frontend.Stage    `json:"stage"`
	Varyings []string          `json:"varyings"`
	Outputs  []frontend.Output `json:"outputs"`
	// Topology is what a geometry shader puts out; points when empty.
	Topology string          `json:"topology"`
	Limits   frontend.Limits `json:"limits"`
}

// NewProgram returns a program without outputs, of the default limits.
func NewProgram() *Program { return &Program{Limits: frontend.DefaultLimits()} }

// linker is the work on one program.
type linker struct {
	frontend.Builder
	*Program
	stage     pipe.Stage
	outputs   []frontend.Output
	registers *frontend.Registers
}

// Translate links a program. The error is a *frontend.Error with the first rule
// that is broken.
func Translate(p *Program) (*frontend.Translation, error) {
	l := &linker{Program: p}
	var err error
	if l.outputs, err = frontend.Expand(p.Outputs); err != nil {
		return nil, &frontend.Error{Message: err.Error()}
	}
	l.stage = p.Stage.Or(l.likelyStage())
	switch p.Mode {
	case "", Interleaved, Separate, Qualifiers:
	default:
		return nil, &frontend.Error{Message: fmt.Sprintf("mode is %q, want interleaved, separate or qualifiers", p.Mode)}
	}
	if l.registers, err = frontend.NewRegisters(l.outputs, frontend.Options{CombineDistances: true, Pack: true}); err != nil {
		l.Break("", "%v", err)
		l.registers = nil
	}
	l.checkStreams()
	switch {
	case l.qualified():
		l.qualifiers()
	case p.Mode == Qualifiers:
	default:
		l.list()
	}
	return l.Finish(l.stage)
}

// likelyStage is the stage of a program that does not tell: a stream above 0
// exists in a geometry shader alone.
func (l *linker) likelyStage() pipe.Stage {
	for i := range l.outputs {
		if l.outputs[i].Stream.Or(0) > 0 {
			return pipe.Geometry
		}
	}
	return pipe.Vertex
}

// checkStreams checks the stream of every output.
func (l *linker) checkStreams() {
	for i := range l.outputs {
		o := &l.outputs[i]
		stream := o.Stream.Or(0)
		if fault := frontend.StreamFault(l.stage, l.Topology, stream, false); fault != "" {
			l.Break("so-gl-stream-topology", "%s: %s", o.Name, fault)
		}
		if stream > 0 && stream >= l.Limits.Streams {
			l.Break("so-gl-stream-range", "%s: stream is %d, at most %d", o.Name, stream, max(l.Limits.Streams, 1)-1)
		}
	}
}

// capture is a variable, or an element of one, that goes to a buffer.
type capture struct {
	name     string
	index    int // of the output
	element  int // the first one
	elements int
	buffer   int
	dst      int // dwords
}

// output returns the variable.
func (l *linker) output(c *capture) *frontend.Output { return &l.outputs[c.index] }

// dwords is the size of what is captured.
func (l *linker) dwords(c *capture) int { return c.elements * l.output(c).Type.Element() }

// stream is the vertex stream.
func (l *linker) stream(c *capture) int { return l.output(c).Stream.Or(0) }

// emit adds the outputs of a capture and returns the dword behind it. An
// unwritten variable, or register, is left as a gap.
func (l *linker) emit(c *capture) (end int) {
	o := l.output(c)
	end = c.dst + l.dwords(c)
	l.Use(c.buffer)
	if !o.IsWritten() {
		l.Break("so-gl-unwritten", "%s is captured, but never written: dw %d..%d (bytes %d..%d) of buffer %d are undefined",
			c.name, c.dst, end-1, 4*c.dst, 4*end-1, c.buffer)
		return end
	}
	if l.registers == nil || l.Broken() {
		return end
	}
	p := l.registers.Place(c.index)
	// Mesa steps through arrays with locations by whole vec4 for each column, two
	// for 64 bits, whatever the column fills.
	step := 4 * o.Type.Columns * o.Type.Wide()
	if p.Packed || p.Compact {
		step = o.Type.Element()
	}
	if apart := o.Type.Slots() * 4; c.element > 0 && step > o.Type.Element() && step != apart {
		l.Say(frontend.Diagnostic{Rule: "so-gl-double-element", Severity: streamout.Warning, Message: fmt.Sprintf(
			"%s: linkers step over %d dwords for each element, which takes %d: another element is captured", c.name, step, apart)})
	}
	fine := p.Component + c.element*step
	l.emitParts(c, p, fine/4, fine%4)
	return end
}

// emitParts adds the outputs of a capture from component start of the slot at
// offset on.
func (l *linker) emitParts(c *capture, p *frontend.Place, offset, start int) {
	o := l.output(c)
	apart := !p.Packed && !p.Builtin // each column begins a slot
	column := o.Type.Vector()
	left := l.dwords(c)
	if apart && start > 0 && c.elements*o.Type.Columns > 1 {
		l.Say(frontend.Diagnostic{Rule: "so-gl-component-array", Severity: streamout.Warning, Message: fmt.Sprintf(
			"%s begins at component %d of each slot, and linkers capture the slots behind the first from component 0 on", c.name, start)})
	}
	missing := false
	for dst := c.dst; left > 0 && !l.Full(); offset++ {
		n := min(left, 4-start)
		if apart {
			n = min(left, column, 4)
			if column -= n; column == 0 {
				column = o.Type.Vector()
			}
		}
		if register, ok := l.registers.At(c.index, offset); ok {
			l.Add(c.name, register, start, n, c.buffer, dst, l.stream(c))
		} else if !missing {
			missing = true
			l.Say(frontend.Diagnostic{Rule: "so-register-not-written", Severity: streamout.Warning,
				Message: fmt.Sprintf("%s: from dw %d of buffer %d on it would come from slots that are never written: those are left out", c.name, dst, c.buffer)})
		}
		dst, left, start = dst+n, left-n, 0
	}
}
