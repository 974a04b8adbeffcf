package dump

import (
	"io"
	"maps"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// StateQuery is the moment of a run whose state is printed.
type StateQuery struct {
	Trace   string
	Record  *trace.Record // the call; its values are read
	Draw    uint64        // which draw of the trace the call is, from 1, 0 for none
	After   bool          // the call has been applied
	Machine *state.Machine
	Context *state.Context // nil when there is none
	// Sets tells the last call of each method that set something in the context,
	// by method. A state that no call set has the value that contexts begin with.
	Sets map[string]state.At
	// Text returns the text of a shader, and may be nil: then texts are left out.
	Text func(*state.Shader) []byte
	// Buffers is what buffers hold, and Call the operation, for the vertices of a
	// draw. Without Buffers neither is shown.
	Buffers *Buffers
	Call    pipe.Call
}

// StateOf returns everything that is bound in the context at that moment, as
// an object of type "state": what a trace does not tell is null.
func StateOf(q *StateQuery) Object {
	o := Object{{"schema", Schema}, {"type", "state"}, {"trace", q.Trace}}
	o.call(q)
	if c := q.Context; c != nil {
		s := stateBuilder{StateQuery: q, c: c}
		o = append(o, s.members()...)
		if q.Buffers != nil {
			o.add("vertices", s.vertices(q.Call))
			o.add("buffers", s.buffers(q.Call))
		}
	} else {
		o.add("context", nil)
	}
	return o
}

// call adds what identifies the moment.
func (o *Object) call(q *StateQuery) {
	rec := q.Record
	if rec.HasNo {
		o.add("call", Uint(rec.No))
	}
	o.add("line", Uint(rec.Pos.Line))
	o.add("class", rec.Class)
	o.add("method", rec.Method)
	if q.Draw != 0 {
		o.add("draw", Uint(q.Draw))
	}
	o.add("after", q.After)
	if rec.Open {
		o.add("open", true)
	}
	if rec.Problem != nil {
		o.add("malformed", rec.Problem.Reason)
	}
	if !rec.Skipped {
		o.add("args", valueObject(rec.Values.First(), isArgument))
	}
}

// StateJSON writes a state as one line of JSON.
func StateJSON(w io.Writer, o Object) error { return WriteJSON(w, o) }

// StateText writes a state for people.
func StateText(w io.Writer, o Object, p Palette) error {
	t := treeText{palette: p, width: p.columns()}
	t.members(o[2:], 0) // schema and type are for programs
	_, err := io.WriteString(w, t.b.String())
	return err
}

// stateBuilder makes the members of a state.
type stateBuilder struct {
	*StateQuery
	c     *state.Context
	trees objectTrees
}

// objectTrees keeps, by an object's serial, the tree of what it was made from,
// which never changes: draw after draw sees the same objects. Nil keeps none.
type objectTrees map[uint64]any

// mostTrees bounds what is kept.
const mostTrees = 4096

func (t objectTrees) of(o *state.Object, tree func() any) any {
	if t == nil {
		return tree()
	}
	kept, ok := t[o.Serial]
	if !ok {
		if len(t) >= mostTrees {
			clear(t)
		}
		kept = tree()
		t[o.Serial] = kept
	}
	return kept
}

func (s *stateBuilder) members() Object {
	return Object{
		{"driver", nameOrNil(s.Machine.DriverName)},
		{"world", Uint(s.Machine.World)},
		{"context", s.context()},
		{"streamOutput", s.streamOutput()},
		{"shaders", s.shaders()},
		{"vertexElements", s.cso(&s.c.VertexElements)},
		{"vertexBuffers", s.vertexBuffers()},
		{"framebuffer", s.framebuffer()},
		{"rasterizer", s.cso(&s.c.Rasterizer)},
		{"depthStencilAlpha", s.depthStencil()},
		{"blend", s.cso(&s.c.Blend)},
		{"blendColor", s.onceTree(s.c.BlendColor, "set_blend_color")},
		{"stencilRef", s.onceTree(s.c.StencilRef, "set_stencil_ref")},
		{"sampleMask", s.once(Uint(s.c.SampleMask), "set_sample_mask")},
		{"minSamples", s.once(Uint(s.c.MinSamples), "set_min_samples")},
		{"viewports", s.onceTree(s.c.Viewports, "set_viewport_states", "set_viewport_state")},
		{"scissors", s.onceTree(s.c.Scissors, "set_scissor_states", "set_scissor_state")},
		{"tessellation", Object{
			{"patchVertices", s.patchVertices()},
			{"outer", s.onceTree(s.c.TessOuter, "set_tess_state")},
			{"inner", s.onceTree(s.c.TessInner, "set_tess_state")},
		}},
		{"queries", s.queries()},
		{"renderCondition", s.condition()},
		{"other", s.rest()},
		{"set", s.sets()},
	}
}

func nameOrNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (s *stateBuilder) context() Object {
	o := Object{{"handle", Address(s.c.Handle)}, {"created", callOf(s.c.Created)}, {"wholeWorld", s.c.Whole}, {"draws", Uint(s.c.Draws)}}
	if s.c.Dead {
		o.add("destroyed", callOf(s.c.Ended))
	}
	return o
}

// callOf is the number of a call, null when there was none.
func callOf(at state.At) any {
	if at == (state.At{}) {
		return nil
	}
	return Uint(at.No)
}

// once returns a value that one of the methods set, null when none did.
func (s *stateBuilder) once(v any, methods ...string) any {
	for _, m := range methods {
		if _, ok := s.Sets[m]; ok {
			return v
		}
	}
	return nil
}

// onceTree is once for a struct of package pipe.
func (s *stateBuilder) onceTree(v any, methods ...string) any {
	if s.once(true, methods...) == nil {
		return nil
	}
	return objectOf(v)
}

// patchVertices are also told by draws of Mesa 10.6 to 21.2.
func (s *stateBuilder) patchVertices() any {
	if s.c.PatchVertices != 0 {
		return Uint(s.c.PatchVertices)
	}
	return s.once(Uint(0), "set_patch_vertices")
}

func (s *stateBuilder) sets() Object {
	o := Object{}
	for _, method := range slices.Sorted(maps.Keys(s.Sets)) {
		o.add(method, callOf(s.Sets[method]))
	}
	return o
}

// rest returns what methods that nobody taught us set, as it was read.
func (s *stateBuilder) rest() Object {
	o := Object{}
	for _, method := range slices.Sorted(maps.Keys(s.c.Rest)) {
		if v := s.c.Rest[method]; v != nil {
			o.add(method, valueObject(v.First(), isArgument))
		}
	}
	return o
}

// bound returns what is known of a binding besides the object: nil when NULL is
// bound, or nothing ever was.
func bound(handle pipe.Handle, set state.At, whole bool) (Object, bool) {
	switch {
	case handle != 0:
		return Object{{"handle", Address(handle)}}, true
	case set == state.At{} && !whole:
		return Object{{"unknown", true}}, false
	}
	return nil, false
}

// life adds where an object was made, and where it ended.
func (o *Object) life(of *state.Object) {
	if of == nil {
		o.add("created", nil)
		return
	}
	o.add("created", callOf(of.Created))
	if of.Dead {
		o.add("ended", callOf(of.Ended))
	}
}

// cso returns a bound state object.
func (s *stateBuilder) cso(b *state.Binding[state.CSO]) any {
	o, handled := bound(b.Handle, b.Set, s.c.Whole)
	if b.Object == nil {
		return orNil(o)
	}
	if handled {
		o.life(&b.Object.Object)
	}
	o.add("state", s.made(b.Object))
	return o
}

// made returns what a state object was made from.
func (s *stateBuilder) made(of *state.CSO) any {
	return s.trees.of(&of.Object, func() any { return objectOf(of.State) })
}

// orNil keeps an empty object from being one.
func orNil(o Object) any {
	if o == nil {
		return nil
	}
	return o
}
