package main

import (
	"fmt"
	"io"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// tracedDepthStencil is a state that a trace creates.
type tracedDepthStencil struct {
	state   cso.DepthStencilState
	call    uint64 // of the first create
	line    int    // of that call
	method  string
	handle  pipe.Handle
	creates int
	misfit  *pipe.Misfit // a number that its field cannot hold, which state lacks
}

// validate says why the state cannot be spoken of.
func (s *tracedDepthStencil) validate() error {
	if s.misfit != nil {
		return fmt.Errorf("%s is %d, which %d bits cannot hold", s.misfit.Path, s.misfit.Value, s.misfit.Bits)
	}
	return s.state.Validate()
}

// showTrace prints each distinct state that a trace creates, before and after
// in the context that flags gave.
func (f *depthStencilFlags) showTrace(r *trace.Reader, name string, w io.Writer, q cso.DepthStencilCase) error {
	states, creates, err := readDepthStencil(r)
	if err != nil {
		return err
	}
	effective := map[string]bool{}
	for _, s := range states {
		q.State = s.state
		if s.validate() == nil {
			r, err := cso.SanitiseDepthStencil(&q.State, &q.Context)
			if err != nil {
				return err
			}
			effective[string(r.State.AppendCanonical(nil))] = true
		}
		if f.format == "json" {
			err = s.writeJSON(w, name, &q)
		} else {
			err = s.writeText(w, name, &q)
		}
		if err != nil {
			return err
		}
	}
	if f.format == "text" {
		_, err = fmt.Fprintf(w, "%s: depth/stencil states: %d created, %d distinct, %d when sanitised\n", name, creates, len(states), len(effective))
	}
	return err
}

// writeText prints one state. One that no driver could be given is said to be so.
func (s *tracedDepthStencil) writeText(w io.Writer, name string, q *cso.DepthStencilCase) error {
	times := ""
	if s.creates > 1 {
		times = fmt.Sprintf(", created %d times", s.creates)
	}
	if _, err := fmt.Fprintf(w, "%s:%d: call %d: %v%s\n", name, s.line, s.call, s.handle, times); err != nil {
		return err
	}
	if err := s.validate(); err != nil {
		_, err = fmt.Fprintf(w, "invalid    %v\n\n", err)
		return err
	}
	if err := q.WriteText(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (s *tracedDepthStencil) writeJSON(w io.Writer, name string, q *cso.DepthStencilCase) error {
	line := struct {
		Schema  string `json:"schema"`
		Type    string `json:"type"`
		Trace   string `json:"trace"`
		Call    uint64 `json:"call"`
		Line    int    `json:"line"`
		Method  string `json:"method"`
		Handle  string `json:"handle"`
		Creates int    `json:"creates"`
		Error   string `json:"error,omitempty"`
		*cso.DepthStencilAnswer
	}{Schema: dump.Schema, Type: "depthstencil", Trace: name, Call: s.call, Line: s.line, Method: s.method, Handle: s.handle.String(), Creates: s.creates}
	if err := s.validate(); err != nil {
		line.Error = err.Error()
	} else if line.DepthStencilAnswer, err = q.Answer(); err != nil {
		return err
	} else {
		line.Asked(&s.state)
	}
	return dump.WriteJSON(w, line)
}

// readDepthStencil returns the distinct states that a trace creates, in order,
// and how often it creates one.
func readDepthStencil(r *trace.Reader) (states []*tracedDepthStencil, creates int, err error) {
	var d trace.Decoder
	var op pipe.Op
	seen := map[string]*tracedDepthStencil{}
	for rec, err := range r.Records() {
		if err != nil {
			return nil, 0, err
		}
		if rec.Open || !d.Decode(rec, &op) {
			continue
		}
		call, ok := op.Call.(*pipe.CreateDepthStencilAlpha)
		if !ok {
			continue
		}
		creates++
		s := &tracedDepthStencil{call: rec.No, line: rec.Pos.Line, method: rec.Method, handle: op.Ret.Handle}
		s.state.DepthStencilAlphaState = call.State
		key := string(s.state.AppendCanonical(nil))
		if len(op.Raw.Misfits) > 0 {
			misfit := op.Raw.Misfits[0]
			s.misfit = &misfit
			key = s.validate().Error() + key
		}
		if seen[key] == nil {
			seen[key] = s
			states = append(states, s)
		}
		seen[key].creates++
	}
	if e := r.Ending(); e.Headers == 0 && e.Calls == 0 {
		return nil, 0, errNoTrace
	}
	return states, creates, nil
}
