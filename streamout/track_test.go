package streamout

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// run sends calls through a Track with the rules given and returns what it
// reported.
func run(t *testing.T, opts Options, calls func(c pipe.Context)) ([]Finding, *Track) {
	t.Helper()
	var found []Finding
	opts.Report = func(f *Finding) { found = append(found, *f) }
	track := NewTrack(opts)
	c, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, track.Layer))
	require.NoError(t, err)
	calls(c)
	return found, track
}

func must(t *testing.T, err error) {
	t.Helper()
	require.NoError(t, err)
}

// always is a rule that reports on every operation of its trigger.
func always(id string, on Trigger, s Severity) *Rule {
	return &Rule{ID: id, Severity: s, On: on, Check: func(v *View) { v.Report("path", "%s speaks", id) }}
}

func TestEqualFindingsAreCounted(t *testing.T) {
	rule := always("r", OnDestroyTarget, Warning)
	found, track := run(t, Options{Rules: []*Rule{rule}}, func(c pipe.Context) {
		for range 5 {
			must(t, c.DestroyStreamOutputTarget(1))
		}
	})
	require.Len(t, found, 1)
	require.Equal(t, 1, track.Summary().Warnings)
	require.Equal(t, 4, track.Summary().Repeats)
}

// TestFollowIsLayerOverNull sends the same operations both ways, some of them
// with the results that a trace tells.
func TestFollowIsLayerOverNull(t *testing.T) {
	ops := func() []*pipe.Op {
		null := pipe.Result{Known: true}
		return []*pipe.Op{
			{Call: &pipe.CreateStreamOutputTarget{BufferSize: 64}, Context: 1, No: 1},
			{Call: &pipe.CreateStreamOutputTarget{BufferSize: 64}, Context: 1, No: 2, Ret: null},
			{Call: &pipe.CreateStreamOutputTarget{BufferSize: 64}, Context: 1, No: 3, Ret: pipe.Result{Handle: 7, Known: true}},
			{Call: &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{7}, Offsets: []uint32{0}}, Context: 1, No: 4},
			{Call: &pipe.Draw{Draws: []pipe.DrawRange{{Count: 3}}, NumDraws: 1}, Context: 1, No: 5},
			{Call: &pipe.DestroyStreamOutputTarget{Target: 7}, Context: 1, No: 6},
			{Call: &pipe.DestroyStreamOutputTarget{Target: 7}, Context: 1, No: 7},
		}
	}
	type outcome struct {
		found   []Finding
		results []pipe.Result
		summary Summary
		targets int
	}
	play := func(way func(*Track, *pipe.Op)) (o outcome) {
		rules := []*Rule{always("create", OnCreateTarget, Note), always("set", OnSetTargets, Warning), always("draw", OnDraw, Note), always("destroy", OnDestroyTarget, Error)}
		track := NewTrack(Options{Rules: rules, Report: func(f *Finding) {
			g := *f
			g.Rule = nil
			o.found = append(o.found, g)
		}})
		for _, op := range ops() {
			way(track, op)
			o.results = append(o.results, op.Ret)
		}
		o.summary = track.Summary()
		for range track.State().Targets {
			o.targets++
		}
		return o
	}
	driver := new(pipe.Null)
	layered := play(func(track *Track, op *pipe.Op) { require.NoError(t, track.Layer(driver).Do(op)) })
	require.Equal(t, layered, play((*Track).Follow))
	require.Len(t, layered.found, 4)
	require.Equal(t, 2, layered.targets, "the one that returned NULL is none")
}

func TestSeverityOfTheUserGoesFirst(t *testing.T) {
	rule := always("r", OnDestroyTarget, Error)
	rule.Drivers = []Escalation{{"iris", Warning}}
	iris, ok := pipe.ProfileByName("iris")
	require.True(t, ok)
	for name, c := range map[string]struct {
		opts Options
		want Severity
	}{
		"the rule's own": {Options{}, Error},
		"the driver's":   {Options{Profile: &iris}, Warning},
		"the user's":     {Options{Profile: &iris, Severities: map[string]Severity{"r": Note}}, Note},
	} {
		c.opts.Rules = []*Rule{rule}
		found, _ := run(t, c.opts, func(c pipe.Context) { must(t, c.DestroyStreamOutputTarget(1)) })
		require.Len(t, found, 1, name)
		require.Equal(t, c.want, found[0].Severity, name)
	}
}

