package vulkan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// maxLeaves is how many outputs an entry point may have.
const maxLeaves = 4096

// stageOf returns the stage of an execution model that can be the last one
// before rasterization.
func stageOf(model uint32) (pipe.Stage, bool) {
	switch model {
	case 0:
		return pipe.Vertex, true
	case 2:
		return pipe.TessEval, true
	case 3:
		return pipe.Geometry, true
	}
	return 0, false
}

// Shader returns the outputs of an entry point, by name. Of several with one
// name, and when none is named, it is that of the last stage. All outputs of the
// interface count as written: so lavapipe numbers them, whatever the body does.
func (m *Module) Shader(name string) (*Shader, error) {
	e, err := m.entry(name)
	if err != nil {
		return nil, err
	}
	stage, _ := stageOf(e.model)
	modes := m.modes[e.function]
	xfb := slices.Contains(modes, modeXfb)
	s := NewShader()
	s.Stage, s.Xfb = frontend.StageOf(stage), &xfb
	switch {
	case slices.Contains(modes, modeOutputPoints):
		s.Topology = "points"
	case slices.Contains(modes, modeOutputLineStrip):
		s.Topology = "line_strip"
	case slices.Contains(modes, modeOutputTriangleStrip):
		s.Topology = "triangle_strip"
	}
	w := walk{m: m, names: map[string]bool{}}
	for _, id := range e.variables {
		if t := m.variables[id]; t != nil && !w.seen(id) {
			if err := w.variable(id, t); err != nil {
				return nil, fmt.Errorf("SPIR-V: output %s: %w", m.nameOf(id), err)
			}
		}
	}
	s.Outputs = w.outputs
	return s, nil
}

func (m *Module) entry(name string) (*entryPoint, error) {
	var found *entryPoint
	several := false
	var names []string
	for i := range m.entries {
		e := &m.entries[i]
		if _, ok := stageOf(e.model); !ok {
			continue
		}
		names = append(names, e.name)
		switch {
		case name != "" && e.name != name:
		case found == nil || e.model > found.model:
			found, several = e, false
		case e.model == found.model:
			several = true
		}
	}
	switch {
	case found == nil && name == "":
		return nil, &frontend.Error{Message: "the module has no vertex, tessellation evaluation or geometry entry point"}
	case found == nil:
		return nil, &frontend.Error{Message: fmt.Sprintf("the module has no entry point %q that captures, but: %s", name, strings.Join(names, ", "))}
	case several:
		return nil, &frontend.Error{Message: "the module has several entry points of the last stage: " + strings.Join(names, ", ")}
	}
	return found, nil
}

func (m *Module) nameOf(id uint32) string {
	return cmp.Or(m.names[id], fmt.Sprintf("%%%d", id))
}

// walk collects the outputs of an entry point.
type walk struct {
	m       *Module
	outputs []frontend.Output
	names   map[string]bool
	done    []uint32
}

func (w *walk) seen(id uint32) bool {
	if slices.Contains(w.done, id) {
		return true
	}
	w.done = append(w.done, id)
	return false
}

// place is how a variable, or a member of a block, is decorated.
type place struct {
	location, component, stream, buffer, stride, offset frontend.Number
	builtin                                             string
	standalone                                          bool
}

// decorations reads the decorations of several ids, the first one that has one.
func (w *walk) decorations(of ...member) place {
	get := func(d uint32) frontend.Number {
		for _, id := range of {
			if v, ok := w.m.decorated[id][d]; ok {
				return frontend.Some(int(min(v, 1<<31-1)))
			}
		}
		return frontend.Number{}
	}
	p := place{location: get(decorationLocation), component: get(decorationComponent), stream: get(decorationStream),
		buffer: get(decorationXfbBuffer), stride: get(decorationXfbStride), offset: get(decorationOffset)}
	if b := get(decorationBuiltIn); b.Given() {
		p.builtin = builtinName(b.Or(0))
	}
	return p
}

// builtinName names the built-in outputs of vertex stages.
func builtinName(builtin int) string {
	switch builtin {
	case 0:
		return "Position"
	case 1:
		return "PointSize"
	case 3:
		return "ClipDistance"
	case 4:
		return "CullDistance"
	case 7:
		return "PrimitiveId"
	case 9:
		return "Layer"
	case 10:
		return "ViewportIndex"
	case 4432:
		return "PrimitiveShadingRateKHR"
	case 5253:
		return "ViewportMaskNV"
	}
	return fmt.Sprintf("BuiltIn %d", builtin)
}

