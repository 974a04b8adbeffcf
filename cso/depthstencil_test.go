package cso

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/pipe"
)

// parseLine reads a line of JSON.
func parseLine(line string) (DepthStencilCase, error) {
	c, err := jsonlines.Parse([]byte(line))
	if err != nil {
		return DepthStencilCase{}, err
	}
	return ParseDepthStencilCase(c)
}

// answerLine answers a line of JSON.
func answerLine(line string) (any, error) {
	c, err := jsonlines.Parse([]byte(line))
	if err != nil {
		return nil, err
	}
	return AnswerDepthStencil(c)
}

// answer is what a line of JSON answers, as JSON again.
func answer(t testing.TB, line string) map[string]any {
	t.Helper()
	a, err := answerLine(line)
	require.NoError(t, err)
	text, err := json.Marshal(a)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(text, &m))
	return m
}

func TestVectors(t *testing.T) {
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS is not set")
	}
	text, err := os.ReadFile(filepath.Join(corpus, "..", "vectors", "ds.json"))
	if os.IsNotExist(err) {
		t.Skip("no depth/stencil vectors beside the corpus")
	}
	require.NoError(t, err)
	var file struct{ Vectors []json.RawMessage }
	require.NoError(t, json.Unmarshal(text, &file))
	require.NotEmpty(t, file.Vectors)
	for _, line := range file.Vectors {
		var want map[string]any
		require.NoError(t, json.Unmarshal(line, &want))
		got := answer(t, string(line))
		for _, field := range []string{"out", "depth_test", "stencil_test", "writes_depth", "writes_stencil", "kills_all"} {
			require.Equal(t, want[field], got[field], "%v of %s", field, line)
		}
	}
}

// TestGolden holds the answers to cases of every kind, reasons included.
func TestGolden(t *testing.T) {
	in, err := os.Open(filepath.Join("testdata", "depthstencil.jsonl"))
	require.NoError(t, err)
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var row struct {
			Name string
			Case json.RawMessage
			Want map[string]any
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		t.Run(row.Name, func(t *testing.T) {
			got := answer(t, string(row.Case))
			for field, want := range row.Want {
				require.Equal(t, want, got[field], field)
			}
		})
	}
}

// keepFace is an enabled stencil state whose operations are all KEEP.
func keepFace(f pipe.CompareFunc, valueMask, writeMask uint8) pipe.StencilState {
	return pipe.StencilState{Enabled: true, Func: f, ValueMask: valueMask, WriteMask: writeMask}
}

func sanitise(t testing.TB, s DepthStencilState, c DepthStencilContext) SanitisedDepthStencil {
	t.Helper()
	got, err := SanitiseDepthStencil(&s, &c)
	require.NoError(t, err)
	return got
}

// A depth test that is off passes, whatever function is left over in it: the
// optimisation posted in 2017 read NEVER there, thought zpass_op unreachable
// and switched off stencil writes that do happen.
func TestLeftOverNeverOfDisabledDepthTestDoesNotStopStencilWrites(t *testing.T) {
	for op := pipe.StencilZero; op <= pipe.StencilInvert; op++ {
		var s DepthStencilState
		s.DepthFunc = pipe.CompareNever
		s.Stencil[0] = keepFace(pipe.CompareAlways, 0, 0xff)
		s.Stencil[0].ZPassOp = op
		got := sanitise(t, s, AnyDepthStencilContext())
		require.True(t, got.WritesStencil, op)
		require.False(t, got.KillsAll, op)
		require.Equal(t, s, got.State, op)
		checkSound(t, rand.New(rand.NewPCG(1, 1)), s, AnyDepthStencilContext())
	}
}

func TestPartialWriteMaskIsNoWrite(t *testing.T) {
	var s DepthStencilState
	s.Stencil[0] = keepFace(pipe.CompareLess, 0xff, 0x0f)
	got := sanitise(t, s, AnyDepthStencilContext())
	require.False(t, got.WritesStencil)
	require.True(t, got.TestsStencil())
}

