package audit_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/internal/randomops"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace/audit"
	"github.com/outflow-gpu/outflow/trace/audit/trackers"
)

// queue is a layer that hands on calls later, as a threaded context does: those
// that return nothing wait for the next that does, or for a flush.
type queue struct {
	below   pipe.Driver
	waiting []*pipe.Op
	worker  bool // another goroutine hands them on
}

func (q *queue) Do(op *pipe.Op) error {
	_, flush := op.Call.(*pipe.Flush)
	if !flush && !pipe.Creates(op.Call) && op.Context != 0 {
		late := *op
		switch c := op.Call.(type) {
		case *pipe.Draw:
			draw := *c
			late.Call = &draw
		case *pipe.SetStreamOutputTargets:
			set := *c
			set.Targets, set.Offsets = append([]pipe.Handle(nil), c.Targets...), append([]uint32(nil), c.Offsets...)
			late.Call = &set
		}
		q.waiting = append(q.waiting, &late)
		return nil
	}
	if err := q.drain(); err != nil {
		return err
	}
	return q.below.Do(op)
}

func (q *queue) drain() (err error) {
	work := func() {
		for _, op := range q.waiting {
			if err == nil {
				err = q.below.Do(op)
			}
		}
		q.waiting = q.waiting[:0]
	}
	if !q.worker {
		work()
		return err
	}
	var done sync.WaitGroup
	done.Go(work)
	done.Wait()
	return err
}

// rename is a layer whose handles differ above and below, all of them.
func rename(below pipe.Driver) pipe.Driver {
	const distance = 1 << 40
	lower := func(h pipe.Handle) pipe.Handle { return h - min(h, distance) }
	return pipe.DriverFunc(func(op *pipe.Op) error {
		sent := *op
		sent.Context = lower(op.Context)
		switch c := op.Call.(type) {
		case *pipe.BindState:
			sent.Call = &pipe.BindState{Kind: c.Kind, State: lower(c.State)}
		case *pipe.DeleteState:
			sent.Call = &pipe.DeleteState{Kind: c.Kind, State: lower(c.State)}
		case *pipe.CreateStreamOutputTarget:
			create := *c
			create.Resource = lower(c.Resource)
			sent.Call = &create
		case *pipe.SetStreamOutputTargets:
			set := *c
			set.Targets = append([]pipe.Handle(nil), c.Targets...)
			for i, h := range set.Targets {
				set.Targets[i] = lower(h)
			}
			sent.Call = &set
		}
		err := below.Do(&sent)
		op.Ret = sent.Ret
		switch op.Call.(type) {
		case *pipe.ScreenCreate:
		default:
			if op.Ret.Handle != 0 {
				op.Ret.Handle += distance
			}
		}
		return err
	})
}

func TestLayersThatHandOnLater(t *testing.T) {
	for _, worker := range []bool{false, true} {
		later := func(below pipe.Driver) pipe.Driver { return &queue{below: below, worker: worker} }
		t.Run(fmt.Sprintf("worker %v", worker), func(t *testing.T) {
			for name, layers := range map[string][]pipe.Layer{
				"alone":             {later},
				"below a utility":   {trackers.Blitter().Layer(), later},
				"above a utility":   {later, trackers.HUD().Layer()},
				"with other names":  {later, rename},
				"twice":             {later, later},
				"between utilities": {trackers.Blitter().Layer(), later, trackers.PostProcess().Layer()},
			} {
				r := audit.Run(trackers.Scene, layers...)
				require.NoError(t, r.Err(), name)
				require.Empty(t, r.Findings, name)
				require.Equal(t, r.Captured[audit.Above], r.Captured[audit.Below], name)
			}
			for _, f := range trackers.LossFaults() {
				r := audit.Run(trackers.Scene, later, f.Layer)
				require.True(t, r.Failed(), f.Name)
			}
		})
	}
}

func TestOtherHandlesBelow(t *testing.T) {
	r := audit.Run(trackers.Scene, rename)
	require.NoError(t, r.Err())
	require.Empty(t, r.Findings)
	for _, f := range trackers.LossFaults() {
		t.Run(f.Name, func(t *testing.T) { requireNamed(t, f, audit.Run(trackers.Scene, rename, f.Layer)) })
	}
}

// TestContextsInParallel is for the race detector: contexts share the taps.
func TestContextsInParallel(t *testing.T) {
	taps := audit.NewTaps()
	d := taps.Above(taps.Below(new(pipe.Null)))
	var all sync.WaitGroup
	for seed := range uint64(4) {
		g, err := randomops.New(d, seed, 2)
		require.NoError(t, err)
		all.Go(func() {
			if err := g.Run(3000); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	r := taps.Report()
	require.NoError(t, r.Err())
	require.Empty(t, r.Findings)
	require.NotZero(t, r.Captured[audit.Below])
}

// drop is a layer that keeps calls to itself.
func drop(unwanted func(pipe.Call) bool) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		null := new(pipe.Null)
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if unwanted(op.Call) {
				err := null.Do(op)
				op.Ret.Handle <<= 20
				return err
			}
			return below.Do(op)
		})
	}
}

