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
	pairs   []cellPair
	lost    map[int][]cell // cells without a partner, by output
	added   map[int][]cell
	// Outputs that were told of: nothing more is said of what they capture.
	toldA, toldB map[int]bool
}

type cellPair struct{ a, b cell }

// compareLayouts returns what differs in what two shaders write. Where putting
// right a single field makes up for a difference, that field is told; else what
// is lost and added.
func compareLayouts(a, b *layout) []change {
	if a.whole() && !b.whole() {
		return []change{{Changed, "stream_output.num_outputs", fmt.Sprint(a.numbers.NumOutputs),
			fmt.Sprintf("%d, but %d outputs are there", b.numbers.NumOutputs, len(b.numbers.Output))}}
	}
	c := newLayoutCompare(a, b)
	if rank(b.stage) < rank(a.stage) {
		// A stage may be put behind another on the way down, never taken away.
		c.changes = append(c.changes, change{Changed, "stage", a.stage.String(), b.stage.String()})
	}
	c.strides()
	c.pairCells()
	mended := map[int]bool{}
	for range b.outputs {
		r := c.repair(mended)
		if r == nil {
			break
		}
		mended[r.output] = true
		next := newLayoutCompare(a, r.layout)
		next.changes = append(c.changes, r.change)
		c = next
		c.pairCells()
	}
	for k := range mended {
		c.toldB[k] = true
	}
	c.rest()
	c.registers()
	return c.changes
}

// rank orders the stages that stream out, the last one highest.
func rank(s pipe.Stage) int {
	return slices.Index([]pipe.Stage{pipe.Vertex, pipe.TessEval, pipe.Geometry}, s)
}

func newLayoutCompare(a, b *layout) *layoutCompare {
	return &layoutCompare{a: a, b: b, lost: map[int][]cell{}, added: map[int][]cell{}, toldA: map[int]bool{}, toldB: map[int]bool{}}
}

// strides compares those of buffers that are written; others mean nothing, but
// one that came from nowhere is told.
func (c *layoutCompare) strides() {
	for buf := range pipe.MaxStreamOutputBuffers {
		x, y := c.a.stride(buf), c.b.stride(buf)
		used := c.a.uses(buf) || c.b.uses(buf)
		if x != y && (used || x == 0) {
			c.changes = append(c.changes, change{Changed, fmt.Sprintf("stream_output.stride[%d]", buf), dwords(x), dwords(y)})
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
	o, p := a.outputs[x.output], b.outputs[y.output]
	for _, equal := range []bool{o.DstOffset == p.DstOffset, o.NumComponents == p.NumComponents, o.StartComponent == p.StartComponent} {
		if equal {
			n += 2
		}
	}
	if x.output == y.output { // only where nothing else decides
		n++
	}
	return n
}

// rest tells of what is lost and added.
func (c *layoutCompare) rest() {
	for i := range c.a.outputs {
		if len(c.lost[i]) > 0 {
			c.changes = append(c.changes, change{Lost, outputPath(i), c.a.describe(i), ""})
			c.toldA[i] = true
		}
	}
	for i := range c.b.outputs {
		if len(c.added[i]) > 0 {
			c.changes = append(c.changes, change{Added, outputPath(i), "", c.b.describe(i)})
			c.toldB[i] = true
		}
	}
}

func outputPath(i int) string { return fmt.Sprintf("stream_output.output[%d]", i) }

// tell tells of the register of an output, and no more of that output.
func (c *layoutCompare) tell(p cellPair, field, above, below string) {
	c.changes = append(c.changes, change{Changed, outputPath(p.b.output) + "." + field, above, below})
	c.toldA[p.a.output], c.toldB[p.b.output] = true, true
}

// source is where a cell takes its value.
type source struct{ register, component uint64 }

func (c *layoutCompare) told(p cellPair) bool { return c.toldA[p.a.output] || c.toldB[p.b.output] }

// registers compares whether the cells that have a partner still capture the
// same: registers may be renumbered, but one component below cannot be two above,
// and what the texts of both levels call the same must not turn into something
// else. A text with stream output of its own means other registers.
func (c *layoutCompare) registers() {
	if c.a.text != nil && len(c.a.text.Captures) > 0 || c.b.text != nil && len(c.b.text.Captures) > 0 {
		return
	}
	for _, p := range c.pairs {
		if !c.told(p) {
			c.compareText(p)
		}
	}
	c.tellConflicts(c.conflicts())
}

// conflict is one component below that stands for two above.
type conflict struct{ first, second cellPair }

func (c *layoutCompare) conflicts() (all []conflict) {
	from := map[source]cellPair{}
	for _, p := range c.pairs {
		if c.told(p) {
			continue
		}
		at := source{p.b.register, p.b.component}
		first, seen := from[at]
		switch {
		case !seen:
			from[at] = p
		case first.a.register != p.a.register || first.a.component != p.a.component:
			all = append(all, conflict{first, p})
		}
	}
	return all
}

// tellConflicts tells of the outputs that have most conflicts: theirs is the
// register that is wrong.
func (c *layoutCompare) tellConflicts(all []conflict) {
	for len(all) > 0 {
		count := map[int]int{}
		for _, f := range all {
			count[f.first.b.output]++
			count[f.second.b.output]++
		}
		worst, f := -1, all[0]
		for _, g := range all {
			for _, p := range []cellPair{g.second, g.first} {
				if worst < 0 || count[p.b.output] > count[worst] {
					worst, f = p.b.output, g
				}
			}
		}
		guilty := f.second
		if worst == f.first.b.output {
			guilty = f.first
		}
		c.tell(guilty, "register_index", fmt.Sprintf("registers %s and %s", spell(f.first.a), spell(f.second.a)),
			fmt.Sprintf("register %s for both, in outputs %d and %d", spell(f.first.b), f.first.b.output, f.second.b.output))
		all = slices.DeleteFunc(all, func(g conflict) bool { return g.first.b.output == worst || g.second.b.output == worst })
	}
}

func spell(c cell) string {
	if c.component > 3 {
		return fmt.Sprintf("%d, component %d", c.register, c.component)
	}
	return fmt.Sprintf("%d.%c", c.register, "xyzw"[c.component])
}

// compareText compares what the texts say of two cells.
func (c *layoutCompare) compareText(p cellPair) {
	x, y := p.a, p.b
	if c.b.missing(y) && !c.a.missing(x) {
		field := "register_index"
		if y.component > 3 || c.b.declaresAny(y.register) && x.component != y.component {
			field = "start_component"
		}
		c.tell(p, field, c.a.valueOf(x), fmt.Sprintf("%s, which its shader does not have", spell(y)))
		return
	}
	v, w := c.a.variable(x), c.b.variable(y)
	if v == nil || w == nil || same(v, w) || !c.b.has(v) || !c.a.has(w) {
		return
	}
	c.tell(p, "register_index", c.a.valueOf(x), c.b.valueOf(y))
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
