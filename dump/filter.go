package dump

import (
	"fmt"
	"path"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// Filter chooses calls of a trace. Its zero value chooses all. It has to see
// every record in order, and is for one goroutine.
type Filter struct {
	// Calls are the numbers of the calls.
	Calls Ranges
	// Frames counts from 1. A frame ends with a flush that has END_OF_FRAME (bit 0)
	// or with a flush_frontbuffer; the one that follows the other without a draw,
	// clear, blit or dispatch between ends the same frame.
	Frames Ranges
	// Methods are patterns of path.Match for method, or for class::method, any of
	// which has to fit. See CheckMethods.
	Methods []string
	// NoJunk leaves out questions about what driver and screen can do.
	NoJunk bool
	// StreamOutput leaves only calls that have to do with stream output: targets,
	// shaders that capture, draws that do or may capture or take their count from
	// a target, and queries of what was captured.
	StreamOutput bool
	// Context leaves only the calls of one context, and the one that made it: its
	// address, as the trace or pipe.Handle spells it, or its name, "context#2". Names
	// has to be set for that.
	Context string
	Names   *Names

	frame   uint64 // of the next call
	ended   bool   // the last frame ended and nothing was drawn since
	matches map[methodOf]bool
	capture captureFilter
}

type methodOf struct{ class, method string }

// CheckMethods says whether the patterns are well formed.
func (f *Filter) CheckMethods() error {
	for _, p := range f.Methods {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("method pattern %q: %w", p, err)
		}
	}
	return nil
}

// Wants says whether the record is chosen. What stands between calls is chosen
// when every call is.
func (f *Filter) Wants(rec *trace.Record) bool {
	if rec.Kind != trace.CallRecord && rec.Kind != trace.MalformedRecord {
		if rec.Kind == trace.HeaderRecord {
			f.capture = captureFilter{}
		}
		return f.all()
	}
	frame := f.see(rec)
	wanted := !f.StreamOutput || f.capture.wants(rec)
	return wanted && f.Frames.Has(frame) && f.Calls.Has(rec.No) && f.ofContext(rec) && f.method(rec)
}

// all says whether nothing is left out.
func (f *Filter) all() bool {
	return len(f.Calls) == 0 && len(f.Frames) == 0 && len(f.Methods) == 0 && !f.StreamOutput && f.Context == ""
}

// Done says that nothing more can be chosen.
func (f *Filter) Done() bool { return !f.ended && f.Frames.Beyond(f.frame+1) }

// see returns the frame that a call belongs to.
func (f *Filter) see(rec *trace.Record) uint64 {
	switch {
	case rec.Method == "flush_frontbuffer", rec.Method == "flush" && rec.Class == pipe.ClassContext && endsFrame(rec):
		if f.ended {
			return f.frame
		}
		f.ended = true
		f.frame++
		return f.frame
	case draws(rec.Method):
		f.ended = false
	}
	return f.frame + 1
}

func endsFrame(rec *trace.Record) bool {
	x := rec.Values.Arg("flags")
	if n, ok := x.Uint(); ok {
		return n&1 != 0
	}
	return strings.Contains(string(x.RawText()), "END_OF_FRAME")
}

// draws says whether a method makes something that a frame could show.
func draws(method string) bool {
	return strings.HasPrefix(method, "draw_") || strings.HasPrefix(method, "clear") || method == "blit" || method == "launch_grid" || method == "resource_copy_region"
}

func (f *Filter) method(rec *trace.Record) bool {
	if len(f.Methods) == 0 && !f.NoJunk {
		return true
	}
	key := methodOf{rec.Class, rec.Method}
	wanted, known := f.matches[key]
	if known {
		return wanted
	}
	wanted = (!f.NoJunk || !isJunk(rec)) && f.matchesAny(rec)
	if f.matches == nil {
		f.matches = map[methodOf]bool{}
	}
	if len(f.matches) < 1<<12 {
		f.matches[key] = wanted
	}
	return wanted
}

