package tess

import "fmt"

// Policy is how a driver chooses the number of patches in a threadgroup.
type Policy interface {
	// Size works out one patch's memory and the driver's choice. The device and draw are valid. An
	// [*ErrPatchTooLarge] says that not even one patch fits.
	Size(dev *Device, d *Draw, offchip bool) (Sizing, error)
}

// Limit is one bound on the patches of a threadgroup.
type Limit struct {
	Name    string // lds, threads, hw or offchip_block
	Patches int
}

// Sizing is a policy's answer.
type Sizing struct {
	LDSPerPatch     int     // bytes
	OffchipBytes    int     // bytes of one patch's hull outputs, which off-chip mode writes to memory
	Limits          []Limit // in the order of Limit.Name's names; the smallest is the most patches possible
	PatchesByChoice int     // what the driver takes when nobody asks, at least 1
}

// tightest is the first of the smallest limits.
func (s *Sizing) tightest() Limit {
	least := s.Limits[0]
	for _, l := range s.Limits[1:] {
		if l.Patches < least.Patches {
			least = l
		}
	}
	return least
}

// ErrPatchTooLarge says that a limit leaves room for no patch at all.
type ErrPatchTooLarge struct {
	Limit  string // the name of the limit
	Needed int    // what one patch needs: bytes, or threads
	Room   int
}

func (e *ErrPatchTooLarge) Error() string {
	switch e.Limit {
	case "threads":
		return fmt.Sprintf("patch needs %d threads, limit %d", e.Needed, e.Room)
	case "offchip_block":
		return fmt.Sprintf("patch needs %d bytes of the off-chip block, limit %d", e.Needed, e.Room)
	}
	return fmt.Sprintf("patch needs %d bytes of LDS, limit %d", e.Needed, e.Room)
}

// bound divides room by what one patch needs.
func bound(name string, room, needed int) (Limit, error) {
	if needed > room {
		return Limit{}, &ErrPatchTooLarge{Limit: name, Needed: needed, Room: room}
	}
	if needed == 0 {
		return Limit{name, MaxDeviceValue}, nil
	}
	return Limit{name, room / needed}, nil
}

// size is the limits that all policies share. ldsRoom and offchip say which memory bounds a group.
func size(dev *Device, d *Draw, s Sizing, ldsRoom int, offchip bool) (Sizing, error) {
	lds, err := bound("lds", ldsRoom, s.LDSPerPatch)
	if err != nil {
		return s, err
	}
	threads, err := bound("threads", dev.MaxThreadsPerGroup, d.points())
	if err != nil {
		return s, err
	}
	s.Limits = append(s.Limits, lds, threads, Limit{"hw", dev.MaxPatches})
	if offchip {
		block, err := bound("offchip_block", dev.OffchipBlock, s.OffchipBytes)
		if err != nil {
			return s, err
		}
		s.Limits = append(s.Limits, block)
	}
	return s, nil
}

// trim drops the patches of a last wave that would leave too many lanes idle.
func trim(patches, points, wave int) int {
	threads := patches * points
	if threads > wave && wave-threads%wave >= max(points, 8) {
		return max(threads/wave*wave/points, 1)
	}
	return patches
}

// Default is the policy for a driver that is not known: as many patches as the limits allow, less a
// last wave that is mostly idle. Inputs, outputs and factors all live in LDS.
type Default struct{}

// Size implements Policy.
func (Default) Size(dev *Device, d *Draw, offchip bool) (Sizing, error) {
	out := d.OutputPoints*d.BytesPerOutput + d.BytesPerPatch + dev.FactorBytes[d.Tessellator.domain]
	s := Sizing{LDSPerPatch: d.InputPoints*d.BytesPerInput + out, OffchipBytes: out}
	s, err := size(dev, d, s, dev.LDSPerGroup, offchip)
	if err != nil {
		return s, err
	}
	s.PatchesByChoice = trim(s.tightest().Patches, d.points(), dev.WaveSize)
	return s, nil
}

// Radeonsi is the choice of Mesa's radeonsi (si_update_tess_io_layout_state, Mesa 23.3). An input control point takes
// one dword more than its bytes, factors are in a ring of their own, and the off-chip block always counts.
type Radeonsi struct {
	// OutputsNotRead says that the hull shader does not read its outputs back and that all its
	// invocations write the factors: inputs and outputs then share their LDS.
	OutputsNotRead bool
	// GFX6 keeps a group to one wave.
	GFX6 bool
	// FewPatches keeps a group to 16 patches: no distributed tessellation, and several shader engines.
	FewPatches bool
}

// Size implements Policy.
func (p Radeonsi) Size(dev *Device, d *Draw, _ bool) (Sizing, error) {
	in := d.InputPoints * (d.BytesPerInput + 4)
	out := d.OutputPoints*d.BytesPerOutput + d.BytesPerPatch
	s := Sizing{LDSPerPatch: in + out, OffchipBytes: out}
	if p.OutputsNotRead {
		s.LDSPerPatch = max(in, out)
	}
	s, err := size(dev, d, s, dev.LDSPerGroup, true)
	if err != nil {
		return s, err
	}
	n := s.tightest().Patches
	if p.FewPatches {
		n = min(n, 16)
	}
	// Two groups shall fit in what one could have.
	n = max(min(n, dev.LDSPerGroup/2/s.LDSPerPatch), 1)
	n = trim(n, d.points(), dev.WaveSize)
	if p.GFX6 {
		n = min(n, max(dev.WaveSize/d.points(), 1))
	}
	s.PatchesByChoice = n
	return s, nil
}

// Radv is the choice of Mesa's radv (get_tcs_num_patches, Mesa 23.3), whose groups may have all the LDS of
// a compute unit, and which does not trim waves.
type Radv struct {
	// GFX6 keeps a group to one wave and to Device.LDSPerGroup, as Stoney's is too (SmallLDS).
	GFX6 bool
	// SmallLDS keeps a group to Device.LDSPerGroup: Stoney hangs above.
	SmallLDS bool
}

// radvPatches is the most patches that radv puts in a group.
const radvPatches = 40

// Size implements Policy.
func (p Radv) Size(dev *Device, d *Draw, _ bool) (Sizing, error) {
	in := 0
	if d.BytesPerInput > 0 {
		in = d.InputPoints * (d.BytesPerInput + 4)
	}
	out := d.OutputPoints*d.BytesPerOutput + d.BytesPerPatch
	room := dev.LDSPerCU
	if p.GFX6 || p.SmallLDS {
		room = dev.LDSPerGroup
	}
	s, err := size(dev, d, Sizing{LDSPerPatch: in + out, OffchipBytes: out}, room, true)
	if err != nil {
		return s, err
	}
	n := min(s.tightest().Patches, radvPatches, max(dev.WaveSize/d.points()*4, 1))
	if p.GFX6 {
		n = min(n, max(dev.WaveSize/d.points(), 1))
	}
	s.PatchesByChoice = n
	return s, nil
}
