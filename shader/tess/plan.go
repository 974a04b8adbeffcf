package tess

import "fmt"

// Plan is how a draw is cut into threadgroups and waves, and which of its domain-shader waves leave the
// chip.
type Plan struct {
	Sizing
	WaveSize        int // of the device
	PatchesPerGroup int
	Adjustments     []Adjustment
	Warnings        []string

	Groups     int64
	Full, Last GroupWaves // a whole threadgroup, and the last, which may be shorter

	LDSUsed, LDSAllocated int // bytes, of every group
	GroupsPerCU           int
	GroupsPerCUByLDS      int
	GroupsPerCUByWaves    int
	Rounds                int64 // of all compute units at once

	VSThreads, HSThreads int64
	VSWaves, HSWaves     int64
	Head                 []Group // the first groups, at most HeadGroups
	Total                Totals
}

// HeadGroups is how many groups a plan lists one by one.
const HeadGroups = 4

// GroupWaves is a threadgroup's vertex- and hull-shader work.
type GroupWaves struct {
	Patches              int
	VSThreads, HSThreads int
	VSWaves, HSWaves     int
}

// VSLaneUse and HSLaneUse are the busy part of the waves' lanes, from 0 to 1.
func (g GroupWaves) VSLaneUse(wave int) float64 { return laneUse(g.VSThreads, g.VSWaves, wave) }

// HSLaneUse is VSLaneUse for the hull shader.
func (g GroupWaves) HSLaneUse(wave int) float64 { return laneUse(g.HSThreads, g.HSWaves, wave) }

func laneUse(threads, waves, wave int) float64 {
	if waves == 0 {
		return 0
	}
	return float64(threads) / float64(waves*wave)
}

// Group is a threadgroup's domain-shader work.
type Group struct {
	Group         int64   `json:"group"`
	Patches       int     `json:"patches"`
	AverageFactor float64 `json:"avg_tf"`
	Threads       int64   `json:"ds_threads"`
	Waves         int64   `json:"ds_waves"`
	OnChip        int64   `json:"onchip_waves"`  // waves that run in the group's compute unit
	OffChip       int64   `json:"offchip_waves"` // waves that may run anywhere
	OffchipBytes  int64   `json:"offchip_bytes"` // written by the hull shader, even when OffChip is 0
}

// Totals is the domain-shader work of a whole draw. Primitives and Indices are what stream output sees:
// see [Counts].
type Totals struct {
	Threads      int64 `json:"ds_threads"`
	Waves        int64 `json:"ds_waves"`
	OnChip       int64 `json:"on"`
	OffChip      int64 `json:"off"`
	OffchipBytes int64 `json:"bytes"`
	WastedBytes  int64 `json:"-"` // of them, those of groups all of whose waves ran on chip
	Primitives   int64 `json:"prims"`
	Indices      int64 `json:"indices"`
}

// Adjustment is a parameter that the driver had to correct.
type Adjustment struct {
	Field     string `json:"field"`
	Requested uint32 `json:"requested"`
	Used      uint32 `json:"used"`
	Reason    string `json:"reason"` // the name of the limit: lds, threads, hw or offchip_block
}

// Options are what else a plan depends on.
type Options struct {
	Policy    Policy    // nil is Default
	Params    Params    // the zero value, which is the driver's defaults
	Averaging Averaging // how a group's factors are averaged
}

// NewPlan cuts a draw up. The error says what of the device, the draw or the parameters is impossible;
// [*ErrPatchTooLarge] when no patch fits in a threadgroup.
//
// Time grows with the length of the list of factors and the patches of a group, not with the patches of the draw.
func NewPlan(dev Device, d Draw, opt Options) (*Plan, error) {
	if err := dev.Validate(); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := opt.Params.validateValues(); err != nil {
		return nil, err
	}
	if opt.Policy == nil {
		opt.Policy = Default{}
	}
	s, err := opt.Policy.Size(&dev, &d, opt.Params.Offchip())
	if err != nil {
		return nil, err
	}
	p := &Plan{Sizing: s, WaveSize: dev.WaveSize, PatchesPerGroup: s.PatchesByChoice}
	p.override(opt.Params.PatchesPerThreadgroup)
	p.cut(&dev, &d)
	if err := p.occupy(&dev); err != nil {
		return nil, err
	}
	p.tessellate(&dev, &d, opt)
	return p, nil
}

