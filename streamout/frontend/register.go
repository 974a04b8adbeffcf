package frontend

import (
	"fmt"
	"slices"
)

// Place is where an output lies: a run of slots, by number where that is known,
// else by register.
type Place struct {
	Slot      Slot // of the first component; meaningless where Packed
	Component int  // first component in it, 0 to 3
	// Builtin says that the slot is that of a built-in variable.
	Builtin bool
	// Packed says that the linker chose the place and tells no location: elements
	// follow each other without a gap.
	Packed bool
	// Compact says that each component, not each element, takes a component: an
	// array of clip or cull distances.
	Compact bool

	register Number // of the first slot
}

// Registers tells the register_index of each output of a shader: the written
// slots in ascending order, one number for each. An output whose slot is not
// known takes its register out of the row.
type Registers struct {
	places  []Place
	written intervals // slots
	claimed intervals // registers of outputs whose slot is not known
}

// Options choose what differs between the linkers.
type Options struct {
	// CombineDistances puts cull distances behind the clip distances, in the same
	// slots.
	CombineDistances bool
	// Pack allows outputs without a location, which need a register.
	Pack bool
}

// NewRegisters places the outputs, which Expand has checked. It is an error
// when a variable has neither location nor register.
func NewRegisters(outputs []Output, opts Options) (*Registers, error) {
	r := &Registers{}
	clip := 0
	for i := range outputs {
		if slot, _ := outputs[i].builtin(); slot == SlotClipDistance0 && outputs[i].IsWritten() {
			clip = max(clip, outputs[i].Length())
		}
	}
	for i := range outputs {
		o := &outputs[i]
		p, err := place(o, clip, opts)
		if err != nil {
			return nil, err
		}
		r.places = append(r.places, p)
		if !o.IsWritten() {
			continue
		}
		slots := p.slots(o)
		if p.Slot != noSlot {
			r.written.add(int(p.Slot), int(p.Slot)+slots)
		} else {
			r.claimed.add(p.register.Or(0), p.register.Or(0)+slots)
		}
	}
	r.written.merge()
	r.claimed.merge()
	return r, nil
}

func place(o *Output, clip int, opts Options) (Place, error) {
	slot, err := o.builtin()
	if err != nil {
		return Place{}, err
	}
	p := Place{Slot: slot, Component: o.Component.Or(0), Builtin: slot != noSlot, register: o.Register}
	switch {
	case slot == SlotClipDistance0:
		p.Compact = true
	case slot == SlotCullDistance0:
		p.Compact = true
		if opts.CombineDistances {
			p.Slot, p.Component = SlotClipDistance0+Slot(clip/maxClipCullPerSlot), clip%maxClipCullPerSlot
		}
	case slot != noSlot:
	case o.Location.Given():
		p.Slot = SlotUser0 + Slot(o.Location.Or(0))
	case o.Register.Given() && opts.Pack:
		p.Packed = true
	case o.Register.Given():
	default:
		return Place{}, fmt.Errorf("output %q has neither location nor register", o.Name)
	}
	return p, nil
}

// slots is how many slots the output covers.
func (p *Place) slots(o *Output) int {
	if p.Packed || p.Compact {
		dwords := o.Dwords()
		if p.Compact {
			dwords = o.Length()
		}
		return (p.Component + dwords + 3) / 4
	}
	return o.Length() * o.Type.Slots()
}

// Place returns where output i lies.
func (r *Registers) Place(i int) *Place { return &r.places[i] }

// At returns the register of the slot that lies offset slots behind the first
// one of output i. It is false when no output writes that slot.
func (r *Registers) At(i, offset int) (register int, ok bool) {
	p := &r.places[i]
	if p.register.Given() {
		return p.register.Or(0) + offset, true
	}
	slot := int(p.Slot) + offset
	if !r.written.has(slot) {
		return 0, false
	}
	register = r.written.below(slot)
	for _, c := range r.claimed.runs {
		if c.from > register {
			break
		}
		register += c.to - c.from
	}
	return register, true
}

// intervals is a set of whole numbers.
type intervals struct {
	runs []interval // in order, apart
}

type interval struct{ from, to int } // to is not in it

func (s *intervals) add(from, to int) {
	if from < to {
		s.runs = append(s.runs, interval{from, to})
	}
}

// merge brings what was added in order; it comes before has and below.
func (s *intervals) merge() {
	slices.SortFunc(s.runs, func(a, b interval) int { return a.from - b.from })
	var merged []interval
	for _, r := range s.runs {
		if n := len(merged); n > 0 && r.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, r.to)
		} else {
			merged = append(merged, r)
		}
	}
	s.runs = merged
}

func (s *intervals) has(n int) bool {
	return slices.ContainsFunc(s.runs, func(r interval) bool { return r.from <= n && n < r.to })
}

// below is how many numbers of the set are below n.
func (s *intervals) below(n int) int {
	count := 0
	for _, r := range s.runs {
		if r.from < n {
			count += min(r.to, n) - r.from
		}
	}
	return count
}
