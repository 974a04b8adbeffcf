package jsonlines

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// even reads an even number.
type even int

func (e *even) UnmarshalJSON(b []byte) error {
	var n int
	if err := json.Unmarshal(b, &n); err != nil || n%2 != 0 {
		return errors.New(string(b) + " is not even")
	}
	*e = even(n)
	return nil
}

// shout reads a text in capitals.
type shout string

func (s *shout) UnmarshalText(b []byte) error {
	if strings.ToUpper(string(b)) != string(b) {
		return errors.New("not loud")
	}
	*s = shout(b)
	return nil
}

type inner struct {
	Name string  `json:"name"`
	Even even    `json:"even"`
	Loud shout   `json:"loud"`
	Mask []uint8 `json:"mask"`
}

type embedded struct {
	Wide uint32 `json:"wide"`
}

type outer struct {
	embedded
	List    []inner         `json:"list"`
	Grid    [][]int         `json:"grid"`
	One     *inner          `json:"one"`
	Sizes   map[string]int  `json:"sizes"`
	Real    float32         `json:"real"`
	Count   uint            `json:"count"`
	Yes     *bool           `json:"yes"`
	Rest    json.RawMessage `json:"rest,omitempty"`
	Skipped int             `json:"-"`
	Bare    int
}

func TestDecode(t *testing.T) {
	yes := true
	var got outer
	require.NoError(t, Decode("", []byte(`{"id":7,"wide":4294967295,"list":[{"name":"a","even":4,"loud":"X","mask":[0,255]},{}],
		"grid":[[1],[]],"one":{"name":"b"},"sizes":{"x":1},"real":0.5,"count":3,"yes":true,"rest":{"any":[1]}}`), &got, "id"))
	require.Equal(t, outer{
		embedded: embedded{1<<32 - 1}, List: []inner{{"a", 4, "X", []uint8{0, 255}}, {}}, Grid: [][]int{{1}, {}},
		One: &inner{Name: "b"}, Sizes: map[string]int{"x": 1}, Real: 0.5, Count: 3, Yes: &yes, Rest: json.RawMessage(`{"any":[1]}`),
	}, got)

	// However it is laid out and spelled.
	spread := " {\n\t\"wide\" : 1 ,\r\n \"l\\u0069st\":[ { } , {\"name\":\"a,]}\\\"\\\\\" } ] , \"grid\" :[ [ ] ,[1 , 2]\n], \"sizes\":{ } ,\"rest\": -1e3 } "
	got = outer{}
	require.NoError(t, Decode("", []byte(spread), &got))
	require.Equal(t, outer{embedded: embedded{1}, List: []inner{{}, {Name: `a,]}"\`}}, Grid: [][]int{{}, {1, 2}},
		Sizes: map[string]int{}, Rest: json.RawMessage("-1e3")}, got)

	kept := outer{Real: 2, One: &inner{Loud: "L"}}
	want := kept
	require.NoError(t, Decode("", []byte(`{"real":null,"one":null,"list":null,"sizes":null}`), &kept))
	require.Equal(t, want, kept, "null says nothing")
}

func TestDecodeFaults(t *testing.T) {
	const members = "id, wide, list, grid, one, sizes, real, count, yes, rest"
	for _, test := range []struct{ name, text, want string }{
		{"a member that no case has", `{"lists":[]}`, `the case has a member "lists", want one of ` + members},
		{"a member in other letters", `{"Real":1}`, `the case has a member "Real", want one of ` + members},
		{"a field without a name", `{"Bare":1}`, `the case has a member "Bare", want one of ` + members},
		{"a member that is not wanted further in", `{"list":[{},{"nam":"a"}]}`, `list[1] has a member "nam", want one of name, even, loud, mask`},
		{"a member of a single object", `{"one":{"id":1}}`, `one has a member "id", want one of name, even, loud, mask`},
		{"a number for a string", `{"list":[{"name":3}]}`, `list[0].name is 3, want a string`},
		{"a string for a list", `{"list":"a"}`, `list is "a", want an array`},
		{"an object for a list", `{"grid":[{"a":1}]}`, `grid[0] is {"a":1}, want an array`},
		{"a list for an object", `{"one":[]}`, `one is [], want an object`},
		{"a list for a map", `{"sizes":[1]}`, `sizes is [1], want an object`},
		{"a string in a map", `{"sizes":{"x":"1"}}`, `sizes.x is "1", want a whole number`},
		{"a fraction in a grid", `{"grid":[[],[1,0.5]]}`, `grid[1][1] is 0.5, want a whole number`},
		{"a byte of nine bits", `{"one":{"mask":[1,256]}}`, `one.mask[1] is 256, want a number from 0 to 255`},
		{"a word of 33 bits", `{"wide":4294967296}`, `wide is 4294967296, want a number from 0 to 4294967295`},
		{"less than nothing", `{"count":-1}`, `count is -1, want a whole number from 0 on`},
		{"a word for a number", `{"real":"1"}`, `real is "1", want a number`},
		{"a number for a truth", `{"yes":1}`, `yes is 1, want true or false`},
		{"a type's own fault", `{"list":[{},{"even":3}]}`, `list[1].even: 3 is not even`},
		{"a text's own fault", `{"one":{"loud":"x"}}`, `one.loud: not loud`},
		{"no text", `{"one":{"loud":1}}`, `one.loud is 1, want a string`},
		{"much text", `{"yes":"` + strings.Repeat("é", 40) + `"}`, `yes is "` + strings.Repeat("é", 19) + `..., want true or false`},
		{"no object", `[1]`, `the case is [1], want an object`},
		{"no JSON", `{`, `not JSON: unexpected end of JSON input`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.EqualError(t, Decode("", []byte(test.text), &outer{}, "id"), test.want)
		})
	}
	require.EqualError(t, Decode("device", []byte(`{"wide":{}}`), &outer{}), `device.wide is {}, want a number from 0 to 4294967295`)
	require.EqualError(t, Decode("device", []byte(`3`), &outer{}), `device is 3, want an object`)
	require.EqualError(t, Decode("device", []byte(`{"a":1}`), &embedded{}), `device has a member "a", want one of wide`)
	require.EqualError(t, Decode("device", []byte(`x`), &outer{}), `device: not JSON: invalid character 'x' looking for beginning of value`)
}

func TestDecodeRow(t *testing.T) {
	var got embedded
	ignored, err := DecodeRow([]byte(`{"id":1,"wider":1,"wide":2,"narrow":{"x":1}}`), &got, "id")
	require.NoError(t, err)
	require.Equal(t, []string{"wider", "narrow"}, ignored)
	require.Equal(t, embedded{2}, got)

	_, err = DecodeRow([]byte(`{"out":1,"one":{"nam":1}}`), &outer{})
	var unknown *UnknownMember
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, UnknownMember{"one", "nam", []string{"name", "even", "loud", "mask"}}, *unknown)
}

// FuzzDecode holds that any JSON is read or refused, in the words of the case.
func FuzzDecode(f *testing.F) {
	f.Add(`{"list":[{"name":"a","even":3}],"grid":[[1,2]],"one":{"mask":[1]},"sizes":{"x":1},"yes":null,"x":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		err := Decode("", []byte(text), &outer{}, "id")
		if err != nil {
			require.NotContains(t, err.Error(), "Go ")
			return
		}
		require.NoError(t, json.Unmarshal([]byte(text), &outer{}), "what is read here, encoding/json reads")
	})
}
