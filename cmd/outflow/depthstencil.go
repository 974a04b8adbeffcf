package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// depthStencilFlags are the flags of outflow depthstencil.
type depthStencilFlags struct {
	set    *flag.FlagSet
	jsonl  bool
	format string

	aspects, zsbuf, depthFormat, facing, ref, shader string
	discard, strictBits                              bool

	state, depth, bounds, front, back, alpha string
}

func newDepthStencilFlags() *depthStencilFlags {
	f := &depthStencilFlags{set: flagSet("depthstencil")}
	s := f.set
	s.BoolVar(&f.jsonl, "jsonl", false, "answer one JSON case per line of standard input")
	s.StringVar(&f.format, "format", "text", "`form` of the answer: text or json")
	s.StringVar(&f.depth, "depth", "", "the depth test: `func`[,write]")
	s.StringVar(&f.bounds, "bounds", "", "the depth bounds test: `min,max`")
	s.StringVar(&f.front, "front", "", "the stencil test: `face`, as func,fail,zpass,zfail,valuemask,writemask; the last may be left out (KEEP, 0xff)")
	s.StringVar(&f.back, "back", "", "the stencil test of back faces, when it is another `face`")
	s.StringVar(&f.alpha, "alpha", "", "the alpha test: `func,ref`")
	s.StringVar(&f.state, "state", "", "the whole state instead, as the `json` object that \"in\" is in a case")
	s.StringVar(&f.aspects, "aspects", "", "what the surface holds: `aspects` D, S, DS or none (not known when not given)")
	s.StringVar(&f.zsbuf, "zsbuf", "", "the surface's `format`, PIPE_FORMAT_Z24_UNORM_S8_UINT, instead of aspects and depth-format")
	s.StringVar(&f.depthFormat, "depth-format", "", "`kind` of depth: unorm or float (not known when not given)")
	s.StringVar(&f.facing, "facing", "both", "which `facing` fragments have: front, back, both or none")
	s.StringVar(&f.ref, "ref", "", "stencil `reference`, or front,back (not known when not given)")
	s.BoolVar(&f.discard, "rasterizer-discard", false, "nothing is rasterized")
	s.BoolVar(&f.strictBits, "strict-bits", false, "keep EQUAL depth writes of a float format, which may change the sign of a zero")
	s.StringVar(&f.shader, "shader", "", "the fragment `shader`, for early tests: plain, discards, writes-depth or discards,writes-depth")
	return f
}

// runDepthStencil says what depth/stencil states come to: those of traces, or one given by flags.
func runDepthStencil(c *cli, args []string) int {
	f := newDepthStencilFlags()
	operands, code, done := c.parse(f.set, args)
	switch {
	case done:
		return code
	case f.jsonl && len(operands) > 0:
		return c.fail("depthstencil: --jsonl reads standard input, not %q", operands[0])
	case f.jsonl:
		return c.answerLines(f.set, cso.AnswerDepthStencil)
	case f.format != "text" && f.format != "json":
		return c.fail("depthstencil: format is %q, want text or json", f.format)
	}
	q, err := f.query()
	switch {
	case err != nil:
		return c.fail("depthstencil: %v", err)
	case len(operands) == 0:
		if err := f.showOne(c, &q); err != nil {
			return c.fail("depthstencil: %v", err)
		}
		return exitClean
	case q.State != (cso.DepthStencilState{}):
		return c.fail("depthstencil: the states are those of %s, so flags give none", operands[0])
	}
	return c.eachTrace(operands, 0, func(r *trace.Reader, name string, w io.Writer) (int, error) {
		return exitClean, f.showTrace(r, name, w, q)
	})
}

// showOne prints the answer about the state that flags gave.
func (f *depthStencilFlags) showOne(c *cli, q *cso.DepthStencilCase) error {
	if f.format == "text" {
		return q.WriteText(c.stdout)
	}
	a, err := q.Answer()
	if err != nil {
		return err
	}
	a.Asked(&q.State)
	return dump.WriteJSON(c.stdout, struct {
		Schema string `json:"schema"`
		Type   string `json:"type"`
		*cso.DepthStencilAnswer
	}{dump.Schema, "depthstencil", a})
}

// query reads the flags, state and what surrounds it.
func (f *depthStencilFlags) query() (q cso.DepthStencilCase, err error) {
	if q.Context, err = f.context(); err != nil {
		return q, err
	}
	if q.Shader, err = parseFragmentShader(f.shader); err != nil {
		return q, err
	}
	if f.state == "" {
		q.State, err = f.tests()
		return q, err
	}
	if f.depth+f.bounds+f.front+f.back+f.alpha != "" {
		return q, errors.New("state is the whole state, so depth, bounds, front, back and alpha say nothing more")
	}
	q.State, err = cso.ParseDepthStencilState("state", []byte(f.state))
	return q, err
}

func (f *depthStencilFlags) context() (cso.DepthStencilContext, error) {
	c := cso.AnyDepthStencilContext()
	c.RasterizerDiscard, c.StrictBits = f.discard, f.strictBits
	var err error
	if f.aspects != "" {
		c.AnyAspects = false
		if c.Aspects, err = cso.ParseAspects(strings.TrimPrefix(f.aspects, "none")); err != nil {
			return c, err
		}
	}
	if f.depthFormat != "" {
		if c.DepthFormat, err = cso.ParseDepthFormat(f.depthFormat); err != nil {
			return c, err
		}
	}
	if f.zsbuf != "" {
		if err := c.SetSurface(pipe.Format(f.zsbuf), f.aspects != "", f.depthFormat != ""); err != nil {
			return c, err
		}
	}
	if c.Facings, err = cso.ParseFacings(f.facing); err != nil || f.ref == "" {
		return c, err
	}
	c.Ref, err = parseStencilRef(f.ref)
	return c, err
}

// tests reads the flags that each switch a test on.
func (f *depthStencilFlags) tests() (s cso.DepthStencilState, err error) {
	if f.depth != "" {
		name, write, _ := strings.Cut(f.depth, ",")
		if write != "" && write != "write" {
			return s, fmt.Errorf("depth is %q, expected FUNC or FUNC,write", f.depth)
		}
		s.DepthEnabled, s.DepthWriteMask = true, write != ""
		if s.DepthFunc, err = cso.ParseDepthStencilFunc(name); err != nil {
			return s, fmt.Errorf("depth: %w", err)
		}
	}
	if f.bounds != "" {
		s.Bounds.Test = true
		if s.Bounds.Min, s.Bounds.Max, err = parseBounds(f.bounds); err != nil {
			return s, err
		}
	}
	for i, text := range []string{f.front, f.back} {
		if text == "" {
			continue
		}
		if s.Stencil[i], err = parseStencilFace(text); err != nil {
			return s, fmt.Errorf("%s: %w", [...]string{"front", "back"}[i], err)
		}
	}
	if f.alpha != "" {
		s.AlphaEnabled = true
		s.AlphaFunc, s.AlphaRef, err = parseAlphaTest(f.alpha)
	}
	return s, err
}
