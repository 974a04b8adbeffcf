package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// queries are about the making and running of the queries that stream output
// counts for.
func queries() []*streamout.Rule {
	return []*streamout.Rule{
		soQueryIndexRange(),
		soQueryIndexCap(),
		soQueryIndexNonzeroAny(),
		soQueryIndexNonstream(),
		soQueryUnsupported(),
		soQueryUnbalanced(),
		soQueryStreamUnused(),
		soQuerySpansBind(),
		soRenderConditionSO(),
		soPrimgenVsDiscard(),
	}
}

const (
	srcQuery   = "docs/gallium/context.rst: Queries"
	srcLPQuery = "src/gallium/drivers/llvmpipe/lp_query.c: llvmpipe_begin_query"
)

// counts says whether stream output counts for queries of the type.
func counts(t pipe.QueryType) bool { return t.PerStream() || t == pipe.QueryStreamOutputOverflowAny }

func (s *scene) query(t pipe.QueryType, index uint32) pipe.Handle {
	return s.do(&pipe.CreateQuery{Type: t, Index: index})
}

func (s *scene) begin(q pipe.Handle) { s.do(&pipe.BeginQuery{Query: q}) }
func (s *scene) end(q pipe.Handle)   { s.do(&pipe.EndQuery{Query: q}) }

func soQueryIndexRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-index-range",
		Title:     "a query of a vertex stream that does not exist",
		Severity:  streamout.Error,
		Condition: "a query of a vertex stream is made with an index above 3",
		Why:       "softpipe and llvmpipe index an array of four counters with it and read past its end",
		Fix:       "use the index of a vertex stream, 0 to 3",
		Sources:   []string{srcLPQuery, "VUID-vkCmdBeginQueryIndexedEXT-queryType-02339"},
		On:        streamout.OnCreateQuery,
		Check: func(v *streamout.View) {
			if q := v.Op.Call.(*pipe.CreateQuery); q.Type.PerStream() && q.Index >= pipe.MaxVertexStreams {
				v.Report("index", "index of a query of type %v is %d, at most %d", q.Type, q.Index, pipe.MaxVertexStreams-1)
			}
		},
		Bad:  play(func(s *scene) { s.query(pipe.QueryPrimitivesEmitted, 4) }),
		Good: play(func(s *scene) { s.query(pipe.QueryPrimitivesEmitted, 3) }),
	}
}

func soQueryIndexCap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-index-cap",
		Title:     "a query of a vertex stream that the driver does not have",
		Severity:  streamout.Warning,
		Condition: "a query of a vertex stream is made with an index that PIPE_CAP_MAX_VERTEX_STREAMS does not allow",
		Why:       "no shader can write the stream, so the query never counts",
		Fix:       "stay below the number of streams of the driver",
		Sources:   []string{"docs/gallium/screen.rst: PIPE_CAP_MAX_VERTEX_STREAMS"},
		On:        streamout.OnCreateQuery,
		Check: func(v *streamout.View) {
			q, streams := v.Op.Call.(*pipe.CreateQuery), v.Caps().VertexStreams
			if q.Type.PerStream() && q.Index < pipe.MaxVertexStreams && streams.Known && q.Index >= max(streams.Value, 1) {
				v.Report("index", "index of a query of type %v is %d, but PIPE_CAP_MAX_VERTEX_STREAMS is %d", q.Type, q.Index, streams.Value).OnStream(int(q.Index))
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_VERTEX_STREAMS", 1)
			s.query(pipe.QueryPrimitivesEmitted, 1)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_VERTEX_STREAMS", 4)
			s.query(pipe.QueryPrimitivesEmitted, 1)
		}),
	}
}

func soQueryIndexNonzeroAny() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-index-nonzero-any",
		Title:     "an index for the overflow of any stream",
		Severity:  streamout.Note,
		Condition: "a query of the overflow of any stream is made with an index other than 0",
		Why:       "the query is about all streams: the index is ignored",
		Fix:       "use PIPE_QUERY_SO_OVERFLOW_PREDICATE for one stream, or leave the index 0",
		Sources:   []string{srcQuery},
		On:        streamout.OnCreateQuery,
		Check: func(v *streamout.View) {
			if q := v.Op.Call.(*pipe.CreateQuery); q.Type == pipe.QueryStreamOutputOverflowAny && q.Index != 0 {
				v.Report("index", "index is %d, but the query covers all streams", q.Index)
			}
		},
		Bad:  play(func(s *scene) { s.query(pipe.QueryStreamOutputOverflowAny, 1) }),
		Good: play(func(s *scene) { s.query(pipe.QueryStreamOutputOverflow, 1) }),
	}
}

