package tess

import (
	"errors"
	"fmt"
)

// Domain is the shape of the abstract patch: the TES's primitive mode.
type Domain uint8

// The domains. How many factors each reads is Domain.FactorCounts.
const (
	Triangles Domain = iota // outer factors of the edges u=0, v=0, w=0; one inner
	Quads                   // outer factors of the edges u=0, v=0, u=1, v=1; inner along u, along v
	Isolines                // outer factors: number of lines, segments per line; no inner
	numDomains
)

// Spacing is how an edge is divided. The first three have the values of Gallium's PIPE_TESS_SPACING_*.
type Spacing uint8

// The spacings. Pow2 is Direct3D's; GL and Gallium have no such spacing, and the fixed-function stage
// treats it as Equal: see [Factors.RoundPow2] for what the shader compiler adds.
const (
	FractionalOdd Spacing = iota
	FractionalEven
	Equal
	Pow2
	numSpacings
)

// Output is the primitive that leaves the tessellator.
type Output uint8

// The outputs: points for any domain, lines for isolines, triangles for the other two. The two orders are
// meant with v pointing down, as in Direct3D; GL's are the other way round: see [OutputOf].
const (
	Points Output = iota
	Lines
	TrianglesCW
	TrianglesCCW
	numOutputs
)

var (
	domainNames  = [...]string{"tri", "quad", "isoline"}
	spacingNames = [...]string{"fractional_odd", "fractional_even", "integer", "pow2"}
	outputNames  = [...]string{"point", "line", "cw", "ccw"}
)

func (d Domain) String() string  { return nameOf("Domain", domainNames[:], uint8(d)) }
func (s Spacing) String() string { return nameOf("Spacing", spacingNames[:], uint8(s)) }
func (o Output) String() string  { return nameOf("Output", outputNames[:], uint8(o)) }

func nameOf(kind string, names []string, v uint8) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}

// FactorCounts says how many outer and inner factors the domain reads.
func (d Domain) FactorCounts() (outer, inner int) {
	switch d {
	case Triangles:
		return 3, 1
	case Quads:
		return 4, 2
	case Isolines:
		return 2, 0
	}
	return 0, 0
}

// ParseDomain reads tri, quad or isoline, or GL's plural names.
func ParseDomain(s string) (Domain, error) {
	switch s {
	case "tri", "triangles":
		return Triangles, nil
	case "quad", "quads":
		return Quads, nil
	case "isoline", "isolines":
		return Isolines, nil
	}
	return 0, fmt.Errorf("domain %q is none of tri, quad, isoline", s)
}

// ParseSpacing reads Direct3D's partitioning name or GL's spacing name.
func ParseSpacing(s string) (Spacing, error) {
	switch s {
	case "fractional_odd", "fractional_odd_spacing":
		return FractionalOdd, nil
	case "fractional_even", "fractional_even_spacing":
		return FractionalEven, nil
	case "integer", "equal", "equal_spacing":
		return Equal, nil
	case "pow2":
		return Pow2, nil
	}
	return 0, fmt.Errorf("partitioning %q is none of integer, pow2, fractional_odd, fractional_even", s)
}

// ParseOutput reads point, line, cw or ccw, or for "" takes lines for isolines and ccw for the other domains.
func ParseOutput(d Domain, s string) (Output, error) {
	if s == "" {
		return OutputOf(d, true, false), nil
	}
	for i, name := range outputNames {
		if s == name {
			return Output(i), nil
		}
	}
	return 0, fmt.Errorf("output %q is none of point, line, cw, ccw", s)
}

// OutputOf turns the TES properties into an output: point mode first, then lines for isolines, then
// triangles. TES_VERTEX_ORDER_CW speaks of v pointing up and the tessellator of v pointing down, so the
// order turns round (draw_tess.c does so, and radeonsi's VGT_TF_PARAM).
func OutputOf(d Domain, vertexOrderCW, pointMode bool) Output {
	switch {
	case pointMode:
		return Points
	case d == Isolines:
		return Lines
	case vertexOrderCW:
		return TrianglesCCW
	}
	return TrianglesCW
}

// ErrPow2 is the refusal of [NewGallium] to make a pow2 tessellator.
var ErrPow2 = errors.New("pow2 partitioning does not exist in GL and Gallium")

// Tessellator is a valid combination of domain, spacing and output. The zero value is valid: triangles,
// fractional odd spacing, points.
type Tessellator struct {
	domain  Domain
	spacing Spacing
	output  Output
}

// New makes a tessellator. It refuses unknown values, lines of triangles or quads (a debugging output of
// Direct3D) and triangles of isolines.
func New(d Domain, s Spacing, o Output) (Tessellator, error) {
	switch {
	case d >= numDomains:
		return Tessellator{}, fmt.Errorf("unknown domain %d", d)
	case s >= numSpacings:
		return Tessellator{}, fmt.Errorf("unknown partitioning %d", s)
	case o >= numOutputs:
		return Tessellator{}, fmt.Errorf("unknown output %d", o)
	case o == Lines && d != Isolines, o >= TrianglesCW && d == Isolines:
		return Tessellator{}, fmt.Errorf("output %s does not come from domain %s", o, d)
	}
	return Tessellator{domain: d, spacing: s, output: o}, nil
}

// NewGallium makes the tessellator of a TES's properties, which know no Pow2 ([ErrPow2]).
func NewGallium(d Domain, s Spacing, vertexOrderCW, pointMode bool) (Tessellator, error) {
	if s == Pow2 {
		return Tessellator{}, ErrPow2
	}
	return New(d, s, OutputOf(d, vertexOrderCW, pointMode))
}

// Domain is the shape of the patch.
func (t Tessellator) Domain() Domain { return t.domain }

// Spacing is how edges are divided.
func (t Tessellator) Spacing() Spacing { return t.spacing }

// Output is the primitive that leaves.
func (t Tessellator) Output() Output { return t.output }

// VerticesPerPrimitive is 1, 2 or 3.
func (t Tessellator) VerticesPerPrimitive() int {
	switch t.output {
	case Points:
		return 1
	case Lines:
		return 2
	}
	return 3
}

// Parse makes a tessellator from the three names: see [ParseDomain], [ParseSpacing], [ParseOutput].
func Parse(domain, partitioning, output string) (Tessellator, error) {
	d, err := ParseDomain(domain)
	if err != nil {
		return Tessellator{}, err
	}
	s, err := ParseSpacing(partitioning)
	if err != nil {
		return Tessellator{}, err
	}
	o, err := ParseOutput(d, output)
	if err != nil {
		return Tessellator{}, err
	}
	return New(d, s, o)
}