func TestSanitiseIsIdempotent(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range trials(20_000) {
		s, c := randomDepthStencil(r), randomContext(r)
		once := sanitise(t, s, c)
		twice := sanitise(t, once.State, c)
		require.Equal(t, once.State.AppendCanonical(nil), twice.State.AppendCanonical(nil), "%+v in %+v", s, c)
		require.Equal(t, once.WritesDepth, twice.WritesDepth)
		require.Equal(t, once.WritesStencil, twice.WritesStencil)
		if !c.RasterizerDiscard && c.Facings != 0 {
			require.Equal(t, once.KillsAll, twice.KillsAll)
			require.Empty(t, twice.Changes(&once.State))
			require.Zero(t, twice.Reasons)
		}
	}
}

// What is known later never adds a write: a state sanitised at its creation does
// the same wherever it is bound, and is refined at the draw.
func TestKnowingMoreNeverAddsWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range trials(20_000) {
		s, c := randomDepthStencil(r), randomContext(r)
		c.AnyAspects = false
		created := sanitise(t, s, AnyDepthStencilContext())
		drawn := sanitise(t, s, c)
		require.False(t, drawn.WritesDepth && !created.WritesDepth, "%+v in %+v", s, c)
		require.False(t, drawn.WritesStencil && !created.WritesStencil, "%+v in %+v", s, c)
		require.False(t, created.KillsAll && !drawn.KillsAll, "%+v in %+v", s, c)

		staged := sanitise(t, created.State, c)
		require.Equal(t, [3]bool{drawn.WritesDepth, drawn.WritesStencil, drawn.KillsAll},
			[3]bool{staged.WritesDepth, staged.WritesStencil, staged.KillsAll}, "%+v in %+v", s, c)

		fewer := c
		fewer.Facings &= Facings(r.IntN(4))
		less := sanitise(t, s, fewer)
		require.False(t, less.WritesDepth && !drawn.WritesDepth, "%+v in %+v", s, fewer)
		require.False(t, less.WritesStencil && !drawn.WritesStencil, "%+v in %+v", s, fewer)
	}
}

// A missing aspect takes its own writes away, and may free those of the other:
// a test that killed everything is gone.
func TestMissingAspectFreesTheOther(t *testing.T) {
	var s DepthStencilState
	s.DepthEnabled, s.DepthFunc = true, pipe.CompareNever
	s.Stencil[0] = keepFace(pipe.CompareAlways, 0, 0xff)
	s.Stencil[0].ZPassOp = pipe.StencilIncr
	c := AnyDepthStencilContext()
	c.AnyAspects = false
	both := sanitise(t, s, c)
	require.False(t, both.WritesStencil)
	require.False(t, both.TestsStencil())
	require.True(t, both.KillsAll)

	c.Aspects = AspectStencil
	require.True(t, sanitise(t, s, c).WritesStencil)

	any := sanitise(t, s, AnyDepthStencilContext())
	require.True(t, any.WritesStencil, "the state may be bound without a depth aspect")
	require.False(t, any.KillsAll)
}

func TestFieldsOfDisabledTestsDecideNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range trials(10_000) {
		s, c := randomDepthStencil(r), randomContext(r)
		other := s
		noise := randomDepthStencil(r)
		if !s.DepthEnabled {
			other.DepthWriteMask, other.DepthFunc = noise.DepthWriteMask, noise.DepthFunc
		}
		if !s.AlphaEnabled {
			other.AlphaFunc, other.AlphaRef = noise.AlphaFunc, noise.AlphaRef
		}
		if !s.Bounds.Test {
			other.Bounds.Min, other.Bounds.Max = noise.Bounds.Min, noise.Bounds.Max
		}
		for i := range s.Stencil {
			if !s.Stencil[i].Enabled || !s.Stencil[0].Enabled {
				enabled := s.Stencil[i].Enabled
				other.Stencil[i] = noise.Stencil[i]
				other.Stencil[i].Enabled = enabled
			}
		}
		a, b := sanitise(t, s, c), sanitise(t, other, c)
		require.Equal(t, a.State.AppendCanonical(nil), b.State.AppendCanonical(nil), "%+v and %+v in %+v", s, other, c)
		require.Equal(t, a.KillsAll, b.KillsAll)
	}
}

