package main

import (
	"io"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit/levels"
)

// runPreserve says whether stream output survived from one level of a run to the
// one below.
func runPreserve(c *cli, args []string) int {
	fs := flagSet("preserve")
	format := fs.String("format", "text", "`form` of the output: text or json")
	color := fs.String("color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	palette, err := c.palette(*color)
	switch {
	case err != nil:
		return c.fail("preserve: %v", err)
	case *format != "text" && *format != "json":
		return c.fail("preserve: format is %q, want text or json", *format)
	case len(operands) != 2:
		return c.fail("preserve needs two traces, the one taken above and the one taken below; see `outflow help preserve`")
	case readsTwice(operands):
		return c.fail("%v", errStdinTwice)
	}
	var both [2]*levels.Level
	for i, name := range operands {
		code := c.oneTrace(name, c.stdout, c.stderr, func(r *trace.Reader, name string, _ io.Writer) (code int, err error) {
			both[i], err = levels.Read(r, name)
			return exitClean, err
		})
		if code != exitClean {
			return code
		}
	}
	report := levels.Compare(both[0], both[1])
	if *format == "json" {
		err = dump.PreserveJSON(c.stdout, report)
	} else {
		err = dump.PreserveText(c.stdout, report, palette)
	}
	switch {
	case err != nil:
		return c.fail("preserve: %v", err)
	case !report.Survived():
		return exitFound
	}
	return exitClean
}