func soQueryIndexNonstream() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-index-nonstream",
		Title:     "an index for a query that has none",
		Severity:  streamout.Note,
		Condition: "an occlusion or time query is made with an index other than 0",
		Why:       "the index is ignored",
		Fix:       "leave the index 0",
		Sources:   []string{srcQuery},
		On:        streamout.OnCreateQuery,
		Check: func(v *streamout.View) {
			q := v.Op.Call.(*pipe.CreateQuery)
			if q.Index == 0 || counts(q.Type) || q.Type >= pipe.QueryPipelineStatistics {
				return
			}
			v.Report("index", "index is %d, but a query of type %v has none", q.Index, q.Type)
		},
		Bad:  play(func(s *scene) { s.query(pipe.QueryOcclusionCounter, 1) }),
		Good: play(func(s *scene) { s.query(pipe.QueryPipelineStatistics, 1) }),
	}
}

func soQueryUnsupported() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-unsupported",
		Title:     "an overflow query that the driver does not have",
		Severity:  streamout.Error,
		Condition: "a query of the overflow of stream output is made on a driver whose PIPE_CAP_QUERY_SO_OVERFLOW is 0",
		Why:       "create_query returns NULL or asserts",
		Fix:       "ask for the capability first; compare the generated with the written primitives instead",
		Sources:   []string{"docs/gallium/screen.rst: PIPE_CAP_QUERY_SO_OVERFLOW"},
		On:        streamout.OnCreateQuery,
		Check: func(v *streamout.View) {
			q := v.Op.Call.(*pipe.CreateQuery)
			if (q.Type == pipe.QueryStreamOutputOverflow || q.Type == pipe.QueryStreamOutputOverflowAny) && v.Caps().QueryOverflow.IsFalse() {
				v.Report("query_type", "the query is of type %v, but PIPE_CAP_QUERY_SO_OVERFLOW is 0", q.Type)
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_QUERY_SO_OVERFLOW", 0)
			s.query(pipe.QueryStreamOutputOverflow, 0)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_QUERY_SO_OVERFLOW", 1)
			s.query(pipe.QueryStreamOutputOverflow, 0)
		}),
	}
}

func soQueryUnbalanced() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-query-unbalanced",
		Title:    "begin and end of a query that do not pair",
		Severity: streamout.Error,
		Order:    true,
		Condition: "a query of stream output is begun while it runs, or begun or ended after it was destroyed; a warning when it is ended " +
			"without a begin, destroyed while it runs, or begun while another of its type and index runs in the context",
		Why: "drivers count what runs: after a second begin the number never comes back to 0, and llvmpipe collects primitives for " +
			"ever; an end without a begin subtracts a start that was never taken",
		Fix:     "begin once, then end once",
		Sources: []string{srcLPQuery, "D3D11 debug layer: QUERY_BEGIN_DUPLICATE, QUERY_END_WITHOUT_BEGIN, QUERY_BEGIN_ABANDONING_PREVIOUS_RESULTS"},
		On:      streamout.OnQuery,
		Check: func(v *streamout.View) {
			switch call := v.Op.Call.(type) {
			case *pipe.BeginQuery:
				if q := countingQuery(v, call.Query, "begun"); q != nil {
					checkBegin(v, q)
				}
			case *pipe.EndQuery:
				if q := countingQuery(v, call.Query, "ended"); q != nil && !q.Active {
					v.About(&q.Object).ReportAs(streamout.Warning, "query", "%s of type %v is ended, but does not run", called(&q.Object), q.Type).
						With(q.Done, "%s was ended here", called(&q.Object))
				}
			case *pipe.DestroyQuery:
				q := v.State.Query(call.Query)
				if q != nil && counts(q.Type) && v.Clean(&q.Object) && q.Active && !q.Dead {
					v.About(&q.Object).ReportAs(streamout.Warning, "query", "%s of type %v is destroyed while it runs", called(&q.Object), q.Type).
						With(q.Begun, "%s was begun here", called(&q.Object))
				}
			}
		},
		Bad: play(func(s *scene) {
			q := s.query(pipe.QueryPrimitivesGenerated, 0)
			s.begin(q)
			s.begin(q)
		}),
		Good: play(func(s *scene) {
			q := s.query(pipe.QueryPrimitivesGenerated, 0)
			s.begin(q)
			s.end(q)
			s.begin(q)
			s.end(q)
		}),
	}
}