func TestSwappingFrontAndBackCommutes(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range trials(10_000) {
		s, c := randomDepthStencil(r), randomContext(r)
		s.Stencil[0].Enabled, s.Stencil[1].Enabled = true, true
		if c.Facings != FacingFront|FacingBack {
			continue // a lone facing has one form for the front and another for the back
		}
		swapped, d := s, c
		swapped.Stencil[0], swapped.Stencil[1] = s.Stencil[1], s.Stencil[0]
		d.Ref.Value[0], d.Ref.Value[1] = c.Ref.Value[1], c.Ref.Value[0]
		a, b := sanitise(t, s, c), sanitise(t, swapped, d)
		if a.State.Stencil[1].Enabled {
			b.State.Stencil[0], b.State.Stencil[1] = b.State.Stencil[1], b.State.Stencil[0]
		}
		require.Equal(t, a.State.AppendCanonical(nil), b.State.AppendCanonical(nil))
		require.Equal(t, [3]bool{a.WritesDepth, a.WritesStencil, a.KillsAll}, [3]bool{b.WritesDepth, b.WritesStencil, b.KillsAll})
	}
}

// Every change names a reason, and every reason a change or none was needed.
func TestEveryChangeHasAReason(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	met := Reasons(0)
	for range trials(10_000) {
		s, c := randomDepthStencil(r), randomContext(r)
		got := sanitise(t, s, c)
		for _, ch := range got.Changes(&s) {
			require.True(t, ch.Reason > 0 && ch.Reason < numReasons, "%+v", ch)
			require.True(t, got.Reasons.Has(ch.Reason), "%+v is not among %v\n%+v in %+v", ch, got.Reasons, s, c)
		}
		if got.State == s {
			require.Zero(t, got.Reasons, "%+v in %+v", s, c)
		}
		met |= got.Reasons
	}
	for why := Reason(1); why < numReasons; why++ {
		require.True(t, met.Has(why), "no random state was changed for %v", why)
	}
}

func TestFutileWrites(t *testing.T) {
	depth := func(f pipe.CompareFunc, write bool) (s DepthStencilState) {
		s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = true, write, f
		return s
	}
	stencil := func(depthFunc pipe.CompareFunc, f pipe.StencilState) DepthStencilState {
		s := depth(depthFunc, false)
		s.Stencil[0] = f
		return s
	}
	incr := keepFace(pipe.CompareLess, 0xff, 0xff)
	incr.ZPassOp = pipe.StencilIncr
	masked := incr
	masked.WriteMask = 0
	backOnly := DepthStencilState{}
	backOnly.Stencil[1] = incr
	tests := []struct {
		name           string
		s              DepthStencilState
		depth, stencil bool
	}{
		{"a depth write that happens", depth(pipe.CompareLess, true), false, false},
		{"a depth write that never passes", depth(pipe.CompareNever, true), true, false},
		{"a depth write that changes nothing", depth(pipe.CompareEqual, true), true, false},
		{"no depth write", depth(pipe.CompareNever, false), false, false},
		{"a write mask without the test is left over", DepthStencilState{DepthStencilAlphaState: pipe.DepthStencilAlphaState{DepthWriteMask: true}}, false, false},
		{"a stencil write that happens", stencil(pipe.CompareLess, incr), false, false},
		{"a stencil write behind a depth test that never passes", stencil(pipe.CompareNever, incr), false, true},
		{"a stencil write that is masked was not wanted", stencil(pipe.CompareLess, masked), false, false},
		{"a back face without stencil is left over", backOnly, false, false},
	}
	c := AnyDepthStencilContext()
	c.AnyAspects = false
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := sanitise(t, tt.s, c)
			depth, stencil := r.FutileWrites(&tt.s)
			require.Equal(t, [2]bool{tt.depth, tt.stencil}, [2]bool{depth, stencil})
		})
	}
}

