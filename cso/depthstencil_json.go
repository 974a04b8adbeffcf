package cso

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/pipe"
)

// DepthStencilCase is one question: a state, what surrounds it and, for early
// depth tests, the fragment shader (nil when not known).
type DepthStencilCase struct {
	State   DepthStencilState
	Context DepthStencilContext
	Shader  *FragmentShader
}

// caseJSON is the line of a case. Pointers tell what is absent: of the context
// that is "not known", of an enabled test an error.
type caseJSON struct {
	Aspects           *string      `json:"aspects"`
	DepthFormat       *string      `json:"depth_format"`
	Zsbuf             *pipe.Format `json:"zsbuf"`
	Facing            *string      `json:"facing"`
	RasterizerDiscard bool         `json:"rasterizer_discard"`
	Ref               []*uint8     `json:"ref"`
	StrictBits        bool         `json:"strict_bits"`
	In                *stateJSON   `json:"in"`
	Shader            *shaderJSON  `json:"shader"`
}

type shaderJSON struct {
	Discards    *bool `json:"discards"`
	WritesDepth *bool `json:"writesDepth"`
}

type stateJSON struct {
	AlphaEnabled    bool       `json:"alpha_enabled"`
	AlphaFunc       *funcJSON  `json:"alpha_func,omitempty"`
	AlphaRef        *realJSON  `json:"alpha_ref,omitempty"`
	DepthBoundsTest bool       `json:"depth_bounds_test"`
	DepthBoundsMin  *realJSON  `json:"depth_bounds_min,omitempty"`
	DepthBoundsMax  *realJSON  `json:"depth_bounds_max,omitempty"`
	DepthEnabled    bool       `json:"depth_enabled"`
	DepthWriteMask  *bool      `json:"depth_writemask,omitempty"`
	DepthFunc       *funcJSON  `json:"depth_func,omitempty"`
	Stencil         []faceJSON `json:"stencil"`
}

type faceJSON struct {
	Enabled   bool      `json:"enabled"`
	Func      *funcJSON `json:"func,omitempty"`
	FailOp    *opJSON   `json:"fail_op,omitempty"`
	ZPassOp   *opJSON   `json:"zpass_op,omitempty"`
	ZFailOp   *opJSON   `json:"zfail_op,omitempty"`
	ValueMask *uint8    `json:"valuemask,omitempty"`
	WriteMask *uint8    `json:"writemask,omitempty"`
}

// funcJSON and opJSON are written by name ("LESS"), and read by name, with or
// without Mesa's prefix, or by number.
type (
	funcJSON pipe.CompareFunc
	opJSON   pipe.StencilOp
)

// MarshalJSON writes the name.
func (f funcJSON) MarshalJSON() ([]byte, error) { return json.Marshal(funcText(pipe.CompareFunc(f))) }

// UnmarshalJSON reads a name or number.
func (f *funcJSON) UnmarshalJSON(text []byte) error {
	v, err := ParseDepthStencilFunc(nameOrNumber(text))
	*f = funcJSON(v)
	return err
}

// MarshalJSON writes the name.
func (o opJSON) MarshalJSON() ([]byte, error) { return json.Marshal(opText(pipe.StencilOp(o))) }

// UnmarshalJSON reads a name or number.
func (o *opJSON) UnmarshalJSON(text []byte) error {
	v, err := ParseDepthStencilOp(nameOrNumber(text))
	*o = opJSON(v)
	return err
}

// nameOrNumber is a JSON string's content or any other value's text.
func nameOrNumber(text []byte) string {
	var s string
	if json.Unmarshal(text, &s) == nil {
		return s
	}
	return string(text)
}

// realJSON is a number, or as a string what JSON has no number for: "NaN", "+Inf", "-Inf".
type realJSON float64

// MarshalJSON writes a number, or a string where there is none.
func (r realJSON) MarshalJSON() ([]byte, error) {
	if v := float64(r); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return json.Marshal(float64(r))
}

// UnmarshalJSON reads either.
func (r *realJSON) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(nameOrNumber(text), 64)
	if err != nil {
		return fmt.Errorf("%s is no number", text)
	}
	*r = realJSON(v)
	return nil
}

// ParseDepthStencilFunc reads a comparison: "less", "PIPE_FUNC_LESS" or 1, in either case.
func ParseDepthStencilFunc(s string) (pipe.CompareFunc, error) {
	f, ok := pipe.ParseCompareFunc(withPrefix(funcPrefix, s))
	if !ok {
		return 0, fmt.Errorf("%q is no comparison, expected NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL or ALWAYS", s)
	}
	return f, validFunc("comparison", f)
}

