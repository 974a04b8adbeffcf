package streamout

import (
	"math"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// tally is what a query has counted since its begin, by vertex stream.
type tally struct {
	generated, written, needed, dropped [pipe.MaxVertexStreams]Count
}

// begin starts a query. What one counts that is begun twice is not known.
func (c *Capture) begin(call *pipe.BeginQuery) {
	switch q := c.machine.Query(call.Query); {
	case q == nil:
	case q.Active:
		delete(c.tallies, q)
	default:
		c.tallies[q] = &tally{}
	}
}

// count adds a draw to the queries that run.
func (c *Capture) count(ctx *state.Context, d *CapturedDraw) {
	for _, q := range ctx.ActiveQueries {
		t := c.tallies[q]
		if t == nil {
			continue
		}
		for s := range t.generated {
			generated, written, dropped, needed := d.Generated[s], d.Written[s], d.Dropped[s], d.Dropped[s]
			switch {
			case d.captured[s]:
				needed = generated
			case d.Capturing:
				// The draw module counts what a geometry shader emits to a stream
				// without outputs as written, where another is captured.
				written.High, needed.High = generated.High, generated.High
			}
			if ctx.QueriesPaused {
				generated, written, dropped, needed = generated.maybe(), written.maybe(), dropped.maybe(), needed.maybe()
			}
			t.generated[s] = t.generated[s].plus(generated)
			t.written[s] = t.written[s].plus(written)
			t.dropped[s] = t.dropped[s].plus(dropped)
			t.needed[s] = t.needed[s].plus(needed)
		}
	}
}

// disturb takes away the bound of what is generated: blits and clears may be
// drawn by a driver, and some count them.
func (c *Capture) disturb(ctx *state.Context) {
	for _, q := range ctx.ActiveQueries {
		if t := c.tallies[q]; t != nil {
			for s := range t.generated {
				t.generated[s].High = math.MaxUint64
			}
		}
	}
}

// mayDraw says whether a driver may carry out a call by drawing.
func mayDraw(call pipe.Call) bool {
	other, ok := call.(*pipe.Other)
	return !ok || other.Method == "blit" || other.Method == "generate_mipmap" || strings.HasPrefix(other.Method, "clear")
}

// queryResult predicts the result of a query of primitives, reports it, and
// gives it to a live one.
func (c *Capture) queryResult(op *pipe.Op, call *pipe.GetQueryResult) {
	q := c.machine.Query(call.Query)
	if q == nil || q.Active {
		return
	}
	p := QueryPrediction{Op: op, Query: q, Recorded: op.Ret.Query}
	if !c.predict(&p) {
		return
	}
	if !op.Ret.Known && p.Value.Known() && p.Needed.Known() {
		op.Ret = pipe.Result{Known: true, Value: 1, Query: pipe.QueryValue{Known: true, Value: p.Value.Low, Needed: p.Needed.Low}}
	}
	if c.options.Query != nil {
		c.options.Query(&p)
	}
}

// predict returns false for queries of other kinds, and such as were not seen to
// begin.
func (c *Capture) predict(p *QueryPrediction) bool {
	t := c.tallies[p.Query]
	if t == nil {
		return false
	}
	s := p.Query.Index
	if p.Query.Type.PerStream() && s >= pipe.MaxVertexStreams {
		return true // no such stream: nothing is counted
	}
	switch p.Query.Type {
	case pipe.QueryPrimitivesGenerated:
		p.Value = t.generated[s]
	case pipe.QueryPrimitivesEmitted:
		p.Value = t.written[s]
	case pipe.QueryStreamOutputStatistics:
		p.Value, p.Needed = t.written[s], t.needed[s]
	case pipe.QueryStreamOutputOverflow:
		p.Value = anyOf(t.dropped[s])
	case pipe.QueryStreamOutputOverflowAny:
		p.Value = anyOf(t.dropped[:]...)
	default:
		return false
	}
	return true
}

// anyOf returns whether any count is above zero, as 0 or 1.
func anyOf(counts ...Count) Count {
	var some Count
	for _, c := range counts {
		some.Low, some.High = max(some.Low, min(c.Low, 1)), max(some.High, min(c.High, 1))
	}
	return some
}
