package pipe

// OffsetEffect is what a driver does with the offset that
// set_stream_output_targets gives for a target.
type OffsetEffect uint8

// Effects of an offset.
const (
	// OffsetUnknown means that the profile does not tell.
	OffsetUnknown OffsetEffect = iota
	// OffsetStarts writes from the target's first byte on, whatever the value.
	OffsetStarts
	// OffsetSeeksBytes writes from the value on, in bytes.
	OffsetSeeksBytes
	// OffsetSeeksVertices takes the value for a number of vertices, so that bytes
	// land elsewhere.
	OffsetSeeksVertices
	// OffsetContinues writes on where the target stopped.
	OffsetContinues
	// OffsetContinuesIfFilled writes on where the target stopped when the driver
	// has a filled size for it, else from its first byte on.
	OffsetContinuesIfFilled
	// OffsetIgnored leaves the target's position as it is: it never goes back.
	OffsetIgnored
	// OffsetAsserts stops a debug build; what a release build does is not defined.
	OffsetAsserts
	// OffsetLost does not reach the device. There an identical list of targets
	// continues and any other starts.
	OffsetLost
)

var offsetEffectNames = enumNames{
	OffsetUnknown:           "does something that is not known",
	OffsetStarts:            "begins at the start",
	OffsetSeeksBytes:        "takes it for bytes",
	OffsetSeeksVertices:     "takes it for a number of vertices",
	OffsetContinues:         "goes on where the target stopped",
	OffsetContinuesIfFilled: "goes on where the target stopped, if it was filled",
	OffsetIgnored:           "ignores it and never goes back",
	OffsetAsserts:           "asserts",
	OffsetLost:              "does not send it on",
}

// String says in words what the driver does: "takes it for bytes".
func (e OffsetEffect) String() string { return offsetEffectNames.spell(uint32(e)) }

// Offsets is what a driver makes of the offsets of set_stream_output_targets.
type Offsets struct {
	Zero   OffsetEffect // of 0
	Other  OffsetEffect // of a value that is neither 0 nor AppendOffset
	Append OffsetEffect // of AppendOffset
	// FirstDecides is set when offsets[0] stands for all targets.
	FirstDecides bool
}

// Profile is what is known of a driver, or of an interface that limits what may
// be asked of any driver. Facts come from the driver's sources as of Mesa 23.3.
type Profile struct {
	// Name is what the profile is chosen by: "radeonsi", "svga-dx10".
	Name string
	// Driver is the driver that a variant belongs to, else Name.
	Driver string
	// About says in a few words what the profile stands for.
	About   string
	Caps    Caps
	Offsets Offsets
}

// Is says whether what is known of a driver by that name holds for the profile:
// it is the profile's name or that of the driver it is a variant of.
func (p *Profile) Is(name string) bool { return p.Name == name || p.Driver == name }

// Offsets that several drivers share.
var (
	restarts  = Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinues}
	filled    = Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinuesIfFilled}
	continues = Offsets{Zero: OffsetStarts, Other: OffsetContinues, Append: OffsetContinues}
	asserts   = Offsets{Zero: OffsetStarts, Other: OffsetAsserts, Append: OffsetContinues}
	seeks     = Offsets{Zero: OffsetStarts, Other: OffsetSeeksBytes, Append: OffsetContinues}
	vertices  = Offsets{Zero: OffsetStarts, Other: OffsetSeeksVertices, Append: OffsetContinues}
)

// caps returns known capabilities in the order of Caps, without Outputs;
// negative values are not known.
func caps(buffers, separate, interleaved, streams, pause, interleave, shareable, overflow int32) Caps {
	var c Caps
	for i, v := range [len(capFields)]int32{buffers, separate, interleaved, streams, pause, interleave, shareable, overflow} {
		if v >= 0 {
			*capFields[i].field(&c) = KnownCap(uint32(v))
		}
	}
	return c
}

// outputs returns c with a known number of outputs.
func (c Caps) outputs(n uint32) Caps {
	c.Outputs = KnownCap(n)
	return c
}

// unknown stands for a capability that the profile does not fix.
const unknown = -1