func TestStrictBitsKeepsEqualWriteOfFloat(t *testing.T) {
	var s DepthStencilState
	s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = true, true, pipe.CompareEqual
	for _, tt := range []struct {
		strict bool
		format DepthFormat
		writes bool
	}{{false, DepthFloat, false}, {true, DepthFloat, true}, {true, DepthUnorm, false}} {
		c := AnyDepthStencilContext()
		c.StrictBits, c.DepthFormat = tt.strict, tt.format
		require.Equal(t, tt.writes, sanitise(t, s, c).WritesDepth, "%+v", tt)
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name string
		set  func(*DepthStencilState)
		want string
	}{
		{"depth function counts even when the test is off", func(s *DepthStencilState) { s.DepthFunc = 8 }, "depth_func is 8, at most 7"},
		{"alpha function counts when the test is on", func(s *DepthStencilState) { s.AlphaEnabled, s.AlphaFunc = true, 9 }, "alpha_func is 9, at most 7"},
		{"alpha function is not looked at when the test is off", func(s *DepthStencilState) { s.AlphaFunc = 9 }, ""},
		{"front function", func(s *DepthStencilState) { s.Stencil[0].Func = 16 }, "stencil[0].func is 16, at most 7"},
		{"back fail_op", func(s *DepthStencilState) { s.Stencil[1].FailOp = 8 }, "stencil[1].fail_op is 8, at most 7"},
		{"front zpass_op", func(s *DepthStencilState) { s.Stencil[0].ZPassOp = 255 }, "stencil[0].zpass_op is 255, at most 7"},
		{"back zfail_op", func(s *DepthStencilState) { s.Stencil[1].ZFailOp = 64 }, "stencil[1].zfail_op is 64, at most 7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s DepthStencilState
			tt.set(&s)
			_, err := SanitiseDepthStencil(&s, &DepthStencilContext{})
			if tt.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.want)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	var s DepthStencilState
	require.Empty(t, s.Warnings())
	s.Stencil[1].Enabled, s.DepthWriteMask = true, true
	s.Bounds = DepthBounds{true, 0.75, 0.25}
	require.Equal(t, []string{
		"two-sided without stencil: stencil[1] is enabled, stencil[0] is not; taken as off",
		"depth_writemask is set with the depth test off: nothing is written",
		"depth_bounds_min 0.75 is above depth_bounds_max 0.25: every fragment is killed",
	}, s.Warnings())
	s = DepthStencilState{Bounds: DepthBounds{true, math.NaN(), 1}}
	require.Equal(t, []string{"a depth bound is NaN: every fragment is killed"}, s.Warnings())
}

func TestReachableFacings(t *testing.T) {
	const both = FacingFront | FacingBack
	require.Equal(t, FacingFront, ReachableFacings(pipe.Points, 3), "points are never culled")
	require.Equal(t, FacingFront, ReachableFacings(pipe.LineStripAdjacency, 1), "lines are never culled")
	require.Equal(t, both, ReachableFacings(pipe.Triangles, 0))
	require.Equal(t, FacingBack, ReachableFacings(pipe.TriangleStrip, 1))
	require.Equal(t, FacingFront, ReachableFacings(pipe.Quads, 2))
	require.Equal(t, Facings(0), ReachableFacings(pipe.Polygon, 3))
	require.Equal(t, both, ReachableFacings(pipe.PrimitiveUnknown, 3), "what is not known may be points")
}

func TestAspectsOf(t *testing.T) {
	tests := []struct {
		format pipe.Format
		want   string
		kind   DepthFormat
		ok     bool
	}{
		{"", "", DepthFloat, true},
		{pipe.FormatNone, "", DepthFloat, true},
		{"PIPE_FORMAT_Z16_UNORM", "D", DepthUnorm, true},
		{"PIPE_FORMAT_Z24_UNORM_S8_UINT", "DS", DepthUnorm, true},
		{"PIPE_FORMAT_Z32_FLOAT_S8X24_UINT", "DS", DepthFloat, true},
		{"PIPE_FORMAT_S8_UINT", "S", DepthFloat, true},
		{"PIPE_FORMAT_R8G8B8A8_UNORM", "", DepthFloat, false},
	}
	for _, tt := range tests {
		a, kind, ok := AspectsOf(tt.format)
		require.Equal(t, tt.want, a.String(), tt.format)
		require.Equal(t, tt.kind, kind, tt.format)
		require.Equal(t, tt.ok, ok, tt.format)
	}
}

func TestEarly(t *testing.T) {
	tests := []struct {
		name          string
		shader        FragmentShader
		depth, stencl bool
		want          string
	}{
		{"a plain shader", FragmentShader{}, true, true, "always"},
		{"discard before nothing that writes", FragmentShader{Discards: true}, false, false, "no-writes"},
		{"discard before a depth write", FragmentShader{Discards: true}, true, false, "late"},
		{"discard before a stencil write", FragmentShader{Discards: true}, false, true, "late"},
		{"the shader's own depth is needed for the test", FragmentShader{WritesDepth: true}, false, false, "late"},
		{"both", FragmentShader{Discards: true, WritesDepth: true}, false, false, "late"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := SanitisedDepthStencil{WritesDepth: tt.depth, WritesStencil: tt.stencl}
			require.Equal(t, tt.want, r.Early(tt.shader).String())
		})
	}
}

