package levels

import (
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// repair is a layout below with one field of one output put right.
type repair struct {
	output int
	layout *layout
	change change
	wrong  int // cells that are lost or added still
	doubts int // what registers then say against it
}

// Layouts that have little in common are not repaired: beyond mostWrong cells
// nothing is tried, beyond fewWrong only outputs that lie where nothing should.
const (
	mostWrong = 32
	fewWrong  = 16
)

// repair finds the field that, put right, makes up for most of what is lost and
// added: all of its output must then lie where something lies above. It is nil
// when there is none.
func (c *layoutCompare) repair(mended map[int]bool) (best *repair) {
	now := c.wrong()
	if now == 0 || now > mostWrong {
		return nil
	}
	for k := range c.b.outputs {
		if mended[k] || now > fewWrong && len(c.added[k]) == 0 {
			continue
		}
		for _, r := range c.repairs(k) {
			d := newLayoutCompare(c.a, r.layout)
			d.pairCells()
			if r.wrong = d.wrong(); r.wrong >= now || len(d.added[k]) > 0 {
				continue
			}
			d.registers()
			if r.doubts = len(d.changes); best == nil || r.wrong < best.wrong || r.wrong == best.wrong && r.doubts < best.doubts {
				best = &r
			}
		}
	}
	return best
}

// wrong counts the cells without a partner.
func (c *layoutCompare) wrong() (n int) {
	for _, cells := range c.lost {
		n += len(cells)
	}
	for _, cells := range c.added {
		n += len(cells)
	}
	return n
}

// repairs returns the ways in which one field of an output may be put right.
func (c *layoutCompare) repairs(k int) (all []repair) {
	o := c.b.outputs[k]
	try := func(field string, above, below string, mend func(*pipe.OutputNumbers)) {
		l := *c.b
		l.outputs = slices.Clone(l.outputs)
		mend(&l.outputs[k])
		l.layCells()
		all = append(all, repair{output: k, layout: &l, change: change{Changed, outputPath(k) + "." + field, above, below}})
	}
	for n := uint64(1); n <= 4; n++ {
		if n != o.NumComponents {
			try("num_components", fmt.Sprint(n), fmt.Sprint(o.NumComponents), func(p *pipe.OutputNumbers) { p.NumComponents = n })
		}
	}
	if o.NumComponents == 0 {
		return all
	}
	for n := range uint64(pipe.MaxStreamOutputBuffers) {
		if n != o.OutputBuffer {
			try("output_buffer", fmt.Sprint(n), fmt.Sprint(o.OutputBuffer), func(p *pipe.OutputNumbers) { p.OutputBuffer = n })
		}
	}
	for n := range uint64(pipe.MaxVertexStreams) {
		if n != o.Stream {
			try("stream", fmt.Sprint(n), fmt.Sprint(o.Stream), func(p *pipe.OutputNumbers) { p.Stream = n })
		}
	}
	for _, at := range c.lostOffsets(o) {
		try("dst_offset", dwords(at), dwords(o.DstOffset), func(p *pipe.OutputNumbers) { p.DstOffset = at })
	}
	return all
}

// lostOffsets returns where an output could have begun: any of its dwords may be
// the one that is lost.
func (c *layoutCompare) lostOffsets(o pipe.OutputNumbers) (all []uint64) {
	for _, cells := range c.lost {
		for _, x := range cells {
			for back := range min(o.NumComponents, mostComponents) {
				at := x.offset - back
				if x.offset >= back && at != o.DstOffset && x.buffer == o.OutputBuffer && !slices.Contains(all, at) {
					all = append(all, at)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}
