package main

import (
	"io"
	"slices"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/trace"
)

// runLayout prints where the outputs of every shader with stream output lie in
// the vertices of its buffers.
func runLayout(c *cli, args []string) int {
	fs := flagSet("layout")
	format := fs.String("format", "text", "`form` of the output: text, json or svg")
	svg := fs.Bool("svg", false, "the same as --format svg")
	color := fs.String("color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	if len(operands) == 0 {
		return c.fail("layout needs a trace; see `outflow help layout`")
	}
	palette, err := c.palette(*color)
	if err != nil {
		return c.fail("layout: %v", err)
	}
	if !slices.Contains([]string{"text", "json", "svg"}, *format) {
		return c.fail("layout: format is %q, want text, json or svg", *format)
	}
	if *svg && isSet(fs, "format") && *format != "svg" {
		return c.fail("layout: --svg is --format svg, not --format %s", *format)
	}
	if *svg || *format == "svg" {
		return c.layoutPicture(operands)
	}
	palette.Columns = terminalWidth(c.stdout)
	return c.eachTrace(operands, 0, func(r *trace.Reader, name string, w io.Writer) (int, error) {
		return exitClean, layouts(r, func(op *pipe.Op, l *streamout.Layout) error {
			if *format == "json" {
				return dump.LayoutJSON(w, name, op, l)
			}
			return dump.LayoutText(w, name, op.Pos.Line, op.No, op.Ret.Handle, l, palette)
		})
	})
}

// layoutPicture draws the layouts of a trace.
func (c *cli) layoutPicture(operands []string) int {
	if len(operands) > 1 {
		return c.fail("layout: svg draws one trace at a time")
	}
	return c.eachTrace(operands, 0, func(r *trace.Reader, name string, w io.Writer) (int, error) {
		var picture dump.LayoutPicture
		err := layouts(r, func(op *pipe.Op, l *streamout.Layout) error {
			picture.Add(op.No, op.Ret.Handle, l)
			return nil
		})
		if err != nil {
			return exitFailure, err
		}
		return exitClean, picture.Write(w, name)
	})
}

// layouts yields the layout of every create of a shader with stream output.
func layouts(r *trace.Reader, yield func(*pipe.Op, *streamout.Layout) error) error {
	var (
		decoder trace.Decoder
		op      pipe.Op
	)
	for rec, err := range r.Records() {
		if err != nil {
			return err
		}
		if !decoder.Decode(rec, &op) {
			continue
		}
		create, ok := op.Call.(*pipe.CreateShader)
		if !ok {
			continue
		}
		numbers := op.Raw.StreamOutput
		if numbers == nil {
			numbers = create.State.StreamOutput.Numbers()
		}
		if numbers.NumOutputs == 0 {
			continue
		}
		l := streamout.LayoutOf(create.Stage, numbers, shader.Parse(create.Stage, create.State.Text()))
		if err := yield(&op, &l); err != nil {
			return err
		}
	}
	if e := r.Ending(); e.Headers == 0 && e.Calls == 0 {
		return errNoTrace
	}
	return nil
}
