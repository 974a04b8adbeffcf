package pipe_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// scalar returns the one value of that kind and raw text.
func scalar(kind pipe.ValueKind, text string) pipe.Value {
	values := pipe.MakeValues([]byte(text), []pipe.Node{{Kind: kind, Role: pipe.ArgRole, TextLen: uint32(len(text)), Next: 1}})
	return values.First()
}

func TestValueNumbers(t *testing.T) {
	const no = "not a number"
	cases := []struct {
		why        string
		kind       pipe.ValueKind
		text       string
		uint, sint any
	}{
		{"small", pipe.UintValue, "7", uint64(7), int64(7)},
		{"append", pipe.UintValue, "4294967295", uint64(math.MaxUint32), int64(math.MaxUint32)},
		{"a sign-extended append", pipe.UintValue, "18446744073709551615", uint64(math.MaxUint64), no},
		{"beyond 64 bits", pipe.UintValue, "18446744073709551616", no, no},
		{"far beyond", pipe.UintValue, "99999999999999999999999", no, no},
		{"negative", pipe.IntValue, "-1", no, int64(-1)},
		{"least", pipe.IntValue, "-9223372036854775808", no, int64(math.MinInt64)},
		{"below least", pipe.IntValue, "-9223372036854775809", no, no},
		{"an int as uint", pipe.IntValue, "12", uint64(12), int64(12)},
		{"a bool", pipe.BoolValue, "1", uint64(1), int64(1)},
		{"literal lu", pipe.UintValue, "lu", no, no},
		{"literal li", pipe.IntValue, "li", no, no},
		{"empty", pipe.UintValue, "", no, no},
		{"white space around", pipe.UintValue, " 5\n", uint64(5), int64(5)},
		{"hexadecimal", pipe.UintValue, "0x5", no, no},
		{"an enum is a name", pipe.EnumValue, "5", no, no},
		{"a float is none", pipe.FloatValue, "5", no, no},
		{"a pointer is none", pipe.PtrValue, "0x00000005", no, no},
		{"minus alone", pipe.IntValue, "-", no, no},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			v := scalar(c.kind, c.text)
			u, ok := v.Uint()
			require.Equal(t, c.uint != no, ok)
			if ok {
				require.Equal(t, c.uint, u)
			}
			i, ok := v.Int()
			require.Equal(t, c.sint != no, ok)
			if ok {
				require.Equal(t, c.sint, i)
			}
		})
	}
}

func TestValueFloats(t *testing.T) {
	cases := []struct {
		why, text string
		want      float64
		ok        bool
	}{
		{"a point", "0.5", 0.5, true},
		{"a comma, from a German program", "0,5", 0.5, true},
		{"an exponent", "1.23457e-05", 1.23457e-05, true},
		{"a large exponent", "1e+38", 1e38, true},
		{"negative zero", "-0", math.Copysign(0, -1), true},
		{"infinity", "inf", math.Inf(1), true},
		{"negative infinity", "-inf", math.Inf(-1), true},
		{"Windows' infinity", "1.#INF", math.Inf(1), true},
		{"no number", "nan", math.NaN(), true},
		{"negative no number", "-nan", math.NaN(), true},
		{"Windows' no number", "-1.#IND", math.NaN(), true},
		{"Go's spelling, which C has not", "Infinity", 0, false},
		{"hexadecimal, which %g has not", "0x1p-2", 0, false},
		{"two commas", "1,000,5", 0, false},
		{"empty", "", 0, false},
		{"words", "half", 0, false},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			f, ok := scalar(pipe.FloatValue, c.text).Float()
			require.Equal(t, c.ok, ok)
			if math.IsNaN(c.want) {
				require.True(t, math.IsNaN(f))
			} else {
				require.Equal(t, math.Float64bits(c.want), math.Float64bits(f))
			}
		})
	}
	f, ok := scalar(pipe.UintValue, "3").Float()
	require.True(t, ok)
	require.Equal(t, 3.0, f, "older Mesa wrote colours as numbers")
}

