package main

import (
	"flag"
	"fmt"

	"github.com/outflow-gpu/outflow/dump"
	"github.com/outflow-gpu/outflow/shader/tess"
)

// tessFlags are the flags of outflow tess.
type tessFlags struct {
	set                          *flag.FlagSet
	jsonl                        bool
	format                       string
	domain, partitioning, output string
	outer, inner, preRound       string
	stride                       int
	draw                         tess.Draw
	offchip                      bool
	tf                           string
	perGroup, dsw                uint
	policy, device               string
	gfx6, outputsNotRead         bool
}

func newTessFlags() *tessFlags {
	f := &tessFlags{set: flagSet("tess")}
	s := f.set
	s.BoolVar(&f.jsonl, "jsonl", false, "answer one JSON case per line of standard input")
	s.StringVar(&f.format, "format", "text", "`form` of the answer: text, json or svg")
	s.StringVar(&f.domain, "domain", "tri", "`domain`: tri, quad or isoline")
	s.StringVar(&f.partitioning, "partitioning", "integer", "`spacing`: integer, pow2, fractional_odd or fractional_even")
	s.StringVar(&f.output, "output", "", "`primitive`: point, line, cw or ccw (line or ccw when not given)")
	s.StringVar(&f.outer, "outer", "", "outer `factors`, comma-separated, or one for all")
	s.StringVar(&f.inner, "inner", "", "inner `factors`, comma-separated, or one for all")
	s.StringVar(&f.preRound, "pre-round", "", "pow2 `rounding`, as a shader compiler does it: pow2")
	s.IntVar(&f.stride, "stride", 0, "stride of the stream-output buffer in `bytes`")
	s.Int64Var(&f.draw.Patches, "patches", 0, "plan a draw of `n` patches")
	s.Int64Var(&f.draw.Instances, "instances", 1, "`n` instances of them")
	s.BoolVar(&f.draw.SplitInstances, "split-instances", false, "start a threadgroup with each instance")
	s.IntVar(&f.draw.InputPoints, "in-cp", 3, "`n` control points into the hull shader")
	s.IntVar(&f.draw.OutputPoints, "out-cp", 0, "`n` control points out of it (as into it when not given)")
	s.IntVar(&f.draw.BytesPerInput, "in-bytes", 16, "`bytes` of a control point into it")
	s.IntVar(&f.draw.BytesPerOutput, "out-bytes", 16, "`bytes` of a control point out of it")
	s.IntVar(&f.draw.BytesPerPatch, "patch-bytes", 0, "`bytes` of a patch's constants")
	s.StringVar(&f.policy, "policy", "default", "`who` cuts: default, radeonsi or radv")
	s.BoolVar(&f.gfx6, "gfx6", false, "on GFX6, of the Mesa policies")
	s.BoolVar(&f.outputsNotRead, "outputs-not-read", false, "the hull shader reads no output back, of the radeonsi policy")
	s.StringVar(&f.device, "device", "", "device limits as a `json` object")
	s.BoolVar(&f.offchip, "offchip", false, "allow off-chip domain-shader waves")
	s.UintVar(&f.perGroup, "patches-per-group", 0, "wished `n` patches per threadgroup, 0 for the driver's choice")
	s.StringVar(&f.tf, "tf", "0", "`average` factor below which a group stays on chip")
	s.UintVar(&f.dsw, "dsw", 0, "`n` waves of an off-chip group that still run on chip")
	return f
}

// runTess says what the tessellator makes of a patch, and how a tessellated draw is cut into threadgroups.
func runTess(c *cli, args []string) int {
	f := newTessFlags()
	operands, code, done := c.parse(f.set, args)
	switch {
	case done:
		return code
	case len(operands) > 0:
		return c.fail("tess takes no operands, not %q", operands[0])
	case f.jsonl:
		return c.answerLines(f.set, tess.AnswerJSON)
	}
	if f.stride < 0 {
		return c.fail("tess: stride is %d, want 0 or more", f.stride)
	}
	t, factors, err := f.patch()
	if err != nil {
		return c.fail("tess: %v", err)
	}
	var plan *tess.Plan
	if name := f.planFlag(); name != "" && !f.planned() {
		return c.fail("tess: --%s is about a draw: say of how many patches, --patches N", name)
	}
	if f.planned() {
		if plan, err = f.plan(t, factors); err != nil {
			return c.fail("tess: %v", err)
		}
	}
	if err := f.print(c, t, factors, plan); err != nil {
		return c.fail("tess: %v", err)
	}
	return exitClean
}

