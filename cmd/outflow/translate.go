package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/d3d"
	"github.com/outflow-gpu/outflow/streamout/frontend/gl"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

// translateRun is one run of outflow translate.
type translateRun struct {
	*cli
	api, entry, format string
	palette            dump.Palette
	rules              []*streamout.Rule
}

// runTranslate turns declarations of GL, D3D or Vulkan into the info that a
// linker makes of them.
func runTranslate(c *cli, args []string) int {
	t := &translateRun{cli: c, rules: rules.All()}
	fs := flagSet("translate")
	fs.StringVar(&t.api, "api", "", "the `API` of cases that name none: gl, d3d10, d3d11, d3d12 or vulkan")
	fs.StringVar(&t.entry, "entry", "", "the entry point of a SPIR-V module, by `name`")
	fs.StringVar(&t.format, "format", "text", "`form` of the answer: text or json")
	lines := fs.Bool("jsonl", false, "answer one JSON case per line")
	color := fs.String("color", "auto", "auto, always or never `colour` text")
	operands, code, done := c.parse(fs, args)
	if done {
		return code
	}
	var err error
	switch t.palette, err = c.palette(*color); {
	case err != nil:
		return c.fail("translate: %v", err)
	case t.format != "text" && t.format != "json":
		return c.fail("translate: format is %q, want text or json", t.format)
	case t.api != "" && !knownAPI(t.api):
		return c.fail("translate: api is %q, want gl, d3d10, d3d11, d3d12 or vulkan", t.api)
	case len(operands) > 1:
		return c.fail("translate: one case at a time, not %q too; --jsonl answers many", operands[1])
	}
	name, in, err := openCase(c, operands)
	if err != nil {
		return c.fail("%s: %v", name, plainError(err, name))
	}
	defer in.Close()
	if *lines {
		if t.entry != "" {
			return c.fail("translate: --entry is about a SPIR-V module, and --jsonl reads cases")
		}
		return t.answerLines(name, in)
	}
	return t.answerOne(name, in)
}

// openCase opens the operand, or standard input.
func openCase(c *cli, operands []string) (string, io.ReadCloser, error) {
	if len(operands) == 0 || operands[0] == "-" {
		return "-", io.NopCloser(c.stdin), nil
	}
	f, err := os.Open(operands[0])
	return operands[0], f, err
}

// knownAPI says whether a front end is there for the API.
func knownAPI(api string) bool {
	return slices.Contains([]string{"gl", "d3d10", "d3d11", "d3d12", "vulkan"}, api)
}

// translateCase hands a JSON case to the front end of its API.
func translateCase(api string, c jsonlines.Case) (*frontend.Translation, error) {
	switch api {
	case "gl":
		p := gl.NewProgram()
		if err := frontend.ReadCase(c, p); err != nil {
			return nil, err
		}
		return gl.Translate(p)
	case "vulkan":
		s := vulkan.NewShader()
		if err := frontend.ReadCase(c, s); err != nil {
			return nil, err
		}
		return vulkan.Translate(s)
	}
	d := &d3d.Case{}
	if err := frontend.ReadCase(c, d); err != nil {
		return nil, err
	}
	d.API = api
	return d3d.Translate(d)
}

// translate answers a JSON case.
func (t *translateRun) translate(c jsonlines.Case) (*frontend.Translation, error) {
	var head struct {
		API *string `json:"api"`
	}
	if err := c.Take(&head); err != nil {
		return nil, err
	}
	api := t.api
	if head.API != nil {
		if t.api != "" && *head.API != t.api {
			return nil, fmt.Errorf("api is %q, and --api is %q", *head.API, t.api)
		}
		api = *head.API
	}
	if !knownAPI(api) {
		return nil, fmt.Errorf("api is %q, want gl, d3d10, d3d11, d3d12 or vulkan", api)
	}
	return t.check(translateCase(api, c))
}

// check runs the catalog over what a front end made.
func (t *translateRun) check(tr *frontend.Translation, err error) (*frontend.Translation, error) {
	if err != nil {
		return nil, err
	}
	if err := tr.Check(t.rules); err != nil {
		return nil, err
	}
	return tr, nil
}