// profiles are in the order that a list shows them: drivers, then interfaces.
// The columns of caps are buffers, separate components, interleaved components,
// vertex streams, pause/resume, interleave buffers, shareable shaders and
// overflow queries, as each driver's get_param answers.
var profiles = [...]Profile{
	{Name: "softpipe", About: "software rasterizer; 1 vertex stream when draw uses LLVM, else 4",
		Caps:    caps(4, 64, 64, unknown, 1, 1, 0, 1),
		Offsets: Offsets{Zero: OffsetIgnored, Other: OffsetIgnored, Append: OffsetContinues}},
	{Name: "llvmpipe", About: "software rasterizer on LLVM, also below lavapipe",
		Caps: caps(4, 64, 64, 4, 1, 1, 0, 1), Offsets: seeks},
	{Name: "r600", About: "AMD Evergreen and Northern Islands",
		Caps: caps(4, 128, 128, 4, 1, 1, 0, unknown), Offsets: filled},
	{Name: "r600-r700", Driver: "r600", About: "AMD R600 and R700, without vertex streams",
		Caps: caps(4, 128, 128, 1, 1, 1, 0, unknown), Offsets: filled},
	{Name: "radeonsi", About: "AMD GCN and RDNA",
		Caps: caps(4, 128, 128, 4, 1, 1, 1, 1), Offsets: filled},
	{Name: "nv50", About: "NVIDIA Tesla from NVA0 on",
		Caps: caps(4, 4, 64, 1, 1, 0, 1, unknown), Offsets: restarts},
	{Name: "nv50-g80", Driver: "nv50", About: "NVIDIA Tesla before NVA0, which cannot resume",
		Caps:    caps(4, 4, 64, 1, 0, 0, 1, unknown),
		Offsets: Offsets{Zero: OffsetStarts, Other: OffsetStarts}},
	{Name: "nvc0", About: "NVIDIA Fermi and later",
		Caps: caps(4, 128, 128, 4, 1, 1, 1, 1), Offsets: restarts},
	{Name: "svga", About: "VMware SVGA3D with SM5; the limit of 512 counts declarations",
		Caps: caps(4, 4, 512, 4, 1, 1, 0, 0), Offsets: seeks},
	{Name: "svga-dx10", Driver: "svga", About: "VMware SVGA3D with VGPU10 only; the limit of 64 counts declarations",
		Caps: caps(4, 4, 64, 0, 0, 0, 0, 0).outputs(64), Offsets: seeks},
	{Name: "virgl", About: "a virtual GPU; the host decides most",
		Caps:    caps(unknown, 64, 64, unknown, unknown, unknown, 0, unknown).outputs(63),
		Offsets: Offsets{Zero: OffsetLost, Other: OffsetLost, Append: OffsetLost}},
	{Name: "zink", About: "Vulkan, whose device decides all limits",
		Caps:    caps(unknown, unknown, unknown, unknown, unknown, unknown, 1, 1),
		Offsets: Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinues, FirstDecides: true}},
	{Name: "d3d12", About: "Direct3D 12",
		Caps: caps(4, 128, 128, 4, 1, 1, 1, 0), Offsets: seeks},
	{Name: "freedreno", About: "Qualcomm Adreno a6xx",
		Caps: caps(4, 64, 64, 4, 1, 1, 1, 1), Offsets: asserts},
	{Name: "freedreno-a5xx", Driver: "freedreno", About: "Qualcomm Adreno a5xx, without vertex streams",
		Caps: caps(4, 64, 64, 0, 1, 1, 1, 0), Offsets: asserts},
	{Name: "freedreno-a3xx", Driver: "freedreno", About: "Qualcomm Adreno a3xx and a4xx, which capture by stores of the shader",
		Caps: caps(4, 64, 64, 0, 1, 1, 1, 0), Offsets: vertices},
	{Name: "iris", About: "Intel Gen8 and later",
		Caps: caps(4, 16, 64, 4, 1, 1, 1, 1), Offsets: asserts},
	{Name: "crocus", About: "Intel Gen7 and Gen8",
		Caps: caps(4, 16, 64, 4, 1, 1, 1, 1), Offsets: continues},
	{Name: "crocus-gen6", Driver: "crocus", About: "Intel Gen6, without vertex streams",
		Caps: caps(4, 16, 64, 1, 1, 0, 1, 1), Offsets: continues},
	{Name: "panfrost", About: "Arm Mali Midgard and later",
		Caps: caps(4, 128, 128, 0, 1, 1, 1, 0), Offsets: vertices},
	{Name: "asahi", About: "Apple AGX",
		Caps: caps(4, 128, 128, 0, 1, 1, 1, 0), Offsets: vertices},
	{Name: "v3d", About: "Broadcom VideoCore VI and later",
		Caps: caps(4, 4, 64, 0, 1, 0, 1, 0), Offsets: vertices},
	{Name: "etnaviv", About: "Vivante: no stream output",
		Caps: caps(0, 0, 0, 0, 0, 0, 1, 0)},
	{Name: "d3d", About: "what Direct3D 11 allows",
		Caps: caps(4, 128, 128, 4, 1, 1, unknown, unknown), Offsets: seeks},
	{Name: "d3d10", Driver: "d3d", About: "what Direct3D 10 allows: 64 components in one buffer, or one element in each of 4",
		Caps: caps(4, 4, 64, 1, 1, 0, unknown, unknown).outputs(64), Offsets: seeks},
	{Name: "gles", About: "what OpenGL ES 3 promises everywhere",
		Caps: caps(4, 4, 64, 1, 1, 0, unknown, unknown)},
	{Name: "vulkan", About: "what VK_EXT_transform_feedback promises everywhere",
		Caps: caps(1, 128, 128, 1, unknown, unknown, unknown, unknown)},
}

// Profiles returns the known profiles in order: drivers with their variants,
// then interfaces. The caller owns the slice.
func Profiles() []Profile {
	all := make([]Profile, len(profiles))
	for i, p := range profiles {
		all[i] = p.complete()
	}
	return all
}

// ProfileByName returns the profile of that name.
func ProfileByName(name string) (Profile, bool) {
	for _, p := range profiles {
		if p.Name == name {
			return p.complete(), true
		}
	}
	return Profile{}, false
}

// complete fills in what the table leaves out.
func (p Profile) complete() Profile {
	if p.Driver == "" {
		p.Driver = p.Name
	}
	return p
}
