package tess

import (
	"encoding/json"
	"fmt"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// maxJSONFactors bounds the work that one line can ask for.
const maxJSONFactors = 1 << 16

type jsonDraw struct {
	Patches        *int64     `json:"patches"`
	Instances      *int64     `json:"instances"`
	InputPoints    *int       `json:"in_cp"`
	OutputPoints   *int       `json:"out_cp"`
	InputBytes     *int       `json:"in_bytes"`
	OutputBytes    *int       `json:"out_bytes"`
	PatchBytes     *int       `json:"patch_bytes"`
	Domain         string     `json:"domain"`
	Partitioning   string     `json:"partitioning"`
	Output         string     `json:"output"`
	Factors        [][]number `json:"factors"`
	SplitInstances bool       `json:"split_instances"`
	HullOffchip    *bool      `json:"hs_offchip"`
	DomainOffchip  *bool      `json:"ds_offchip"`
}

type jsonOverride struct {
	Offchip bool   `json:"offchip"`
	Patches uint32 `json:"patches"`
	TF      number `json:"tf"`
	DSW     uint32 `json:"dsw"`
}

type jsonDevice struct {
	Wave         int            `json:"wave"`
	CUs          int            `json:"cus"`
	LDSGroup     int            `json:"lds_tg"`
	LDSCU        int            `json:"lds_cu"`
	LDSGran      int            `json:"lds_gran"`
	MaxThreads   int            `json:"max_threads"`
	MaxPatches   int            `json:"max_patches"`
	WaveSlots    int            `json:"wave_slots"`
	OffchipBlock int            `json:"offchip_block"`
	FactorBytes  map[string]int `json:"tess_factor_bytes"`
}

func (c *jsonCase) plan() (any, error) {
	draw, err := c.Draw.draw()
	if err != nil {
		return nil, fmt.Errorf("draw: %w", err)
	}
	dev, err := ParseDevice(c.Device)
	if err != nil {
		return nil, err
	}
	policy, err := c.policy()
	if err != nil {
		return nil, err
	}
	control, err := NewControl(dev, policy)
	if err != nil {
		return nil, err
	}
	params := c.Override.params()
	if err := control.Set(&params); err != nil {
		return nil, err
	}
	plan, err := control.Draw(draw, c.Draw.shaders(c.Override.Offchip))
	if err != nil {
		return nil, err
	}
	return struct {
		Result *Plan `json:"result"`
	}{plan}, nil
}

func (o *jsonOverride) params() Params {
	p := Params{Size: ParamsSize, PatchesPerThreadgroup: o.Patches, TFThreshold: float32(o.TF), DSWaveThreshold: o.DSW}
	if o.Offchip {
		p.Flags = FlagOffchip
	}
	return p
}

// shaders are compiled as the draw needs them when nothing is said.
func (d *jsonDraw) shaders(offchip bool) Shaders {
	s := Shaders{offchip, offchip}
	if d.HullOffchip != nil {
		s.HullOffchip = *d.HullOffchip
	}
	if d.DomainOffchip != nil {
		s.DomainOffchip = *d.DomainOffchip
	}
	return s
}

func (c *jsonCase) policy() (Policy, error) {
	name := "default"
	if c.Policy != nil {
		name = *c.Policy
	}
	return ParsePolicy(name, c.GFX6, c.OutputsNotRead)
}

// ParsePolicy makes the policy of a name: default, radeonsi or radv. gfx6 and outputsNotRead are the
// fields of the Mesa policies.
func ParsePolicy(name string, gfx6, outputsNotRead bool) (Policy, error) {
	switch name {
	case "default":
		return Default{}, nil
	case "radeonsi":
		return Radeonsi{GFX6: gfx6, OutputsNotRead: outputsNotRead}, nil
	case "radv":
		return Radv{GFX6: gfx6}, nil
	}
	return nil, fmt.Errorf("policy %q is none of default, radeonsi, radv", name)
}

// ParseDevice reads a device from a JSON object with the members wave, cus, lds_tg, lds_cu, lds_gran,
// max_threads, max_patches, wave_slots, offchip_block and tess_factor_bytes {tri, quad, isoline}. What is not
// said is as in [DefaultDevice]; nil or null says nothing. Unknown members are an error.
func ParseDevice(text []byte) (Device, error) {
	d := DefaultDevice()
	j := jsonDevice{
		d.WaveSize, d.CUs, d.LDSPerGroup, d.LDSPerCU, d.LDSGranularity, d.MaxThreadsPerGroup, d.MaxPatches,
		d.WaveSlotsPerCU, d.OffchipBlock, nil,
	}
	if text != nil && string(text) != "null" {
		if err := jsonlines.Decode("device", text, &j); err != nil {
			return d, err
		}
	}
	factors := d.FactorBytes
	for name, size := range j.FactorBytes {
		domain, err := ParseDomain(name)
		if err != nil {
			return d, fmt.Errorf("device: tess_factor_bytes: %w", err)
		}
		factors[domain] = size
	}
	return Device{
		j.Wave, j.CUs, j.LDSGroup, j.LDSCU, j.LDSGran, j.MaxThreads, j.MaxPatches,
		j.WaveSlots, j.OffchipBlock, factors,
	}, nil
}

func (d *jsonDraw) draw() (Draw, error) {
	t, err := Parse(d.Domain, d.Partitioning, d.Output)
	if err != nil {
		return Draw{}, err
	}
	for _, f := range []struct {
		name    string
		missing bool
	}{
		{"patches", d.Patches == nil}, {"in_cp", d.InputPoints == nil}, {"in_bytes", d.InputBytes == nil},
		{"out_bytes", d.OutputBytes == nil}, {"patch_bytes", d.PatchBytes == nil},
	} {
		if f.missing {
			return Draw{}, fmt.Errorf("%s is missing", f.name)
		}
	}
	draw := Draw{
		Tessellator: t, Patches: *d.Patches, Instances: 1,
		InputPoints: *d.InputPoints, OutputPoints: *d.InputPoints,
		BytesPerInput: *d.InputBytes, BytesPerOutput: *d.OutputBytes, BytesPerPatch: *d.PatchBytes,
		SplitInstances: d.SplitInstances,
	}
	if d.Instances != nil {
		draw.Instances = *d.Instances
	}
	if d.OutputPoints != nil {
		draw.OutputPoints = *d.OutputPoints
	}
	draw.Factors, err = d.factors(t.domain)
	return draw, err
}

// factors reads a tuple per patch: all six factors, or just those of the domain.
func (d *jsonDraw) factors(domain Domain) ([]Factors, error) {
	if len(d.Factors) > maxJSONFactors {
		return nil, fmt.Errorf("factors of %d patches, at most %d", len(d.Factors), maxJSONFactors)
	}
	outer, inner := domain.FactorCounts()
	all := make([]Factors, len(d.Factors))
	for i, tuple := range d.Factors {
		f := &all[i]
		insideAt := outer
		switch len(tuple) {
		case len(f.Outer) + len(f.Inner):
			insideAt = len(f.Outer)
		case outer + inner:
		default:
			return nil, fmt.Errorf("factors[%d] has %d factors, expected 6", i, len(tuple))
		}
		for j := range outer {
			f.Outer[j] = float32(tuple[j])
		}
		for j := range inner {
			f.Inner[j] = float32(tuple[insideAt+j])
		}
	}
	return all, nil
}

type jsonGroupWaves struct {
	Patches   *int `json:"patches,omitempty"`
	VSThreads int  `json:"vs_threads"`
	HSThreads int  `json:"hs_threads"`
	VSWaves   int  `json:"vs_waves"`
	HSWaves   int  `json:"hs_waves"`
}

type jsonPlan struct {
	LDSPerPatch    int            `json:"lds_per_patch"`
	Limits         map[string]int `json:"limits"`
	DriverPatches  int            `json:"driver_patches"`
	PatchesPerTG   int            `json:"patches_per_tg"`
	Threadgroups   int64          `json:"threadgroups"`
	Full           jsonGroupWaves `json:"full"`
	Last           jsonGroupWaves `json:"last"`
	LDSUsed        int            `json:"lds_used"`
	LDSAlloc       int            `json:"lds_alloc"`
	TGsPerCU       int            `json:"tgs_per_cu"`
	TGsPerCULDS    int            `json:"tgs_per_cu_lds"`
	TGsPerCUWaves  int            `json:"tgs_per_cu_waves"`
	Rounds         int64          `json:"rounds"`
	TotalVSThreads int64          `json:"total_vs_threads"`
	TotalHSThreads int64          `json:"total_hs_threads"`
	TotalVSWaves   int64          `json:"total_vs_waves"`
	TotalHSWaves   int64          `json:"total_hs_waves"`
	Adjustments    []Adjustment   `json:"adjustments"`
	GroupsHead     []Group        `json:"groups_head"`
	Total          Totals         `json:"total"`
	Warnings       []string       `json:"warnings,omitempty"`
}

// MarshalJSON writes the plan in the form of [AnswerJSON]'s result.
func (p *Plan) MarshalJSON() ([]byte, error) {
	limits := make(map[string]int, len(p.Limits))
	for _, l := range p.Limits {
		limits[l.Name] = l.Patches
	}
	waves := func(g GroupWaves) jsonGroupWaves {
		return jsonGroupWaves{nil, g.VSThreads, g.HSThreads, g.VSWaves, g.HSWaves}
	}
	last := waves(p.Last)
	last.Patches = &p.Last.Patches
	return json.Marshal(jsonPlan{
		LDSPerPatch: p.LDSPerPatch, Limits: limits,
		DriverPatches: p.PatchesByChoice, PatchesPerTG: p.PatchesPerGroup, Threadgroups: p.Groups,
		Full: waves(p.Full), Last: last,
		LDSUsed: p.LDSUsed, LDSAlloc: p.LDSAllocated,
		TGsPerCU: p.GroupsPerCU, TGsPerCULDS: p.GroupsPerCUByLDS, TGsPerCUWaves: p.GroupsPerCUByWaves,
		Rounds:         p.Rounds,
		TotalVSThreads: p.VSThreads, TotalHSThreads: p.HSThreads, TotalVSWaves: p.VSWaves, TotalHSWaves: p.HSWaves,
		Adjustments: append([]Adjustment{}, p.Adjustments...), GroupsHead: append([]Group{}, p.Head...), Total: p.Total,
		Warnings: p.Warnings,
	})
}
