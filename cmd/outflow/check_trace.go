package main

import (
	"io"
	"time"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// check reads one trace, prints what is found to w, and returns the exit code.
// The error is for a trace that could not be read.
func (k *checker) check(r *trace.Reader, name string, w io.Writer) (int, error) {
	p := checkedTrace{checker: k, name: name, w: w}
	track := streamout.NewTrack(streamout.Options{
		Rules: k.rules, Profile: k.profile, AutoProfile: k.autoProfile, Severities: k.severities, Report: p.report,
	})
	if err := follow(r, track); err != nil {
		return exitFailure, err
	}
	p.Summary, p.Ending = track.Summary(), r.Ending()
	p.Summary.Errors -= p.knownErrors
	p.Summary.Warnings -= p.knownWarnings
	if err := p.finish(); err != nil {
		return exitFailure, err
	}
	if p.Summary.Errors > 0 || k.strict && p.Summary.Warnings > 0 {
		return exitFound, nil
	}
	return exitClean, nil
}

// checkedTrace is what a check finds in one trace.
type checkedTrace struct {
	*checker
	dump.TraceResult
	name string
	w    io.Writer

	shown                      int
	knownErrors, knownWarnings int
	failed                     error // of printing
}

// report takes a finding: it is left out when the baseline knows it, counted
// without being shown when it weighs too little, and printed.
func (p *checkedTrace) report(f *streamout.Finding) {
	if p.known.take(p.name, f) {
		switch f.Severity {
		case streamout.Error:
			p.knownErrors++
		case streamout.Warning:
			p.knownWarnings++
		}
		return
	}
	if f.Severity < p.least && f.Rule.ID != rules.TruncatedID || p.most > 0 && p.shown >= p.most {
		return
	}
	p.shown++
	if p.format.whole != nil {
		p.Findings = append(p.Findings, *f)
		return
	}
	if err := p.format.finding(p.w, p.name, f, p.palette); err != nil && p.failed == nil {
		p.failed = err
	}
}

// finish prints the summary, or keeps everything for the end.
func (p *checkedTrace) finish() error {
	if p.format.whole != nil {
		p.Trace, p.Checked = p.name, time.Now()
		p.results.add(p.TraceResult)
		return nil
	}
	if p.failed != nil {
		return p.failed
	}
	return p.format.summary(p.w, p.name, &p.Summary, &p.Ending, p.palette)
}

// follow has a Track follow the operations of a trace.
func follow(r *trace.Reader, track *streamout.Track) error {
	var (
		op   pipe.Op
		end  streamout.TraceEnd
		last pipe.Pos
	)
	decoder := r.Decoder()
	decoder.Lend = true
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
		if problem := decoder.Problem(); problem != "" {
			track.Malformed(rec.No, rec.Pos, problem)
		}
		track.Follow(&op)
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