func TestSilentRulesAreNotAsked(t *testing.T) {
	asked := false
	rule := &Rule{ID: "r", Severity: Error, On: OnDestroyTarget, Check: func(*View) { asked = true }}
	_, track := run(t, Options{Rules: []*Rule{rule}, Severities: map[string]Severity{"r": Silent}}, func(c pipe.Context) {
		must(t, c.DestroyStreamOutputTarget(1))
	})
	require.False(t, asked)
	require.Zero(t, track.Summary().Errors)
}

func TestFaultyCreateTaintsItsObject(t *testing.T) {
	clean := true
	rules := []*Rule{
		always("create", OnCreateTarget, Error),
		{ID: "set", Severity: Error, On: OnSetTargets, Check: func(v *View) {
			clean = v.CleanTarget(v.State.Target(v.Op.Call.(*pipe.SetStreamOutputTargets).Targets[0]))
		}},
	}
	run(t, Options{Rules: rules}, func(c pipe.Context) {
		target, err := c.CreateStreamOutputTarget(1, 0, 64)
		must(t, err)
		must(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	})
	require.False(t, clean, "followers of a faulty create are mute")
}

// TestAboutIsForOneReport holds that only the finding that is told to be about an object
// taints it.
func TestAboutIsForOneReport(t *testing.T) {
	clean := false
	about := func(v *View) *View {
		return v.About(&v.State.Target(v.Op.Call.(*pipe.DestroyStreamOutputTarget).Target).Object)
	}
	rules := []*Rule{
		{ID: "silent", Severity: Error, On: OnDestroyTarget, Check: func(v *View) { about(v) }},
		{ID: "two", Severity: Error, On: OnDestroyTarget, Check: func(v *View) {
			v.Report("", "of none")
			about(v).ReportAs(Warning, "", "of the target")
			v.Report("", "of none again")
		}},
		{ID: "set", Severity: Error, On: OnSetTargets, Check: func(v *View) {
			clean = v.CleanTarget(v.State.Target(v.Op.Call.(*pipe.SetStreamOutputTargets).Targets[0]))
		}},
	}
	found, _ := run(t, Options{Rules: rules}, func(c pipe.Context) {
		target, err := c.CreateStreamOutputTarget(1, 0, 64)
		must(t, err)
		must(t, c.DestroyStreamOutputTarget(target))
		must(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	})
	require.Len(t, found, 3)
	require.True(t, clean)
}

func TestWarningDoesNotTaint(t *testing.T) {
	clean := false
	rules := []*Rule{
		always("create", OnCreateTarget, Warning),
		{ID: "set", Severity: Error, On: OnSetTargets, Check: func(v *View) {
			clean = v.CleanTarget(v.State.Target(v.Op.Call.(*pipe.SetStreamOutputTargets).Targets[0]))
		}},
	}
	run(t, Options{Rules: rules}, func(c pipe.Context) {
		target, err := c.CreateStreamOutputTarget(1, 0, 64)
		must(t, err)
		must(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	})
	require.True(t, clean)
}

func TestStateRulesRunOncePerChange(t *testing.T) {
	asked := 0
	rule := &Rule{ID: "r", Severity: Error, On: OnCaptureState, Check: func(*View) { asked++ }}
	info := pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}
	run(t, Options{Rules: []*Rule{rule}}, func(c pipe.Context) {
		must(t, c.Draw(&info, pipe.DrawRange{Count: 1}))
		require.Zero(t, asked, "no target is bound")
		target, err := c.CreateStreamOutputTarget(1, 0, 64)
		must(t, err)
		must(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
		for range 3 {
			must(t, c.Draw(&info, pipe.DrawRange{Count: 1}))
		}
		require.Equal(t, 1, asked, "nothing changed between the draws")
		must(t, c.BindShader(pipe.Vertex, 0))
		must(t, c.Draw(&info, pipe.DrawRange{Count: 1}))
		require.Equal(t, 2, asked)
	})
}

func TestNumbersThatGoBack(t *testing.T) {
	var found []Finding
	track := NewTrack(Options{
		Rules: []*Rule{
			always("two", OnTwoWriters, Note),
			{ID: "order", Severity: Error, Order: true, On: OnDestroyTarget, Check: func(v *View) { v.Report("", "gone at call %d", v.Op.No) }},
		},
		Report: func(f *Finding) { found = append(found, *f) },
	})
	driver := pipe.Stack(&pipe.Null{}, track.Layer)
	for _, no := range []uint64{7, 8, 8, 3, 9, 4, 5} {
		must(t, driver.Do(&pipe.Op{Call: &pipe.DestroyStreamOutputTarget{Target: 1}, Context: 1, No: no}))
	}
	var severities []Severity
	for _, f := range found {
		severities = append(severities, f.Severity)
	}
	// Errors while the order may be whole: an edited trace may repeat a number or
	// have one out of order. Then the news of the second writer, once, and notes.
	require.Equal(t, []Severity{Error, Error, Error, Error, Error, Note, Note}, severities)
	require.Equal(t, "two", found[5].Rule.ID)

	t.Run("a new world numbers from 1 again", func(t *testing.T) {
		count := len(found)
		must(t, driver.Do(&pipe.Op{Call: &pipe.NewWorld{}}))
		must(t, driver.Do(&pipe.Op{Call: &pipe.Flush{}, Context: 1, No: 1}))
		require.Len(t, found, count)
	})
}

// TestTheDriverIsLearned holds that the name of the screen decides from then on what
// findings weigh, for rules that were asked before too.
func TestTheDriverIsLearned(t *testing.T) {
	var severities []Severity
	rule := &Rule{ID: "r", Severity: Note, Drivers: []Escalation{{"softpipe", Error}}, On: OnDestroyTarget,
		Check: func(v *View) { v.Report("", "gone at call %d", v.Op.No) }}
	track := NewTrack(Options{Rules: []*Rule{rule}, AutoProfile: true, Report: func(f *Finding) { severities = append(severities, f.Severity) }})
	destroy := func(no uint64) {
		track.Follow(&pipe.Op{Call: &pipe.DestroyStreamOutputTarget{Target: 1}, Context: 1, No: no})
	}
	destroy(1)
	for i, name := range []string{"llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe"} {
		no := uint64(2 + 2*i)
		track.Follow(&pipe.Op{Call: &pipe.GetName{}, Screen: 2, No: no, Ret: pipe.Result{Text: name, Known: true}})
		destroy(no + 1)
	}
	require.Equal(t, []Severity{Note, Note, Error}, severities)
}

func TestDriverErrorsAreNotRecorded(t *testing.T) {
	refused := errors.New("refused")
	track := NewTrack(Options{})
	driver := track.Layer(pipe.DriverFunc(func(op *pipe.Op) error {
		op.Ret.Handle = 5
		return refused
	}))
	err := driver.Do(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{}, Context: 1})
	require.ErrorIs(t, err, refused)
	require.Nil(t, track.State().Target(5))
	require.Zero(t, track.Summary().Calls)
}

func TestNothingFoundAllocatesNothing(t *testing.T) {
	rule := &Rule{ID: "r", On: OnCapture | OnDraw | OnCaptureState, Severity: Error, Check: func(*View) {}}
	track := NewTrack(Options{Rules: []*Rule{rule}})
	driver := pipe.Stack(&pipe.Null{}, track.Layer)
	c, err := pipe.NewContext(driver)
	must(t, err)
	target, err := c.CreateStreamOutputTarget(1, 0, 64)
	must(t, err)
	must(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
	op := pipe.Op{Call: &pipe.Draw{Info: pipe.DrawInfo{InstanceCount: 1}, Draws: []pipe.DrawRange{{Count: 3}}, NumDraws: 1},
		Context: c.Handle}
	must(t, driver.Do(&op))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		op.Ret = pipe.Result{}
		if err := driver.Do(&op); err != nil {
			t.Error(err)
		}
	}))
}

