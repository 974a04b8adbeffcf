package tess

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText says what the patch yields. A stride in bytes, when above 0, gives the bytes that stream
// output writes to that buffer.
func (t Tessellator) WriteText(w io.Writer, f Factors, strideBytes int) error {
	b := bufio.NewWriter(w)
	outer, inner := t.domain.FactorCounts()
	fmt.Fprintf(b, "%s %s %s: outer %s", t.domain, t.spacing, t.output, list(f.Outer[:outer]))
	if inner > 0 {
		fmt.Fprintf(b, ", inner %s", list(f.Inner[:inner]))
	}
	fmt.Fprintln(b)
	c := t.Count(f)
	if c.Culled {
		fmt.Fprintln(b, "culled: an outer factor is not above zero, nothing leaves the tessellator")
		return b.Flush()
	}
	fmt.Fprintf(b, "vertices    %d (the evaluation shader runs %d to %d times)\n", c.Vertices, c.Vertices, max(c.Indices, c.Vertices))
	fmt.Fprintf(b, "primitives  %d %s\n", c.Primitives, t.primitives())
	fmt.Fprintf(b, "indices     %d (vertices that stream output writes)\n", c.Indices)
	if strideBytes > 0 {
		fmt.Fprintf(b, "bytes       %d (stride %d B)\n", int64(c.Indices)*int64(strideBytes), strideBytes)
	}
	return b.Flush()
}

func list(factors []float32) string {
	texts := make([]string, len(factors))
	for i, f := range factors {
		texts[i] = fmt.Sprint(f)
	}
	return strings.Join(texts, " ")
}

// WriteTable writes the plan as tables for a person.
func (p *Plan) WriteTable(w io.Writer) error {
	b := bufio.NewWriter(w)
	p.writeSummary(b)
	tab := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "\npart\tpatches\tVS threads\twaves\tlanes\tHS threads\twaves\tlanes")
	for _, row := range []struct {
		name string
		g    GroupWaves
	}{{"full group", p.Full}, {"last group", p.Last}} {
		g := row.g
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%.0f%%\t%d\t%d\t%.0f%%\n", row.name, g.Patches,
			g.VSThreads, g.VSWaves, 100*g.VSLaneUse(p.WaveSize), g.HSThreads, g.HSWaves, 100*g.HSLaneUse(p.WaveSize))
	}
	fmt.Fprintf(tab, "whole draw\t\t%d\t%d\t\t%d\t%d\n", p.VSThreads, p.VSWaves, p.HSThreads, p.HSWaves)
	fmt.Fprintln(tab, "\ngroup\tpatches\taverage factor\tDS threads\twaves\ton chip\toff chip\tbytes written")
	for _, g := range p.Head {
		fmt.Fprintf(tab, "%d\t%d\t%.4g\t%d\t%d\t%d\t%d\t%d\n",
			g.Group, g.Patches, g.AverageFactor, g.Threads, g.Waves, g.OnChip, g.OffChip, g.OffchipBytes)
	}
	fmt.Fprintf(tab, "all %d\t\t\t%d\t%d\t%d\t%d\t%d\n", p.Groups,
		p.Total.Threads, p.Total.Waves, p.Total.OnChip, p.Total.OffChip, p.Total.OffchipBytes)
	if err := tab.Flush(); err != nil {
		return err
	}
	if waste := p.Total.WastedBytes; waste > 0 {
		fmt.Fprintf(b, "\nbytes written for groups that stayed on chip: %d\n", waste)
	}
	fmt.Fprintf(b, "\nprimitives %d, vertices that stream output writes %d\n", p.Total.Primitives, p.Total.Indices)
	return b.Flush()
}

func (p *Plan) writeSummary(b *bufio.Writer) {
	limits := make([]string, len(p.Limits))
	for i, l := range p.Limits {
		limits[i] = fmt.Sprintf("%s %d", l.Name, l.Patches)
	}
	fmt.Fprintf(b, "patches per threadgroup %d (driver's choice %d; limits: %s)\n",
		p.PatchesPerGroup, p.PatchesByChoice, strings.Join(limits, ", "))
	for _, a := range p.Adjustments {
		fmt.Fprintf(b, "adjusted: %s %d to %d, limit %s\n", a.Field, a.Requested, a.Used, a.Reason)
	}
	for _, text := range p.Warnings {
		fmt.Fprintf(b, "warning: %s\n", text)
	}
	fmt.Fprintf(b, "threadgroups %d, LDS %d B each (%d B used, %d B per patch)\n", p.Groups, p.LDSAllocated, p.LDSUsed, p.LDSPerPatch)
	fmt.Fprintf(b, "threadgroups per compute unit %d (%d by LDS, %d by waves), rounds %d\n",
		p.GroupsPerCU, p.GroupsPerCUByLDS, p.GroupsPerCUByWaves, p.Rounds)
}
