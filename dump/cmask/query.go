package cmask

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// ErrQuery says that a query is malformed; the words of such an error are its own.
var ErrQuery = errors.New("bad query")

// badQuery is an ErrQuery that only says what is wrong.
type badQuery struct{ error }

func (badQuery) Is(target error) bool { return target == ErrQuery }
func (b badQuery) Unwrap() error      { return b.error }

// Answer works out one query in JSON; the result marshals to the answer. The queries and their answers:
//
//	{"query":"select","gen","samples","vrs_hints","fast_clear","bpp","tile"}  {"variant","mode","figure"}
//	{"query":"quad","nibble","mode","quad_x","quad_y"}                       {"bit","touched","tile_touched"}
//	{"query":"nibble","samples","variant","nibble"}                          {"fmask_planes","valid","subtile_bits","vrs_hint"}
//	{"query":"address","layout","pipe_config","width","height","x","y","slice"}  {"byte","bit"}
//
// The layouts are "linear", "linear-bytes" (a byte per tile), "gfx6-8 tiled" and "gfx9 xor equation" or
// "gfx10 xor equation"; an equation is given by the members of [ParseEquation] beside the others.
func Answer(c jsonlines.Case) (any, error) {
	var kind struct {
		Query string `json:"query"`
	}
	if err := c.Take(&kind); err != nil {
		return nil, badQuery{err}
	}
	switch kind.Query {
	case "select":
		return answerSelect(c)
	case "quad":
		return answerQuad(c)
	case "nibble":
		return answerNibble(c)
	case "address":
		return answerAddress(c)
	}
	return nil, badQuery{fmt.Errorf("query is %q, want select, quad, nibble or address", kind.Query)}
}

// need takes a query's members into q, all of which but the optional ones must be there and not null. A row
// may hold more than the query, such as what its answer must be: that is left in the case.
func need(c jsonlines.Case, q any, required ...string) error {
	for _, name := range required {
		if v, ok := c[name]; !ok || string(v) == "null" {
			return badQuery{fmt.Errorf("%q is missing", name)}
		}
	}
	if err := c.Take(q); err != nil {
		return badQuery{err}
	}
	return nil
}

type selectAnswer struct {
	Variant Variant `json:"variant"`
	Mode    *Mode   `json:"mode"`
	Figure  *string `json:"figure"`
}

func answerSelect(c jsonlines.Case) (any, error) {
	var q struct {
		Gen       string `json:"gen"`
		Samples   int    `json:"samples"`
		VRSHints  bool   `json:"vrs_hints"`
		FastClear bool   `json:"fast_clear"`
		BPP       int    `json:"bpp"`
		Tile      string `json:"tile"`
	}
	err := need(c, &q, "gen", "samples", "vrs_hints", "fast_clear", "bpp", "tile")
	if err != nil {
		return nil, err
	}
	g, err := ParseGeneration(q.Gen)
	if err != nil {
		return nil, err
	}
	s, err := Select(SurfaceConfig{g, q.Samples, q.VRSHints, q.FastClear, q.BPP, q.Tile})
	if err != nil {
		return nil, err
	}
	a := selectAnswer{Variant: s.Variant}
	if s.Variant.TracksTouch() {
		figure := s.Mode.String()
		a.Mode, a.Figure = &s.Mode, &figure
	}
	return a, nil
}

func answerQuad(c jsonlines.Case) (any, error) {
	var q struct {
		Nibble int             `json:"nibble"`
		Mode   json.RawMessage `json:"mode"`
		QuadX  int             `json:"quad_x"`
		QuadY  int             `json:"quad_y"`
	}
	err := need(c, &q, "nibble", "mode", "quad_x", "quad_y")
	if err != nil {
		return nil, err
	}
	m, err := ParseMode(strings.Trim(string(q.Mode), `"`))
	if err != nil {
		return nil, err
	}
	if q.Nibble < 0 || q.Nibble > 15 {
		return nil, fmt.Errorf("nibble %d: %w", q.Nibble, ErrNibble)
	}
	if q.QuadX < 0 || q.QuadX > 3 || q.QuadY < 0 || q.QuadY > 3 {
		return nil, fmt.Errorf("quad (%d,%d), a tile has 4x4: %w", q.QuadX, q.QuadY, ErrCoord)
	}
	bit := m.Bit(2*q.QuadX, 2*q.QuadY)
	return struct {
		Bit         uint8 `json:"bit"`
		Touched     bool  `json:"touched"`
		TileTouched bool  `json:"tile_touched"`
	}{bit, q.Nibble>>bit&1 != 0, uint8(q.Nibble)&m.TouchMask() != 0}, nil
}

func answerNibble(c jsonlines.Case) (any, error) {
	var q struct {
		Samples int `json:"samples"`
		Variant int `json:"variant"`
		Nibble  int `json:"nibble"`
	}
	err := need(c, &q, "samples", "variant", "nibble")
	if err != nil {
		return nil, err
	}
	if q.Variant < int(FastClear) || q.Variant > int(Hints) {
		return nil, fmt.Errorf("variant %d: %w", q.Variant, ErrVariant)
	}
	if q.Nibble < 0 || q.Nibble > 15 {
		return nil, fmt.Errorf("nibble %d: %w", q.Nibble, ErrNibble)
	}
	f, err := Variant(q.Variant).Split(q.Samples, uint8(q.Nibble))
	valid := err == nil
	if !valid && !errors.Is(err, ErrFmaskPlanes) && !errors.Is(err, ErrUpperBits) {
		return nil, err
	}
	return struct {
		FmaskPlanes *int `json:"fmask_planes"`
		Valid       bool `json:"valid"`
		SubTileBits *int `json:"subtile_bits"`
		VRSHint     *int `json:"vrs_hint"`
	}{present(f.FmaskPlanes), valid, present(f.SubTileBits), present(f.VRSHint)}, nil
}