func TestCreatesThatNobodyMisses(t *testing.T) {
	unused := func(c pipe.Context) error {
		_, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: trackers.Captured()})
		require.NoError(t, err)
		buffer, err := c.CreateBuffer(64, pipe.BindStreamOutput)
		require.NoError(t, err)
		_, err = c.CreateStreamOutputTarget(buffer, 0, 64)
		return err
	}
	lazy := drop(func(c pipe.Call) bool {
		switch c.(type) {
		case *pipe.CreateShader, *pipe.CreateStreamOutputTarget:
			return true
		}
		return false
	})
	require.Empty(t, audit.Run(unused).Findings)
	r := audit.Run(unused, lazy)
	require.False(t, r.Failed())
	require.NoError(t, r.Err())
	require.Len(t, r.Findings, 2)
	for _, f := range r.Findings {
		require.Equal(t, audit.RuleCreateUnused, f.Rule)
		require.Equal(t, streamout.Note, f.Severity)
	}
}

func TestSetsThatChangeNothingMayStay(t *testing.T) {
	twice := func(c pipe.Context) error {
		buffer, err := c.CreateBuffer(64, pipe.BindStreamOutput)
		require.NoError(t, err)
		target, err := c.CreateStreamOutputTarget(buffer, 0, 64)
		require.NoError(t, err)
		require.NoError(t, c.SetStreamOutputTargets(nil, nil))
		require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}))
		require.NoError(t, c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{pipe.AppendOffset}))
		require.NoError(t, c.SetStreamOutputTargets(nil, nil))
		return c.SetStreamOutputTargets(nil, nil)
	}
	sets := 0
	second := func(which ...int) pipe.Layer {
		sets = 0
		return drop(func(c pipe.Call) bool {
			if _, ok := c.(*pipe.SetStreamOutputTargets); !ok {
				return false
			}
			sets++
			for _, n := range which {
				if n == sets {
					return true
				}
			}
			return false
		})
	}
	require.Empty(t, audit.Run(twice, second(1, 3, 5)).Findings)
	require.True(t, audit.Run(twice, second(2)).Failed(), "targets are not bound")
	require.True(t, audit.Run(twice, second(4, 5)).Failed(), "targets stay bound")
}

func TestATrackerThatGivesUp(t *testing.T) {
	r := audit.Run(func(pipe.Driver) error { return fmt.Errorf("no such device") })
	require.True(t, r.Failed())
	require.EqualError(t, r.Err(), "the state tracker gave up: no such device")
}

// TestRandomOperationsOnLayers runs legal operations through layers that do right.
func TestRandomOperationsOnLayers(t *testing.T) {
	queued := func(below pipe.Driver) pipe.Driver { return perContext(below) }
	for name, layers := range map[string][]pipe.Layer{
		"dedup":                   {cso.Dedup},
		"queue":                   {queued},
		"queue over dedup":        {queued, cso.Dedup},
		"split under a queue":     {queued, split(false)},
		"a utility under a queue": {queued, trackers.HUD().Layer()},
		"a utility over a queue":  {trackers.HUD().Layer(), queued},
		"utilities":               {trackers.PostProcess().Layer(), cso.Dedup, trackers.HUD().Layer()},
	} {
		for seed := range uint64(4) {
			r := audit.Run(func(d pipe.Driver) error {
				g, err := randomops.New(d, seed, 3)
				require.NoError(t, err)
				require.NoError(t, g.Run(5000))
				return g.Close()
			}, layers...)
			require.NoError(t, r.Err(), "%s, seed %d", name, seed)
			require.Empty(t, r.Findings, "%s, seed %d", name, seed)
		}
	}
}

// perContext is a queue for each context; operations of the screen wait for all.
func perContext(below pipe.Driver) pipe.Driver {
	queues := map[pipe.Handle]*queue{}
	return pipe.DriverFunc(func(op *pipe.Op) error {
		if op.Context == 0 {
			for _, q := range queues {
				if err := q.drain(); err != nil {
					return err
				}
			}
			return below.Do(op)
		}
		if queues[op.Context] == nil {
			queues[op.Context] = &queue{below: below}
		}
		q := queues[op.Context]
		if _, ends := op.Call.(*pipe.ContextDestroy); ends {
			if err := q.drain(); err != nil {
				return err
			}
			return below.Do(op)
		}
		return q.Do(op)
	})
}

// split is a layer that makes a draw of each range, and may lose the last.
func split(lose bool) pipe.Layer {
	return func(below pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			d, ok := op.Call.(*pipe.Draw)
			if !ok || len(d.Draws) < 2 {
				return below.Do(op)
			}
			for i := range d.Draws {
				if lose && i == len(d.Draws)-1 {
					break
				}
				part := *d
				part.Draws, part.NumDraws, part.DrawIDOffset = d.Draws[i:i+1], 1, uint32(i)
				sent := *op
				sent.Call = &part
				if err := below.Do(&sent); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func TestDrawsThatAreSplitUp(t *testing.T) {
	random := func(d pipe.Driver) error {
		g, err := randomops.New(d, 1, 2)
		require.NoError(t, err)
		return g.Run(5000)
	}
	r := audit.Run(random, split(false))
	require.NoError(t, r.Err())
	require.Empty(t, r.Findings)
	require.Greater(t, r.Draws[audit.Below], r.Draws[audit.Above])

	r = audit.Run(random, split(true))
	require.True(t, r.Failed())
	for _, f := range r.Findings {
		require.Equal(t, audit.RuleDrawLost, f.Rule, r)
		require.Equal(t, "num_draws", f.Path, r)
	}
}
