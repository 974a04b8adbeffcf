package main

import (
	"fmt"
	"io"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// check reads one trace, prints what is found to w, and returns the exit code.
// The error is for a trace that could not be read.
func (k *checker) check(r *trace.Reader, name string, w io.Writer) (int, error) {
	shown := 0
	var failed error
	track := streamout.NewTrack(streamout.Options{
		Rules: k.rules, Profile: k.profile, AutoProfile: k.autoProfile, Severities: k.severities,
		Report: func(f *streamout.Finding) {
			if f.Severity < k.least && f.Rule.ID != rules.TruncatedID || k.most > 0 && shown >= k.most {
				return
			}
			shown++
			if err := k.printer.finding(w, name, f); err != nil && failed == nil {
				failed = err
			}
		},
	})
	if err := follow(r, track); err != nil {
		return exitFailure, err
	}
	if failed != nil {
		return exitFailure, failed
	}
	s, ending := track.Summary(), r.Ending()
	if err := k.printer.summary(w, name, &s, &ending); err != nil {
		return exitFailure, err
	}
	if s.Errors > 0 || k.strict && s.Warnings > 0 {
		return exitFound, nil
	}
	return exitClean, nil
}

// follow sends the operations of a trace through a Track over a driver that
// accepts everything.
func follow(r *trace.Reader, track *streamout.Track) error {
	var (
		decoder trace.Decoder
		op      pipe.Op
		end     streamout.TraceEnd
		last    pipe.Pos
		driver  pipe.Null
	)
	stack := pipe.Stack(&driver, track.Layer)
	for rec, err := range r.Records() {
		switch {
		case err != nil:
			return err
		case rec.Skipped:
			track.Skip(rec.No, rec.Pos)
			end.LastCall = rec.No
			continue
		case rec.Kind == trace.MalformedRecord:
			track.Malformed(rec.No, rec.Problem.Pos, rec.Problem.Reason)
			continue
		case !decoder.Decode(rec, &op):
			continue
		case rec.Open:
			track.Check(&op)
			end.Open, end.Method, last = rec.No, rec.Method, rec.Pos
			continue
		}
		if err := stack.Do(&op); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", rec.Pos.File, rec.Pos.Line, rec.Method, err)
		}
		if rec.Kind == trace.CallRecord {
			end.LastCall = rec.No
		}
	}
	ending := r.Ending()
	if ending.Headers == 0 && ending.Calls == 0 {
		return errNoTrace
	}
	end.Complete, end.Byte, end.Inside = ending.Complete, ending.Byte, ending.Kind == trace.InsideCall
	if ending.Damage != nil {
		end.Reason = ending.Damage.Error()
	}
	track.End(last, end)
	return nil
}
