package randomops

import (
	"fmt"
	"math/rand/v2"

	"github.com/outflow-gpu/outflow/pipe"
)

// Generator sends random operations to a driver. It is made by New and is not
// safe for concurrent use.
type Generator struct {
	r        *rand.Rand
	sent     int
	counts   map[string]int
	contexts []*context
	err      error
}

// counting is the driver that the contexts see.
type counting struct {
	g     *Generator
	below pipe.Driver
}

func (c *counting) Do(op *pipe.Op) error {
	_, method := op.Call.Name()
	c.g.counts[method]++
	c.g.sent++
	preset(op)
	return c.below.Do(op)
}

// preset answers what a driver that accepts everything cannot know.
func preset(op *pipe.Op) {
	switch call := op.Call.(type) {
	case *pipe.GetName:
		op.Ret = pipe.Result{Text: "llvmpipe (LLVM 15.0.6, 256 bits)", Known: true}
	case *pipe.GetParam:
		op.Ret = pipe.Result{Value: map[string]uint64{
			"PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS":                4,
			"PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS":    64,
			"PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS": 128,
			"PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME":               1,
			"PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS":         1,
			"PIPE_CAP_MAX_VERTEX_STREAMS":                       4,
		}[call.Param], Known: true}
	}
}

// New makes a screen with some contexts on d. Equal seeds make equal operations,
// as far as the driver returns equal handles.
func New(d pipe.Driver, seed uint64, contexts int) (*Generator, error) {
	g := &Generator{r: rand.New(rand.NewPCG(seed, 1)), counts: map[string]int{}}
	counted := &counting{g: g, below: d}
	first, err := pipe.NewContext(counted)
	if err != nil {
		return nil, err
	}
	g.askScreen(first)
	for i := range max(contexts, 1) {
		c := first
		if i > 0 {
			op := pipe.Op{Call: &pipe.ContextCreate{}, Screen: first.Screen}
			g.note(counted.Do(&op))
			c.Handle = op.Ret.Handle
		}
		g.contexts = append(g.contexts, newContext(g, c))
	}
	return g, g.err
}

func (g *Generator) askScreen(c pipe.Context) {
	for _, call := range []pipe.Call{&pipe.GetName{}, &pipe.GetParam{Param: "PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"},
		&pipe.GetParam{Param: "PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS"}, &pipe.GetParam{Param: "PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS"},
		&pipe.GetParam{Param: "PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME"}, &pipe.GetParam{Param: "PIPE_CAP_MAX_VERTEX_STREAMS"}} {
		op := pipe.Op{Call: call, Screen: c.Screen}
		g.note(c.Driver.Do(&op))
	}
}

// note keeps the first error.
func (g *Generator) note(err error) {
	if g.err == nil && err != nil {
		g.err = err
	}
}

// Run sends at least n more operations, and stops where every context is between
// two things it does. It returns the driver's first error.
func (g *Generator) Run(n int) error {
	for end := g.sent + n; g.sent < end && g.err == nil; {
		c := g.contexts[g.r.IntN(len(g.contexts))]
		c.step()
	}
	if g.err != nil {
		return fmt.Errorf("operation %d: %w", g.sent, g.err)
	}
	return nil
}

// Close destroys the targets and the contexts.
func (g *Generator) Close() error {
	for _, c := range g.contexts {
		c.unbindTargets()
		for _, t := range c.targets {
			c.note(c.DestroyStreamOutputTarget(t.handle))
		}
		c.note(c.Destroy())
	}
	g.contexts = nil
	return g.err
}

// Sent returns how many operations were sent.
func (g *Generator) Sent() int { return g.sent }

// Counts returns how many operations of each method were sent. It is the
// generator's own map.
func (g *Generator) Counts() map[string]int { return g.counts }

// oneOf returns any of the values.
func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }
