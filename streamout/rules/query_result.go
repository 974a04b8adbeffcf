package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// queryResults are about the results that were read.
func queryResults() []*streamout.Rule {
	return []*streamout.Rule{
		soQueryResultEmittedGtGenerated(),
		soQueryResultPredicted(),
		soQueryResultMismatch(),
	}
}

// result returns the query that the operation read, and the value, nil when
// there was none to read or the begin of the query was not seen.
func result(v *streamout.View) (*state.Query, pipe.QueryValue) {
	call, ok := v.Op.Call.(*pipe.GetQueryResult)
	value := v.Op.Ret.Query
	if !ok || !value.Known || value.Composite {
		return nil, value
	}
	q := v.State.Query(call.Query)
	if q == nil || q.Active || !q.Counts.Seen || !counts(q.Type) || !v.Clean(&q.Object) {
		return nil, value
	}
	return q, value
}

// scope are the results of the queries of one stream over the same draws.
type scope struct {
	emitted, generated, statistics, overflow *state.Query
	// value replaces the stored result of read, which is being read.
	read  *state.Query
	value pipe.QueryValue
}

// scopeOf gathers what was read of the queries that ran with q.
func scopeOf(v *streamout.View, q *state.Query, value pipe.QueryValue) scope {
	s := scope{read: q, value: value}
	for o := range v.State.Queries {
		if o.Index != q.Index || !s.covers(o) {
			continue
		}
		switch o.Type {
		case pipe.QueryPrimitivesEmitted:
			s.emitted = s.latest(s.emitted, o)
		case pipe.QueryPrimitivesGenerated:
			s.generated = s.latest(s.generated, o)
		case pipe.QueryStreamOutputStatistics:
			s.statistics = s.latest(s.statistics, o)
		case pipe.QueryStreamOutputOverflow:
			s.overflow = s.latest(s.overflow, o)
		}
	}
	return s
}

// covers says whether a query has a result over the same draws.
func (s *scope) covers(o *state.Query) bool {
	q := s.read
	return o == q || o.Result.Known && !o.Active && o.Counts.Seen && o.Context == q.Context &&
		o.Counts.BeginDraws == q.Counts.BeginDraws && o.Counts.EndDraws == q.Counts.EndDraws
}

// latest is the query that is being read if it is one of the two, else the one
// made last.
func (s *scope) latest(a, b *state.Query) *state.Query {
	if a == nil || b == s.read || a != s.read && b.Serial > a.Serial {
		return b
	}
	return a
}

func (s *scope) of(q *state.Query) pipe.QueryValue {
	if q == s.read {
		return s.value
	}
	return q.Result
}

func soQueryResultEmittedGtGenerated() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-result-emitted-gt-generated",
		Title:     "more primitives written than generated",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "the written primitives that a query returned are more than the generated ones of the same stream over the same draws",
		Why:       "only generated primitives can be written: one of the driver's counters is wrong",
		Fix:       "look for the counter that misses a path: a stream, a pause, an instance",
		Sources:   []string{srcQuery, "OpenGL 4.6 13.4"},
		On:        streamout.OnQueryResult,
		Check: func(v *streamout.View) {
			q, value := result(v)
			if q == nil {
				return
			}
			if q.Type == pipe.QueryStreamOutputStatistics {
				if value.Value > value.Needed {
					v.Report("result", "%s returns %s written of %d that storage was needed for", called(&q.Object), plural(value.Value, "primitive"), value.Needed).
						OnStream(int(q.Index))
				}
				return
			}
			if q.Type != pipe.QueryPrimitivesEmitted && q.Type != pipe.QueryPrimitivesGenerated {
				return
			}
			s := scopeOf(v, q, value)
			if s.emitted == nil || s.generated == nil || s.of(s.emitted).Value <= s.of(s.generated).Value {
				return
			}
			v.Report("result", "%s returns %s written, %s over the same draws %d generated", called(&s.emitted.Object),
				plural(s.of(s.emitted).Value, "primitive"), called(&s.generated.Object), s.of(s.generated).Value).OnStream(int(q.Index))
		},
		Bad:  play(func(s *scene) { s.counted(2, 1, 0) }),
		Good: play(func(s *scene) { s.counted(2, 2, 0) }),
	}
}

// counted runs queries over a draw of a geometry shader, whose primitives are
// not known, and reads them: written, generated, and with overflow above 0 the
// overflow less 1.
func (s *scene) counted(written, generated, overflow uint64) {
	s.shader(pipe.Vertex, info(strides{}))
	s.shader(pipe.Geometry, info(strides{4}, out(0, 0, 4, 0, 0, 0)))
	s.set(0, s.fresh(256))
	w, g := s.query(pipe.QueryPrimitivesEmitted, 0), s.query(pipe.QueryPrimitivesGenerated, 0)
	o := s.query(pipe.QueryStreamOutputOverflow, 0)
	for _, q := range []pipe.Handle{w, g, o} {
		s.begin(q)
	}
	s.draw(pipe.Points, 2)
	for _, q := range []pipe.Handle{w, g, o} {
		s.end(q)
	}
	s.read(w, pipe.QueryValue{Value: written})
	s.read(g, pipe.QueryValue{Value: generated})
	if overflow > 0 {
		s.read(o, pipe.QueryValue{Value: overflow - 1})
	}
}

// read reads a query whose result is the value.
func (s *scene) read(q pipe.Handle, value pipe.QueryValue) {
	value.Known = true
	s.send(&pipe.Op{Call: &pipe.GetQueryResult{Query: q, Wait: true}, Ret: pipe.Result{Value: 1, Query: value, Known: true}})
}

func soQueryResultPredicted() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-query-result-predicted",
		Title:    "a result that the draws do not explain",
		Severity: streamout.Warning,
		Order:    true,
		Condition: "the result of a query differs from the primitives that its draws must have given, where those are known: no " +
			"geometry or tessellation shader, no indirect draw, room in the targets that all drivers measure alike, a context that was seen " +
			"from its start; what is written of a stream is not known while others are captured without it",
		Why: "the driver counted wrong, or captured more or less than was drawn; softpipe counts generated primitives only " +
			"while a target is bound",
		Fix:     "compare what lies in the targets with the number of vertices drawn",
		Sources: []string{srcQuery, srcEmit, "OpenGL 4.6 13.4"},
		On:      streamout.OnQueryResult,
		Check: func(v *streamout.View) {
			q, value := result(v)
			if q == nil || v.Reported("so-query-result-emitted-gt-generated") || v.Faulty(q.Counts.BeginDraws) ||
				v.Context == nil || !v.Context.Whole {
				return
			}
			predict(v, q, value)
		},
		Bad: play(func(s *scene) {
			s.capture(64)
			q := s.query(pipe.QueryPrimitivesEmitted, 0)
			s.begin(q)
			s.draw(pipe.Points, 9)
			s.end(q)
			s.read(q, pipe.QueryValue{Value: 9})
		}),
		Good: play(func(s *scene) {
			s.capture(64)
			q := s.query(pipe.QueryPrimitivesEmitted, 0)
			s.begin(q)
			s.draw(pipe.Points, 9)
			s.end(q)
			s.read(q, pipe.QueryValue{Value: 4})
		}),
	}
}

// predict compares a result with the counts that are known.
func predict(v *streamout.View, q *state.Query, value pipe.QueryValue) {
	written, generated := q.Counts.Written, q.Counts.Generated
	draws := plural(q.Counts.EndDraws-q.Counts.BeginDraws, "draw")
	switch q.Type {
	case pipe.QueryPrimitivesEmitted, pipe.QueryStreamOutputStatistics:
		// The draw module counts as written what a geometry shader emits to a
		// stream without outputs, where another is captured.
		if written.Known && value.Value != written.Count && q.Counts.Others == 0 {
			v.Report("result", "%s returns %s written, where its %s should write %d", called(&q.Object), plural(value.Value, "primitive"), draws, written.Count).
				OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
		}
	case pipe.QueryPrimitivesGenerated:
		if generated.Known && value.Value != generated.Count {
			v.Report("result", "%s returns %s generated, where its %s should make %d", called(&q.Object), plural(value.Value, "primitive"), draws, generated.Count).
				OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
		}
	case pipe.QueryStreamOutputOverflow:
		if written.Known && generated.Known && alwaysCaptures(q) && (value.Value != 0) != (generated.Count > written.Count) {
			v.Report("result", "%s returns overflow %d, where its %s should make %s and write %d", called(&q.Object), value.Value, draws,
				plural(generated.Count, "primitive"), written.Count).OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
		}
	}
}

// alwaysCaptures says whether every draw of the query captured its stream: the
// primitives of others are generated and not written without an overflow.
func alwaysCaptures(q *state.Query) bool {
	return q.Counts.Captures == q.Counts.EndDraws-q.Counts.BeginDraws
}

func soQueryResultMismatch() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-query-result-mismatch",
		Title:    "results over the same draws that contradict each other",
		Severity: streamout.Warning,
		Order:    true,
		Condition: "the overflow that was returned is not whether more primitives were generated than written of the same stream over the " +
			"same draws, all of which capture it, or is one of a stream where that of any stream is none, or the written primitives of " +
			"statistics are not those of the query of written ones",
		Why: "one of the counters is wrong; llvmpipe takes the overflow from a counter that also counts without stream output while a " +
			"query of generated primitives runs",
		Fix:     "compare the two counters instead of asking for the overflow",
		Sources: []string{"src/gallium/auxiliary/draw/draw_pt_so_emit.c", "src/gallium/drivers/llvmpipe/lp_query.c: llvmpipe_get_query_result"},
		On:      streamout.OnQueryResult,
		Check: func(v *streamout.View) {
			q, value := result(v)
			if q == nil || v.Reported("so-query-result-emitted-gt-generated", "so-query-result-predicted") {
				return
			}
			s := scopeOf(v, q, value)
			s.compare(v)
			if !v.Reported("so-query-result-mismatch") {
				s.compareAny(v)
			}
		},
		Bad:  play(func(s *scene) { s.counted(1, 2, 1) }),
		Good: play(func(s *scene) { s.counted(1, 2, 2) }),
	}
}

func (s *scope) compare(v *streamout.View) {
	stream := int(s.read.Index)
	if s.statistics != nil && s.emitted != nil && s.of(s.statistics).Value != s.of(s.emitted).Value {
		v.Report("result", "%s returns %s written, %s over the same draws %d", called(&s.statistics.Object), plural(s.of(s.statistics).Value, "primitive"),
			called(&s.emitted.Object), s.of(s.emitted).Value).OnStream(stream)
		return
	}
	if s.overflow == nil || !alwaysCaptures(s.overflow) {
		return
	}
	overflow := s.of(s.overflow).Value
	switch {
	case s.emitted != nil && s.generated != nil && (overflow != 0) != (s.of(s.generated).Value > s.of(s.emitted).Value):
		v.Report("result", "%s returns overflow %d, but of %d generated primitives %d were written over the same draws", called(&s.overflow.Object), overflow,
			s.of(s.generated).Value, s.of(s.emitted).Value).OnStream(stream)
	case s.statistics != nil && (overflow != 0) != (s.of(s.statistics).Needed > s.of(s.statistics).Value):
		v.Report("result", "%s returns overflow %d, but of %d primitives that storage was needed for %d were written over the same draws", called(&s.overflow.Object),
			overflow, s.of(s.statistics).Needed, s.of(s.statistics).Value).OnStream(stream)
	}
}

// compareAny holds the overflow of any stream against those of each.
func (s *scope) compareAny(v *streamout.View) {
	var all, one *state.Query
	for o := range v.State.Queries {
		if !s.covers(o) {
			continue
		}
		switch {
		case o.Type == pipe.QueryStreamOutputOverflowAny:
			all = s.latest(all, o)
		case o.Type == pipe.QueryStreamOutputOverflow && s.of(o).Value != 0:
			one = s.latest(one, o)
		}
	}
	if all != nil && one != nil && s.of(all).Value == 0 {
		v.Report("result", "%s returns no overflow of any stream, %s over the same draws one of stream %d", called(&all.Object),
			called(&one.Object), one.Index).OnStream(int(one.Index))
	}
}
