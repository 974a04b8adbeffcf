package tess

import "math"

// Averaging is how the factors of a group's patches are averaged for the on-chip/off-chip choice. The
// zero value is the arithmetic mean over the outer and inner factors of every patch.
type Averaging struct {
	OuterOnly  bool // inner factors do not count
	SkipCulled bool // patches that give nothing do not count
}

// patchWork is what a group needs to know of one patch.
type patchWork struct {
	counts  Counts
	sum     float64 // of its factors
	factors int
}

// weigh reads one patch's factors. NaN and negative factors count as 0, +Inf as 64.
func (a Averaging) weigh(t Tessellator, f *Factors) patchWork {
	w := patchWork{counts: t.Count(*f)}
	if a.SkipCulled && w.counts.Culled {
		return w
	}
	outer, inner := t.domain.FactorCounts()
	if a.OuterOnly {
		inner = 0
	}
	w.factors = outer + inner
	for _, x := range f.Outer[:outer] {
		w.sum += weight(x)
	}
	for _, x := range f.Inner[:inner] {
		w.sum += weight(x)
	}
	return w
}

func weight(x float32) float64 {
	switch {
	case !(x > 0):
		return 0
	case math.IsInf(float64(x), 1):
		return 64
	}
	return float64(x)
}

// groupSum is the work of some neighbouring patches.
type groupSum struct {
	threads, primitives, indices int64
	sum                          float64
	factors                      int64
}

func (s *groupSum) add(w *patchWork) {
	s.threads += int64(w.counts.Vertices)
	s.primitives += int64(w.counts.Primitives)
	s.indices += int64(w.counts.Indices)
	s.sum += w.sum
	s.factors += int64(w.factors)
}

func (s *groupSum) merge(o groupSum) {
	s.threads += o.threads
	s.primitives += o.primitives
	s.indices += o.indices
	s.sum += o.sum
	s.factors += o.factors
}

func (s *groupSum) scale(times int64) {
	s.threads *= times
	s.primitives *= times
	s.indices *= times
	s.sum *= float64(times)
	s.factors *= times
}

// tessellate adds the domain-shader side of the plan.
func (p *Plan) tessellate(dev *Device, d *Draw, opt Options) {
	if p.Groups == 0 {
		return
	}
	work := newWorkList(d, opt.Averaging)
	runs, patches := d.runs()
	per := int64(p.PatchesPerGroup)
	perRun := divideUp(patches, per)
	// Where a group starts in the list of factors repeats after so many groups.
	listed := int64(len(work.patches))
	period := listed / gcd(listed, per)
	whole := perRun - 1
	for g := range min(whole, period) {
		group, sum := p.group(dev, work, opt.Params, g*per, p.PatchesPerGroup)
		times := (whole - g + period - 1) / period
		p.Total.add(group, sum, times*runs)
	}
	last, sum := p.group(dev, work, opt.Params, whole*per, int(patches-whole*per))
	p.Total.add(last, sum, runs)
	p.head(dev, work, opt.Params, perRun, patches)
}

// head lists the first groups, which may be those of several runs.
func (p *Plan) head(dev *Device, work *workList, params Params, perRun, patches int64) {
	per := int64(p.PatchesPerGroup)
	for g := range min(p.Groups, HeadGroups) {
		inRun := g % perRun
		count := min(per, patches-inRun*per)
		group, _ := p.group(dev, work, params, inRun*per, int(count))
		group.Group = g
		p.Head = append(p.Head, group)
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// group is the domain-shader work of the patches from first on.
func (p *Plan) group(dev *Device, work *workList, params Params, first int64, patches int) (Group, groupSum) {
	sum := work.sum(int(first%int64(len(work.patches))), patches)
	g := Group{Patches: patches, Threads: sum.threads, Waves: divideUp(sum.threads, int64(dev.WaveSize))}
	if sum.factors > 0 {
		g.AverageFactor = sum.sum / float64(sum.factors)
	}
	g.OnChip = g.Waves
	if params.Offchip() && !(g.AverageFactor < float64(params.TFThreshold)) {
		g.OnChip = min(g.Waves, int64(params.DSWaveThreshold))
		g.OffChip = g.Waves - g.OnChip
		g.OffchipBytes = int64(patches) * int64(p.OffchipBytes)
	}
	return g, sum
}

// workList is the work of the patches in the list of factors, and of each whole block of them, so that a
// large group is not added up patch by patch.
type workList struct {
	patches []patchWork
	blocks  []groupSum
}

const blockPatches = 256

func newWorkList(d *Draw, a Averaging) *workList {
	w := &workList{patches: make([]patchWork, len(d.Factors))}
	for i := range d.Factors {
		w.patches[i] = a.weigh(d.Tessellator, &d.Factors[i])
	}
	for at := 0; at+blockPatches <= len(w.patches); at += blockPatches {
		var block groupSum
		for i := range blockPatches {
			block.add(&w.patches[at+i])
		}
		w.blocks = append(w.blocks, block)
	}
	return w
}

// sum adds the work of so many patches from at on, round and round the list.
func (w *workList) sum(at, patches int) (total groupSum) {
	if rounds := patches / len(w.patches); rounds > 0 {
		total = w.sumOnce(0, len(w.patches))
		total.scale(int64(rounds))
	}
	rest := patches % len(w.patches)
	beforeEnd := min(rest, len(w.patches)-at)
	total.merge(w.sumOnce(at, beforeEnd))
	total.merge(w.sumOnce(0, rest-beforeEnd))
	return total
}

// sumOnce is sum without going round.
func (w *workList) sumOnce(at, patches int) (total groupSum) {
	for end := at + patches; at < end; {
		if at%blockPatches == 0 && at+blockPatches <= end {
			total.merge(w.blocks[at/blockPatches])
			at += blockPatches
			continue
		}
		total.add(&w.patches[at])
		at++
	}
	return total
}

func (t *Totals) add(g Group, s groupSum, times int64) {
	t.Threads += times * g.Threads
	t.Waves += times * g.Waves
	t.OnChip += times * g.OnChip
	t.OffChip += times * g.OffChip
	t.OffchipBytes += times * g.OffchipBytes
	if g.OffChip == 0 {
		t.WastedBytes += times * g.OffchipBytes
	}
	t.Primitives += times * s.primitives
	t.Indices += times * s.indices
}