// TestViewOfBoundTargets holds which slots a rule is given, and that those of a
// broken or dead target are not sound.
func TestViewOfBoundTargets(t *testing.T) {
	type slots struct{ bound, sound []int }
	var seen slots
	look := &Rule{ID: "look", On: OnSetTargets, Check: func(v *View) {
		seen = slots{}
		for _, b := range v.Binds {
			seen.bound = append(seen.bound, b.Slot)
		}
		for _, b := range v.SaneBinds {
			seen.sound = append(seen.sound, b.Slot)
		}
	}}
	faulty := &Rule{ID: "faulty", Severity: Error, On: OnCreateTarget, Check: func(v *View) {
		if v.Op.Call.(*pipe.CreateStreamOutputTarget).BufferSize == 0 {
			v.Report("buffer_size", "nothing fits")
		}
	}}
	none := func(t *testing.T, v *View) {
		require.Empty(t, v.Binds)
		require.Empty(t, v.SaneBinds)
		require.Nil(t, v.Capturing)
	}
	later := &Rule{ID: "later", On: OnMalformed, Check: func(v *View) { none(t, v) }}
	_, track := run(t, Options{Rules: []*Rule{look, faulty, later}}, func(c pipe.Context) {
		create := func(size uint32) pipe.Handle {
			h, err := c.CreateStreamOutputTarget(1, 0, size)
			must(t, err)
			return h
		}
		good, broken, dead := create(64), create(0), create(64)
		must(t, c.DestroyStreamOutputTarget(dead))
		for _, call := range []struct {
			targets []pipe.Handle
			num     uint32
			want    slots
		}{
			{[]pipe.Handle{good, 0, broken, dead}, 4, slots{[]int{0, 2, 3}, []int{0}}},
			{[]pipe.Handle{0x999, good}, 2, slots{[]int{0, 1}, []int{1}}},
			{[]pipe.Handle{good, good, good, good, good, good}, 6, slots{[]int{0, 1, 2, 3}, []int{0, 1, 2, 3}}},
			{[]pipe.Handle{good, good}, 1, slots{[]int{0}, []int{0}}},
			{nil, 2, slots{}},
		} {
			must(t, c.Driver.Do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: call.num, Targets: call.targets}, Screen: c.Screen, Context: c.Handle}))
			require.Equal(t, call.want, seen, "%v", call.targets)
		}
	})
	track.Malformed(9, pipe.Pos{Line: 1}, "broken")
}

