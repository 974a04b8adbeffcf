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

// take reads a case and takes it.
func take(text string, into any) (Case, error) {
	c, err := Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return c, c.Take(into)
}

func TestTake(t *testing.T) {
	yes := true
	var got outer
	left, err := take(`{"id":7,"wide":4294967295,"list":[{"name":"a","even":4,"loud":"X","mask":[0,255]},{}],
		"grid":[[1],[]],"one":{"name":"b"},"sizes":{"x":1},"real":0.5,"count":3,"yes":true,"rest":{"any":[1]},"Bare":1}`, &got)
	require.NoError(t, err)
	require.Equal(t, outer{
		embedded: embedded{1<<32 - 1}, List: []inner{{"a", 4, "X", []uint8{0, 255}}, {}}, Grid: [][]int{{1}, {}},
		One: &inner{Name: "b"}, Sizes: map[string]int{"x": 1}, Real: 0.5, Count: 3, Yes: &yes, Rest: json.RawMessage(`{"any":[1]}`),
	}, got)
	require.Equal(t, Case{"id": []byte("7"), "Bare": []byte("1")}, left, "what nothing reads")

	kept := outer{Real: 2, One: &inner{Loud: "L"}}
	_, err = take(`{"real":null,"list":null,"rest":null}`, &kept)
	require.NoError(t, err)
	require.Equal(t, outer{Real: 2, One: &inner{Loud: "L"}, Rest: json.RawMessage("null")}, kept, "null says nothing")

	got = outer{}
	_, err = take(`{"real":"x","real":1,"one":{"name":"a","name":"b"}}`, &got)
	require.NoError(t, err)
	require.Equal(t, outer{Real: 1, One: &inner{Name: "b"}}, got, "of two members the last counts")
}

func TestTakeFaults(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a member that is not wanted further in", `{"list":[{},{"nam":"a"}]}`, `list[1] has a member "nam" that nothing reads`},
		{"a member of a single object", `{"one":{"id":1}}`, `one has a member "id" that nothing reads`},
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
		{"a member twice, once wrong", `{"one":{"name":1,"name":"a"}}`, `one has a member twice, and one of them is wrong`},
		{"the same member in two ways of writing", `{"one":{"Name":1,"name":"a"}}`, `one.Name is 1, want a string`},
		{"two faults", `{"yes":1,"list":[{"nam":1}]}`, `list[0] has a member "nam" that nothing reads`},
		{"a key in escapes", `{"sizes":{"\u0022<\ud83d\ude00":[]}}`, `sizes."<😀 is [], want a whole number`},
		{"a fault in what has a fault by itself", `{"list":[{"even":{"x":{"y":1}}}]}`, `list[0].even: {"x":{"y":1}} is not even`},
		{"no object", `[1]`, `not a JSON object`},
		{"null", `null`, `not a JSON object`},
		{"something behind it", `{} x`, `not JSON: invalid character 'x' after top-level value`},
		{"no JSON", `{`, `not JSON: unexpected end of JSON input`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := take(test.text, &outer{})
			require.EqualError(t, err, test.want)
		})
	}
}

func TestDecode(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a wrong type", `{"wide":{}}`, `device.wide is {}, want a number from 0 to 4294967295`},
		{"a member that is not known", ` {"a":1}`, `device has a member "a" that nothing reads`},
		{"no object", `3`, `device: not a JSON object`},
		{"null", `null`, `device: not a JSON object`},
		{"no JSON", `x`, `device: not JSON: invalid character 'x' looking for beginning of value`},
		{"something behind it", `{}{}`, `device: not JSON: invalid character '{' after top-level value`},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.EqualError(t, Decode("device", []byte(test.text), &embedded{}), test.want)
		})
	}
	kept := embedded{3}
	require.NoError(t, Decode("device", []byte("{\n}\n"), &kept))
	require.Equal(t, embedded{3}, kept, "what is not said stays")
}
