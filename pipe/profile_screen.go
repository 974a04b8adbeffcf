package pipe

import (
	"strconv"
	"strings"
)

// screenPrefixes tell a driver by how the name of its screen begins, where that
// is enough.
var screenPrefixes = [...]struct{ prefix, profile string }{
	{"llvmpipe", "llvmpipe"},
	{"softpipe", "softpipe"},
	{"virgl", "virgl"},
	{"zink", "zink"},
	{"D3D12 (", "d3d12"},
	{"V3D ", "v3d"},
	{"Vivante ", "etnaviv"},
	{"Apple ", "asahi"},
	{"panfrost", "panfrost"},
	{"Adreno ", "freedreno"},
}

// ProfileFromScreenName returns the profile of the driver whose screen answers
// get_name so (the drivers' get_name), "llvmpipe (LLVM 15.0.6, 256 bits)" or
// "NVA0". It is false for names that several drivers give, and for drivers
// without a profile. Capabilities that the name leaves open, such as the level
// of a "SVGA3D" device, are not known in the profile returned.
func ProfileFromScreenName(name string) (Profile, bool) {
	for _, s := range screenPrefixes {
		if strings.HasPrefix(name, s.prefix) {
			return ProfileByName(s.profile)
		}
	}
	profile := ""
	switch {
	case strings.HasPrefix(name, "SVGA3D"):
		p, ok := ProfileByName("svga")
		p.Caps = Caps{ShareableShaders: p.Caps.ShareableShaders, QueryOverflow: p.Caps.QueryOverflow}
		return p, ok
	case strings.HasPrefix(name, "Mali") && strings.HasSuffix(name, " (Panfrost)"):
		profile = "panfrost"
	case strings.HasPrefix(name, "FD"):
		profile = freedrenoProfile(name[2:])
	case strings.HasPrefix(name, "NV"):
		profile = nouveauProfile(name[2:])
	case strings.HasPrefix(name, "Mesa Intel"):
		profile = intelProfile(name)
	default:
		profile = amdProfile(name)
	}
	return ProfileByName(profile)
}

// freedrenoProfile takes the decimal GPU number of "FD630".
func freedrenoProfile(number string) string {
	n, err := strconv.ParseUint(number, 10, 16)
	switch {
	case err != nil:
		return ""
	case n >= 300 && n < 500:
		return "freedreno-a3xx"
	case n >= 500 && n < 600:
		return "freedreno-a5xx"
	case n >= 600 && n < 800:
		return "freedreno"
	}
	return ""
}

// nouveauProfile takes the hexadecimal chipset of "NVA0".
func nouveauProfile(chipset string) string {
	n, err := strconv.ParseUint(chipset, 16, 16)
	if err != nil {
		return ""
	}
	switch family := n &^ 0xf; {
	case family == 0x50 || family == 0x80 || family == 0x90:
		return "nv50-g80"
	case family == 0xa0:
		return "nv50"
	case family >= 0xc0:
		return "nvc0"
	}
	return ""
}

// intelProfile takes a name like "Mesa Intel(R) HD Graphics 4000 (IVB GT2)",
// which ends in the platform. Gen8 has two drivers: it stays open.
func intelProfile(name string) string {
	open := strings.LastIndexByte(name, '(')
	if open < 0 || !strings.HasSuffix(name, ")") {
		return ""
	}
	platform, _, _ := strings.Cut(name[open+1:len(name)-1], " ")
	switch platform {
	case "BW", "CL", "ELK", "CTG", "ILK": // before Gen6, without stream output
		return ""
	case "BDW", "CHV", "BSW", "Broadwell", "Cherryview", "Cherrytrail", "Braswell": // Gen8
		return ""
	case "R": // no platform behind Intel(R)
		return ""
	case "SNB":
		return "crocus-gen6"
	case "IVB", "BYT", "HSW":
		return "crocus"
	}
	return "iris"
}

// Chips of the r600 driver by the names that its screens give.
var (
	r600Chips      = [...]string{"R600", "RV610", "RV630", "RV670", "RV620", "RV635", "RS780", "RS880", "RV770", "RV730", "RV710", "RV740"}
	evergreenChips = [...]string{"CEDAR", "REDWOOD", "JUNIPER", "CYPRESS", "HEMLOCK", "PALM", "SUMO", "SUMO2", "BARTS", "TURKS", "CAICOS", "CAYMAN", "ARUBA"}
)

// amdProfile takes a name like "AMD CEDAR (DRM 2.50.0, LLVM 15.0.6)" of r600, or
// "AMD Radeon RX 6800 (navi21, LLVM 15.0.6, DRM 3.49)" of radeonsi. Both tell
// the kernel's interface; what is not a chip of r600 is of radeonsi.
func amdProfile(name string) string {
	product, rest, ok := strings.Cut(name, " (")
	if !ok || !strings.Contains(rest, "DRM ") {
		return ""
	}
	chip, isAMD := strings.CutPrefix(product, "AMD ")
	if isAMD {
		for _, c := range r600Chips {
			if c == chip {
				return "r600-r700"
			}
		}
		for _, c := range evergreenChips {
			if c == chip {
				return "r600"
			}
		}
	}
	if isAMD && chip != "unknown" || strings.HasPrefix(name, "Radeon ") || strings.HasPrefix(rest, "radeonsi, ") {
		return "radeonsi"
	}
	return ""
}