// ParseDepthStencilOp reads a stencil operation: "incr_wrap", "PIPE_STENCIL_OP_INCR_WRAP" or 5, in either case.
func ParseDepthStencilOp(s string) (pipe.StencilOp, error) {
	o, ok := pipe.ParseStencilOp(withPrefix(opPrefix, s))
	if !ok {
		return 0, fmt.Errorf("%q is no stencil operation, expected KEEP, ZERO, REPLACE, INCR, DECR, INCR_WRAP, DECR_WRAP or INVERT", s)
	}
	if o > pipe.StencilInvert {
		return 0, fmt.Errorf("stencil operation is %d, at most 7", uint8(o))
	}
	return o, nil
}

// withPrefix returns Mesa's spelling of a name that may lack its prefix; a number stays.
func withPrefix(prefix, s string) string {
	s = strings.ToUpper(s)
	if s == "" || s[0] >= '0' && s[0] <= '9' || strings.HasPrefix(s, prefix) {
		return s
	}
	return prefix + s
}

// ParseAspects reads "D", "S", "DS" or "", no surface.
func ParseAspects(s string) (Aspects, error) {
	switch strings.ToUpper(s) {
	case "":
		return 0, nil
	case "D":
		return AspectDepth, nil
	case "S":
		return AspectStencil, nil
	case "DS", "SD":
		return AspectDepth | AspectStencil, nil
	}
	return 0, fmt.Errorf("aspects are %q, expected D, S, DS or nothing", s)
}

// ParseFacings reads "front", "back", "both" or "none".
func ParseFacings(s string) (Facings, error) {
	switch s {
	case "front":
		return FacingFront, nil
	case "back":
		return FacingBack, nil
	case "both":
		return FacingFront | FacingBack, nil
	case "none":
		return 0, nil
	}
	return 0, fmt.Errorf("facing is %q, expected front, back, both or none", s)
}

// ParseDepthFormat reads "unorm" or "float".
func ParseDepthFormat(s string) (DepthFormat, error) {
	switch s {
	case "unorm":
		return DepthUnorm, nil
	case "float":
		return DepthFloat, nil
	}
	return 0, fmt.Errorf("depth_format is %q, expected unorm or float", s)
}

// ParseDepthStencilCase reads a case from a JSON object:
//
//	{"aspects":"DS","depth_format":"unorm","facing":"both","rasterizer_discard":false,"ref":[1,1],
//	 "in":{"depth_enabled":true,"depth_writemask":true,"depth_func":"LESS",...,"stencil":[{"enabled":false},{"enabled":false}]},
//	 "shader":{"discards":true,"writesDepth":false}}
//
// What of the context is absent or null is not known and assumed to be any. An
// enabled test must have all its fields. "zsbuf" may name the surface's format
// instead of aspects and depth_format, or beside them if they agree. Beside
// these a row may carry what is expected of it: that is left in the case.
func ParseDepthStencilCase(c jsonlines.Case) (q DepthStencilCase, err error) {
	var j caseJSON
	if err := c.Take(&j); err != nil {
		return q, err
	}
	q.Context = AnyDepthStencilContext()
	if err := j.context(&q.Context); err != nil {
		return q, err
	}
	if j.In == nil {
		return q, errors.New(`"in" is missing: the state`)
	}
	if fs := j.Shader; fs != nil {
		if fs.Discards == nil || fs.WritesDepth == nil {
			return q, errors.New("shader: expected discards and writesDepth")
		}
		q.Shader = &FragmentShader{*fs.Discards, *fs.WritesDepth}
	}
	q.State, err = j.In.state("in.")
	return q, err
}

// ParseDepthStencilState reads the state alone, as "in" is in a case. Errors
// call it by the name that is given.
func ParseDepthStencilState(name string, text []byte) (DepthStencilState, error) {
	var j stateJSON
	if err := jsonlines.Decode(name, text, &j); err != nil {
		return DepthStencilState{}, err
	}
	return j.state(name + ".")
}

