package tess

import (
	"errors"
	"fmt"
	"math"
)

// Params is the tessellation parameter object: what an application wishes, or what the driver used.
// Size, Flags, PatchesPerThreadgroup, TFThreshold and DSWaveThreshold lie in this order, four bytes each.
type Params struct {
	// Size must be ParamsSize, else nothing is read or written.
	Size uint32
	// Flags is FlagOffchip or 0.
	Flags uint32
	// PatchesPerThreadgroup of 0 leaves the choice to the driver.
	PatchesPerThreadgroup uint32
	// TFThreshold keeps a group on chip whose average factor is below it.
	TFThreshold float32
	// DSWaveThreshold is how many domain-shader waves of an off-chip group still run on chip.
	DSWaveThreshold uint32
}

// ParamsSize is the size of Params in bytes.
const ParamsSize = 20

// FlagOffchip allows domain-shader waves to run off chip.
const FlagOffchip = 1 << 0

// Errors of the parameter object.
var (
	ErrSize            = fmt.Errorf("Size is not set to %d", ParamsSize)
	ErrNoTessDraw      = errors.New("no tessellated draw yet")
	ErrOffchipMismatch = errors.New("hull and domain shader are not compiled alike for off-chip")
	ErrThresholdNaN    = errors.New("TfThreshold is NaN")
)

// WarnRecompile is the warning of a draw that asks for off-chip with shaders not compiled for it.
const WarnRecompile = "runtime recompilation: off-chip is on, the shaders are not compiled for it"

// Offchip says whether FlagOffchip is set.
func (p Params) Offchip() bool { return p.Flags&FlagOffchip != 0 }

func (p Params) validateValues() error {
	if unknown := p.Flags &^ FlagOffchip; unknown != 0 {
		return fmt.Errorf("unknown Flags bits %#x", unknown)
	}
	if math.IsNaN(float64(p.TFThreshold)) {
		return ErrThresholdNaN
	}
	return nil
}

// Shaders says how the hull and domain shader of a draw were compiled.
type Shaders struct{ HullOffchip, DomainOffchip bool }

// Control is a context's tessellation parameters: set, corrected by the driver draw by draw, read back.
// Make one with [NewControl].
type Control struct {
	device Device
	policy Policy
	wished Params
	used   Params
	drawn  bool
}

// NewControl is a control for a device; a nil policy is [Default].
func NewControl(dev Device, policy Policy) (*Control, error) {
	if err := dev.Validate(); err != nil {
		return nil, err
	}
	if policy == nil {
		policy = Default{}
	}
	return &Control{device: dev, policy: policy, wished: Params{Size: ParamsSize}}, nil
}

// Set is for all later tessellated draws; nil goes back to the driver's defaults. After an error the
// parameters are as before. Errors: [ErrSize], [ErrThresholdNaN], unknown flags.
func (c *Control) Set(p *Params) error {
	if p == nil {
		c.wished = Params{Size: ParamsSize}
		return nil
	}
	if p.Size != ParamsSize {
		return ErrSize
	}
	if err := p.validateValues(); err != nil {
		return err
	}
	c.wished = *p
	return nil
}

// Draw plans a tessellated draw with the parameters that are set, and remembers what it used. Draws
// without tessellation are not told. A draw that is refused is not remembered. Errors: those of
// [NewPlan], and [ErrOffchipMismatch].
func (c *Control) Draw(d Draw, s Shaders) (*Plan, error) {
	if s.HullOffchip != s.DomainOffchip {
		return nil, ErrOffchipMismatch
	}
	plan, err := NewPlan(c.device, d, Options{Policy: c.policy, Params: c.wished})
	if err != nil {
		return nil, err
	}
	if c.wished.Offchip() && !s.HullOffchip {
		plan.Warnings = append(plan.Warnings, WarnRecompile)
	}
	c.used = c.wished
	c.used.PatchesPerThreadgroup = uint32(plan.PatchesPerGroup)
	c.drawn = true
	return plan, nil
}

// GetLastUsed fills p with what the last tessellated draw used. p.Size must be set before; after an
// error p is untouched. Errors: [ErrSize], [ErrNoTessDraw].
func (c *Control) GetLastUsed(p *Params) error {
	if p.Size != ParamsSize {
		return ErrSize
	}
	if !c.drawn {
		return ErrNoTessDraw
	}
	*p = c.used
	return nil
}
