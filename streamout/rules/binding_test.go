package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// calls is a run of a context for tests of several calls.
type calls struct {
	t     *testing.T
	track *streamout.Track
	c     pipe.Context
	found []streamout.Finding
	no    uint64 // of the last call, when they are those of a trace
	trace bool
}

// newCalls begins a run, live or as a trace, that is checked for a driver or "".
func newCalls(t *testing.T, trace bool, driver string) *calls {
	s := &calls{t: t, trace: trace}
	s.track = streamout.NewTrack(streamout.Options{Rules: rules.All(), Profile: profile(t, driver),
		Report: func(f *streamout.Finding) { s.found = append(s.found, *f) }})
	numbered := func(next pipe.Driver) pipe.Driver {
		return pipe.DriverFunc(func(op *pipe.Op) error {
			if s.trace {
				s.no++
				op.No, op.Pos.Line = s.no, int(s.no)
			}
			return next.Do(op)
		})
	}
	c, err := pipe.NewContext(pipe.Stack(&pipe.Null{}, numbered, s.track.Layer))
	require.NoError(t, err)
	s.c = c
	return s
}

func (s *calls) target(size uint32) pipe.Handle {
	b, err := s.c.CreateBuffer(size, pipe.BindStreamOutput)
	require.NoError(s.t, err)
	target, err := s.c.CreateStreamOutputTarget(b, 0, size)
	require.NoError(s.t, err)
	return target
}

func (s *calls) shader(stage pipe.Stage, stride, components uint64) pipe.Handle {
	var state pipe.ShaderState
	if components > 0 {
		n := pipe.StreamOutputNumbers{NumOutputs: 1, Stride: []uint64{stride},
			Output: []pipe.OutputNumbers{{NumComponents: components}}}
		require.Empty(s.t, n.Pack(&state.StreamOutput))
	}
	h, err := s.c.CreateShader(stage, &state)
	require.NoError(s.t, err)
	require.NoError(s.t, s.c.BindShader(stage, h))
	return h
}

func (s *calls) set(targets []pipe.Handle, offsets ...uint32) {
	require.NoError(s.t, s.c.SetStreamOutputTargets(targets, offsets))
}

func (s *calls) draw(count uint32) {
	require.NoError(s.t, s.c.Draw(&pipe.DrawInfo{Mode: pipe.Points, InstanceCount: 1}, pipe.DrawRange{Count: count}))
}

// above returns "severity rule" of the findings above notes.
func (s *calls) above() []string {
	var list []string
	for _, f := range s.found {
		if f.Severity > streamout.Note {
			list = append(list, f.Severity.String()+" "+f.Rule.ID)
		}
	}
	return list
}