// countingQuery returns the query of stream output that is begun or ended, nil
// when it is none, is faulty, or was destroyed, which it reports.
func countingQuery(v *streamout.View, h pipe.Handle, what string) *state.Query {
	q := v.State.Query(h)
	if q == nil || !counts(q.Type) || !v.Clean(&q.Object) {
		return nil
	}
	if q.Dead && !q.Replaced {
		v.About(&q.Object).Report("query", "%s of type %v is %s after it was destroyed", called(&q.Object), q.Type, what).
			With(q.Ended, "%s was destroyed here", called(&q.Object))
		return nil
	}
	return q
}

func checkBegin(v *streamout.View, q *state.Query) {
	if q.Active {
		v.About(&q.Object).Report("query", "%s of type %v is begun while it runs", called(&q.Object), q.Type).
			With(q.Begun, "%s was begun here", called(&q.Object))
		return
	}
	if v.Context == nil {
		return
	}
	for _, o := range v.Context.ActiveQueries {
		if o.Type == q.Type && o.Index == q.Index {
			v.About(&q.Object).ReportAs(streamout.Warning, "query", "%s is begun while %s of the same type %v and index %d runs", called(&q.Object),
				called(&o.Object), q.Type, q.Index).With(o.Begun, "%s was begun here", called(&o.Object))
			return
		}
	}
}

// ending returns the query of stream output that the operation ends, with its
// counts, nil when it ends none or it did not run from a begin that was seen.
func ending(v *streamout.View) *state.Query {
	call, ok := v.Op.Call.(*pipe.EndQuery)
	if !ok || v.Context == nil {
		return nil
	}
	q := v.State.Query(call.Query)
	if q == nil || !q.Active || !counts(q.Type) || !v.Clean(&q.Object) {
		return nil
	}
	return q
}

func soQueryStreamUnused() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-query-stream-unused",
		Title:    "a query of a stream that nothing is captured of",
		Severity: streamout.Warning,
		Order:    true,
		Condition: "draws ran in a query of written primitives, statistics or overflow, and none captured its stream; a warning " +
			"when one captured another stream, else a note; a note, too, when it was begun with queries like it for all other streams",
		Why: "nothing of the stream is written and nothing overflows, whatever was drawn; the draw module counts primitives of such a " +
			"stream of a geometry shader as written all the same",
		Fix:     "query the stream that outputs are captured of, or bind targets before the draws",
		Sources: []string{srcQuery, srcEmit},
		On:      streamout.OnQuery,
		If:      streamout.IfEnds,
		Check: func(v *streamout.View) {
			q := ending(v)
			if q == nil || q.Type == pipe.QueryPrimitivesGenerated || q.Counts.Captures > 0 || q.Index >= pipe.MaxVertexStreams {
				return
			}
			weight := streamout.Note
			if q.Counts.Others > 0 {
				if !oneOfAll(v, q) {
					weight = streamout.Warning
				}
			} else if v.Faulty(q.Counts.BeginDraws) || !v.Context.Whole {
				return // why nothing was captured has been told, or a target may be bound that was not seen
			}
			if n := v.Context.Draws - q.Counts.BeginDraws; n > 0 {
				v.About(&q.Object).ReportAs(weight, "query", "%s of type %v and index %d ends after %s that did not capture its stream", called(&q.Object), q.Type, q.Index, plural(n, "draw")).
					OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
			}
		},
		Bad: play(func(s *scene) {
			s.capture(64)
			q := s.query(pipe.QueryPrimitivesEmitted, 1)
			s.begin(q)
			s.draw(pipe.Points, 1)
			s.end(q)
		}),
		Good: play(func(s *scene) {
			s.capture(64)
			q := s.query(pipe.QueryPrimitivesEmitted, 0)
			s.begin(q)
			s.draw(pipe.Points, 1)
			s.end(q)
		}),
	}
}

// oneOfAll says whether queries like q were begun with it for all streams, one of
// them captured: who asks about every stream, as Vulkan must to learn of an
// overflow of any, does not take q's stream to be captured.
func oneOfAll(v *streamout.View, q *state.Query) bool {
	asked, captured := uint8(1)<<q.Index, false
	for o := range v.State.Queries {
		if o.Type == q.Type && o.Index < pipe.MaxVertexStreams && o.Context == q.Context && o.Counts.Seen &&
			o.Counts.BeginDraws == q.Counts.BeginDraws {
			asked |= 1 << o.Index
			captured = captured || o.Counts.Captures > 0
		}
	}
	return captured && asked == 1<<pipe.MaxVertexStreams-1
}