func (f *Filter) matchesAny(rec *trace.Record) bool {
	for _, p := range f.Methods {
		name := rec.Method
		if strings.Contains(p, "::") {
			name = rec.Class + "::" + rec.Method
		}
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return len(f.Methods) == 0
}

// isJunk says whether a call only asks what there is.
func isJunk(rec *trace.Record) bool {
	if rec.Class != pipe.ClassScreen {
		return false
	}
	switch rec.Method {
	case "get_timestamp", "is_resource_busy":
		return false
	}
	for _, prefix := range [...]string{"get_", "is_", "query_"} {
		if strings.HasPrefix(rec.Method, prefix) {
			return true
		}
	}
	return false
}

// ofContext says whether a call is one of the chosen context.
func (f *Filter) ofContext(rec *trace.Record) bool {
	if f.Context == "" {
		return true
	}
	x := rec.Values.First()
	if rec.Method == "context_create" {
		x = rec.Values.Ret()
	} else if rec.Class == pipe.ClassScreen {
		return false
	}
	h, ok := x.Handle()
	return ok && (string(x.RawText()) == f.Context || h.String() == f.Context || f.Names != nil && f.Names.Name(h, "context") == f.Context)
}

// captureFilter knows what stream output is set up.
type captureFilter struct {
	shaders  map[pipe.Handle]bool // that capture
	queries  map[pipe.Handle]bool
	contexts map[pipe.Handle]*captureContext
}

type captureContext struct {
	targets bool            // a target is bound
	bound   map[string]bool // the shader that a bind method set captures
}

// wants says whether a call has to do with stream output.
func (c *captureFilter) wants(rec *trace.Record) bool {
	if c.contexts == nil {
		*c = captureFilter{map[pipe.Handle]bool{}, map[pipe.Handle]bool{}, map[pipe.Handle]*captureContext{}}
	}
	v := &rec.Values
	switch rec.Method {
	case "create_stream_output_target", "stream_output_target_destroy":
		return true
	case "set_stream_output_targets", "set_stream_output_buffers":
		c.context(rec).targets = bindsTarget(v)
		return true
	case "create_vs_state", "create_tes_state", "create_gs_state":
		n, _ := v.Arg("state").Member("stream_output").Member("num_outputs").Uint()
		h, _ := v.Ret().Handle()
		c.shaders[h] = n > 0 && h != 0
		return n > 0
	case "bind_vs_state", "bind_tes_state", "bind_gs_state":
		h, _ := secondHandle(v)
		of := c.context(rec)
		was, is := of.bound[rec.Method], c.shaders[h]
		of.bound[rec.Method] = is
		return was || is
	case "delete_vs_state", "delete_tes_state", "delete_gs_state":
		h, _ := secondHandle(v)
		return c.shaders[h]
	case "create_query":
		t := v.Arg("query_type")
		kind, ok := pipe.ParseQueryType(string(t.RawText()))
		h, _ := v.Ret().Handle()
		c.queries[h] = ok && h != 0 && (kind.PerStream() || kind == pipe.QueryStreamOutputOverflowAny)
		return c.queries[h]
	}
	if strings.HasPrefix(rec.Method, "draw_") {
		from, _ := v.Arg("indirect").Member("count_from_stream_output").Handle()
		return from != 0 || rec.Method == "draw_auto" || c.context(rec).targets
	}
	h, ok := v.Arg("query").Handle()
	return ok && c.queries[h]
}

func (c *captureFilter) context(rec *trace.Record) *captureContext {
	h, _ := rec.Values.First().Handle()
	of := c.contexts[h]
	if of == nil {
		of = &captureContext{bound: map[string]bool{}}
		c.contexts[h] = of
	}
	return of
}

func secondHandle(v *pipe.Values) (pipe.Handle, bool) { return v.ArgAt(1).Handle() }

// bindsTarget says whether a call binds any target.
func bindsTarget(v *pipe.Values) bool {
	for x := range v.Args() {
		if x.Kind() != pipe.ArrayValue {
			continue
		}
		for _, e := range x.All() {
			if h, ok := e.Handle(); ok && h != 0 {
				return true
			}
		}
	}
	return false
}
