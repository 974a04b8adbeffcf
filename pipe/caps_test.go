package pipe

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCapsSet(t *testing.T) {
	for _, f := range capFields {
		var c Caps
		require.True(t, c.Set(capPrefix+f.name, 7), f.name)
		require.Equal(t, KnownCap(7), *f.field(&c), f.name)
		*f.field(&c) = Cap{}
		require.Equal(t, Caps{}, c, "%s sets one field only", f.name)
	}
}

func TestCapsSetRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, param string
		value       uint64
	}{
		{"a capability of something else", "PIPE_CAP_NPOT_TEXTURES", 1},
		{"a name without its prefix", "MAX_VERTEX_STREAMS", 4},
		{"the prefix alone", "PIPE_CAP_", 4},
		{"digits", "83", 4},
		{"nothing", "", 4},
		{"minus one as 32 bits", "PIPE_CAP_MAX_VERTEX_STREAMS", 0xffffffff},
		{"minus one as 64 bits", "PIPE_CAP_MAX_VERTEX_STREAMS", 1<<64 - 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Caps{VertexStreams: KnownCap(2)}
			require.False(t, c.Set(tc.param, tc.value))
			require.Equal(t, Caps{VertexStreams: KnownCap(2)}, c)
		})
	}
}

func TestCapsOr(t *testing.T) {
	recorded := Caps{Buffers: KnownCap(0), VertexStreams: KnownCap(1)}
	profile := Caps{Buffers: KnownCap(4), SeparateComponents: KnownCap(64), Outputs: KnownCap(63)}
	require.Equal(t, Caps{Buffers: KnownCap(0), VertexStreams: KnownCap(1),
		SeparateComponents: KnownCap(64), Outputs: KnownCap(63)}, recorded.Or(profile))
	require.Equal(t, profile, Caps{}.Or(profile))
	require.Equal(t, profile, profile.Or(Caps{}))
}

func TestCap(t *testing.T) {
	require.Equal(t, "unknown", Cap{}.String())
	require.Equal(t, "0", KnownCap(0).String())
	require.True(t, KnownCap(4).Below(5))
	require.False(t, KnownCap(4).Below(4))
	require.False(t, Cap{}.Below(1), "nothing follows from an unknown limit")
	require.True(t, KnownCap(0).IsFalse())
	require.False(t, KnownCap(1).IsFalse())
	require.False(t, Cap{}.IsFalse())
}

func TestCapName(t *testing.T) {
	for _, tc := range []struct {
		release string
		number  uint64
		want    string
	}{
		{"20.3", 15, "PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"},
		{"20.3.5", 38, "PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS"},
		{"20.3", 39, "PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS"},
		{"20.3", 40, "PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME"},
		{"20.3", 83, "PIPE_CAP_MAX_VERTEX_STREAMS"},
		{"20.3", 107, "PIPE_CAP_SHAREABLE_SHADERS"},
		{"20.3", 140, "PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS"},
		{"20.3", 161, "PIPE_CAP_QUERY_SO_OVERFLOW"},
		{"21.2", 161, "PIPE_CAP_QUERY_SO_OVERFLOW"},
		{"21.3", 161, ""},
		{"10.0", 30, "PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"},
		{"10.0", 1<<64 - 1, ""},
		{"20.3", 119, ""},
		{"22.3.6", 15, ""},
		{"20", 15, ""},
		{"", 15, ""},
	} {
		name, ok := CapName(tc.release, tc.number)
		require.Equal(t, tc.want, name, "%s %d", tc.release, tc.number)
		require.Equal(t, tc.want != "", ok)
	}
}

func TestCapNumbersDiffer(t *testing.T) {
	for _, row := range capNumberTable {
		seen := map[int16]bool{}
		for _, n := range row.numbers {
			require.False(t, n != noCap && seen[n], "%s has %d twice", row.release, n)
			seen[n] = true
		}
	}
}

