package levels

import (
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// change is one thing that differs: a path, and the values above and below; one
// of them is empty for what is lost or added.
type change struct {
	kind         Kind
	path         string
	above, below string
}

// layoutCompare holds two layouts against each other.
type layoutCompare struct {
	a, b    *layout
	changes []change
	// Outputs whose change was told: nothing more is said of them.
	toldA, toldB map[int]bool
	pairs        []cellPair
	lost, added  map[int][]cell // cells without a partner, by output
}

type cellPair struct{ a, b cell }

// compareLayouts returns what differs in what two shaders write.
func compareLayouts(a, b *layout) []change {
	c := &layoutCompare{a: a, b: b, toldA: map[int]bool{}, toldB: map[int]bool{}, lost: map[int][]cell{}, added: map[int][]cell{}}
	if a.whole() && !b.whole() {
		c.changed("num_outputs", fmt.Sprint(a.numbers.NumOutputs), fmt.Sprintf("%d, but %d outputs are there", b.numbers.NumOutputs, len(b.numbers.Output)))
		return c.changes
	}
	if a.stage != b.stage && a.stage == pipe.Geometry {
		// A stage may be put behind another on the way down, never taken away.
		c.changed("stage", a.stage.String(), b.stage.String())
	}
	c.strides()
	c.pairCells()
	c.partly()
	c.moved()
	c.rest()
	c.registers()
	return c.changes
}

func (c *layoutCompare) changed(path, above, below string) {
	c.changes = append(c.changes, change{Changed, "stream_output." + path, above, below})
}

// strides compares those of buffers that are written; others mean nothing, but
// one that came from nowhere is told.
func (c *layoutCompare) strides() {
	for buf := range pipe.MaxStreamOutputBuffers {
		x, y := c.a.stride(buf), c.b.stride(buf)
		used := c.a.uses(buf) || c.b.uses(buf)
		if x != y && (used || x == 0) {
			c.changed(fmt.Sprintf("stride[%d]", buf), dwords(x), dwords(y))
		}
	}
}

// pairCells finds for each cell the one at its place. Where several outputs
// write one place, those that lie most alike belong together.
func (c *layoutCompare) pairCells() {
	below := map[place][]cell{}
	for _, y := range c.b.cells {
		below[y.place] = append(below[y.place], y)
	}
	for from := 0; from < len(c.a.cells); {
		to := from + 1
		for to < len(c.a.cells) && c.a.cells[to].place == c.a.cells[from].place {
			to++
		}
		here := c.a.cells[from].place
		below[here] = c.pairPlace(slices.Clone(c.a.cells[from:to]), below[here])
		from = to
	}
	for _, left := range below {
		for _, y := range left {
			c.added[y.output] = append(c.added[y.output], y)
		}
	}
}

// pairPlace pairs the cells of one place, and returns those below that are left.
func (c *layoutCompare) pairPlace(xs, ys []cell) []cell {
	for len(xs) > 0 && len(ys) > 0 {
		bestX, bestY, most := 0, 0, -1
		for i, x := range xs {
			for k, y := range ys {
				if n := likeness(c.a, x, c.b, y); n > most {
					bestX, bestY, most = i, k, n
				}
			}
		}
		c.pairs = append(c.pairs, cellPair{xs[bestX], ys[bestY]})
		xs, ys = slices.Delete(xs, bestX, bestX+1), slices.Delete(slices.Clone(ys), bestY, bestY+1)
	}
	for _, x := range xs {
		c.lost[x.output] = append(c.lost[x.output], x)
	}
	return ys
}

// likeness counts what two outputs that write one place have in common.
func likeness(a *layout, x cell, b *layout, y cell) (n int) {
	o, p := a.outputs()[x.output], b.outputs()[y.output]
	for _, equal := range []bool{o.DstOffset == p.DstOffset, o.NumComponents == p.NumComponents, o.Stream == p.Stream, o.StartComponent == p.StartComponent} {
		if equal {
			n++
		}
	}
	return n
}

// partly tells of outputs that keep some of their dwords: they were shifted, or
// became shorter or longer.
func (c *layoutCompare) partly() {
	for _, p := range c.pairs {
		x, y := p.a, p.b
		if c.toldA[x.output] || c.toldB[y.output] || len(c.lost[x.output]) == 0 && len(c.added[y.output]) == 0 {
			continue
		}
		o, q := c.a.outputs()[x.output], c.b.outputs()[y.output]
		switch {
		case o.NumComponents == q.NumComponents && o.DstOffset != q.DstOffset && x.component-o.StartComponent != y.component-q.StartComponent:
			c.tell(x.output, y.output, "dst_offset", dwords(o.DstOffset), dwords(q.DstOffset))
		case o.DstOffset == q.DstOffset && o.NumComponents != q.NumComponents:
			c.tell(x.output, y.output, "num_components", fmt.Sprint(o.NumComponents), fmt.Sprint(q.NumComponents))
		}
	}
}

// tell tells of a changed field of an output, and no more of that output.
func (c *layoutCompare) tell(a, b int, field, above, below string) {
	c.changed(outputPath(b)+"."+field, above, below)
	c.toldA[a], c.toldB[b] = true, true
	delete(c.lost, a)
	delete(c.added, b)
}

// outputPath is the path of an output; its index is that below, where there is one.
func outputPath(i int) string { return fmt.Sprintf("output[%d]", i) }

// moved tells of outputs that lie elsewhere as a whole.
func (c *layoutCompare) moved() {
	for i, o := range c.a.outputs() {
		if len(c.lost[i]) == 0 || uint64(len(c.lost[i])) != min(o.NumComponents, mostComponents) {
			continue
		}
		best, score := -1, 0
		for k, p := range c.b.outputs() {
			if len(c.added[k]) == 0 || uint64(len(c.added[k])) != min(p.NumComponents, mostComponents) || p.NumComponents != o.NumComponents {
				continue
			}
			n := 1
			for _, equal := range []bool{o.DstOffset == p.DstOffset, o.OutputBuffer == p.OutputBuffer, o.Stream == p.Stream, o.StartComponent == p.StartComponent, i == k} {
				if equal {
					n++
				}
			}
			if n > score {
				best, score = k, n
			}
		}
		if best < 0 {
			continue
		}
		p := c.b.outputs()[best]
		if o.OutputBuffer != p.OutputBuffer {
			c.tell(i, best, "output_buffer", fmt.Sprint(o.OutputBuffer), fmt.Sprint(p.OutputBuffer))
		}
		if o.DstOffset != p.DstOffset {
			c.tell(i, best, "dst_offset", dwords(o.DstOffset), dwords(p.DstOffset))
		}
	}
}

// rest tells of what is lost and added.
func (c *layoutCompare) rest() {
	for i := range c.a.outputs() {
		if len(c.lost[i]) > 0 {
			c.changes = append(c.changes, change{Lost, "stream_output." + outputPath(i), c.a.describe(i), ""})
			c.toldA[i] = true
		}
	}
	for i := range c.b.outputs() {
		if len(c.added[i]) > 0 {
			c.changes = append(c.changes, change{Added, "stream_output." + outputPath(i), "", c.b.describe(i)})
			c.toldB[i] = true
		}
	}
}

// source is where a cell takes its value.
type source struct{ register, component uint64 }

// registers compares the streams of the cells that have a partner, and whether
// they still capture the same: registers may be renumbered, but one component
// below cannot be two above, and what the texts of both levels call the same
// must not turn into something else.
func (c *layoutCompare) registers() {
	from := map[source]cell{}
	unsure := c.a.text != nil && len(c.a.text.Captures) > 0 || c.b.text != nil && len(c.b.text.Captures) > 0
	for _, p := range c.pairs {
		x, y := p.a, p.b
		if c.toldA[x.output] || c.toldB[y.output] {
			continue
		}
		if x.stream != y.stream {
			c.tell(x.output, y.output, "stream", fmt.Sprint(x.stream), fmt.Sprint(y.stream))
			continue
		}
		if unsure {
			continue
		}
		at := source{y.register, y.component}
		before, seen := from[at]
		if seen && (before.register != x.register || before.component != x.component) {
			c.tell(x.output, y.output, "register_index",
				fmt.Sprintf("registers %s and %s", spell(before), spell(x)), fmt.Sprintf("register %s for both", spell(y)))
			continue
		}
		from[at] = x
		c.compareText(x, y)
	}
}

func spell(c cell) string {
	if c.component > 3 {
		return fmt.Sprintf("%d, component %d", c.register, c.component)
	}
	return fmt.Sprintf("%d.%c", c.register, "xyzw"[c.component])
}

// compareText compares what the texts say of two cells.
func (c *layoutCompare) compareText(x, y cell) {
	if c.b.missing(y) && !c.a.missing(x) {
		field := "register_index"
		if y.component > 3 || c.b.declaresAny(y.register) {
			field = "start_component"
		}
		c.tell(x.output, y.output, field, c.a.valueOf(x), fmt.Sprintf("%s, which its shader does not have", spell(y)))
		return
	}
	v, w := c.a.variable(x), c.b.variable(y)
	if v == nil || w == nil || same(v, w) || !c.b.has(v) || !c.a.has(w) {
		return
	}
	c.tell(x.output, y.output, "register_index", c.a.valueOf(x), c.b.valueOf(y))
}

func (l *layout) declaresAny(register uint64) bool {
	return register <= 1<<16 && l.text != nil && len(l.text.At(int(register))) > 0
}

// valueOf spells the register of a cell, with the variable's name.
func (l *layout) valueOf(c cell) string {
	if v := l.variable(c); v != nil && v.Name != "" {
		return fmt.Sprintf("%s (%s)", spell(c), v.Name)
	}
	return spell(c)
}