// override takes the asked number of patches, lowered to what fits.
func (p *Plan) override(asked uint32) {
	if asked == 0 {
		return
	}
	limit := p.tightest()
	if int64(asked) > int64(limit.Patches) {
		p.Adjustments = append(p.Adjustments, Adjustment{
			Field: "PatchesPerThreadgroup", Requested: asked, Used: uint32(limit.Patches), Reason: limit.Name,
		})
		p.PatchesPerGroup = limit.Patches
		return
	}
	p.PatchesPerGroup = int(asked)
}

// runs is how the patches of a draw follow each other: as one run over all instances, or one run each.
func (d *Draw) runs() (runs, patches int64) {
	if d.SplitInstances {
		return d.Instances, d.Patches
	}
	return 1, d.Patches * d.Instances
}

// cut forms the groups and packs their vertex and hull threads.
func (p *Plan) cut(dev *Device, d *Draw) {
	per := int64(p.PatchesPerGroup)
	runs, patches := d.runs()
	perRun := divideUp(patches, per)
	p.Groups = runs * perRun
	p.Full = groupWaves(dev, d, p.PatchesPerGroup)
	if p.Groups == 0 {
		return
	}
	p.Last = groupWaves(dev, d, int(patches-(perRun-1)*per))
	whole := runs * (perRun - 1)
	p.VSThreads = runs * patches * int64(d.InputPoints)
	p.HSThreads = runs * patches * int64(d.OutputPoints)
	p.VSWaves = whole*int64(p.Full.VSWaves) + runs*int64(p.Last.VSWaves)
	p.HSWaves = whole*int64(p.Full.HSWaves) + runs*int64(p.Last.HSWaves)
}

func groupWaves(dev *Device, d *Draw, patches int) GroupWaves {
	g := GroupWaves{Patches: patches, VSThreads: patches * d.InputPoints, HSThreads: patches * d.OutputPoints}
	g.VSWaves = int(divideUp(int64(g.VSThreads), int64(dev.WaveSize)))
	g.HSWaves = int(divideUp(int64(g.HSThreads), int64(dev.WaveSize)))
	return g
}

func divideUp(a, b int64) int64 { return (a + b - 1) / b }

// occupy says how many groups a compute unit holds. A short last group allocates as much as the others.
func (p *Plan) occupy(dev *Device) error {
	p.LDSUsed = p.PatchesPerGroup * p.LDSPerPatch
	p.LDSAllocated = int(divideUp(int64(p.LDSUsed), int64(dev.LDSGranularity))) * dev.LDSGranularity
	waves := max(p.Full.VSWaves, p.Full.HSWaves)
	p.GroupsPerCUByWaves = dev.WaveSlotsPerCU / waves
	p.GroupsPerCUByLDS = p.GroupsPerCUByWaves // no bound of its own without LDS
	if p.LDSAllocated > 0 {
		p.GroupsPerCUByLDS = dev.LDSPerCU / p.LDSAllocated
	}
	switch {
	case p.GroupsPerCUByLDS == 0:
		return fmt.Errorf("threadgroup needs %d bytes of LDS, a compute unit has %d", p.LDSAllocated, dev.LDSPerCU)
	case p.GroupsPerCUByWaves == 0:
		return fmt.Errorf("threadgroup needs %d waves, a compute unit has room for %d", waves, dev.WaveSlotsPerCU)
	}
	p.GroupsPerCU = min(p.GroupsPerCUByLDS, p.GroupsPerCUByWaves)
	p.Rounds = divideUp(p.Groups, int64(p.GroupsPerCU)*int64(dev.CUs))
	return nil
}
