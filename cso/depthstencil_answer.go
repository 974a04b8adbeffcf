package cso

import (
	"strconv"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// DepthStencilAnswer is the answer to a case, to be marshalled to JSON: "out"
// without the fields of tests that are off, what is left of tests and writes,
// the reason codes, each changed field, and "early" (null without a shader).
type DepthStencilAnswer struct {
	In            *stateJSON   `json:"in,omitempty"` // see Asked
	Out           stateJSON    `json:"out"`
	DepthTest     bool         `json:"depth_test"`
	StencilTest   bool         `json:"stencil_test"`
	WritesDepth   bool         `json:"writes_depth"`
	WritesStencil bool         `json:"writes_stencil"`
	KillsAll      bool         `json:"kills_all"`
	Reasons       []string     `json:"reasons"`
	Early         *string      `json:"early"`
	Changes       []changeJSON `json:"changes,omitempty"`
	Warnings      []string     `json:"warnings,omitempty"`
}

type changeJSON struct {
	Field  string `json:"field"`
	From   string `json:"from"`
	To     string `json:"to,omitempty"`
	Reason string `json:"reason"`
}

// Answer sanitises the state of the case and says all that is known of it.
func (q *DepthStencilCase) Answer() (*DepthStencilAnswer, error) {
	r, err := SanitiseDepthStencil(&q.State, &q.Context)
	if err != nil {
		return nil, err
	}
	a := &DepthStencilAnswer{
		Out:         newStateJSON(&r.State, false),
		DepthTest:   r.TestsDepth(),
		StencilTest: r.TestsStencil(),
		WritesDepth: r.WritesDepth, WritesStencil: r.WritesStencil,
		KillsAll: r.KillsAll,
		Reasons:  []string{},
		Warnings: q.warnings(&r),
	}
	for why := range r.Reasons.All() {
		a.Reasons = append(a.Reasons, why.String())
	}
	for _, c := range r.Changes(&q.State) {
		a.Changes = append(a.Changes, changeJSON{c.Field, c.From, c.To, c.Reason.String()})
	}
	if q.Shader != nil {
		early := r.Early(*q.Shader).String()
		a.Early = &early
	}
	return a, nil
}

// AnswerDepthStencil answers a case, see [ParseDepthStencilCase] and
// [DepthStencilAnswer].
func AnswerDepthStencil(c jsonlines.Case) (any, error) {
	q, err := ParseDepthStencilCase(c)
	if err != nil {
		return nil, err
	}
	return q.Answer()
}

// Asked adds the state that was asked for, every field of it, as "in".
func (a *DepthStencilAnswer) Asked(s *DepthStencilState) {
	in := newStateJSON(s, true)
	a.In = &in
}

// newStateJSON leaves out the fields of tests that are off, unless all are wanted.
func newStateJSON(s *DepthStencilState, all bool) stateJSON {
	j := stateJSON{AlphaEnabled: s.AlphaEnabled, DepthBoundsTest: s.Bounds.Test, DepthEnabled: s.DepthEnabled, Stencil: make([]faceJSON, 2)}
	if s.AlphaEnabled || all {
		ref := shortest(s.AlphaRef)
		j.AlphaFunc, j.AlphaRef = (*funcJSON)(&s.AlphaFunc), &ref
	}
	if s.Bounds.Test || all {
		j.DepthBoundsMin, j.DepthBoundsMax = (*realJSON)(&s.Bounds.Min), (*realJSON)(&s.Bounds.Max)
	}
	if s.DepthEnabled || all {
		j.DepthWriteMask, j.DepthFunc = &s.DepthWriteMask, (*funcJSON)(&s.DepthFunc)
	}
	for i := range s.Stencil {
		f := &s.Stencil[i]
		if f.Enabled || all {
			j.Stencil[i] = faceJSON{f.Enabled, (*funcJSON)(&f.Func), (*opJSON)(&f.FailOp), (*opJSON)(&f.ZPassOp), (*opJSON)(&f.ZFailOp), &f.ValueMask, &f.WriteMask}
		}
	}
	return j
}

// shortest is the number with the fewest digits that is f in 32 bits.
func shortest(f float32) realJSON {
	v, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil {
		return realJSON(f)
	}
	return realJSON(v)
}