func TestValueHandles(t *testing.T) {
	for text, want := range map[string]pipe.Handle{"0x00000007": 7, "0x55a5ebf1e0f0": 0x55a5ebf1e0f0, "0xFFFFFFFFFFFFFFFF": math.MaxUint64} {
		h, ok := scalar(pipe.PtrValue, text).Handle()
		require.True(t, ok, text)
		require.Equal(t, want, h)
	}
	for _, text := range []string{"", "0x", "7", "0xg", "0x10000000000000000"} {
		_, ok := scalar(pipe.PtrValue, text).Handle()
		require.False(t, ok, text)
	}
	h, ok := scalar(pipe.NullValue, "").Handle()
	require.True(t, ok, "null is a handle")
	require.Zero(t, h)
	_, ok = scalar(pipe.UintValue, "7").Handle()
	require.False(t, ok, "a number is none")
	_, ok = pipe.Value{}.Handle()
	require.False(t, ok, "nothing is none")
}

func TestValueBytes(t *testing.T) {
	v := scalar(pipe.BytesValue, "00fFA1")
	require.Equal(t, 3, v.BytesLen())
	data, ok := v.AppendBytes([]byte{9})
	require.True(t, ok)
	require.Equal(t, []byte{9, 0, 0xff, 0xa1}, data)
	for _, text := range []string{"0", "0g", "g0", "0 "} {
		data, ok := scalar(pipe.BytesValue, text).AppendBytes(nil)
		require.False(t, ok, text)
		require.Empty(t, data)
	}
}

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                   "plain",
		"a&lt;b&gt;&amp;&apos;":   "a<b>&'",
		"&#10;&#195;&#169;&#xe9;": "\n\xc3\xa9\xe9",
		"&#8364;":                 "€",
		"&nope; & &#; &#x; &":     "&nope; & &#; &#x; &",
		"&#99999999999;&#1114112": "&#99999999999;&#1114112",
	} {
		require.Equal(t, want, string(pipe.AppendUnescaped(nil, []byte(text))), text)
	}
}

// built is a call with everything in it.
func built() *pipe.Values {
	var b pipe.Builder
	b.Arg("pipe").Ptr(0x1000)
	b.Arg("state").Struct("pipe_shader_state").
		Member("type").Uint(2).Member("tokens").Null().Member("ir").Str("a <b> & c").
		Member("indirect->offset").Int(-4).
		Member("stride").Array().Elem().Uint(3).Elem().Uint(4).End().
		Member("empty").Array().End().End()
	b.Arg("color->ui").Float(0.1).Arg("a&b").Bytes([]byte{0xab}).Arg("discard").Bool(true)
	b.Array().Elem().Enum("PIPE_BUFFER").End()
	b.Ret().Uint(4096).Ret().Ptr(0x2000)
	b.Time(12)
	v := b.Values()
	return &v
}

func TestBuilderAndAccessors(t *testing.T) {
	v := built()
	require.Equal(t, "4096", v.Arg("pipe").Next().Next().Next().Next().Next().Next().String())
	h, _ := v.Ret().Handle()
	require.Equal(t, pipe.Handle(0x2000), h, "the pointer of two returned values")
	us, ok := v.Time()
	require.True(t, ok)
	require.Equal(t, int64(12), us)

	state := v.ArgAt(1)
	require.Equal(t, "state", state.Name())
	require.Equal(t, "pipe_shader_state", state.TypeName())
	require.Equal(t, 6, state.Len())
	require.Equal(t, "a <b> & c", state.Member("ir").String())
	require.True(t, state.Member("tokens").IsNull())
	require.False(t, state.Member("missing").Exists())
	require.Equal(t, "4", state.Member("stride").Index(1).String())
	require.False(t, state.Member("stride").Index(2).Exists())
	require.False(t, state.Member("stride").Index(-1).Exists())
	require.Zero(t, state.Member("empty").Len())
	n, _ := state.Member("indirect->offset").Int()
	require.Equal(t, int64(-4), n)
	require.Equal(t, "0.1", v.Arg("color->ui").String())
	require.Equal(t, "AB", v.Arg("a&b").String(), "names are escaped as they are written")
	require.False(t, v.Arg("pipe2").Exists())
	require.False(t, v.ArgAt(9).Exists())
	for bare := range v.Bare() {
		require.Equal(t, "{PIPE_BUFFER}", bare.String())
	}
	require.Equal(t, "{type = 2, tokens = NULL, ir = a <b> & c, indirect->offset = -4, stride = {3, 4}, empty = {}}", state.String())
}