func TestProfiles(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Profiles() {
		require.NotEmpty(t, p.Name)
		require.NotEmpty(t, p.About, p.Name)
		require.False(t, seen[p.Name], "%s is there twice", p.Name)
		require.True(t, p.Driver == p.Name || seen[p.Driver], "%s stands before its driver", p.Name)
		require.True(t, strings.HasPrefix(p.Name, p.Driver), p.Name)
		seen[p.Name] = true
		byName, ok := ProfileByName(p.Name)
		require.True(t, ok)
		require.Equal(t, p, byName)
		require.False(t, p.Caps.VertexStreams.Known && p.Caps.VertexStreams.Value > MaxVertexStreams, p.Name)
		require.False(t, p.Caps.Buffers.Known && p.Caps.Buffers.Value > MaxStreamOutputBuffers, p.Name)
	}
	for _, name := range []string{"softpipe", "llvmpipe", "r600", "radeonsi", "nv50", "nv50-g80", "nvc0", "svga", "svga-dx10",
		"virgl", "zink", "d3d12", "freedreno", "iris", "crocus", "panfrost", "asahi", "v3d", "etnaviv", "d3d", "d3d10", "gles", "vulkan"} {
		require.True(t, seen[name], name)
	}
	_, ok := ProfileByName("")
	require.False(t, ok)
	Profiles()[0].Name = "changed"
	require.Equal(t, "softpipe", Profiles()[0].Name, "the caller owns what Profiles returns")
}

func TestProfileIs(t *testing.T) {
	dx10, _ := ProfileByName("svga-dx10")
	require.True(t, dx10.Is("svga"))
	require.True(t, dx10.Is("svga-dx10"))
	require.False(t, dx10.Is("d3d10"))
	svga, _ := ProfileByName("svga")
	require.False(t, svga.Is("svga-dx10"))
}

func TestProfileFromScreenName(t *testing.T) {
	for _, tc := range []struct{ screen, want string }{
		{"llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe"},
		{"softpipe", "softpipe"},
		{"virgl", "virgl"},
		{"virgl (llvmpipe (LLVM 15.0.6, 256 bits))", "virgl"},
		{"zink (llvmpipe (LLVM 15.0.6, 256 bits))", "zink"},
		{"zink Vulkan 1.3(AMD Radeon RX 6800 (RADV NAVI21) (MESA_RADV))", "zink"},
		{"D3D12 (NVIDIA GeForce RTX 3060)", "d3d12"},
		{"SVGA3D; build: RELEASE;  LLVM;", "svga"},
		{"FD630", "freedreno"},
		{"FD618", "freedreno"},
		{"FD530", "freedreno-a5xx"},
		{"FD430", "freedreno-a3xx"},
		{"FD307", "freedreno-a3xx"},
		{"FD200", ""},
		{"FDx", ""},
		{"Adreno 7c+ Gen 3", "freedreno"},
		{"V3D 4.2", "v3d"},
		{"VC4 V3D 2.1", ""},
		{"Mali-G52 (Panfrost)", "panfrost"},
		{"Mali T760 (Panfrost)", "panfrost"},
		{"panfrost", "panfrost"},
		{"Mali400", ""},
		{"Apple M1 (G13G B0)", "asahi"},
		{"Vivante GC2000 rev 5108", "etnaviv"},
		{"NV134", "nvc0"},
		{"NVC0", "nvc0"},
		{"NVA0", "nv50"},
		{"NVAC", "nv50"},
		{"NV50", "nv50-g80"},
		{"NV92", "nv50-g80"},
		{"NV4B", ""},
		{"NV", ""},
		{"tegra", ""},
		{"Mesa Intel(R) UHD Graphics 630 (CFL GT2)", "iris"},
		{"Mesa Intel(R) HD Graphics 630 (Kaby Lake GT2)", "iris"},
		{"Mesa Intel(R) HD Graphics 5500 (BDW GT2)", ""},
		{"Mesa Intel(R) HD Graphics (CHV)", ""},
		{"Mesa Intel(R) HD Graphics 4000 (IVB GT2)", "crocus"},
		{"Mesa Intel(R) HD Graphics (BYT)", "crocus"},
		{"Mesa Intel(R) HD Graphics 3000 (SNB GT2)", "crocus-gen6"},
		{"Mesa Intel(R) HD Graphics (ILK)", ""},
		{"Mesa Intel(R)", ""},
		{"Mesa Intel Unknown", ""},
		{"AMD Radeon RX 6800 (navi21, LLVM 15.0.6, DRM 3.49, 6.1.0)", "radeonsi"},
		{"AMD Radeon RX 6800 (radeonsi, navi21, LLVM 17.0.6, DRM 3.57, 6.8)", "radeonsi"},
		{"Radeon RX 560 Series (POLARIS11, DRM 3.27.0, 4.19, LLVM 8.0.0)", "radeonsi"},
		{"AMD TAHITI (DRM 2.50.0, 5.0, LLVM 8.0.0)", "radeonsi"},
		{"AMD CEDAR (DRM 2.50.0 / 5.10, LLVM 11.0.1)", "r600"},
		{"AMD RV770 (DRM 2.50.0 / 5.10, LLVM 11.0.1)", "r600-r700"},
		{"AMD unknown (DRM 2.50.0)", ""},
		{"ATI R300", ""},
		{"i915 (chipset: 945GM)", ""},
		{"", ""},
	} {
		p, ok := ProfileFromScreenName(tc.screen)
		require.Equal(t, tc.want, p.Name, tc.screen)
		require.Equal(t, tc.want != "", ok, tc.screen)
	}
}