func soQuerySpansBind() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-query-spans-bind",
		Title:     "a query over captures into different buffers",
		Severity:  streamout.Note,
		Condition: "the buffers that the stream of a query writes change between its begin and its end",
		Why:       "the query sums captures that are not one",
		Fix:       "nothing, if the sum is wanted",
		Sources:   []string{srcQuery},
		On:        streamout.OnQuery,
		If:        streamout.IfEnds,
		Check: func(v *streamout.View) {
			if q := ending(v); q != nil && q.Counts.Remapped {
				v.Report("query", "%s of type %v sums captures of stream %d into different buffers", called(&q.Object), q.Type, q.Index).
					OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
			}
		},
		Bad:  play(func(s *scene) { spans(s, 1) }),
		Good: play(func(s *scene) { spans(s, 0) }),
	}
}

// spans captures into buffer 0 and then into another, within one query.
func spans(s *scene, second uint64) {
	q := s.query(pipe.QueryPrimitivesEmitted, 0)
	s.begin(q)
	s.capture(64)
	s.draw(pipe.Points, 1)
	s.unbind()
	stride := strides{}
	stride[second] = 4
	s.vs(stride, out(0, 0, 4, second, 0, 0))
	s.set(0, s.fresh(64), s.fresh(64))
	s.draw(pipe.Points, 1)
	s.end(q)
}

func soRenderConditionSO() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-render-condition-so",
		Title:     "drawing depends on an overflow query that still runs",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "render_condition is given an overflow query between its begin and its end",
		Why:       "the query has no result yet: drivers wait for ever, draw at random or assert",
		Fix:       "end the query first",
		Sources:   []string{"docs/gallium/context.rst: Conditional Rendering"},
		On:        streamout.OnCondition,
		Check: func(v *streamout.View) {
			q := v.State.Query(v.Op.Call.(*pipe.RenderCondition).Query)
			if q != nil && q.Active && v.Clean(&q.Object) && (q.Type == pipe.QueryStreamOutputOverflow || q.Type == pipe.QueryStreamOutputOverflowAny) {
				v.About(&q.Object).Report("query", "%s of type %v still runs", called(&q.Object), q.Type).With(q.Begun, "%s was begun here", called(&q.Object))
			}
		},
		Bad: play(func(s *scene) {
			q := s.query(pipe.QueryStreamOutputOverflow, 0)
			s.begin(q)
			s.do(&pipe.RenderCondition{Query: q})
		}),
		Good: play(func(s *scene) {
			q := s.query(pipe.QueryStreamOutputOverflow, 0)
			s.begin(q)
			s.end(q)
			s.do(&pipe.RenderCondition{Query: q})
		}),
	}
}

func soPrimgenVsDiscard() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-primgen-vs-discard",
		Title:     "generated primitives counted without capture and rasterization",
		Severity:  streamout.Note,
		Condition: "a draw runs in a query of generated primitives with rasterizer_discard on and nothing captured",
		Why: "nothing but the counter asks for the primitives: Vulkan counts them only with primitivesGeneratedQueryWithRasterizerDiscard, " +
			"and softpipe not at all",
		Fix:     "turn rasterizer_discard off where the count matters",
		Sources: []string{"VUID-vkCmdDraw-primitivesGeneratedQueryWithRasterizerDiscard-06708", "src/gallium/drivers/zink/zink_query.c"},
		On:      streamout.OnDrawState,
		If:      streamout.IfNoTarget,
		Check: func(v *streamout.View) {
			c := v.Context
			if len(c.ActiveQueries) == 0 {
				return
			}
			if r := c.RasterizerState(); r == nil || !r.RasterizerDiscard {
				return
			}
			for _, q := range c.ActiveQueries {
				if q.Type == pipe.QueryPrimitivesGenerated {
					v.Report("", "%s counts generated primitives while rasterizer_discard is on and nothing is captured", called(&q.Object)).
						OnStream(int(q.Index)).With(q.Begun, "%s was begun here", called(&q.Object))
					return
				}
			}
		},
		Bad:  play(func(s *scene) { primgen(s, true) }),
		Good: play(func(s *scene) { primgen(s, false) }),
	}
}

func primgen(s *scene, discard bool) {
	s.vs(strides{})
	s.rasterizer(pipe.RasterizerState{RasterizerDiscard: discard})
	s.begin(s.query(pipe.QueryPrimitivesGenerated, 0))
	s.draw(pipe.Points, 1)
}
