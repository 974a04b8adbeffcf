package main

import (
	"fmt"
	"io"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// runCapture predicts what every draw captured.
func runCapture(c *cli, args []string) int {
	fs := flagSet("capture")
	format := fs.String("format", "text", "`form` of the output: text or json")
	color := fs.String("color", "auto", "auto, always or never `colour` text")
	driver := fs.String("driver", "auto", "take this `driver`'s way where drivers differ; auto takes it from the trace, none leaves it unknown")
	overflow := fs.String("overflow", "", "a primitive fits by the `rule` extent or stride, whatever the driver")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if len(operands) == 0 {
		return c.fail("capture needs a trace; see `outflow help capture`")
	}
	palette, err := c.palette(*color)
	if err != nil {
		return c.fail("capture: %v", err)
	}
	options, err := captureOptions(*driver, *overflow)
	if err != nil {
		return c.fail("capture: %v", err)
	}
	if *format != "text" && *format != "json" {
		return c.fail("capture: format is %q, want text or json", *format)
	}
	return c.eachTrace(operands, 0, func(r *trace.Reader, name string, w io.Writer) (int, error) {
		p := &capturePrinter{w: w, name: name, json: *format == "json", palette: palette}
		return p.print(r, options)
	})
}

func captureOptions(driver, overflow string) (streamout.CaptureOptions, error) {
	var o streamout.CaptureOptions
	switch driver {
	case "auto":
		o.AutoModel = true
	case "none":
	default:
		if _, err := profileNamed(driver); err != nil {
			return o, err
		}
		o.Model = streamout.ModelOfDriver(driver)
	}
	switch overflow {
	case "":
	case "extent":
		o.Overflow = streamout.OverflowExtent
	case "stride":
		o.Overflow = streamout.OverflowStride
	default:
		return o, fmt.Errorf("overflow is %q, want extent or stride", overflow)
	}
	return o, nil
}

// capturePrinter prints what a Capture reports of one trace.
type capturePrinter struct {
	w       io.Writer
	name    string
	json    bool
	palette dump.Palette
	failed  error
	differs bool
}

func (p *capturePrinter) print(r *trace.Reader, o streamout.CaptureOptions) (int, error) {
	o.Draw, o.Resume, o.Query, o.Readback = p.draw, p.resume, p.query, p.readback
	if err := capture(r, streamout.NewCapture(o), &p.failed); err != nil {
		return exitFailure, err
	}
	if p.failed != nil {
		return exitFailure, p.failed
	}
	if p.differs {
		return exitFound, nil
	}
	return exitClean, nil
}

// capture sends the whole calls of a trace to a driver, until it has failed.
func capture(r *trace.Reader, d pipe.Driver, failed *error) error {
	var (
		decoder trace.Decoder
		op      pipe.Op
	)
	for rec, err := range r.Records() {
		if err != nil {
			return err
		}
		if *failed != nil {
			return nil
		}
		if !decoder.Decode(rec, &op) || rec.Open {
			continue
		}
		if err := d.Do(&op); err != nil {
			return err
		}
	}
	if e := r.Ending(); e.Headers == 0 && e.Calls == 0 {
		return errNoTrace
	}
	return nil
}

func (p *capturePrinter) keep(err error) {
	if p.failed == nil {
		p.failed = err
	}
}

func (p *capturePrinter) draw(d *streamout.CapturedDraw) {
	if p.json {
		p.keep(dump.CaptureJSON(p.w, p.name, d))
		return
	}
	p.keep(dump.CaptureText(p.w, p.name, d, p.palette))
}

func (p *capturePrinter) resume(r *streamout.Resume) {
	if p.json {
		p.keep(dump.ResumeJSON(p.w, p.name, r))
		return
	}
	p.keep(dump.ResumeText(p.w, p.name, r, p.palette))
}

func (p *capturePrinter) query(q *streamout.QueryPrediction) {
	if !q.Recorded.Known {
		return
	}
	p.differs = p.differs || q.Differs()
	if p.json {
		p.keep(dump.QueryJSON(p.w, p.name, q))
		return
	}
	p.keep(dump.QueryText(p.w, p.name, q, p.palette))
}

func (p *capturePrinter) readback(r *streamout.Readback) {
	if p.json {
		p.keep(dump.ReadbackJSON(p.w, p.name, r))
		return
	}
	p.keep(dump.ReadbackText(p.w, p.name, r, p.palette))
}
