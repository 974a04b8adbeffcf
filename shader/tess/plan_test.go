package tess_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

// workedDraw is 100 triangle patches of 3 points, 32 bytes each, with 16 bytes of constants.
func workedDraw(t testing.TB, f tess.Factors) tess.Draw {
	return tess.Draw{
		Tessellator: make3(t, tess.Triangles, tess.Equal, tess.TrianglesCCW),
		Patches:     100, Instances: 1, InputPoints: 3, OutputPoints: 3,
		BytesPerInput: 32, BytesPerOutput: 32, BytesPerPatch: 16,
		Factors: []tess.Factors{f},
	}
}

func params(flags, patches uint32, tf float32, waves uint32) tess.Params {
	return tess.Params{Size: tess.ParamsSize, Flags: flags, PatchesPerThreadgroup: patches, TFThreshold: tf, DSWaveThreshold: waves}
}

func TestPlanOfWorkedExample(t *testing.T) {
	f := tess.Factors{Outer: [4]float32{2, 3, 4}, Inner: [2]float32{3}}
	p, err := tess.NewPlan(tess.DefaultDevice(), workedDraw(t, f), tess.Options{})
	require.NoError(t, err)
	require.Equal(t, []tess.Limit{{Name: "lds", Patches: 146}, {Name: "threads", Patches: 85}, {Name: "hw", Patches: 64}}, p.Limits)
	require.Equal(t, 64, p.PatchesPerGroup)
	require.EqualValues(t, 2, p.Groups)
	require.Equal(t, 36, p.Last.Patches)
	require.Equal(t, 14336, p.LDSAllocated)
	require.Equal(t, 4, p.GroupsPerCU)

	for _, tt := range []struct {
		name           string
		params         tess.Params
		on, off, bytes int64
	}{
		{"off-chip not allowed", params(0, 0, 0, 2), 12, 0, 0},
		{"average equals the threshold", params(tess.FlagOffchip, 0, 3, 2), 2, 10, 8192},
		{"average below the threshold", params(tess.FlagOffchip, 0, 3.5, 2), 12, 0, 0},
		{"all waves on chip, the memory is written in vain", params(tess.FlagOffchip, 0, 3, 12), 12, 0, 8192},
		{"no wave on chip", params(tess.FlagOffchip, 0, -1, 0), 0, 12, 8192},
		{"an infinite threshold keeps all on chip", params(tess.FlagOffchip, 0, float32(math.Inf(1)), 0), 12, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := tess.NewPlan(tess.DefaultDevice(), workedDraw(t, f), tess.Options{Params: tt.params})
			require.NoError(t, err)
			g := p.Head[0]
			require.EqualValues(t, 12, g.Waves)
			require.Equal(t, 3.0, g.AverageFactor)
			require.Equal(t, []int64{tt.on, tt.off, tt.bytes}, []int64{g.OnChip, g.OffChip, g.OffchipBytes})
		})
	}
}

func TestAveraging(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		name string
		f    []tess.Factors
		a    tess.Averaging
		want float64
	}{
		{"inner factors count", []tess.Factors{{Outer: [4]float32{1, 2, 3}, Inner: [2]float32{6}}}, tess.Averaging{}, 3},
		{"or not", []tess.Factors{{Outer: [4]float32{1, 2, 3}, Inner: [2]float32{6}}}, tess.Averaging{OuterOnly: true}, 2},
		{"infinity is 64, NaN and negative 0", []tess.Factors{{Outer: [4]float32{inf, nan, -7}, Inner: [2]float32{0}}}, tess.Averaging{}, 16},
		{"raw values are not clamped", []tess.Factors{{Outer: [4]float32{100, 100, 100}, Inner: [2]float32{100}}}, tess.Averaging{}, 100},
		{"culled patches count", []tess.Factors{tess.Uniform(4), tess.Uniform(0)}, tess.Averaging{}, 2},
		{"or not", []tess.Factors{tess.Uniform(4), tess.Uniform(0)}, tess.Averaging{SkipCulled: true}, 4},
		{"a group of culled patches alone averages 0", []tess.Factors{tess.Uniform(0)}, tess.Averaging{SkipCulled: true}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := workedDraw(t, tess.Factors{})
			d.Factors, d.Patches = tt.f, 2
			p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Averaging: tt.a})
			require.NoError(t, err)
			require.Equal(t, tt.want, p.Head[0].AverageFactor)
		})
	}
}