func TestBindingSequences(t *testing.T) {
	const appends = pipe.AppendOffset
	for _, test := range []struct {
		name  string
		trace bool
		run   func(s *calls)
		want  []string
	}{
		{"begin, pause before any draw, and resume", false, func(s *calls) {
			target := s.target(64)
			s.shader(pipe.Vertex, 4, 4)
			s.set([]pipe.Handle{target}, 0)
			s.set(nil)
			s.draw(1)
			s.set([]pipe.Handle{target}, appends)
			s.draw(1)
		}, nil},
		{"resume of a full target", false, func(s *calls) {
			target := s.target(16)
			s.shader(pipe.Vertex, 4, 4)
			s.set([]pipe.Handle{target}, 0)
			s.draw(1)
			s.set(nil)
			s.set([]pipe.Handle{target}, appends)
			s.draw(1)
		}, nil},
		{"a front end that gives the position back in bytes, on a driver that takes it", true, func(s *calls) {
			_, err := s.c.Do(&pipe.GetName{})
			require.NoError(s.t, err)
			s.track.State().DriverName = "llvmpipe (LLVM 15.0.6, 256 bits)"
			target := s.target(16)
			s.shader(pipe.Vertex, 8, 4)
			s.set([]pipe.Handle{target}, 0)
			s.draw(1)
			s.set(nil)
			s.set([]pipe.Handle{target}, 32)
		}, nil},
		{"a front end unbinds and deletes the old shader between bind and draw", true, func(s *calls) {
			old := s.shader(pipe.Vertex, 4, 4)
			target := s.target(64)
			s.set([]pipe.Handle{target}, 0)
			require.NoError(s.t, s.c.BindShader(pipe.Vertex, 0))
			require.NoError(s.t, s.c.DeleteShader(pipe.Vertex, old))
			s.shader(pipe.Vertex, 4, 4)
			s.draw(1)
		}, nil},
		{"a shader that two creates returned is deleted once", true, func(s *calls) {
			vs := s.shader(pipe.Vertex, 4, 4)
			op := &pipe.CreateShader{Stage: pipe.Vertex}
			op.State.StreamOutput = s.track.State().Shader(pipe.Vertex, vs).Info
			require.NoError(s.t, s.c.Driver.Do(&pipe.Op{Call: op, Context: s.c.Handle, Ret: pipe.Result{Handle: vs, Known: true}}))
			s.set([]pipe.Handle{s.target(64)}, 0)
			require.NoError(s.t, s.c.DeleteShader(pipe.Vertex, vs))
			s.draw(1)
		}, nil},
		{"an address that comes back is another target", true, func(s *calls) {
			target := s.target(64)
			s.set([]pipe.Handle{target}, 0)
			require.NoError(s.t, s.c.Driver.Do(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{BufferSize: 64, Resource: 0x77},
				Context: s.c.Handle, Ret: pipe.Result{Handle: target, Known: true}}))
			s.set([]pipe.Handle{target}, 0)
		}, nil},
		{"destroyed while bound, without a draw", true, func(s *calls) {
			target := s.target(64)
			s.set([]pipe.Handle{target}, 0)
			require.NoError(s.t, s.c.DestroyStreamOutputTarget(target))
			s.set(nil)
		}, nil},
		{"destroyed while bound, then drawn", true, func(s *calls) {
			s.shader(pipe.Vertex, 4, 4)
			target := s.target(64)
			s.set([]pipe.Handle{target}, 0)
			s.draw(1)
			require.NoError(s.t, s.c.DestroyStreamOutputTarget(target))
			s.draw(1)
			s.draw(1)
		}, []string{"error so-target-use-after-destroy"}},
		{"a dead target is told once for each slot, whatever else is wrong with the bind", true, func(s *calls) {
			target := s.target(64)
			require.NoError(s.t, s.c.DestroyStreamOutputTarget(target))
			s.set([]pipe.Handle{target}, appends)
			s.set([]pipe.Handle{target, target}, 96, 96)
		}, []string{"error so-target-dead", "error so-target-dead"}},
		{"an unknown target is not judged", true, func(s *calls) {
			s.shader(pipe.Vertex, 4, 4)
			s.set([]pipe.Handle{0x1234}, appends)
			s.draw(9)
			require.NoError(s.t, s.c.DestroyStreamOutputTarget(0x1234))
		}, nil},
		{"an offset near 2^32 that wraps with the vertex of the draw", false, func(s *calls) {
			target := s.target(64)
			s.set([]pipe.Handle{target}, 1<<32-16)
			s.shader(pipe.Vertex, 4, 4)
			s.draw(1)
		}, []string{"error so-set-offset-range"}},
		{"an offset near 2^32 that does not", false, func(s *calls) {
			target := s.target(64)
			s.set([]pipe.Handle{target}, 1<<32-20)
			s.shader(pipe.Vertex, 4, 4)
			s.draw(1)
		}, []string{"warning so-set-offset-range"}},
		{"more targets than slots say nothing of the rest", false, func(s *calls) {
			require.NoError(s.t, s.c.Driver.Do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: 3203391149,
				Targets: []pipe.Handle{s.target(64)}, Offsets: []uint32{0}}, Context: s.c.Handle}))
		}, []string{"error so-set-num-targets"}},
		{"NULL offsets do not make a later resume wrong", false, func(s *calls) {
			target := s.target(64)
			require.NoError(s.t, s.c.Driver.Do(&pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: 1,
				Targets: []pipe.Handle{target}}, Context: s.c.Handle}))
			s.set([]pipe.Handle{target}, appends)
		}, []string{"error so-set-null-arrays"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newCalls(t, test.trace, "")
			test.run(s)
			require.Equal(t, test.want, s.above())
		})
	}
}

func TestBeginWithoutEnd(t *testing.T) {
	for _, test := range []struct {
		name string
		last func(s *calls, target pipe.Handle)
		want bool
	}{
		{"bound at the end", func(*calls, pipe.Handle) {}, true},
		{"unbound", func(s *calls, _ pipe.Handle) { s.set(nil) }, false},
		{"the context went", func(s *calls, _ pipe.Handle) { require.NoError(s.t, s.c.Destroy()) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newCalls(t, true, "")
			target := s.target(64)
			s.set([]pipe.Handle{target}, 0)
			test.last(s, target)
			s.track.End(pipe.Pos{}, streamout.TraceEnd{Complete: true})
			found := false
			for _, f := range s.found {
				found = found || f.Rule.ID == "so-begin-without-end"
			}
			require.Equal(t, test.want, found)
		})
	}
}

func TestCleanBindDoesNotAllocate(t *testing.T) {
	s := newCalls(t, false, "")
	s.shader(pipe.Vertex, 4, 4)
	a, b := s.target(64), s.target(64)
	bind := &pipe.Op{Call: &pipe.SetStreamOutputTargets{NumTargets: 2, Targets: []pipe.Handle{a, b}, Offsets: []uint32{0, 0}}, Context: s.c.Handle}
	unbind := &pipe.Op{Call: &pipe.SetStreamOutputTargets{}, Context: s.c.Handle}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for _, op := range []*pipe.Op{bind, unbind} {
			s.track.Check(op)
			s.track.Record(op)
		}
	}))
	require.Empty(t, s.above())
}

// virgl's host goes on with a list of targets that it knows; one with a new
// target it does not.
func TestRestartOnVirgl(t *testing.T) {
	for name, fresh := range map[string]bool{"the same targets": false, "one is new": true} {
		t.Run(name, func(t *testing.T) {
			s := newCalls(t, false, "virgl")
			s.shader(pipe.Vertex, 4, 4)
			a := s.target(64)
			s.set([]pipe.Handle{a}, 0)
			s.draw(1)
			s.set(nil)
			targets := []pipe.Handle{a}
			if fresh {
				targets = append(targets, s.target(64))
			}
			s.set(targets, make([]uint32, len(targets))...)
			if fresh {
				require.Empty(t, s.above())
			} else {
				require.Equal(t, []string{"warning so-restart-reused-target"}, s.above())
			}
		})
	}
}