// patch reads the flags of one patch.
func (f *tessFlags) patch() (t tess.Tessellator, factors tess.Factors, err error) {
	if t, err = tess.Parse(f.domain, f.partitioning, f.output); err != nil {
		return t, factors, err
	}
	if factors, err = tess.ParseFactors(t.Domain(), f.outer, f.inner); err != nil {
		return t, factors, err
	}
	if f.preRound != "" {
		factors, err = t.PreRound(factors, f.preRound)
	}
	return t, factors, err
}

func (f *tessFlags) planned() bool { return isSet(f.set, "patches") }

// planFlag returns a flag that was given and means nothing without a draw to
// plan, "" for none.
func (f *tessFlags) planFlag() string {
	return firstSet(f.set, func(name string) bool {
		switch name {
		case "instances", "split-instances", "in-cp", "out-cp", "in-bytes", "out-bytes", "patch-bytes",
			"policy", "gfx6", "outputs-not-read", "device", "offchip", "patches-per-group", "tf", "dsw":
			return true
		}
		return false
	})
}

// plan reads the flags of a draw whose patches are all alike.
func (f *tessFlags) plan(t tess.Tessellator, factors tess.Factors) (*tess.Plan, error) {
	dev, policy, err := f.driver()
	if err != nil {
		return nil, err
	}
	d := f.draw
	d.Tessellator, d.Factors = t, []tess.Factors{factors}
	if !isSet(f.set, "out-cp") {
		d.OutputPoints = d.InputPoints
	}
	p := tess.Params{Size: tess.ParamsSize}
	if f.offchip {
		p.Flags = tess.FlagOffchip
	}
	if p.TFThreshold, err = tess.ParseFactor(f.tf); err != nil {
		return nil, fmt.Errorf("tf: %w", err)
	}
	const most = 1<<32 - 1
	if uint64(f.perGroup) > most || uint64(f.dsw) > most {
		return nil, fmt.Errorf("patches-per-group and dsw are at most %d", uint64(most))
	}
	p.PatchesPerThreadgroup, p.DSWaveThreshold = uint32(f.perGroup), uint32(f.dsw)
	return tess.NewPlan(dev, d, tess.Options{Policy: policy, Params: p})
}

func (f *tessFlags) driver() (dev tess.Device, policy tess.Policy, err error) {
	var text []byte
	if f.device != "" {
		text = []byte(f.device)
	}
	if dev, err = tess.ParseDevice(text); err != nil {
		return dev, nil, err
	}
	policy, err = tess.ParsePolicy(f.policy, f.gfx6, f.outputsNotRead)
	return dev, policy, err
}

func (f *tessFlags) print(c *cli, t tess.Tessellator, factors tess.Factors, plan *tess.Plan) error {
	switch f.format {
	case "svg":
		return t.WriteSVG(c.stdout, factors)
	case "json":
		n := t.Count(factors)
		return dump.WriteJSON(c.stdout, struct {
			Schema     string     `json:"schema"`
			Type       string     `json:"type"`
			Culled     bool       `json:"culled"`
			Vertices   int        `json:"vertices"`
			Primitives int        `json:"primitives"`
			Indices    int        `json:"indices"`
			Plan       *tess.Plan `json:"plan,omitempty"`
		}{dump.Schema, "tess", n.Culled, n.Vertices, n.Primitives, n.Indices, plan})
	case "text":
		if err := t.WriteText(c.stdout, factors, f.stride); err != nil || plan == nil {
			return err
		}
		fmt.Fprintln(c.stdout)
		return plan.WriteTable(c.stdout)
	}
	return fmt.Errorf("format is %q, want text, json or svg", f.format)
}