// busyDepthStencil makes every rule work: two faces, six operations that all change something.
func busyDepthStencil() DepthStencilState {
	var s DepthStencilState
	s.DepthEnabled, s.DepthWriteMask, s.DepthFunc = true, true, pipe.CompareLess
	s.Stencil[0] = pipe.StencilState{Enabled: true, Func: pipe.CompareNotEqual, FailOp: pipe.StencilReplace, ZPassOp: pipe.StencilIncr, ZFailOp: pipe.StencilDecrWrap, ValueMask: 0xff, WriteMask: 0xf0}
	s.Stencil[1] = pipe.StencilState{Enabled: true, Func: pipe.CompareLEqual, FailOp: pipe.StencilZero, ZPassOp: pipe.StencilReplace, ZFailOp: pipe.StencilDecr, ValueMask: 0x7f, WriteMask: 0xff}
	return s
}

// idleDepthStencil has operations that change nothing with reference 1, for
// reasons that only a look at all values tells.
func idleDepthStencil() DepthStencilState {
	s := busyDepthStencil()
	for i := range s.Stencil {
		f := &s.Stencil[i]
		f.Func, f.ValueMask, f.WriteMask = pipe.CompareGreater, 0xff, 0xff
		f.FailOp, f.ZPassOp, f.ZFailOp = pipe.StencilKeep, pipe.StencilZero, pipe.StencilDecr
	}
	return s
}

func TestSanitiseDoesNotAllocate(t *testing.T) {
	s := busyDepthStencil()
	known := AnyDepthStencilContext()
	known.Ref = StencilRef{true, [2]uint8{0x5a, 0x33}}
	key := make([]byte, 0, 64)
	for _, c := range []DepthStencilContext{known, AnyDepthStencilContext()} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			r, err := SanitiseDepthStencil(&s, &c)
			if err != nil {
				t.Fatal(err)
			}
			key = r.State.AppendCanonical(key[:0])
		}))
	}
}

func BenchmarkSanitise(b *testing.B) {
	r := rand.New(rand.NewPCG(17, 18))
	random := make([]DepthStencilState, 1024)
	for i := range random {
		random[i] = randomDepthStencil(r)
	}
	known := AnyDepthStencilContext()
	known.Ref = StencilRef{true, [2]uint8{0x5a, 0x33}}
	one := known
	one.Ref.Value = [2]uint8{1, 1}
	for _, bench := range []struct {
		name   string
		states []DepthStencilState
		c      DepthStencilContext
	}{
		{"busy/known", []DepthStencilState{busyDepthStencil()}, known},
		{"busy/unknown", []DepthStencilState{busyDepthStencil()}, AnyDepthStencilContext()},
		{"random/known", random, known},
		{"random/unknown", random, AnyDepthStencilContext()},
		{"idle/known", []DepthStencilState{idleDepthStencil()}, one},
		{"idle/unknown", []DepthStencilState{idleDepthStencil()}, AnyDepthStencilContext()},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := SanitiseDepthStencil(&bench.states[i%len(bench.states)], &bench.c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
