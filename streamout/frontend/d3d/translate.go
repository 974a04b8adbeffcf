package d3d

import (
	"fmt"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// translator is the work on one case.
type translator struct {
	frontend.Builder
	*Case
	declarations []Declaration
	slots        [pipe.MaxStreamOutputBuffers]slot
	components   [pipe.MaxVertexStreams]int // captured
	base         [pipe.MaxVertexStreams]int // first register of the stream in Gallium
	captured     []*Declaration
}

// slot is what the declarations so far do to a buffer.
type slot struct {
	declarations int
	gaps         int
	elements     int // captured
	offset       int // dwords, gaps included
	extent       int // dwords, the end of the last element
	stream       uint32
	endsInGap    bool
}

// Translate lays the declarations out. The error is a *frontend.Error with the
// first rule that is broken.
func Translate(c *Case) (*frontend.Translation, error) {
	t := &translator{Case: c}
	switch {
	case c.API != "" && c.API != "d3d10" && c.API != "d3d11" && c.API != "d3d12":
		return nil, &frontend.Error{Message: fmt.Sprintf("api is %q, want d3d10, d3d11 or d3d12", c.API)}
	case c.stage() != pipe.Geometry && c.stage() != pipe.Vertex && c.stage() != pipe.TessEval:
		return nil, &frontend.Error{Message: fmt.Sprintf("source is %s, want geometry, vertex or domain", c.stage())}
	}
	for i := range c.Signature {
		if e := &c.Signature[i]; e.Stream >= pipe.MaxVertexStreams || e.Register > maxSignatureRegister {
			return nil, &frontend.Error{Message: fmt.Sprintf("signature element %s%d is of stream %d and register %d, at most %d and %d",
				e.SemanticName, e.SemanticIndex, e.Stream, e.Register, pipe.MaxVertexStreams-1, maxSignatureRegister)}
		}
	}
	t.setBases()
	if t.count() {
		for i := range t.declarations {
			t.declare(i, &t.declarations[i])
		}
		t.checkSlots()
		t.checkStrides()
	}
	t.checkPipeline()
	t.setStrides()
	return t.Finish(c.stage())
}

// count finds how many declarations there are; false is none.
func (t *translator) count() bool {
	n := t.NumEntries.Or(len(t.Declarations))
	switch {
	case n == 0 && len(t.Declarations) > 0 && t.API != "d3d12":
		t.Break("so-d3d-num-entries", "there are declarations, but their number is 0")
	case n > len(t.Declarations):
		t.Break("so-d3d-num-entries", "the number of declarations is %d, but %d are there", n, len(t.Declarations))
	}
	most := maxDeclarations
	if t.API == "d3d10" {
		most = maxDeclarations10
	}
	if n > most {
		t.Break("so-d3d-num-entries", "there are %d declarations, at most %d", n, most)
	}
	t.declarations = t.Declarations[:min(n, len(t.Declarations))]
	return len(t.declarations) > 0
}

// declare checks one declaration and captures it.
func (t *translator) declare(i int, d *Declaration) {
	t.checkStream(i, d)
	var s *slot
	if d.OutputSlot < uint32(len(t.slots)) {
		s = &t.slots[d.OutputSlot]
		s.declarations++
		s.endsInGap = d.gap()
	} else {
		t.Break("so-d3d-slot", "declaration %d: output slot is %d, at most %d", i, d.OutputSlot, len(t.slots)-1)
	}
	if d.gap() {
		t.checkGap(i, d)
		if s != nil {
			s.gaps++
		}
	} else {
		t.element(i, d, s)
	}
	// More than any stride holds is said by the check of the slot.
	if s != nil {
		s.offset = min(s.offset+int(min(d.ComponentCount, 1<<16)), 1<<20)
	}
}

func (t *translator) checkStream(i int, d *Declaration) {
	switch {
	case d.Stream >= pipe.MaxVertexStreams:
		t.Break("so-d3d-stream", "declaration %d: stream is %d, at most %d", i, d.Stream, pipe.MaxVertexStreams-1)
	case d.Stream != 0 && t.level() < level11:
		t.Break("so-d3d-stream", "declaration %d: stream is %d, and feature level %d has stream 0 alone", i, d.Stream, t.level())
	case d.Stream != 0 && t.stage() != pipe.Geometry:
		t.Break("so-d3d-stream", "declaration %d: stream is %d, and a %s shader has stream 0 alone", i, d.Stream, t.stage())
	}
}

func (t *translator) checkGap(i int, d *Declaration) {
	if d.SemanticIndex != 0 || d.StartComponent != 0 {
		t.Break("so-d3d-gap", "declaration %d: a gap has semantic index %d and start component %d, want 0 and 0", i, d.SemanticIndex, d.StartComponent)
	}
	if d.ComponentCount == 0 {
		t.Break("so-d3d-count", "declaration %d: a gap of no components", i)
	}
}

// element checks and captures what is no gap; s is nil when its slot does not
// exist.
func (t *translator) element(i int, d *Declaration, s *slot) {
	if n := d.ComponentCount; n == 0 || n > 4 {
		t.Break("so-d3d-count", "declaration %d: %s has component count %d, want 1 to 4", i, d, n)
		return
	}
	if d.StartComponent > 3 || d.StartComponent+d.ComponentCount > 4 {
		t.Break("so-d3d-start", "declaration %d: %s starts at component %d and has %d, which ends behind w", i, d, d.StartComponent, d.ComponentCount)
		return
	}
	e := t.find(i, d)
	if e == nil {
		return
	}
	start, count := e.mask().first()+int(d.StartComponent), int(d.ComponentCount)
	want := Mask((1<<count - 1) << start)
	if start+count > 4 || e.mask()&want != want {
		t.Break("so-d3d-mask", "declaration %d: %s captures %d components from component %d of its mask on, and the signature has .%s", i, d, count, d.StartComponent, e.mask())
		return
	}
	t.checkRepeat(i, d)
	t.captured = append(t.captured, d)
	if d.Stream < uint32(len(t.components)) {
		t.components[d.Stream] += count
	}
	if s == nil {
		return
	}
	if s.elements > 0 && s.stream != d.Stream {
		t.Break("so-d3d-slot-streams", "slot %d captures streams %d and %d", d.OutputSlot, s.stream, d.Stream)
	}
	s.elements++
	s.stream = d.Stream
	s.extent = s.offset + count
	t.Add(d.String(), t.register(e), start, count, int(d.OutputSlot), s.offset, int(d.Stream))
}

// find returns the signature's element, nil when there is none.
func (t *translator) find(i int, d *Declaration) *SignatureElement {
	name := *d.SemanticName
	if n := len(name); n > 0 && name[n-1] >= '0' && name[n-1] <= '9' {
		t.Break("so-d3d-semantic", "declaration %d: semantic %q ends in a digit: the index is a number of its own", i, name)
		return nil
	}
	for k := range t.Signature {
		e := &t.Signature[k]
		if e.Stream == d.Stream && e.SemanticIndex == d.SemanticIndex && strings.EqualFold(e.SemanticName, name) {
			return e
		}
	}
	t.Break("so-d3d-semantic", "declaration %d: %s with index %d is not in the signature of stream %d", i, name, d.SemanticIndex, d.Stream)
	return nil
}

// mask is the components of the element.
func (e *SignatureElement) mask() Mask {
	if e.Mask == 0 {
		return 0xF
	}
	return e.Mask
}

// setBases finds the first register of each stream in Gallium: those of a
// stream begin behind the highest one of the streams below it.
func (t *translator) setBases() {
	var count [pipe.MaxVertexStreams]int
	for i := range t.Signature {
		e := &t.Signature[i]
		count[e.Stream] = max(count[e.Stream], int(e.Register)+1)
	}
	for s := 1; s < len(count); s++ {
		t.base[s] = t.base[s-1] + count[s-1]
	}
}

// register returns the register of Gallium.
func (t *translator) register(e *SignatureElement) int { return t.base[e.Stream] + int(e.Register) }

func (t *translator) checkRepeat(i int, d *Declaration) {
	for _, c := range t.captured {
		if c.Stream == d.Stream && c.SemanticIndex == d.SemanticIndex && strings.EqualFold(*c.SemanticName, *d.SemanticName) &&
			c.StartComponent < d.StartComponent+d.ComponentCount && d.StartComponent < c.StartComponent+c.ComponentCount {
			t.Break("so-d3d-repeat", "declaration %d: components of %s are captured already", i, d)
			return
		}
	}
}

// checkSlots checks what the declarations of each slot and stream add up to.
func (t *translator) checkSlots() {
	used, several := 0, -1
	for i := range t.slots {
		s := &t.slots[i]
		if s.declarations == 0 {
			continue
		}
		if used++; s.declarations > 1 {
			several = i
		}
		if s.gaps == s.declarations {
			t.Break("so-d3d-gap-only", "slot %d has gaps only", i)
		}
		if s.endsInGap && len(t.Strides) == 0 {
			t.Break("so-d3d-trailing-gap", "slot %d ends with a gap: its stride is %d dw (%d B) with it", i, s.offset, 4*s.offset)
		}
		if s.extent > maxWindow {
			t.Break("so-d3d-window", "what slot %d captures ends at dw %d (%d B), at most %d B", i, s.extent, 4*s.extent, 4*maxWindow)
		}
	}
	if used > 1 && several >= 0 && t.level() < level11 {
		t.Break("so-d3d-slot-single", "%d slots are used, and slot %d by %d declarations: feature level %d has one for each", used, several, t.slots[several].declarations, t.level())
	}
	for s, n := range t.components {
		if n > maxStreamComponents {
			t.Break("so-d3d-stream-comps", "%d components of stream %d are captured, at most %d", n, s, maxStreamComponents)
		}
	}
}

// checkStrides checks the strides that are given.
func (t *translator) checkStrides() {
	if len(t.Strides) == 0 {
		return
	}
	if t.API == "d3d10" && slices.ContainsFunc(t.declarations, func(d Declaration) bool { return d.OutputSlot != 0 }) {
		t.Break("so-d3d-stride-slot0", "a stride is given, and a declaration is not in slot 0")
	}
	if most := t.mostStrides(); len(t.Strides) > most {
		t.Break("so-d3d-stride", "%d strides are given, at most %d", len(t.Strides), most)
	}
	for i, stride := range t.Strides {
		switch {
		case stride%4 != 0:
			t.Break("so-d3d-stride", "the stride of slot %d is %d B, no multiple of 4", i, stride)
		case stride > maxStride:
			t.Break("so-d3d-stride", "the stride of slot %d is %d B, at most %d B", i, stride, maxStride)
		case i < len(t.slots) && stride/4 < uint32(t.slots[i].offset):
			t.Break("so-d3d-stride", "the stride of slot %d is %d B, and %d B are declared", i, stride, 4*t.slots[i].offset)
		}
	}
	for i := range t.slots {
		if t.slots[i].declarations > 0 && i >= len(t.Strides) {
			t.Break("so-d3d-stride", "slot %d is used, and %d strides are given", i, len(t.Strides))
		}
	}
}

// mostStrides is how many strides may be given.
func (t *translator) mostStrides() int {
	if t.level() < level11 {
		return 1
	}
	return len(t.slots)
}

// setStrides sets the strides of the used slots.
func (t *translator) setStrides() {
	for i := range t.slots {
		switch s := &t.slots[i]; {
		case s.declarations == 0:
		case i < len(t.Strides):
			t.Stride[i] = int(min(t.Strides[i]/4, 1<<20))
		default:
			t.Stride[i] = s.offset
		}
	}
}

// checkPipeline checks what lies outside the declarations.
func (t *translator) checkPipeline() {
	switch r := t.RasterizedStream; {
	case r == 0 || r == NoRasterizedStream && t.level() >= level11:
	case r >= pipe.MaxVertexStreams && r != NoRasterizedStream:
		t.Break("so-d3d-raster", "the rasterized stream is %d, at most %d", r, pipe.MaxVertexStreams-1)
	case t.level() < level11:
		t.Break("so-d3d-raster", "the rasterized stream is %d, and feature level %d has stream 0 alone", r, t.level())
	default:
		t.Break("so-d3d-raster-map", "the rasterized stream is %d, and Gallium rasterizes stream 0: the streams must be swapped", r)
	}
	if t.API == "d3d12" && t.AllowStreamOutput != nil && !*t.AllowStreamOutput && len(t.declarations) > 0 {
		t.Break("so-d3d12-root", "the root signature does not allow stream output")
	}
	streams := make(map[uint32]uint32) // first stream of each register
	for i := range t.Signature {
		e := &t.Signature[i]
		if s, ok := streams[e.Register]; ok && s != e.Stream {
			t.Break("so-d3d-register-alias", "streams %d and %d use register %d: that of stream %d becomes %d", s, e.Stream, e.Register, e.Stream, t.register(e))
		} else if !ok {
			streams[e.Register] = e.Stream
		}
	}
}