func randomDraw(t *testing.T, r *rand.Rand) tess.Draw {
	all := everyTessellator(t)
	d := tess.Draw{
		Tessellator: all[r.IntN(len(all))],
		Patches:     r.Int64N(400), Instances: r.Int64N(4), InputPoints: 1 + r.IntN(32), OutputPoints: r.IntN(33),
		BytesPerInput: 4 * r.IntN(40), BytesPerOutput: 4 * r.IntN(40), BytesPerPatch: 4 * r.IntN(40),
		SplitInstances: r.IntN(2) == 0,
	}
	for range 1 + r.IntN(9) {
		d.Factors = append(d.Factors, randomFactors(r))
	}
	return d
}

// walk does the whole draw patch by patch, the slow way.
func walk(dev tess.Device, d tess.Draw, p *tess.Plan, params tess.Params) (groups int64, total tess.Totals, vs, hs [2]int64) {
	wave := int64(dev.WaveSize)
	var patches, threads int64
	var sum float64
	flush := func() {
		if patches == 0 {
			return
		}
		groups++
		outer, inner := d.Tessellator.Domain().FactorCounts()
		waves := (threads + wave - 1) / wave
		on := waves
		if params.Offchip() && sum/float64(patches*int64(outer+inner)) >= float64(params.TFThreshold) {
			on = min(waves, int64(params.DSWaveThreshold))
			total.OffchipBytes += patches * int64(p.OffchipBytes)
			if on == waves {
				total.WastedBytes += patches * int64(p.OffchipBytes)
			}
		}
		total.Waves += waves
		total.OnChip += on
		total.OffChip += waves - on
		for _, stage := range []struct {
			s      *[2]int64
			points int
		}{{&vs, d.InputPoints}, {&hs, d.OutputPoints}} {
			stage.s[0] += patches * int64(stage.points)
			stage.s[1] += (patches*int64(stage.points) + wave - 1) / wave
		}
		patches, threads, sum = 0, 0, 0
	}
	index := 0
	for range d.Instances {
		if d.SplitInstances {
			flush()
			index = 0
		}
		for range d.Patches {
			f := d.Factors[index%len(d.Factors)]
			index++
			c := d.Tessellator.Count(f)
			threads += int64(c.Vertices)
			total.Threads += int64(c.Vertices)
			total.Primitives += int64(c.Primitives)
			total.Indices += int64(c.Indices)
			outer, inner := d.Tessellator.Domain().FactorCounts()
			for _, x := range append(append([]float32{}, f.Outer[:outer]...), f.Inner[:inner]...) {
				sum += math.Max(float64(x), 0)
			}
			if patches++; patches == int64(p.PatchesPerGroup) {
				flush()
			}
		}
	}
	flush()
	return groups, total, vs, hs
}

func TestPlanEqualsWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	planned := 0
	for range 600 {
		d := randomDraw(t, r)
		dev := tess.DefaultDevice()
		dev.WaveSize = 32 << r.IntN(2)
		pp := params(uint32(r.IntN(2)), uint32(r.IntN(80)), 12*r.Float32(), uint32(r.IntN(6)))
		p, err := tess.NewPlan(dev, d, tess.Options{Params: pp, Policy: []tess.Policy{nil, tess.Radeonsi{}, tess.Radv{}}[r.IntN(3)]})
		if err != nil {
			var large *tess.ErrPatchTooLarge
			require.ErrorAs(t, err, &large)
			continue
		}
		planned++
		groups, total, vs, hs := walk(dev, d, p, pp)
		require.Equal(t, groups, p.Groups)
		require.Equal(t, total, p.Total, "%+v", d)
		require.Equal(t, vs, [2]int64{p.VSThreads, p.VSWaves})
		require.Equal(t, hs, [2]int64{p.HSThreads, p.HSWaves})
		checkPlan(t, dev, d, p, pp)
	}
	require.Greater(t, planned, 300)
}