func TestProfileFromScreenNameLeavesLevelOpen(t *testing.T) {
	p, _ := ProfileFromScreenName("SVGA3D; build: RELEASE;  LLVM;")
	require.False(t, p.Caps.InterleavedComponents.Known)
	require.True(t, p.Caps.ShareableShaders.IsFalse())
	named, _ := ProfileByName("svga")
	require.Equal(t, KnownCap(512), named.Caps.InterleavedComponents)
}

func TestOffsetEffects(t *testing.T) {
	words := map[string]bool{}
	for e := OffsetUnknown; e <= OffsetLost; e++ {
		require.False(t, words[e.String()], e.String())
		words[e.String()] = true
	}
	require.Equal(t, "takes it for bytes", OffsetSeeksBytes.String())
	require.Len(t, offsetEffectNames, len(words))
	for _, tc := range []struct {
		profile string
		want    Offsets
	}{
		{"softpipe", Offsets{Zero: OffsetIgnored, Other: OffsetIgnored, Append: OffsetContinues}},
		{"llvmpipe", Offsets{Zero: OffsetStarts, Other: OffsetSeeksBytes, Append: OffsetContinues}},
		{"radeonsi", Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinuesIfFilled}},
		{"nvc0", Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinues}},
		{"iris", Offsets{Zero: OffsetStarts, Other: OffsetAsserts, Append: OffsetContinues}},
		{"crocus-gen6", Offsets{Zero: OffsetStarts, Other: OffsetContinues, Append: OffsetContinues}},
		{"freedreno", Offsets{Zero: OffsetStarts, Other: OffsetAsserts, Append: OffsetContinues}},
		{"freedreno-a3xx", Offsets{Zero: OffsetStarts, Other: OffsetSeeksVertices, Append: OffsetContinues}},
		{"nv50-g80", Offsets{Zero: OffsetStarts, Other: OffsetStarts}},
		{"asahi", Offsets{Zero: OffsetStarts, Other: OffsetSeeksVertices, Append: OffsetContinues}},
		{"r600-r700", Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinuesIfFilled}},
		{"zink", Offsets{Zero: OffsetStarts, Other: OffsetStarts, Append: OffsetContinues, FirstDecides: true}},
		{"virgl", Offsets{Zero: OffsetLost, Other: OffsetLost, Append: OffsetLost}},
		{"vulkan", Offsets{}},
	} {
		p, ok := ProfileByName(tc.profile)
		require.True(t, ok, tc.profile)
		require.Equal(t, tc.want, p.Offsets, tc.profile)
	}
}