// variable adds the outputs of a variable.
func (w *walk) variable(id uint32, t *typ) error {
	block, instances := t, 1
	for block.kind == kindArray {
		instances = limited(instances, max(block.length, 1))
		block = block.element
	}
	if block.kind == kindStruct && w.m.isBlock(block) {
		return w.block(id, block, instances, t.kind == kindArray)
	}
	p := w.decorations(member{id, whole}, member{block.id, whole})
	p.standalone = true
	name := w.m.nameOf(id)
	if w.names[name] {
		name = fmt.Sprintf("%s%%%d", name, id)
	}
	w.names[name] = true
	return w.whole(name, t, &p)
}

// block adds the members of a block, one instance after the other.
func (w *walk) block(id uint32, block *typ, instances int, arrayed bool) error {
	name := w.m.nameOf(block.id)
	if block.leaves == 0 {
		return nil
	}
	if len(w.outputs)+limited(max(block.leaves, len(block.members)), instances) > maxLeaves {
		return fmt.Errorf("more than %d outputs", maxLeaves)
	}
	for i := range instances {
		instance := name
		if arrayed {
			instance = fmt.Sprintf("%s[%d]", name, i)
		}
		next := frontend.Number{} // location
		if p := w.decorations(member{id, whole}, member{block.id, whole}); p.location.Given() {
			next = p.location
		}
		for k, t := range block.members {
			p := w.decorations(member{block.id, uint32(k)}, member{id, whole}, member{block.id, whole})
			own := w.decorations(member{block.id, uint32(k)})
			// An Offset belongs to a member alone; the location of a block is that of
			// its first member.
			if p.offset = own.offset; !own.location.Given() {
				p.location = next
			}
			if p.location.Given() {
				next = p.location.Plus(int64(t.slots))
				p.location = p.location.Plus(int64(limited(i, block.slots)))
			}
			member := cmp.Or(w.m.members[member{block.id, uint32(k)}], fmt.Sprintf("member%d", k))
			if err := w.whole(instance+"."+member, t, &p); err != nil {
				return err
			}
		}
	}
	return nil
}

// whole adds what an Offset is of. An array or structure with 64-bit values
// inside must begin where those may.
func (w *walk) whole(name string, t *typ, p *place) error {
	if t.has64 && p.offset.Or(0)%8 != 0 {
		return &frontend.Error{Rule: "so-vk-offset-align", Message: fmt.Sprintf("%s: Offset %d is no multiple of 8", name, p.offset.Or(0))}
	}
	return w.add(name, t, p)
}

// add adds the leaves of a type. Location and offset go on through them.
func (w *walk) add(name string, t *typ, p *place) error {
	if t.leaves == 0 && t.kind != kindOther {
		return nil
	}
	switch {
	case t.kind == kindValue:
		return w.leaf(name, t, 0, p)
	case t.kind == kindArray && t.element.kind == kindValue:
		return w.leaf(name, t.element, t.length, p)
	case t.kind == kindArray:
		for i := range max(t.length, 1) {
			if t.has64 {
				p.offset = aligned(p.offset)
			}
			if err := w.add(fmt.Sprintf("%s[%d]", name, i), t.element, p); err != nil {
				return err
			}
		}
		return nil
	case t.kind == kindStruct:
		for k, of := range t.members {
			member := cmp.Or(w.m.members[member{t.id, uint32(k)}], fmt.Sprintf("member%d", k))
			if of.has64 {
				p.offset = aligned(p.offset)
			}
			if err := w.add(name+"."+member, of, p); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("type %%%d is none of an output", t.id)
}

func (w *walk) leaf(name string, t *typ, array int, p *place) error {
	if len(w.outputs) >= maxLeaves {
		return fmt.Errorf("more than %d outputs", maxLeaves)
	}
	o := frontend.Output{Name: name, Type: t.value, Array: array, Location: p.location, Component: p.component, Stream: p.stream,
		Builtin: p.builtin, Standalone: p.standalone, XfbBuffer: p.buffer, XfbStride: p.stride, Offset: p.offset}
	if array > frontend.MaxArray {
		return fmt.Errorf("array of more than %d", frontend.MaxArray)
	}
	w.outputs = append(w.outputs, o)
	if p.location.Given() {
		p.location = p.location.Plus(int64(limited(t.value.Slots(), o.Length())))
	}
	if p.offset.Given() {
		p.offset = p.offset.Plus(4 * int64(o.Dwords()))
	}
	return nil
}

// aligned is the next multiple of 8 bytes.
func aligned(offset frontend.Number) frontend.Number {
	return offset.Plus(int64(-offset.Or(0) & 7))
}
