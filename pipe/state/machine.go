package state

import (
	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// Machine follows one run: a trace, or a live stack. Its zero value is not
// ready, see New. It is not safe for concurrent use, not even its lookups.
type Machine struct {
	// World counts the worlds, from 1.
	World int
	// WholeWorld is true when the world was seen from its beginning, so that what
	// was never bound is NULL. A trace that began late (GALLIUM_TRACE_TRIGGER)
	// has contexts whose bindings are unknown until they are set.
	WholeWorld bool
	// Caps are the limits that the run itself stated.
	Caps pipe.Caps
	// DriverName is what the screen said it is called, "" if it was not asked.
	DriverName string

	serial   uint64
	ordinals [pipe.NumKinds]int
	contexts map[pipe.Handle]*Context
	seen     int // contexts of this world
	screens  map[pipe.Handle]bool
	current  *Context // the context of the last operation: most runs have one

	objects
	transfers map[pipe.Handle]*Transfer
	unmapped  *Transfer // has ended, and is ready for the next map
	begun     bool
	pending   map[pipe.Handle]*shader.Outputs // of the shader creates on their way, by context
	graves    graves
	uses      uint64 // how often another context was turned to
}

// New returns a Machine that nothing has happened to.
func New() *Machine {
	m := &Machine{}
	m.newWorld(true)
	return m
}

// newWorld forgets everything that was alive.
func (m *Machine) newWorld(whole bool) {
	m.World++
	m.WholeWorld = whole
	m.begun = false
	m.current = nil
	m.DriverName, m.Caps = "", pipe.Caps{}
	m.contexts, m.seen = make(map[pipe.Handle]*Context), 0
	m.screens = make(map[pipe.Handle]bool)
	m.objects = objects{}
	m.transfers = make(map[pipe.Handle]*Transfer)
	m.pending = make(map[pipe.Handle]*shader.Outputs)
	m.graves = graves{}
}

// Before prepares for an operation that Apply will follow: it makes sure that
// the operation's context is there, and returns it, nil for an operation that
// has none. What the machine says afterwards is what the operation sees.
func (m *Machine) Before(op *pipe.Op) *Context {
	c := m.contextOf(op)
	switch call := op.Call.(type) {
	case *pipe.CreateShader:
		m.pending[op.Context] = parseText(op, call)
	case *pipe.Draw:
		if n := call.Info.VerticesPerPatch; n != 0 && c != nil {
			c.PatchVertices = uint32(n)
		}
	}
	return c
}

// contextOf returns the context of an operation, which is made when it is new.
func (m *Machine) contextOf(op *pipe.Op) *Context {
	if c := m.current; c != nil && c.Handle == op.Context {
		return c
	}
	return m.turnTo(op)
}

// turnTo makes another context, or none, the current one.
func (m *Machine) turnTo(op *pipe.Op) *Context {
	if !m.begun {
		m.begin(op)
	}
	if op.Context == 0 {
		return nil
	}
	c, ok := m.contexts[op.Context]
	if !ok {
		m.crowd()
		c = &Context{Object: m.object(pipe.KindContext, op.Context, op), World: m.World, Whole: m.WholeWorld}
		c.Object.Context = 0
		c.noteStages()
		m.contexts[op.Context] = c
		m.seen++
	}
	m.uses++
	c.used = m.uses
	m.current = c
	return c
}

// PendingOutputs returns what the text of a shader create in that context says,
// between Before and Apply of the create; otherwise nil.
func (m *Machine) PendingOutputs(context pipe.Handle) *shader.Outputs { return m.pending[context] }

func parseText(op *pipe.Op, c *pipe.CreateShader) *shader.Outputs {
	if op.Raw != nil && op.Raw.Cut {
		return shader.ParseCut(c.Stage, c.State.Text())
	}
	return shader.Parse(c.Stage, c.State.Text())
}

// begin looks at the first operation of a world: one that is not the first of
// its trace finds bindings that nobody recorded.
func (m *Machine) begin(op *pipe.Op) {
	if _, ok := op.Call.(*pipe.NewWorld); ok {
		return
	}
	m.begun = true
	_, creates := op.Call.(*pipe.ScreenCreate)
	m.WholeWorld = creates || op.No <= 1
}

// Context returns the context of that handle, nil if none was seen.
func (m *Machine) Context(h pipe.Handle) *Context {
	if c := m.current; c != nil && c.Handle == h {
		return c
	}
	return m.contexts[h]
}

// Contexts returns how many contexts the world has seen, those that were destroyed
// included.
func (m *Machine) Contexts() int { return m.seen }

// OpenContexts yields the contexts that were not destroyed, in no order.
func (m *Machine) OpenContexts(yield func(*Context) bool) {
	for _, c := range m.contexts {
		if !yield(c) {
			return
		}
	}
}

// Resource returns the resource of that handle, nil if none is known.
func (m *Machine) Resource(h pipe.Handle) *Resource { return m.resources.get(h) }

// Shader returns the shader of that stage and handle, nil if none is known.
func (m *Machine) Shader(s pipe.Stage, h pipe.Handle) *Shader {
	if s >= pipe.NumStages {
		return nil
	}
	return m.shaders[s].get(h)
}

// CSO returns the state object of that kind and handle, nil if none is known.
func (m *Machine) CSO(k pipe.Kind, h pipe.Handle) *CSO {
	if int(k) >= len(m.csos) {
		return nil
	}
	return m.csos[k].get(h)
}

// Target returns the target of that handle, nil if none is known.
func (m *Machine) Target(h pipe.Handle) *Target { return m.targets.get(h) }

// Query returns the query of that handle, nil if none is known.
func (m *Machine) Query(h pipe.Handle) *Query { return m.queries.get(h) }

// SamplerView returns the view of that handle, nil if none is known.
func (m *Machine) SamplerView(h pipe.Handle) *View { return m.views.get(h) }

// Surface returns the surface of that handle, nil if none is known.
func (m *Machine) Surface(h pipe.Handle) *View { return m.surfaces.get(h) }

// Transfer returns the mapping of that handle, nil if none is known. It holds until
// the unmap.
func (m *Machine) Transfer(h pipe.Handle) *Transfer { return m.transfers[h] }

// Targets yields the targets whose addresses have not been reused, in no order.
func (m *Machine) Targets(yield func(*Target) bool) {
	for _, t := range m.targets.all {
		if !yield(t) {
			return
		}
	}
}

// Queries yields the queries whose addresses have not been reused, in no order.
func (m *Machine) Queries(yield func(*Query) bool) {
	for _, q := range m.queries.all {
		if !yield(q) {
			return
		}
	}
}

func (m *Machine) object(k pipe.Kind, h pipe.Handle, op *pipe.Op) Object {
	m.serial++
	m.ordinals[k]++
	return Object{Kind: k, Handle: h, Context: op.Context, Serial: m.serial,
		Ordinal: m.ordinals[k], Created: at(op), Creates: 1}
}

// replace ends an object whose address a create has returned again.
func replace(old *Object, op *pipe.Op) {
	if !old.Dead {
		old.Dead, old.Replaced, old.Ended = true, true, at(op)
	}
}

// createShader follows a shader create. A live address that comes back for an
// equal shader is the same object, counted: zink and radeonsi do that.
func (m *Machine) createShader(op *pipe.Op, c *pipe.CreateShader) {
	outputs := m.pending[op.Context]
	if outputs == nil {
		outputs = parseText(op, c)
	}
	delete(m.pending, op.Context)
	h := op.Ret.Handle
	if h == 0 || c.Stage >= pipe.NumStages {
		return
	}
	hash := textHash(c.State.Text())
	exact := op.Raw == nil || op.Raw.StreamOutput == nil
	table := &m.shaders[c.Stage]
	if old := table.get(h); old != nil {
		if !old.Dead && old.TextHash == hash && old.Exact == exact && old.Info.Equal(&c.State.StreamOutput) {
			old.Creates++
			return
		}
		replace(&old.Object, op)
	}
	s := &Shader{Object: m.object(pipe.ShaderKind(c.Stage), h, op), Stage: c.Stage, Info: c.State.StreamOutput,
		Exact: exact, Outputs: outputs, TextHash: hash}
	s.noteOutputs()
	table.put(h, s)
	if of := m.contexts[op.Context]; of != nil && s.Info.NumOutputs != 0 && exact {
		of.seeStrides(op, s.Info.Stride)
	}
}

// noteOutputs keeps what every draw asks of Info.
func (s *Shader) noteOutputs() {
	s.Buffers = s.Info.Buffers()
	for b := range s.Extents {
		s.Extents[b] = s.Info.Extent(b)
	}
	for _, o := range s.Info.Outputs() {
		s.writes[o.Stream()] |= 1 << o.Buffer()
	}
}

func textHash(text []byte) uint64 {
	if text == nil {
		return 0
	}
	return xxhash.Sum64(text)
}

// HasText says whether the shader was made from the text, which is not kept
// itself.
func (s *Shader) HasText(text []byte) bool { return s.TextHash == textHash(text) }

// createCSO follows the create of a state object; state must own its memory.
func (m *Machine) createCSO(op *pipe.Op, k pipe.Kind, state any) {
	h := op.Ret.Handle
	if h == 0 {
		return
	}
	table := &m.csos[k]
	if old := table.get(h); old != nil {
		if !old.Dead && equalState(old.State, state) {
			old.Creates++
			return
		}
		replace(&old.Object, op)
	}
	table.put(h, &CSO{Object: m.object(k, h, op), State: state})
}
