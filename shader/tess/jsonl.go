package tess

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// AnswerJSON answers one JSON case. A case with "draw" is a plan:
//
//	{"draw":{"patches","instances","in_cp","out_cp","in_bytes","out_bytes","patch_bytes",
//	         "domain","partitioning","factors":[[outer0..3,inner0,inner1],..],"split_instances"},
//	 "override":{"offchip","patches","tf","dsw"}, "device":{..}, "policy":"default"|"radeonsi"|"radv"}
//
// and gives {"result":{..}}. Any other case is a patch:
//
//	{"domain","partitioning","output","outer_bits":["0x40e9999a",..],"inner_bits":[..],
//	 "pre_round":"pow2","geometry":true}
//
// and gives {"culled","vertices","primitives","indices"}; "outer" and "inner" may hold the factors as numbers or
// strings instead. With "geometry" it also gives "points_16_16", and "indices" is the list of them. Members that are not
// known are left in the case, which may be a row with what is expected of it; inside the others they are an error. The
// error says why the case is impossible.
func AnswerJSON(from jsonlines.Case) (any, error) {
	var c jsonCase
	if err := from.Take(&c); err != nil {
		return nil, err
	}
	if c.Draw != nil {
		return c.plan()
	}
	return c.count()
}

type jsonCase struct {
	Domain       string    `json:"domain"`
	Partitioning string    `json:"partitioning"`
	Output       string    `json:"output"`
	Outer        []number  `json:"outer"`
	Inner        []number  `json:"inner"`
	OuterBits    []bitWord `json:"outer_bits"`
	InnerBits    []bitWord `json:"inner_bits"`
	PreRound     *string   `json:"pre_round"`
	Geometry     bool      `json:"geometry"`

	Draw     *jsonDraw       `json:"draw"`
	Override jsonOverride    `json:"override"`
	Device   json.RawMessage `json:"device"`
	Policy   *string         `json:"policy"`
	// Of the Mesa policies.
	GFX6           bool `json:"gfx6"`
	OutputsNotRead bool `json:"outputs_not_read"`
}

// number is a binary32 value written as a JSON number or as a string such as "NaN" or "+Inf".
type number float32

func (n *number) UnmarshalJSON(text []byte) error {
	s := string(text)
	if inside, err := strconv.Unquote(s); err == nil {
		s = inside
	}
	x, err := ParseFactor(s)
	*n = number(x)
	return err
}

// bitWord is the bits of a binary32 value, in hexadecimal.
type bitWord uint32

func (w *bitWord) UnmarshalJSON(text []byte) error {
	s, err := strconv.Unquote(string(text))
	if err != nil {
		return fmt.Errorf("bits are a string such as \"0x3f800000\", not %.40s", text)
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	x, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return fmt.Errorf("%.40q is not the hexadecimal bits of a 32-bit float", s)
	}
	*w = bitWord(x)
	return nil
}

type jsonCounts struct {
	Culled     bool `json:"culled"`
	Vertices   int  `json:"vertices"`
	Primitives int  `json:"primitives"`
}

type jsonIndexCount struct {
	jsonCounts
	Indices int `json:"indices"`
}

type jsonGeometry struct {
	jsonCounts
	Points  [][2]uint32 `json:"points_16_16"`
	Indices []uint32    `json:"indices"`
}

func (c *jsonCase) count() (any, error) {
	t, err := Parse(c.Domain, c.Partitioning, c.Output)
	if err != nil {
		return nil, err
	}
	f, err := c.factors(t.domain)
	if err != nil {
		return nil, err
	}
	if c.PreRound != nil {
		if f, err = t.PreRound(f, *c.PreRound); err != nil {
			return nil, err
		}
	}
	n := t.Count(f)
	counts := jsonCounts{n.Culled, n.Vertices, n.Primitives}
	if !c.Geometry {
		return jsonIndexCount{counts, n.Indices}, nil
	}
	g := t.Geometry(f)
	points := make([][2]uint32, len(g.Points))
	for i, p := range g.Points {
		points[i] = [2]uint32{p.U, p.V}
	}
	return jsonGeometry{counts, points, append([]uint32{}, g.Indices...)}, nil
}

// PreRound rounds the factors as a shader compiler would, which it does for pow2 partitioning alone: see
// [Factors.RoundPow2]. how is "pow2" and may carry
// a remark after the word.
func (t Tessellator) PreRound(f Factors, how string) (Factors, error) {
	word, _, _ := strings.Cut(how, " ")
	if word != "pow2" {
		return f, fmt.Errorf("pre_round %q is not pow2", how)
	}
	if t.spacing != Pow2 && t.spacing != Equal {
		return f, fmt.Errorf("pre_round pow2 does not go with partitioning %s", t.spacing)
	}
	return f.RoundPow2(t.domain), nil
}

// factors takes bits before numbers, since bits alone say which NaN.
func (c *jsonCase) factors(d Domain) (f Factors, err error) {
	outer, inner := d.FactorCounts()
	if err := fill(f.Outer[:outer], "outer", c.Outer, c.OuterBits); err != nil {
		return f, err
	}
	return f, fill(f.Inner[:inner], "inner", c.Inner, c.InnerBits)
}

func fill(to []float32, name string, numbers []number, words []bitWord) error {
	if words != nil {
		if len(words) != len(to) {
			return fmt.Errorf("%s_bits has %d factors, expected %d", name, len(words), len(to))
		}
		for i, w := range words {
			to[i] = math.Float32frombits(uint32(w))
		}
		return nil
	}
	if len(numbers) != len(to) {
		return fmt.Errorf("%s has %d factors, expected %d", name, len(numbers), len(to))
	}
	for i, n := range numbers {
		to[i] = float32(n)
	}
	return nil
}