func present(field int) *int {
	if field == Absent {
		return nil
	}
	return &field
}

func answerAddress(c jsonlines.Case) (any, error) {
	var q struct {
		Layout     string `json:"layout"`
		PipeConfig string `json:"pipe_config"`
		Width      int    `json:"width"`
		Height     int    `json:"height"`
		X          int    `json:"x"`
		Y          int    `json:"y"`
		Slice      int    `json:"slice"`
	}
	err := need(c, &q, "layout", "width", "height", "x", "y")
	if err != nil {
		return nil, err
	}
	a, err := NewAddresser(q.Layout, q.Width, q.Height, q.PipeConfig, c)
	if err != nil {
		return nil, err
	}
	byteOffset, bit, err := Address(a, q.X, q.Y, q.Slice)
	if err != nil {
		return nil, err
	}
	return struct {
		Byte int64 `json:"byte"`
		Bit  uint8 `json:"bit"`
	}{byteOffset, bit}, nil
}

// NewAddresser makes the addresser of a layout's name: "linear", "linear-bytes", "gfx6-8 tiled" (or
// "tiled") under a pipe configuration, "gfx9 xor equation" (or "gfx9") and "gfx10 xor equation" (or
// "gfx10") with an equation as [ParseEquation] takes it.
func NewAddresser(layout string, width, height int, pipeConfig string, equation jsonlines.Case) (Addresser, error) {
	var form Form
	switch layout {
	case "linear":
		return addresser(NewLinear(width, height))
	case "linear-bytes":
		return addresser(NewLinearBytes(width, height))
	case "gfx6-8 tiled", "tiled":
		return addresser(NewTiled(width, height, pipeConfig))
	case "gfx9 xor equation", "gfx9":
		form = GFX9
	case "gfx10 xor equation", "gfx10":
		form = GFX10
	default:
		return nil, badQuery{fmt.Errorf("layout is %q, want linear, linear-bytes, tiled, gfx9 or gfx10", layout)}
	}
	c, err := ParseEquation(equation)
	if err != nil {
		return nil, err
	}
	c.Form = form
	return addresser(NewEquation(width, height, c))
}

// addresser keeps a nil pointer from becoming a non-nil interface.
func addresser[A Addresser](a A, err error) (Addresser, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

type equationMembers struct {
	MetaBlock      []int      `json:"meta_block"`
	Pitch          int        `json:"pitch"`
	PaddedHeight   int        `json:"padded_height"`
	Equation       [][][]atom `json:"equation"`
	PipeBits       uint       `json:"pipe_bits"`
	PipeXor        uint       `json:"pipe_xor"`
	InterleaveLog2 *uint      `json:"interleave_log2"`
	SliceBytes     int64      `json:"slice_bytes"`
}

// ParseEquation reads an equation from a JSON object:
//
//	{"meta_block":[1024,1024],"pitch":2048,"padded_height":2048,"equation":[[["x",3]],[["z",0],["x",5]],[["m",0]]],
//	 "pipe_bits":4,"pipe_xor":0,"interleave_log2":8,"slice_bytes":32768}
//
// with the last four optional (8 for the interleave); other members are left in the case, so that it may
// stand in a larger object. What is read is checked by [NewEquation].
func ParseEquation(from jsonlines.Case) (EquationConfig, error) {
	var q equationMembers
	if err := need(from, &q, "meta_block", "pitch", "padded_height", "equation"); err != nil {
		return EquationConfig{}, err
	}
	if len(q.MetaBlock) != 2 {
		return EquationConfig{}, fmt.Errorf("meta_block has %d numbers, expected width and height: %w", len(q.MetaBlock), ErrEquation)
	}
	c := EquationConfig{
		BlockWidth: q.MetaBlock[0], BlockHeight: q.MetaBlock[1], Pitch: q.Pitch, PaddedHeight: q.PaddedHeight,
		PipeBits: q.PipeBits, PipeXor: q.PipeXor, InterleaveLog2: 8, SliceBytes: q.SliceBytes,
	}
	if q.InterleaveLog2 != nil {
		c.InterleaveLog2 = *q.InterleaveLog2
	}
	for i, bit := range q.Equation {
		var terms []Term
		for _, t := range bit {
			if len(t) != 2 || len(t[0].axis) != 1 || t[1].axis != "" || t[1].bit > 31 {
				return EquationConfig{}, fmt.Errorf(`address bit %d: a term is like ["x",3]: %w`, i, ErrEquation)
			}
			terms = append(terms, Term{Axis(t[0].axis[0]), uint8(t[1].bit)})
		}
		c.Bits = append(c.Bits, terms)
	}
	return c, nil
}

// atom is half of a term: the axis as a string, or the bit as a number.
type atom struct {
	axis string
	bit  uint
}

func (a *atom) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &a.axis) != nil && json.Unmarshal(text, &a.bit) != nil {
		return fmt.Errorf("%s is neither an axis nor a bit", text)
	}
	return nil
}
