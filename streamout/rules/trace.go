package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// traceRules are about the trace itself: what of it could not be read, and so
// was not checked.
func traceRules() []*streamout.Rule {
	return []*streamout.Rule{
		traceTruncated(),
		traceMalformedCall(),
		traceTwoWriters(),
		traceNumberWidth(),
	}
}

// TruncatedID is the rule that is shown whatever the least severity is.
const TruncatedID = "trace-truncated"

func traceTruncated() *streamout.Rule {
	return &streamout.Rule{
		ID:        TruncatedID,
		Title:     "the trace ends before its end, or is damaged",
		Severity:  streamout.Note,
		Condition: "the closing tag of the trace was not read, or its file could not be unpacked without an error",
		Why: "the tag is written when the program exits normally: one that was killed, crashed or is still running leaves it " +
			"out, and a crash in a draw leaves that draw open; in a damaged file calls can be missing or wrong",
		Fix:     "nothing, if the program did not end normally; the open call is where it was; for a damaged file, another copy",
		Sources: []string{"src/gallium/auxiliary/driver_trace/tr_dump.c"},
		On:      streamout.OnEnd,
		Check: func(v *streamout.View) {
			e := &v.End
			switch {
			case e.Complete && e.Reason == "":
			case e.Complete:
				v.Report("", "the trace has its closing tag, but its file is damaged%s", because(e))
			case e.Inside && e.Method != "":
				v.Report("", "the trace ends inside %s at byte %d, after call %d%s", e.Method, e.Byte, e.LastCall, because(e))
			case e.Inside:
				v.Report("", "the trace ends inside a call at byte %d, after call %d%s", e.Byte, e.LastCall, because(e))
			default:
				v.Report("", "the trace ends without its closing tag at byte %d, after call %d%s", e.Byte, e.LastCall, because(e))
			}
		},
	}
}

func because(e *streamout.TraceEnd) string {
	if e.Reason == "" {
		return ""
	}
	return ": " + e.Reason
}

func traceMalformedCall() *streamout.Rule {
	return &streamout.Rule{
		ID:        "trace-malformed-call",
		Title:     "a call that cannot be read",
		Severity:  streamout.Warning,
		Condition: "a call of the trace breaks the form in which Mesa writes calls",
		Why:       "the call was passed over, so what it changed is missing from all that follows",
		Fix:       "look at the bytes there: two programs that wrote one file, a damaged disk, or a form that is new",
		Sources:   []string{"src/gallium/auxiliary/driver_trace/tr_dump.c"},
		On:        streamout.OnMalformed,
		Check: func(v *streamout.View) {
			v.Report("", "the call cannot be read and is passed over: %s", v.Malformed)
		},
	}
}

func traceTwoWriters() *streamout.Rule {
	return &streamout.Rule{
		ID:        "trace-two-writers",
		Title:     "two programs wrote the trace",
		Severity:  streamout.Note,
		Condition: "call numbers go back, more than twice, although no new header came",
		Why: "a forked child, or a second driver in the process, wrote into the same file: calls of both are mixed and the order " +
			"between them means little, so findings about order and lifetime are notes from here on",
		Fix:     "give each process a GALLIUM_TRACE file of its own",
		Sources: []string{"src/gallium/auxiliary/driver_trace/tr_dump.c: trace_dump_call_begin"},
		On:      streamout.OnTwoWriters,
		Check: func(v *streamout.View) {
			v.Report("", "call number %d comes after higher ones, as others did before: two programs wrote this trace", v.Op.No)
		},
	}
}

func traceNumberWidth() *streamout.Rule {
	return &streamout.Rule{
		ID:        "trace-number-width",
		Title:     "a number that its field cannot hold",
		Severity:  streamout.Error,
		Condition: "an argument is a number that is wider than the field of the interface it belongs to",
		Why:       "no driver can have been called with it: the trace was not written by Mesa, or was damaged; 0 is taken in its place",
		Fix:       "mend what wrote the trace",
		Sources:   []string{"src/gallium/include/pipe/p_state.h", "src/gallium/include/pipe/p_context.h"},
		On:        streamout.OnMisfit,
		Check: func(v *streamout.View) {
			for _, m := range v.Op.Raw.Misfits {
				v.Report(m.Path, "%s is %d, which does not fit %d bits", m.Path, m.Value, m.Bits)
			}
		},
		Bad: func(c pipe.Context) error {
			return c.Driver.Do(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: 1}, Screen: c.Screen, Context: c.Handle,
				Raw: &pipe.Raw{Misfits: []pipe.Misfit{{Path: "buffer_size", Value: 1 << 40, Bits: 32}}}})
		},
		Good: play(func(s *scene) { s.fresh(64) }),
	}
}
