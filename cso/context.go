package cso

import (
	"errors"
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// Context is a state tracker's view of one context, as Gallium's cso_context:
// states are set by content, objects come from a [Cache], a state that is bound
// already is not bound again, and what is bound can be saved and restored. What
// the state tracker binds past it, straight on the driver, it does not know of.
//
// A Context belongs to one goroutine. Close ends it.
type Context struct {
	pipe     pipe.Context
	cache    *Cache
	key      Key
	bound    [numStateKinds]*Entry
	samplers [pipe.NumStages][]*Entry
	scratch  []*Entry
	targets  targets
	saved    []savedStates
	// doomed targets were destroyed while bound or saved.
	doomed []pipe.Handle
}

// NewContext returns a Context over p with nothing bound. It caches up to limit
// objects of each kind, 0 for all.
func NewContext(p pipe.Context, limit int) *Context {
	return &Context{pipe: p, cache: NewCache(limit)}
}

// Stats returns the cache's counts of a kind.
func (c *Context) Stats(kind pipe.Kind) Stats { return c.cache.Stats(kind) }

// SetShader makes a shader current in a graphics stage; nil unbinds.
func (c *Context) SetShader(stage pipe.Stage, s *pipe.ShaderState) error {
	if stage >= pipe.NumStages {
		return fmt.Errorf("stage %d has no state", stage)
	}
	if s == nil {
		return c.unbind(pipe.ShaderKind(stage))
	}
	c.key.SetShader(stage, s)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	return c.bindNew(c.pipe.CreateShader(stage, s))
}

// SetCompute makes a compute shader current; nil unbinds.
func (c *Context) SetCompute(s *pipe.ComputeState) error {
	if s == nil {
		return c.unbind(pipe.ShaderKind(pipe.Compute))
	}
	c.key.SetCompute(s)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	ret, err := c.pipe.Do(&pipe.CreateCompute{State: *s})
	return c.bindNew(ret.Handle, err)
}

// SetRasterizer makes a rasterizer state current; nil unbinds.
func (c *Context) SetRasterizer(s *pipe.RasterizerState) error {
	if s == nil {
		return c.unbind(pipe.KindRasterizer)
	}
	c.key.SetRasterizer(s)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	return c.bindNew(c.pipe.CreateRasterizer(s))
}

// SetDepthStencilAlpha makes a depth/stencil/alpha state current; nil unbinds.
func (c *Context) SetDepthStencilAlpha(s *pipe.DepthStencilAlphaState) error {
	if s == nil {
		return c.unbind(pipe.KindDepthStencilAlpha)
	}
	c.key.SetDepthStencilAlpha(s)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	return c.bindNew(c.pipe.CreateDepthStencilAlpha(s))
}

// SetBlend makes a blend state current; nil unbinds.
func (c *Context) SetBlend(s *pipe.BlendState) error {
	if s == nil {
		return c.unbind(pipe.KindBlend)
	}
	c.key.SetBlend(s)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	return c.bindNew(c.pipe.CreateBlend(s))
}

// SetVertexElements makes vertex elements current. None at all is a state of its
// own, not NULL.
func (c *Context) SetVertexElements(elements ...pipe.VertexElement) error {
	c.key.SetVertexElements(elements)
	if e := c.cache.Hold(&c.key); e != nil {
		return c.bind(e)
	}
	return c.bindNew(c.pipe.CreateVertexElements(elements...))
}

// SetSamplers makes samplers current in the first slots of a stage, nil for
// NULL, and unbinds the slots behind them.
func (c *Context) SetSamplers(stage pipe.Stage, states ...*pipe.SamplerState) error {
	if stage >= pipe.NumStages {
		return fmt.Errorf("stage %d has no state", stage)
	}
	c.scratch = c.scratch[:0]
	for _, s := range states {
		var e *Entry
		var err error
		if s != nil {
			e, err = c.sampler(s)
		}
		if err != nil {
			c.releaseAll(c.scratch)
			return err
		}
		c.scratch = append(c.scratch, e)
	}
	return c.bindSamplers(stage, c.scratch)
}

// sampler returns the entry of a sampler state, held.
func (c *Context) sampler(s *pipe.SamplerState) (*Entry, error) {
	c.key.SetSampler(s)
	if e := c.cache.Hold(&c.key); e != nil {
		return e, nil
	}
	return c.add(c.pipe.CreateSampler(s))
}

// bindSamplers takes over the holds of entries and copies the slice.
func (c *Context) bindSamplers(stage pipe.Stage, entries []*Entry) error {
	old := c.samplers[stage]
	if slices.Equal(old, entries) {
		c.releaseAll(entries)
		return nil
	}
	states := make([]pipe.Handle, max(len(old), len(entries)))
	for i, e := range entries {
		if e != nil {
			states[i] = e.object
		}
	}
	if _, err := c.pipe.Do(&pipe.BindSamplers{Stage: stage, States: states}); err != nil {
		c.releaseAll(entries)
		return err
	}
	c.releaseAll(old)
	c.samplers[stage] = append(old[:0], entries...)
	return nil
}

func (c *Context) releaseAll(entries []*Entry) {
	for _, e := range entries {
		if e != nil {
			c.cache.Release(e)
		}
	}
}

// add caches the object that was made for c.key, held.
func (c *Context) add(object pipe.Handle, err error) (*Entry, error) {
	if err != nil {
		return nil, err
	}
	if object == 0 {
		return nil, fmt.Errorf("the driver refused a %v state", c.key.Kind())
	}
	e, evicted := c.cache.Add(&c.key, object)
	for _, old := range evicted {
		err = errors.Join(err, c.pipe.Delete(c.key.Kind(), old))
	}
	if err != nil {
		c.cache.Release(e)
		return nil, err
	}
	return e, nil
}

func (c *Context) bindNew(object pipe.Handle, err error) error {
	e, err := c.add(object, err)
	if err != nil {
		return err
	}
	return c.bind(e)
}

// bind takes over a hold of e.
func (c *Context) bind(e *Entry) error {
	kind := e.key.kind
	old := c.bound[kind]
	if old == e {
		c.cache.Release(e)
		return nil
	}
	if err := c.pipe.Bind(kind, e.object); err != nil {
		c.cache.Release(e)
		return err
	}
	c.bound[kind] = e
	if old != nil {
		c.cache.Release(old)
	}
	return nil
}

func (c *Context) unbind(kind pipe.Kind) error {
	old := c.bound[kind]
	if old == nil {
		return nil
	}
	if err := c.pipe.Bind(kind, 0); err != nil {
		return err
	}
	c.bound[kind] = nil
	c.cache.Release(old)
	return nil
}

// Close unbinds everything, forgets what was saved and deletes all objects,
// destroyed targets included. It goes on after an error and returns all. The
// Context is as new afterwards.
func (c *Context) Close() error {
	for i := range c.saved {
		c.forget(&c.saved[i])
	}
	c.saved = nil
	var errs []error
	for kind := range pipe.Kind(numStateKinds) {
		errs = append(errs, c.unbind(kind))
	}
	for stage := range c.samplers {
		errs = append(errs, c.bindSamplers(pipe.Stage(stage), nil))
	}
	errs = append(errs, c.SetStreamOutputTargets(nil, nil))
	for kind := range pipe.Kind(numStateKinds) {
		for _, object := range c.cache.Drain(kind) {
			errs = append(errs, c.pipe.Delete(kind, object))
		}
	}
	return errors.Join(errs...)
}