func (j *caseJSON) context(c *DepthStencilContext) (err error) {
	if j.Aspects != nil {
		if c.Aspects, err = ParseAspects(*j.Aspects); err != nil {
			return err
		}
		c.AnyAspects = false
	}
	if j.DepthFormat != nil {
		if c.DepthFormat, err = ParseDepthFormat(*j.DepthFormat); err != nil {
			return err
		}
	}
	if j.Zsbuf != nil {
		if err := c.SetSurface(*j.Zsbuf, j.Aspects != nil, j.DepthFormat != nil); err != nil {
			return err
		}
	}
	if j.Facing != nil {
		if c.Facings, err = ParseFacings(*j.Facing); err != nil {
			return err
		}
	}
	c.RasterizerDiscard, c.StrictBits = j.RasterizerDiscard, j.StrictBits
	if j.Ref != nil {
		if len(j.Ref) != 2 || j.Ref[0] == nil || j.Ref[1] == nil {
			return errors.New("ref is not two numbers, front and back, or null")
		}
		c.Ref = StencilRef{Known: true, Value: [2]uint8{*j.Ref[0], *j.Ref[1]}}
	}
	return nil
}

// SetSurface takes aspects and depth format from the surface's format. Those
// that were given already must agree with it.
func (c *DepthStencilContext) SetSurface(f pipe.Format, aspectsGiven, formatGiven bool) error {
	aspects, kind, ok := AspectsOf(f)
	switch {
	case !ok:
		return fmt.Errorf("zsbuf is %s, expected a depth or stencil format", f)
	case aspectsGiven && aspects != c.Aspects:
		return fmt.Errorf("aspects are %q, zsbuf %s has %q", c.Aspects, f, aspects)
	case formatGiven && aspects&AspectDepth != 0 && kind != c.DepthFormat:
		return fmt.Errorf("depth_format contradicts zsbuf %s", f)
	}
	c.Aspects, c.AnyAspects, c.DepthFormat = aspects, false, kind
	return nil
}

// String returns "", "D", "S" or "DS".
func (a Aspects) String() string {
	return [...]string{"", "D", "S", "DS"}[a&(AspectDepth|AspectStencil)]
}

// state takes over the fields, refusing an enabled test that lacks one. path
// stands before them in errors.
func (j *stateJSON) state(path string) (DepthStencilState, error) {
	var s DepthStencilState
	m := missing{prefix: path}
	var alphaRef realJSON
	s.DepthEnabled, s.AlphaEnabled, s.Bounds.Test = j.DepthEnabled, j.AlphaEnabled, j.DepthBoundsTest
	take(&m, "depth_writemask", s.DepthEnabled, &s.DepthWriteMask, j.DepthWriteMask)
	take(&m, "depth_func", s.DepthEnabled, (*funcJSON)(&s.DepthFunc), j.DepthFunc)
	take(&m, "alpha_func", s.AlphaEnabled, (*funcJSON)(&s.AlphaFunc), j.AlphaFunc)
	take(&m, "alpha_ref", s.AlphaEnabled, &alphaRef, j.AlphaRef)
	take(&m, "depth_bounds_min", s.Bounds.Test, (*realJSON)(&s.Bounds.Min), j.DepthBoundsMin)
	take(&m, "depth_bounds_max", s.Bounds.Test, (*realJSON)(&s.Bounds.Max), j.DepthBoundsMax)
	s.AlphaRef = float32(alphaRef)
	if len(j.Stencil) > len(s.Stencil) {
		return s, fmt.Errorf("%sstencil has %d faces, at most 2", path, len(j.Stencil))
	}
	for i := range j.Stencil {
		in, out := &j.Stencil[i], &s.Stencil[i]
		out.Enabled = in.Enabled
		m.prefix = fmt.Sprintf("%sstencil[%d].", path, i)
		take(&m, "func", in.Enabled, (*funcJSON)(&out.Func), in.Func)
		take(&m, "fail_op", in.Enabled, (*opJSON)(&out.FailOp), in.FailOp)
		take(&m, "zpass_op", in.Enabled, (*opJSON)(&out.ZPassOp), in.ZPassOp)
		take(&m, "zfail_op", in.Enabled, (*opJSON)(&out.ZFailOp), in.ZFailOp)
		take(&m, "valuemask", in.Enabled, &out.ValueMask, in.ValueMask)
		take(&m, "writemask", in.Enabled, &out.WriteMask, in.WriteMask)
	}
	if m.err != nil {
		return s, m.err
	}
	return s, s.Validate()
}

// missing remembers the first field that an enabled test lacks.
type missing struct {
	prefix string
	err    error
}

func take[T any](m *missing, field string, needed bool, to, from *T) {
	switch {
	case from != nil:
		*to = *from
	case needed && m.err == nil:
		m.err = fmt.Errorf("%s%s is missing, and its test is enabled", m.prefix, field)
	}
}
