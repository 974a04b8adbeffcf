package tess

import "fmt"

// Device is what of a GPU bounds a threadgroup. Every field is from 1 to [MaxDeviceValue].
type Device struct {
	WaveSize           int             // threads of a wave, a power of two
	CUs                int             // compute units
	LDSPerGroup        int             // bytes of LDS one threadgroup may have
	LDSPerCU           int             // bytes of LDS in a compute unit
	LDSGranularity     int             // bytes that LDS is allocated in (256 on GFX6)
	MaxThreadsPerGroup int             // input or output control points in a threadgroup
	MaxPatches         int             // patches in a threadgroup
	WaveSlotsPerCU     int             // waves resident in a compute unit
	OffchipBlock       int             // bytes of off-chip memory for one threadgroup's hull outputs
	FactorBytes        [numDomains]int // bytes of tessellation factors of one patch, by Domain
}

// MaxDeviceValue is the largest value of any field of a [Device].
const MaxDeviceValue = 1 << 20

// DefaultDevice is a GCN part with 12 compute units (the Xbox One's number), with the limits that Mesa's
// radeonsi keeps to.
func DefaultDevice() Device {
	return Device{
		WaveSize: 64, CUs: 12,
		LDSPerGroup: 32768, LDSPerCU: 65536, LDSGranularity: 512,
		MaxThreadsPerGroup: 256, MaxPatches: 64, WaveSlotsPerCU: 40,
		OffchipBlock: 32768,
		FactorBytes:  [numDomains]int{Triangles: 16, Quads: 24, Isolines: 8},
	}
}

// Validate says which field is out of range.
func (d *Device) Validate() error {
	for _, field := range []struct {
		name  string
		value int
	}{
		{"wave", d.WaveSize}, {"cus", d.CUs}, {"lds_tg", d.LDSPerGroup}, {"lds_cu", d.LDSPerCU},
		{"lds_gran", d.LDSGranularity}, {"max_threads", d.MaxThreadsPerGroup}, {"max_patches", d.MaxPatches},
		{"wave_slots", d.WaveSlotsPerCU}, {"offchip_block", d.OffchipBlock},
		{"tess_factor_bytes.tri", d.FactorBytes[Triangles]}, {"tess_factor_bytes.quad", d.FactorBytes[Quads]},
		{"tess_factor_bytes.isoline", d.FactorBytes[Isolines]},
	} {
		if field.value < 1 || field.value > MaxDeviceValue {
			return fmt.Errorf("device: %s is %d, expected 1 to %d", field.name, field.value, MaxDeviceValue)
		}
	}
	if d.WaveSize&(d.WaveSize-1) != 0 {
		return fmt.Errorf("device: wave is %d, expected a power of two", d.WaveSize)
	}
	return nil
}

// Limits of a draw. MaxPatches bounds patches times instances so that every total of a plan stays exact.
const (
	MaxControlPoints   = 32
	MaxDrawPatches     = 1 << 32
	MaxBytesPerElement = 1 << 20
)

// Draw is a tessellated draw.
type Draw struct {
	Tessellator Tessellator
	// Patches in one instance: see [PatchCount].
	Patches   int64
	Instances int64
	// Control points into the hull shader (TCS), 1 to 32, and out of it, 0 to 32. Without a hull shader
	// they are equal.
	InputPoints, OutputPoints int
	// Bytes of one control point into and out of the hull shader, and of a patch's constants.
	BytesPerInput, BytesPerOutput, BytesPerPatch int
	// Factors of the patches in order, instance after instance; they repeat when there are fewer. One
	// entry is a draw with constant factors.
	Factors []Factors
	// SplitInstances starts a new threadgroup with each instance, and the factors from the first.
	SplitInstances bool
}

// PatchCount is how many patches a draw of so many vertices has; left-over vertices are dropped.
func PatchCount(vertices int64, patchVertices int) (int64, error) {
	if patchVertices < 1 || patchVertices > MaxControlPoints {
		return 0, fmt.Errorf("patch vertices is %d, expected 1 to %d", patchVertices, MaxControlPoints)
	}
	if vertices < 0 {
		return 0, fmt.Errorf("vertex count is %d, expected 0 or more", vertices)
	}
	return vertices / int64(patchVertices), nil
}

// Validate says what of the draw is impossible.
func (d *Draw) Validate() error {
	switch {
	case d.InputPoints < 1 || d.InputPoints > MaxControlPoints:
		return fmt.Errorf("in_cp is %d, expected 1 to %d", d.InputPoints, MaxControlPoints)
	case d.OutputPoints < 0 || d.OutputPoints > MaxControlPoints:
		return fmt.Errorf("out_cp is %d, expected 0 to %d", d.OutputPoints, MaxControlPoints)
	case d.Patches < 0:
		return fmt.Errorf("patches is %d, expected 0 or more", d.Patches)
	case d.Instances < 0:
		return fmt.Errorf("instances is %d, expected 0 or more", d.Instances)
	case d.Instances > 0 && d.Patches > MaxDrawPatches/d.Instances:
		return fmt.Errorf("%d patches in %d instances are more than %d", d.Patches, d.Instances, int64(MaxDrawPatches))
	case d.Patches > 0 && d.Instances > 0 && len(d.Factors) == 0:
		return fmt.Errorf("no tessellation factors")
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"in_bytes", d.BytesPerInput}, {"out_bytes", d.BytesPerOutput}, {"patch_bytes", d.BytesPerPatch}} {
		if size.bytes < 0 || size.bytes > MaxBytesPerElement {
			return fmt.Errorf("%s is %d, expected 0 to %d", size.name, size.bytes, MaxBytesPerElement)
		}
	}
	return nil
}

// points is the larger number of control points, which sets a patch's threads.
func (d *Draw) points() int { return max(d.InputPoints, d.OutputPoints) }