// answerLines answers the JSON cases of in.
func (t *translateRun) answerLines(name string, in io.Reader) int {
	refused := 0
	report, err := jsonlines.Run(in, t.whileRead(), func(c jsonlines.Case) (any, error) {
		tr, err := t.translate(c)
		a := frontend.NewAnswer(tr, err)
		switch {
		case a.Rule != "":
			refused++
		case err != nil:
			return nil, err
		}
		return a, nil
	})
	t.tellPassedOver("translate", report.PassedOver)
	switch {
	case quietly(err) != nil:
		return t.fail("%s: %v", name, plainError(err, name))
	case report.Impossible+refused > 0:
		return exitFound
	}
	return exitClean
}

// maxCase is the largest case or module that is read, in bytes.
const maxCase = jsonlines.MaxLine

// answerOne answers one JSON case or SPIR-V module.
func (t *translateRun) answerOne(name string, in io.Reader) int {
	data, err := io.ReadAll(io.LimitReader(in, maxCase+1))
	switch {
	case err != nil:
		return t.fail("%s: %v", name, plainError(err, name))
	case len(data) > maxCase:
		return t.fail("%s: longer than %d bytes", name, maxCase)
	}
	var tr *frontend.Translation
	var id json.RawMessage
	var left []string // names of members that nothing read
	switch {
	case vulkan.IsModule(data):
		tr, err = t.module(data)
	case !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		return t.fail("%s: neither a JSON case, which is an object, nor a SPIR-V module", name)
	case t.entry != "":
		return t.fail("translate: --entry is about a SPIR-V module, and %s is a JSON case", name)
	default:
		var c jsonlines.Case
		if c, err = jsonlines.Parse(data); err != nil {
			break
		}
		id = c["id"]
		delete(c, "id")
		tr, err = t.translate(c)
		left = slices.Sorted(maps.Keys(c))
	}
	var refused *frontend.Error
	if err != nil && !errors.As(err, &refused) {
		return t.fail("%s: %v", name, err)
	}
	t.tellPassedOver("translate", left)
	if t.format == "json" {
		return t.printJSON(id, frontend.NewAnswer(tr, err))
	}
	if err != nil {
		fmt.Fprintf(t.stdout, "%s: %s: %v\n", name, t.palette.Severity(streamout.Error), err)
		return exitFound
	}
	if err := t.printText(name, tr); err != nil {
		return t.fail("translate: %v", err)
	}
	return exitClean
}

// module translates an entry point of a SPIR-V module.
func (t *translateRun) module(data []byte) (*frontend.Translation, error) {
	if t.api != "" && t.api != "vulkan" {
		return nil, fmt.Errorf("a SPIR-V module is of vulkan, and --api is %q", t.api)
	}
	m, err := vulkan.ReadModule(data)
	if err != nil {
		return nil, err
	}
	s, err := m.Shader(t.entry)
	if err != nil {
		return nil, err
	}
	return t.check(vulkan.Translate(s))
}

// printJSON prints an answer with the id of its case, nil for none.
func (t *translateRun) printJSON(id json.RawMessage, a *frontend.Answer) int {
	err := dump.WriteJSON(t.stdout, struct {
		ID json.RawMessage `json:"id"`
		*frontend.Answer
	}{id, a})
	switch {
	case err != nil:
		return t.fail("translate: %v", err)
	case a.Error != "":
		return exitFound
	}
	return exitClean
}

// printText prints the picture of the layout, the info and the warnings.
func (t *translateRun) printText(name string, tr *frontend.Translation) error {
	var b, picture bytes.Buffer
	l := tr.Layout()
	if err := dump.LayoutText(&picture, name, 0, 0, 0, &l, t.palette); err != nil {
		return err
	}
	// The first line names a call of a trace.
	_, buffers, _ := strings.Cut(picture.String(), "\n")
	fmt.Fprintf(&b, "%s: %s shader, %d outputs\n%s", name, t.palette.Strong(tr.Stage.String()), tr.Info.NumOutputs, buffers)
	fmt.Fprintf(&b, "num_outputs %d, stride %d dw\n", tr.Info.NumOutputs, tr.Info.Stride)
	for i, o := range tr.Info.Numbers().Output {
		fmt.Fprintf(&b, "output[%d] register_index %d, start_component %d, num_components %d, output_buffer %d, dst_offset %d dw, stream %d\n",
			i, o.RegisterIndex, o.StartComponent, o.NumComponents, o.OutputBuffer, o.DstOffset, o.Stream)
	}
	for _, d := range tr.Said {
		fmt.Fprintf(&b, "%s: %s [%s]\n", t.palette.Severity(d.Severity), d.Message, d.Rule)
	}
	_, err := t.stdout.Write(b.Bytes())
	return err
}