func checkPlan(t *testing.T, dev tess.Device, d tess.Draw, p *tess.Plan, pp tess.Params) {
	require.GreaterOrEqual(t, p.PatchesPerGroup, 1)
	for _, l := range p.Limits {
		require.LessOrEqual(t, p.PatchesPerGroup, l.Patches, l.Name)
		require.LessOrEqual(t, p.PatchesByChoice, l.Patches, l.Name)
	}
	require.Equal(t, d.Patches*d.Instances*int64(d.InputPoints), p.VSThreads)
	require.LessOrEqual(t, p.LDSUsed, p.LDSAllocated)
	require.Less(t, p.LDSAllocated-p.LDSUsed, dev.LDSGranularity)
	require.LessOrEqual(t, p.LDSAllocated*p.GroupsPerCU, dev.LDSPerCU)
	require.Equal(t, p.Total.Waves, p.Total.OnChip+p.Total.OffChip)
	require.Len(t, p.Head, int(min(p.Groups, tess.HeadGroups)))
	if !pp.Offchip() {
		require.Zero(t, p.Total.OffchipBytes)
	}
	if pp.PatchesPerThreadgroup != 0 && len(p.Adjustments) == 0 {
		require.EqualValues(t, pp.PatchesPerThreadgroup, p.PatchesPerGroup)
	}
}

// A list of factors longer than a group, and groups larger than what is added up at once.
func TestPlanOfManyFactorsEqualsWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 9))
	dev := tess.DefaultDevice()
	dev.MaxPatches, dev.MaxThreadsPerGroup, dev.LDSPerGroup, dev.LDSPerCU = 4000, 1<<20, 1<<20, 1<<20
	dev.WaveSlotsPerCU = 1 << 20
	for range 20 {
		d := workedDraw(t, tess.Factors{})
		d.BytesPerPatch, d.Patches, d.Factors = 0, r.Int64N(20000), nil
		for range 1 + r.IntN(2000) {
			d.Factors = append(d.Factors, randomFactors(r))
		}
		pp := params(tess.FlagOffchip, 1+uint32(r.IntN(4000)), 6, 3)
		p, err := tess.NewPlan(dev, d, tess.Options{Params: pp})
		require.NoError(t, err)
		groups, total, _, _ := walk(dev, d, p, pp)
		require.Equal(t, groups, p.Groups)
		require.Equal(t, total, p.Total)
	}
}

// More waves allowed on chip never send more off; a higher threshold never writes more.
func TestThresholdsAreMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	for range 300 {
		d := randomDraw(t, r)
		tf, waves := 12*r.Float32(), uint32(r.IntN(6))
		plan := func(tf float32, waves uint32) *tess.Plan {
			p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Params: params(tess.FlagOffchip, 3, tf, waves)})
			require.NoError(t, err)
			return p
		}
		base := plan(tf, waves)
		require.LessOrEqual(t, plan(tf, waves+1).Total.OffChip, base.Total.OffChip)
		require.LessOrEqual(t, plan(tf+2, waves).Total.OffchipBytes, base.Total.OffchipBytes)
	}
}

func TestHugeDrawIsPlannedAtOnce(t *testing.T) {
	d := workedDraw(t, tess.Uniform(64))
	d.Patches, d.Instances = 1<<31, 2
	p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 1<<26, p.Groups)
	require.Equal(t, int64(6144)<<32, p.Total.Primitives)
}

