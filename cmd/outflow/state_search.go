package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/trace"
)

// stateSearch follows a trace to the call that is asked for.
type stateSearch struct {
	flags   *stateFlags
	name    string
	decoder trace.Decoder
	op      pipe.Op
	machine *state.Machine
	current *state.Context                 // of the last call that has one
	sets    map[uint64]map[string]state.At // by the context's serial
	texts   map[uint64][]byte              // of shaders, by their serial
	buffers dump.Buffers
	draws   uint64
	calls   uint64 // whole ones and the open one
	found   dump.Object
	lines   []int // of the calls of that number

	// A call waits until the next one is there, for it may be the last. Its batch
	// is held as long.
	waiting *trace.Record
	held    *trace.Batch
	header  bool // one followed the waiting call
}

func newStateSearch(f *stateFlags, name string) *stateSearch {
	return &stateSearch{flags: f, name: name, machine: state.New(),
		sets: map[uint64]map[string]state.At{}, texts: map[uint64][]byte{}}
}

// over says that nothing later can matter. A number may come again, so it never
// is while one is looked for.
func (s *stateSearch) over() bool {
	return s.found != nil && (s.flags.draw != 0 || s.flags.line != 0)
}

// follow reads the trace as far as it matters.
func (s *stateSearch) follow(r *trace.Reader) error {
	for !s.over() {
		b, err := r.Next()
		if err == io.EOF {
			s.release(false)
			return nil
		}
		if err != nil {
			return err
		}
		for i := range b.Records {
			s.take(&b.Records[i])
		}
		if s.waiting != nil && s.held == nil {
			s.held = b
		} else {
			b.Release()
		}
	}
	return nil
}

// take takes one record: calls wait, of the rest only headers matter.
func (s *stateSearch) take(rec *trace.Record) {
	switch rec.Kind {
	case trace.CallRecord, trace.MalformedRecord:
		s.release(true)
		s.waiting = rec
	case trace.HeaderRecord:
		s.header = true
	}
}

// release carries out the call that waits, and says whether another follows.
func (s *stateSearch) release(follows bool) {
	if s.waiting != nil {
		s.see(s.waiting, !follows)
		s.waiting = nil
	}
	if s.header && follows && s.calls > 0 {
		s.newWorld()
	}
	s.header = false
	if s.held != nil {
		s.held.Release()
		s.held = nil
	}
}

// newWorld forgets everything: a new trace begins in the file.
func (s *stateSearch) newWorld() {
	header := trace.Record{Kind: trace.HeaderRecord}
	if s.decoder.Decode(&header, &s.op) {
		s.machine.Apply(&s.op)
		s.buffers.See(&s.op, s.machine)
	}
	s.current = nil
	clear(s.sets)
	clear(s.texts)
}

// see takes one call, the last of all or not.
func (s *stateSearch) see(rec *trace.Record, last bool) {
	s.calls++
	draw := uint64(0)
	if strings.HasPrefix(rec.Method, "draw_") {
		s.draws++
		draw = s.draws
	}
	c := s.current
	decoded := s.decoder.Decode(rec, &s.op)
	if decoded {
		if of := s.machine.Before(&s.op); of != nil {
			c = of
		}
	}
	wanted := s.wants(rec, draw, last)
	if wanted && !s.flags.after {
		s.print(rec, draw, c)
	}
	if decoded && !rec.Open {
		c = s.apply(rec, c)
	}
	if wanted && s.flags.after {
		s.print(rec, draw, c)
	}
}

// wants says whether the call is the one that is looked for.
func (s *stateSearch) wants(rec *trace.Record, draw uint64, last bool) bool {
	f := s.flags
	switch {
	case f.last:
		return last
	case f.draw != 0:
		return draw == f.draw
	case f.line != 0 && uint64(rec.Pos.Line) != f.line:
		return false
	case f.line != 0 && f.call == 0:
		return true
	}
	if !rec.HasNo || rec.No != f.call {
		return false
	}
	s.lines = append(s.lines, rec.Pos.Line)
	return len(s.lines) == 1
}

// apply records what the call did, and returns the context that it leaves. One
// that it destroyed is still shown.
func (s *stateSearch) apply(rec *trace.Record, c *state.Context) *state.Context {
	world := s.machine.World
	s.machine.Apply(&s.op)
	if s.machine.World != world {
		c = nil
	}
	if s.flags.data {
		s.buffers.See(&s.op, s.machine)
	}
	if call, ok := s.op.Call.(*pipe.CreateShader); ok {
		s.keepText(call)
	}
	s.current = c
	if c == nil || s.op.Context == 0 {
		return c
	}
	if strings.HasPrefix(rec.Method, "set_") || rec.Method == "current_framebuffer_state" {
		of := s.sets[c.Serial]
		if of == nil {
			of = map[string]state.At{}
			s.sets[c.Serial] = of
		}
		of[rec.Method] = state.At{No: rec.No, Pos: rec.Pos}
	}
	return c
}

// keepText keeps the text of a shader that may be asked for.
func (s *stateSearch) keepText(call *pipe.CreateShader) {
	if !s.flags.text {
		return
	}
	if of := s.machine.Shader(call.Stage, s.op.Ret.Handle); of != nil {
		s.texts[of.Serial] = bytes.Clone(call.State.Text())
	}
}

// print makes the state of the moment.
func (s *stateSearch) print(rec *trace.Record, draw uint64, c *state.Context) {
	q := &dump.StateQuery{Trace: s.name, Record: rec, Draw: draw, After: s.flags.after, Machine: s.machine, Context: c}
	if c != nil {
		q.Sets = s.sets[c.Serial]
	}
	if s.flags.text {
		q.Text = func(of *state.Shader) []byte { return s.texts[of.Serial] }
	}
	if s.flags.data {
		q.Buffers, q.Call = &s.buffers, s.op.Call
	}
	s.found = dump.StateOf(q)
}

// result returns the state that was found, or why there is none.
func (s *stateSearch) result() (dump.Object, error) {
	f := s.flags
	switch {
	case len(s.lines) > 1:
		return nil, ambiguous(f.call, s.lines)
	case s.found != nil:
		return s.found, nil
	case f.draw != 0:
		return nil, fmt.Errorf("there is no draw %d, the trace has %d", f.draw, s.draws)
	case f.line != 0 && f.call != 0:
		return nil, fmt.Errorf("no call %d begins on line %d", f.call, f.line)
	case f.line != 0:
		return nil, fmt.Errorf("no call begins on line %d", f.line)
	case f.last:
		return nil, fmt.Errorf("the trace has no call")
	}
	return nil, fmt.Errorf("there is no call %d, the trace has %d", f.call, s.calls)
}
