package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// recorded is the text of a trace, cut into its calls.
type recorded struct {
	t     *testing.T
	head  string
	calls []string
	tail  string // the closing tag
}

// record reads a trace of testdata/traces.
func record(t *testing.T, name string) *recorded {
	t.Helper()
	r, err := trace.Open(filepath.Join("..", "..", "testdata", "traces", name), trace.Options{})
	require.NoError(t, err)
	defer r.Close()
	rec := &recorded{t: t, tail: "</trace>\n"}
	for record, err := range r.Records() {
		require.NoError(t, err)
		switch record.Kind {
		case trace.CallRecord:
			rec.calls = append(rec.calls, string(record.Raw))
		case trace.HeaderRecord:
			rec.head += string(record.Raw) + "\n"
		}
	}
	return rec
}

// text is the trace as it stands now.
func (r *recorded) text() string {
	return r.head + "\t" + strings.Join(r.calls, "\n\t") + "\n" + r.tail
}

// find returns the index of the nth call of a method, from 0.
func (r *recorded) find(method string, nth int) int {
	r.t.Helper()
	for i, c := range r.calls {
		if strings.Contains(c[:strings.IndexByte(c, '>')], "method='"+method+"'") {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	require.FailNow(r.t, "no such call", "%s", method)
	return 0
}

// number writes a new number into the kth argument or member of that name.
func (r *recorded) number(method string, nth int, name string, k int, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	at := regexp.MustCompile(`name='` + regexp.QuoteMeta(name) + `'><(uint|int|bool|float)>([^<]*)<`)
	spans := at.FindAllStringSubmatchIndex(r.calls[i], -1)
	require.Greater(r.t, len(spans), k, "%s has no %s", method, name)
	r.calls[i] = r.calls[i][:spans[k][4]] + value + r.calls[i][spans[k][5]:]
}

// elem writes a new value, with its element, into the kth entry of an array.
func (r *recorded) elem(method string, nth int, array string, k int, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	begin := strings.Index(r.calls[i], "name='"+array+"'><array>")
	require.GreaterOrEqual(r.t, begin, 0, "%s has no %s", method, array)
	at := regexp.MustCompile(`<elem>(.*?)</elem>`).FindAllStringSubmatchIndex(r.calls[i][begin:], -1)
	require.Greater(r.t, len(at), k)
	r.calls[i] = r.calls[i][:begin+at[k][2]] + value + r.calls[i][begin+at[k][3]:]
}

// pointer writes an address into an argument or member.
func (r *recorded) pointer(method string, nth int, name, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	at := regexp.MustCompile(`name='` + regexp.QuoteMeta(name) + `'>(<ptr>[^<]*</ptr>|<null/>)`).FindStringSubmatchIndex(r.calls[i])
	require.NotNil(r.t, at, "%s has no %s", method, name)
	r.calls[i] = r.calls[i][:at[2]] + value + r.calls[i][at[3]:]
}

// ret returns the address that a call returned, as an element.
func (r *recorded) ret(method string, nth int) string {
	r.t.Helper()
	at := regexp.MustCompile(`<ret>(<ptr>.*?</ptr>)</ret>`).FindStringSubmatch(r.calls[r.find(method, nth)])
	require.NotNil(r.t, at)
	return at[1]
}

// callNumber is where a call has its number.
var callNumber = regexp.MustCompile(`^<call no='(\d+)'`)

// insert puts calls before the nth call of a method, in this order. They get its
// number: one that goes back is a fault of its own.
func (r *recorded) insert(method string, nth int, calls ...string) {
	r.t.Helper()
	i := r.find(method, nth)
	no := callNumber.FindString(r.calls[i])
	for k := range calls {
		calls[k] = callNumber.ReplaceAllString(calls[k], no)
	}
	r.calls = slices.Insert(r.calls, i, calls...)
}

// put puts a call in the place of the nth call of a method.
func (r *recorded) put(method string, nth int, call string) {
	r.t.Helper()
	i := r.find(method, nth)
	r.calls[i] = callNumber.ReplaceAllString(call, callNumber.FindString(r.calls[i]))
}

// drop leaves a call out.
func (r *recorded) drop(method string, nth int) {
	r.t.Helper()
	i := r.find(method, nth)
	r.calls = append(r.calls[:i], r.calls[i+1:]...)
}

// twice makes a call happen two times.
func (r *recorded) twice(method string, nth int) {
	r.t.Helper()
	r.insert(method, nth, r.calls[r.find(method, nth)])
}

// context is the context that the trace draws in, as an argument.
func (r *recorded) context() string {
	c := r.calls[r.find("draw_vbo", 0)]
	return regexp.MustCompile(`<arg name='pipe'>.*?</arg>`).FindString(c)
}

func (r *recorded) call(method, args string) string {
	return "<call no='0' class='pipe_context' method='" + method + "'>" + r.context() + args + "</call>"
}

func arg(name, value string) string { return "<arg name='" + name + "'>" + value + "</arg>" }

// pointerOf returns an argument's address, as an element.
func (r *recorded) pointerOf(method string, nth int, name string) string {
	c := r.calls[r.find(method, nth)]
	c = c[strings.Index(c, "name='"+name+"'>")+len("name=''>")+len(name):]
	return c[:strings.Index(c, "</arg>")]
}

// states makes the screen say another value of a capability, whenever asked.
func (r *recorded) states(param, value string) {
	r.t.Helper()
	asked := 0
	for i, c := range r.calls {
		if strings.Contains(c, ">"+param+"<") {
			at := strings.Index(c, "<ret><int>") + len("<ret><int>")
			r.calls[i] = c[:at] + value + c[at+strings.Index(c[at:], "<"):]
			asked++
		}
	}
	require.Positive(r.t, asked, "nobody asks for %s", param)
}

// replace changes a text inside the nth call of a method, wherever it stands.
func (r *recorded) replace(method string, nth int, old, with string) {
	r.t.Helper()
	i := r.find(method, nth)
	require.Contains(r.t, r.calls[i], old)
	r.calls[i] = strings.ReplaceAll(r.calls[i], old, with)
}
