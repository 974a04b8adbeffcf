package rules

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// infoPath is where the stream output of a shader create lies.
const infoPath = "state.stream_output"

// outputPath is the path of a field of an output.
func outputPath(i int, field string) string {
	return fmt.Sprintf("%s.output[%d].%s", infoPath, i, field)
}

// stridePath is the path of a stride.
func stridePath(buffer int) string {
	return indexed(infoPath+".stride[0]"+infoPath+".stride[1]"+infoPath+".stride[2]"+infoPath+".stride[3]", buffer)
}

// dw spells dwords with the bytes that they are: "6 dw (24 B)". The units of
// Gallium are mixed, and a number without one is a riddle.
func dw(dwords uint64) string {
	if dwords > 1<<62 {
		return fmt.Sprintf("%d dw", dwords)
	}
	return fmt.Sprintf("%d dw (%d B)", dwords, dwords*4)
}

// plural is a number of things, "1 draw" or "3 draws", once somebody asks.
func plural(n uint64, noun string) fmt.Stringer { return amount{n, noun} }

type amount struct {
	n    uint64
	noun string
}

// Fixed marks amount, which is a plain value.
func (amount) Fixed() {}

func (a amount) String() string {
	switch {
	case a.n == 1:
		return "1 " + a.noun
	case a.noun == "vertex":
		return fmt.Sprintf("%d vertices", a.n)
	}
	return fmt.Sprintf("%d %ss", a.n, a.noun)
}

// span spells a range of dwords: "dw 4..7".
func span(o *streamout.InfoOutput) string {
	if o.NumComponents <= 1 {
		return fmt.Sprintf("dw %d", o.DstOffset)
	}
	return fmt.Sprintf("dw %d..%d", o.DstOffset, o.End()-1)
}

// lettersOf spells a mask of components: "xz".
func lettersOf(m uint8) string {
	var s []byte
	for c, letter := range []byte("xyzw") {
		if m&(1<<c) != 0 {
			s = append(s, letter)
		}
	}
	return string(s)
}

// on makes an escalation for each driver.
func on(s streamout.Severity, drivers ...string) []streamout.Escalation {
	var e []streamout.Escalation
	for _, d := range drivers {
		e = append(e, streamout.Escalation{Driver: d, Severity: s})
	}
	return e
}

// Sources that many rules rest on.
const (
	srcState   = "src/gallium/include/pipe/p_state.h: struct pipe_stream_output_info"
	srcContext = "docs/gallium/context.rst: Stream Output"
	srcEmit    = "src/gallium/auxiliary/draw/draw_pt_so_emit.c: so_emit_prim"
)

// buffers are the slots.
const buffers = pipe.MaxStreamOutputBuffers