func TestPlanRefuses(t *testing.T) {
	ok := tess.Uniform(1)
	for _, tt := range []struct {
		name string
		edit func(*tess.Device, *tess.Draw, *tess.Params)
		want string
	}{
		{"no control points", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.InputPoints = 0 }, "in_cp is 0, expected 1 to 32"},
		{"too many control points", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.OutputPoints = 33 }, "out_cp is 33, expected 0 to 32"},
		{"negative patches", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.Patches = -1 }, "patches is -1, expected 0 or more"},
		{"negative instances", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.Instances = -1 }, "instances is -1, expected 0 or more"},
		{"more patches than can be told exactly", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) {
			d.Patches, d.Instances = math.MaxInt64, math.MaxInt64
		}, "9223372036854775807 patches in 9223372036854775807 instances are more than 4294967296"},
		{"no factors", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.Factors = nil }, "no tessellation factors"},
		{"negative size", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.BytesPerPatch = -1 }, "patch_bytes is -1, expected 0 to 1048576"},
		{"wave not a power of two", func(v *tess.Device, _ *tess.Draw, _ *tess.Params) { v.WaveSize = 48 }, "device: wave is 48, expected a power of two"},
		{"no compute units", func(v *tess.Device, _ *tess.Draw, _ *tess.Params) { v.CUs = 0 }, "device: cus is 0, expected 1 to 1048576"},
		{"patch above the LDS", func(_ *tess.Device, d *tess.Draw, _ *tess.Params) { d.BytesPerPatch = 32768 }, "patch needs 32976 bytes of LDS, limit 32768"},
		{"patch above the threads", func(v *tess.Device, _ *tess.Draw, _ *tess.Params) { v.MaxThreadsPerGroup = 2 }, "patch needs 3 threads, limit 2"},
		{"patch above the off-chip block", func(v *tess.Device, _ *tess.Draw, p *tess.Params) { v.OffchipBlock = 100; p.Flags = tess.FlagOffchip }, "patch needs 128 bytes of the off-chip block, limit 100"},
		{"group above the compute unit's LDS", func(v *tess.Device, _ *tess.Draw, _ *tess.Params) { v.LDSPerCU = 8192 }, "threadgroup needs 14336 bytes of LDS, a compute unit has 8192"},
		{"group above the compute unit's waves", func(v *tess.Device, _ *tess.Draw, _ *tess.Params) { v.WaveSlotsPerCU = 2 }, "threadgroup needs 3 waves, a compute unit has room for 2"},
		{"threshold is NaN", func(_ *tess.Device, _ *tess.Draw, p *tess.Params) { p.TFThreshold = float32(math.NaN()) }, "TfThreshold is NaN"},
		{"unknown flag", func(_ *tess.Device, _ *tess.Draw, p *tess.Params) { p.Flags = 6 }, "unknown Flags bits 0x6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dev, d, p := tess.DefaultDevice(), workedDraw(t, ok), tess.Params{}
			tt.edit(&dev, &d, &p)
			_, err := tess.NewPlan(dev, d, tess.Options{Params: p})
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestEmptyDraw(t *testing.T) {
	d := workedDraw(t, tess.Uniform(1))
	d.Patches, d.Factors = 0, nil
	p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{})
	require.NoError(t, err)
	require.Zero(t, p.Groups)
	require.Zero(t, p.Rounds)
	require.Zero(t, p.Total)
}

func TestPatchCount(t *testing.T) {
	n, err := tess.PatchCount(10, 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, n, "left-over vertices are dropped")
	for _, bad := range []int{0, 33} {
		_, err := tess.PatchCount(10, bad)
		require.Error(t, err)
	}
	_, err = tess.PatchCount(-1, 3)
	require.Error(t, err)
}

// Rows worked out by hand from the drivers' arithmetic.
func TestPolicies(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		in, out, inB, outB, pB int
		policy                 tess.Policy
		want                   int
	}{
		{"default cuts a wave with 8 idle lanes", 4, 7, 16, 16, 0, tess.Default{}, 36},
		{"radeonsi wants two groups in 32 KiB", 3, 3, 32, 32, 16, tess.Radeonsi{}, 64},
		{"radeonsi with 16 patches at most", 3, 3, 32, 32, 16, tess.Radeonsi{FewPatches: true}, 16},
		{"radeonsi with half the LDS", 32, 5, 208, 16, 112, tess.Radeonsi{}, 2},
		{"radeonsi sharing LDS", 9, 9, 64, 64, 0, tess.Radeonsi{OutputsNotRead: true}, 21},
		{"radeonsi on GFX6 keeps to one wave", 3, 3, 32, 32, 16, tess.Radeonsi{GFX6: true}, 21},
		{"radv has at most 40", 3, 3, 32, 32, 16, tess.Radv{}, 40},
		{"radv divides the wave first", 23, 27, 0, 16, 0, tess.Radv{}, 8},
		{"radv uses all the LDS", 32, 32, 252, 240, 0, tess.Radv{}, 4},
		{"radv on Stoney does not", 32, 32, 252, 240, 0, tess.Radv{SmallLDS: true}, 2},
		{"radv on GFX6 keeps to one wave", 3, 3, 32, 32, 16, tess.Radv{GFX6: true}, 21},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := workedDraw(t, tess.Uniform(1))
			d.InputPoints, d.OutputPoints = tt.in, tt.out
			d.BytesPerInput, d.BytesPerOutput, d.BytesPerPatch = tt.inB, tt.outB, tt.pB
			p, err := tess.NewPlan(tess.DefaultDevice(), d, tess.Options{Policy: tt.policy})
			require.NoError(t, err)
			require.Equal(t, tt.want, p.PatchesByChoice)
		})
	}
}