// TestSharedValues reads one tape over texts that end in numbers of different
// length, and copies both.
func TestSharedValues(t *testing.T) {
	nodes := []pipe.Node{
		{Kind: pipe.UintValue, Role: pipe.ArgRole, TextLen: 2, Next: 1},
		{Kind: pipe.IntValue, Role: pipe.TimeRole, TextOff: 2, TextLen: 1, Next: 2},
	}
	for text, want := range map[string]int64{"427": 7, "42789": 789, "42": 0} {
		var v pipe.Values
		v.Share([]byte(text), nodes, len(text)-2)
		for _, x := range []*pipe.Values{&v, v.Clone(), v.Clone().Clone()} {
			require.Equal(t, "42", x.ArgAt(0).String())
			us, ok := x.Time()
			require.Equal(t, want, us)
			require.Equal(t, len(text) > 2, ok)
			require.True(t, v.Equal(x))
		}
	}
	require.EqualValues(t, 1, nodes[1].TextLen, "the tape is shared")
}

func TestCloneOwnsItsMemory(t *testing.T) {
	text := []byte("<uint>5</uint>")
	v := pipe.MakeValues(text, []pipe.Node{{Kind: pipe.UintValue, Role: pipe.RetRole, TextOff: 6, TextLen: 1, Next: 1}})
	c := v.Clone()
	require.True(t, v.Equal(c))
	text[6] = '9'
	require.Equal(t, "5", c.Ret().String())
	require.False(t, v.Equal(c))
}

func TestEqual(t *testing.T) {
	require.True(t, built().Equal(built()))
	one := func(change func(b *pipe.Builder)) *pipe.Values {
		var b pipe.Builder
		change(&b)
		v := b.Values()
		return &v
	}
	base := one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).Elem().Uint(2).End() })
	for why, other := range map[string]*pipe.Values{
		"another number":  one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).Elem().Uint(3).End() }),
		"another order":   one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(2).Elem().Uint(1).End() }),
		"another name":    one(func(b *pipe.Builder) { b.Arg("b").Array().Elem().Uint(1).Elem().Uint(2).End() }),
		"another kind":    one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).Elem().Int(2).End() }),
		"another role":    one(func(b *pipe.Builder) { b.Ret().Array().Elem().Uint(1).Elem().Uint(2).End() }),
		"one more":        one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).Elem().Uint(2).Elem().Uint(3).End() }),
		"one less":        one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).End() }),
		"nothing":         {},
		"one more at end": one(func(b *pipe.Builder) { b.Arg("a").Array().Elem().Uint(1).Elem().Uint(2).End().Null() }),
	} {
		require.False(t, base.Equal(other), why)
		require.False(t, other.Equal(base), why)
	}
	escaped := scalar(pipe.StringValue, "a&lt;b")
	literal := one(func(b *pipe.Builder) { b.Arg("").Str("a<b") }).First()
	require.True(t, escaped.Equal(literal), "how a string is escaped does not count")
}

func TestNothingAnswers(t *testing.T) {
	var v pipe.Value
	require.False(t, v.Exists())
	require.Equal(t, pipe.NoValue, v.Kind())
	require.Empty(t, v.Name()+v.TypeName()+v.String())
	require.False(t, v.First().Exists() || v.Next().Exists() || v.Index(0).Exists() || v.Member("x").Exists())
	require.Zero(t, v.Len()+v.BytesLen())
	var none *pipe.Values
	require.True(t, none.Empty())
	require.False(t, none.Arg("x").Exists() || none.Ret().Exists())
	require.Nil(t, none.Clone())
}

func TestAccessAllocatesNothing(t *testing.T) {
	v := built()
	allocs := testing.AllocsPerRun(100, func() {
		state := v.Arg("state")
		for _, e := range state.Member("stride").All() {
			e.Uint()
		}
		v.Arg("color->ui").Float()
		v.Ret().Handle()
		v.Time()
	})
	require.Zero(t, allocs)
	var b pipe.Builder
	allocs = testing.AllocsPerRun(100, func() {
		b.Reset()
		b.Arg("a").Array().Elem().Uint(1).End().Ret().Ptr(5)
		b.Values()
	})
	require.Zero(t, allocs, "a builder that is used again")
}

// FuzzUnescape holds that escapes only ever shrink, and text without & stays.
func FuzzUnescape(f *testing.F) {
	f.Add("a&lt;&#10;&#x10FFFF;&")
	f.Fuzz(func(t *testing.T, text string) {
		got := pipe.AppendUnescaped(nil, []byte(text))
		require.LessOrEqual(t, len(got), len(text))
		if !strings.Contains(text, "&") {
			require.Equal(t, text, string(got))
		}
	})
}
