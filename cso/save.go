package cso

import (
	"errors"
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// Parts says which bindings of a [Context] are saved.
type Parts uint8

// The parts. SaveShaders and SaveSamplers are those of all stages.
const (
	SaveShaders Parts = 1 << iota
	SaveRasterizer
	SaveDepthStencilAlpha
	SaveBlend
	SaveVertexElements
	SaveSamplers
	SaveStreamOutput
	// SaveAll is every part.
	SaveAll = SaveStreamOutput<<1 - 1
)

// targets is what set_stream_output_targets bound.
type targets struct {
	handles [pipe.MaxStreamOutputBuffers]pipe.Handle
	num     int
	prim    pipe.PrimitiveType
}

func (t *targets) has(h pipe.Handle) bool { return slices.Contains(t.handles[:t.num], h) }

// savedStates is what one Save kept: its entries are held, its targets outlive
// their destroy.
type savedStates struct {
	parts    Parts
	bound    [numStateKinds]*Entry
	samplers [pipe.NumStages][]*Entry
	targets  targets
}

// partOf returns the part that a kind's binding belongs to; samplers have none
// here, they are bound by stage.
func partOf(kind pipe.Kind) Parts {
	switch kind {
	case pipe.KindRasterizer:
		return SaveRasterizer
	case pipe.KindDepthStencilAlpha:
		return SaveDepthStencilAlpha
	case pipe.KindBlend:
		return SaveBlend
	case pipe.KindVertexElements:
		return SaveVertexElements
	case pipe.KindSampler:
		return 0
	}
	return SaveShaders
}

// Save keeps what is bound in the parts given until the Restore that belongs to
// it. Saves nest.
func (c *Context) Save(parts Parts) {
	s := savedStates{parts: parts}
	for kind, e := range c.bound {
		if parts&partOf(pipe.Kind(kind)) != 0 && e != nil {
			c.cache.rehold(e)
			s.bound[kind] = e
		}
	}
	if parts&SaveSamplers != 0 {
		for stage, entries := range c.samplers {
			s.samplers[stage] = slices.Clone(entries)
			for _, e := range entries {
				if e != nil {
					c.cache.rehold(e)
				}
			}
		}
	}
	if parts&SaveStreamOutput != 0 {
		s.targets = c.targets
	}
	c.saved = append(c.saved, s)
}

// Restore binds what the last Save kept and drops it. Stream output goes on
// where it stopped: every target comes back with [pipe.AppendOffset]. It goes on
// after an error and returns all. Without a Save it is an error.
func (c *Context) Restore() error {
	if len(c.saved) == 0 {
		return errors.New("restore without a save")
	}
	s := c.saved[len(c.saved)-1]
	c.saved = c.saved[:len(c.saved)-1]
	var errs []error
	for kind, e := range s.bound {
		switch {
		case s.parts&partOf(pipe.Kind(kind)) == 0:
		case e != nil:
			errs = append(errs, c.bind(e))
		default:
			errs = append(errs, c.unbind(pipe.Kind(kind)))
		}
	}
	if s.parts&SaveSamplers != 0 {
		for stage, entries := range s.samplers {
			errs = append(errs, c.bindSamplers(pipe.Stage(stage), entries))
		}
	}
	if s.parts&SaveStreamOutput != 0 {
		offsets := [pipe.MaxStreamOutputBuffers]uint32{pipe.AppendOffset, pipe.AppendOffset, pipe.AppendOffset, pipe.AppendOffset}
		errs = append(errs, c.setTargets(s.targets, offsets[:s.targets.num]))
	}
	return errors.Join(errs...)
}

// forget drops the holds of what was saved.
func (c *Context) forget(s *savedStates) {
	for _, e := range s.bound {
		if e != nil {
			c.cache.Release(e)
		}
	}
	for _, entries := range s.samplers {
		c.releaseAll(entries)
	}
}

// SetStreamOutputTargets binds targets to the first slots, with an offset in
// bytes or [pipe.AppendOffset] for each, and unbinds the others. Unbinding where
// nothing is bound is filtered; everything else reaches the driver, for it
// starts the targets anew.
func (c *Context) SetStreamOutputTargets(handles []pipe.Handle, offsets []uint32) error {
	return c.SetStreamOutputTargetsFor(handles, offsets, pipe.PrimitiveUnknown)
}

// SetStreamOutputTargetsFor is SetStreamOutputTargets for a state tracker that
// knows what primitives will be captured (output_prim, since Mesa 25).
func (c *Context) SetStreamOutputTargetsFor(handles []pipe.Handle, offsets []uint32, prim pipe.PrimitiveType) error {
	if len(handles) > pipe.MaxStreamOutputBuffers {
		return fmt.Errorf("%d stream output targets, at most %d", len(handles), pipe.MaxStreamOutputBuffers)
	}
	if len(offsets) != len(handles) {
		return fmt.Errorf("%d offsets for %d stream output targets", len(offsets), len(handles))
	}
	t := targets{num: len(handles), prim: prim}
	copy(t.handles[:], handles)
	return c.setTargets(t, offsets)
}

func (c *Context) setTargets(t targets, offsets []uint32) error {
	if t.num == 0 && c.targets.num == 0 {
		return c.sweep()
	}
	call := &pipe.SetStreamOutputTargets{NumTargets: uint32(t.num), OutputPrim: t.prim}
	if t.num > 0 {
		call.Targets, call.Offsets = t.handles[:t.num:t.num], offsets
	}
	if _, err := c.pipe.Do(call); err != nil {
		return errors.Join(err, c.sweep())
	}
	c.targets = t
	return c.sweep()
}

// DestroyStreamOutputTarget gives up the state tracker's reference of a target.
// While it is bound or saved it lives on, as a reference-counted target of
// Gallium does, and is destroyed as soon as it is neither.
func (c *Context) DestroyStreamOutputTarget(target pipe.Handle) error {
	if target == 0 || slices.Contains(c.doomed, target) {
		return nil
	}
	c.doomed = append(c.doomed, target)
	return c.sweep()
}

// sweep destroys the doomed targets that nothing refers to any more.
func (c *Context) sweep() error {
	var errs []error
	c.doomed = slices.DeleteFunc(c.doomed, func(h pipe.Handle) bool {
		if c.targets.has(h) || slices.ContainsFunc(c.saved, func(s savedStates) bool { return s.targets.has(h) }) {
			return false
		}
		errs = append(errs, c.pipe.DestroyStreamOutputTarget(h))
		return true
	})
	return errors.Join(errs...)
}

// rehold holds an entry once more that is held already.
func (c *Cache) rehold(e *Entry) {
	c.mu.Lock()
	e.holds++
	c.mu.Unlock()
}
