package state

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// QueryCounts is what a query's stream did between its begin and its end, as
// far as it is known.
type QueryCounts struct {
	// Seen says that the begin was: without it nothing else is known.
	Seen bool
	// BeginDraws and EndDraws are the context's number of draws at begin and end:
	// queries with equal numbers span the same draws.
	BeginDraws, EndDraws uint64
	// Written and Generated are primitives of the query's stream; draws without
	// stream output generate as well.
	Written, Generated Primitives
	// Captures counts the draws that captured the stream, or may have; for a query
	// of all streams those that captured any.
	Captures uint64
	// Others counts the draws that captured, but not the stream.
	Others uint64
	// Buffers are the slots that the stream wrote in the last of them, slot 0 in
	// bit 0, and Remapped says that they were others in an earlier one.
	Buffers  uint8
	Remapped bool
}

// streamCounts is what a draw did to one stream.
type streamCounts struct {
	captured           bool // or may have been
	buffers            uint8
	written, generated Primitives
}

// add sums up, and stays unknown once one part is.
func (p *Primitives) add(q Primitives) {
	p.Known = p.Known && q.Known && p.Count <= 1<<62 && q.Count <= 1<<62
	if p.Known {
		p.Count += q.Count
	}
}

// begin starts the counts of a query.
func (q *Query) begin(c *Context) {
	q.Counts = QueryCounts{Seen: true, BeginDraws: c.Draws, Written: Primitives{Known: true}, Generated: Primitives{Known: true}}
	q.Result = pipe.QueryValue{}
}

// countQueries adds a draw to the queries that run.
func (c *Context) countQueries(streams *[pipe.MaxVertexStreams]streamCounts) {
	for _, q := range c.ActiveQueries {
		switch {
		case q.Type == pipe.QueryStreamOutputOverflowAny:
			if anyCaptured(streams) {
				q.Counts.Captures++
			}
			q.Counts.Written, q.Counts.Generated = Primitives{}, Primitives{}
		case q.Type.PerStream() && q.Index < pipe.MaxVertexStreams:
			q.Counts.add(streams[q.Index], c.QueriesPaused)
			if !streams[q.Index].captured && anyCaptured(streams) {
				q.Counts.Others++
			}
		}
	}
}

func anyCaptured(streams *[pipe.MaxVertexStreams]streamCounts) bool {
	for i := range streams {
		if streams[i].captured {
			return true
		}
	}
	return false
}

func (n *QueryCounts) add(s streamCounts, paused bool) {
	if paused && s.captured {
		s.written.Known = false
	}
	if paused {
		s.generated.Known = false
	}
	n.Written.add(s.written)
	n.Generated.add(s.generated)
	if !s.captured {
		return
	}
	n.Captures++
	n.Remapped = n.Remapped || n.Captures > 1 && n.Buffers != s.buffers
	n.Buffers = s.buffers
}

// disturb makes what is generated unknown: blits and clears may be drawn by a
// driver, and some count them.
func (c *Context) disturb() {
	for _, q := range c.ActiveQueries {
		q.Counts.Generated.Known = false
	}
}

// mayDraw says whether a driver may carry out a method by drawing.
func mayDraw(method string) bool {
	return method == "blit" || method == "generate_mipmap" || strings.HasPrefix(method, "clear")
}