// TestCapturingIsOfTheContextAtHand: what a context captures with is not said of an
// operation without one.
func TestCapturingIsOfTheContextAtHand(t *testing.T) {
	var draw, other *View
	rules := []*Rule{
		{ID: "draw", On: OnDraw, Check: func(v *View) { c := *v; draw = &c }},
		{ID: "malformed", On: OnMalformed, Check: func(v *View) { c := *v; other = &c }},
	}
	_, track := run(t, Options{Rules: rules}, func(c pipe.Context) {
		create := &pipe.CreateShader{Stage: pipe.Vertex}
		create.State.StreamOutput.NumOutputs = 1
		shader := &pipe.Op{Call: create, Context: c.Handle}
		target := &pipe.Op{Call: &pipe.CreateStreamOutputTarget{BufferSize: 64}, Context: c.Handle}
		must(t, c.Driver.Do(shader))
		must(t, c.Driver.Do(target))
		must(t, c.Driver.Do(&pipe.Op{Call: &pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: shader.Ret.Handle}, Context: c.Handle}))
		must(t, c.Driver.Do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{target.Ret.Handle}, Offsets: []uint32{0}}, Context: c.Handle}))
		must(t, c.Driver.Do(&pipe.Op{Call: &pipe.Draw{}, Context: c.Handle}))
	})
	require.NotNil(t, draw.Capturing)
	track.Malformed(9, pipe.Pos{Line: 1}, "broken")
	require.Nil(t, other.Capturing)
}
